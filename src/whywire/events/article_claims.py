"""Claims of sentences and links of articles: which claim says what a link says, and which denies it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from whywire.elements import ClaimKind, Mention
from whywire.events.denials import negates_a_happening, said
from whywire.events.mentions import MentionCandidate, Sentence
from whywire.news.article import Article, Span, overlap
from whywire.news.stems import stems
from whywire.news.withdrawals import is_withdrawn, takes_back, tells_of_error
from whywire.reading.drawing import ReadLink
from whywire.sentences.claims import ReadClaim
from whywire.sentences.contrast import contrasts
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.signals import concedes, effect_is_absent, signal_of

MIN_SHARED = 0.5
"""Two spans name one event if they share at least this part of the shorter."""

MOST_TIMES_LONGER = 6
"""How many times as long as a mention the cause or the effect that contains it may be."""

Events = Sequence[Sequence[int]]


def with_ends(claim: ReadClaim, mentions: Sequence[MentionCandidate], events: Events) -> ReadClaim:
    """The claim with the mentions that are its cause and its effect, if these are of two events.

    A headline that denies a cause tells of neither: "drought won't stop farms" is not the effect of drought.
    """
    if claim.cause is None or claim.effect is None or claim.derived:
        return claim
    cause, effect = (_named_by(span, claim.field, mentions) for span in (claim.cause, claim.effect))
    if cause is None or effect is None:
        return claim
    if claim.kind is ClaimKind.DENIAL and overlap(mentions[cause].mention.span, mentions[effect].mention.span):
        return claim
    event_of = {at: number for number, event in enumerate(events) for at in event}
    return claim if event_of[cause] == event_of[effect] else replace(claim, ends=(cause, effect))


def _named_by(span: Span, field: str, mentions: Sequence[MentionCandidate]) -> int | None:
    """The mention that shares most with a span of a field; in a title, a part is preferred to the headline."""
    best: tuple[float, int] | None = None
    for at, candidate in enumerate(mentions):
        if candidate.mention.field != field:
            continue
        start, end = candidate.mention.span
        shared = min(end, span[1]) - max(start, span[0])
        shorter, longer = sorted((end - start, span[1] - span[0]))
        if shared >= MIN_SHARED * shorter and longer <= MOST_TIMES_LONGER * shorter:
            best = max(best or (0.0, at), (shared / longer, at))
    return best[1] if best else None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that a sentence asserts, or calls prevented, possible or hypothetical: its spans in a field."""

    field: str
    cause: Span
    effect: Span

    def is_within(self, mention: Mention) -> bool:
        """Whether a mention contains both sides."""
        start, end = min(self.cause[0], self.effect[0]), max(self.cause[1], self.effect[1])
        return mention.field == self.field and mention.span[0] <= start and end <= mention.span[1]

    def words(self, article: Article, side: str) -> str:
        """The words of one side, ``"cause"`` or ``"effect"``."""
        start, end = getattr(self, side)
        text: str = getattr(article, self.field)
        return text[start:end]

    def covers(self, cause: Mention, effect: Mention) -> bool:
        """Whether two mentions are the two sides, in either direction."""
        if {cause.field, effect.field} != {self.field}:
            return False
        sides = self.cause, self.effect
        return any(overlap(cause.span, one) and overlap(effect.span, other) for one, other in (sides, sides[::-1]))


def _asserted(claims: Iterable[ReadClaim]) -> list[Relation]:
    """The relations that sentences assert, if they are probable enough to decide."""
    return [
        Relation(claim.field, claim.cause, claim.effect)
        for claim in claims
        if claim.kind is ClaimKind.CAUSAL and not claim.derived and claim.probability >= MIN_CLAIM
        if claim.cause and claim.effect
    ]


def unreal_in(sentence: Sentence, reading: Reading) -> Iterator[Relation]:
    """The relations of a sentence that are no cause of anything: prevented, possible, conditional, only intended."""
    for relation in reading.relations:
        effect = sentence.text[slice(*relation.effect)]
        if (
            not signal_of(sentence.text, relation).sense.happened
            or effect_is_absent(sentence.text, relation.cause, relation.effect)
            or tells_of_error(effect)
        ):
            yield Relation(sentence.field, sentence.in_field(relation.cause), sentence.in_field(relation.effect))


def _is_told(effect: str, cause: str) -> bool:
    """Whether the words of a cause tell of its effect already."""
    wanted = stems(effect)
    return bool(wanted) and len(wanted & stems(cause)) >= MIN_TOLD * len(wanted)


