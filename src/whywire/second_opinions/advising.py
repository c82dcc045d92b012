"""Asks a second reader about what was read, and returns it as decided with the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whywire.events.article_readings import ArticleReading
from whywire.events.grouping import Grouping, UncertainMerges
from whywire.events.mentions import MentionCandidate
from whywire.news import Article, Language
from whywire.news.sentences import split_sentences
from whywire.progress import Stages, stop_if_asked
from whywire.reading.drawing import ReadLink
from whywire.second_opinions.link_questions import uncertain_links, with_opinions
from whywire.second_opinions.merge_questions import (
    MOST_QUESTIONS,
    MergeQuestion,
    checked_items,
    merge_questions,
    opinions_of,
    requests,
)
from whywire.second_opinions.questions import Opinion, Questions, SecondReader, Verdict, cut_line

LINK_TASK = """\
You check which events of a news article led to which others. For each question, say whether the event named by the \
words under "cause" brought about the event named by the words under "effect": without the cause, the effect would \
most likely not have happened as the article tells it.
Say "yes" if the article says so, or if any reader of it takes that for granted. Say "no" for events that only \
follow each other in time, share a topic, are one event told twice, or led to each other the other way round, or if \
the cause led to the effect only through another event that the article tells."""

MERGE_TASK = """\
You check which events that articles of one story tell of are the same. For each question, say whether the words of \
"first" and the words of "second", each in its sentence, name one and the same event: the same thing happening to \
the same people or things at the same place and time.
Say "no" for two events of one kind, for a cause and its effect, for a whole and its part, and for something that \
happened and a reaction to it."""


def with_checked_links(
    articles: Sequence[Article], readings: Mapping[str, ArticleReading], reader: SecondReader | None, stages: Stages
) -> Mapping[str, ArticleReading]:
    """The readings of articles with the links that a second reader leaves: one request for each article.

    Args:
        readings: by article id; articles without a reading are not asked about.
    """
    if reader is None:
        return readings
    read = [article for article in articles if article.id in readings]
    checked = {}
    with stages.stage("asking about links", "second reader", len(read)) as advance:
        for article in read:
            stop_if_asked()
            reading = readings[article.id]
            asked = uncertain_links(reading)
            if asked:
                opinions = reader.opinions(link_questions(article, reading, asked))
                reading = with_opinions(reading, asked, opinions)
            checked[article.id] = reading
            stages.counts["links asked about"] += len(asked)
            advance(1)
    return checked


def link_questions(article: Article, reading: ArticleReading, asked: Sequence[ReadLink]) -> Questions:
    """The questions about links of an article, with its title and the sentences around them."""
    spans = split_sentences(article.text, article.language)
    sentences: dict[int, str] = {}

    def named(mention: MentionCandidate) -> dict[str, Any]:
        if mention.sentence:
            sentences[mention.sentence] = cut_line(article.text[slice(*spans[mention.sentence - 1])])
        return {"words": cut_line(mention.words), "sentence": mention.sentence}

    questions = [
        {"cause": named(reading.mentions[link.cause_mention]), "effect": named(reading.mentions[link.effect_mention])}
        for link in asked
    ]
    numbered = {str(number): sentences[number] for number in sorted(sentences)}
    return Questions(LINK_TASK, questions, {"sentences": {"0": cut_line(article.title)} | numbered})


def advised_groups(
    grouping: Grouping,
    groups: list[list[int]],
    uncertain: UncertainMerges,
    reader: SecondReader,
    language: Language,
    stages: Stages,
) -> tuple[list[list[int]], dict[int, str]]:
    """The items of each event as a second reader leaves them, and by item who had a say in it.

    Args:
        groups: without a second reader.
        uncertain: the merges that were uncertain.
    """
    found = grouping.found
    questions = merge_questions(found, uncertain)
    answered: list[tuple[MergeQuestion, Opinion]] = []
    with stages.stage("asking about events", language, len(questions)) as advance:
        for request in requests(questions, [article.id for article in found.articles]):
            stop_if_asked()
            listed = [{"first": _in_context(one.left), "second": _in_context(one.right)} for one in request]
            asked = Questions(MERGE_TASK, listed, most=MOST_QUESTIONS)
            answered += zip(request, reader.opinions(asked), strict=True)
            stages.counts["merges asked about"] += min(len(request), MOST_QUESTIONS)
            advance(len(request))
    if any(opinion.verdict is not Verdict.UNSURE for _, opinion in answered):
        groups = grouping.groups(opinions_of(answered))
    return groups, checked_items(groups, answered)


def _in_context(mention: MentionCandidate) -> dict[str, str]:
    """The words of a mention, the title of its article, and its sentence if that is not the title."""
    article = mention.article
    words = {"words": cut_line(mention.words), "title": cut_line(article.title)}
    if not mention.sentence:
        return words
    span = split_sentences(article.text, article.language)[mention.sentence - 1]
    return words | {"sentence": cut_line(article.text[slice(*span)])}
