"""Links that no sentence claims clearly and no headlines show (*judged*): a model scores two mentions of an article.

Which error is worse? A false link, and here no clear sentence supports it. So such links are marked as judged; there
are none between events that have another link; only the most likely few pairs of an article are judged, and none is a
good answer.
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
"""Causes of one event that are judged, at most."""

MAX_PAIRS = 4
"""Pairs of one article that are judged, at most: each costs two passes of the judge of direct causes."""


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """Two events one of which may have led to the other.

    Args:
        source, target: indices of the events.
        cause, effect: the two mentions, of one article, that make it most likely.
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
        stories: the mentions of each, and the probability that a claim is worth a link, by the indices of its cause
            and its effect among these.
        event_of: the index of the event of each mention.
        possible: whether one event may have led to another as far as is known.
    """
    found = []
    for story, claimed in stories:
        for i, j, odds in model.candidates(story, claimed):
            cause, effect = story[i], story[j]
            found.append(JudgedCandidate(event_of[cause], event_of[effect], cause, effect, odds))
    found.sort(key=lambda one: -one.odds)
    chosen: dict[Pair, JudgedCandidate] = {}
    causes: Counter[int] = Counter()
    asked: Counter[str] = Counter()
    for one in found:
        pair, home = (one.source, one.target), one.cause.article.id
        if pair[0] == pair[1] or pair in chosen or pair[::-1] in chosen:
            continue
        if causes[one.target] < MAX_CAUSES and asked[home] < MAX_PAIRS and possible(*pair):
            chosen[pair] = one
            causes[one.target] += 1
            asked[home] += 1
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
    known: Collection[Pair],
    model: MentionPairModel,
    headlines: PairModel,
    language: Language,
    stages: Stages,
) -> list[Link]:
    """The judged links between events of one article.

    Args:
        known: pairs of events, by their indices, that have a link that is said or shown.
        headlines: scores the causal strength of two mentions, in both directions.
    """
    events = [one.event for one in table.events]

    def possible(source: int, target: int) -> bool:
        apart = (source, target) not in known and (target, source) not in known
        return apart and order_of_events(events[source], events[target]) is not None

    with stages.stage("choosing causes", language):
        chosen = select_candidates(model, mentions_of_stories(table), table.event_of, possible)
    pairs = [(_words(one.cause), _words(one.effect)) for one in chosen]
    with stages.stage("judging causes", language, 2 * len(pairs)) as advance:
        forward = headlines.strengths(pairs, advance)
        backward = headlines.strengths([pair[::-1] for pair in pairs], advance)
    stages.counts["judged pairs"] += 2 * len(pairs)
    probabilities = model.probability(np.array([one.odds for one in chosen]), forward, backward)
    links = []
    for one, likely, judged in zip(chosen, probabilities.tolist(), forward.tolist(), strict=True):
        probability = likely * (table.title_match[one.cause] * table.title_match[one.effect])
        evidence = JudgedEvidence(one.cause.mention, one.effect.mention, probability)
        order = order_of_events(events[one.source], events[one.target])
        if order and is_sufficient([evidence]):
            link = Link(
                source=events[one.source].id,
                target=events[one.target].id,
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
