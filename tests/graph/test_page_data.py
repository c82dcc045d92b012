from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.elements import Claim, ClaimKind, Event, Mention, MentionKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page import render_page
from whywire.graph.page_data import AROUND, CLAIMS_PER_EVENT, page_data, sentence_pieces, title_in_sentence
from whywire.news import Article, Language
from whywire.output import json_text


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """A claim over any sentence, with spans anywhere in it, nested and crossing ones too."""
    quote = draw(st.text(min_size=1, max_size=40))
    start = draw(st.integers(0, 1000))
    place = st.integers(0, len(quote)).map(lambda at: start + at)
    span = st.tuples(place, place).filter(lambda ends: ends[0] < ends[1])
    return Claim(
        "c",
        ClaimKind.CAUSAL,
        "a",
        "e",
        "text",
        (start, start + len(quote)),
        quote,
        0.5,
        cause=draw(span),
        effect=draw(span),
        signals=tuple(draw(st.lists(span, max_size=3))),
    )


@settings(deadline=None)
@given(claims())
def test_pieces_are_the_sentence_and_carry_each_span(claim: Claim) -> None:
    pieces = sentence_pieces(claim)
    assert "".join(text for text, _ in pieces) == claim.quote
    assert all(text for text, _ in pieces)
    for role, span in (("cause", claim.cause), ("effect", claim.effect)):
        assert span is not None
        start, end = (place - claim.sentence[0] for place in span)
        assert "".join(text for text, roles in pieces if role in roles.split()) == claim.quote[start:end]
    signal = {place for start, end in claim.signals for place in range(start, end)}
    assert sum(len(text) for text, roles in pieces if "signal" in roles.split()) == len(signal)


def test_of_many_claims_the_page_takes_what_it_shows(graph: CausalGraph) -> None:
    evidence, imagined = graph.claims[0], graph.claims[1]
    many = tuple(
        replace(evidence, id=f"more{number}", probability=number / 100) for number in range(CLAIMS_PER_EVENT + 7)
    )
    data = page_data(replace(graph, claims=(*graph.claims, *many)), "title", {})
    assert data["claimCount"] == len(graph.claims) + len(many)
    assert len(data["claims"]) == len(graph.claims) + CLAIMS_PER_EVENT
    event = data["events"][1]
    assert event["omittedClaims"] == 7
    kinds = [data["claims"][place]["kind"] for place in event["claims"]]
    assert kinds.count("counterfactual") == 1
    assert imagined.kind is ClaimKind.COUNTERFACTUAL
    shown = {data["claims"][place]["probability"] for place in event["claims"]}
    assert shown >= {(CLAIMS_PER_EVENT + 6 - number) / 100 for number in range(CLAIMS_PER_EVENT)}


def test_the_summary_becomes_words(graph: CausalGraph) -> None:
    data = page_data(graph, "t", {"version": "1", "seconds": {"read": 1.5, "link": 2}, "languages": ["en", "ru"]})
    assert data["summary"] == [["version", "1"], ["seconds", "read 1.5, link 2"], ["languages", "en, ru"]]


def test_the_page_needs_nothing_from_elsewhere(graph: CausalGraph) -> None:
    page = render_page(graph, title="A week", summary={})
    assert "default-src 'none'" in page
    for wanting in (
        '<link rel="stylesheet',
        "<script src",
        "@import",
        "url(",
        "innerHTML =",
        "sourceMappingURL",
    ):
        assert wanting not in page.replace('href="data:,"', ""), wanting


def test_no_title_ends_the_data_early(graph: CausalGraph) -> None:
    page = render_page(graph, title="</title><script>alert(1)</script>", summary={"x": "</script>"})
    own = render_page(graph, title="", summary={})
    assert page.count("</script>") == own.count("</script>")
    assert "<title>&lt;/title&gt;" in page


def test_a_page_is_always_utf8_and_always_the_same(graph: CausalGraph) -> None:
    titled = replace(graph, events=tuple(replace(event, title="\ud800 ё") for event in graph.events))
    page = render_page(titled, title="\udfff", summary={})
    assert page.encode("utf-8") == render_page(titled, title="\udfff", summary={}).encode("utf-8")


@pytest.mark.parametrize("kind", ["articles", "events", "links", "claims", "stories", "singleEvents"])
def test_an_empty_graph_has_empty_lists(kind: str) -> None:
    assert page_data(CausalGraph(), "t", {})[kind] == []
    assert json_text(page_data(CausalGraph(), "t", {}))


TEXT = "A storm came. The harbour master, who had been on leave, denied that the crane had fallen over. More."


def named(words: str, text: str = TEXT) -> CausalGraph:
    article = Article("a", "Harbour waits", text, language=Language.ENGLISH)
    spans = (0, len(article.title)), (text.index(words), text.index(words) + len(words))
    events = [
        Event(name, title, Language.ENGLISH, None, None, ("a",), None, (Mention("a", field, span, kind),))
        for name, title, field, span, kind in (
            ("e0", article.title, "title", spans[0], MentionKind.HEADLINE),
            ("e1", words, "text", spans[1], MentionKind.STATEMENT),
        )
    ]
    return CausalGraph({"a": article}, tuple(events), (), ())


def test_a_title_is_shown_in_its_sentence_unless_it_is_one() -> None:
    words = "the crane had fallen over"
    graph = named(words)
    assert title_in_sentence(graph.event("e1"), graph) == [
        ["The harbour master, who had been on leave, denied that ", ""],
        [words, "mention"],
        [".", ""],
    ]
    assert title_in_sentence(graph.event("e0"), graph) == []
    whole = named("A storm came")
    assert title_in_sentence(whole.event("e1"), whole) == []


def test_a_long_sentence_is_cut_between_words() -> None:
    text = f"{'It rained and rained ' * 20}until the dam burst{' and it went on raining' * 20}."
    graph = named("the dam burst", text)
    before, words, after = (piece for piece, _ in title_in_sentence(graph.event("e1"), graph))
    assert words == "the dam burst"
    assert before.startswith("… ")
    assert before[2:] + words in text
    assert after.endswith(" …")
    assert words + after[:-2] in text
    assert max(len(before), len(after)) <= AROUND + 2
