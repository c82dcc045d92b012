"""CRAB: how strongly one event of a story led to another, in the paper's tasks, frames and chains.

No embedded model was trained on CRAB, so by default all pairs are measured, as in the paper; trained baselines answer
each story from the others (leave one story out). The paper's three ways to hold pairs out are splits of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

import numpy as np

from whywire.elements import CLASS_BOUNDS, strength_class
from whywire.errors import InputError
from whywire.pairs.model import PairModel
from whywire_lab.corpora.crab import SPLITS, CausalPair, find_pairs, read_pairs, split_pairs
from whywire_lab.corpora.indexed import indexed
from whywire_lab.corpora.table_formats import table_rows
from whywire_lab.metrics.crab import CAUSAL, CLASSES, FRAME, FRAME_EM, Judgement, Structure, evaluate, workers_alpha
from whywire_lab.tasks.pair_baselines import Learner, logistic_regression, most_frequent, random_class
from whywire_lab.tasks.task import DEV, Progress, PublishedResult, Task, TaskRows

FOLDER, MODEL = "crab", "pairs"
PAPER = "Romanou et al. 2023"
ALL = "all pairs"

Pairs = Sequence[CausalPair]
Baseline = Callable[[Pairs, Pairs], list[Judgement]]


@dataclass(frozen=True, slots=True)
class CrabTask(Task[CausalPair, Judgement, PairModel]):
    """CRAB's task: all rows are in one file, whatever its name."""

    def load(self, data: Path, split: str = DEV) -> TaskRows[CausalPair]:
        """All pairs, or those that one of the paper's splits holds out.

        Args:
            data: the folder of corpora, this corpus's own, or the file.
            split: ``dev`` or ``all`` for all pairs; ``date``, ``story`` or ``random``.

        Raises:
            InputError: the file is missing or broken, or there is no such split.
        """
        path = find_pairs(data if data.is_file() else self.folder_in(data))
        pairs = read_pairs(path)
        if split in (DEV, "all"):
            return TaskRows(ALL, (path,), pairs, lambda: pairs)
        if split not in SPLITS:
            known = ", ".join(SPLITS)
            raise InputError(f"there is no split {split!r}", hint=f"one of {known}; without --split, all pairs")
        train, held_out = split_pairs(pairs, split)
        return TaskRows(
            f"split by {split}" if split != "random" else "random split", (path,), held_out, lambda: train
        )


def _answer(model: PairModel, rows: Pairs, progress: Progress) -> list[Judgement]:
    strengths = model.strengths([row.texts for row in rows], progress)
    return [Judgement.of(strength) for strength in strengths.tolist()]


def leave_one_story_out(learn: Baseline) -> Baseline:
    """Make a baseline answer each story from the others, where it is trained on the very rows it is asked about."""

    def answer(train: Pairs, rows: Pairs) -> list[Judgement]:
        if list(train) != list(rows):
            return learn(train, rows)
        answers: dict[int, Judgement] = {}
        for story in dict.fromkeys(row.story for row in rows):
            known = [row for row in train if row.story != story]
            asked = {number: row for number, row in enumerate(rows) if row.story == story}
            if not known:
                hint = "leave the baselines out (--no-baselines)"
                raise InputError("there is no other story that baselines could learn from", where=story, hint=hint)
            answers |= dict(zip(asked, learn(known, list(asked.values())), strict=True))
        return [answers[number] for number in range(len(rows))]

    return answer


def _by_classes(learner: Learner) -> Baseline:
    """A baseline over the four classes: the most probable, whether causal ones outweigh, the expected strength."""

    def answer(train: Pairs, rows: Pairs) -> list[Judgement]:
        classes = [strength_class(row.score) for row in train]
        labels = [CLASSES.index(name) for name in classes]
        table = learner([row.texts for row in train], labels, [row.texts for row in rows], len(CLASSES))
        of_class = [
            mean([row.score for row, own in zip(train, classes, strict=True) if own is name] or [bound])
            for name, bound in CLASS_BOUNDS
        ]
        causal = table[:, [CLASSES.index(name) for name in CLASSES if name in CAUSAL]].sum(axis=1)
        return [
            Judgement.of(
                float(probabilities @ of_class), CLASSES[int(np.argmax(probabilities))], bool(probability > 0.5)
            )
            for probabilities, probability in zip(table, causal, strict=True)
        ]

    return answer


def _by_similarity(train: Pairs, rows: Pairs) -> list[Judgement]:
    """Strength by cosine: the quantile of a cosine among the training cosines, taken among the training scores."""
    model = PairModel.from_pretrained(MODEL)
    known, asked = (model.similarity([row.texts for row in pairs]).astype(float) for pairs in (train, rows))
    scores = np.quantile([row.score for row in train], (np.sort(known)[:, None] < asked).mean(axis=0))
    return [Judgement.of(score) for score in scores.tolist()]


def _score(rows: Pairs, answers: Sequence[Judgement]) -> dict[str, float]:
    found = evaluate(rows, answers)
    return {**found.scores, FRAME: found.all_frames.f1, FRAME_EM: found.all_frames.exact}


