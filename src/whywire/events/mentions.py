"""Finds mentions of events in articles: headlines, causes and effects of claims, and other clauses.

A clause that is wrongly taken for an event fills the graph with opinions and advice; the sentence model guards
against that. A missed event breaks a chain; so every sentence is read, not only the lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whywire.elements import Mention, MentionKind
from whywire.news.article import Article, Span, overlap
from whywire.news.withdrawals import without_mark, without_verdict
from whywire.sentences.mention_heads import segments
from whywire.sentences.reading import MentionReading, Reading

MIN_EVENT = 0.3
"""The probability of describing an event, happened or planned, from which words are a mention of one.

It is low: a missed event can never be linked, while what is no event mostly gets no links and is not shown.
"""

MIN_STANDALONE = 0.5
"""The probability of being understood alone from which a mention may give an event its title."""


@dataclass(frozen=True, slots=True, eq=False)
class MentionCandidate:
    """A span of an article that may mention an event, with what the sentence model predicts of it.

    Args:
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
        """Whether it can give an event its title: a headline, or words that are understood alone."""
        return self.is_headline or self.reading.alone >= MIN_STANDALONE


def mentions_of_sentence(
    article: Article, field: str, number: int, sentence: Span, reading: Reading
) -> Iterator[MentionCandidate]:
    """The mentions of a sentence: the headline, if it is one, the causes and effects of its claims, and its clauses.

    All causes and effects are included, even if they describe no event: a link may rest on them. A clause is included
    if it describes an event and overlaps no other mention that does. A counterfactual gives no mentions.

    Args:
        field: ``"title"``, which is one sentence, or ``"text"``.
        number: index of the sentence in the article; the headline is 0.
        sentence: its span in that field.
        reading: of the sentence, with mentions.
    """
    text = getattr(article, field)
    by_span = {mention.span: mention for mention in reading.mentions}
    clauses = segments(without_verdict(without_mark(text) if field == "title" else text[slice(*sentence)]))
    relations = (*reading.relations, *reading.denials)
    arguments = [span for relation in relations for span in (relation.cause, relation.effect)]

    def mention_at(kind: MentionKind, span: Span, read: MentionReading) -> MentionCandidate:
        clause, scope = _surroundings(span, clauses, arguments)
        place, around, within = ((sentence[0] + start, sentence[0] + end) for start, end in (span, clause, scope))
        mention = Mention(article.id, field, place, kind)
        return MentionCandidate(article, mention, number, text[slice(*place)], read, around, within)

    whole, *_ = reading.mentions
    taken: list[Span] = []
    if field == "title":
        yield mention_at(MentionKind.HEADLINE, (0, sentence[1] - sentence[0]), whole)
        taken.append(whole.span)
    if reading.antecedent is not None:
        return
    for relation in relations:
        for kind, span in ((MentionKind.CAUSE, relation.cause), (MentionKind.EFFECT, relation.effect)):
            mention = mention_at(kind, span, by_span[span])
            if mention.is_event:
                taken.append(span)
            yield mention
    for span in clauses:
        statement = mention_at(MentionKind.STATEMENT, span, by_span[span])
        if statement.is_event and not any(overlap(span, event) for event in taken):
            yield statement


def _surroundings(span: Span, clauses: Sequence[Span], arguments: Sequence[Span]) -> tuple[Span, Span]:
    """The span of the clauses that a mention overlaps, and the part of it that is the mention's time scope.

    Words between two arguments belong to the first of them: "the dam burst on Friday because of rain".
    """
    touched = [clause for clause in clauses if overlap(clause, span)] or [span]
    start, end = min(touched[0][0], span[0]), max(touched[-1][1], span[1])
    before = any(start < argument[1] <= span[0] for argument in arguments)
    after = [argument[0] for argument in arguments if span[1] <= argument[0] < end]
    return (start, end), (span[0] if before else start, min(after, default=end))
