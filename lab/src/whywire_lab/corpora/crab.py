"""CRAB (Romanou et al., EMNLP 2023): how strongly one event of a news story led to another, from 0 to 100.

A row of ``pairwise_causality.jsonl`` is a pair of events, the earlier one first, with the documents they came from
and a score: the mean of seven to ten workers, moved by experts where the workers disagreed near the bound of a class
(section 3.5). The authors' programs name the columns ``event_a, event_b, article_a, article_b``; copies name them
otherwise, so every column is looked for under several names. Its values are checked.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

import networkx as nx

from whywire.errors import InputError
from whywire.news.article import Published
from whywire.news.times import parse_time
from whywire_lab.corpora.table_formats import SUFFIXES, Row, is_blank, table_rows, value_of

PAIRS_FILE = "pairwise_causality.jsonl"
"""What the release calls its pairs."""

DATE, STORY, RANDOM = SPLITS = ("date", "story", "random")
"""How the paper holds pairs out (appendix B): the latest stories, some stories, or pairs whatever their story."""

HELD_OUT = 0.25
"""The share held out: five of twenty stories, or a quarter of the pairs."""

LEFT = ("a", "1", "one", "first", "cause", "source")
RIGHT = ("b", "2", "two", "second", "effect", "target")
"""The names that the sides of a pair may have in a column's name."""

EVENT = ("event", "event_text", "event_description", "mention", "text", "")
EVENT_ID = ("event_id", "node", "node_id", "id")
DOCUMENT = ("article", "document", "doc", "context", "article_text", "document_text", "doc_text")
DOCUMENT_ID = ("article_id", "document_id", "doc_id", "article_url", "url")
DOCUMENTS = ("documents", "articles", "docs", "contexts", "document", "article", "context")
TIME = ("date", "published", "time", "timestamp", "article_date", "document_date", "doc_date", "event_date")
SCORE = (
    *("causal_score", "causality_score", "score", "average_score", "avg_score", "mean_score", "score_avg"),
    *("score_mean", "causal_strength", "causality_strength", "strength", "causal_judgment", "causality"),
)
SCORES = (
    *("scores", "worker_scores", "workers_scores", "annotator_scores", "all_scores", "causal_scores"),
    *("causality_scores", "judgments", "judgements", "annotations", "ratings", "workers"),
)
NUMBERED_SCORE = re.compile(r"(?:worker|annotator|rater|score|judge?ment)(?:score|id)?\d+")
STORY_NAME = ("story", "story_id", "story_name", "story_title", "topic", "topic_id", "timeline", "timeline_id")
TOGETHER = (
    *("setting", "pair_type", "pair_setting", "document_setting"),
    *(f"{is_}{same}_{doc}" for is_ in ("", "is_") for same in ("same", "in") for doc in ("document", "doc")),
)
APART = tuple(f"{is_}cross_{doc}" for is_ in ("", "is_") for doc in ("document", "doc"))
"""The names that the columns may have."""

YES, NO = frozenset({"true", "1", "1.0", "yes"}), frozenset({"false", "0", "0.0", "no"})
ONE_DOCUMENT = frozenset({"in", "same", "intra", "within", "single", "indoc", "indocument"})
TWO_DOCUMENTS = frozenset({"cross", "different", "inter", "across", "crossdoc", "crossdocument"})


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """An event as one document reports it.

    Args:
        name: shared by all wordings of an event if the file says so; else its text.
        document: the document's id, or else its text; empty where it is not known.
        context: the document's text; empty where it is not known.
        published: when the document, or the event, is dated.
    """

    text: str
    name: str
    document: str = ""
    context: str = ""
    published: Published | None = None


@dataclass(frozen=True, slots=True)
class CausalPair:
    """Two events of a story, and how strongly the first one led to the second.

    Args:
        score: 0 to 100.
        story: its name; where the file names none, pairs that share events or documents are one story.
        in_document: whether both come from one document; ``None`` if not known.
        scores: of single workers, 0 to 100, if the file has them.
    """

    cause: StoryEvent
    effect: StoryEvent
    score: float
    story: str
    in_document: bool | None = None
    scores: tuple[float, ...] = ()

    @property
    def texts(self) -> tuple[str, str]:
        """The texts of the two events."""
        return self.cause.text, self.effect.text

    @property
    def at(self) -> datetime | None:
        """The later of the times of the two; ``None`` where neither has one."""
        known = (event.published.at for event in (self.cause, self.effect) if event.published)
        return max(known, default=None)


