"""Campaigns, Toloka and Label Studio: what is written is read back, and the command converts between all formats."""

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab.tests.exchange.made_up import EXAMPLES
from lab.tests.exchange.made_up_campaigns import (
    CAMPAIGNS,
    CAUSE,
    COUNTERFACTUALS,
    PAIRS,
    RAIN,
    SPANS,
    STRENGTHS,
    campaigns,
    span,
    vote,
)
from lab.tests.exchange.test_releases import FORMAT_OF, answers
from tests.golden import check_text

from whywire.annotation.answers import SpansAnswer
from whywire.annotation.items import Kind
from whywire.errors import InputError, OutputError
from whywire_lab.exchange.formats import ITEM_FORMATS, convert, read_items, write_items
from whywire_lab.exchange.label_studio import KINDS, label_config, read_label_studio, to_label_studio
from whywire_lab.exchange.labelled_items import UNKNOWN_TIME, read_campaign, write_campaign
from whywire_lab.exchange.offsets import from_utf_16
from whywire_lab.exchange.releases.corpora import CORPUS_OF, release_of
from whywire_lab.exchange.releases.release import write_release
from whywire_lab.exchange.toloka import read_toloka, to_toloka

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("kind", Kind)
@settings(max_examples=30)
@given(st.data())
def test_a_campaign_is_read_as_it_was_written(tmp_path_factory, kind, data):
    campaign = data.draw(campaigns(kind, people=True))
    folder = tmp_path_factory.mktemp("campaign")
    write_campaign(campaign, folder)
    assert read_campaign(folder) == campaign


@pytest.mark.parametrize("kind", Kind)
def test_a_campaign_written_by_hand_is_read_as_it_was_written(tmp_path, kind):
    write_campaign(CAMPAIGNS[kind], tmp_path)
    assert read_campaign(tmp_path) == CAMPAIGNS[kind]


