"""Trains the outputs of the document reader for mentions: vectors, and whether their words are understood alone.

The reader itself stays unchanged. A vector is a linear map of the states of a mention, learnt on pairs of events of
two articles: its cosine, beside the words in common, shall say whether two events are one. Whether words are
understood alone is a logistic regression on the same states, learnt from causes and effects that two readers judged.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch.nn import functional

from whywire.events.article_readings import ArticleReading
from whywire.events.event_vectors import event_words, meaning_of
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, split_sentences
from whywire.reading.document_reader import DocumentReader
from whywire.reading.drawing import VECTOR_SIZE
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import JudgedClaim
from whywire_lab.metrics.reader_graphs import Place, same_place
from whywire_lab.recipes.event_pairs import EventPairs, read_event_pairs
from whywire_lab.recipes.mention_outputs import MentionWeights, show_states, write_outputs

LANGUAGES = ("en", "ru")

Array = NDArray[Any]


def train_mentions(data: Path, reader: Path) -> None:
    """Train both outputs, and write them into the folder of a document reader.

    Args:
        data: the folder of corpora.
    """
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(shutil.copytree(reader, Path(scratch) / "reader"))
        show_states(bare)
        models = LanguageModels({"documents": str(bare)})
        groups = [group for language in LANGUAGES for group in grouped(*read_event_pairs(data, language, models))]
        projection, shift = train_vectors(groups)
        states, shares = judged_words(data, models.documents())
    alone, alone_shift = fit_alone(states, shares)
    write_outputs(reader, MentionWeights(projection, shift, alone, alone_shift))


@dataclass(frozen=True, eq=False)
class Group:
    """Events of articles that go together.

    Args:
        states: (events, states), the mean of the states of each event's mentions.
        pairs: (pairs, 2), numbers of events of two articles.
        words: (pairs,), the cosines of their words (:func:`~whywire.events.event_vectors.event_words`).
        one: (pairs,), 1 if the two are one event, else 0.
    """

    states: Array
    pairs: Array
    words: Array
    one: Array


def grouped(read: Mapping[str, ArticleReading], labelled: Sequence[EventPairs]) -> Iterator[Group]:
    """The labelled pairs with the states of their events.

    Args:
        read: by a reader that shows its states as vectors.
    """
    for told in labelled:
        readings = [read[name] for name in told.articles]
        mentions = [[reading.mentions[at] for at in event] for reading in readings for event in reading.events]
        first = np.cumsum([0, *(len(reading.events) for reading in readings)])
        pairs, one = [], []
        for (left, right), table in told.pairs.items():
            known = np.argwhere(~np.isnan(table))
            pairs.append(known + np.array([first[left], first[right]]))
            one.append(table[tuple(known.T)])
        all_pairs, words = np.concatenate(pairs), np.stack([event_words(event) for event in mentions])
        left, right = all_pairs.T
        states = np.stack([meaning_of(event) for event in mentions])
        yield Group(states, all_pairs, (words[left] * words[right]).sum(axis=1), np.concatenate(one))


def train_vectors(
    groups: Sequence[Group],
    *,
    epochs: int = 12,
    batch: int = 12,
    rate: float = 1e-3,
    dropout: float = 0.2,
    decay: float = 0.01,
    seed: int = 0,
) -> tuple[Array, Array]:
    """``projection`` (states, VECTOR_SIZE) and ``shift`` (VECTOR_SIZE,).

    Args:
        batch: groups in a step.
        rate: of learning at its beginning; it rises to ten times as much, and falls again.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    everything = np.concatenate([group.states for group in groups])
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-4
    net = torch.nn.Linear(everything.shape[1], VECTOR_SIZE, bias=False)
    odds = torch.nn.Parameter(torch.tensor([8.0, 4.0, -6.0]))  # of meaning, of words, of neither
    optimiser = torch.optim.AdamW(
        [
            {"params": net.parameters(), "weight_decay": decay},
            {"params": [odds], "weight_decay": 0.0, "lr": 10 * rate},
        ],
        lr=rate,
    )
    steps = epochs * -(-len(groups) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, [10 * rate, 100 * rate], total_steps=steps, pct_start=0.1
    )
    for _ in range(epochs):
        order = rng.permutation(len(groups))
        for at in range(0, len(order), batch):
            chosen = [groups[number] for number in order[at : at + batch]]
            first = np.cumsum([0, *(len(group.states) for group in chosen)])
            pairs = np.concatenate([group.pairs + start for group, start in zip(chosen, first, strict=False)])
            left, right = torch.from_numpy(pairs.T)
            states = torch.from_numpy((np.concatenate([group.states for group in chosen]) - mean) / spread).float()
            words = torch.from_numpy(np.concatenate([group.words for group in chosen]))
            one = torch.from_numpy(np.concatenate([group.one for group in chosen]))
            vectors = functional.normalize(net(functional.dropout(states, dropout)), dim=1)
            cosines = (vectors[left] * vectors[right]).sum(1)
            loss = functional.binary_cross_entropy_with_logits(odds[0] * cosines + odds[1] * words + odds[2], one)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    projection = net.weight.detach().numpy().T / spread[:, None]
    return projection, -mean @ projection


