"""Trains the judge of links that no sentence claims: two regressions on how two mentions stand in an article.

The first is trained on pairs of mentions around triggers that people marked as cause and effect (EventStoryLine), and
finds candidates. The second is trained on candidates in news of one day that readers judged
(``stream_mention_pairs_en``), and also sees the strength by the judge of direct causes. English only: of 405 Russian
candidates one in ten was right, and the first regression ranked them no better than at random.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from whywire.events.event_groups import EventTable
from whywire.language_models import LanguageModels
from whywire.links.judged import mentions_of_stories
from whywire.links.mention_pair_model import WEIGHTS_FILE
from whywire.links.mention_pairs import mention_pair_features, ordered_pairs, story_mentions
from whywire.models.odds import log_odds, probabilities_of
from whywire.news import Article, Language, read_row
from whywire.pipeline import find_events, find_stories, read
from whywire.progress import Stages
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.labels.rows import JudgedMentionPair

Array = NDArray[Any]

LONGEST = 160
"""Characters of the longest mention that a trigger may stand for."""

FOLDS = 5
INVERSE_REGULARISATION = 0.1
"""The first value tried; it was not tuned."""


@dataclass(frozen=True)
class MentionPairs:
    """Pairs of mentions, the first as the cause of the second.

    Args:
        features: (pairs, features).
        truth: (pairs,), 0 to 1.
        groups: (pairs,), topics or stories: pairs of one are never on both sides of a fold.
        words: the words of both.
    """

    features: Array
    truth: Array
    groups: Array
    words: list[tuple[str, str]]


def train_judged(data: Path, out: Path, models: LanguageModels) -> dict[str, str]:
    """Write the weights into the folder of the English sentence model, and say what held-out folds show.

    Args:
        data: folder of the corpora.
        models: those that read the articles, with heads for mentions, and judge strength.
    """
    marked, read = marked_pairs(data, models), read_pairs(data, models)
    weights, bias = fit(marked.features, marked.truth)
    first = {"marked": weights, "marked_bias": np.array([bias])}
    columns = read_columns(first, read, models)
    weights, bias = fit(columns, read.truth)
    second = {"read": weights[:-2], "judge": weights[-2:], "read_bias": np.array([bias])}
    saved: dict[str, Any] = {name: one.astype(np.float32) for name, one in (first | second).items()}
    np.savez_compressed(out / WEIGHTS_FILE, **saved)
    return {
        f"{len(marked.truth)} marked pairs": scores(marked.features, marked),
        f"{len(read.truth)} read pairs": scores(columns, read),
        "without the judge": scores(columns[:, :-2], read),
        "by marked pairs alone": scores(columns[:, :1], read),
    }


def read_columns(first: dict[str, Array], pairs: MentionPairs, models: LanguageModels) -> Array:
    """What the second regression sees: the first's log-odds, the features, the judge both ways, (pairs, columns)."""
    strengths = models.pairs(Language.ENGLISH).strengths
    forward, backward = (strengths(words) for words in (pairs.words, [(b, a) for a, b in pairs.words]))
    odds = pairs.features @ first["marked"] + first["marked_bias"]
    return np.column_stack([odds, pairs.features, log_odds(forward / 100), log_odds(backward / 100)])


