"""Reads articles: the vector of title and lead, and the claims and mentions of every sentence.

A reading depends only on the title, the text and the language of an article, so it can be kept and bound to any other
article with the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from whywire.elements import MentionKind
from whywire.events.mentions import MentionCandidate, mentions_of_sentence
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Span, split_sentences
from whywire.news.sentences import is_boilerplate
from whywire.news.withdrawals import without_mark, without_verdict
from whywire.pairs.model import PairModel
from whywire.pairs.reports import report_of
from whywire.progress import Stages
from whywire.sentences.claims import ReadClaim, claims_of_reading
from whywire.sentences.counterfactual.contrapositive import with_contrapositives
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import Reading
from whywire.sentences.references import in_context

MIN_WORDS = 4
"""Shorter sentences are not read: they have no room for a cause and an effect."""


@dataclass(frozen=True, eq=False, slots=True)
class ArticleReading:
    """What the models read in one article.

    Args:
        vector: (size,), unit length: of title and lead.
        mentions: in the order of sentences, the headline first; not all of them describe an event.
        claims: in the order of sentences.
    """

    vector: NDArray[np.float32]
    mentions: tuple[MentionCandidate, ...]
    claims: tuple[ReadClaim, ...]

    def bound_to(self, article: Article) -> ArticleReading:
        """The reading of another article, or another version of the article, with the same words."""
        if article is self.mentions[0].article:
            return self
        mentions = (
            replace(mention, article=article, mention=replace(mention.mention, article=article.id))
            for mention in self.mentions
        )
        return replace(self, mentions=tuple(mentions))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence to be read.

    Args:
        number: index in the article; the headline is 0.
        span: in the field.
        text: the sentence without marks such as "retracted".
    """

    field: str
    number: int
    span: Span
    text: str

    @property
    def is_read(self) -> bool:
        return self.field == "title" or (len(self.text.split()) >= MIN_WORDS and not is_boilerplate(self.text))


def read_articles(
    articles: Sequence[Article],
    language: Language,
    models: LanguageModels,
    stages: Stages,
    least_probability: float,
) -> list[ArticleReading]:
    """Read titles and texts: embed titles with leads, and read every sentence.

    Args:
        articles: all in one language; a sentence that occurs twice is read once.
        least_probability: of being worth a link, from which both ends of a claim are kept as mentions even if they
            do not describe events by themselves (0 to 1).

    Returns:
        For each article its reading, with one mention for each span.
    """
    vectors = embed_articles(articles, language, models.pairs(language), stages)
    with stages.stage("splitting sentences", language):
        sentences = [list(_sentences(article)) for article in articles]
        texts = list(dict.fromkeys(sentence.text for sentence in chain.from_iterable(sentences) if sentence.is_read))
    readings = _read(texts, language, models.sentences(language), stages)
    stages.counts["sentences"] += sum(map(len, sentences))
    stages.counts["sentences read"] += len(texts)
    return [
        _distinct(ArticleReading(vector, *_mentions_and_claims(article, its_sentences, readings)), least_probability)
        for vector, article, its_sentences in zip(vectors, articles, sentences, strict=True)
    ]


def embed_articles(
    articles: Sequence[Article], language: Language, model: PairModel, stages: Stages
) -> NDArray[np.float32]:
    """Embed articles by title and lead: (articles, size), unit length."""
    with stages.stage("embedding articles", language, len(articles)) as advance:
        return model.embed([report_of(article) for article in articles], advance)


def _read(texts: Sequence[str], language: Language, reader: SentenceReader, stages: Stages) -> dict[str, Reading]:
    """The readings of sentences, with mentions and contrapositives."""
    with stages.stage("reading sentences", language, len(texts)) as advance:
        readings = reader.read(texts, advance, mentions=True)
    with stages.stage("turning counterfactuals", language):
        if language is Language.ENGLISH:
            readings = with_contrapositives(texts, readings)
    return dict(zip(texts, readings, strict=True))


def _mentions_and_claims(
    article: Article, sentences: Sequence[_Sentence], readings: dict[str, Reading]
) -> tuple[tuple[MentionCandidate, ...], tuple[ReadClaim, ...]]:
    mentions: list[MentionCandidate] = []
    claims: list[ReadClaim] = []
    earlier: list[tuple[str, Reading]] = []
    for sentence in sentences:
        if not sentence.is_read:
            continue
        reading = in_context(readings[sentence.text], sentence.text, earlier)
        earlier.append((sentence.text, reading))
        first = len(mentions)
        mentions += mentions_of_sentence(article, sentence.field, sentence.number, sentence.span, reading)
        place_of = {
            (mention.mention.span, mention.mention.kind): at for at, mention in enumerate(mentions[first:], first)
        }
        for claim in claims_of_reading(reading, article, sentence.field, sentence.span):
            if claim.cause and claim.effect and not claim.derived:
                ends = place_of[claim.cause, MentionKind.CAUSE], place_of[claim.effect, MentionKind.EFFECT]
                claim = replace(claim, ends=ends)
            claims.append(claim)
    return tuple(mentions), tuple(claims)


def _distinct(reading: ArticleReading, least_probability: float) -> ArticleReading:
    """The reading with one mention for each span, of those that describe events or are needed by a claim.

    A claim one of whose ends is left out has no ``ends``.
    """
    first: dict[tuple[str, Span], int] = {}
    first_at = [
        first.setdefault((mention.mention.field, mention.mention.span), at)
        for at, mention in enumerate(reading.mentions)
    ]
    likely = [claim.ends for claim in reading.claims if claim.ends and claim.link_probability >= least_probability]
    needed = {first_at[end] for ends in likely for end in ends}
    kept = [
        at
        for at, mention in enumerate(reading.mentions)
        if first_at[at] == at and (mention.is_headline or mention.is_event or at in needed)
    ]
    place = {at: number for number, at in enumerate(kept)}

    def moved(claim: ReadClaim) -> ReadClaim:
        ends = [place[first_at[end]] for end in claim.ends or () if first_at[end] in place]
        return replace(claim, ends=(ends[0], ends[1]) if len(ends) == 2 else None)

    return replace(
        reading, mentions=tuple(reading.mentions[at] for at in kept), claims=tuple(map(moved, reading.claims))
    )


def _sentences(article: Article) -> Iterator[_Sentence]:
    """The title, then the sentences of the text."""
    yield _Sentence("title", 0, (0, len(article.title)), without_verdict(without_mark(article.title)))
    for number, span in enumerate(split_sentences(article.text, article.language), start=1):
        yield _Sentence("text", number, span, without_verdict(article.text[slice(*span)]))
