"""brat's standoff: read back, and accepted by a check as strict as brat's own."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.tests.exchange.made_up import EXAMPLES, annotated, relation, trimmed, unique

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence
from whywire_lab.exchange.brat import from_brat, read_brat, to_brat, write_brat
from whywire_lab.exchange.drawn_annotations import LINE_BREAKS


def holdable(sentence):
    """As brat can hold it: no line break at the ends of a span, or alone between two parts of a signal."""
    sentence = trimmed(sentence, LINE_BREAKS)
    return all(
        one[1] == other[0] or sentence.text[one[1] : other[0]].strip(LINE_BREAKS)
        for found in sentence.relations
        for one, other in pairwise(found.signals)
    )


sentences = annotated().filter(holdable).map(lambda sentence: trimmed(sentence, LINE_BREAKS))


def assert_brat_accepts(text, ann):
    """What brat's server refuses: broken lines, ids twice, wrong words, unknown targets, text over a line's end."""
    assert ann.splitlines() == [line for line in ann.split("\n") if line]
    spans, targets, ids = {}, [], []
    for line in ann.splitlines():
        key, data = line.split("\t", 1)
        ids.append(key)
        assert re.fullmatch(r"[TREA][1-9][0-9]*", key)
        if key.startswith("T"):
            head, words = data.split("\t", 1)
            label, places = head.split(" ", 1)
            pieces = [tuple(map(int, piece.split(" "))) for piece in places.split(";")]
            assert all(0 <= start < end <= len(text) for start, end in pieces)
            assert all(one[1] <= other[0] for one, other in pairwise(pieces))
            assert words == " ".join(text[start:end] for start, end in pieces)
            assert (label, places) not in spans.values()
            spans[key] = label, places
        elif key.startswith("A"):
            targets += [data.split(" ")[1]]
        else:
            targets += [argument.split(":")[1] for argument in data.split(" ") if ":" in argument]
    assert len(set(ids)) == len(ids)
    assert set(targets) <= set(ids)


@given(sentences)
def test_standoff_round_trips_and_brat_accepts_it(sentence):
    ann = to_brat(sentence)
    assert_brat_accepts(sentence.text, ann)
    assert from_brat(sentence.text, ann) == (sentence.relations, ())


@given(st.lists(sentences, max_size=3).map(unique))
def test_a_folder_round_trips(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("brat")
    write_brat(found, folder)
    read = read_brat(folder)
    assert read.problems == ()
    assert {one.id: one for one in read.sentences} == {one.id: one for one in found}


def test_shared_arguments_are_one_span_and_pieces_of_a_signal_one_line():
    lines = to_brat(EXAMPLES[0]).splitlines()
    assert [line.split("\t")[1].split(" ")[0] for line in lines if line.startswith("T")] == [
        "Cause",
        "CauseEffect",
        "Signal",
        "Effect",
        "Signal",
    ]
    assert "T3\tSignal 0 5;23 24\tSince ," in lines
    assert lines[-3:] == [
        "E1\tSignal:T3 Cause:T1 Effect:T2",
        "E2\tSignal:T5 Cause:T2 Effect:T4",
        "R1\tCauses Arg1:T1 Arg2:T4",
    ]


def test_a_span_over_a_line_break_is_cut_there_and_joined_again():
    text = "Heavy\r\nrain so roads\nclosed"
    sentence = AnnotatedSentence("1", text, (CausalRelation((0, 11), (15, 27), ((12, 14),)),))
    ann = to_brat(sentence)
    assert "T1\tCause 0 5;7 11\tHeavy rain\n" in ann
    assert from_brat(text, ann) == (sentence.relations, ())


def test_a_pair_is_one_document_and_names_are_in_natural_order(tmp_path):
    write_brat([EXAMPLES[2]], tmp_path / "one" / "ferry.ann")
    assert [one.id for one in read_brat(tmp_path / "one" / "ferry.txt").sentences] == ["ferry"]
    with pytest.raises(InputError, match="holds one sentence, not 2"):
        write_brat(EXAMPLES[:2], tmp_path / "two.ann")
    write_brat([replace(EXAMPLES[2], id=name) for name in ("10", "9", "a/b", ".x")], tmp_path / "many")
    assert [one.id for one in read_brat(tmp_path / "many").sentences] == ["9", "10", ".x", "a/b"]


def test_a_configuration_that_is_there_stays(tmp_path):
    (tmp_path / "annotation.conf").write_text("mine")
    write_brat([EXAMPLES[2]], tmp_path)
    assert (tmp_path / "annotation.conf").read_text() == "mine"


TEXT = "Rain closed the road so buses stopped"
GOOD = "T1\tCause 0 4\tRain\nT2\tEffect 12 20\tthe road\nR1\tCauses Arg1:T1 Arg2:T2\n"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("T3\tEffect 24 29\tbuses", "x:T3: an effect with no cause: “buses”"),
        ("T3\tSignal 21 23\tso", "x:T3: a signal attached to no relation: “so”"),
        (
            "T3\tEffect 24 29\tbuses\nR2\tCauses Arg1:T2 Arg2:T3",
            "x:R2: an effect points at an effect: “the road → buses”",
        ),
        (
            "R2\tCauses Arg1:T2 Arg2:T1",
            "x:R2: the link runs from effect to cause; draw it the other way round: “the road → Rain”",
        ),
        ("R2\tCauses Arg1:T1 Arg2:T9", "x:R2: T9, which it needs, is missing or invalid: “Rain → ”"),
        ("R2\tBefore Arg1:T1 Arg2:T2", "x:4: the relation 'Before' is not Causes"),
        ("R1\tCauses Arg1:T1 Arg2:T2", "x:4: there is another R1 before"),
        ("T3\tEffect 24 29\tbusses", "x:4: the words are 'busses', but the text has 'buses' there"),
        (
            "T3\tReason 24 29\tbuses",
            "x:T3: the label 'Reason' is none of Cause, Effect, CauseEffect, Signal: “buses”",
        ),
        ("T3\tSignal 21 23\tso\nE1\tSignal:T3 Cause:T1", "x:E1: the relation has no effect: “Rain → ”"),
        ("A1\tDenied R7", "x:A1: Denied is said of R7, which is no relation"),
        ("A1\tNegation R1", "x:4: of attributes only Denied is read"),
        ("#1\tAnnotatorNotes R1\tsure?", "x:4: lines of this kind are not read"),
        ("what is this", "x:4: lines of this kind are not read"),
    ],
)
def test_what_is_wrong_is_named_and_the_rest_is_read(lines, problem):
    relations, problems = from_brat(TEXT, GOOD + lines + "\n", "x")
    assert [str(found) for found in problems] == [problem]
    assert relations == (relation(TEXT, "Rain", "the road"),)


def test_two_causes_in_one_event_are_named():
    ann = "T1\tCause 0 4\tRain\nT2\tEffect 12 20\tthe road\nT3\tSignal 5 11\tclosed\nT4\tCause 24 29\tbuses\n"
    relations, (problem,) = from_brat(TEXT, ann + "E1\tSignal:T3 Cause:T1 Cause2:T4 Effect:T2\n", "x")
    assert relations == ()
    assert problem.reason == "the relation has 2 causes; draw a relation for each: “Rain + buses → the road”"


def test_a_missing_file_of_a_pair_is_reported(tmp_path):
    (tmp_path / "a.txt").write_text("Rain.")
    (tmp_path / "b.ann").write_text("")
    (tmp_path / "c.txt").write_bytes(b"caf\xe9")
    (tmp_path / "c.ann").write_text("")
    read = read_brat(tmp_path)
    assert read.sentences == ()
    assert [problem.place for problem in read.problems] == ["a.ann", "b.txt", "c.txt"]
    with pytest.raises(InputError, match="no such file or folder"):
        read_brat(tmp_path / "nowhere")
