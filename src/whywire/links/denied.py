"""Which claims deny a link: claims that its source did not lead to its target.

A denial repeats in a few words what other reports tell at length, often with words that are no mentions of events. So
it denies a link of its story if its cause and effect are mentions of the link's two events, or if they have the words
of such mentions: "gas leak" and "a gas leak at the works". A story may have several such links, from headlines and
from texts; all of them are denied.

A mention that negates something tells what the denial tells, so it names neither side. A mention with the words of
both sides names only the effect. And a cause that is one word of a long mention is not what the mention tells: "no
fault of the airlines" does not deny that the sale of shares in four airlines led to anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Link, LinkKind, round_probability
from whywire.events.denials import negates, said
from whywire.events.event_groups import EventTable, GroupedClaim, GroupedEvent


def with_denials(links: Iterable[Link], table: EventTable) -> Iterator[Link]:
    """The links; each causal link with the denials of its story that deny it, most probable first."""
    grouped = {event.event.id: event for event in table.events}
    denials: defaultdict[int, list[GroupedClaim]] = defaultdict(list)
    for claim in table.claims:
        if claim.claim.kind is ClaimKind.DENIAL:
            denials[table.story_of[claim.claim.article]].append(claim)
    words = cache(
        lambda event: {said(mention.words) for mention in grouped[event].mentions if not negates(mention.words)}
    )
    for link in links:
        ends = grouped[link.source], grouped[link.target]
        denied_by = [
            ClaimEvidence(denial.claim.id, denial.claim.probability)
            for denial in denials.get(table.story_of[ends[0].event.articles[0]], ())
            if link.kind is LinkKind.CAUSES
            and (_joins(denial, *ends) or _says_it(denial.claim, words(link.source), words(link.target)))
        ]
        denied_by.sort(key=lambda claim: (-round_probability(claim.probability), repr(claim)))
        yield replace(link, denied_by=tuple(denied_by)) if denied_by else link


def _joins(claim: GroupedClaim, source: GroupedEvent, target: GroupedEvent) -> bool:
    return claim.ends is not None and claim.ends[0] in source.mentions and claim.ends[1] in target.mentions


def _says_it(claim: Claim, source: Iterable[frozenset[str]], target: Iterable[frozenset[str]]) -> bool:
    """Whether the cause and the effect of a denial have the words of two events.

    An effect that is only a pronoun may be any event: "it was caused by ice, not fog".

    Args:
        source, target: the stems of each mention of the event.
    """
    if claim.cause is None or claim.effect is None:
        return False
    cause, effect = said(claim.words(claim.cause)), said(claim.words(claim.effect))
    alone = (mention for mention in source if not (effect and cause | effect <= mention))
    blamed = any(_same(cause, mention, LEAST_OF_CAUSE) for mention in alone)
    return blamed and (not effect or any(_same(effect, mention, 0) for mention in target))


LEAST_OF_CAUSE = 0.5
"""The share of the stems of the longer of two phrases for a cause that the shorter must have."""


def _same(one: frozenset[str], other: frozenset[str], least: float) -> bool:
    """Whether two phrases may name one thing: the longer has all stems of the shorter, and few more."""
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= least * len(longer)
