"""Finds mentions of events in articles: headlines, causes and effects of claims, and other clauses.

Which error is worse? A clause that is no event but counts as one fills the graph with opinions and advice; an event
that is missed breaks a chain. The sentence model guards against the first, by the words in their sentence; against
the second every sentence is read, not the lead alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Mention, MentionKind
from whywire.news.article import Article, Span, overlap
from whywire.news.withdrawals import without_mark, without_verdict
from whywire.sentences.mention_heads import segments
from whywire.sentences.reading import MentionReading, Reading

MIN_EVENT = 0.3
"""The probability of describing an event, happened or planned, from which words are a mention of one.

It is low, for a missed event can never be linked, while what is no event mostly has no links and is not shown.
"""

MIN_STANDALONE = 0.5
"""The probability of being understood without its sentence from which a mention may name an event."""


@dataclass(frozen=True, slots=True, eq=False)
class MentionCandidate:
    """A span of an article that may mention an event, with what the sentence model predicts of it.

    Args:
        article: the one that it stands in.
        sentence: index of its sentence in the article; the headline is 0.
        words: the text of the mention.
        reading: vector and probabilities; its span is relative to the sentence.
        clause: span of the clause around it, in the article's field.
        time_scope: the part of the clause in which a time belongs to this mention and not to another one.
    """

    article: Article
    mention: Mention
    sentence: int
    words: str
    reading: MentionReading
    clause: Span
    time_scope: Span

    @property
    def is_headline(self) -> bool:
        """Whether it is an article's headline."""
        return self.mention.kind is MentionKind.HEADLINE

    @property
    def is_event(self) -> bool:
        """Whether it describes an event, happened or planned."""
        return self.reading.actual + self.reading.planned >= MIN_EVENT

    @property
    def can_name(self) -> bool:
        """Whether it can name an event: a headline, or words that are understood without their sentence."""
        return self.is_headline or self.reading.alone >= MIN_STANDALONE

    @property
    def vector(self) -> NDArray[np.float32]:
        """Unit vector (size,), near those of other mentions of the same event."""
        return self.reading.vector


def mentions_of_sentence(
    article: Article, field: str, number: int, sentence: Span, reading: Reading
) -> Iterator[MentionCandidate]:
    """The mentions of a sentence: the headline it is, the causes and effects of its claims, and its clauses.

    All arguments of relations and denials are included, whether they describe an event or not: a link may rest on
    them. Clauses are included where they describe an event and overlap none that does. A counterfactual has none.

    Args:
        field: ``"title"``, which is one sentence, or ``"text"``.
        number: index of the sentence in the article; the headline is 0.
        sentence: its span in that field.
        reading: of the sentence, with mentions.
    """
    text = getattr(article, field)
    by_span = {one.span: one for one in reading.mentions}
    clauses = segments(without_verdict(without_mark(text) if field == "title" else text[slice(*sentence)]))
    arguments = [span for one in (*reading.relations, *reading.denials) for span in (one.cause, one.effect)]

    def found(kind: MentionKind, span: Span, read: MentionReading) -> MentionCandidate:
        clause, scope = _surroundings(span, clauses, arguments)
        place, around, within = ((sentence[0] + start, sentence[0] + end) for start, end in (span, clause, scope))
        mention = Mention(article.id, field, place, kind)
        return MentionCandidate(article, mention, number, text[slice(*place)], read, around, within)

    whole, *_ = reading.mentions
    taken: list[Span] = []
    if field == "title":
        yield found(MentionKind.HEADLINE, (0, sentence[1] - sentence[0]), whole)
        taken.append(whole.span)
    if reading.antecedent is not None:
        return
    for relation in (*reading.relations, *reading.denials):
        for kind, span in ((MentionKind.CAUSE, relation.cause), (MentionKind.EFFECT, relation.effect)):
            mention = found(kind, span, by_span[span])
            if mention.is_event:
                taken.append(span)
            yield mention
    for span in clauses:
        statement = found(MentionKind.STATEMENT, span, by_span[span])
        if statement.is_event and not any(overlap(span, other) for other in taken):
            yield statement


def _surroundings(span: Span, clauses: Sequence[Span], arguments: Sequence[Span]) -> tuple[Span, Span]:
    """The clauses that a mention overlaps, as one span, and the part of it that is the mention's time scope.

    Words between two arguments of claims belong to the one before them: "the dam burst on Friday because of rain".
    """
    touched = [clause for clause in clauses if overlap(clause, span)] or [span]
    start, end = min(touched[0][0], span[0]), max(touched[-1][1], span[1])
    before = any(start < other[1] <= span[0] for other in arguments)
    after = [other[0] for other in arguments if span[1] <= other[0] < end]
    return (start, end), (span[0] if before else start, min(after, default=end))
