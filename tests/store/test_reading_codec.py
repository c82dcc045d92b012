"""Readings come back from their bytes to the last bit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from whywire.elements import ClaimKind, Mention, MentionKind
from whywire.events.article_readings import ArticleReading
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.news import Article, Language
from whywire.pipeline import read
from whywire.progress import Stages
from whywire.reading.drawing import ReadLink
from whywire.sentences.claims import ReadClaim
from whywire.store.model_answers import decode_floats, encode_floats
from whywire.store.reading_codec import decode_reading, encode_reading

ARTICLE = Article(
    "ю-1", "Fire — пожар 🔥", "Fuel ran short because the refinery burnt. «Топлива» нет.", Language.ENGLISH
)

floats = st.floats(width=32, allow_nan=True, allow_infinity=True)
probabilities = st.floats(allow_nan=False)
places = st.tuples(st.integers(0, 15), st.integers(0, 15)).map(lambda pair: (min(pair), max(pair)))

links = st.builds(
    ReadLink,
    *(st.integers(0, 300) for _ in range(4)),
    probability=probabilities,
    said=probabilities,
    strength=probabilities,
)


def vectors(size):
    return arrays(np.float32, size, elements=floats)


@st.composite
def readings(draw):
    sizes = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    shared = draw(st.lists(vectors(sizes[1]), min_size=1, max_size=3))
    mentions = []
    for number in range(draw(st.integers(0, 4))):
        field, span = draw(st.sampled_from(["title", "text"])), draw(places)
        read_as = MentionReading(draw(st.sampled_from(shared)), *(draw(probabilities) for _ in range(3)))
        mentions.append(
            MentionCandidate(
                ARTICLE,
                Mention(ARTICLE.id, field, span, draw(st.sampled_from(MentionKind))),
                number,
                getattr(ARTICLE, field)[slice(*span)],
                read_as,
                draw(places),
                draw(places),
            )
        )
    claims = []
    for _ in range(draw(st.integers(0, 3))):
        field, sentence = draw(st.sampled_from(["title", "text"])), draw(places)
        spans = {name: draw(st.none() | places) for name in ("cause", "effect", "antecedent", "consequent")}
        claims.append(
            ReadClaim(
                draw(st.sampled_from(ClaimKind)),
                field,
                sentence,
                draw(probabilities),
                signals=tuple(draw(st.lists(places, max_size=2))),
                derived=draw(st.none() | st.text(max_size=20)),
                ends=draw(st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3))),
                **spans,
            )
        )
    events = tuple(map(tuple, draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=3))))
    return ArticleReading(
        draw(vectors(sizes[0])), tuple(mentions), events, tuple(draw(st.lists(links, max_size=3))), tuple(claims)
    )


def same(one: ArticleReading, other: ArticleReading) -> None:
    assert one.vector.tobytes() == other.vector.tobytes()
    assert one.vector.dtype == np.float32
    assert _mentions(one) == _mentions(other)
    assert (one.events, one.links, one.claims) == (other.events, other.links, other.claims)


def _mentions(reading):
    return [
        (
            *(found.mention, found.sentence, found.words, found.clause, found.time_scope),
            *(found.reading.actual, found.reading.planned, found.reading.alone),
            found.reading.vector.tobytes(),
        )
        for found in reading.mentions
    ]


@settings(max_examples=150)
@given(readings())
def test_a_reading_comes_back_as_it_was(reading):
    same(decode_reading(encode_reading(reading), ARTICLE), reading)


def test_readings_of_models_come_back_and_are_bound_to_the_article(example, fake_models):
    found = read(example, fake_models, Stages())
    for article in example:
        if article.id in found:
            data = encode_reading(found[article.id])
            same(decode_reading(data, article), found[article.id])
            other = replace(article, id="another")
            same(decode_reading(data, other), found[article.id].bound_to(other))


@settings(max_examples=100)
@given(readings(), st.data())
def test_damaged_bytes_are_an_error_or_another_reading_but_nothing_else(reading, data):
    encoded = bytearray(encode_reading(reading))
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] ^= data.draw(st.integers(1, 255))
    with suppress(ValueError):
        decode_reading(bytes(encoded), ARTICLE)


@given(readings(), st.data())
def test_cut_bytes_are_an_error(reading, data):
    encoded = encode_reading(reading)
    with pytest.raises(ValueError, match=r"reading|version|buffer"):
        decode_reading(encoded[: data.draw(st.integers(0, len(encoded) - 1))], ARTICLE)


def test_another_version_is_an_error():
    with pytest.raises(ValueError, match="a reading of version 9, not 6"):
        decode_reading(b"\x09" + bytes(30), ARTICLE)


@given(arrays(np.float64, st.integers(0, 9)))
def test_probabilities_of_pairs_come_back_to_the_last_bit(values):
    assert decode_floats(encode_floats(values)).tobytes() == values.tobytes()
