"""The mentions of events in articles: headlines, the causes and effects of claims, and other sentences.

Which error is worse? A sentence that is no event but counts as one fills the graph with opinions and advice; an event
that is missed breaks a chain. The first is for the sentence model to judge, by the words in their sentence, and the
second is why every sentence is looked at, not the lead alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Mention, MentionKind
from whywire.news.article import Article, Span, overlap
from whywire.sentences.reading import MentionReading, Reading
from whywire.sentences.segments import segments

EVENT = 0.3
"""The probability of telling of an event, happened or planned, from which words are a mention.

It is low, for what is missed can never be linked, while what is no event mostly stays without links and off the page.
"""

ALONE = 0.5
"""The probability of being understood without its sentence from which a mention may name an event."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundMention:
    """A mention, and what the sentence model says of it.

    Args:
        home: number of the article among those read.
        sentence: number of its sentence in the article; the headline is 0.
        reading: vector and probabilities; its span is one of the sentence.
        clause: where the clause around it stands in the article's field.
        reach: the part of the clause whose times are of this mention and not of another one in it.
    """

    mention: Mention
    home: int
    sentence: int
    words: str
    reading: MentionReading
    clause: Span
    reach: Span

    @property
    def is_headline(self) -> bool:
        """Whether it is an article's headline."""
        return self.mention.kind is MentionKind.HEADLINE

    @property
    def is_event(self) -> bool:
        """Whether it tells of an event, happened or planned."""
        return self.reading.actual + self.reading.planned >= EVENT

    @property
    def names(self) -> bool:
        """Whether it can name an event: a headline, or words that can be understood without their sentence."""
        return self.is_headline or self.reading.alone >= ALONE

    @property
    def vector(self) -> NDArray[np.float32]:
        """(size,), unit length: near for mentions of one event."""
        return self.reading.vector


def mentions_of_sentence(
    article: Article, home: int, field: str, number: int, sentence: Span, reading: Reading
) -> Iterator[FoundMention]:
    """The mentions that a sentence may have: the headline it is, the causes and effects of its claims, its clauses.

    All arguments of its relations and denials come, whether they tell of an event or not: a link may rest on them.
    Clauses come where they tell of an event and share no words with those that do. What is only imagined is none.

    Args:
        home: number of the article among those read.
        field: the article's field it stands in; all of a title is one sentence.
        number: of the sentence in the article; the headline is 0.
        sentence: where it stands in that field.
        reading: with its mentions.
    """
    text = getattr(article, field)
    by_span = {one.span: one for one in reading.mentions}
    clauses = segments(text[slice(*sentence)])
    arguments = [span for one in (*reading.relations, *reading.denials) for span in (one.cause, one.effect)]

    def found(kind: MentionKind, span: Span, read: MentionReading) -> FoundMention:
        clause, reach = _surroundings(span, clauses, arguments)
        place, around, within = ((sentence[0] + start, sentence[0] + end) for start, end in (span, clause, reach))
        return FoundMention(
            Mention(article.id, field, place, kind), home, number, text[slice(*place)], read, around, within
        )

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
    """The clause that a mention stands in, all of them where it goes over several, and its reach in there.

    Words between two arguments of claims go with the one before them: "the dam burst on Friday because of rain".
    """
    touched = [clause for clause in clauses if overlap(clause, span)] or [span]
    start, end = min(touched[0][0], span[0]), max(touched[-1][1], span[1])
    before = any(start < other[1] <= span[0] for other in arguments)
    after = [other[0] for other in arguments if span[1] <= other[0] < end]
    return (start, end), (span[0] if before else start, min(after, default=end))
