"""CRAB's pairs: found under many names, held to what they must be, split without a story on both sides."""

import csv
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.tests.corpora.made_up_crab import STORIES, rows, write_lines

from whywire.errors import InputError
from whywire.news.times import parse_time
from whywire_lab.corpora.crab import DATE, PAIRS_FILE, RANDOM, STORY, find_pairs, read_pairs, split_pairs

BARE = ("event_a", "event_b", "causal_score")


def write_list(path, written):
    path.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def write_columns(path, written):
    """As pandas writes a table."""
    table = {name: {str(number): row[name] for number, row in enumerate(written)} for name in written[0]}
    path.write_text(json.dumps(table), encoding="utf-8")
    return path


def write_csv(path, written):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(written[0]))
        writer.writeheader()
        writer.writerows(written)
    return path


@pytest.mark.parametrize(
    ("name", "write"),
    [
        (PAIRS_FILE, write_lines),
        ("pairs.json", write_list),
        ("pairwise.jsonl", write_list),
        ("crab.json", write_columns),
        ("CRAB.csv", write_csv),
    ],
)
def test_every_form_of_the_file_gives_the_same_pairs(tmp_path, name, write):
    write(tmp_path / name, rows())
    write_list(tmp_path / "graded_causality.json", [{"effect": "x"}])
    pairs = read_pairs(find_pairs(tmp_path))
    assert pairs == read_pairs(write_lines(tmp_path / "other" / "x.jsonl", rows()))
    first = pairs[0]
    assert first.texts == ("Heavy rain fell on Arle for three days", "The river burst its banks at Arle")
    assert (first.score, first.scores, first.story) == (95, (91, 95, 99), "Flood of Arle")
    assert first.in_document is True
    assert first.cause.context == first.effect.document != ""
    assert first.at.date().isoformat() == "2019-05-04"


RENAMINGS = {
    "numbered": {"event_a": "Event 1", "event_b": "Event 2", "article_a": "Document 1", "article_b": "Document 2"}
    | {"causal_score": "Causality Score", "date_a": "date 1", "date_b": "date 2", "story": "topic"},
    "cause and effect": {"event_a": "cause", "event_b": "effect", "article_a": "cause_doc", "article_b": "effect_doc"}
    | {"causal_score": "strength", "date_a": "cause_date", "date_b": "effect_date", "story": "story_id"},
    "camels": {"event_a": "eventA", "event_b": "eventB", "article_a": "docA", "article_b": "docB"}
    | {"causal_score": "avgScore", "date_a": "publishedA", "date_b": "publishedB", "scores": "workerScores"},
}


@pytest.mark.parametrize("names", RENAMINGS.values(), ids=RENAMINGS)
def test_columns_may_be_called_otherwise(tmp_path, names):
    renamed = [{names.get(name, name): value for name, value in row.items()} for row in rows()]
    assert read_pairs(write_lines(tmp_path / "a.jsonl", renamed)) == read_pairs(
        write_lines(tmp_path / "b.jsonl", rows())
    )


def one(tmp_path, **columns):
    row = {"event_a": "Dam breaks", "event_b": "Town floods"} | columns
    return read_pairs(write_lines(tmp_path / "one.jsonl", [row]))[0]


@pytest.mark.parametrize(
    "columns",
    [
        {"scores": [60, 80, None]},
        {"causal_score": [60, 80]},
        {"annotations": {"w1": 60, "w2": 80}},
        {"worker_scores": "[60, 80]"},
        {"ratings": "['60', '80']"},
        {"worker_1": 60, "worker_2": "80", "worker_3": ""},
    ],
)
def test_without_a_score_it_is_the_mean_of_the_workers(tmp_path, columns):
    pair = one(tmp_path, **columns)
    assert (pair.score, pair.scores) == (70, (60, 80))


def test_the_experts_score_stands_before_the_workers(tmp_path):
    assert one(tmp_path, score=81, scores=[60, 80]).score == 81


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"same_document": True}, True),
        ({"is_in_doc": 0}, False),
        ({"cross_doc": "True"}, False),
        ({"setting": "Cross-document"}, False),
        ({"pair_type": "in_doc"}, True),
        ({"doc_id_a": 7, "doc_id_b": 7}, True),
        ({"document_a": "d1", "document_b": "d2"}, False),
        ({"documents": ["A long text.", "Another one."]}, False),
        ({"articles": ["A long text."]}, True),
        ({}, None),
        ({"doc_id_a": "d1"}, None),
    ],
)
def test_one_document_or_two(tmp_path, columns, said):
    assert one(tmp_path, score=50, **columns).in_document is said


