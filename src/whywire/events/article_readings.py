"""Reads the sentences of articles, each once: their claims and their mentions of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whywire.elements import Claim, ClaimKind, MentionKind
from whywire.events.components import Pair
from whywire.events.mentions import FoundMention, mentions_of_sentence
from whywire.news import Article, Language, Span, split_sentences
from whywire.progress import Stages
from whywire.sentences.claims import claims_of_reading
from whywire.sentences.counterfactual.with_contrapositives import with_contrapositives
from whywire.sentences.reader import SentenceReader

MIN_WORDS = 4
"""A sentence of fewer words is not read: it has no room for a cause and an effect."""


@dataclass(frozen=True)
class ArticleReadings:
    """The claims and mentions in articles of one language.

    Args:
        mentions: in the order of articles and sentences; not all of them describe an event.
        claims: each with the indices of the mentions that are its cause and effect, ``None`` for a counterfactual or
            a derived claim, and the probability that it is worth a link. The event of a claim is still empty.
    """

    mentions: list[FoundMention]
    claims: list[tuple[Claim, Pair | None, float]]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence: the index of its article, the field, its index in the article, and its span in the field."""

    article_index: int
    field: str
    number: int
    span: Span
    text: str

    @property
    def is_read(self) -> bool:
        return self.field == "title" or len(self.text.split()) >= MIN_WORDS


def read_articles(
    articles: Sequence[Article], language: Language, reader: SentenceReader, stages: Stages
) -> ArticleReadings:
    """Read every sentence of titles and texts.

    Args:
        articles: all in one language.
        reader: of that language; a sentence that occurs twice is put to it once.
    """
    with stages.stage("splitting sentences", language):
        sentences = [sentence for index, article in enumerate(articles) for sentence in _sentences(index, article)]
        texts = list(dict.fromkeys(sentence.text for sentence in sentences if sentence.is_read))
    with stages.stage("reading sentences", language, len(texts)) as advance:
        found = reader.read(texts, advance, mentions=True)
    with stages.stage("turning counterfactuals", language):
        if language is Language.ENGLISH:
            found = with_contrapositives(texts, found)
        readings = dict(zip(texts, found, strict=True))
    stages.counts["sentences"] += len(sentences)
    stages.counts["sentences read"] += len(texts)
    result = ArticleReadings([], [])
    for sentence in sentences:
        if sentence.is_read:
            article, reading = articles[sentence.article_index], readings[sentence.text]
            own = list(
                mentions_of_sentence(
                    article, sentence.article_index, sentence.field, sentence.number, sentence.span, reading
                )
            )
            first = len(result.mentions)
            place_of = {(one.mention.span, one.mention.kind): first + at for at, one in enumerate(own)}
            result.mentions.extend(own)
            worth = [relation.edge or 0.0 for relation in (*reading.relations, *reading.denials)]
            for at, claim in enumerate(claims_of_reading(reading, article, sentence.field, sentence.span)):
                if claim.kind is ClaimKind.COUNTERFACTUAL or claim.derived or not (claim.cause and claim.effect):
                    result.claims.append((claim, None, 0.0))
                else:
                    ends = place_of[claim.cause, MentionKind.CAUSE], place_of[claim.effect, MentionKind.EFFECT]
                    result.claims.append((claim, ends, worth[at]))
    return result


def _sentences(index: int, article: Article) -> Iterator[_Sentence]:
    """The title, then the sentences of the text."""
    yield _Sentence(index, "title", 0, (0, len(article.title)), article.title)
    for number, span in enumerate(split_sentences(article.text, article.language), start=1):
        yield _Sentence(index, "text", number, span, article.text[slice(*span)])