def _kinds(rows: Pairs, answers: Sequence[Judgement]) -> dict[str, float]:
    """Scores by class, bound, stratum, and kind of frame and of chain, and the workers' agreement (alpha)."""
    found = evaluate(rows, answers)
    by_class = {
        f"class {name}, {metric}": value
        for name, own in found.classes.items()
        for metric, value in (("precision", own.precision), ("recall", own.recall), ("F1", own.f1))
    }
    by_bound = {
        f"causal above {bound}, {how}": value
        for bound, both in found.sweep.items()
        for how, value in zip(("yes or no F1", "score F1"), both, strict=True)
    }
    kinds = {f"{stratum}, {name}": value for stratum, own in found.strata.items() for name, value in own.items()}
    structures: dict[str, Structure] = {f"frame {kind}": own for kind, own in found.frames.items()}
    structures |= {f"chain {kind}": own for kind, own in found.chains.items()}
    for name, own in structures.items():
        kinds |= {f"{name.replace('_', ' ')}, F1": own.f1, f"{name.replace('_', ' ')}, EM": own.exact}
    return (
        by_class
        | by_bound
        | kinds
        | {f"workers' alpha, {name}": value for name, value in workers_alpha(rows).items()}
    )


def _submission(rows: Pairs, answers: Sequence[Judgement]) -> str:  # noqa: ARG001
    lines = []
    for index, own in enumerate(answers):
        line = {"index": index, "strength": own.strength, "class": own.strength_class, "causal": own.causal}
        lines.append(json.dumps(line if own.chosen is None else {**line, "chosen": own.chosen}))
    return "".join(line + "\n" for line in lines)


def _read_submission(path: Path, rows: Pairs) -> list[Judgement]:
    """Read ``{"index": 0, "strength": 73}`` a line, one a pair; perhaps also ``class``, ``causal`` and ``chosen``."""
    found: dict[int, Judgement] = {}
    for place, index, row in indexed(table_rows(path), len(rows), of="pairs", path=path):
        strength, name, causal, chosen = (row.get(key) for key in ("strength", "class", "causal", "chosen"))
        if isinstance(strength, bool) or not isinstance(strength, int | float) or not 0 <= strength <= 100:
            raise InputError(f"the strength must be a number from 0 to 100, not {strength!r}", where=place)
        if not (name is None or name in CLASSES) or not all(isinstance(own, bool | None) for own in (causal, chosen)):
            raise InputError(
                f"class is one of {', '.join(CLASSES)}, and causal and chosen are true or false", where=place
            )
        own = Judgement.of(float(strength), name and CLASSES[CLASSES.index(name)], causal)
        found[index] = replace(own, chosen=chosen)
    return [found[index] for index in range(len(rows))]


OTHER_CHOICES = (
    "the paper does not say which four causes of a frame a question offers, so the choices are other questions"
)
OTHER_STORIES = "the paper does not name what it held out; this split is drawn anew by the same rule"


def _published(system: str, split: str, unlike: str, *scores: float) -> PublishedResult:
    names = ("score F1", "4-class F1", "binary F1", "choice F1", FRAME, FRAME_EM)
    return PublishedResult(system, split, PAPER, dict(zip(names, scores, strict=False)), unlike)


PAIRS: Task[CausalPair, Judgement, PairModel] = CrabTask(
    name="crab",
    model=MODEL,
    open=PairModel.from_pretrained,
    folder=FOLDER,
    published=(
        _published("GPT-4", ALL, OTHER_CHOICES, 0.547, 0.456, 0.739, 0.538, 0.389, 0.061),
        _published("GPT-3", ALL, OTHER_CHOICES, 0.258, 0.35, 0.572, 0.597, 0.288, 0.033),
        _published("Flan-Alpaca", ALL, OTHER_CHOICES, 0.216, 0.11, 0.601, 0.399, 0.102, 0.008),
        _published("DeBERTa-v3-large, fine-tuned", "split by date", OTHER_STORIES, 0.216, 0.294),
        _published("DeBERTa-v3-large, fine-tuned", "split by story", OTHER_STORIES, 0.214, 0.358),
        _published("DeBERTa-v3-large, fine-tuned", "random split", OTHER_STORIES, 0.229, 0.608),
    ),
    files=lambda split: (),  # noqa: ARG005
    read=lambda folder, split: read_pairs(find_pairs(folder)),  # noqa: ARG005
    group=lambda row: row.story,
    answer=_answer,
    baselines={
        "TF-IDF of both events, logistic regression": leave_one_story_out(_by_classes(logistic_regression)),
        "cosine of reports, scores learnt": leave_one_story_out(_by_similarity),
        "most frequent class": leave_one_story_out(_by_classes(most_frequent)),
        "random": leave_one_story_out(_by_classes(random_class)),
    },
    score=_score,
    kinds=_kinds,
    kinds_of="pair, frame and chain",
    read_submission=_read_submission,
    submission=_submission,
)
"""How strongly did one event lead to another?"""