def test_a_name_ties_phrasings_and_a_common_date_serves_both(tmp_path):
    pair = one(tmp_path, score=50, event_a_id=3, node_b="n4", date="2021-01-31")
    assert (pair.cause.name, pair.effect.name) == ("3", "n4")
    assert pair.cause.published == pair.effect.published == parse_time("2021-01-31")


def test_stories_without_names_are_what_hangs_together(tmp_path):
    bare = [{name: row[name] for name in BARE} for row in rows()]
    found = read_pairs(write_lines(tmp_path / "bare.jsonl", bare))
    told = [row["story"] for row in rows()]
    assert len({(pair.story, story) for pair, story in zip(found, told, strict=True)}) == len(STORIES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"event_a": None}, "there is no first event"),
        ({"event_b": " "}, "there is no second event"),
        ({"causal_score": None, "scores": []}, "there is no score"),
        ({"causal_score": 101}, "from 0 to 100, not '101'"),
        ({"causal_score": -1}, "from 0 to 100"),
        ({"causal_score": True}, "from 0 to 100"),
        ({"causal_score": "high"}, "not 'high'"),
        ({"scores": [50, 500]}, "not '500'"),
        ({"causal_score": None, "scores": "fifty"}, "the workers' scores are no list: 'fifty'"),
        ({"setting": "sideways"}, "cannot tell whether 'sideways' means one document or two"),
        ({"date_b": "last week"}, "unreadable time 'last week'"),
    ],
)
def test_content_is_held_to_what_it_must_be_and_the_row_is_named(tmp_path, change, message):
    written = rows()
    written[2] |= change
    path = write_lines(tmp_path / "broken.jsonl", written)
    with pytest.raises(InputError, match=re.escape(f"{path}, row 3: ") + ".*" + re.escape(message)):
        read_pairs(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a single pair"),
        ("[]", "not a single pair"),
        ("[1]", "row 1: a row must be an object with names"),
        ('{"event_a": "x"}\n{"event', r"x\.jsonl:2: broken JSON"),
        ('[{"event_a":\n ]', r"x\.jsonl:2: broken JSON"),
    ],
)
def test_a_broken_file_is_named(tmp_path, text, message):
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_pairs(path)


def test_which_file_is_meant(tmp_path):
    with pytest.raises(InputError, match="there are no pairs"):
        find_pairs(tmp_path)
    write_lines(tmp_path / "a.jsonl", rows())
    assert find_pairs(tmp_path).name == "a.jsonl"
    assert find_pairs(tmp_path / "a.jsonl").name == "a.jsonl"
    write_lines(tmp_path / "b.jsonl", rows())
    with pytest.raises(InputError, match=r"which of a\.jsonl, b\.jsonl holds the pairs"):
        find_pairs(tmp_path)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return read_pairs(write_lines(tmp_path_factory.mktemp("crab") / PAIRS_FILE, rows()))


@given(st.sampled_from([DATE, STORY, RANDOM]), st.floats(0.1, 0.7), st.randoms())
def test_a_split_loses_nothing_and_does_not_depend_on_the_order(pairs, how, share, rng):
    train, held_out = split_pairs(pairs, how, share)
    assert train
    assert held_out
    assert sorted([*train, *held_out], key=pairs.index) == pairs
    shuffled = rng.sample(pairs, len(pairs))
    assert {pair.texts for pair in split_pairs(shuffled, how, share)[1]} == {pair.texts for pair in held_out}
    if how != RANDOM:
        assert {pair.story for pair in train}.isdisjoint(pair.story for pair in held_out)


def test_by_date_the_latest_stories_are_held_out(pairs):
    _, held_out = split_pairs(pairs, DATE, 0.5)
    assert {pair.story for pair in held_out} == {"Flood of Cusk", "Flood of Dorn"}


def test_at_random_a_quarter_of_the_pairs_is_held_out_whatever_their_story(pairs):
    train, held_out = split_pairs(pairs, RANDOM)
    assert len(held_out) == len(pairs) / 4
    assert {pair.story for pair in train} & {pair.story for pair in held_out}


def test_what_cannot_be_split_says_so(tmp_path, pairs):
    with pytest.raises(InputError, match="too little to hold a part out of"):
        split_pairs(pairs[:5], STORY)
    with pytest.raises(InputError, match="without a date cannot be split by date"):
        split_pairs([one(tmp_path, score=1), *pairs], DATE)
