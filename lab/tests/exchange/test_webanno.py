"""UIMA CAS XMI: read back, and loaded by cassis as WebAnno's layers."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.tests.exchange.made_up import EXAMPLES, LETTERS, annotated, relation, unique

from whywire.errors import InputError
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence
from whywire_lab.exchange.webanno import (
    RELATION_LAYER,
    SENTENCE,
    SPAN_LAYER,
    TOKEN,
    from_webanno,
    read_webanno,
    to_webanno,
    write_webanno,
)

cassis = pytest.importorskip("cassis")


@given(st.lists(annotated(LETTERS + "\r\x85"), min_size=1, max_size=3).map(unique))
def test_documents_round_trip(sentences):
    read = from_webanno(*to_webanno(sentences))
    assert (list(read.sentences), read.problems) == (sentences, ())


def load(xmi, types):
    system = cassis.load_typesystem(io.BytesIO(types))
    return cassis.load_cas_from_xmi(io.BytesIO(xmi), typesystem=system)


def test_cassis_sees_sentences_tokens_spans_and_arrows():
    cas = load(*to_webanno(EXAMPLES))
    assert [one.get_covered_text() for one in cas.select(SENTENCE)] == [one.text for one in EXAMPLES]
    spans = [(span.label, span.get_covered_text()) for span in cas.select(SPAN_LAYER)]
    assert ("CauseEffect", "the cellar flooded") in spans
    assert ("Cause", "паводка") in spans
    arrows = [
        (arrow.Governor.get_covered_text(), arrow.Dependent.get_covered_text(), arrow.role, arrow.denied)
        for arrow in cas.select(RELATION_LAYER)
    ]
    assert ("the pump failed", "the cellar flooded", None, False) in arrows
    assert ("паводка", "Убытков «Порту» он не принёс", None, True) in arrows
    assert ("Since", "the cellar flooded", "effect", False) in arrows
    assert {token.get_covered_text() for token in cas.select(TOKEN)} >= {"🔥", "Из", "принёс"}
    assert cas.typecheck() == []


def test_offsets_in_the_file_are_utf_16_units():
    text = "🔥 spread, so they fled"
    xmi, _ = to_webanno([AnnotatedSentence("1", text, (relation(text, "spread", "they fled", "so"),))])
    assert b'begin="3" end="9"' in xmi
    assert text.index("spread") == 2


@pytest.mark.parametrize("name", ["week.zip", "week.xmi"])
def test_files_are_written_and_read(tmp_path, name):
    write_webanno(EXAMPLES, tmp_path / name)
    assert read_webanno(tmp_path / name).sentences == EXAMPLES
    first = (tmp_path / name).read_bytes()
    write_webanno(EXAMPLES, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_files_that_are_not_there_or_broken_are_named(tmp_path):
    write_webanno(EXAMPLES, tmp_path / "week.xmi")
    (tmp_path / "TypeSystem.xml").unlink()
    with pytest.raises(InputError, match=r"TypeSystem\.xml: cannot be read"):
        read_webanno(tmp_path / "week.xmi")
    (tmp_path / "TypeSystem.xml").write_text("<broken")
    with pytest.raises(InputError, match=r"week\.xmi: no UIMA CAS XMI"):
        read_webanno(tmp_path / "week.xmi")
    (tmp_path / "week.zip").write_bytes(b"nothing")
    with pytest.raises(InputError, match="no zip"):
        read_webanno(tmp_path / "week.zip")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(InputError, match=r"must hold one \.xmi"):
        read_webanno(tmp_path / "empty.zip")


def test_what_xml_cannot_hold_is_refused_with_its_id():
    with pytest.raises(InputError, match="bell: the text has a character that XML cannot hold"):
        to_webanno([EXAMPLES[0], AnnotatedSentence("bell", "a\x07b")])


def test_a_document_without_the_layers_is_refused():
    system = cassis.TypeSystem()
    cas = cassis.Cas(system)
    cas.sofa_string = "Rain."
    with pytest.raises(InputError, match="there is no layer"):
        from_webanno(cas.to_xmi().encode(), system.to_xml().encode())


TEXT = "Rain closed the road so buses stopped."


def drawn(spans, arrows, sentences=((0, 38),)):
    """A document as annotators may draw it."""
    _, types = to_webanno([AnnotatedSentence("1", TEXT)])
    system = cassis.load_typesystem(io.BytesIO(types))
    cas = cassis.Cas(system)
    cas.sofa_string = TEXT
    cas.sofa_mime = "text/plain"
    for start, end in sentences:
        cas.add(system.get_type(SENTENCE)(begin=start, end=end))
    made = {}
    for words, label in spans.items():
        start = TEXT.index(words)
        made[words] = system.get_type(SPAN_LAYER)(begin=start, end=start + len(words), label=label)
        cas.add(made[words])
    for governor, dependent in arrows:
        ends = {"Governor": made.get(governor), "Dependent": made.get(dependent)}
        cas.add(system.get_type(RELATION_LAYER)(begin=0, end=4, **ends))
    return from_webanno(cas.to_xmi().encode(), types, "x")


GOOD = {"Rain": "Cause", "the road": "Effect"}


def test_one_arrow_without_a_role_is_enough_for_a_signal():
    read = drawn(GOOD | {"closed": "Signal"}, [("Rain", "the road"), ("closed", "the road")])
    assert read.problems == ()
    assert read.sentences == (AnnotatedSentence("1", TEXT, (relation(TEXT, "Rain", "the road", "closed"),)),)


@pytest.mark.parametrize(
    ("spans", "arrows", "reason"),
    [
        ({"so": "Signal"}, [], "a signal attached to no relation: “so”"),
        ({"so": "Signal", "buses": "Effect"}, [("so", "buses"), ("so", "Rain")], "an effect with no cause: “buses”"),
        ({"buses": "Effect"}, [("the road", "buses")], "an effect points at an effect: “the road → buses”"),
        ({"buses": None}, [("Rain", "buses")], "the label '' is none of Cause, Effect, CauseEffect, Signal: “buses”"),
        (
            {},
            [("the road", "Rain")],
            "the link runs from effect to cause; draw it the other way round: “the road → Rain”",
        ),
        ({}, [("Rain", "nothing")], "the arrow has an end missing, or runs from one sentence into another"),
    ],
)
def test_what_is_wrong_is_named_and_the_rest_is_read(spans, arrows, reason):
    read = drawn(GOOD | spans, [("Rain", "the road"), *arrows])
    assert reason in [problem.reason for problem in read.problems]
    assert all(problem.place.startswith("x:xmi:") for problem in read.problems)
    assert [one.relations for one in read.sentences] == [(relation(TEXT, "Rain", "the road"),)]


def test_what_lies_between_sentences_is_named():
    read = drawn(GOOD | {"stopped": "Effect"}, [("Rain", "the road"), ("Rain", "stopped")], ((0, 20), (24, 38)))
    assert sorted(problem.reason for problem in read.problems) == [
        "an effect with no cause: “stopped”",
        "the arrow has an end missing, or runs from one sentence into another",
    ]
    read = drawn(GOOD | {"so buses": "Cause"}, [("Rain", "the road")], ((0, 22), (24, 38)))
    assert [problem.reason for problem in read.problems] == ["the span lies in no one sentence: “so buses”"]


@pytest.mark.parametrize("name", ["bomb.xmi", "TypeSystem.xml"])
def test_a_zip_that_unpacks_to_very_much_is_refused(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for inner in ("bomb.xmi", "TypeSystem.xml"):
            archive.writestr(inner, b" " * (30 * 2**20 if inner == name else 10))
    with pytest.raises(InputError, match=f"{name} unpacks from .* to more than"):
        read_webanno(tmp_path / "bomb.zip")


def test_a_zip_with_damaged_content_is_refused(tmp_path):
    write_webanno(EXAMPLES, tmp_path / "week.zip")
    content = bytearray((tmp_path / "week.zip").read_bytes())
    content[60:90] = b"\xff" * 30
    (tmp_path / "week.zip").write_bytes(content)
    with pytest.raises(InputError, match="zip"):
        read_webanno(tmp_path / "week.zip")
