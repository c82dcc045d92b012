"""Mentions of events in texts whose events are known, as the vectors of mentions are trained on them.

English: ECB+'s mentions and their chains. Russian: pairs of headlines of one day (ParaPhraser).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import DisjointSet

from whywire.models import OnnxModel
from whywire.models.odds import calibrated
from whywire.news.article import Span, overlap
from whywire.sentences.clauses import segments
from whywire.sentences.decoding import CAUSAL
from whywire.sentences.mention_heads import SentenceStates
from whywire_lab.corpora.json_lines import json_lines

WINDOW = (3, 12)
"""Fewest and most tokens of a random window around a trigger."""

WINDOWS = 3
"""Random windows around each trigger."""

CLAUSE = 1
"""The view that vectors are made of when the model is used."""

Array = NDArray[Any]


def states_of(model: OnnxModel, texts: Sequence[str]) -> dict[str, SentenceStates]:
    """The sentence model's hidden states of each text, by the text."""
    found = {}
    for batch in model.run(texts, ["sentence", model.hidden]):
        for row, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
            offsets, logits = encoding.offsets[1:-1], batch.outputs["sentence"][row]
            whole, *tokens = batch.outputs[model.hidden][row][: len(offsets) + 1]
            causal = float(calibrated(logits[CAUSAL], model.config["calibration"]["causal"]))
            found[texts[number]] = SentenceStates(texts[number], offsets, np.array(tokens), whole, logits, causal)
    return found


@dataclass(slots=True)
class Mentions:
    """Mentions of events, each in several views: its trigger, its clause, windows around it, its whole sentence.

    Args:
        states: (tokens of all sentences, width).
        views: (3 + WINDOWS, mentions, 2), first and past-last rows in ``states``.
        chains: (mentions,), the event of each (coreference chain).
        topics: (mentions,): only mentions of one topic are compared.
        unclear_pairs: (pairs, 2), chains that may or may not be one event.
        clauses: (mentions,), the clause of each.
    """

    states: Array
    views: Array
    chains: Array
    topics: Array
    unclear_pairs: Array = field(default_factory=lambda: np.zeros((0, 2), dtype=int))
    clauses: Array = field(init=False)

    def __post_init__(self) -> None:
        self.clauses = np.unique(self.views[CLAUSE], axis=0, return_inverse=True)[1].reshape(-1)


def _window(trigger: Span, tokens: int, rng: random.Random) -> Span:
    first, end = trigger
    wanted = rng.randint(*WINDOW)
    while end - first < min(wanted, tokens):
        if end == tokens or (first > 0 and rng.random() < 0.5):
            first -= 1
        else:
            end += 1
    return first, end


def _mentions(
    found: Sequence[tuple[str, Span | None, str, str]], states: dict[str, SentenceStates], seed: int
) -> Mentions:
    """Lay out mentions, given as sentence, trigger (``None``: a random token), chain and topic."""
    rng = random.Random(seed)
    starts, total = {}, 0
    for text, state in states.items():
        starts[text] = total
        total += len(state.tokens)
    views: list[list[Span]] = []
    kept = []
    for row in found:
        text, trigger, *_ = row
        offsets = states[text].offsets
        places = [place for place, one in enumerate(offsets) if trigger and overlap(one, trigger)]
        if not places and (trigger or not offsets):
            continue
        middle = (places[0], places[-1] + 1) if places else _any_token(len(offsets), rng)
        spans = [middle if places else _window(middle, len(offsets), rng), _clause(text, offsets, middle)]
        for _ in range(WINDOWS):
            middle = middle if places else _any_token(len(offsets), rng)
            spans.append(_window(middle, len(offsets), rng))
        views.append([(starts[text] + a, starts[text] + b) for a, b in [*spans, (0, len(offsets))]])
        kept.append(row)
    places_of = [np.unique([row[column] for row in kept], return_inverse=True)[1] for column in (2, 3)]
    tokens = np.concatenate([state.tokens for state in states.values() if len(state.tokens)])
    return Mentions(tokens, np.array(views).transpose(1, 0, 2), *places_of)


def _clause(text: str, offsets: Sequence[Span], tokens: Span) -> Span:
    """The tokens of the clause that ``tokens`` lie in; ``tokens`` themselves if they lie in none or several."""
    first, end = tokens
    for clause in segments(text):
        places = [place for place, one in enumerate(offsets) if overlap(one, clause)]
        if places and places[0] <= first and end <= places[-1] + 1:
            return places[0], places[-1] + 1
    return tokens


def _any_token(tokens: int, rng: random.Random) -> Span:
    place = rng.randrange(tokens)
    return place, place + 1


def english_mentions(data: Path, model: OnnxModel, seed: int = 0) -> Mentions:
    """The mentions of ECB+; a mention without a chain is an event of its own."""
    found: list[tuple[str, Span | None, str, str]] = []
    for row in json_lines(data / "event_mentions" / "documents.jsonl"):
        topic = row["document"].split("_")[0]
        for one in row["mentions"]:
            for start, end in row["sentences"]:
                if start <= one["start"] and one["end"] <= end:
                    chain = one["same_as"] or f"{row['document']} {one['id']}"
                    trigger = (one["start"] - start, one["end"] - start)
                    found.append((row["text"][start:end], trigger, f"{topic} {chain}", topic))
                    break
    return _mentions(found, states_of(model, sorted({row[0] for row in found})), seed)


def russian_mentions(data: Path, model: OnnxModel, seed: int = 0) -> Mentions:
    """ParaPhraser's headlines: paraphrases are of one event, *near* ones may be; a topic is a run of rows."""
    rows = list(json_lines(data / "same_event" / "paraphraser_ru.jsonl"))
    first_seen: dict[str, int] = {}
    for number, row in enumerate(rows):
        for title in (row["first_title"], row["second_title"]):
            first_seen.setdefault(title, number)
    events, components = DisjointSet(first_seen), DisjointSet(first_seen)
    for row in rows:
        components.merge(row["first_title"], row["second_title"])
        if row["label"] == "paraphrase":
            events.merge(row["first_title"], row["second_title"])
    runs: dict[str, int] = {}
    for title, number in first_seen.items():
        component = components[title]
        runs[component] = min(runs.get(component, len(rows)), number)
    found: list[tuple[str, Span | None, str, str]] = [
        (title, None, events[title], f"{runs[components[title]] // 200:03d}") for title in first_seen
    ]
    found = [row for row in found if row[0].strip()]
    mentions = _mentions(found, states_of(model, [row[0] for row in found]), seed)
    names = sorted({row[2] for row in found})
    place = {name: number for number, name in enumerate(names)}
    mentions.unclear_pairs = np.array(
        sorted(
            {
                (place[events[a]], place[events[b]])
                for row in rows
                if row["label"] == "near"
                for a, b in _both_ways(row)
            }
        )
    )
    return mentions


def _both_ways(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield row["first_title"], row["second_title"]
    yield row["second_title"], row["first_title"]
