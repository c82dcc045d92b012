"""Answers of models, kept in a store: readings of articles, and answers on pairs of texts.

An answer is valid for one version of the models: the same weights, grammar packages and layout of readings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from whywire.elements import short_hash
from whywire.engines.predictions import KEY_DIGITS, LanguagePair, PredictionCache, text_key
from whywire.graph.codec import Row
from whywire.models.pretrained import weights_hashes
from whywire.news import Article
from whywire.sentences.counterfactual import grammar
from whywire.store.database import Database
from whywire.store.reading_codec import VERSION, decode_reading, encode_reading
from whywire.store.schema import pair_answers, readings
from whywire.store.statements import insert_missing, rows_among, upsert


@cache
def models_version() -> str:
    """Return a hash of the weights, of the versions of packages that take part in a reading, and of its layout."""
    parts = weights_hashes() | grammar.versions()
    return short_hash(str(VERSION), *(f"{name}={value}" for name, value in sorted(parts.items())))


def known_answers(connection: Connection, articles: Iterable[Article], models: str) -> PredictionCache:
    """The readings of these articles by models of a version."""
    by_key = {text_key(article): article for article in articles}
    valid = select(readings).where(readings.c.models == models)
    rows = rows_among(connection, valid, readings.c.text_key, by_key)
    return PredictionCache({row.text_key: decode_reading(row.reading, by_key[row.text_key]) for row in rows})


def keep_answers(connection: Connection, answers: PredictionCache, models: str) -> None:
    """Keep answers of models; answers that are stored already stay."""
    insert_missing(
        connection,
        readings,
        [
            {"text_key": key, "models": models, "reading": encode_reading(reading)}
            for key, reading in answers.readings.items()
        ],
    )
    pairs = {*answers.relations, *answers.strengths}
    rows: list[Row] = [
        {
            "pair_key": _pair_key(pair),
            "models": models,
            "language": pair[0].value,
            "first": pair[1][0],
            "second": pair[1][1],
            "relations": encode_floats(answers.relations[pair]) if pair in answers.relations else None,
            "strength": answers.strengths.get(pair),
        }
        for pair in sorted(pairs)
    ]
    valid = select(pair_answers).where(pair_answers.c.models == models)
    keys = [row["pair_key"] for row in rows]
    stored = {row.pair_key: row for row in rows_among(connection, valid, pair_answers.c.pair_key, keys)}
    for row in rows:  # one of the two answers may be stored already
        if before := stored.get(row["pair_key"]):
            row["relations"] = row["relations"] if before.relations is None else before.relations
            row["strength"] = row["strength"] if before.strength is None else before.strength
    upsert(connection, pair_answers, rows)


class StoredAnswers(PredictionCache):
    """A cache of answers that loads answers on pairs from a store when asked for them."""

    def __init__(self, loaded: PredictionCache, database: Database, models: str) -> None:
        super().__init__(dict(loaded.readings), dict(loaded.relations), dict(loaded.strengths))
        self._database, self._models = database, models
        self._asked: set[LanguagePair] = set()

    def recall(self, pairs: Collection[LanguagePair]) -> None:
        """Load the answers on these pairs that are in the store."""
        wanted = {_pair_key(pair): pair for pair in {*pairs} - self._asked}
        if not wanted:
            return
        self._asked |= {*wanted.values()}
        valid = select(pair_answers).where(pair_answers.c.models == self._models)
        with self._database.reading() as connection:
            for row in rows_among(connection, valid, pair_answers.c.pair_key, wanted):
                if row.relations is not None:
                    self.relations[wanted[row.pair_key]] = decode_floats(row.relations)
                if row.strength is not None:
                    self.strengths[wanted[row.pair_key]] = row.strength


def encode_floats(values: NDArray[np.float64]) -> bytes:
    """Return the bytes of an array."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def decode_floats(data: bytes) -> NDArray[np.float64]:
    """The inverse of :func:`encode_floats`."""
    return np.frombuffer(data, "<f8").astype(np.float64)


def _pair_key(pair: LanguagePair) -> str:
    words = "\x1f".join((pair[0], *pair[1]))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]