def test_rows_of_a_campaign_that_cannot_be_used_are_named(tmp_path):
    write_campaign(PAIRS, tmp_path)
    rows = [
        {"item": "pair-1", "person": "dora", "answer": {"relation": "same_event"}},
        {"item": "pair-1", "person": "dora", "answer": {"relation": "no_relationship"}},
        {"item": "pair-9", "person": "dora", "answer": {"relation": "same_event"}},
        {"item": "pair-1", "person": "emil", "answer": {"relation": "right_left_cause"}},
        {"item": "pair-1", "person": "emil", "answer": {"relation": "same"}},
        {"item": "pair-1", "person": "emil", "answer": {"relation": "same_event"}, "at": "2026-03-01"},
        {"item": "pair-1", "answer": {"relation": "same_event"}},
    ]
    (tmp_path / "votes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    read = read_campaign(tmp_path)
    assert [(one.person, one.at) for one in read.votes] == [("dora", UNKNOWN_TIME)]
    assert [one.place for one in read.problems] == [f"{tmp_path}/votes.jsonl:{line}" for line in range(2, 8)]
    for problem, words in zip(
        read.problems,
        ["answered the item", "no item 'pair-9'", "rule out", "nvalid enum", "RFC3339", "missing required field"],
        strict=True,
    ):
        assert words in problem.reason
    assert "at" not in json.loads(_rewritten(read, tmp_path / "again"))


def _rewritten(data, folder):
    write_campaign(data, folder)
    return (folder / "votes.jsonl").read_text(encoding="utf-8").splitlines()[0]


def test_a_kind_that_cannot_be_seen_is_asked_for(tmp_path):
    write_campaign(replace(SPANS, results=()), tmp_path)
    with pytest.raises(InputError, match="kind of the items cannot be seen"):
        read_campaign(tmp_path)
    assert read_campaign(tmp_path, Kind.SPANS).items == SPANS.items


# Toloka


@given(campaigns(Kind.RELATION, people=True))
def test_toloka_gives_back_tasks_and_votes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("toloka") / "votes.tsv"
    path.write_bytes(to_toloka(data).encode())
    read = read_toloka(path)
    assert (read.problems, read.items, read.votes) == ((), data.items, data.votes)


def test_toloka_keeps_training_hints_and_rejected_answers(tmp_path):
    check_text(to_toloka(PAIRS), GOLDEN / "votes.tsv")
    read = read_toloka(GOLDEN / "votes.tsv")
    assert (read.problems, read.items, read.votes) == ((), PAIRS.items, PAIRS.votes)


def test_toloka_rows_that_cannot_be_used_are_named(tmp_path):
    path = tmp_path / "votes.tsv"
    head = "INPUT:id\tINPUT:left_title\tINPUT:right_title\tOUTPUT:result\tASSIGNMENT:worker_id\tASSIGNMENT:status\n"
    lines = [
        "1\tDam breaks\tMill flooded\tleft_right_cause\tw1\tAPPROVED",
        "1\tDam breaks\tMill flooded\tmaybe\tw2\tAPPROVED",
        "1\tDam mended\tMill flooded\tbad\tw2\tAPPROVED",
        "1\tDam breaks\tMill flooded\tbad\t\tAPPROVED",
        "",
        "2\t\tMill flooded\tbad\tw2\tAPPROVED",
        "3\tonly three",
        "1\tDam breaks\tMill flooded\t\tw9\tSKIPPED",
    ]
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    read = read_toloka(path)
    assert [(one.person, one.answer) for one in read.votes] == [("w1", CAUSE)]
    assert sorted(one.place.rpartition(":")[2] for one in read.problems) == ["3", "4", "5", "7", "8"]
    assert any("'maybe' is no relation" in one.reason for one in read.problems)


def test_the_raw_votes_of_the_authors_are_read(tmp_path):
    path = tmp_path / "raw.tsv"
    path.write_text(
        "result\tworker_id\tassignment_id\tleft_title\tright_title\tleft_url\tright_url\n"
        'left_right_cancel\tw1\ta1\t"Bread ""to cost more"""\tBread price stays\tb.example\ta.example\n',
        encoding="utf-8",
    )
    read = read_toloka(path)
    assert (len(read.items[0].id), read.items[0].left_title) == (16, 'Bread "to cost more"')
    assert read.votes[0].answer.relation == "left_right_refute"


# Label Studio


def accepted(tasks, *, units=lambda text, offset: offset):
    """An export in which somebody has submitted each prediction as it was."""
    rows = json.loads(tasks)
    for number, task in enumerate(rows, 1):
        annotation = {"id": number, "completed_by": 7, "lead_time": 4.5, "created_at": "2026-03-01T09:00:00.5Z"}
        task |= {"id": number, "annotations": []}
        for prediction in task.pop("predictions", ()):
            for one in prediction["result"]:
                if one["type"] == "labels":
                    for end in ("start", "end"):
                        one["value"][end] = units(task["data"]["text"], one["value"][end])
            task["annotations"].append(annotation | {"result": prediction["result"]})
    return json.dumps(rows)


def utf_16(text, offset):
    return len(text[:offset].encode("utf-16-le")) // 2


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(st.data())
def test_what_annotators_of_label_studio_submit_is_read(tmp_path_factory, kind, data):
    campaign = data.draw(campaigns(kind))
    path = tmp_path_factory.mktemp("studio") / "export.json"
    path.write_text(accepted(to_label_studio(campaign)), encoding="utf-8")
    read = read_label_studio(path, kind)
    assert read.problems == ()
    assert read.items == campaign.items
    assert {(one.person, one.seconds, one.at.microsecond) for one in read.votes} == {("7", 4.5, 500000)}
    assert answers(replace(read, results=read.votes)) == answers(campaign)
    if kind is Kind.STRENGTH:
        assert [one.answer for one in read.votes] == [one.answer for one in campaign.results]


@pytest.mark.parametrize(
    ("data", "name"),
    [(PAIRS, "relation"), (COUNTERFACTUALS, "counterfactual"), (SPANS, "spans"), (STRENGTHS, "strength")],
)
def test_tasks_and_interfaces_are_written_as_they_always_were(data, name):
    check_text(to_label_studio(data), GOLDEN / "label_studio" / f"{name}.json")
    check_text(label_config(data.kind), GOLDEN / "label_studio" / f"{name}.xml")


def test_no_gold_answer_reaches_annotators():
    shown = to_label_studio(PAIRS)
    assert "gold" not in shown
    assert "The fire" not in shown


def test_offsets_in_utf_16_units_are_turned_by_their_words(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(accepted(to_label_studio(SPANS), units=utf_16), encoding="utf-8")
    assert f'"start": {span(RAIN, "the road closed")[0] + 1}' in path.read_text(encoding="utf-8")
    read = read_label_studio(path)
    assert (read.kind, read.problems) == (Kind.SPANS, ())
    assert answers(replace(read, results=read.votes)) == answers(SPANS)


def test_offsets_that_cut_a_character_are_refused():
    assert from_utf_16("a🌧b", (1, 3)) == (1, 2)
    with pytest.raises(InputError, match="cuts a character in two"):
        from_utf_16("a🌧b", (2, 3))
    with pytest.raises(InputError, match="does not lie"):
        from_utf_16("a🌧b", (1, 5))


def region(name, words, label):
    start, end = span(RAIN, words)
    value = {"start": start, "end": end, "text": words, "labels": [label]}
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def arrow(source, target, *labels, direction="right"):
    return {"type": "relation", "from_id": source, "to_id": target, "direction": direction, "labels": list(labels)}


GOOD = [
    region("a", "Rain 🌧 fell so heavily", "Cause"),
    region("b", "the road closed", "Effect"),
    region("c", "that", "Signal"),
    arrow("b", "a", direction="left"),
    arrow("c", "b"),
]


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ([region("d", "The ferry sailed", "Effect")], "an effect with no cause: “The ferry sailed”"),
        ([arrow("b", "a")], "the link runs from effect to cause"),
        ([region("d", "The ferry sailed", "Event")], "the label 'Event' is none of"),
        ([arrow("a", "z")], "z, which it needs, is missing"),
    ],
)
def test_what_is_drawn_wrong_is_named_and_the_rest_is_read(tmp_path, extra, reason):
    task = {
        "id": 1,
        "data": {"text": RAIN},
        "annotations": [{"id": 5, "completed_by": {"email": "a@b.example"}, "result": GOOD + extra}],
    }
    skipped = {"id": 6, "completed_by": 2, "was_cancelled": True, "result": []}
    nobody = {"id": 7, "result": []}
    task["annotations"] += [skipped, nobody]
    (tmp_path / "export.json").write_text(json.dumps([task, 3]), encoding="utf-8")
    read = read_label_studio(tmp_path / "export.json")
    (own,) = read.votes
    assert (own.person, own.item, own.at) == ("a@b.example", "1", UNKNOWN_TIME)
    assert own.answer.relations[0].signals == [span(RAIN, "that")]
    reasons = [str(problem) for problem in read.problems]
    assert any(reason in one for one in reasons)
    assert any("annotation 7: the annotation does not say who made it" in one for one in reasons)
    assert any("a row must be an object" in one for one in reasons)
    assert len(reasons) == 3


