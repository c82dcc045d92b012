"""Graphs of articles by prompting a local chat model, beside ours: what they cost, and how much readers would draw.

python -m lab.experiments.peers.graphs articles --data DATA > articles.jsonl
python -m lab.experiments.peers.prompted ENGINE articles.jsonl drawn-ENGINE.jsonl --chat http://127.0.0.1:8790
python -m lab.experiments.peers.graphs score --articles articles.jsonl --kept kept.jsonl --drawn drawn-*.jsonl

Articles are those that two readers drew, with at least one link, the shortest first. They are scored as far as all
engines have got; ours is built from the same ones. Two events are the same as in `reader_links`; a node stands where
its name stands in the article or, where that is not in it word for word, where most of its words are. Links count
either way round, for two of the engines draw none with a direction; *F1, directed* counts the way as well.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from lab.experiments.peers.measured import PRICES, dollars, run, table

from whywire.graph.build_folder import read_graph
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.files import FOLDER
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.metrics.reader_graphs import Counts, Drawn, Place, count, matches
from whywire_lab.tasks.record import provenance

READERS = ("reader_graphs_twice_en.jsonl", "reader_graphs_twice_second_en.jsonl")
"""The first reader is the truth; the second shows how well it can be done."""

SHARED = 2 / 3
"""The share of a name's words that a sentence must have for the name to stand there."""

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^.!?\n]+")


