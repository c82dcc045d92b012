"""Causal graphs of articles in the form in which ``whywire train documents`` reads them: ``reader_graphs/*.jsonl``.

``articles.jsonl`` has the articles, ``graphs.jsonl`` a graph for each. ``labels/reader_graphs_{language}.jsonl`` are
those of articles with an address once more, as label files of the lab, which have hashes in place of texts. The graph
of a story is written article by article, with the item in ``item``: the events that each article names, and the links
between them.

Lost in this format: links of a story whose ends no one article names both, graphs that were drawn before, roles,
hints, and who answered what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from whywire.annotation.answers import Name, Span
from whywire.annotation.items import Kind
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.language import language_by_letters
from whywire.news.times import parse_time
from whywire.output import json_text
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, agreed_results
from whywire_lab.exchange.releases.release import Release
from whywire_lab.exchange.tables import Row, given_text
from whywire_lab.labels.keys import short_hash

FOLDER = "reader_graphs"
ARTICLES, GRAPHS = "articles.jsonl", "graphs.jsonl"
EMPTY = ("stories.jsonl", "story_articles.jsonl")
"""Files that training reads as well."""

SET = "campaign"


class _Mention(Struct, frozen=True):
    field: str
    span: Span


class _Event(Struct, frozen=True):
    id: Name
    mentions: list[_Mention]
    status: str = "fact"
    main: bool = False


class _Link(Struct, frozen=True):
    cause: Name
    effect: Name
    how: str = "said"
    sure: bool = True


class _Graph(Struct, frozen=True):
    article: Name
    events: list[_Event]
    links: list[_Link]
    item: str = ""


def release(data: LabelledItems, part: str | None = None) -> Release:  # noqa: ARG001
    """The release of the graphs on which people agree.

    Args:
        part: is not used: training holds stories out.
    """
    kept, problems = agreed_results(data)
    found = Release(problems=problems)
    articles: dict[str, Row] = {}
    graphs = []
    for item, result in kept:
        own = [_article_row(item, article) for article in item.articles]
        if clash := next((row["id"] for row in own if articles.get(row["id"], row) != row), None):
            found.problems.append(Problem(item.id, f"left out, since another article has the id {clash!r}"))
            continue
        articles |= {row["id"]: row for row in own}
        told = [_graph_row(item, result.answer, article.id) for article in item.articles]
        graphs += told
        written = {(link["cause"], link["effect"]) for row in told for link in row["links"]}
        for link in result.answer.links:
            if (link.cause, link.effect) not in written:
                reason = f"no article names both ends of the link {link.cause} → {link.effect}"
                found.problems.append(Problem(item.id, reason))
    if graphs:
        for name, rows in ((ARTICLES, articles.values()), (GRAPHS, graphs)):
            found.files[f"{FOLDER}/{name}"] = _lines(rows)
        found.files |= {f"{FOLDER}/{name}": "" for name in EMPTY}
        for language in sorted({row["language"] for row in articles.values()}):
            labels = [
                _label_row(row, article["url"])
                for row in graphs
                if (article := articles[row["article"]])["url"] and article["language"] == language
            ]
            if labels:
                found.files[f"labels/reader_graphs_{language}.jsonl"] = _lines(labels)
    return found


def read(path: Path) -> LabelledItems:
    """Read a folder with ``articles.jsonl`` and ``graphs.jsonl``.

    Raises:
        InputError: one of them is not there.
    """
    collector = Collector(Kind.GRAPH)
    for name in (ARTICLES, GRAPHS):
        if not (path / name).is_file():
            raise InputError("no such file", where=str(path / name))
    articles = {}
    for place, row in collector.rows(path / ARTICLES):
        with collector.row(place, row):
            article = _read_article(row)
            articles[article["id"]] = article
    graphs: dict[str, list[tuple[str, Row, _Graph]]] = defaultdict(list)
    for place, row in collector.rows(path / GRAPHS):
        with collector.row(place, row):
            graph = _checked(row)
            if graph.article not in articles:
                raise InputError(f"there is no article {graph.article!r}")
            graphs[graph.item or graph.article].append((place, row, graph))
    for name, told in graphs.items():
        with collector.row(*told[0][:2]):
            own = dict.fromkeys(graph.article for *_, graph in told)
            collector.add_item({"id": name, "articles": [articles[article] for article in own]})
            collector.add_result({"item": name, "answer": _answer([graph for *_, graph in told])})
    return collector.done()


def _article_row(item: Any, article: Any) -> Row:
    row = {
        "id": article.id,
        "set": SET,
        "source_id": item.id.replace("-", "_"),  # what stands before a hyphen names a story
        "language": str(language_by_letters(f"{article.title} {article.text}")),
        "title": article.title,
        "text": article.text,
        "url": article.url,
    }
    return row | ({"published": article.published.isoformat()} if article.published else {})


def _read_article(row: Row) -> Row:
    published = parse_time(row.get("published"))
    article = {
        "id": given_text(row, "id"),
        "title": given_text(row, "title"),
        "text": row.get("text") or "",
        "url": row.get("url"),
    }
    return {name: value for name, value in article.items() if value} | (
        {"published": published.at} if published else {}
    )


def _graph_row(item: Any, answer: Any, article: str) -> Row:
    title_and_text = {"title": "", "text": ""}
    for own in item.articles:
        if own.id == article:
            title_and_text = {"title": own.title, "text": own.text}
    events = []
    for event in answer.events:
        mentions = [
            {"field": mention.field, "span": list(mention.span)}
            for mention in event.mentions
            if mention.article == article
        ]
        if mentions:
            words = title_and_text[mentions[0]["field"]][slice(*mentions[0]["span"])]
            row = {"id": event.id, "status": event.status, "words": words, "mentions": mentions}
            events.append(row | ({"main": True} if event.main else {}))
    told = {event["id"] for event in events}
    links = [
        {"cause": link.cause, "effect": link.effect, "how": link.how, "sure": link.sure}
        for link in answer.links
        if {link.cause, link.effect} <= told
    ]
    return {"article": article, "item": item.id, "events": events, "links": links}


def _label_row(row: Row, url: str) -> Row:
    """A graph as a label of an article that is published elsewhere: events by their places, no words."""
    places = {event["id"]: place for place, event in enumerate(row["events"])}
    return {
        "article": short_hash(url),
        "events": [
            {
                "status": event["status"],
                "mentions": [[mention["field"], *mention["span"]] for mention in event["mentions"]],
            }
            for event in row["events"]
        ],
        "links": [link | {"cause": places[link["cause"]], "effect": places[link["effect"]]} for link in row["links"]],
    }


def _checked(row: Row) -> _Graph:
    try:
        return msgspec.convert(row, _Graph)
    except msgspec.ValidationError as error:
        raise InputError(str(error)) from None


def _answer(told: list[_Graph]) -> Row:
    """The graph of an item from the graphs of its articles."""
    events: dict[str, Row] = {}
    links: dict[tuple[str, str], Row] = {}
    for graph in told:
        for event in graph.events:
            known = events.setdefault(
                event.id, {"id": event.id, "status": event.status, "main": event.main, "mentions": []}
            )
            known["mentions"] += [
                {"article": graph.article, "field": mention.field, "span": mention.span} for mention in event.mentions
            ]
        links |= {(link.cause, link.effect): msgspec.structs.asdict(link) for link in graph.links}
    return {"events": list(events.values()), "links": list(links.values())}


def _lines(rows: Iterable[Row]) -> str:
    return "".join(json_text(row) + "\n" for row in rows)
