"""Asks a second reader about what was read, and returns it as decided with the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whywire.events.article_readings import ArticleReading
from whywire.events.mentions import MentionCandidate
from whywire.news import Article
from whywire.news.sentences import split_sentences
from whywire.progress import Stages, stop_if_asked
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.link_questions import uncertain_links, with_verdicts
from whywire.second_opinions.questions import shortened, verdicts

LINK_TASK = """\
You check which events of a news article led to which others. For each question, say whether the event named by the \
words under "cause" brought about the event named by the words under "effect": without the cause, the effect would \
most likely not have happened as the article tells it.
Say "yes" if the article says so, or if any reader of it takes that for granted. Say "no" for events that only \
follow each other in time, share a topic, are one event told twice, or led to each other the other way round, or if \
the cause led to the effect only through another event that the article tells."""


def with_checked_links(
    articles: Sequence[Article], readings: Mapping[str, ArticleReading], adviser: Adviser, stages: Stages
) -> dict[str, ArticleReading]:
    """The readings of articles with the links that a second reader leaves: one request for each article.

    Args:
        readings: by article id; articles without a reading are not asked about.
    """
    read = [article for article in articles if article.id in readings]
    checked = {}
    with stages.stage("asking about links", adviser.model, len(read)) as advance:
        for article in read:
            stop_if_asked()
            reading = readings[article.id]
            asked = uncertain_links(reading)
            if asked:
                data, questions = link_questions(article, reading)
                answers = verdicts(adviser, LINK_TASK, data, questions)
                reading = with_verdicts(reading, asked, answers, adviser.model)
            checked[article.id] = reading
            stages.counts["links asked about"] += len(asked)
            advance(1)
    return checked


def link_questions(article: Article, reading: ArticleReading) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The title and the sentences that questions about an article need, and the questions."""
    spans = split_sentences(article.text, article.language)
    sentences: dict[int, str] = {}

    def named(mention: MentionCandidate) -> dict[str, Any]:
        if mention.sentence:
            sentences[mention.sentence] = shortened(article.text[slice(*spans[mention.sentence - 1])])
        return {"words": shortened(mention.words), "sentence": mention.sentence}

    questions = [
        {"cause": named(reading.mentions[link.cause_mention]), "effect": named(reading.mentions[link.effect_mention])}
        for link in uncertain_links(reading)
    ]
    numbered = {str(number): sentences[number] for number in sorted(sentences)}
    return {"sentences": {"0": shortened(article.title)} | numbered}, questions
