"""Trains the embedded models: their bases, schedules and data."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whywire.models.pretrained import WEIGHTS
from whywire.news.language import Language
from whywire.news.sentences import split_sentences
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.recipes.base_encoders import PACKAGES, Base, load_base, trim_vocabulary
from whywire_lab.recipes.calibration import pool_headline_model
from whywire_lab.recipes.corpus_pairs import load_graded, load_pairs, training_articles
from whywire_lab.recipes.layer_distillation import with_fewer_layers
from whywire_lab.recipes.relations_data import relations_rows
from whywire_lab.recipes.sentence_data import load_rows, load_russian_rows
from whywire_lab.recipes.train_pairs import GroupedTitle, base_embedder, train_pairs
from whywire_lab.recipes.train_relations import train_relations
from whywire_lab.recipes.train_sentences import StrengthRound, train_sentences
from whywire_lab.recipes.training_loop import Schedule

RELATIONS_MODEL = "relations"
"""The model of selected pairs, whose answers are pooled with those of the headline models."""

BASES = {
    RELATIONS_MODEL: "multilingual-e5-small",
    "sentences-en": "e5-small",
    "sentences-ru": "vesma",
    "headlines-en": "minilm",
    "headlines-ru": "multilingual-e5-small",
}

RARE = {"vesma": 5, "multilingual-e5-small": 8}
"""How often the news streams must show a word piece for it to stay, in multilingual vocabularies."""

LAYERS = {("headlines-ru", "multilingual-e5-small"): 6}
"""Layers kept of a base that would be too slow for all neighbours in a stream."""

PASSAGE_WORDS, FIRST_CHARACTERS = 35, {"ru": 1200, "en": 900}
"""Words of a passage, and characters of each text, that a base with fewer layers is trained on."""

ASKED_AS_WELL = {"headlines-en": {"second": "headlines-ru", "strength_by": "sentences-en"}}
"""Models whose answers are used as well: the Russian one was trained on the English rows, too, from another base;
strength takes twelve layers, which the sentence model has."""

MARKED_IN = {"en": "recess", "ru": "stream-ru"}
"""The corpus of real sentences with marked causal relations, by language."""

SCHEDULES = {
    RELATIONS_MODEL: Schedule(
        epochs=10,
        rate=1.5e-4,
        head_factor=4.0,
        warmup=0.05,
        frozen=3,
        keep=0.997,
        then=Schedule(epochs=13, rate=1e-4, head_factor=2.0, warmup=0.025, frozen=3, keep=0.997, runs=2),
    ),
    "sentences-en": Schedule(epochs=6, rate=1.5e-4, runs=2),
    "sentences-ru": Schedule(epochs=3, rate=3e-4, runs=2),
    "headlines-en": Schedule(
        epochs=3, rate=2e-4, runs=2, then=Schedule(epochs=2, rate=1e-4, head_factor=2.0, runs=2)
    ),
    "headlines-ru": Schedule(
        epochs=3, rate=2e-4, runs=2, then=Schedule(epochs=1, rate=1e-4, head_factor=2.0, runs=2)
    ),
}

STRENGTH_ROUNDS = {
    "sentences-en": Schedule(
        epochs=4,
        rate=8e-5,
        warmup=0.02,
        keep=0.997,
        then=Schedule(epochs=2, rate=5e-5, warmup=0.02, keep=0.997, runs=2),
    )
}
"""The second round of sentence models that learn strength, too."""

KEPT_TEXTS = {"stream": 5000, "labelled": 3000}
"""Unlabelled sentences of the news, and labelled ones, on which such a model keeps its former answers."""

FOREIGN_SCHEDULES = {
    # HeadlineCause, section 4.1, and its published training script: 128 pairs a step
    "FacebookAI/xlm-roberta-large": Schedule(epochs=4, rate=2e-5, head_factor=1, batch=8, accumulate=16),
    # He et al. 2023, table 11: the middle of the searched range
    "microsoft/deberta-v3-large": Schedule(epochs=3, rate=9e-6, head_factor=1, batch=8, accumulate=4, warmup=0.06),
    # Clark et al. 2020, appendix B, and the published code
    "google/electra-large-discriminator": Schedule(
        epochs=3, rate=5e-5, head_factor=1, layer_decay=0.9, batch=8, accumulate=4
    ),
}
"""Schedules of the papers' large checkpoints; any other checkpoint takes the first."""


