"""Reads the sentences of articles: each once, for what it claims and for the mentions of events in it."""

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
"""A sentence of fewer words has no room for a cause and an effect."""


@dataclass(frozen=True)
class ArticleReadings:
    """What the sentences of articles of one language say.

    Args:
        mentions: in the order of articles and sentences; not all of them tell of an event.
        claims: each with the numbers of the mentions that are its cause and effect, ``None`` where there are none,
            and the probability of being worth a link. A claim names the event of its article once that is known.
    """

    mentions: list[FoundMention]
    claims: list[tuple[Claim, Pair | None, float]]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Where a sentence stands: the number of its article, the field, its number in the article, and its span."""

    home: int
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
    """Read every sentence of titles and texts, and note what it claims and what it mentions.

    Args:
        articles: all in one language.
        reader: of that language; a sentence that occurs twice is put to it once.
    """
    with stages.stage("splitting sentences", language):
        sentences = [sentence for home, article in enumerate(articles) for sentence in _sentences(home, article)]
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
            article, reading = articles[sentence.home], readings[sentence.text]
            own = list(
                mentions_of_sentence(article, sentence.home, sentence.field, sentence.number, sentence.span, reading)
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


def _sentences(home: int, article: Article) -> Iterator[_Sentence]:
    """The title, then the sentences of the text."""
    yield _Sentence(home, "title", 0, (0, len(article.title)), article.title)
    for number, span in enumerate(split_sentences(article.text, article.language), start=1):
        yield _Sentence(home, "text", number, span, article.text[slice(*span)])
