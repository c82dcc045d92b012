"""The main events of an article, as short statements that stand in its text (CRAB 2023, section 3.3).

CRAB has a language model list a document's main events and sorts out by hand what is claim, opinion or fragment. Here
the statements are picked from the text itself: every sentence is cut down to the clause that states its event, what
is no event is left out, and what is left is ranked by how near it lies to the title, to the beginning and to the
rest. So no word is invented, and each statement says where it stands.

Its place decides too: what stands below the lead is mostly background, and only taken where it names a time near the
report, tells in the past of something near the title, or repeats another statement. A headline in the present is an
event where the text tells of one: many have no verb, and an *-s* may be that of a verb or of a plural. Under a
headline that asks or speaks to the reader the lead counts as little as the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from whywire.headlines.model import HeadlineModel
from whywire.news.article import Article, Span
from whywire.news.language import Language
from whywire.news.sentences import split_sentences
from whywire.sentences.reading import Reading
from whywire.stories.clauses import event_clause
from whywire.stories.eventhood import QUOTED_WORDS, Unfit, quoted_spans, unfit
from whywire.stories.tenses import Tense, tense_of
from whywire.stories.when import When, event_time

CLIP_WORDS = 250
"""How much of a text is read where it is clipped: news tells its main events first."""

MOST = 5
"""Statements an article gives at most."""

REPEATED, FLOOR = 0.7, 0.1
"""The chance of telling of the same event from which one statement repeats another; and the chance by the embeddings
alone from which the pair model is asked."""

VOUCHED = 0.3
"""The chance of telling of the same event from which a sentence vouches for its headline."""

OTHER_KINDS = frozenset((Unfit.QUESTION, Unfit.ADDRESS))
"""What a headline is where the text below it hardly tells an event."""

BACKGROUND = timedelta(days=31)
"""How long before its report an event ended that is background."""

LEAD_SENTENCES = 2
TITLE_WEIGHT, LEAD_WEIGHT, REST_WEIGHT = 1.0, 0.5, 0.5
"""What likeness to the title, to the text's beginning and to the other statements counts in the ranking."""

LATE = 0.3
"""How much rank the last statement of a text loses against an equally near first one."""

NAMELESS = 0.25
"""How much rank a statement loses that names nobody and no number: it is hard to read alone."""

RELATED = 0.01
"""The chance, by the embeddings alone, of telling of the title's event, or of that of a statement which does, from
which a statement belongs to the article.

What is under it is another story on the same page, or a far background.
"""

NEAR = 0.05
"""The chance of telling of the title's event from which a statement below the lead that names no time may be one."""

LONGEST_TOKENS = 40
"""A longer statement is not short, and mostly more than one."""

_NAME = re.compile(r"(?<=\W)[A-ZА-ЯЁ\d]")

Read = Callable[[Sequence[str]], Sequence[Reading]]
"""What the sentence model says of sentences."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Words of an article that state one event.

    Args:
        article: the article's id.
        field: ``"title"`` or ``"text"``.
        span: where the words stand: ``getattr(article, field)[start:end]``.
        text: the words.
        sentence: where their whole sentence stands.
        when: the time that the words name; its span is one of ``text``.
        rank: how central the event is to the article; comparable inside one article only.
        repeats: other statements of the same event in this article, the more central first.
        phrased: the event in other words, checked against the article; ``None`` where nobody phrased it.
    """

    article: str
    field: str
    span: Span
    text: str
    sentence: Span
    tense: Tense
    when: When | None = None
    rank: float = 0.0
    repeats: tuple[Statement, ...] = ()
    phrased: str | None = None


def clip(text: str, language: Language, words: int = CLIP_WORDS) -> str:
    """The beginning of a text: as many whole sentences as lie nearest to so many words, one at least."""
    best, end, count = words, 0, 0
    for start, stop in split_sentences(text, language):
        count += len(text[start:stop].split())
        if end and abs(count - words) >= best:
            break
        best, end = abs(count - words), stop
    return text[:end]


def main_events(
    article: Article,
    model: HeadlineModel,
    *,
    read: Read | None = None,
    most: int = MOST,
    words: int | None = CLIP_WORDS,
) -> list[Statement]:
    """The main events of an article, the most central first; none where nothing in it states an event.

    Args:
        model: the model of the article's language.
        read: the sentence model; it parts causes from effects and knows what is only imagined.
        most: how many at most.
        words: clip the text at the sentence end nearest to so many words; ``None`` for all of it.

    Raises:
        MissingExtraError: the words name a time, and dateparser is not installed.
    """
    text = article.text if words is None else clip(article.text, article.language, words)
    found = list(_candidates(article, text, read))
    if not found:
        return []
    opening = split_sentences(text, article.language)[:LEAD_SENTENCES]
    lead = " ".join(text[slice(*span)] for span in opening) or article.title
    vectors = model.embed([article.title, lead, *(statement.text for statement in found)])
    title, beginning, own = vectors[0], vectors[1], vectors[2:]
    likely = model.same_event_by_cosine(own @ title)
    related = likely >= RELATED
    related |= (model.same_event_by_cosine(own @ own[related].T) >= RELATED).any(axis=1)
    found = [statement for statement, kept in zip(found, related, strict=True) if kept]
    own, likely = own[related], likely[related]
    if not found:
        return []
    likeness = (own @ own.T).astype(np.float64)
    ranks = TITLE_WEIGHT * (own @ title) + LEAD_WEIGHT * (own @ beginning) + REST_WEIGHT * likeness.mean(axis=1)
    ranks -= LATE * np.arange(len(found)) / len(found)
    ranks -= NAMELESS * np.array([_NAME.search(statement.text) is None for statement in found])
    same = _same_event(found, own, model)
    stands = _standing(article, found, likely >= NEAR, same, opening)
    groups: list[list[int]] = []
    for number in sorted(range(len(found)), key=lambda n: (-round(float(ranks[n]), 6), n)):
        for group in groups:
            pair = min(group[0], number), max(group[0], number)
            if same.get(pair, 0.0) >= REPEATED or _inside(found[number], found[group[0]]):
                group.append(number)
                break
        else:
            if stands[number]:
                groups.append([number])
    return [_ranked(found, ranks, group) for group in groups[:most]]


