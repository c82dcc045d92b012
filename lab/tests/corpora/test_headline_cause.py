"""HeadlineCause is read as its files are written, split by time, and checked against the clock."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.news.article import Published
from whywire.pairs.relations import CAUSALITIES, RELATIONS, RELATIONS_OF, Causality, Relation
from whywire_lab.corpora.headline_cause import (
    LabelledPair,
    consistent_in_time,
    find_release,
    part_of_pair,
    read_pairs,
    read_release,
    read_split,
    runs_backwards,
    split_by_time,
)

ENGLISH = {
    "left_url": "https://harbour.example/quake",
    "right_url": "https://inland.example/bridge",
    "left_title": "Strong quake shakes the Vell valley",
    "right_title": "Old bridge over the Vell collapses",
    "left_timestamp": 1588420800,
    "right_timestamp": 1588424461,
    "label": 1,
    "agreement": 0.9,
    "has_link": 1,
    "id": "en_tg_17",
}
RUSSIAN = ENGLISH | {
    "left_title": "В Верхнереченске отменили День города",
    "right_title": "Мэрия Верхнереченска опровергла отмену Дня города",
    "label": 5,
    "agreement": 0.7,
    "has_link": 0,
    "id": "ru_lenta_3",
}
MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def pair(hours=0, label=Relation.LEFT_RIGHT_CAUSE, lag=1, *, number=0, source="tg"):
    left = Published(MORNING + timedelta(hours=hours))
    right = Published(MORNING + timedelta(hours=hours + lag))
    return LabelledPair(
        f"Rain {number}",
        f"Flood {number}",
        frozenset({label}),
        "en",
        id=f"en_{source}_{number}",
        left_published=left,
        right_published=right,
    )


def test_a_line_of_full_names_one_relation(tmp_path):
    (row,) = read_release(write(tmp_path / "test.jsonl", RUSSIAN), "ru", "full")
    assert (row.left, row.right) == (RUSSIAN["left_title"], RUSSIAN["right_title"])
    assert row.relation is Relation.LEFT_RIGHT_REFUTE
    assert row.causality is Causality.LEFT_RIGHT
    assert (row.language, row.id, row.source, row.agreement, row.has_link) == (
        "ru",
        "ru_lenta_3",
        "lenta",
        0.7,
        False,
    )
    assert row.right_published == Published(datetime(2020, 5, 2, 13, 1, 1, tzinfo=UTC))


def test_a_line_of_simple_leaves_the_relation_open(tmp_path):
    (row,) = read_release(write(tmp_path / "test.jsonl", ENGLISH), "en", "simple")
    assert row.relation is None
    assert row.causality is Causality.LEFT_RIGHT
    assert row.allowed == {Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE}
    assert (row.left_url, row.right_url, row.has_link) == (ENGLISH["left_url"], ENGLISH["right_url"], True)


def test_every_number_has_its_meaning(tmp_path):
    for labels, classes in (("simple", CAUSALITIES), ("full", RELATIONS)):
        path = write(tmp_path / "rows.jsonl", *(ENGLISH | {"label": label} for label in range(len(classes))))
        assert [row.relation or row.causality for row in read_release(path, "en", labels)] == list(classes)
    assert sorted(relation for own in RELATIONS_OF.values() for relation in own) == sorted(RELATIONS)


def test_agreement_may_carry_the_name_of_its_labels_and_most_may_be_missing(tmp_path):
    named = {key: value for key, value in ENGLISH.items() if key != "agreement"} | {
        "simple_agreement": 1,
        "full_agreement": 0.8,
    }
    bare = {key: ENGLISH[key] for key in ("left_title", "right_title", "label")}
    first, second = read_release(write(tmp_path / "rows.jsonl", named, bare), "en", "simple")
    assert first.agreement == 1.0
    assert (second.id, second.source, second.agreement, second.has_link, second.left_published) == (
        "",
        "",
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"label": 3},
            r"rows\.jsonl:2: the label must be a number from 0 to 2, not 3 \(the file is read as 'simple'\)",
        ),
        ({"label": "left_right"}, "rows.jsonl:2: the label must be a number"),
        ({"label": True}, "rows.jsonl:2: the label must be a number"),
        ({"left_title": " "}, "rows.jsonl:2: left_title must be a text"),
        ({"right_timestamp": 7}, "rows.jsonl:2: right_timestamp: unreadable time '7'"),
        ({"agreement": 9}, "rows.jsonl:2: the agreement must be a number from 0 to 1"),
    ],
)
def test_a_broken_line_is_named(tmp_path, change, message):
    path = write(tmp_path / "rows.jsonl", ENGLISH, ENGLISH | change)
    with pytest.raises(InputError, match=message):
        list(read_release(path, "en", "simple"))


@pytest.mark.parametrize(
    ("line", "message"), [("{", "rows.jsonl:1: the line is not JSON"), ("[1]", "not a JSON object")]
)
def test_a_line_that_is_no_object_is_named(tmp_path, line, message):
    path = tmp_path / "rows.jsonl"
    path.write_text(line, encoding="utf-8")
    for read in (lambda: read_release(path, "en", "full"), lambda: read_pairs(path)):
        with pytest.raises(InputError, match=message):
            list(read())


@pytest.mark.parametrize(
    "name",
    [
        "en/simple/val.jsonl",
        "simple/en/valid.jsonl",
        "simple/en_val.jsonl",
        "en_simple/validation.jsonl",
        "en_simple_dev.jsonl",
        "headline_cause_v1/en/simple/val.jsonl",
    ],
)
def test_a_file_of_the_release_is_known_by_the_words_of_its_path(tmp_path, name):
    path = write(tmp_path / name, ENGLISH)
    write(tmp_path / "en" / "raw.jsonl", ENGLISH)
    write(tmp_path / "ru" / "simple" / "val.jsonl", RUSSIAN)
    assert find_release(tmp_path, "en", "simple", "dev") == path
    assert find_release(tmp_path, "en", "simple", "test") is None
    assert find_release(tmp_path, "en", "full", "dev") is None
    assert [row.id for row in read_split(tmp_path, "en", "simple", "dev")] == ["en_tg_17"]


def test_no_file_and_two_files_are_said(tmp_path):
    with pytest.raises(InputError, match=r"ru/full/val\.jsonl: no such file"):
        read_split(tmp_path, "ru", "full", "dev")
    write(tmp_path / "en" / "full" / "train.jsonl", ENGLISH)
    write(tmp_path / "en_full_train.jsonl", ENGLISH)
    with pytest.raises(InputError, match="may both be the train split of en full"):
        find_release(tmp_path, "en", "full", "train")
    with pytest.raises(InputError, match="no such file"):
        list(read_release(tmp_path / "nowhere.jsonl", "en", "full"))


def test_gold_pairs_name_their_labels(tmp_path):
    row = {"left_title": "Dam breaks", "right_title": "Town flooded", "label": "left_right_cause", "language": "en"}
    path = write(tmp_path / "pairs.jsonl", row, row | {"label": "cause"})
    pairs = read_pairs(path)
    gold = next(pairs)
    assert (gold.left, gold.right, gold.relation, gold.language) == (
        "Dam breaks",
        "Town flooded",
        Relation.LEFT_RIGHT_CAUSE,
        "en",
    )
    with pytest.raises(InputError, match=r"pairs\.jsonl:2: no such label: 'cause' \(one of no_relationship"):
        next(pairs)


def test_the_part_of_a_gold_pair_does_not_hang_on_its_order():
    pairs = [pair(number=number) for number in range(80)]
    parts = [part_of_pair(own) for own in pairs]
    assert 10 <= parts.count("dev") <= 30
    assert parts.count("dev") + parts.count("train") == 80
    assert parts == [part_of_pair(replace(own, left=own.right, right=own.left)) for own in pairs]


def test_each_source_is_split_by_time():
    pairs = [pair(hours, number=hours, source=source) for source in ("tg", "lenta") for hours in range(10)]
    parts = split_by_time(pairs)
    for source in ("tg", "lenta"):
        hours = {
            part: [int(row.id.split("_")[-1]) for row in rows if row.source == source] for part, rows in parts.items()
        }
        assert hours == {"train": list(range(8)), "dev": [8], "test": [9]}


def test_a_pair_is_as_late_as_its_later_headline():
    pairs = [pair(hours, number=hours) for hours in range(9)] + [pair(0, number=9, lag=99)]
    assert [row.id for row in split_by_time(pairs)["test"]] == ["en_tg_9"]


def test_without_a_time_nothing_is_split_by_time():
    with pytest.raises(InputError, match="en_tg_0: a pair without times"):
        split_by_time([replace(pair(), left_published=None)])


@given(
    st.lists(st.integers(0, 5), max_size=30).flatmap(
        lambda hours: st.tuples(st.just(hours), st.permutations(range(len(hours))))
    )
)
def test_splits_hold_every_pair_once_and_do_not_hang_on_the_order(drawn):
    hours, order = drawn
    pairs = [pair(hour, number=number, source="tg" if number % 2 else "lenta") for number, hour in enumerate(hours)]
    parts = split_by_time(pairs)
    assert parts == split_by_time([pairs[number] for number in order])
    assert sorted(row.id for rows in parts.values() for row in rows) == sorted(row.id for row in pairs)


@pytest.mark.parametrize(
    ("label", "lag", "backwards"),
    [
        (Relation.LEFT_RIGHT_CAUSE, 1, False),
        (Relation.LEFT_RIGHT_CAUSE, 0, False),
        (Relation.LEFT_RIGHT_CAUSE, -1, True),
        (Relation.RIGHT_LEFT_CAUSE, 1, True),
        (Relation.RIGHT_LEFT_REFUTE, 1, True),
        (Relation.RIGHT_LEFT_REFUTE, -1, False),
        (Relation.SAME_EVENT, -1, False),
    ],
)
def test_an_effect_before_its_cause_runs_backwards(label, lag, backwards):
    row = pair(label=label, lag=lag)
    assert runs_backwards(row) is backwards
    assert consistent_in_time([row]) == (([], [row]) if backwards else ([row], []))


def test_only_what_is_certain_is_dropped():
    late, midnight = Published(MORNING), Published(MORNING.replace(hour=0), day_only=True)
    row = replace(pair(), left_published=late, right_published=midnight)
    assert not runs_backwards(row)  # the effect may have come that evening
    assert not runs_backwards(replace(row, right_published=None))
    assert runs_backwards(replace(row, left_published=Published(MORNING + timedelta(days=1))))
    simple = replace(pair(lag=-1), allowed=RELATIONS_OF[Causality.LEFT_RIGHT])
    assert runs_backwards(simple)
