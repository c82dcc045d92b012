"""How the cost of grouping a stream grows with the stream.

python lab/experiments/stream_grouping.py
python lab/experiments/stream_grouping.py --sizes 10000 100000 > curve.json

Made-up vectors of headlines over thirty days: events of all sizes inside topics, each with its noise. They are
grouped as they come (`MonolingualStream`, by cosine), by scikit-learn's agglomerative clustering of all of them,
and by comparing all pairs inside the window. Seconds, the exponent of their growth from one size to the next, what is
kept in memory, and the pairwise F1 against the events that the vectors were made from.

With the pair model as judge each headline takes one pass for its embedding and one for each pair that is judged;
how long these take is measured on titles here, and added: *with the model's passes*.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import WINDOW
from whywire.events.linkage import components
from whywire.news import Article
from whywire.news.article import Published
from whywire.pairs.model import PairModel
from whywire.pairs.reports import Report, TwoReports
from whywire.progress import Advance
from whywire.updating.stream import MonolingualStream, final_events
from whywire_lab.metrics.classification import pairwise_score

START, DAYS, SIZE, BATCH = datetime(2026, 1, 1, tzinfo=UTC), 30, 384, 1024
TOPICS_A_DAY, REPORTS = 12, 6.0
"""New topics a day, and the mean number of reports of an event; sizes of events follow a power law."""
SPREAD, NOISE = 0.8, 1.3
"""How far an event lies from its topic, and a report from its event, where a topic has the length one."""

CUT = 0.41
"""The cosine from which two of these vectors are more likely of one event than not."""


class VectorScorer:
    """Scores by the cosine of vectors made beforehand; a title is the number of its vector."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = vectors

    @property
    def usual_share(self) -> float:
        """As good as any, for nothing is asked under another prior."""
        return 0.5

    def embed(self, reports: Sequence[Report], _: Advance | None = None) -> NDArray[np.float32]:
        """Those made beforehand."""
        return self.vectors[[int(report.title) for report in reports]]

    def same_event_probabilities(
        self, _: Sequence[TwoReports], cosines: NDArray[np.float32], __: Advance | None = None
    ) -> NDArray[np.float64]:
        """By the cosine."""
        return self.same_event_by_cosine(cosines)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """By the cosine."""
        return 1 / (1 + np.exp(1 - 20 * (cosines.astype(np.float64) - CUT)))

    def cosine_for(self, probability: float) -> float:
        """Where the estimate reaches it."""
        return CUT + (1 + math.log(probability / (1 - probability))) / 20


def make_stream(count: int, seed: int = 0) -> tuple[NDArray[np.float32], list[datetime], list[int]]:
    """Vectors (count, SIZE) in order of time, their times and their events."""
    rng = np.random.default_rng(seed)
    sizes: list[int] = []
    while sum(sizes) < count:
        sizes.append(1 + min(200, int(rng.pareto(1.3) * REPORTS / 4)))
    topics = rng.normal(size=(TOPICS_A_DAY * DAYS, SIZE))
    vectors, hours, events = [], [], []
    for event, size in enumerate(sizes):
        centre = topics[rng.integers(len(topics))] + SPREAD * rng.normal(size=SIZE)
        start = rng.uniform(0, 24 * DAYS)
        vectors.append(centre + NOISE * rng.normal(size=(size, SIZE)))
        hours.append(start + np.minimum(rng.exponential(9, size=size), 60))
        events += [event] * size
    order = np.argsort(np.concatenate(hours), kind="stable")[:count]
    stacked = np.concatenate(vectors)[order]
    stacked /= np.linalg.norm(stacked, axis=1, keepdims=True)
    times = [START + timedelta(hours=float(hour)) for hour in np.concatenate(hours)[order]]
    return stacked.astype(np.float32), times, [events[place] for place in order]


def as_it_comes(vectors: NDArray[np.float32], times: Sequence[datetime]) -> tuple[list[str], dict[str, float]]:
    stream, kept, placed = MonolingualStream(VectorScorer(vectors)), 0, []
    for first in range(0, len(times), BATCH):
        batch = range(first, min(first + BATCH, len(times)))
        placed += stream.add([Article(str(n), str(n), published=Published(times[n])) for n in batch])
        kept = max(kept, len(stream))
    return list(final_events(placed).values()), {"kept": kept, "judged a headline": stream.scored / len(times)}


