"""What to label next: pairs of headlines as items of annotation, the most useful first."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.annotation.items import HeadlinePair
from whywire.annotation.priorities import (
    USUAL,
    Floats,
    Reason,
    disagreement,
    hard_negatives,
    refutations,
    uncertainty,
    urgency,
)
from whywire.api.group import group
from whywire.api.predicted_pairs import Effect, predicted_pairs
from whywire.api.question_rows import headlines_of
from whywire.api.relate import relate
from whywire.errors import InputError
from whywire.events.candidates import candidate_pairs
from whywire.events.headline_events import MAX_NEIGHBOURS
from whywire.graph.codec import Row, time_text
from whywire.language_models import LanguageModels
from whywire.news import Article, Published
from whywire.pairs.relations import RELATIONS
from whywire.pipeline import LANGUAGES
from whywire.progress import NoProgress, Progress

FILTERS = ("hyperlink", "same_site", "near", "different_places")
"""Fields of the rows of ``whywire pairs`` that say which filter keeps a pair."""


@dataclass(frozen=True, slots=True)
class UrgentPair:
    """A pair to be labelled.

    Args:
        item: its *priority* is the share of the other pairs that are less urgent by the reason, 0 to 1.
        reason: by which it ranks highest.
    """

    item: HeadlinePair
    reason: Reason


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two headlines that may be labelled.

    Args:
        similarity: their cosine; ``None`` if nobody has measured it.
        filters: the share of the filters that keep the pair, 0 to 1; ``None`` if nobody has asked them.
        prior: how causal either headline alone looks, 0 to 1; ``None`` if nobody has asked.
        predicted: how well one fits what the other was predicted to lead to, 0 to 1; ``None`` without a prediction.
    """

    left: Article
    right: Article
    similarity: float | None = None
    filters: float | None = None
    prior: float | None = None
    predicted: float | None = None


def candidate_of(row: Row) -> CandidatePair:
    """The pair in a row of ``whywire pairs`` or ``relate``.

    Raises:
        InputError: a headline is missing, or cannot be used.
    """
    left, right = headlines_of(row)
    ends = []
    for side, article in (("left", left), ("right", right)):
        name, url = row.get(side), row.get(f"{side}_url")
        ends.append(replace(article, id=name if isinstance(name, str) and name else article.id, url=url or None))
    distance, kept = row.get("distance"), [row[name] for name in FILTERS if name in row]
    if not (distance is None or isinstance(distance, int | float)):
        raise InputError("distance must be a number")
    prior = row.get("prior")
    if not (prior is None or (isinstance(prior, int | float) and 0 <= prior <= 1)):
        raise InputError("prior must be a number from 0 to 1")
    return CandidatePair(
        left=ends[0],
        right=ends[1],
        similarity=None if distance is None else 1 - distance,
        filters=sum(map(bool, kept)) / len(FILTERS) if kept else None,
        prior=prior,
    )