def judged_words(data: Path, reader: DocumentReader) -> tuple[Array, Array]:
    """The states of causes and effects that readers judged, and the shares of readers who understand them alone.

    A cause or an effect has the states of the likeliest candidate at its place, if there is one.

    Args:
        data: the folder of corpora.
        reader: shows its states as vectors.
    """
    states: list[Array] = []
    shares: list[float] = []
    for language in LANGUAGES:
        rows = articles_by_hash(data / "news_stream", language)
        judged: dict[str, list[JudgedClaim]] = {}
        for claim in read_labels(JudgedClaim, f"stream_claims_{language}"):
            judged.setdefault(claim.article, []).append(claim)
        for name, claims in judged.items():
            article = Article(name, rows[name]["title"], rows[name]["text"], Language(language))
            logits = reader.logits(article)
            for claim in claims:
                field, start = _sentence_of(claim, article)
                for side in ("cause", "effect"):
                    span = getattr(claim, side)
                    place = (field, start + span[0], start + span[1])
                    if (at := _likeliest(place, logits.places, logits.event)) is not None:
                        states.append(logits.vectors[at])
                        read = [getattr(reading, side).standalone for reading in claim.readings]
                        shares.append(sum(read) / len(read))
    return np.stack(states), np.array(shares)


def _sentence_of(claim: JudgedClaim, article: Article) -> tuple[str, int]:
    """The field of a claim's sentence, and where it begins."""
    if claim.sentence in (short_hash(article.title), short_hash(" ".join(article.title.split()))):
        return "title", 0
    spans = split_sentences(article.text, article.language)
    return "text", next(start for start, end in spans if short_hash(article.text[start:end]) == claim.sentence)


def _likeliest(place: Place, places: Sequence[Place], odds: Array) -> int | None:
    found = [at for at, other in enumerate(places) if same_place(place, other)]
    return max(found, key=lambda at: float(odds[at]), default=None)


def fit_alone(states: Array, shares: Array) -> tuple[Array, float]:
    """Weights and shift of a regularised logistic regression on shares of positive readings (0 to 1)."""
    mean, spread = states.mean(axis=0), states.std(axis=0) + 1e-4
    scaled = np.tile((states - mean) / spread, (2, 1))
    truth, weight = np.repeat([1, 0], len(shares)), np.concatenate([shares, 1 - shares])
    fitted = LogisticRegression(C=ALONE_REGULARISATION, max_iter=2000).fit(scaled, truth, sample_weight=weight)
    weights = fitted.coef_[0] / spread
    return weights, float(fitted.intercept_[0] - weights @ mean)


ALONE_REGULARISATION = 0.003
"""The inverse strength: small, for there are hundreds of states."""
