"""Links that no sentence claims clearly and no headlines show (*judged*): a model scores two mentions of an article.

Which error is worse? A false link, and here no clear sentence supports it. So these links are marked as judged,
events that are linked otherwise get none, only the few most likely pairs of an article are judged, and an article may
well have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whywire.elements import ClaimKind, JudgedEvidence, Link, LinkKind
from whywire.events.candidates import Pair
from whywire.events.event_groups import EventTable
from whywire.events.mentions import MentionCandidate
from whywire.links.mention_pair_model import MentionPairModel
from whywire.links.order import order_of_events
from whywire.links.strength import is_sufficient, strength
from whywire.news import Language
from whywire.pairs.model import PairModel
from whywire.progress import Stages

MAX_CAUSES = 3
"""Most causes of one event that are judged."""

MAX_PAIRS = 4
"""Most pairs of one article that are judged; each costs two passes of the judge of direct causes."""


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """Two events one of which may have led to the other.

    Args:
        source, target: indices of the events.
        cause, effect: mentions of these events in one article, the pair that makes a link most likely.
        odds: log-odds of a link without the judge of direct causes.
    """

    source: int
    target: int
    cause: MentionCandidate
    effect: MentionCandidate
    odds: float


def select_candidates(
    model: MentionPairModel,
    stories: Iterable[tuple[Sequence[MentionCandidate], Mapping[Pair, float]]],
    event_of: Mapping[MentionCandidate, int],
    possible: Callable[[int, int], bool],
) -> list[JudgedCandidate]:
    """The pairs of events to be judged, most likely first, each in one direction.

    Args:
        stories: the mentions of each story, and the probabilities that claims are worth a link, by the indices of
        cause
            and effect among the mentions.
        event_of: the index of the event of each mention.
        possible: whether nothing known forbids that one event led to another.
    """
    candidates = []
    for story, claimed in stories:
        for i, j, odds in model.candidates(story, claimed):
            cause, effect = story[i], story[j]
            candidates.append(JudgedCandidate(event_of[cause], event_of[effect], cause, effect, odds))
    candidates.sort(key=lambda candidate: -candidate.odds)
    chosen: dict[Pair, JudgedCandidate] = {}
    causes: Counter[int] = Counter()
    judged_of: Counter[str] = Counter()
    for candidate in candidates:
        pair, article = (candidate.source, candidate.target), candidate.cause.article.id
        if pair[0] == pair[1] or pair in chosen or pair[::-1] in chosen:
            continue
        if causes[candidate.target] < MAX_CAUSES and judged_of[article] < MAX_PAIRS and possible(*pair):
            chosen[pair] = candidate
            causes[candidate.target] += 1
            judged_of[article] += 1
    return list(chosen.values())


def mentions_of_stories(table: EventTable) -> list[tuple[list[MentionCandidate], dict[Pair, float]]]:
    """For each story its mentions, in order, and the causal claims between them.

    The claims are given as the highest probability of being worth a link, by the indices of cause and effect among
    these mentions.
    """
    stories: list[list[MentionCandidate]] = [[] for _ in table.stories]
    for mention in table.mentions:
        stories[table.story_of[mention.article.id]].append(mention)
    place = {mention: at for story in stories for at, mention in enumerate(story)}
    claimed: list[dict[Pair, float]] = [{} for _ in stories]
    for claim in table.claims:
        if claim.claim.kind is ClaimKind.CAUSAL and claim.ends:
            of_story = claimed[table.story_of[claim.claim.article]]
            pair = place[claim.ends[0]], place[claim.ends[1]]
            of_story[pair] = max(of_story.get(pair, 0.0), claim.link_probability)
    return list(zip(stories, claimed, strict=True))


def judged_links(
    table: EventTable,
    linked: Collection[Pair],
    model: MentionPairModel,
    headlines: PairModel,
    language: Language,
    stages: Stages,
) -> list[Link]:
    """The judged links between events of one article.

    Args:
        linked: pairs of events, by their indices, for which a link is said or shown.
        headlines: scores the causal strength of two mentions, in both directions.
    """
    events = [grouped.event for grouped in table.events]

    def possible(source: int, target: int) -> bool:
        apart = (source, target) not in linked and (target, source) not in linked
        return apart and order_of_events(events[source], events[target]) is not None

    with stages.stage("choosing causes", language):
        chosen = select_candidates(model, mentions_of_stories(table), table.event_of, possible)
    pairs = [(_words(candidate.cause), _words(candidate.effect)) for candidate in chosen]
    with stages.stage("judging causes", language, 2 * len(pairs)) as advance:
        forward = headlines.strengths(pairs, advance)
        backward = headlines.strengths([pair[::-1] for pair in pairs], advance)
    stages.counts["judged pairs"] += 2 * len(pairs)
    probabilities = model.probability(np.array([candidate.odds for candidate in chosen]), forward, backward)
    links = []
    for candidate, likely, judged in zip(chosen, probabilities.tolist(), forward.tolist(), strict=True):
        source, target = events[candidate.source], events[candidate.target]
        probability = likely * (table.title_match[candidate.cause] * table.title_match[candidate.effect])
        evidence = JudgedEvidence(candidate.cause.mention, candidate.effect.mention, probability)
        order = order_of_events(source, target)
        if order and is_sufficient([evidence]):
            link = Link(
                source=source.id,
                target=target.id,
                kind=LinkKind.CAUSES,
                probability=probability,
                strength=strength(probability, judged, 1),
                order=order,
                evidence=(evidence,),
                judged=judged,
            )
            links.append(link)
    return links


def _words(mention: MentionCandidate) -> str:
    return " ".join(mention.words.split())
