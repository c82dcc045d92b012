"""Measure the strength that the document reader gives pairs of main events, against readers' scores.

python lab/experiments/pack_strengths.py --data DATA --language en [--labels STORIES]

Of each pair of main events that one article tells of, in that article: the score of the document reader's third head
(0 to 100, the highest of the mentions of both; the mean over articles), forward and backward. Prints the correlation
with the readers' scores, the share of pairs graded 20 and more whose backward score is lower, and the macro F1 of
CRAB's four classes, by fixed bounds and by bounds chosen on the other half of the packs.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from packs import CLASSES
from sklearn.metrics import f1_score

from whywire import Article, Language
from whywire.models.odds import probabilities_of
from whywire.reading.document_reader import DocumentReader
from whywire_lab.corpora.packs import article_rows, read_packs
from whywire_lab.metrics.reader_graphs import same_place
from whywire_lab.tasks.record import provenance

BOUNDS = tuple(low for low, _ in CLASSES.values())[1:]


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--labels", type=Path, help="a file of stories, instead of all that there are")
    arguments = parser.parse_args()
    told = article_rows(arguments.data, arguments.language)
    packs = read_packs(arguments.data, arguments.language, arguments.labels)
    reader = DocumentReader.from_pretrained()
    rows = []
    for number, pack in enumerate(packs):
        found: defaultdict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
        for name in pack.articles:
            row = told[name]
            article = Article(name, " ".join(row["title"].split()), row["text"], Language(arguments.language))
            logits = reader.logits(article)
            places = [
                [
                    at
                    for at, place in enumerate(logits.places)
                    if any(own[0] == name and same_place(place, own[1:]) for own in event)
                ]
                for event in pack.events
            ]
            strength = 100 * probabilities_of(logits.links[..., 2])
            for cause, effect, _ in pack.pairs:
                if (one := places[cause]) and (other := places[effect]) and {*one} != {*other}:
                    forward, back = strength[np.ix_(one, other)].max(), strength[np.ix_(other, one)].max()
                    found[cause, effect].append((float(forward), float(back)))
        for cause, effect, score in pack.pairs:
            if pairs := found.get((cause, effect)):
                rows.append((number % 2, score, *np.mean(pairs, axis=0)))
    half, score, forward, back = np.array(rows).T
    related = score >= BOUNDS[0]
    truth = np.digitize(score, BOUNDS)
    chosen = [best_bounds(forward[half != own], truth[half != own]) for own in (0, 1)]
    classes = np.where(half == 0, np.digitize(forward, chosen[0]), np.digitize(forward, chosen[1]))
    scores = {
        "packs": len(packs),
        "pairs in one document": len(rows),
        "r": round(float(np.corrcoef(score, forward)[0, 1]), 4),
        "backward lower, of pairs graded 20 and more": round(float((back < forward)[related].mean()), 4),
        "means: forward, backward": [round(float(own[related].mean()), 1) for own in (forward, back)],
        "macro F1 of CRAB's classes": {
            "bounds of CRAB": round(float(f1_score(truth, np.digitize(forward, BOUNDS), average="macro")), 4),
            "bounds of the other half": round(float(f1_score(truth, classes, average="macro")), 4),
        },
    }
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def best_bounds(strengths: np.ndarray, truth: np.ndarray) -> tuple[int, ...]:
    """The bounds of classes with the best macro F1."""
    grid = itertools.combinations(range(4, 96, 4), len(BOUNDS))
    return max(grid, key=lambda bounds: f1_score(truth, np.digitize(strengths, bounds), average="macro"))


if __name__ == "__main__":
    main()
