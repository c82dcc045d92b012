"""Articles and their readers' graphs as rows of token numbers, for the document reader."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from whywire.news import Language
from whywire.news.sentences import split_sentences
from whywire.reading.windows import Place, Window, windows_of
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.keys import articles_by_hash

NEWS = "news_stream"

STATUSES = ("fact", "plan", "claimed", "denied")
HOWS = ("said", "implied", "claimed")


@dataclass(slots=True)
class Document:
    """An article with what a reader drew in it.

    Args:
        group: names the source story; documents of one group are in one fold.
        mentions: ``(window, first token, last token, event)``.
        events: the place of each mention of each event, also of those that no window holds.
        statuses: (events,), places in :data:`STATUSES`.
        links: ``(cause, effect, place in HOWS, sure)``.
        strengths: ``(cause, effect, score 0-100)`` of events of a story.
        main_only: only main events of its story are listed.
    """

    id: str
    language: str
    group: str
    windows: list[Window]
    mentions: list[tuple[int, int, int, int]]
    events: list[list[Place]]
    statuses: list[int]
    links: list[tuple[int, int, int, bool]]
    strengths: list[tuple[int, int, int]]
    main_only: bool


def located(place: Place, windows: Sequence[Window]) -> tuple[int, int, int] | None:
    """The window and the first and the last token of a place; ``None`` where no window holds it in one sentence."""
    name, start, end = place
    for number, window in enumerate(windows):
        inside = [
            at
            for at, (token, sentence) in enumerate(zip(window.places, window.sentences, strict=True))
            if token and sentence >= 0 and token[0] == name and token[1] < end and token[2] > start
        ]
        if inside and len({window.sentences[at] for at in inside}) == 1:
            return number, inside[0], inside[-1]
    return None


def document(article: Mapping[str, str], graph: Mapping[str, Any], group: str, tokenizer: Tokenizer) -> Document:
    """A document of an article and a graph ``{events: [{id, status, mentions: [{field, span}]}], links}``."""
    text = article["text"] or ""
    sentences = split_sentences(text, Language(article["language"]))
    windows = windows_of(article["title"], text, sentences, tokenizer)
    numbers = {event["id"]: number for number, event in enumerate(graph["events"])}
    events = [[(mention["field"], *mention["span"]) for mention in event["mentions"]] for event in graph["events"]]
    mentions = [
        (*where, number)
        for number, places in enumerate(events)
        for place in dict.fromkeys(places)
        if (where := located(place, windows))
    ]
    return Document(
        id=article["id"],
        language=article["language"],
        group=group,
        windows=windows,
        mentions=mentions,
        events=events,
        statuses=[STATUSES.index(event["status"]) for event in graph["events"]],
        links=[
            (numbers[link["cause"]], numbers[link["effect"]], HOWS.index(link["how"]), link["sure"])
            for link in graph.get("links", ())
        ],
        strengths=list(graph.get("strengths", ())),
        main_only=graph.get("main_only", False),
    )


def read_documents(data: Path, tokenizer: Tokenizer, drawn: Iterable[Path] = ()) -> list[Document]:
    """The articles of ``reader_graphs`` and of its stories, then those of label files of spans.

    Args:
        data: the folder of the corpora.
        drawn: label files of :class:`~whywire_lab.labels.rows.ReaderGraph` or ``ReaderStory``. They name articles of
            the news streams, and are left out of a folder without these, such as the release of a campaign.
    """
    folder = data / "reader_graphs"
    groups = _groups(data)
    found = []
    articles = {row["id"]: row for row in json_lines(folder / "articles.jsonl")}
    for graph in json_lines(folder / "graphs.jsonl"):
        article = articles[graph["article"]]
        found.append(document(article, graph, groups(article), tokenizer))
    story_articles = {row["id"]: row for row in json_lines(folder / "story_articles.jsonl")}
    for story in json_lines(folder / "stories.jsonl"):
        for told, graph in _of_story(story, story_articles):
            found.append(document(told, graph, groups(told), tokenizer))
    if (data / NEWS).is_dir():
        found += read_labelled(data, tokenizer, drawn)
    return _joined_by_title(
        found, {row["id"]: row["title"] for row in (*articles.values(), *story_articles.values())}
    )


def read_labelled(data: Path, tokenizer: Tokenizer, drawn: Iterable[Path]) -> list[Document]:
    """The articles of label files of spans; :func:`read_documents` says of which."""
    groups = _groups(data)
    streams = {language: articles_by_hash(data / NEWS, language) for language in ("en", "ru")}
    found = []
    for path in drawn:
        for row in json_lines(path):
            for name, graph in _of_label_story(row) if "pairs" in row else [(row["article"], _with_names(row))]:
                language = next(language for language, stream in streams.items() if name in stream)
                known = streams[language][name]
                article = {
                    "id": name, "language": language, "title": known["title"], "text": known["text"],
                    "set": f"news_stream/{language}", "source_id": known["url"],
                }  # fmt: skip
                found.append(document(article, graph, groups(article), tokenizer))
    return found


def _with_names(row: Mapping[str, Any]) -> dict[str, Any]:
    events = [
        {
            "id": number,
            "status": event["status"],
            "mentions": [{"field": name, "span": [start, end]} for name, start, end in event["mentions"]],
        }
        for number, event in enumerate(row["events"])
    ]
    return {"events": events, "links": row["links"]}


def _of_label_story(story: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hash of each article of a story in the labels, with what the reader found there."""
    for place, name in enumerate(story["articles"]):
        events = [
            (
                number,
                event["status"],
                [
                    {"field": field, "span": [start, end]}
                    for article, field, start, end in event["mentions"]
                    if article == place
                ],
            )
            for number, event in enumerate(story["events"])
        ]
        yield name, _main_events(events, story["pairs"])