def find_pairs(data: Path) -> Path:
    """The file of pairs in a folder: the only table there, or the only one with "pairs" or "CRAB" in its name.

    Args:
        data: the folder, or the file itself.

    Raises:
        InputError: there is none, or several may be meant.
    """
    if data.is_file():
        return data
    there = sorted(path for path in data.glob("*") if path.suffix.lower() in SUFFIXES)
    for word in ("pair", "crab", ""):
        found = [path for path in there if word in path.stem.lower()]
        if len(found) == 1:
            return found[0]
        if found:
            there = found
            break
    names = ", ".join(path.name for path in there)
    raise InputError(
        f"which of {names} holds the pairs?" if there else "there are no pairs",
        where=str(data),
        hint=f"put the release's {PAIRS_FILE} there",
    )


def read_pairs(path: Path) -> list[CausalPair]:
    """Read pairs from CSV, a JSON list, an object a line, or a JSON object of columns.

    A row needs two events and a score, or workers' scores, of which the mean is taken; it may have the two documents
    (texts or ids), dates, its story, and whether both events are from one document.

    Raises:
        InputError: the file is missing, broken or empty, or a row lacks an event or a score, or has a score that is
            not from 0 to 100, with the place of the row.
    """
    pairs = [pair_of_row(row, place) for place, row in table_rows(path)]
    if not pairs:
        raise InputError("there is not a single pair in it", where=str(path))
    return _with_stories(pairs)


def split_pairs(
    pairs: Sequence[CausalPair], how: str, held_out: float = HELD_OUT
) -> tuple[list[CausalPair], list[CausalPair]]:
    """The pairs to learn from and those held out, in their order; the same pairs give the same split.

    By *date* and by *story* no story is on both sides. At *random* all stories are, as in the paper: the held-out
    pairs come from documents of the training part, and scores are too high.

    Args:
        how: one of :data:`SPLITS`.
        held_out: the share of stories, or of pairs, that is held out; at least one is.

    Raises:
        InputError: there are fewer than two stories, or, to split by date, a pair without a date.
    """
    if how == RANDOM:
        keys = [f"{pair.story}\n{pair.cause.text}\n{pair.effect.text}" for pair in pairs]
        order = sorted(set(keys), key=_digest)
    else:
        keys = [pair.story for pair in pairs]
        order = sorted(set(keys), key=_digest) if how == STORY else _latest_first(pairs)
    if len(order) < 2:
        raise InputError("there is too little to hold a part out of", hint="measure on all pairs")
    last = set(order[: max(1, round(held_out * len(order)))])
    both = list(zip(pairs, keys, strict=True))
    return [pair for pair, key in both if key not in last], [pair for pair, key in both if key in last]


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _latest_first(pairs: Iterable[CausalPair]) -> list[str]:
    """The stories, sorted by their latest pair, the latest first."""
    latest: dict[str, datetime] = {}
    for pair in pairs:
        if pair.at is None:
            hint = "split by story instead"
            raise InputError("a pair without a date cannot be split by date", where=pair.story, hint=hint)
        latest[pair.story] = max(pair.at, latest.get(pair.story, pair.at))
    return sorted(latest, key=lambda story: (latest[story], story), reverse=True)


def pair_of_row(row: Row, place: str) -> CausalPair:
    """The pair of a row; it has no story if the row names none.

    Args:
        row: values by the letters of their names (:func:`.table_formats.by_letters`).

    Raises:
        InputError: it lacks an event or a score, or a value is wrong; the place is named.
    """
    cause, effect = _event(row, place, LEFT, "first"), _event(row, place, RIGHT, "second")
    documents = value_of(row, DOCUMENTS)
    if isinstance(documents, list) and documents:
        cause, effect = _with_document(cause, documents[0]), _with_document(effect, documents[-1])
    common = _time(value_of(row, TIME), place)
    given = value_of(row, SCORE)
    single = given is not None and not _is_listing(given)
    scores = _scores(row, None if single else given, place)
    if not single and not scores:
        raise InputError("there is no score", where=place, hint="a number from 0 to 100, such as causal_score")
    story = value_of(row, STORY_NAME)
    return CausalPair(
        replace(cause, published=cause.published or common),
        replace(effect, published=effect.published or common),
        _score(given, place) if single else mean(scores),
        "" if story is None else str(story).strip(),
        _in_document(row, cause, effect, place),
        scores,
    )