def main() -> None:
    """Print articles, or a table to standard error and all rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["articles", "score"])
    parser.add_argument("--data", type=Path, help="the folder of corpora")
    parser.add_argument("--articles", type=Path, help="what was printed as articles")
    parser.add_argument("--drawn", type=Path, nargs="+", help="what `prompted` wrote, a file an engine")
    parser.add_argument("--kept", type=Path, help="what `recorded_chat` kept")
    arguments = parser.parse_args()
    if arguments.do == "articles":
        print("\n".join(json.dumps(row, ensure_ascii=False) for row in chosen(arguments.data)))
        return
    articles = {row["id"]: row for row in json_lines(arguments.articles)}
    drawn = {
        path.stem.rpartition("-")[2]: {row["article"]: row for row in json_lines(path)} for path in arguments.drawn
    }
    articles = {name: row for name, row in articles.items() if all(name in rows for rows in drawn.values())}
    kept = list(json_lines(arguments.kept))
    first, second = (read_by(reader, articles) for reader in READERS)
    rows = [prompted_row(name, rows, kept, articles, first) for name, rows in drawn.items()]
    rows += [our_row(articles, first), {"way": "second reader"} | scores(first, second)]
    print(table(rows), file=sys.stderr)
    print(json.dumps({"articles": len(articles), "rows": rows} | provenance(), indent=2))


def chosen(data: Path) -> list[dict[str, Any]]:
    """Articles that two readers drew, without those that have no link, the shortest first."""
    stream = articles_by_hash(data / "news_stream", "en")
    rows = [row for row in json_lines(FOLDER / READERS[0]) if row["links"]]
    names = ("url", "source", "published", "title", "text")
    found = [{"id": row["article"]} | {name: stream[row["article"]].get(name) for name in names} for row in rows]
    return sorted(found, key=lambda row: len(row["text"]))


def read_by(file: str, articles: Iterable[str]) -> dict[str, Drawn]:
    """The graphs that a reader drew of some articles."""
    rows = {row["article"]: row for row in json_lines(FOLDER / file)}
    return {
        name: Drawn(
            [[tuple(place) for place in event["mentions"]] for event in rows[name]["events"]],
            {(link["cause"], link["effect"]): link["how"] for link in rows[name]["links"]},
        )
        for name in articles
    }


def prompted_row(
    engine: str,
    drawn: Mapping[str, Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
    articles: Mapping[str, Mapping[str, str]],
    truth: Mapping[str, Drawn],
) -> dict[str, object]:
    """What an engine cost an article, and how well it did."""
    asked = [row for row in kept if row["label"] in {f"{engine}/{name}" for name in articles}]
    read, written = (sum(row[name] for row in asked) / len(articles) for name in ("read", "written"))
    answering = sum(row["seconds"] for row in asked) / len(articles)
    graphs = {name: graph_of(drawn[name], article) for name, article in articles.items()}
    return (
        {
            "way": engine,
            "s an article": answering + mean(drawn[name]["seconds"] for name in articles),
            "questions": len(asked) / len(articles),
            "tokens read": read,
            "written": written,
        }
        | {f"$ a thousand, {model}": 1000 * dollars(read, written, model) for model in PRICES}
        | scores(truth, graphs)
        | {"gave up": sum(bool(drawn[name]["failed"]) for name in articles)}
    )


def our_row(articles: Mapping[str, Mapping[str, str]], truth: Mapping[str, Drawn]) -> dict[str, object]:
    """A build of the same articles."""
    with tempfile.TemporaryDirectory() as name:
        news, out = Path(name) / "news.jsonl", Path(name) / "out"
        news.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in articles.values()))
        measured = run([str(Path(sys.executable).parent / "whywire"), "build", str(news), "--out", str(out)])
        graph = read_graph(out)
    graphs = {}
    for article in articles:
        events = [event for event in graph.events if any(mention.article == article for mention in event.mentions)]
        number = {event.id: at for at, event in enumerate(events)}
        ends = [(link.source, link.target) for link in graph.links if link.kind == "causes"]
        places = [[(one.field, *one.span) for one in event.mentions if one.article == article] for event in events]
        links = {(number[a], number[b]): "drawn" for a, b in ends if a in number and b in number}
        graphs[article] = Drawn(places, links)
    row: dict[str, object] = {"way": "whywire build", "s an article": measured.seconds / len(articles)}
    return row | {"questions": 0, "tokens read": 0, "written": 0} | scores(truth, graphs)


def graph_of(row: Mapping[str, Any], article: Mapping[str, str]) -> Drawn:
    """The graph of an engine, each node at its places in the article."""
    number = {name: at for at, name in enumerate(row["events"])}
    links = {(number[a], number[b]): "drawn" for a, b in row["links"] if a in number and b in number and a != b}
    return Drawn([places_of(name, article) for name in number], links)


def places_of(name: str, article: Mapping[str, str]) -> list[Place]:
    """Where a name stands in title and text; if nowhere, where most of its words stand in one sentence."""
    words = _WORD.findall(name.lower())
    pattern = re.compile(r"\W+".join(map(re.escape, words)), re.IGNORECASE)
    found = [
        (field, *match.span()) for field in ("title", "text") if words for match in pattern.finditer(article[field])
    ]
    return (
        found
        or [place for field in ("title", "text") for place in _most_words(set(words), field, article[field])][:1]
    )


def _most_words(words: set[str], field: str, text: str) -> Iterable[Place]:
    """The part of each sentence that has enough of some words, from the first of them to the last."""
    for sentence in _SENTENCE.finditer(text):
        hits = [word for word in _WORD.finditer(sentence.group().lower()) if word.group() in words]
        if words and len({word.group() for word in hits}) >= SHARED * len(words):
            yield field, sentence.start() + hits[0].start(), sentence.start() + hits[-1].end()


def scores(truth: Mapping[str, Drawn], graphs: Mapping[str, Drawn]) -> dict[str, object]:
    """Nodes and edges an article, and per cent of F1."""
    directed, either = Counts(), Counts()
    for name, gold in truth.items():
        count(gold, graphs[name], directed)
        count(gold, turned(graphs[name], gold), either)
    return {
        "nodes": mean(len(graphs[name].events) for name in truth),
        "edges": mean(len(graphs[name].links) for name in truth),
        "events F1": 100 * directed.event_f1,
        "links: precision": 100 * either.precision,
        "recall": 100 * either.recall,
        "F1": 100 * either.f1,
        "F1, directed": 100 * directed.f1,
    }


def turned(drawn: Drawn, gold: Drawn) -> Drawn:
    """The same graph, with the links turned round that fit the reader's only so."""
    theirs = matches(drawn.events, gold.events)

    def fits(cause: int, effect: int) -> bool:
        return any(pair in gold.links for pair in product(theirs[cause], theirs[effect]))

    links = {(b, a) if fits(b, a) and not fits(a, b) else (a, b): how for (a, b), how in drawn.links.items()}
    return Drawn(drawn.events, links)


if __name__ == "__main__":
    main()
