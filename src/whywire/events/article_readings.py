"""Reads articles: the vector of title and lead, their events and links, and the claims of every sentence.

The document reader says which words name events and which event led to which, and gives each mention a vector; the
sentence reader says what each sentence claims, denies or imagines. A claim whose cause and effect are two of the
events is the evidence of a link between them.

A reading depends only on the title, the text and the language of an article, so it can be kept and bound to any other
article with the same words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whywire.events.article_claims import Relation, settled, unreal_in, with_ends
from whywire.events.mentions import MentionCandidate, Sentence, mentions_of_sentence
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, split_sentences
from whywire.news.sentences import of_the_report
from whywire.news.withdrawals import without_mark, without_verdict
from whywire.pairs.model import PairModel
from whywire.pairs.reports import report_of
from whywire.progress import Stages
from whywire.reading.drawing import DrawnGraph, ReadEvent, ReadLink, ReadMention, Status
from whywire.sentences.claims import ReadClaim, claims_of_reading
from whywire.sentences.counterfactual.contrapositive import with_contrapositives
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import Reading

MIN_WORDS = 4
"""Shorter sentences are not read: they have no room for a cause and an effect."""


@dataclass(frozen=True, eq=False, slots=True)
class ArticleReading:
    """What the models read in one article.

    Args:
        vector: of title and lead, (size,), unit length.
        mentions: the headline, then the others in the order of the text.
        events: a partition of the indices of mentions; the first event is the headline's.
        links: which event led to which.
        claims: in the order of sentences.
        unread: characters at the end of the text in which no events were looked for.
        doubtful: links that are not probable enough, most probable first; they link nothing unless somebody confirms
            them.
    """

    vector: NDArray[np.float32]
    mentions: tuple[MentionCandidate, ...]
    events: tuple[tuple[int, ...], ...]
    links: tuple[ReadLink, ...]
    claims: tuple[ReadClaim, ...]
    unread: int = 0
    doubtful: tuple[ReadLink, ...] = ()

    def bound_to(self, article: Article) -> ArticleReading:
        """The reading of another article, or another version of the article, with the same words."""
        if article is self.mentions[0].article:
            return self
        mentions = (
            replace(mention, article=article, mention=replace(mention.mention, article=article.id))
            for mention in self.mentions
        )
        return replace(self, mentions=tuple(mentions))


def read_articles(
    articles: Sequence[Article], language: Language, models: LanguageModels, stages: Stages
) -> list[ArticleReading]:
    """Read titles and texts: embed titles with leads, draw the graph of each article, and read every sentence.

    Args:
        articles: all in one language; a sentence that occurs twice is read once.
    """
    vectors = embed_articles(articles, language, models.pairs(language), stages)
    with stages.stage("reading articles", language, len(articles)) as advance:
        graphs = models.documents().read(articles, advance)
    with stages.stage("splitting sentences", language):
        sentences = [list(_sentences(article)) for article in articles]
        named = [_by_sentence(graph) for graph in graphs]
        texts: dict[str, None] = {}
        for its_sentences, its_mentions in zip(sentences, named, strict=True):
            for sentence in its_sentences:
                if its_mentions[sentence.number] or _may_claim(sentence):
                    texts[sentence.text] = None
    readings = _read([*texts], language, models.sentences(language), stages)
    stages.counts["sentences"] += sum(map(len, sentences))
    stages.counts["sentences read"] += len(texts)
    return [
        _article_reading(article, vector, graph, its_mentions, its_sentences, readings)
        for article, vector, graph, its_mentions, its_sentences in zip(
            articles, vectors, graphs, named, sentences, strict=True
        )
    ]


def embed_articles(
    articles: Sequence[Article], language: Language, model: PairModel, stages: Stages
) -> NDArray[np.float32]:
    """Embed articles by title and lead: (articles, size), unit length."""
    with stages.stage("embedding articles", language, len(articles)) as advance:
        return model.embed([report_of(article) for article in articles], advance)


def _read(texts: Sequence[str], language: Language, reader: SentenceReader, stages: Stages) -> dict[str, Reading]:
    """The readings of sentences, with contrapositives."""
    with stages.stage("reading sentences", language, len(texts)) as advance:
        readings = reader.read(texts, advance)
    with stages.stage("turning counterfactuals", language):
        if language is Language.ENGLISH:
            readings = with_contrapositives(texts, readings)
    return dict(zip(texts, readings, strict=True))


def _article_reading(
    article: Article,
    vector: NDArray[np.float32],
    graph: DrawnGraph,
    named: Mapping[int, Sequence[ReadMention]],
    sentences: Sequence[Sentence],
    readings: Mapping[str, Reading],
) -> ArticleReading:
    mentions: list[MentionCandidate] = []
    place: dict[ReadMention, int] = {}
    denied = {graph.mentions[at] for event in graph.events if _is_denied(event, graph) for at in event.mentions}
    claims: list[ReadClaim] = []
    unreal: list[Relation] = []
    for sentence in sentences:
        if (reading := readings.get(sentence.text)) is None:
            continue
        for mention, candidate in mentions_of_sentence(
            article, sentence, named[sentence.number], reading, graph.title
        ):
            if mention in denied and not candidate.is_headline:
                continue
            if mention is not None:
                place[mention] = len(mentions)
            mentions.append(candidate)
        claims += claims_of_reading(reading, article, sentence.field, sentence.span)
        unreal += unreal_in(sentence, reading)
    events, number = _events(graph, place)
    claims = [with_ends(claim, mentions, events) for claim in claims]
    drawn, doubtful = (_links(graph, links, place, number) for links in (graph.links, graph.doubtful))
    links, uncertain = settled(drawn, doubtful, mentions, events, claims, unreal)
    return ArticleReading(vector, tuple(mentions), events, links, tuple(claims), graph.unread, uncertain)


def _is_denied(event: ReadEvent, graph: DrawnGraph) -> bool:
    """Whether the article only says of an event that it did not happen."""
    return all(graph.mentions[at].status is Status.DENIED for at in event.mentions)


def _events(
    graph: DrawnGraph, place: Mapping[ReadMention, int]
) -> tuple[tuple[tuple[int, ...], ...], dict[int, int]]:
    """The events whose mentions are kept, the headline's first, and their numbers by the numbers in the graph.

    A headline that only denies something is an event all the same, but without links.

    Args:
        place: the index of each kept mention of the graph; 0 is the headline, which the graph may lack.
    """
    groups = {}
    for number, event in enumerate(graph.events):
        its_mentions = [graph.mentions[at] for at in event.mentions]
        kept = tuple(sorted(place[mention] for mention in its_mentions if mention in place))
        if kept and not _is_denied(event, graph):
            groups[number] = kept
    alone = [] if any(0 in group for group in groups.values()) else [(0,)]
    ordered = sorted([*groups.values(), *alone])
    at = {group: number for number, group in enumerate(ordered)}
    return tuple(ordered), {number: at[group] for number, group in groups.items()}


def _links(
    graph: DrawnGraph, links: Iterable[ReadLink], place: Mapping[ReadMention, int], number: Mapping[int, int]
) -> Iterator[ReadLink]:
    """The links between events that are kept, by their numbers and the indices of mentions here."""
    for link in links:
        if link.cause in number and link.effect in number:
            cause, effect = graph.mentions[link.cause_mention], graph.mentions[link.effect_mention]
            if cause in place and effect in place:
                yield replace(
                    link,
                    cause=number[link.cause],
                    effect=number[link.effect],
                    cause_mention=place[cause],
                    effect_mention=place[effect],
                )


def _by_sentence(graph: DrawnGraph) -> defaultdict[int, list[ReadMention]]:
    """The mentions by the number of their sentence."""
    by_sentence: defaultdict[int, list[ReadMention]] = defaultdict(list)
    for mention in graph.mentions:
        by_sentence[mention.sentence].append(mention)
    return by_sentence


def _may_claim(sentence: Sentence) -> bool:
    """Whether a sentence is read even if it mentions no event."""
    return sentence.field == "title" or len(sentence.text.split()) >= MIN_WORDS


def _sentences(article: Article) -> Iterator[Sentence]:
    """The title, then the sentences of the text that are of the report."""
    yield Sentence("title", 0, (0, len(article.title)), without_verdict(without_mark(article.title)))
    spans = split_sentences(article.text, article.language)
    kept = of_the_report([article.text[slice(*span)] for span in spans])
    for number, (span, is_kept) in enumerate(zip(spans, kept, strict=True), start=1):
        if is_kept:
            yield Sentence("text", number, span, without_verdict(article.text[slice(*span)]))