def is_background(when: When, article: Article) -> bool:
    """Whether a time lies so long before the report that what happened then is not what the article tells."""
    return article.published is not None and article.published.at.date() - when.end > BACKGROUND


def _standing(
    article: Article,
    found: Sequence[Statement],
    near: NDArray[np.bool_],
    same: Mapping[tuple[int, int], float],
    opening: Sequence[Span],
) -> list[bool]:
    """Whether each statement can be an event by itself; one that cannot may still repeat another.

    Args:
        near: whether each is near the title.
        same: the chance that two statements (i < j) tell of the same event.
        opening: the sentences of the lead, none where there is no text.
    """
    eventful = unfit(article.title, article.language, headline=True) not in OTHER_KINDS
    reach = opening[-1][1] if opening and eventful else 0

    def stands(stated: Statement, close: bool) -> bool:
        if stated.when:
            return not is_background(stated.when, article)
        return stated.sentence[0] < reach or (eventful and close and stated.tense is Tense.PAST)

    standing = [stated.field == "text" and stands(stated, close) for stated, close in zip(found, near, strict=True)]
    if found[0].field == "title":
        vouched = any(one == 0 and chance >= VOUCHED for (one, _), chance in same.items())
        standing[0] = vouched or any(standing) or not opening or found[0].tense is Tense.PAST
    return standing


def _same_event(
    found: Sequence[Statement], vectors: NDArray[np.float32], model: HeadlineModel
) -> dict[tuple[int, int], float]:
    """The chance that two statements (i < j) tell of the same event, for those that are alike at all."""
    cosines = vectors @ vectors.T
    near = np.argwhere(np.triu(model.same_event_by_cosine(cosines) >= FLOOR, 1)).tolist()
    relations = model.ask([(found[i].text, found[j].text) for i, j in near])
    same = model.same_event(relations, np.array([cosines[i, j] for i, j in near], dtype=np.float32))
    return {(i, j): chance for (i, j), chance in zip(near, same.tolist(), strict=True)}


def _ranked(found: Sequence[Statement], ranks: NDArray[np.float64], group: Sequence[int]) -> Statement:
    own = [replace(found[number], rank=round(float(ranks[number]), 4)) for number in group]
    return replace(own[0], repeats=tuple(own[1:]))


def _inside(one: Statement, other: Statement) -> bool:
    """Whether two statements share words of the text."""
    return one.field == other.field and one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _candidates(article: Article, text: str, read: Read | None) -> Iterator[Statement]:
    """Everything in the title and the clipped text that states an event, in the order it stands there."""
    title = (0, len(article.title))
    yield from _fitting(article, "title", title, [event_clause(article.title, title, article.language)])
    quoted = [span for span in quoted_spans(text) if len(text[slice(*span)].split()) >= QUOTED_WORDS]
    sentences = [
        (start, end)
        for start, end in split_sentences(text, article.language)
        if not any(start < stop and begin < end for begin, stop in quoted)
    ]
    readings = read([text[start:end] for start, end in sentences]) if read else [None] * len(sentences)
    for sentence, reading in zip(sentences, readings, strict=True):
        if reading is None or reading.antecedent is None:
            yield from _fitting(article, "text", sentence, _clauses(text, sentence, article.language, reading))


def _clauses(text: str, sentence: Span, language: Language, reading: Reading | None) -> list[Span]:
    """The event of a sentence, or its two where one led to the other and each is stated by itself."""
    whole = event_clause(text, sentence, language)
    for relation in reading.relations if reading else ():
        sides = []
        for start, end in (relation.cause, relation.effect):
            side = event_clause(text, (sentence[0] + start, sentence[0] + end), language)
            if unfit(text[slice(*side)], language) is None:
                sides.append(side)
        if len(sides) == 2:
            return sorted(sides)
    return [whole]


def _fitting(article: Article, field: str, sentence: Span, clauses: Sequence[Span]) -> Iterator[Statement]:
    for start, end in clauses:
        words = getattr(article, field)[start:end]
        if len(words.split()) <= LONGEST_TOKENS and unfit(words, article.language, headline=field == "title") is None:
            when = event_time(words, article.language, article.published)
            yield Statement(article.id, field, (start, end), words, sentence, tense_of(words, article.language), when)
