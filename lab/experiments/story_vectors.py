"""Which similarity of articles finds their stories: vectors alone, or with the words of titles or texts.

    python lab/experiments/story_vectors.py --data DATA

Draws from the training parts of the corpora that group, of event_causes (topics 2, 3, 4 and 6) and of the streams'
first day and a half, against their groups (of the streams those of an older system). Vectors are of the encoder as
it is, which has learnt nothing from them. Pairwise F1 at the cut that separates best, as `whywire group` takes it,
and at the best cut for each draw, chosen with the truth; a mean over draws.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from whywire.events.linkage import components, merges
from whywire.events.stories import CUTS, group_silhouettes, mean_silhouette
from whywire.news.stems import stems
from whywire.pairs.model import PairModel
from whywire.pairs.report_reader import ReportReader
from whywire.pairs.reports import Report
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.metrics.classification import pairwise_score
from whywire_lab.recipes.corpus_pairs import training_articles

TOPICS = (2, 3, 4, 6)
DRAWS: Mapping[str, int] = {"500 articles": 2, "24 groups": 3, "8 groups": 3}
"""Draws of each kind."""

MOST_OF_A_GROUP = 12

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Told:
    """An article and the group it is known to be in."""

    title: str
    text: str
    group: str


def main() -> None:
    """Print one line of JSON a corpus and kind of draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    options = parser.parse_args()
    reader = ReportReader(PairModel.from_pretrained().model, kept=100_000)
    for name, articles in corpora(options.data):
        for kind, count in DRAWS.items():
            found: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for number in range(count):
                draw = drawn(articles, kind, random.Random(f"{name}{kind}{number}"))
                for way, matrix in similarities(draw, reader).items():
                    found[way].append(scores(matrix, [one.group for one in draw]))
            table = {way: [round(mean(own), 1) for own in zip(*pairs, strict=True)] for way, pairs in found.items()}
            print(json.dumps({"corpus": name, "draw": kind, "at our cut, at the best": table}), flush=True)


def corpora(data: Path) -> Iterator[tuple[str, list[Told]]]:
    """The names and articles of each."""
    for name, headlines in grouped_headlines(data / "same_event").items():
        own = [one for one in headlines if part_of_topic(one.topic) == "train"]
        yield name, [Told(one.title, one.lead, one.topic if name == "ecbplus" else one.group) for one in own]
    stories = json_lines(data / "event_causes" / "stories.jsonl")
    documents = ((row, one) for row in stories if row["topic_id"] in TOPICS for one in row["documents"])
    yield "event_causes", [Told(one["title"], one["content"], str(row["topic_id"])) for row, one in documents]
    for language in ("en", "ru"):
        rows = training_articles(data / "news_stream", language)
        yield f"stream {language}", [Told(row["title"], row["text"], row["system_group"]) for row in rows]


def drawn(articles: Sequence[Told], kind: str, rng: random.Random) -> list[Told]:
    """So many articles, or some of each of so many groups that have more than two."""
    count, what = kind.split()
    if what == "articles":
        return rng.sample(articles, min(int(count), len(articles)))
    groups: dict[str, list[Told]] = defaultdict(list)
    for one in articles:
        groups[one.group].append(one)
    several = [own for own in groups.values() if len(own) > 2]
    chosen = rng.sample(several, min(int(count), len(several)))
    return [one for own in chosen for one in rng.sample(own, min(MOST_OF_A_GROUP, len(own)))]


def similarities(articles: Sequence[Told], reader: ReportReader) -> dict[str, Matrix]:
    """Matrices (articles, articles) by the name of the way."""
    reports = [Report.of(one.title, one.text) for one in articles]
    read = reader.read(reports)
    titles, both = (np.stack([getattr(read[report], name) for report in reports]) for name in ("title", "vector"))
    by_titles, by_vectors = titles @ titles.T, both @ both.T
    words = by_words([one.title for one in articles])
    texts = by_words([f"{one.title} {one.text}" for one in articles])
    return {
        "titles": by_titles,
        "titles and their words": (2 * by_titles + words) / 3,
        "titles and leads": by_vectors,
        "titles, leads and words of titles": (2 * by_vectors + words) / 3,
        "titles, leads and words of texts": (by_vectors + texts) / 2,
    }


def by_words(texts: Sequence[str]) -> Matrix:
    """Cosines of TF-IDF vectors of stems."""
    own = [stems(text) for text in texts]
    holders = Counter(stem for one in own for stem in one)
    weight = {stem: log((1 + len(texts)) / (1 + count)) + 1 for stem, count in holders.items()}
    column = {stem: place for place, stem in enumerate(weight)}
    rows: list[tuple[int, int, float]] = []
    for number, one in enumerate(own):
        length = sum(weight[stem] ** 2 for stem in one) ** 0.5 or 1.0
        rows += [(number, column[stem], weight[stem] / length) for stem in one]
    at, columns, values = zip(*rows, strict=True)
    table: Any = csr_matrix((values, (at, columns)), shape=(len(texts), len(column)))
    result: Matrix = (table @ table.T).toarray()
    return result


def scores(similarity: Matrix, truth: Sequence[str]) -> tuple[float, float]:
    """F1 in per cent at the cut that separates best, and at the best cut."""
    dendrogram = merges(similarity.astype(np.float64), CUTS[0])
    found = []
    for cut in CUTS:
        groups = components(len(truth), dendrogram, cut)
        label = {item: number for number, group in enumerate(groups) for item in group}
        f1 = 100 * pairwise_score([label[item] for item in range(len(truth))], truth).f1
        found.append((mean_silhouette(group_silhouettes(similarity, groups)), f1))
    return max(found)[1], max(f1 for _, f1 in found)


if __name__ == "__main__":
    main()