def fit(features: Array, truth: Array) -> tuple[Array, float]:
    """Weights and bias of a logistic regression on features as they are, learnt on standardised ones."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    known = np.tile((features - mean) / spread, (2, 1))
    fitted = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=1000).fit(
        known, np.repeat([1, 0], len(truth)), sample_weight=np.concatenate([truth, 1 - truth])
    )
    weights = fitted.coef_[0] / spread
    return weights, float(fitted.intercept_[0] - weights @ mean)


def held_out(features: Array, pairs: MentionPairs, seed: int) -> Array:
    """The probability of each pair by what was learnt from the other groups, (pairs,)."""
    names = np.unique(pairs.groups)
    order = np.random.default_rng(seed).permutation(names).tolist()
    fold = {name: place % FOLDS for place, name in enumerate(order)}
    folds = np.array([fold[name] for name in pairs.groups.tolist()])
    found = np.zeros(len(folds))
    for one in range(FOLDS):
        weights, bias = fit(features[folds != one], pairs.truth[folds != one])
        found[folds == one] = probabilities_of(features[folds == one] @ weights + bias)
    return found


def scores(features: Array, pairs: MentionPairs, seeds: Sequence[int] = (0, 1, 2)) -> str:
    """AUC, average precision, and of those at one half and more how many are right, on held-out groups."""
    rows = []
    for seed in seeds:
        found, right = held_out(features, pairs, seed), pairs.truth >= 0.5
        sure = found >= 0.5
        share = float(pairs.truth[sure].mean()) if sure.any() else 0.0
        rows.append((roc_auc_score(right, found), average_precision_score(right, found), sure.sum(), share))
    mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0)
    names = ("AUC", "average precision", "from one half on", "of these right")
    return ", ".join(f"{name} {a:.3f} ± {b:.3f}" for name, a, b in zip(names, mean, spread, strict=True))


def marked_pairs(data: Path, models: LanguageModels) -> MentionPairs:
    """The pairs of mentions of ECB+ documents with a marked trigger each; right where the triggers are linked."""
    rows = {
        row["document"]: row for row in json_lines(data / "event_mentions" / "documents.jsonl") if row.get("links")
    }
    articles = [_article(row) for row in rows.values()]
    chains = {name: {one["id"]: one["same_as"] or one["id"] for one in row["mentions"]} for name, row in rows.items()}
    linked = {
        name: {(chains[name][link["source"]], chains[name][link["target"]]) for link in row["links"]}
        for name, row in rows.items()
    }
    grouped = _grouped(articles, models)

    def chains_in(place: int) -> set[str]:
        one = grouped.mentions[place].mention
        row = rows[one.article]
        first, end = one.span
        shift = _body(row) if one.field == "text" else row["text"].find(articles_by_id[one.article].title)
        if end - first > LONGEST or shift < 0:
            return set()
        inside = (each for each in row["mentions"] if first + shift <= each["start"] and each["end"] <= end + shift)
        return {chains[one.article][each["id"]] for each in inside}

    articles_by_id = {article.id: article for article in articles}
    chosen: dict[tuple[int, int], tuple[float, str]] = {}
    inside = [chains_in(place) for place in range(len(grouped.mentions))]
    by_home: defaultdict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(grouped.mentions):
        if inside[place]:
            by_home[one.mention.article].append(place)
    for name, places in by_home.items():
        for i in places:
            for j in places:
                apart = ((a, b) for a in inside[i] - inside[j] for b in inside[j] - inside[i])
                chosen[i, j] = float(any(pair in linked[name] for pair in apart)), name.split("_")[0]
    return _pairs(grouped, chosen)


def _article(row: dict[str, Any]) -> Article:
    """The document as an article: its first sentence is the headline, lines of addresses and dates are left out."""
    cut = _body(row)
    first = next((row["text"][a:b] for a, b in row["sentences"] if a >= cut), row["text"].strip().split("\n")[0])
    return read_row({"id": row["document"], "title": first, "text": row["text"][cut:], "language": "en"})[0]


def _body(row: dict[str, Any]) -> int:
    """Where a document begins behind the address and the date on top of it."""
    cut = 0
    for start, end in row["sentences"]:
        sentence = row["text"][start:end]
        if "http" not in sentence and len(sentence.split()) >= 5:
            break
        cut = end + 1
    return cut


def read_pairs(data: Path, models: LanguageModels) -> MentionPairs:
    """The candidates that readers judged; right where one says *right* and clear, and none that it is wrong."""
    stream = articles_by_hash(data / "news_stream", "en")
    labels = read_labels(JudgedMentionPair, "stream_mention_pairs_en")
    articles = {key: read_row(stream[key])[0] for key in {row.article for row in labels}}
    grouped = _grouped(sorted(articles.values(), key=lambda one: one.id), models)
    found = ((one.mention.article, one.mention.field, one.mention.span) for one in grouped.mentions)
    place_of = {place: number for number, place in enumerate(found)}
    chosen = {}
    for row in labels:
        ends = [place_of.get((articles[row.article].id, own.field, own.span)) for own in (row.cause, row.effect)]
        if ends[0] is not None and ends[1] is not None:
            right = all(own.relation in ("right", "debatable") for own in row.readings)
            clear = any(own.relation == "right" and own.events for own in row.readings)
            chosen[ends[0], ends[1]] = float(right and clear), str(row.story)
    return _pairs(grouped, chosen)


def _grouped(articles: Sequence[Article], models: LanguageModels) -> EventTable:
    found = read(articles, models, Stages())
    readings = [found[article.id] for article in articles]
    vectors = np.stack([reading.vector for reading in readings])
    stories = find_stories(articles, found, Stages())
    return find_events(articles, stories, readings, vectors, Language.ENGLISH, models, Stages())


def _pairs(grouped: EventTable, chosen: dict[tuple[int, int], tuple[float, str]]) -> MentionPairs:
    """The chosen pairs, by the places of their mentions, with their features in their stories."""
    rows: list[Array] = []
    found: list[tuple[int, int]] = []
    place = {mention: number for number, mention in enumerate(grouped.mentions)}
    for story, claimed in mentions_of_stories(grouped):
        setting = story_mentions(story)
        for left, right, said in ordered_pairs(setting, claimed):
            pairs = [(place[story[i]], place[story[j]]) for i, j in zip(left.tolist(), right.tolist(), strict=True)]
            kept = [number for number, pair in enumerate(pairs) if pair in chosen]
            rows.append(mention_pair_features(setting, left[kept], right[kept], said[kept]))
            found += [pairs[number] for number in kept]
    words = [" ".join(one.words.split()) for one in grouped.mentions]
    return MentionPairs(
        np.concatenate(rows),
        np.array([chosen[pair][0] for pair in found]),
        np.array([chosen[pair][1] for pair in found]),
        [(words[i], words[j]) for i, j in found],
    )
