"""Fit from what cosine on two events of articles are one: ``SAME_EVENT`` of whywire.events.event_vectors.

python lab/experiments/event_cosines.py --data DATA

Pairs of events that a build reads in two articles: of the stories whose main events readers listed (one if a main
event has a mention in both), and of pairs of articles whose common events readers listed. Pairs of two events that no
reader listed are left out, and so are those of which readers were unsure. Prints AUC and average precision of the
vectors' meaning, of their words and of both, and the fitted scale and shift, by language.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

import numpy as np
from packs import article_rows, read_packs
from sklearn.metrics import average_precision_score, roc_auc_score

from whywire import Article, Language, LanguageModels
from whywire.events.article_readings import ArticleReading, read_articles
from whywire.events.event_vectors import WORD_SIZE, event_vector
from whywire.progress import Stages
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.files import FOLDER, read_labels
from whywire_lab.labels.keys import short_hash
from whywire_lab.labels.rows import SameEvents
from whywire_lab.metrics.reader_graphs import Place, matches
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.tasks.record import provenance

Pairs = Iterator[tuple[float, float, bool]]
"""Cosines of meaning and of words, and whether the two events are one."""


def main() -> None:
    """Print the scores of both languages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    data = parser.parse_args().data
    models = LanguageModels()
    scores = {language: report(np.array([*pairs(data, language, models)])) for language in ("en", "ru")}
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def report(rows: np.ndarray) -> dict[str, object]:
    """Scores of pairs, (pairs, 3)."""
    meaning, words, one = rows[:, 0], rows[:, 1], rows[:, 2] > 0
    (scale,), shift = fit_platt(((meaning + words) / 2)[:, None], one)
    quality = {
        name: [round(float(score(one, own)), 4) for score in (roc_auc_score, average_precision_score)]
        for name, own in (("meaning", meaning), ("words", words), ("both", meaning + words))
    }
    return {"pairs": len(one), "one event": int(one.sum()), **quality, "scale": scale, "shift": shift}


def pairs(data: Path, language: str, models: LanguageModels) -> Pairs:
    """All labelled pairs of events of two articles."""
    told, packs = article_rows(data, language), read_packs(data, language)
    matched = read_labels(SameEvents, f"same_events_{language}")
    names = dict.fromkeys(
        itertools.chain((name for pack in packs for name in pack.articles), *(row.articles for row in matched))
    )
    articles = [
        Article(name, " ".join(row["title"].split()), row["text"], Language(language))
        for name in names
        for row in [told[name]]
    ]
    read = dict(zip(names, read_articles(articles, Language(language), models, Stages(None)), strict=True))
    for pack in packs:
        listed = {
            name: numbers(read[name], [[place[1:] for place in places if place[0] == name] for places in pack.events])
            for name in pack.articles
        }
        for one, other in itertools.combinations(pack.articles, 2):
            same = {(number, number) for number in range(len(pack.events))}
            yield from compared(read[one], read[other], listed[one], listed[other], same)
    graphs = drawn(data, language)
    for row in matched:
        one, other = row.articles
        listed_pair = [numbers(read[name], graphs[name]) for name in row.articles]
        yield from compared(read[one], read[other], *listed_pair, {*row.same}, {*row.unsure})


def compared(
    one: ArticleReading,
    other: ArticleReading,
    listed_one: Sequence[set[int]],
    listed_other: Sequence[set[int]],
    same: Set[tuple[int, int]],
    unsure: Set[tuple[int, int]] = frozenset(),
) -> Pairs:
    """The pairs of events of two articles.

    Args:
        listed_one, listed_other: the numbers that readers gave each event.
        same, unsure: pairs of such numbers.
    """
    vectors = [
        [event_vector([reading.mentions[at] for at in event]) for event in reading.events] for reading in (one, other)
    ]
    for at, mine in enumerate(listed_one):
        for also, theirs in enumerate(listed_other):
            both = {*itertools.product(mine, theirs)}
            is_one = not same.isdisjoint(both)
            if (mine or theirs) and (is_one or unsure.isdisjoint(both)):
                left, right = vectors[0][at], vectors[1][also]
                meaning = 2 * float(left[:-WORD_SIZE] @ right[:-WORD_SIZE])
                yield meaning, 2 * float(left[-WORD_SIZE:] @ right[-WORD_SIZE:]), is_one


def numbers(reading: ArticleReading, events: Sequence[Sequence[Place]]) -> list[set[int]]:
    """Of each event of a reading the numbers of the readers' events that it is.

    Args:
        events: the places of the mentions of each reader's event in the article.
    """
    places = [(mention.mention.field, *mention.mention.span) for mention in reading.mentions]
    return matches([[places[at] for at in event] for event in reading.events], events)


def drawn(data: Path, language: str) -> dict[str, list[list[Place]]]:
    """The events of the graphs that readers drew of articles of the stream, by the hashes of the articles."""
    articles = {row["id"]: row for row in json_lines(data / "reader_graphs" / "articles.jsonl")}
    found = {}
    for graph in json_lines(data / "reader_graphs" / "graphs.jsonl"):
        name = short_hash(articles[graph["article"]]["source_id"])
        found[name] = [[(own["field"], *own["span"]) for own in event["mentions"]] for event in graph["events"]]
    for row in json_lines(FOLDER / f"reader_graphs_{language}.jsonl"):
        found[row["article"]] = [[tuple(place) for place in event["mentions"]] for event in row["events"]]
    return found


if __name__ == "__main__":
    main()
