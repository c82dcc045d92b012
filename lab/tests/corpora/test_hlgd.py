"""HLGD as it is released: pairs, timelines, and pairs made of timelines."""

import csv
import json
from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire_lab.corpora.hlgd import (
    HeadlinePair,
    Report,
    TimelineReport,
    make_pairs,
    pairs_file,
    read_pairs,
    read_submission,
    read_timeline,
    submission_lines,
)

PAIR = {
    "headline_a": "Lighthouse keeper wins the harbour lottery",
    "headline_b": "Lottery: jackpot goes to a lighthouse keeper",
    "day_a": "2019-03-01",
    "day_b": "2019-03-03",
    "source_a": "harbourpost.example",
    "source_b": "islandnews.example",
    "authors_a": ["Ann Reed", "Bo Lind"],
    "authors_b": [],
    "url_a": "https://harbourpost.example/keeper",
    "url_b": "https://islandnews.example/jackpot",
    "cut": "validation",
    "timeline": 0,
    "label": 1,
}
HUB = {
    "timeline_id": 4,
    "headline_a": "Old mill burns down",
    "headline_b": "Mill museum to open",
    "date_a": "2019-03-01",
    "date_b": "2019-02-27",
    "url_a": "https://one.example",
    "url_b": "https://two.example",
    "label": 0,
}
GROUPS = [f"annot_{number}_group" for number in range(1, 6)]


def as_lines(rows) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def test_a_pair_of_the_release(tmp_path):
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps([PAIR]), encoding="utf-8")
    (pair,) = read_pairs(path)
    assert pair.a == Report(
        PAIR["headline_a"], date(2019, 3, 1), PAIR["url_a"], "harbourpost.example", "Ann Reed, Bo Lind"
    )
    assert (pair.b.headline, pair.b.authors) == (PAIR["headline_b"], "")
    assert (pair.same, pair.timeline, pair.split, pair.days_apart) == (True, "0", "dev", 2)


def test_a_pair_of_the_hub_whose_file_names_the_cut(tmp_path):
    path = tmp_path / "train.json"
    path.write_text(json.dumps([HUB], indent=1), encoding="utf-8-sig")
    (pair,) = read_pairs(path)
    assert (pair.same, pair.timeline, pair.split, pair.days_apart) == (False, "4", "train", 2)
    assert pair.a.source == pair.a.authors == ""