def test_words_that_are_not_there_are_refused(tmp_path):
    wrong = region("a", "the road closed", "Cause")
    wrong["value"]["text"] = "the mill closed"
    task = {"id": 1, "data": {"text": RAIN}, "annotations": [{"id": 5, "completed_by": 1, "result": [wrong]}]}
    (tmp_path / "export.json").write_text(json.dumps([task]), encoding="utf-8")
    read = read_label_studio(tmp_path / "export.json")
    assert "not 'the mill closed'" in read.problems[0].reason


def test_label_studio_has_no_form_for_whole_articles():
    with pytest.raises(InputError, match="no form for graph"):
        to_label_studio(CAMPAIGNS[Kind.GRAPH])


# Between sentences and campaigns


@pytest.mark.parametrize("name", ["brat", "bio", "arg", "jsonl", "webanno"])
def test_causal_sentences_go_to_the_tools_for_sentences_and_come_back_as_a_persons_votes(tmp_path, name):
    if name == "webanno":
        pytest.importorskip("cassis")
    path = str(tmp_path / {"brat": "brat", "webanno": "x.xmi"}.get(name, "x"))
    write_items(SPANS, path, name)
    read = read_items(path, name, person="anna")
    assert read.problems == ()
    assert sorted(read.items, key=lambda item: item.id) == list(SPANS.items)
    assert {one.person for one in read.votes} == {"anna"}
    assert answers(replace(read, results=read.votes)) == answers(SPANS)


def test_one_of_several_people_must_be_chosen(tmp_path):
    votes = (vote("doc_1", "anna", SpansAnswer([])), vote("doc_1", "boris", SPANS.results[0].answer))
    data = replace(SPANS, votes=votes, results=())
    with pytest.raises(InputError, match="2 people have answered, and there are no results"):
        write_items(data, str(tmp_path / "x.jsonl"))
    write_items(data, str(tmp_path / "x.jsonl"), person="boris")
    assert [len(one.answer.relations) for one in read_items(str(tmp_path / "x.jsonl")).results] == [2, 0]
    with pytest.raises(InputError, match="'dora' has answered nothing"):
        write_items(data, str(tmp_path / "x.jsonl"), person="dora")


def test_what_an_answer_or_a_sentence_cannot_hold_is_named(tmp_path):
    write_items(SPANS, str(tmp_path / "campaign"), "campaign")
    said = []
    write_campaign(PAIRS, tmp_path / "pairs")
    with pytest.raises(InputError, match="holds causal sentences, not items of relation"):
        convert(tmp_path / "pairs", tmp_path / "x.bio")
    done = convert(Path(GOLDEN / "examples.jsonl"), tmp_path / "again", to_format="campaign", on_problem=said.append)
    assert [str(one) for one in said] == ["паводок/2: an answer holds no denied relations, of which there are 1"]
    assert len(done.items) == len(EXAMPLES)


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "whywire", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


