"""How good the events of a stream are: consistency, order of arrival, linkage, and what else might tell events apart.

python lab/experiments/stream_quality.py --data DATA --language en --most 1500

On the news stream in DATA (`news_stream/en.jsonl`), by the embedded pair model. Groups are compared with those of an
older system (`system_group`: silver) and with one another. The rules are measured on the pairs labelled for this
project: a logistic model on the train pairs, with the rule and without it, and its surprise on the dev pairs.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.events.headline_events import HEADLINE_PRIOR
from whywire.events.linkage import SAME_EVENT_THRESHOLD, with_prior
from whywire.models.odds import log_odds
from whywire.news import Article, parse_time, read_row
from whywire.news.gazetteer import in_different_places
from whywire.news.places import places_in
from whywire.pairs.model import PairModel
from whywire.pairs.relations import Relation, column
from whywire.pairs.reports import AskedPair, TwoReports, reports_of
from whywire.pipeline import group
from whywire.progress import Advance
from whywire.updating.stream import MonolingualStream, final_events
from whywire_lab.corpora import news_stream
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.labels.rows import HashedPair
from whywire_lab.metrics.classification import pairwise_score, roc_auc
from whywire_lab.metrics.consistency import judge_of, order_consistency, triangles

SAME = column(Relation.SAME_EVENT)


class CachedScorer(PairModel):
    """The model, asked about each headline and pair but once."""

    def __init__(self, model: PairModel) -> None:
        self.__dict__ |= model.__dict__
        self.known: dict[TwoReports, float] = {}

    def same_event_probabilities(
        self,
        pairs: Sequence[AskedPair],
        cosines: NDArray[np.float32] | None = None,
        advance: Advance | None = None,
        *,
        prior: float | None = None,
    ) -> NDArray[np.float64]:
        """The model's, of each pair once."""
        asked = reports_of(pairs)
        keys = [(min(pair), max(pair)) for pair in asked]
        new = [place for place, key in enumerate(keys) if key not in self.known]
        if new:
            known = None if cosines is None else cosines[new]
            found = super().same_event_probabilities([pairs[place] for place in new], known, advance)
            self.known |= dict(zip((keys[place] for place in new), found.tolist(), strict=True))
        table = np.array([self.known[key] for key in keys])
        return table if prior is None else self.with_share(table, prior)


def stream_of(scorer: CachedScorer, headlines: Sequence[Article]) -> tuple[dict[str, str], float, int, int]:
    """The event of each headline at the end, pairs scored a headline, and how many headlines moved, and how often."""
    stream = MonolingualStream(scorer)
    placed = stream.add(headlines)
    moves = [name for one in placed for name in one.moved]
    return final_events(placed), stream.scored / len(headlines), len(set(moves)), len(moves)


def show(name: str, groups: Sequence[str | int], *others: Sequence[str | int]) -> None:
    """A line: how many groups there are, and their agreement with others."""
    scores = [pairwise_score(groups, other) for other in others]
    agreement = "  ".join(
        f"P {100 * one.precision:5.1f} R {100 * one.recall:5.1f} F1 {100 * one.f1:5.1f}" for one in scores
    )
    print(f"{name:34} {len(set(groups)):6,} events   {agreement}")


def consistency(model: PairModel, scorer: CachedScorer, event_of: dict[str, str]) -> None:
    """Sections 5.1 and 5.2 of HLGD, before grouping and after it."""
    pairs = list(scorer.known)

    def one_order(asked: Sequence[tuple[str, str]]) -> list[float]:
        return model._compared(reports_of(asked), None)[:, SAME].tolist()

    def as_asked(asked: Sequence[tuple[str, str]]) -> list[float]:
        return model.compared_probabilities(list(asked))[:, SAME].tolist()

    some = random.Random(0).sample(pairs, min(2000, len(pairs)))
    for name, judged in (("the net in one order", one_order), ("as we ask it", as_asked)):
        found = order_consistency(judged, some)
        print(
            f"swapped, {name}: {found.pairs:,} pairs, flipped {100 * found.flipped:.2f} %, change {found.change:.4f}"
        )
    before = triangles({pair: probability >= SAME_EVENT_THRESHOLD for pair, probability in scorer.known.items()})
    grouped = judge_of(event_of)
    decided = grouped([(left.title, right.title) for left, right in pairs])
    after = triangles(
        {pair: probability >= SAME_EVENT_THRESHOLD for pair, probability in zip(pairs, decided, strict=True)}
    )
    for name, found in (("pairs alone", before), ("after grouping", after)):
        print(
            f"triples, {name}: 111 {found.all_same:,}, 110 {found.two_same:,}, 100 {found.one_same:,},"
            f" 000 {found.none_same:,}; transitive {100 * found.transitive:.1f} %"
        )


