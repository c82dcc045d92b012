"""Which claims deny a link: those that say that its source did not lead to its target.

A denial repeats in a few words what other reports tell at length, and often as mentions that are no events by
themselves. So it denies a link of its story if its cause and effect are mentions of the link's two events, or if
their words are those of such mentions: "gas leak" of "a gas leak at the works". A story may hold several such links,
between what headlines report and what their texts say again, and all of them are denied.

Which error is worse? A link that stands though it was denied. A denial is only listed beside the evidence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Link, LinkKind, round_probability
from whywire.events.denials import said
from whywire.events.event_groups import EventTable, GroupedClaim, GroupedEvent


def with_denials(links: Iterable[Link], table: EventTable) -> Iterator[Link]:
    """The links, causal ones with the denials of their story that deny them, most probable first."""
    grouped = {one.event.id: one for one in table.events}
    denials: defaultdict[int, list[GroupedClaim]] = defaultdict(list)
    for claim in table.claims:
        if claim.claim.kind is ClaimKind.DENIAL:
            denials[table.story_of[claim.claim.article]].append(claim)
    words = cache(lambda event: {said(mention.words) for mention in grouped[event].mentions})
    for link in links:
        ends = grouped[link.source], grouped[link.target]
        found = [
            ClaimEvidence(denial.claim.id, denial.claim.probability)
            for denial in denials.get(table.story_of[ends[0].event.articles[0]], ())
            if link.kind is LinkKind.CAUSES
            and (_joins(denial, *ends) or _says_it(denial.claim, words(link.source), words(link.target)))
        ]
        found.sort(key=lambda one: (-round_probability(one.probability), repr(one)))
        yield replace(link, denied_by=tuple(found)) if found else link


def _joins(claim: GroupedClaim, source: GroupedEvent, target: GroupedEvent) -> bool:
    return claim.ends is not None and claim.ends[0] in source.mentions and claim.ends[1] in target.mentions


def _says_it(claim: Claim, source: Iterable[frozenset[str]], target: Iterable[frozenset[str]]) -> bool:
    """Whether the words of two events, each by the stems of its mentions, are those of cause and effect.

    An effect that is only a pronoun may be any: "it was caused by ice, not fog".
    """
    if claim.cause is None or claim.effect is None:
        return False
    cause, effect = said(claim.words(claim.cause)), said(claim.words(claim.effect))
    both = cause | effect
    blamed = any(_same(cause, one) for one in source if not (effect and both <= one))
    return blamed and (not effect or any(_same(effect, one) for one in target))


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two phrases may name one thing: the longer has all stems of the shorter."""
    return bool(one and other) and (one <= other or other <= one)