def make(
    name: str, data: Path, folder: Path, *, seed: int = 1, runs: int | None = None, base: str | None = None
) -> dict[str, float]:
    """Train the model of that name from the corpora in ``data`` and write it into ``folder``.

    Args:
        seed: of the first run; the next ones count on from it.
        runs: how many runs to average, in place of the recipe's number.
        base: start from this encoder instead: a hub name, a folder, or a name in ``base_encoders.PACKAGES``.
    """
    start = load_base(base or BASES[name])
    schedule = schedule_for(start, SCHEDULES[name], FOREIGN_SCHEDULES, runs)
    if start.name in PACKAGES:
        rare = RARE.get(start.name, 0)
        start = trim_vocabulary(start, _texts(data) if rare else (), min_count=rare)
    if (name, start.name) in LAYERS:
        start = with_fewer_layers(start, LAYERS[name, start.name], _passages(data))
    if name == RELATIONS_MODEL:
        return train_relations(start, relations_rows(data), folder, schedule, seed)
    kind, language = name.split("-")
    if kind == "sentences":
        if language == "ru":
            parts = load_russian_rows(data, training_articles(data / "news_stream", "ru"))
        else:
            parts = load_rows(data)
        strength_round = None
        if name in STRENGTH_ROUNDS:
            going_on = schedule_for(start, STRENGTH_ROUNDS[name], FOREIGN_SCHEDULES, runs)
            known = [row.text for row in parts["train"]]
            strength_round = StrengthRound(load_graded(data, language), _kept_texts(data, language, known), going_on)
        return train_sentences(
            start,
            parts["train"],
            parts["valid"],
            folder,
            schedule,
            seed,
            marked_in=MARKED_IN[language],
            strength_round=strength_round,
        )
    pairs = load_pairs(data, base_embedder(start))
    parts_of_pairs = {part: [row for row in rows if row.language == language] for part, rows in pairs.items()}
    members = _members(data, language, start)
    if language == "ru":  # it learns from what there is in English as well
        parts_of_pairs["train"] = pairs["train"]
        members += _members(data, "en", start)
    others = {} if base else ASKED_AS_WELL.get(name, {})
    scores = train_pairs(start, parts_of_pairs, members, folder, schedule, seed, others=others)
    if not base:
        related = relations_rows(data).related
        pool_headline_model(
            folder, relations_model_beside(folder), [row for row in related if row.language == language]
        )
    return scores


def relations_model_beside(folder: Path) -> Path:
    """The model ``relations`` in the folder beside a model, or else the embedded one."""
    made = folder.parent / RELATIONS_MODEL
    return made if made.is_dir() else WEIGHTS / RELATIONS_MODEL


def schedule_for(base: Base, small: Schedule, large: Mapping[str, Schedule], runs: int | None) -> Schedule:
    """How long to train ``base``: ``small`` for our own bases, for others theirs in ``large`` or the first one there.

    Args:
        runs: how many runs to average, in place of the schedule's number.
    """
    schedule = small if base.name in PACKAGES else large.get(base.name, next(iter(large.values())))
    return schedule.with_runs(runs) if runs else schedule


def _members(data: Path, language: str, base: Base) -> list[list[GroupedTitle]]:
    """Headlines with their events: of the stream, as an older system grouped them, and of the corpora that group."""
    stream = {row["title"]: row["system_group"] for row in training_articles(data / "news_stream", language)}
    pools = [stream]
    if language == "en":
        corpora = grouped_headlines(data / "same_event").values()
        kept = (row for rows in corpora for row in rows if part_of_topic(row.topic) == "train")
        pools.append({row.title: row.group for row in kept})
    embed = base_embedder(base)
    return [_pool(groups, embed) for groups in pools]


def _pool(groups: dict[str, str], embed: Callable[[Sequence[str]], Any]) -> list[GroupedTitle]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(groups.values()))}
    vectors = embed(list(groups))
    return [
        GroupedTitle(title, numbers[name], vector)
        for (title, name), vector in zip(groups.items(), vectors, strict=True)
    ]


def _kept_texts(data: Path, language: str, labelled: Sequence[str]) -> list[str]:
    """Sentences of the stream, at most three of an article, and some that are labelled."""
    rng = random.Random(0)
    articles = list(training_articles(data / "news_stream", language))
    texts: list[str] = []
    for article in rng.sample(articles, len(articles)):
        found = [article["text"][start:end] for start, end in split_sentences(article["text"], Language(language))]
        texts += rng.sample(found, min(3, len(found)))
    most = KEPT_TEXTS["labelled"]
    return texts[: KEPT_TEXTS["stream"]] + rng.sample(labelled, min(most, len(labelled)))


def _passages(data: Path) -> Iterator[str]:
    for language, first in FIRST_CHARACTERS.items():
        for row in training_articles(data / "news_stream", language):
            yield row["title"]
            words = row["text"][:first].split()
            yield from (" ".join(words[at : at + PASSAGE_WORDS]) for at in range(0, len(words), PASSAGE_WORDS))


def _texts(data: Path) -> Iterator[str]:
    """What the two languages look like in the news, to know which word pieces are worth their bytes."""
    for language in ("ru", "en"):
        for row in training_articles(data / "news_stream", language):
            yield row["title"]
            yield row["text"][:3000]