def test_the_commands_bring_votes_in_and_releases_out(tmp_path):
    done = run("convert", GOLDEN / "votes.tsv", tmp_path / "campaign", "--to", "campaign")
    assert (done.returncode, done.stderr) == (0, "5 items with 8 answers and 0 results converted\n")
    files = [tmp_path / "campaign" / name for name in ("items.jsonl", "votes.jsonl")]
    done = run("data", "release", *files, "--to", tmp_path / "counted", "--part", "test")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "pair-1: left out, since people do not agree (67%)",
        "pair-2: left out, since only one person has answered",
        "pair-3: left out, since it has no answer",
        "pair-4: left out, since its 2 answers tie",
    ]
    assert [line.removeprefix(f"{tmp_path}/counted/") for line in done.stdout.splitlines()] == [
        "headline_cause/en/simple/test.jsonl",
    ]

    with pytest.raises(OutputError, match="there is a campaign already"):
        write_campaign(PAIRS, tmp_path / "campaign")
    write_campaign(PAIRS, tmp_path / "finished")
    done = run("data", "release", tmp_path / "finished", "--to", tmp_path / "data", "--part", "dev")
    assert done.returncode == 0
    assert "pair-4: left out, since people do not agree" in done.stderr
    assert f"{tmp_path}/data/headline_cause/en/full/val.jsonl" in done.stdout.splitlines()
    done = run(
        "convert",
        tmp_path / "data" / "headline_cause",
        tmp_path / "back",
        "--from",
        "headline-cause",
        "--to",
        "campaign",
    )
    assert done.stderr == "3 items with 0 answers and 3 results converted\n"

    done = run("convert", tmp_path / "finished", tmp_path / "tasks.json", "--to", "label-studio")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tasks.xml").is_file()
    done = run("convert", tmp_path / "finished", tmp_path / "data", "--to", "hlgd")
    assert done.returncode == 2
    assert "it is written by `whywire data release`" in done.stderr


# Damaged files


def damaged_text(rng, content):
    letters = list(content)
    for _ in range(rng.randint(1, 8)):
        letters[rng.randrange(len(letters))] = rng.choice('\n\t,"[]{}<>/O1-\x00')
    return "".join(letters)


def damaged_value(rng, value):
    """A value of JSON in which one part has become something else."""
    if rng.random() < 0.2 or not isinstance(value, list | dict) or not value:
        return rng.choice([None, True, -1, 10**9, 0.5, "", "x", [], [3], {}, {"id": 1}])
    copy = list(value) if isinstance(value, list) else dict(value)
    key = rng.choice(list(copy)) if isinstance(copy, dict) else rng.randrange(len(copy))
    copy[key] = damaged_value(rng, copy[key])
    return copy


def damaged(rng, path):
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".json" and rng.random() < 0.8:
        return json.dumps(damaged_value(rng, json.loads(content)))
    if path.suffix == ".jsonl" and rng.random() < 0.8 and content:
        lines = content.splitlines()
        number = rng.randrange(len(lines))
        lines[number] = json.dumps(damaged_value(rng, json.loads(lines[number])))
        return "\n".join(lines)
    return damaged_text(rng, content) if content else content


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file or folder of each format."""
    made = {}
    for kind, data in CAMPAIGNS.items():
        folder = tmp_path_factory.mktemp(kind)
        write_release(release_of(data, "train"), folder)
        made[FORMAT_OF[kind]] = [(folder / CORPUS_OF[kind], kind)]
        write_campaign(data, folder / "campaign")
        made.setdefault("campaign", []).append((folder / "campaign", kind))
        if kind in KINDS:
            (folder / "export.json").write_text(accepted(to_label_studio(data)), encoding="utf-8")
            made.setdefault("label-studio", []).append((folder / "export.json", kind))
    return made | {"toloka": [(GOLDEN / "votes.tsv", Kind.RELATION)]}


@pytest.mark.parametrize("name", ITEM_FORMATS)
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_damaged_files_give_problems_and_no_crash(files, tmp_path_factory, name, seed):
    rng = random.Random(seed)
    source, kind = rng.choice(files[name])
    target = tmp_path_factory.mktemp("damaged") / source.name
    if source.is_dir():
        shutil.copytree(source, target)
        path = rng.choice(sorted(file for file in target.rglob("*.*") if file.is_file()))
    else:
        shutil.copy(source, target)
        path = target
    path.write_text(damaged(rng, path), encoding="utf-8", newline="")
    try:
        read = ITEM_FORMATS[name].read(target, kind)
    except InputError:
        return
    for item in read.items:
        assert item.right is None or not list(item.faults(item.right))
    items = {item.id: item for item in read.items}
    assert not [one for one in (*read.votes, *read.results) if list(items[one.item].faults(one.answer))]
