"""A checklist of invented sentences: the direction of a claim, and what makes no link.

``claims/en.jsonl`` and ``ru.jsonl`` hold the rows, and nothing is trained on them. A *direction* row names words of
the cause and of the effect, and the connective between them: the sentence models are asked for their relations. *no
link* rows tell of what did not happen, is not sure, is no event or is no part of a report; *link* rows look like
them and make a link: each such row is the text of an article, whose links are looked at.
"""

from __future__ import annotations

import json
from pathlib import Path

from whywire.events.article_readings import ArticleReading, read_articles
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.progress import Stages

FILES = {path.stem: path for path in sorted((Path(__file__).parent / "claims").glob("*.jsonl"))}
"""Paths of the rows, by language."""

EXPECTED = {"direction": "right", "no link": "no link", "link": "link"}
"""The outcome that passes, by the test of a row."""

TITLE = {"en": "News in brief", "ru": "Новости"}
"""The title of the articles, which names no event."""

Row = dict[str, str]
Ends = list[tuple[str, str]]
"""Words of causes and of effects."""


def outcomes(language: str) -> list[tuple[Row, Ends, str]]:
    """Each row of a language, the relations or links that were found in it, and its outcome."""
    rows: list[Row] = [json.loads(line) for line in FILES[language].read_text(encoding="utf-8").splitlines()]
    directions = [row for row in rows if row["test"] == "direction"]
    others = [row for row in rows if row["test"] != "direction"]
    models, own = LanguageModels(), Language(language)
    read = models.sentences(own).read([row["text"] for row in directions])
    articles = [Article(str(number), TITLE[language], row["text"], own) for number, row in enumerate(others)]
    told = read_articles(articles, own, models, Stages(None))
    found: list[tuple[Row, Ends, str]] = []
    for row, reading in zip(directions, read, strict=True):
        text = row["text"]
        ends = [(text[slice(*one.cause)], text[slice(*one.effect)]) for one in reading.relations]
        found.append((row, ends, _direction(row, ends)))
    for row, its_links in zip(others, map(_links, told), strict=True):
        found.append((row, its_links, "link" if its_links else "no link"))
    return found


def _direction(row: Row, ends: Ends) -> str:
    """Where the row's cause and effect are: in the cause and effect of a relation, reversed, or elsewhere."""
    if any(row["cause"] in cause and row["effect"] in effect for cause, effect in ends):
        return "right"
    if any(row["cause"] in effect and row["effect"] in cause for cause, effect in ends):
        return "turned"
    return "other words" if ends else "no relation"


def _links(reading: ArticleReading) -> Ends:
    words = [mention.words for mention in reading.mentions]
    return [(words[link.cause_mention], words[link.effect_mention]) for link in reading.links]