def _event(row: Row, place: str, side: Sequence[str], which: str) -> StoryEvent:
    text = value_of(row, EVENT, side)
    if not isinstance(text, str):
        raise InputError(f"there is no {which} event", where=place, hint="a text in event_a, and one in event_b")
    name, document = value_of(row, EVENT_ID, side), value_of(row, DOCUMENT, side)
    event = StoryEvent(
        text.strip(),
        " ".join(text.split()) if name is None else str(name).strip(),
        published=_time(value_of(row, TIME, side), place),
    )
    if document is not None:
        event = _with_document(event, document)
    number = value_of(row, DOCUMENT_ID, side)
    return event if number is None else replace(event, document=str(number).strip())


def _with_document(event: StoryEvent, document: Any) -> StoryEvent:
    """The event with its document: a text where there are several words, else an id."""
    text = str(document).strip()
    return replace(event, document=text, context=text if len(text.split()) > 1 else "")


def _time(value: Any, place: str) -> Published | None:
    try:
        return parse_time(value)
    except InputError as error:
        raise InputError(error.message, where=place) from error


def _is_listing(value: Any) -> bool:
    return isinstance(value, list | dict) or (isinstance(value, str) and value.strip().startswith(("[", "{")))


def _scores(row: Row, given: Any, place: str) -> tuple[float, ...]:
    """The workers' scores: a list, an object by worker, either of them written as text, or a column each."""
    found = value_of(row, SCORES) if given is None else given
    if found is None:
        found = [value for name, value in row.items() if NUMBERED_SCORE.fullmatch(name)]
    if isinstance(found, str):
        try:
            found = json.loads(found.replace("'", '"'))
        except ValueError as error:
            raise InputError(f"the workers' scores are no list: {found[:40]!r}", where=place) from error
    if isinstance(found, dict):
        found = list(found.values())
    if not isinstance(found, list):
        raise InputError(f"the workers' scores are no list: {str(found)[:40]!r}", where=place)
    return tuple(_score(value, place) for value in found if not is_blank(value))


def _score(value: Any, place: str) -> float:
    try:
        score = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        score = float("nan")
    if not 0 <= score <= 100:
        raise InputError(f"a score must be a number from 0 to 100, not {str(value)[:40]!r}", where=place)
    return score


def _in_document(row: Row, cause: StoryEvent, effect: StoryEvent, place: str) -> bool | None:
    """Whether both events are from one document, as the file says, else by the documents."""
    for names, meant in ((TOGETHER, True), (APART, False)):
        value = value_of(row, names)
        if value is not None:
            return _means_yes(str(value).strip().lower(), place) is meant
    return cause.document == effect.document if cause.document and effect.document else None


def _means_yes(said: str, place: str) -> bool:
    words = set(re.findall(r"[a-z]+", said))
    if said in YES or words & ONE_DOCUMENT:
        return True
    if said in NO or words & TWO_DOCUMENTS:
        return False
    raise InputError(
        f"cannot tell whether {said[:40]!r} means one document or two", where=place, hint="write in-doc or cross-doc"
    )


def _with_stories(pairs: list[CausalPair]) -> list[CausalPair]:
    """The pairs; pairs without a story are named after what they share with others."""
    shared: nx.Graph[tuple[str, str]] = nx.Graph()
    for pair in pairs:
        if not pair.story:
            nx.add_path(shared, _ties(pair))
    names = {tie: f"story {number}" for number, ties in enumerate(nx.connected_components(shared), 1) for tie in ties}
    return [pair if pair.story else replace(pair, story=names[_ties(pair)[0]]) for pair in pairs]


def _ties(pair: CausalPair) -> list[tuple[str, str]]:
    """What other pairs of the same story share with it."""
    documents = [("document", event.document) for event in (pair.cause, pair.effect) if event.document]
    return [("event", pair.cause.name), ("event", pair.effect.name), *documents]
