"""Trains what Whywire has embedded: the models with their bases, schedules and data, and the small parts on top."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.news.language import Language
from whywire.news.sentences import split_sentences
from whywire_lab.recipes.base_encoders import PACKAGES, Base, load_base, trim_vocabulary
from whywire_lab.recipes.corpus_pairs import load_graded, training_articles
from whywire_lab.recipes.documents import make_documents
from whywire_lab.recipes.export import write_json
from whywire_lab.recipes.relations_data import relations_rows
from whywire_lab.recipes.sentence_data import load_rows, load_russian_rows
from whywire_lab.recipes.train_mentions import train_mentions
from whywire_lab.recipes.train_news_filter import make as make_news_filter
from whywire_lab.recipes.train_relations import train_relations
from whywire_lab.recipes.train_report_pairs import make_pairs
from whywire_lab.recipes.train_sentences import StrengthRound, train_sentences
from whywire_lab.recipes.training_loop import Schedule, console

PAIRS = "pairs"
"""The model of report pairs, in both languages."""

RELATIONS_MODEL = "relations"
"""The model of picked pairs, in both languages."""

DOCUMENTS = "documents"
"""The document reader, in both languages."""

MENTIONS, NEWS_FILTER = "mentions", "news-filter"
"""Small parts on top: the first is written into the folder of the document reader."""

SCORES = "scores.json"
"""What a part scored on held-out rows, in the folder of its name; written last."""

BASES = {"sentences-en": "e5-small", "sentences-ru": "vesma", RELATIONS_MODEL: "multilingual-e5-small"}

RARE = {"vesma": 5, "multilingual-e5-small": 8}
"""How often the news streams must show a word piece for it to stay, in multilingual vocabularies."""

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
    RELATIONS_MODEL: Schedule(
        epochs=10,
        rate=1.5e-4,
        head_factor=4.0,
        warmup=0.05,
        frozen=3,
        keep=0.997,
        then=Schedule(epochs=13, rate=1e-4, head_factor=2.0, warmup=0.025, frozen=3, keep=0.997, runs=2),
    ),
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


def make_all(
    names: Sequence[str], data: Path, out: Path, *, seed: int = 1, runs: int | None = None, base: str | None = None
) -> None:
    """Make each part, in this order; one whose scores are there was made before, and is left as it is."""
    for name in names:
        if (out / name / SCORES).is_file():
            console.print(f"{name} is there; remove {out / name / SCORES} to make it again")
        else:
            make(name, data, out, seed=seed, runs=runs, base=base)


def make(
    name: str, data: Path, out: Path, *, seed: int = 1, runs: int | None = None, base: str | None = None
) -> Mapping[str, Any]:
    """Make the part of that name from the corpora in ``data``, and write it and its scores into ``out``.

    A model gets a folder of its name.

    Args:
        seed: of the first run; the next ones count on from it. The small parts are the same whatever the seed.
        runs: how many runs to average, in place of the recipe's number.
        base: start from this encoder instead: a hub name, a folder, or a name in ``base_encoders.PACKAGES``.

    Raises:
        InputError: the document reader is missing that the part is for.
    """
    scores: Mapping[str, Any] = {}
    if name == MENTIONS:
        train_mentions(data, _document_reader(out))
    elif name == NEWS_FILTER:
        (out / name).mkdir(parents=True, exist_ok=True)
        scores = make_news_filter(data, out / name / "newsworthy.npz")
    elif name == PAIRS:
        scores = make_pairs(data, out / name, seed=seed, base=base)
    elif name == DOCUMENTS:
        scores = make_documents(data, out / name, seed=seed, base=base)
    else:
        scores = _make_one_encoder(name, data, out / name, seed=seed, runs=runs, base=base)
    (out / name).mkdir(parents=True, exist_ok=True)
    write_json(out / name / SCORES, scores)
    return scores


def trained_models(out: Path) -> LanguageModels:
    """The models in a folder, each by its name, and the embedded ones where it has none."""
    return LanguageModels({path.parent.name: str(path.parent) for path in out.glob("*/model.onnx*")})


def _document_reader(out: Path) -> Path:
    folder = out / DOCUMENTS
    if not (folder / "model.onnx.gz").is_file():
        hint = f"make it first: whywire train {DOCUMENTS} --data DATA --out {out}"
        raise InputError("no document reader is here", where=str(folder), hint=hint)
    return folder


def _make_one_encoder(
    name: str, data: Path, folder: Path, *, seed: int, runs: int | None, base: str | None
) -> Mapping[str, Any]:
    """Train a sentence model, or the one of picked pairs."""
    start = load_base(base or BASES[name])
    schedule = schedule_for(start, SCHEDULES[name], FOREIGN_SCHEDULES, runs)
    if start.name in PACKAGES:
        rare = RARE.get(start.name, 0)
        start = trim_vocabulary(start, _texts(data) if rare else (), min_count=rare)
    if name == RELATIONS_MODEL:
        return train_relations(start, relations_rows(data), folder, schedule, seed)
    language = name.removeprefix("sentences-")
    if language == "ru":
        parts = load_russian_rows(data, training_articles(data / "news_stream", "ru"))
    else:
        parts = load_rows(data)
    strength_round = None
    if name in STRENGTH_ROUNDS:
        going_on = schedule_for(start, STRENGTH_ROUNDS[name], FOREIGN_SCHEDULES, runs)
        known = [row.text for row in parts["train"]]
        strength_round = StrengthRound(load_graded(data, language), kept_texts(data, language, known), going_on)
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


def schedule_for(base: Base, small: Schedule, large: Mapping[str, Schedule], runs: int | None) -> Schedule:
    """How long to train ``base``: ``small`` for our own bases, for others theirs in ``large`` or the first one there.

    Args:
        runs: how many runs to average, in place of the schedule's number.
    """
    schedule = small if base.name in PACKAGES else large.get(base.name, next(iter(large.values())))
    return schedule.with_runs(runs) if runs else schedule


def kept_texts(data: Path, language: str, labelled: Sequence[str]) -> list[str]:
    """Sentences of the stream, at most three of an article, and some that are labelled."""
    rng = random.Random(0)
    articles = list(training_articles(data / "news_stream", language))
    texts: list[str] = []
    for article in rng.sample(articles, len(articles)):
        found = [article["text"][start:end] for start, end in split_sentences(article["text"], Language(language))]
        texts += rng.sample(found, min(3, len(found)))
    most = KEPT_TEXTS["labelled"]
    return texts[: KEPT_TEXTS["stream"]] + rng.sample(labelled, min(most, len(labelled)))


def _texts(data: Path) -> Iterator[str]:
    """What the two languages look like in the news, to know which word pieces are worth their bytes."""
    for language in ("ru", "en"):
        for row in training_articles(data / "news_stream", language):
            yield row["title"]
            yield row["text"][:3000]
