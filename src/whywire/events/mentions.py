"""The mentions of events in an article: its headline, and the words that the document reader takes for events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Mention, MentionKind
from whywire.news.article import Article, Span, overlap
from whywire.reading.drawing import ReadMention, Status
from whywire.sentences.clauses import segments
from whywire.sentences.reading import Reading

MIN_STANDALONE = 0.5
"""The probability of being understood alone from which a mention may give an event its title."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an article.

    Args:
        field: ``"title"``, which is one sentence, or ``"text"``.
        number: index in the article; the headline is 0.
        span: in the field.
        text: the sentence without marks such as "retracted"; offsets stay valid.
    """

    field: str
    number: int
    span: Span
    text: str

    def within(self, span: Span) -> Span:
        """A span of the field, as a span of this sentence."""
        start, end = span[0] - self.span[0], span[1] - self.span[0]
        return max(0, start), min(end, len(self.text))

    def in_field(self, span: Span) -> Span:
        """A span of this sentence, as a span of the field."""
        return self.span[0] + span[0], self.span[0] + span[1]


@dataclass(frozen=True, slots=True, eq=False)
class MentionReading:
    """What the document reader says of a mention.

    Args:
        vector: (size,), unit length; near for mentions of one event, in any article.
        alone: probability that the words are understood without the article (0 to 1).
        actual: probability that they tell of something that happened, happens or is claimed to (0 to 1).
        planned: probability that they tell of something planned or announced, which has not happened.
    """

    vector: NDArray[np.float32]
    alone: float
    actual: float = 0.0
    planned: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MentionCandidate:
    """A span of an article that mentions an event, with what the document reader says of it.

    Args:
        sentence: index of its sentence in the article; the headline is 0.
        words: the text of the mention.
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
    def can_name(self) -> bool:
        """Whether it can give an event its title: a headline, or words that are understood alone."""
        return self.is_headline or self.reading.alone >= MIN_STANDALONE


def mentions_of_sentence(
    article: Article,
    sentence: Sentence,
    named: Sequence[ReadMention],
    reading: Reading,
    title: NDArray[np.float32],
) -> Iterator[tuple[ReadMention | None, MentionCandidate]]:
    """The mentions of a sentence, each with what the document reader says of it; the headline first, if it is one.

    The longest mention of a title is the headline. A counterfactual gives no other mentions, for what a sentence
    only imagines did not happen.

    Args:
        named: the document reader's mentions in this sentence.
        reading: of the sentence.
        title: the vector of a headline that the document reader takes for no event.
    """
    clauses = segments(sentence.text)
    spans = [sentence.within(mention.span) for mention in named]

    def candidate(kind: MentionKind, span: Span, read: MentionReading) -> MentionCandidate:
        clause, scope = _surroundings(span, clauses, spans)
        place, around, within = map(sentence.in_field, (span, clause, scope))
        mention = Mention(article.id, sentence.field, place, kind)
        words = getattr(article, sentence.field)[slice(*place)]
        return MentionCandidate(article, mention, sentence.number, words, read, around, within)

    headline = None
    if sentence.field == "title":
        headline = max(named, key=lambda mention: mention.span[1] - mention.span[0], default=None)
        whole = 0, sentence.span[1] - sentence.span[0]
        read = _read(headline) if headline else MentionReading(title, 0.0)
        yield headline, candidate(MentionKind.HEADLINE, whole, read)
    if reading.antecedent is not None:
        return
    for mention, span in zip(named, spans, strict=True):
        if mention is not headline:
            yield mention, candidate(MentionKind.STATEMENT, span, _read(mention))


def _read(mention: ReadMention) -> MentionReading:
    planned = mention.status is Status.PLAN
    return MentionReading(
        mention.vector,
        mention.alone,
        actual=0.0 if planned else mention.probability,
        planned=mention.probability if planned else 0.0,
    )


def _surroundings(span: Span, clauses: Sequence[Span], mentions: Sequence[Span]) -> tuple[Span, Span]:
    """The span of the clauses that a mention overlaps, and the part of it that is the mention's time scope.

    Words between two mentions belong to the first of them: "the dam burst on Friday because of rain".
    """
    touched = [clause for clause in clauses if overlap(clause, span)] or [span]
    start, end = min(touched[0][0], span[0]), max(touched[-1][1], span[1])
    before = any(start < mention[1] <= span[0] for mention in mentions)
    after = [mention[0] for mention in mentions if span[1] <= mention[0] < end]
    return (start, end), (span[0] if before else start, min(after, default=end))