def test_lines_lists_and_tables_say_the_same(tmp_path):
    rows = [PAIR | {"authors_a": "", "authors_b": "", "headline_a": "a line\u2028break"}, HUB | {"cut": "testing"}]
    (tmp_path / "list.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8"
    )
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys([*PAIR, *HUB])))
        writer.writeheader()
        writer.writerows(rows)
    first, *others = [list(read_pairs(path)) for path in sorted(tmp_path.iterdir())]
    assert all(first == other for other in others)
    assert [pair.split for pair in first] == ["dev", "test"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"headline_b": " "}, "row 2: there is no headline_b"),
        ({"day_a": None}, "row 2: there is no day_a or date_a"),
        ({"day_a": "soon"}, "row 2: unreadable time 'soon'"),
        ({"label": 2}, "row 2: the label must be 0 or 1, not '2'"),
        ({"label": None}, "row 2: there is no label"),
        ({"cut": "holiday"}, "row 2: the cut must be one of training, validation, testing, not 'holiday'"),
        ({"timeline": float("nan")}, "row 2: there is no timeline or timeline_id"),
    ],
)
def test_a_broken_pair_is_refused_with_file_and_row(tmp_path, change, message):
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps([PAIR, PAIR | change]), encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(read_pairs(path))
    assert str(error.value) == f"{path}, {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"headline_a": 1},\n oops]', "pairs.json:2: broken JSON"),
        ('{"headline_a": 1\n', "pairs.json:1: broken JSON"),
        (json.dumps(PAIR) + "\n\n{,}\n", "pairs.json:3: broken JSON"),
        ("[3]", "pairs.json, row 1: a row must be an object with names, not '3'"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "pairs.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(read_pairs(path))
    assert message in str(error.value)


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.json: no such file"):
        list(read_pairs(tmp_path / "nowhere.json"))
    (tmp_path / "latin.csv").write_bytes("headline\nCaf\xe9".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.csv: the file is not UTF-8"):
        list(read_timeline(tmp_path / "latin.csv"))


def test_the_file_of_pairs_is_found(tmp_path):
    with pytest.raises(InputError, match=r"there is no \*\.json"):
        pairs_file(tmp_path, "dev")
    names = ["hlgd_classification.json", "dev.json", "hlgd.json"]
    (tmp_path / names[0]).touch()
    assert pairs_file(tmp_path, "test").name == names[0]
    (tmp_path / names[1]).touch()
    assert pairs_file(tmp_path, "dev").name == names[1]
    with pytest.raises(InputError, match=r"only dev\.json, hlgd_classification\.json.*as hlgd\.json"):
        pairs_file(tmp_path, "test")
    (tmp_path / names[2]).touch()
    assert {pairs_file(tmp_path, split).name for split in ("train", "dev", "test")} == {names[2]}


def test_a_timeline_as_table_and_as_lines(tmp_path):
    row = {"url": "https://one.example", "headline": "Old mill burns down", "date": "2019-03-01"}
    row |= dict.fromkeys(GROUPS, 3) | {"annot_4_group": None, "global_group": 7}
    (tmp_path / "mill.jsonl").write_text(as_lines([row]), encoding="utf-8")
    with (tmp_path / "mill.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    for path in (tmp_path / "mill.jsonl", tmp_path / "mill.csv"):
        (found,) = read_timeline(path)
        assert found.report == Report("Old mill burns down", date(2019, 3, 1), "https://one.example")
        assert found.annotated == ("mill-3", "mill-3", "mill-3", None, "mill-3")
        assert (found.timeline, found.group) == ("mill", "mill-7")


def test_a_timeline_without_an_annotator_is_refused(tmp_path):
    row = {"headline": "Old mill burns down", "date": "2019-03-01", "global_group": 7} | dict.fromkeys(GROUPS[:4], 1)
    path = tmp_path / "mill.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    with pytest.raises(InputError, match=r"row 1: there is no annot_5_group"):
        list(read_timeline(path))


@st.composite
def timelines(draw):
    """Reports of up to three timelines in up to four groups each, or in none, over two weeks."""
    reports = []
    for number, (timeline, group, days) in enumerate(
        draw(
            st.lists(
                st.tuples(st.integers(0, 2), st.one_of(st.none(), st.integers(0, 3)), st.integers(0, 13)), max_size=25
            )
        )
    ):
        report = Report(f"headline {number}", date(2019, 3, 1) + timedelta(days))
        reports.append(TimelineReport(report, str(timeline), (), group and f"{timeline}-{group}"))
    return reports


@given(timelines(), st.integers(0, 5))
def test_pairs_are_made_by_the_rules_of_the_paper(reports, seed):
    pairs = make_pairs(reports, "train", seed=seed)
    assert pairs == make_pairs(reports, "train", seed=seed)
    group = {report.report: report.group for report in reports}
    home = {report.report: report.timeline for report in reports}
    assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert home[pair.a] == home[pair.b] == pair.timeline
        assert pair.same == (group[pair.a] is not None and group[pair.a] == group[pair.b])
        assert pair.same or pair.days_apart <= 4
    for timeline in set(home.values()):
        own = [report for report in reports if report.timeline == timeline]
        couples = [(a, b) for number, a in enumerate(own) for b in own[number + 1 :]]
        together = sum(a.group is not None and a.group == b.group for a, b in couples)
        near = sum(
            (a.group is None or a.group != b.group) and abs(a.report.day - b.report.day) <= timedelta(4)
            for a, b in couples
        )
        made = Counter(pair.same for pair in pairs if pair.timeline == timeline)
        assert made == Counter({True: together, False: min(near, 5 * together)})


def test_another_seed_draws_other_negatives():
    day = date(2019, 3, 1)
    reports = [TimelineReport(Report(str(number), day), "0", (), str(max(number, 1))) for number in range(30)]
    drawn = [make_pairs(reports, "train", seed=seed) for seed in (1, 2)]
    assert [sum(pair.same for pair in pairs) for pairs in drawn] == [1, 1]
    assert drawn[0] != drawn[1]
    assert isinstance(drawn[0][0], HeadlinePair)


CHANCES = st.floats(0, 1)


@given(st.lists(st.fixed_dictionaries({"headline": CHANCES, "time": CHANCES}), max_size=8))
def test_a_submission_is_read_as_it_was_written(tmp_path_factory, answers):
    path = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    path.write_text("".join(line + "\n" for line in submission_lines(answers)), encoding="utf-8")
    assert read_submission(path, len(answers)) == answers


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"headline": 1}', "there are 1 rows for 2 pairs"),
        ('{"headline": 1}\n{"time": 1}', "row 2: a row must have the probabilities of headline, time, other"),
        ('{"headline": 1}\n{"mood": 1}', "row 2: a row must have the probabilities"),
        ('{"headline": 1}\n{}', "row 2: a row must have the probabilities"),
        ('{"headline": 1}\n{"headline": 1.5}', "row 2: headline must be a number from 0 to 1, not '1.5'"),
        ('{"headline": 1}\n{"headline": NaN}', "row 2: headline must be a number"),
        ('{"headline": 1}\n{"headline": true}', "row 2: headline must be a number"),
    ],
)
def test_a_broken_submission_is_refused_with_its_row(tmp_path, lines, message):
    path = tmp_path / "answers.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_submission(path, 2)
    assert message in str(error.value)
