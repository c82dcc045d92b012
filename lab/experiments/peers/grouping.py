"""Grouping beside scikit-learn, HDBSCAN and BERTopic, on the same embeddings: quality and seconds of the processor.

python -m lab.experiments.peers.grouping quality --python PEERS/bin/python --data DATA
python -m lab.experiments.peers.grouping growth --python PEERS/bin/python [--sizes 1000 3000 10000 30000]

*Quality*: dev topics of two corpora, by their groups. A peer has its default setting, the one that is best on the
corpus's valid topics, and the one that is best on these (which nobody knows beforehand). What is in no cluster is
alone. *Growth*: made-up headlines of thirty days, with vectors and invented words. Vectors are given in either case;
a process is ended after ``LIMIT`` seconds of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from time import process_time

import numpy as np
from lab.experiments.peers.measured import growth, run, table
from lab.experiments.stream_grouping import make_stream
from numpy.typing import NDArray

from whywire.events.article_index import stories_of
from whywire.events.article_readings import embed_articles
from whywire.events.report_vectors import indexed
from whywire.events.stories import separate_stories
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Published
from whywire.pipeline import group
from whywire.progress import Stages
from whywire_lab.corpora.same_event import GroupedHeadline, grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.metrics.classification import pairwise_score
from whywire_lab.metrics.groups import b_cubed
from whywire_lab.tasks.record import provenance

LIMIT = 100
"""Seconds of the processor that one clustering may take."""

SETTINGS: dict[str, list[float]] = {
    "agglomerative": [0.6, *np.arange(0.04, 1.0, 0.04).round(2).tolist()],
    "hdbscan": [5, 2, 3, 10, 20],
    "bertopic": [10, 2, 5, 20],
    "bertopic-online": [50, 10, 20, 100, 200],
}
"""Settings of each peer, its default first; scikit-learn has none, and its time does not depend on it."""

CORPORA = "uci", "ecbplus"


@dataclass(frozen=True)
class Collection:
    """Articles of a collection, their embeddings (articles, size), and the group of each."""

    articles: Sequence[Article]
    vectors: NDArray[np.float32]
    groups: Sequence[str]

    def save(self, path: Path) -> None:
        """Write what the peers are given."""
        documents = np.array([f"{article.title}\n{article.text}" for article in self.articles])
        np.savez(path, vectors=self.vectors, documents=documents)


def main() -> None:
    """Print a table to standard error and all rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["quality", "growth"])
    parser.add_argument("--python", required=True, help="the interpreter that has scikit-learn, hdbscan and bertopic")
    parser.add_argument("--data", type=Path, help="the folder of corpora")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 3000, 10_000, 30_000])
    parser.add_argument("--vectors", type=Path, default=Path(), help="a folder in which embeddings are kept")
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=CORPORA)
    parser.add_argument("--ways", nargs="+", choices=["whywire", *SETTINGS], default=["whywire", *SETTINGS])
    parser.add_argument("--ours", help="measure one of our own ways alone, in this process, on such a size")
    arguments = parser.parse_args()
    if arguments.ours:
        [size] = arguments.sizes
        made_up, started = collection_of(size), process_time()
        print(json.dumps({"labels": OURS[arguments.ours](made_up), "seconds": process_time() - started}))
        return
    rows = [*(quality(arguments) if arguments.do == "quality" else grown(arguments))]
    print(table(rows), file=sys.stderr)
    print(json.dumps({"rows": rows} | provenance(), indent=2))


def quality(arguments: argparse.Namespace) -> Iterable[dict[str, object]]:
    """Each way on the dev topics of each corpus."""
    models, python = LanguageModels(), arguments.python
    for corpus, headlines in grouped_headlines(arguments.data / "same_event").items():
        if corpus not in arguments.corpora:
            continue
        dev, valid = (
            collection(
                [row for row in headlines if part_of_topic(row.topic) == part],
                models,
                arguments.vectors / f"{corpus}-{part}.npy",
            )
            for part in ("dev", "valid")
        )
        for name, way in ours_of(models).items() if "whywire" in arguments.ways else ():
            started = process_time()
            labels = way(dev)
            yield scored(corpus, name, "ships", labels, dev.groups, process_time() - started)
        for name, settings in SETTINGS.items():
            if name not in arguments.ways:
                continue
            found = [*clustered(python, name, dev, settings)]
            elsewhere = [*clustered(python, name, valid, settings)]
            fits = {"best on valid topics": best(elsewhere, valid.groups), "best here": best(found, dev.groups)}
            if name != "agglomerative":
                fits = {"default": 0} | fits
            for why, at in fits.items():
                setting = f"{why}: {found[at]['setting']:g}"
                yield scored(corpus, name, setting, found[at]["labels"], dev.groups, found[at]["seconds"])


def ours_of(models: LanguageModels) -> dict[str, Callable[[Collection], Sequence[object]]]:
    """Our ways to find stories: from the vectors alone, with words as builds do, and all that `group` does."""
    return OURS | {
        "whywire group, stories (with passes of the model)": lambda given: (
            group(given.articles, models=models).stories
        ),
        "whywire group, events (with passes of the model)": lambda given: group(given.articles, models=models).events,
    }


