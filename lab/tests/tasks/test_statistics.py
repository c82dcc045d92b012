"""What a corpus holds, in numbers, over small corpora of our own in the releases' formats."""

import json

import pytest
from lab.tests.cli.test_data_pairs import labelled, timeline, write
from lab.tests.corpora.made_up_crab import rows, write_lines
from tests.cli.commands import run

from whywire.errors import InputError
from whywire_lab.corpora.crab import PAIRS_FILE
from whywire_lab.statistics import STATISTICS


def table(corpus, folder, name):
    """The rows of a table by their first cell."""
    (found,) = (own for own in STATISTICS[corpus](folder) if own.name == name)
    return {row[0]: dict(zip(found.columns[1:], row[1:], strict=True)) for row in found.rows}


def test_counterfactuals(corpora):
    folder = corpora / "semeval2020_task5"
    sentences = table("semeval2020_task5", folder, "sentences")
    assert sentences["train"]["sentences"] == 60
    assert sentences["test"] == {"sentences": 20, "counterfactual": 10, "other": 10, "share": 0.5, "words": 10.5}
    assert table("semeval2020_task5", folder, "parts")["test"] == {
        "sentences": 10,
        "without consequent": 0,
        "words": 13.0,
        "antecedent": 5.0,
        "consequent": 8.0,
    }


def test_causal_sentences_beside_the_authors_numbers(corpora):
    folder = corpora / "causal_news_corpus_v2"
    sentences = table("causal_news_corpus_v2", folder, "sentences")
    assert (sentences["train, causal"]["number"], sentences["train, causal"]["authors, number"]) == (60, 1623)
    assert sentences["test, other"]["number"] == 10
    relations = table("causal_news_corpus_v2", folder, "relations")
    assert relations["relations"] == {"train": 60, "authors, train": 2257, "test": 20, "authors, test": 248}
    assert relations["a signal"]["test"] == 1
    assert table("causal_news_corpus_v2", folder, "kinds")["train"]["without signal"] == 30
    assert table("causal_news_corpus_v2", folder, "signals") == {"because": {"number": 40}}


def test_headline_pairs(tmp_path):
    release = [labelled(number, number % 7) | {"agreement": 0.8} for number in range(7)]
    write(tmp_path / "en_full_train.jsonl", release)
    assert table("headline_cause", tmp_path, "splits")["en full train"]["against the clock"] == 2  # labels 4 and 6
    assert table("headline_cause", tmp_path, "labels-full")["left right cause"] == {"en train": 1}
    assert table("headline_cause", tmp_path, "votes")["en full"]["0.8"] == 7
    gold = tmp_path / "gold"
    gold.mkdir()
    row = {"left_title": "Rain", "right_title": "Flood", "label": "left_right_cause", "language": "en"}
    write(gold / "pairs.jsonl", [row])
    assert table("headline_cause", gold, "labels-full")["all"] == {"en gold": 1, "ru gold": 0}


def test_timelines(tmp_path):
    folder = tmp_path / "timelines"
    folder.mkdir()
    for town, days in (("Arle", 0), ("Borr", 9)):
        write(folder / f"{town}.jsonl", timeline(town, days))
    timelines = table("hlgd", tmp_path, "timelines")
    assert timelines["Arle"] == {"headlines": 4, "groups": 2, "days": 1, "annotators' AMI": 1, "annotators' F1": 1}
    assert timelines["all"]["days"] == 10
    assert table("hlgd", tmp_path, "group-sizes") == {"2": {"groups": 4}}
    assert table("hlgd", tmp_path, "group-days") == {"0": {"groups": 4}}


def test_stories(tmp_path):
    write_lines(tmp_path / PAIRS_FILE, rows())
    sizes = table("crab", tmp_path, "sizes")
    assert [sizes[name]["number"] for name in ("stories", "documents", "events", "pairs")] == [4, 8, 24, 60]
    assert sizes["stories"]["published"] == "20"
    classes = table("crab", tmp_path, "classes")
    assert sum(row["pairs"] for row in classes.values()) == 60
    assert classes["high"]["pairs"] == 12
    assert table("crab", tmp_path, "structures")["chain mediation"]["number"] > 0


def test_the_command_prints_within_eighty_columns_writes_and_draws(tmp_path, corpora):
    folder = tmp_path / "hlgd" / "timelines"
    folder.mkdir(parents=True)
    write(folder / "Arle.jsonl", timeline("Arle", 0))
    out, figures = tmp_path / "tables.json", tmp_path / "figures"
    shown = run("data", "statistics", "hlgd", "--data", tmp_path, "-o", out, "--figures", figures, COLUMNS="80")
    assert "Timelines (table 1)" in shown
    assert sorted(path.name for path in figures.iterdir()) == ["group-days.svg", "group-sizes.svg"]
    assert json.loads(out.read_text())["tables"][1]["rows"] == [{"headlines of a group": "2", "groups": 2}]
    shown += run("data", "statistics", "causal_news_corpus_v2", "--data", corpora, COLUMNS="80")
    write_lines(tmp_path / "crab" / PAIRS_FILE, rows())
    shown += run("data", "statistics", "crab", "--data", tmp_path, COLUMNS="80")
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("corpus", STATISTICS)
def test_a_corpus_that_is_not_there_is_named(tmp_path, corpus):
    assert str(tmp_path) in run("data", "statistics", corpus, "--data", tmp_path, fails=InputError)
    assert "known are headline_cause" in run("data", "statistics", "owl", fails=InputError)