def candidates_among(
    articles: Sequence[Article],
    effects: Sequence[Sequence[Effect]] | None = None,
    *,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[CandidatePair]:
    """The pairs of articles that are nearest neighbours inside four days, with their similarities.

    Args:
        effects: what each article was predicted to lead to; headlines that fit it are pairs, too.
    """
    models, progress = models or LanguageModels(), progress or NoProgress()
    found = []
    for language in LANGUAGES:
        numbers = [number for number, article in enumerate(articles) if article.language is language]
        own = [articles[number] for number in numbers]
        if len(own) > 1:
            advance = progress.start(f"embedding headlines ({language})", len(own))
            model = models.pairs(language)
            vectors = model.embed([article.title for article in own], advance)
            times = [article.published for article in own]
            near = candidate_pairs(vectors, times, neighbours=MAX_NEIGHBOURS, floor=-1.0)
            fits = predicted_pairs(own, vectors, [effects[number] for number in numbers] if effects else [], model)
            for one, other in sorted({*near, *fits}):
                alike = float(vectors[one] @ vectors[other])
                found.append(CandidatePair(own[one], own[other], alike, predicted=fits.get((one, other))))
    return found


def next_pairs(
    candidates: Sequence[CandidatePair],
    reasons: Collection[Reason | str] = USUAL,
    *,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[UrgentPair]:
    """Rank pairs of headlines by how much a label of each would teach.

    A pair is listed once, and pairs of equal headlines not at all.

    Args:
        reasons: those that count.

    Raises:
        InputError: a reason is unknown, or there is none.
    """
    known = set(Reason)
    if not reasons or not set(map(str, reasons)) <= known:
        raise InputError("no such reason to label a pair", hint=f"known are {', '.join(Reason)}")
    by_id = {_id_of(pair): pair for pair in candidates if pair.left.title != pair.right.title}
    pairs, models = list(by_id.values()), models or LanguageModels()
    if not pairs:
        return []
    related = relate([(pair.left, pair.right) for pair in pairs], models=models, progress=progress)
    probabilities = np.array([relation.probabilities for relation in related]).reshape(-1, len(RELATIONS))
    wanted = [Reason(reason) for reason in Reason if reason in set(map(str, reasons))]
    scores: dict[Reason, Floats] = {}
    for reason in wanted:
        match reason:
            case Reason.FILTERS:
                scores[reason] = np.array([pair.filters or 0.0 for pair in pairs])
            case Reason.UNCERTAINTY:
                scores[reason] = uncertainty(probabilities)
            case Reason.DISAGREEMENT:
                same = np.array([relation.same_event for relation in related])
                scores[reason] = disagreement(same, _together(pairs, models, progress))
            case Reason.HARD_NEGATIVES:
                scores[reason] = hard_negatives(probabilities, _similarities(pairs, models))
            case Reason.PRIOR:
                scores[reason] = hard_negatives(probabilities, np.array([pair.prior or 0.0 for pair in pairs]))
            case Reason.PREDICTED:
                scores[reason] = hard_negatives(probabilities, np.array([pair.predicted or 0.0 for pair in pairs]))
            case Reason.REFUTATIONS:
                scores[reason] = refutations(probabilities)
    table = np.stack([urgency(scores[reason]) for reason in wanted])
    strongest = table.argmax(axis=0)
    urgent = [
        UrgentPair(_item(name, pair, float(table[place, number])), wanted[place])
        for number, (name, pair, place) in enumerate(zip(by_id, pairs, strongest.tolist(), strict=True))
    ]
    return sorted(urgent, key=lambda one: (-one.item.priority, one.item.id))


def _together(pairs: Sequence[CandidatePair], models: LanguageModels, progress: Progress | None) -> NDArray[np.bool_]:
    """Whether the grouping of all headlines has both of a pair in one event (pairs,)."""
    articles = {article.id: article for pair in pairs for article in (pair.left, pair.right)}
    grouped = group(list(articles.values()), models=models, progress=progress)
    event_of: Mapping[str, str] = dict(zip(articles, grouped.events, strict=True))
    return np.array([event_of[pair.left.id] == event_of[pair.right.id] for pair in pairs])


def _similarities(pairs: Sequence[CandidatePair], models: LanguageModels) -> Floats:
    """The cosines of the headlines (pairs,), measured where nobody has."""
    result = np.array([np.nan if pair.similarity is None else pair.similarity for pair in pairs])
    for language in LANGUAGES:
        missing = [
            number
            for number, pair in enumerate(pairs)
            if pair.similarity is None and pair.left.language is language and pair.right.language is language
        ]
        if missing:
            titles = [(pairs[number].left.title, pairs[number].right.title) for number in missing]
            result[missing] = models.pairs(language).similarity(titles)
    measured: Floats = np.nan_to_num(result)
    return measured


def _item(name: str, pair: CandidatePair, priority: float) -> HeadlinePair:
    fields: dict[str, Any] = {}
    for side, article in (("left", pair.left), ("right", pair.right)):
        fields |= {f"{side}_title": article.title, f"{side}_url": article.url or ""}
        fields[f"{side}_published"] = _moment(article.published)
    return HeadlinePair(id=name, priority=round(priority, 4), **fields)


def _moment(published: Published | None) -> Any:
    """When a report appeared; a day alone says too little of which of two was first."""
    return None if published is None or published.day_only else published.at


def _id_of(pair: CandidatePair) -> str:
    """The same for the same headlines and times, in either order."""
    words = sorted(f"{article.title}\0{time_text(article.published) or ''}" for article in (pair.left, pair.right))
    return f"p-{hashlib.sha256(chr(0).join(words).encode('utf-8', 'replace')).hexdigest()[:12]}"