def linkages(scorer: CachedScorer, titles: Sequence[str], silver: Sequence[str]) -> None:
    """All at once, by scikit-learn, on the probabilities that the stream had and estimates for the other pairs."""
    from sklearn.cluster import AgglomerativeClustering

    vectors = scorer.embed(titles)
    probabilities = with_prior(scorer.same_event_by_cosine(vectors @ vectors.T), HEADLINE_PRIOR)
    place = {title: number for number, title in enumerate(titles)}
    for (left, right), probability in scorer.known.items():
        value = with_prior(np.array(probability), HEADLINE_PRIOR)
        one, other = place[left.title], place[right.title]
        probabilities[one, other] = probabilities[other, one] = value
    for linkage in ("single", "average", "complete"):
        model = AgglomerativeClustering(
            n_clusters=None, metric="precomputed", linkage=linkage, distance_threshold=1 - SAME_EVENT_THRESHOLD
        )
        groups = model.fit_predict(1 - probabilities).tolist()
        largest = max(groups.count(one) for one in set(groups))
        show(f"{linkage} linkage, largest {largest}", groups, silver)


def rules(data: Path, language: str, model: PairModel) -> None:
    """What a rule adds to the pair model's word, on pairs that it did not see."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    rows = articles_by_hash(data / "news_stream", language)
    parts: dict[str, tuple[NDArray[np.float64], NDArray[np.bool_]]] = {}
    for part in ("valid", "dev"):
        labels = read_labels(HashedPair, f"stream_pairs_{language}_{part}")
        pairs = [(rows[row.left], rows[row.right]) for row in labels]
        titles = [(left["title"], right["title"]) for left, right in pairs]
        probabilities = model.same_event_probabilities(titles)
        features = [[float(odds), *_rules(*pair)] for odds, pair in zip(log_odds(probabilities), pairs, strict=True)]
        parts[part] = np.array(features), np.array([row.relation is Relation.SAME_EVENT for row in labels])
    (train, truth), (dev, dev_truth) = parts["valid"], parts["dev"]
    names = ["the model alone", "same outlet within the hour", "hours apart", "different numbers", "different places"]
    for number, name in enumerate(names):
        columns = [0] if number == 0 else [0, number]
        fitted = LogisticRegression(C=1.0).fit(train[:, columns], truth)
        probability = fitted.predict_proba(dev[:, columns])[:, 1]
        holds = dev[:, number] > 0
        share = (
            f"holds for {int(holds.sum()):4}, of them same {100 * dev_truth[holds].mean():5.1f} %" if number else ""
        )
        print(
            f"{name:30} weight {fitted.coef_[0][-1]:6.2f}  "
            f"surprise on dev {log_loss(dev_truth, probability):.4f} nats,"
            f" AUC {100 * roc_auc(probability, dev_truth):.2f}  {share}"
        )


def _rules(left: dict[str, Any], right: dict[str, Any]) -> tuple[float, float, float, float]:
    times = [parse_time(row["published"]) for row in (left, right)]
    hours = abs((times[0].at - times[1].at).total_seconds()) / 3600 if times[0] and times[1] else 0.0
    numbers = [set(re.findall(r"\d+(?:[.,]\d+)*", row["title"])) for row in (left, right)]
    return (
        float(left["source"] == right["source"] and hours < 1),
        float(np.log1p(hours)),
        float(all(numbers) and not numbers[0] & numbers[1]),
        float(in_different_places(places_in(left["title"]).listed, places_in(right["title"]).listed)),
    )


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--language", choices=["en", "ru"], default="en")
    parser.add_argument("--most", type=int, default=1500, help="so many articles, the earliest")
    arguments = parser.parse_args()
    rows = sorted(
        news_stream.read_articles(arguments.data / "news_stream", arguments.language),
        key=lambda row: row["published"],
    )[: arguments.most]
    rows = list({row["title"]: row for row in rows}.values())
    articles = [read_row(row)[0] for row in rows]
    headlines = [replace(article, id=article.title, text="") for article in articles]
    silver = [row["system_group"] for row in rows]
    model = PairModel.from_pretrained()
    scorer = CachedScorer(model)
    started = time.perf_counter()
    event_of, asked, movers, moves = stream_of(scorer, headlines)
    seconds = time.perf_counter() - started
    in_order = [event_of[one.id] for one in headlines]
    print(f"{len(rows):,} headlines; pairs judged a headline: {asked:.2f}")
    print(f"{1000 * seconds / len(rows):.0f} ms a headline")
    print(f"{movers:,} headlines moved to another event, {moves:,} times in all")
    show("as they come (to the silver groups)", in_order, silver)
    all_at_once = group(articles).events
    show("as a collection (silver; as they come)", all_at_once, silver, in_order)
    late = sorted(range(len(headlines)), key=lambda n: n + (300 if random.Random(n).random() < 0.05 else 0))
    orders = {
        "backwards": list(range(len(headlines)))[::-1],
        "shuffled": random.Random(0).sample(range(len(headlines)), len(headlines)),
        "one in twenty 300 places late": late,
    }
    for name, order in orders.items():
        found, *_ = stream_of(scorer, [headlines[number] for number in order])
        show(f"{name} (silver; as they come)", [found[one.id] for one in headlines], silver, in_order)
    consistency(model, scorer, event_of)
    linkages(scorer, [one.title for one in headlines], silver)
    rules(arguments.data, arguments.language, model)


if __name__ == "__main__":
    main()