def _of_story(
    story: Mapping[str, Any], articles: Mapping[str, Any]
) -> Iterator[tuple[Mapping[str, str], dict[str, Any]]]:
    """Each article of a story of the corpora, with what the reader found there."""
    pairs = [(pair["cause"], pair["effect"], pair["score"]) for pair in story["pairs"]]
    for name in story["articles"]:
        events = [
            (event["id"], event["status"], [mention for mention in event["mentions"] if mention["article"] == name])
            for event in story["events"]
        ]
        yield articles[name], _main_events(events, pairs)


def _main_events(events: Iterable[tuple[Any, str, list[Any]]], pairs: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """The main events that an article mentions, and the scores of their pairs.

    Args:
        events: ``(id, status, mentions in the article)`` of all events of the story.
        pairs: ``(cause, effect, score)`` by the ids of the events.
    """
    told = [{"id": name, "status": status, "mentions": mentions} for name, status, mentions in events if mentions]
    numbers = {event["id"]: number for number, event in enumerate(told)}
    strengths = [
        (numbers[cause], numbers[effect], score)
        for cause, effect, score in pairs
        if cause in numbers and effect in numbers
    ]
    return {"events": told, "links": [], "strengths": strengths, "main_only": True}


def _groups(data: Path) -> Callable[[Mapping[str, str]], str]:
    """Name the source story of an article."""
    systems = {
        row["url"]: row["system_group"]
        for language in ("en", "ru")
        for row in _rows_of(data / NEWS / f"{language}.jsonl")
    }
    wikinews = {row["url"]: row["event"] for row in _rows_of(data / "same_event" / "wikinews.jsonl")}

    def group(article: Mapping[str, str]) -> str:
        source = article["source_id"]
        if article["set"].startswith("news_stream"):
            return str(systems[source])
        if article["set"] == "same_event/wikinews":
            return f"wikinews {wikinews[source]}"
        return f"{article['set']} {source.split('-')[0]}"

    return group


def _rows_of(path: Path) -> Iterable[Mapping[str, Any]]:
    """The rows of a corpus that may not be there."""
    return json_lines(path) if path.is_file() else ()


def _joined_by_title(documents: list[Document], titles: Mapping[str, str]) -> list[Document]:
    """One group for documents whose titles share most of their long words, and for those of one story."""
    parents: dict[str, str] = {}

    def find(name: str) -> str:
        while parents.setdefault(name, name) != name:
            name = parents[name]
        return name

    by_key: dict[str, list[str]] = defaultdict(list)
    for one in documents:
        words = sorted(set(re.findall(r"\w{4,}", titles.get(one.id, one.id).lower())))
        by_key[" ".join(words)].append(one.group)
        if re.match(r"p\d+\.", one.id):
            by_key[one.id.split(".")[0]].append(one.group)
    for names in by_key.values():
        for name in names[1:]:
            parents[find(name)] = find(names[0])
    for one in documents:
        one.group = find(one.group)
    return documents


def dump(documents: Iterable[Document], path: Path) -> None:
    """Write documents as JSON Lines, for a machine that has neither corpora nor tokenizer."""
    with path.open("w", encoding="utf-8") as lines:
        for one in documents:
            row = {name: getattr(one, name) for name in Document.__slots__}
            row["windows"] = [[window.ids, window.places, window.sentences] for window in one.windows]
            lines.write(json.dumps(row, separators=(",", ":")) + "\n")


def load(path: Path) -> list[Document]:
    """The inverse of :func:`dump`."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["windows"] = [
            Window(ids, [place and tuple(place) for place in places], sentences)
            for ids, places, sentences in row["windows"]
        ]
        row["events"] = [[tuple(place) for place in places] for places in row["events"]]
        for name in ("mentions", "links", "strengths"):
            row[name] = [tuple(one) for one in row[name]]
        found.append(Document(**row))
    return found
