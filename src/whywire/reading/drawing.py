"""From what the model says of the mentions of an article, and of their pairs, to its events and links.

A mention is kept if it is probably of an event that a careful reader would list; mentions of one event are joined;
and a link rests on all pairs of mentions of its two events: a sentence that says it and a hint elsewhere both count.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models.odds import IDENTITY, calibrated, log_odds, probabilities_of
from whywire.news.article import Span
from whywire.reading.windows import Place


class Status(StrEnum):
    """What an article says of an event."""

    FACT = "fact"
    """The event happened or is happening."""
    PLAN = "plan"
    """The event was decided, announced or is expected."""
    CLAIMED = "claimed"
    """Somebody says that the event happened; nobody confirms it."""
    DENIED = "denied"
    """The event did not happen."""


STATUSES = tuple(Status)

VECTOR_SIZE = 128
"""Numbers of the vector of a mention."""


MOST_DOUBTFUL = 32
"""Most links of an article that are kept though they are not probable enough to be drawn."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities (0 to 1) from which on something is drawn.

    Args:
        event: that a reader lists a mention.
        same: that two mentions are of one event, on average over two groups of them.
        link: that one event led to another.
        doubtful: that one event may have led to another: such links are no links, but worth a question.
    """

    event: float = 0.35
    same: float = 0.5
    link: float = 0.35
    doubtful: float = 0.02


@dataclass(frozen=True, eq=False)
class Logits:
    """What the model says of the candidates of an article, in the order of its text.

    Args:
        places: of the candidates.
        sentences: numbers of their sentences; 0 is the title.
        event: (candidates,), that a reader lists it.
        main: (candidates,), that it is a main event of its story.
        status: (candidates, 4), in the order of :data:`STATUSES`.
        same: (candidates, candidates), symmetric, that two are of one event.
        links: (candidates, candidates, 3): that the row led to the column, that words say so, and how strongly.
        alone: (candidates,), that the words are understood alone.
        vectors: (candidates, :data:`VECTOR_SIZE`), unit length; near for candidates of one event, in any article.
        unread: characters at the end of the text that the model did not read.
    """

    places: Sequence[Place]
    sentences: Sequence[int]
    event: NDArray[np.float32]
    main: NDArray[np.float32]
    status: NDArray[np.float32]
    same: NDArray[np.float32]
    links: NDArray[np.float32]
    alone: NDArray[np.float32]
    vectors: NDArray[np.float32]
    unread: int = 0


@dataclass(frozen=True, slots=True)
class ReadMention:
    """Words that name an event.

    Args:
        field: ``"title"`` or ``"text"``.
        span: half-open character offsets in it.
        sentence: the number of its sentence; the title is 0.
        probability: that a careful reader lists it (0 to 1).
        status: what the article says of the event here.
        alone: the probability that the words are understood without the article (0 to 1).
        vector: (:data:`VECTOR_SIZE`,), unit length; near for mentions of one event, in any article.
    """

    field: str
    span: Span
    sentence: int
    probability: float
    status: Status
    alone: float
    vector: NDArray[np.float32] = dataclasses.field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """An event of an article.

    Args:
        mentions: indices among the mentions of the article, in order; never empty.
        main: the probability that it is a main event of its story (0 to 1).
    """

    mentions: tuple[int, ...]
    main: float


@dataclass(frozen=True, slots=True)
class ReadLink:
    """One event of an article led to another.

    Args:
        cause, effect: indices among the events of the article.
        cause_mention, effect_mention: the mentions of these events that make it likeliest.
        probability: that a careful reader draws it (0 to 1).
        said: the probability that words say it, given that there is a link (0 to 1).
        strength: how much of the effect is owed to the cause, 0 to 100.
        checked_by: the chat model that confirmed it; ``None`` if none was asked, or none answered.
    """

    cause: int
    effect: int
    cause_mention: int
    effect_mention: int
    probability: float
    said: float
    strength: float
    checked_by: str | None = None


def _no_vector() -> NDArray[np.float32]:
    return np.zeros(VECTOR_SIZE, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """The causal graph of an article.

    Args:
        events: a partition of the mentions.
        title: the vector of what the title most probably tells, mention or not; 0 if it tells nothing.
        unread: characters at the end of the text that were not read.
        doubtful: links that are not probable enough to be drawn, most probable first.
    """

    mentions: tuple[ReadMention, ...] = ()
    events: tuple[ReadEvent, ...] = ()
    links: tuple[ReadLink, ...] = ()
    title: NDArray[np.float32] = dataclasses.field(default_factory=_no_vector, compare=False, repr=False)
    unread: int = 0
    doubtful: tuple[ReadLink, ...] = ()


def draw(logits: Logits, thresholds: Thresholds, calibration: Mapping[str, Any] | None = None) -> DrawnGraph:
    """Draw the graph of an article.

    Args:
        calibration: ``{link: {scale, shift}}``, from log-odds of a link to calibrated ones.
    """
    kept = np.flatnonzero(logits.event >= log_odds(thresholds.event)).tolist()
    title = _title_vector(logits)
    if not kept:
        return DrawnGraph(title=title, unread=logits.unread)
    within = np.ix_(kept, kept)
    groups = cluster(logits.same[within], float(log_odds(thresholds.same)))
    mentions = tuple(
        ReadMention(
            field=logits.places[at][0],
            span=logits.places[at][1:],
            sentence=int(logits.sentences[at]),
            probability=float(probabilities_of(logits.event[at])),
            status=STATUSES[int(logits.status[at].argmax())],
            alone=float(probabilities_of(logits.alone[at])),
            vector=logits.vectors[at],
        )
        for at in kept
    )
    main = probabilities_of(logits.main[kept])
    events = tuple(ReadEvent(tuple(group), float(main[group].max())) for group in groups)
    scores, said, strengths = (logits.links[..., column][within] for column in range(3))
    membership = np.zeros((len(groups), len(kept)))
    for number, group in enumerate(groups):
        membership[number, group] = 1
    apart = ~_overlapping(mentions)
    odds = membership @ (np.exp(scores.astype(float)) * apart) @ membership.T
    probability = odds / (1 + odds + odds.T)
    np.fill_diagonal(probability, 0)
    fitted = (calibration or {}).get("link", IDENTITY)

    def link_of(cause: int, effect: int) -> ReadLink:
        pair = np.ix_(groups[cause], groups[effect])
        likely = np.where(apart[pair], scores[pair], -np.inf)
        best = np.unravel_index(int(likely.argmax()), likely.shape)
        return ReadLink(
            cause=cause,
            effect=effect,
            cause_mention=groups[cause][int(best[0])],
            effect_mention=groups[effect][int(best[1])],
            probability=float(calibrated(log_odds(probability[cause, effect]), fitted)),
            said=float(probabilities_of(said[pair].mean())),
            strength=100 * float(probabilities_of(strengths[pair].mean())),
        )

    directed = np.where(probability > probability.T, probability, 0)
    links = [link_of(*pair) for pair in np.argwhere(directed >= thresholds.link).tolist()]
    below = np.argwhere((directed >= thresholds.doubtful) & (directed < thresholds.link))
    likeliest = below[np.argsort(-directed[tuple(below.T)], kind="stable")[:MOST_DOUBTFUL]]
    doubtful = [link_of(*pair) for pair in likeliest.tolist()]
    return DrawnGraph(mentions, events, tuple(links), title, logits.unread, tuple(doubtful))


def _title_vector(logits: Logits) -> NDArray[np.float32]:
    """The vector of the likeliest candidate of the title; 0 if it has none."""
    of_title = [at for at, (name, *_) in enumerate(logits.places) if name == "title"]
    if not of_title:
        return np.zeros(logits.vectors.shape[1], dtype=np.float32)
    best: NDArray[np.float32] = logits.vectors[max(of_title, key=lambda at: float(logits.event[at]))]
    return best


def _overlapping(mentions: Sequence[ReadMention]) -> NDArray[np.bool_]:
    """(mentions, mentions): that two share characters, so that neither is the cause of the other."""
    title = np.array([mention.field == "title" for mention in mentions])
    start, end = np.array([mention.span for mention in mentions]).T
    shared = (start[:, None] < end) & (start < end[:, None])
    overlapping: NDArray[np.bool_] = shared & (title[:, None] == title)
    return overlapping


def cluster(logits: NDArray[np.float32], threshold: float) -> list[list[int]]:
    """Groups of mentions by average linkage, joined while their mean logit reaches the threshold.

    Returns:
        The groups are a partition, in the order of the first members; members in order.
    """
    groups = [[number] for number in range(len(logits))]
    table = logits.astype(float)
    np.fill_diagonal(table, -np.inf)
    while len(groups) > 1:
        one, other = sorted(divmod(int(table.argmax()), len(table)))
        if table[one, other] < threshold:
            break
        sizes = len(groups[one]), len(groups[other])
        mean = (table[one] * sizes[0] + table[other] * sizes[1]) / sum(sizes)
        table[one], table[:, one] = mean, mean
        table[one, one] = -np.inf
        table = np.delete(np.delete(table, other, 0), other, 1)
        groups[one] = sorted(groups[one] + groups.pop(other))
    return sorted(groups)
