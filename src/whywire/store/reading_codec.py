"""Readings of articles as bytes, and back, without loss.

Words and quotes are left out, since they are in the article at their offsets. Layout, little-endian: ``_HEADER``, the
vector of the article, the distinct vectors of mentions, their probabilities, and the compressed rest.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.elements import ClaimKind, Mention, MentionKind
from whywire.events.article_readings import ArticleReading
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.news import Article
from whywire.news.article import Span
from whywire.reading.drawing import ReadLink
from whywire.sentences.claims import ReadClaim

VERSION = 6
"""The version of the layout and the contents; readings of other versions are discarded and made again."""

_HEADER = struct.Struct("<BIIIII")
"""Version; sizes of an article's and a mention's vector; numbers of mentions and of their distinct vectors; bytes of
the compressed part: the integers of mentions, then claims, events, links and doubtful links as JSON."""

_FIELDS = ("title", "text")
_KINDS = tuple(MentionKind)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_COLUMNS = 10
"""Integers of a mention: field, kind, sentence, vector, and the ends of three spans (its own, its clause, its time
scope)."""

_SPANS = ("cause", "effect", "antecedent", "consequent")


def encode_reading(reading: ArticleReading) -> bytes:
    """Return the bytes of a reading."""
    vectors: dict[bytes, int] = {}
    numbers: list[tuple[int, ...]] = []
    probabilities: list[tuple[float, float, float]] = []
    for candidate in reading.mentions:
        read = candidate.reading
        vector = vectors.setdefault(_float_bytes(read.vector), len(vectors))
        numbers.append(
            (
                _FIELDS.index(candidate.mention.field),
                _KIND_NUMBER[candidate.mention.kind],
                candidate.sentence,
                vector,
                *candidate.mention.span,
                *candidate.clause,
                *candidate.time_scope,
            )
        )
        probabilities.append((read.actual, read.planned, read.alone))
    packed = zlib.compress(
        np.array(numbers, dtype="<i4").tobytes()
        + json.dumps(
            [
                [*map(_claim_values, reading.claims)],
                reading.events,
                *([_link_values(link) for link in links] for links in (reading.links, reading.doubtful)),
                reading.unread,
            ],
            separators=(",", ":"),
        ).encode(),
        level=1,
    )
    size = len(next(iter(vectors), b"")) // 4
    header = _HEADER.pack(VERSION, len(reading.vector), size, len(numbers), len(vectors), len(packed))
    return b"".join(
        (
            header,
            _float_bytes(reading.vector),
            *vectors,
            np.array(probabilities, dtype="<f8").tobytes(),
            packed,
        )
    )


def decode_reading(data: bytes, article: Article) -> ArticleReading:
    """Return the reading of these bytes.

    Args:
        article: the article that was read, or another with the same words.

    Raises:
        ValueError: the bytes are of another version, or damaged.
    """
    try:
        version, article_size, size, mentions, vectors, packed = _HEADER.unpack_from(data)
        if version != VERSION:
            raise ValueError(f"a reading of version {version}, not {VERSION}")
        place = _HEADER.size
        (vector,) = _floats(data, place, 1, article_size, "<f4")
        place += vector.nbytes
        shared = _floats(data, place, vectors, size, "<f4")
        place += shared.nbytes
        probabilities = _floats(data, place, mentions, 3, "<f8")
        place += probabilities.nbytes
        if len(data) != place + packed:
            raise ValueError("a reading of another length")
        unpacked = zlib.decompress(data[place:])
        numbers = np.frombuffer(unpacked, "<i4", mentions * _COLUMNS).reshape(mentions, _COLUMNS)
        claims, events, links, doubtful, unread = json.loads(unpacked[numbers.nbytes :])
        return ArticleReading(
            vector=vector,
            mentions=tuple(_mentions(numbers.tolist(), probabilities.tolist(), shared, article)),
            events=tuple(map(tuple, events)),
            links=tuple(map(_link, links)),
            claims=tuple(map(_claim, claims)),
            unread=unread,
            doubtful=tuple(map(_link, doubtful)),
        )
    except (struct.error, zlib.error, IndexError, TypeError) as error:
        raise ValueError(f"a damaged reading: {error}") from error


def _float_bytes(vector: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def _floats(data: bytes, place: int, rows: int, columns: int, kind: str) -> NDArray[Any]:
    return np.frombuffer(data, kind, rows * columns, place).reshape(rows, columns)


def _mentions(
    numbers: list[list[int]], probabilities: list[list[float]], vectors: NDArray[np.float32], article: Article
) -> Iterator[MentionCandidate]:
    for row, (actual, planned, alone) in zip(numbers, probabilities, strict=True):
        field, kind, sentence, vector, start, end, *spans = row
        words = getattr(article, _FIELDS[field])[start:end]
        mention_reading = MentionReading(vectors[vector], alone, actual, planned)
        mention = Mention(article.id, _FIELDS[field], (start, end), _KINDS[kind])
        clause, time_scope = (spans[0], spans[1]), (spans[2], spans[3])
        yield MentionCandidate(article, mention, sentence, words, mention_reading, clause, time_scope)


def _link_values(link: ReadLink) -> list[float]:
    return [float(value) for value in astuple(link)[:-1]]  # no chat model has a part in a reading


def _link(values: list[float]) -> ReadLink:
    cause, effect, cause_mention, effect_mention = map(int, values[:4])
    probability, said, strength = values[4:]
    return ReadLink(cause, effect, cause_mention, effect_mention, probability, said, strength)


def _claim_values(claim: ReadClaim) -> list[Any]:
    spans = [getattr(claim, name) for name in _SPANS]
    field = _FIELDS.index(claim.field)
    probability = float(claim.probability)
    said = [claim.kind, field, claim.sentence, probability, spans, claim.signals, claim.derived]
    return [*said, claim.ends]


def _claim(values: list[Any]) -> ReadClaim:
    kind, field, (start, end), probability, spans, signals, derived, ends = values
    return ReadClaim(
        kind=ClaimKind(kind),
        field=_FIELDS[field],
        sentence=(start, end),
        probability=probability,
        signals=tuple((first, last) for first, last in signals),
        derived=derived,
        ends=_span(ends),
        **{name: _span(span) for name, span in zip(_SPANS, spans, strict=True)},
    )


def _span(value: list[int] | None) -> Span | None:
    return None if value is None else (value[0], value[1])