def from_vectors(given: Collection) -> list[int]:
    """The stories of a collection, by the embeddings and times alone."""
    found = separate_stories(given.vectors, [article.published for article in given.articles])
    return numbered(found, len(given.articles))


def with_words(given: Collection) -> list[int]:
    """The stories of a build, by embeddings, words and times."""
    rows = {article.id: at for at, article in enumerate(given.articles)}
    found = stories_of([*map(indexed, given.articles, given.vectors)])
    return numbered([[rows[name] for name in story] for story in found], len(rows))


OURS: dict[str, Callable[[Collection], Sequence[object]]] = {
    "whywire, vectors alone": from_vectors,
    "whywire, as builds do": with_words,
}


def numbered(groups: Iterable[Iterable[int]], size: int) -> list[int]:
    """The number of the group of each item."""
    labels = [-1] * size
    for number, members in enumerate(groups):
        for member in members:
            labels[member] = number
    return labels


def clustered(python: str, name: str, given: Collection, settings: Sequence[float]) -> Iterable[dict[str, object]]:
    """What a peer makes of a collection at each setting; an ended process has no more rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.npz"
        given.save(path)
        command = [python, "-m", "lab.experiments.peers.clusterings", name, str(path), *map(str, settings)]
        measured = run(command, limit=LIMIT * len(settings))
    for line in measured.output.splitlines():
        row = json.loads(line)
        alone = count(1)
        row["labels"] = [label if label >= 0 else -next(alone) for label in row["labels"]]
        yield row | {"megabytes": measured.megabytes}


def best(found: Sequence[Mapping[str, object]], groups: Sequence[str]) -> int:
    """The place of the setting with the best F1 of pairs."""
    return int(np.argmax([pairwise_score(row["labels"], groups).f1 for row in found]))


def scored(
    corpus: str, name: str, setting: str, labels: Sequence[object], groups: Sequence[str], seconds: float
) -> dict[str, object]:
    """A row of the table."""
    pairs, items = pairwise_score(labels, groups), b_cubed(labels, groups)
    return {
        "corpus": corpus,
        "way": name,
        "setting": setting,
        "groups (true)": f"{len(set(labels))} ({len(set(groups))})",
        "pairs: precision": 100 * pairs.precision,
        "recall": 100 * pairs.recall,
        "F1": 100 * pairs.f1,
        "B³ F1": 100 * items.f1,
        "s": seconds,
    }


def collection(headlines: Sequence[GroupedHeadline], models: LanguageModels, kept: Path) -> Collection:
    """Headlines of a corpus with the embeddings of the pair model, which are kept in a file."""
    articles = [
        Article(
            id=str(number),
            title=row.title,
            text=row.lead,
            language=Language.ENGLISH,
            published=row.published and Published(row.published),
        )
        for number, row in enumerate(headlines)
    ]
    if not kept.exists():
        np.save(kept, embed_articles(articles, Language.ENGLISH, models.pairs(Language.ENGLISH), Stages(None)))
    return Collection(articles, np.load(kept), [row.group for row in headlines])


def collection_of(size: int) -> Collection:
    """Made-up headlines: the vectors, times and events of `stream_grouping`, with words of the event and others."""
    vectors, times, events = make_stream(size)
    articles = [article(number, event, time) for number, (event, time) in enumerate(zip(events, times, strict=True))]
    return Collection(articles, vectors, [str(event) for event in events])


def article(number: int, event: int, time: datetime) -> Article:
    """A headline of four of the six words of its event, and three that any headline may have."""
    chance, own = random.Random(number), random.Random(f"event {event}")
    words = chance.sample([word(own) for _ in range(6)], 4) + [
        word(random.Random(chance.randrange(300))) for _ in "abc"
    ]
    return Article(str(number), " ".join(words), language=Language.ENGLISH, published=Published(time))


def word(chance: random.Random) -> str:
    """A word of three syllables that no language has."""
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3))


def grown(arguments: argparse.Namespace) -> Iterable[dict[str, object]]:
    """Seconds and memory of each way at each size, for as long as it ends in time."""
    ours = [(name, [0.0]) for name in OURS if "whywire" in arguments.ways]
    for name, settings in [*ours, *((name, SETTINGS[name]) for name in SETTINGS if name in arguments.ways)]:
        seconds: list[float] = []
        for size in arguments.sizes:
            row: dict[str, object] = {"way": name, "headlines": size}
            if name in OURS:
                command = [sys.executable, "-m", "lab.experiments.peers.grouping", "growth"]
                measured = run([*command, "--python", "-", "--ours", name, "--sizes", str(size)], limit=LIMIT)
                found = [json.loads(measured.output) | {"megabytes": measured.megabytes}] if measured.output else []
            else:
                found = [*clustered(arguments.python, name, collection_of(size), settings[:1])]
            if not found:
                yield row | {"s": f"ended after {LIMIT}"}
                break
            seconds.append(found[0]["seconds"])
            pairs = pairwise_score(found[0]["labels"], collection_of(size).groups)
            exponent = growth(arguments.sizes[: len(seconds)], seconds) if len(seconds) > 1 else None
            yield row | {
                "s": seconds[-1],
                "exponent": exponent,
                "MB": found[0]["megabytes"],
                "F1 of pairs": 100 * pairs.f1,
            }


if __name__ == "__main__":
    main()