def agglomerative(vectors: NDArray[np.float32], times: Sequence[datetime]) -> tuple[list[int], dict[str, float]]:  # noqa: ARG001
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=1 - CUT)
    return model.fit_predict(vectors).tolist(), {"kept": len(vectors), "judged a headline": (len(vectors) - 1) / 2}


def all_pairs(vectors: NDArray[np.float32], times: Sequence[datetime]) -> tuple[list[int], dict[str, float]]:
    """Every pair inside the window; those alike enough are joined, and what is joined hangs together."""
    seconds = np.array([moment.timestamp() for moment in times])
    alike: dict[tuple[int, int], float] = {}
    judged = 0
    for first in range(0, len(vectors), BATCH):
        rows = slice(first, first + BATCH)
        end = int(np.searchsorted(seconds, seconds[rows].max() + WINDOW.total_seconds()))
        cosines = vectors[rows] @ vectors[first:end].T
        judged += cosines.size
        for row, column in zip(*np.nonzero(cosines >= CUT), strict=True):
            if row < column:
                alike[first + int(row), first + int(column)] = 1.0
    groups = components(len(vectors), alike, 0.5)
    names = {member: number for number, group in enumerate(groups) for member in group}
    return [names[n] for n in range(len(vectors))], {"kept": len(vectors), "judged a headline": judged / len(vectors)}


def seconds_a_pass(count: int = 512) -> tuple[float, float]:
    """What the shipped model takes to embed a headline, and to judge a pair."""
    model = PairModel.from_pretrained()
    titles = [f"Storm {n} closes the harbour of Port {n % 37} and {n % 11 + 2} schools inland" for n in range(count)]
    model.embed(titles[:64])
    started = time.perf_counter()
    model.embed(titles)
    embedded = time.perf_counter()
    model.relation_probabilities(list(zip(titles, titles[1:] + titles[:1], strict=True)))
    return (embedded - started) / count, (time.perf_counter() - embedded) / count


def exponent(rows: Sequence[dict[str, float]], column: str) -> float:
    """How the last of the rows grew against the one before, as the power of the number of headlines."""
    if len(rows) < 2:
        return 0.0
    before, after = rows[-2:]
    return math.log(after[column] / before[column]) / math.log(after["headlines"] / before["headlines"])


def main() -> None:
    """Print a table to standard error and all numbers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[3000, 10_000, 30_000, 100_000])
    parser.add_argument("--baselines-up-to", type=int, default=10_000, help="larger ones would not fit in memory")
    arguments = parser.parse_args()
    systems: dict[str, Callable[..., tuple[list[object], dict[str, float]]]] = {
        "as it comes": as_it_comes,
        "all pairs": all_pairs,
        "agglomerative": agglomerative,
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in systems}
    embedding, judging = seconds_a_pass()
    print(f"a pass: {1000 * embedding:.2f} ms to embed, {1000 * judging:.2f} ms to judge", file=sys.stderr)
    for count in arguments.sizes:
        vectors, times, truth = make_stream(count)
        for name, system in systems.items():
            if name != "as it comes" and count > arguments.baselines_up_to:
                continue
            started = time.perf_counter()
            groups, numbers = system(vectors, times)
            seconds = time.perf_counter() - started
            passes = count * (embedding + judging * numbers["judged a headline"])
            rows = found[name]
            rows.append(
                {"headlines": count, "seconds": seconds, "with passes": seconds + passes, **numbers}
                | {"F1": pairwise_score(groups, truth).f1}
            )
            rows[-1] |= {f"exponent of {column}": exponent(rows, column) for column in ("seconds", "with passes")}
            print(
                f"{name:14} {count:8,} {seconds:8.1f} s, exponent {rows[-1]['exponent of seconds']:5.2f};"
                f" with the model's passes {rows[-1]['with passes']:10,.0f} s,"
                f" exponent {rows[-1]['exponent of with passes']:5.2f}; kept {numbers['kept']:7,},"
                f" judged a headline {numbers['judged a headline']:8.1f}, F1 {100 * rows[-1]['F1']:5.1f}",
                file=sys.stderr,
            )
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
