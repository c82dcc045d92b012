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

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Link, LinkKind, round_probability
from whywire.events.denials import said
from whywire.events.event_groups import EventGroups

NO_STORY = -1
"""In the place of the story of an event of another region."""


def with_denials(links: Iterable[Link], groups: EventGroups) -> Iterator[Link]:
    """The links, causal ones with the denials of their story that deny them, most probable first."""
    story_of = {article: at for at, story in enumerate(groups.stories) for article in story}
    number_of = {event.id: number for number, event in enumerate(groups.events)}
    home_of = {one.mention.article: one.article_index for one in groups.mentions}
    denials: defaultdict[int, list[Claim]] = defaultdict(list)
    for claim in groups.claims:
        if claim.kind is ClaimKind.DENIAL:
            denials[story_of[home_of[claim.article]]].append(claim)
    words: defaultdict[int, set[frozenset[str]]] = defaultdict(set)
    if denials:
        for one, event in zip(groups.mentions, groups.event_of, strict=True):
            words[event].add(said(one.words))
    for link in links:
        source, target = number_of[link.source], number_of[link.target]
        story = story_of.get(home_of.get(groups.events[source].articles[0], NO_STORY), NO_STORY)
        found = [
            ClaimEvidence(claim.id, claim.probability)
            for claim in denials.get(story, ())
            if link.kind is LinkKind.CAUSES
            and (_joins(claim, source, target, groups) or _says_it(claim, words[source], words[target]))
        ]
        found.sort(key=lambda one: (-round_probability(one.probability), repr(one)))
        yield replace(link, denied_by=tuple(found)) if found else link


def _joins(claim: Claim, source: int, target: int, groups: EventGroups) -> bool:
    ends = groups.claim_ends.get(claim.id)
    return ends is not None and (groups.event_of[ends[0]], groups.event_of[ends[1]]) == (source, target)


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
