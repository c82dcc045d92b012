"""Whatever was drawn, mistakes are named and what is read keeps the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence
from whywire_lab.exchange.drawn_annotations import (
    SPAN_LABELS,
    DrawnRelation,
    DrawnSpan,
    find_invalid_annotations,
    valid_relations,
)

TEXT = "Ice broke the mast, so the crew left"
ICE, MAST, SO, CREW = (0, 3), (10, 18), (20, 22), (23, 36)


def marks(**labels):
    places = {"ice": ICE, "mast": MAST, "so": SO, "crew": CREW, "rest": (10, 36), "gap": (3, 4), "far": (30, 99)}
    return [DrawnSpan(name, label, (places[name],)) for name, label in labels.items()]


@pytest.mark.parametrize(
    ("drawn", "links", "mistakes"),
    [
        (marks(ice="Cause", mast="Effect"), [DrawnRelation("1", ("ice",), ("mast",))], []),
        (
            marks(ice="Cause", mast="CauseEffect", crew="Effect", so="Signal"),
            [DrawnRelation("1", ("ice",), ("mast",)), DrawnRelation("2", ("mast",), ("crew",), ("so",))],
            [],
        ),
        (
            marks(ice="Effect", mast="Effect"),
            [DrawnRelation("1", ("ice",), ("mast",))],
            [("1", "an effect points at an effect")],
        ),
        (
            marks(ice="Cause", mast="Cause"),
            [DrawnRelation("1", ("ice",), ("mast",))],
            [("1", "a cause points at a cause")],
        ),
        (
            marks(ice="Effect", mast="Cause"),
            [DrawnRelation("1", ("ice",), ("mast",))],
            [("1", "the link runs from effect to cause; draw it the other way round")],
        ),
        (marks(ice="Effect"), [], [("ice", "an effect with no cause")]),
        (marks(ice="Cause"), [], [("ice", "a cause with no effect")]),
        (marks(so="Signal"), [], [("so", "a signal attached to no relation")]),
        (
            marks(ice="Cause", so="Signal"),
            [DrawnRelation("1", ("ice",), ("so",))],
            [("1", "a signal stands where an effect should")],
        ),
        (
            marks(mast="Cause", rest="Effect"),
            [DrawnRelation("1", ("mast",), ("rest",))],
            [("1", "cause and effect overlap")],
        ),
        (
            marks(ice="Cause", mast="Cause", crew="Effect"),
            [DrawnRelation("1", ("ice", "mast"), ("crew",))],
            [("1", "the relation has 2 causes; draw a relation for each")],
        ),
        (
            marks(gap="Cause", crew="Effect"),
            [DrawnRelation("1", ("gap",), ("crew",))],
            [("gap", "the span is empty"), ("1", "gap, which it needs, is missing or invalid")],
        ),
        (
            marks(ice="Cause", far="Effect"),
            [DrawnRelation("1", ("ice",), ("far",))],
            [
                ("far", "the span does not lie in the text of 36 characters"),
                ("1", "far, which it needs, is missing or invalid"),
            ],
        ),
        (
            marks(ice="Cause", mast="Effect"),
            [DrawnRelation("1", ("ice",), ("mast",)), DrawnRelation("2", ("ice",), ("mast",))],
            [("2", "1 has the same cause and effect")],
        ),
        (
            [*marks(ice="Cause", crew="Effect"), DrawnSpan("torn", "Effect", (MAST, SO))],
            [DrawnRelation("1", ("ice",), ("crew",)), DrawnRelation("2", ("ice",), ("torn",))],
            [
                ("torn", "a cause or an effect must be in one piece"),
                ("2", "torn, which it needs, is missing or invalid"),
            ],
        ),
    ],
)
def test_each_invalid_annotation_is_reported_once_with_its_id(drawn, links, mistakes):
    assert [(found.id, found.reason) for found in find_invalid_annotations(TEXT, drawn, links)] == mistakes


def test_the_words_of_an_invalid_annotation_are_reported():
    (mistake,) = find_invalid_annotations(
        TEXT, marks(ice="Effect", mast="Cause"), [DrawnRelation("1", ("ice",), ("mast",))]
    )
    assert str(mistake.problem("doc.ann")).startswith("doc.ann:1: the link runs from effect to cause")
    assert mistake.words == "Ice → the mast"


names = st.sampled_from("abcde")
drawn_marks = st.lists(
    st.builds(
        DrawnSpan,
        names,
        st.sampled_from([*SPAN_LABELS, "Other"]),
        st.lists(st.tuples(st.integers(-2, 20), st.integers(-2, 40)), max_size=2).map(sorted).map(tuple),
    ),
    max_size=5,
    unique_by=lambda mark: mark.id,
)
ends = st.lists(names, max_size=2).map(tuple)
drawn_links = st.lists(
    st.builds(DrawnRelation, st.sampled_from("12345"), ends, ends, ends, st.booleans()),
    max_size=5,
    unique_by=lambda link: link.id,
)


@given(drawn_marks, drawn_links)
def test_every_drawn_annotation_is_read_or_reported(drawn, links):
    relations, invalid = valid_relations(TEXT, drawn, links)
    check_sentence(AnnotatedSentence("1", TEXT, relations))
    wrong = {mistake.id for mistake in invalid}
    assert len(relations) == len([link for link in links if link.id not in wrong])
    used = {key for link in links if link.id not in wrong for key in (*link.causes, *link.effects, *link.signals)}
    linked = {key for link in links for key in (*link.causes, *link.effects, *link.signals)}
    for mark in drawn:
        assert mark.id in used or mark.id in wrong or mark.id in linked