def _is_conceded(cause: MentionCandidate, effect: MentionCandidate) -> bool:
    """Whether one sentence tells of both, and of one of them only as a concession."""
    mentions = cause.mention, effect.mention
    if mentions[0].field != mentions[1].field or cause.sentence != effect.sentence:
        return False
    relation = CausalRelation(mentions[0].span, mentions[1].span)
    return concedes(getattr(cause.article, mentions[0].field), relation)


def _names_it(words: str, event: str) -> bool:
    """Whether words name what an event's words tell, by words for one kind of happening: "the fire", "burned"."""
    named = said(words)
    return bool(named) and named <= said(event)


MIN_TOLD = 2 / 3
"""The share of an effect's stems from which a cause that contains them only repeats the effect.

A headline may tell of more than one event: "Mayor resigns after audit" did not lead to "the mayor resigns". Of 90
links of unseen news that two readers judged, six were of this kind, and none was right.
"""

MIN_CLAIM = 0.7
"""The probability of a claim from which it makes a link of its own, and decides the direction of one.

This threshold raises the F1 of links from .392 to .405 in English and from .392 to .394 in Russian (360 articles of
stories that the document reader had not seen); with all claims F1 is .408 and .388.
"""

CLAIMED, CLAIMED_STRENGTH = 0.41, 60.0
"""Probability and strength of a link that only a claim gives: 41 in 100 such links are right in these articles."""


def settled(
    links: Iterable[ReadLink],
    doubtful: Iterable[ReadLink],
    mentions: Sequence[MentionCandidate],
    events: Events,
    claims: Sequence[ReadClaim],
    unreal: Sequence[Relation],
) -> tuple[tuple[ReadLink, ...], tuple[ReadLink, ...]]:
    """The links that the article asserts: drawn links, directed by its claims, and links that only a claim gives.

    What did not happen leads to something only if a sentence says so. A withdrawn article asserts none. The title of
    a correction repeats what was wrong, unless it says what is right. A relation that a sentence denies, or only
    announces as possible, is not a link, even if the rest of the article states it.

    Returns:
        These links; and those of the doubtful ones that join other events and that nothing in the article rules out.
    """
    article = mentions[0].article
    if is_withdrawn(article.title, article.text):
        return (), ()
    repeats = takes_back(article.title) and not contrasts(article.title)
    event_of = {at: number for number, event in enumerate(events) for at in event}
    denied: set[tuple[int, int]] = set()
    claimed: dict[tuple[int, int], ReadLink] = {}
    for claim in claims:
        if claim.ends:
            cause, effect = (event_of[end] for end in claim.ends)
            if claim.kind is ClaimKind.DENIAL:
                denied.add((cause, effect))
            elif claim.probability >= MIN_CLAIM:
                claimed.setdefault(
                    (cause, effect), ReadLink(cause, effect, *claim.ends, CLAIMED, 1.0, CLAIMED_STRENGTH)
                )

    relations = _asserted(claims)

    def tells(link: ReadLink, relations: Iterable[Relation], side: str) -> bool:
        """Whether the effect of a link is a whole relation, of which the cause of the link tells one side."""
        cause, effect = mentions[link.cause_mention], mentions[link.effect_mention]
        return any(
            one.is_within(effect.mention) and _names_it(one.words(article, side), cause.words) for one in relations
        )

    def stands(link: ReadLink) -> bool:
        cause, effect = mentions[link.cause_mention].mention, mentions[link.effect_mention].mention
        leads = (link.cause, link.effect) in claimed or not negates_a_happening(mentions[link.cause_mention].words)
        return (
            leads
            and not _is_told(mentions[link.effect_mention].words, mentions[link.cause_mention].words)
            and not (repeats and "title" in (cause.field, effect.field))
            and (link.cause, link.effect) not in denied
            and not any(relation.covers(cause, effect) for relation in unreal)
            and not tells(link, unreal, "cause")
            and not _is_conceded(mentions[link.cause_mention], mentions[link.effect_mention])
        )

    drawn = {(link.cause, link.effect): link for link in links}
    asserted = []
    for (cause, effect), link in drawn.items():
        if (effect, cause) in claimed and (cause, effect) not in claimed:
            turned = claimed[effect, cause]
            link = replace(turned, probability=link.probability, strength=link.strength)
        elif tells(link, relations, "effect"):
            if (effect, cause) in drawn:
                continue
            link = replace(
                link, cause=effect, effect=cause, cause_mention=link.effect_mention, effect_mention=link.cause_mention
            )
        asserted.append(link)
    for pair, link in claimed.items():
        if pair not in drawn and pair[::-1] not in drawn and pair[::-1] not in claimed:
            asserted.append(link)
    joined = {frozenset(pair) for pair in (*drawn, *claimed)}
    others = (link for link in doubtful if {link.cause, link.effect} not in joined)
    return tuple(filter(stands, asserted)), tuple(filter(stands, others))
