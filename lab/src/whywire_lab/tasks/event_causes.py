"""Direct causes among four events of a story (SemEval-2026 task 12), without the documents that report them.

Without a published dev part, every fifth topic is measured, which no embedded model was trained on. Some questions
have the option "none of the others", which is always right: a system trained on the corpus knows that, so the scores
of questions whose options are all events are also given apart.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.links.judges.choosing import direct_causes
from whywire.links.judges.consistency import causes_together
from whywire.links.judges.judge import Choice
from whywire.pairs.model import PairModel
from whywire_lab.candidates.same_event_baselines import best_threshold
from whywire_lab.corpora.event_causes import Question, read_questions
from whywire_lab.corpora.indexed import indexed
from whywire_lab.corpora.splits import part_of_story
from whywire_lab.corpora.table_formats import table_rows
from whywire_lab.metrics.classification import binary_score, calibration_error
from whywire_lab.tasks.pair_baselines import logistic_regression
from whywire_lab.tasks.sentence_baselines import SEED
from whywire_lab.tasks.task import DEV, TRAIN, Progress, Task, TaskRows

FOLDER, MODEL = "event_causes", "pairs"
FILE = "questions.jsonl"
LETTERS = "ABCD"

Questions = Sequence[Question]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChosenCauses:
    """A system's answer to a question.

    Args:
        chosen: the options it takes for direct causes, 0 to 3.
        strengths: of each option, 0 to 100; ``None`` if the system gives none.
    """

    chosen: frozenset[int]
    strengths: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventCausesTask(Task[Question, ChosenCauses, PairModel]):
    """The task's rows: a folder for each part, as released, or one file divided by topics."""

    def load(self, data: Path, split: str = DEV) -> TaskRows[Question]:
        """Questions of a released part; for ``dev`` without it, those of the topics held out.

        Args:
            data: the folder of corpora, or this corpus's own.
            split: ``dev``, or whatever stands before ``_data`` in a folder's name.

        Raises:
            InputError: a file is missing or broken.
        """
        folder = self.folder_in(data)
        path = folder / f"{split}_data" / FILE
        if path.is_file():
            return TaskRows(f"{split} (published)", (path,), _questions(path), lambda: _questions(_train(folder)))
        if split != DEV:
            raise InputError("no such file", where=str(path), hint=f"the {split} split is read from it")
        path = _train(folder)
        rows = _questions(path)
        parts = [part_of_story(row.topic) for row in rows]

        def chosen(part: str) -> list[Question]:
            return [row for row, own in zip(rows, parts, strict=True) if own == part]

        return TaskRows("dev (ours, of train)", (path,), chosen(DEV), lambda: chosen(TRAIN))


def _train(folder: Path) -> Path:
    released = folder / "train_data" / FILE
    return released if released.is_file() else folder / FILE


def _questions(path: Path) -> list[Question]:
    if not path.is_file():
        raise InputError("no such file", where=str(path), hint=f"the questions of {FOLDER} are read from it")
    found: list[Question] = []
    try:
        for question in read_questions(path):
            found.append(question)  # noqa: PERF402 - their number gives the line of a broken one
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        place = f"{path}:{len(found) + 1}"
        raise InputError("not a question with four options and its answers", where=place) from error
    return found


def task_score(chosen: frozenset[int], truth: frozenset[int]) -> float:
    """The task's own score: 1 for exactly the right options, a half for some of them and no other, else 0."""
    return 1.0 if chosen == truth else 0.5 if chosen and chosen < truth else 0.0


def score(rows: Questions, answers: Sequence[ChosenCauses]) -> dict[str, float]:
    """The task's own score, the share of exact answers, F1 over options, and scores of the strengths.

    *top option*: how often the strongest option is a right one. *ECE*: the expected calibration error of strengths
    taken as probabilities of being a direct cause.
    """
    both = list(zip(rows, answers, strict=True))
    estimate = [number in answer.chosen for _, answer in both for number in range(len(LETTERS))]
    truth = [number in row.answers for row in rows for number in range(len(LETTERS))]
    found = {
        "task score": float(np.mean([task_score(answer.chosen, row.answers) for row, answer in both])),
        "exact set": float(np.mean([answer.chosen == row.answers for row, answer in both])),
        "option F1": binary_score(estimate, truth).f1,
    }
    strengths = [answer.strengths for answer in answers if answer.strengths]
    if len(strengths) == len(rows):
        top = [int(np.argmax(own)) in row.answers for row, own in zip(rows, strengths, strict=True)]
        found |= {"top option": float(np.mean(top)), "ECE": calibration_error(np.ravel(strengths) / 100, truth)}
    return found


def _kinds(rows: Questions, answers: Sequence[ChosenCauses]) -> dict[str, float]:
    """The task's own score by the number of right options, and by whether all are events (the others leak)."""
    kinds: dict[str, list[float]] = defaultdict(list)
    for row, answer in zip(rows, answers, strict=True):
        for kind in (f"{len(row.answers)} right", "events only" if row.events_only else "no event among them"):
            kinds[kind].append(task_score(answer.chosen, row.answers))
    return {kind: float(np.mean(own)) for kind, own in sorted(kinds.items())}


def _pairs(rows: Questions) -> list[tuple[str, str]]:
    return [(option, row.effect) for row in rows for option in row.options]


def _truth(rows: Questions) -> list[bool]:
    return [number in row.answers for row in rows for number in range(len(row.options))]


def _answers(strengths: Floats) -> list[ChosenCauses]:
    """Answers from strengths (questions times options,), 0 to 100; at least one option is chosen."""
    table: list[list[float]] = strengths.reshape(-1, len(LETTERS)).tolist()
    return [ChosenCauses(direct_causes(own, some_cause=True), tuple(own)) for own in table]


def _answer(model: PairModel, rows: Questions, progress: Progress) -> list[ChosenCauses]:
    return _answers(model.strengths(_pairs(rows), progress))


def _together(rows: Questions, answers: Sequence[ChosenCauses]) -> list[ChosenCauses]:
    """What is chosen where an event's questions are answered together; each is known to have an answer."""
    strengths = [answer.strengths or () for answer in answers]
    chosen = causes_together([Choice(row.effect, row.options) for row in rows], strengths)
    return [replace(answer, chosen=own) for answer, own in zip(answers, chosen, strict=True)]


def _by_words(train: Questions, rows: Questions) -> list[ChosenCauses]:
    """Logistic regression over the words: it does well only if the options leak."""
    table = logistic_regression(_pairs(train), [int(right) for right in _truth(train)], _pairs(rows), 2)
    return _answers(100 * table[:, 1])


def _by_similarity(train: Questions, rows: Questions) -> list[ChosenCauses]:
    """Choose the options with a cosine above a learnt threshold, or else the one with the highest."""
    model = PairModel.from_pretrained(MODEL)
    known, asked = (model.similarity(_pairs(own)).astype(float) for own in (train, rows))
    threshold, _ = best_threshold(known, np.array(_truth(train)))
    table = asked.reshape(-1, len(LETTERS))
    return [ChosenCauses(frozenset(np.flatnonzero(own >= min(threshold, own.max())).tolist())) for own in table]


def _most_frequent(train: Questions, rows: Questions) -> list[ChosenCauses]:
    letters = Counter(tuple(sorted(row.answers)) for row in train).most_common(1)[0][0]
    return [ChosenCauses(frozenset(letters))] * len(rows)


def _random(train: Questions, rows: Questions) -> list[ChosenCauses]:
    """Random options, as many as a random training question has right; with a fixed seed."""
    rng = np.random.default_rng(SEED)
    sizes = rng.choice([len(row.answers) for row in train], len(rows)).tolist()
    return [ChosenCauses(frozenset(rng.permutation(len(LETTERS))[:size].tolist())) for size in sizes]


def _requires_training_rows(
    learn: Callable[[Questions, Questions], list[ChosenCauses]],
) -> Callable[[Questions, Questions], list[ChosenCauses]]:
    def answer(train: Questions, rows: Questions) -> list[ChosenCauses]:
        if not train:
            hint = "leave the baselines out (--no-baselines)"
            raise InputError("there are no questions that baselines could learn from", hint=hint)
        return learn(train, rows)

    return answer


def _submission(rows: Questions, answers: Sequence[ChosenCauses]) -> str:  # noqa: ARG001
    lines = []
    for index, own in enumerate(answers):
        line: dict[str, object] = {
            "index": index,
            "answer": ",".join(LETTERS[number] for number in sorted(own.chosen)),
        }
        lines.append(json.dumps(line | ({"strengths": own.strengths} if own.strengths else {})))
    return "".join(line + "\n" for line in lines)


def _read_submission(path: Path, rows: Questions) -> list[ChosenCauses]:
    """Read ``{"index": 0, "answer": "B,D"}`` a line, one a question; perhaps also four ``strengths``."""
    found: dict[int, ChosenCauses] = {}
    for place, index, row in indexed(table_rows(path), len(rows), of="questions", path=path):
        answer, strengths = row.get("answer"), row.get("strengths")
        letters = {letter.strip() for letter in answer.split(",")} if isinstance(answer, str) else {None}
        if not letters <= {*LETTERS, ""}:
            raise InputError(f"the answer must be letters from A to D with commas, not {answer!r}", where=place)
        if strengths is not None and not _are_strengths(strengths):
            raise InputError("strengths must be four numbers from 0 to 100", where=place)
        chosen = frozenset(LETTERS.index(letter) for letter in letters if letter)  # none where it is left blank
        found[index] = ChosenCauses(chosen, tuple(strengths) if strengths else None)
    return [found[index] for index in range(len(rows))]


def _are_strengths(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == len(LETTERS)
        and all(isinstance(own, int | float) and not isinstance(own, bool) and 0 <= own <= 100 for own in value)
    )


QUESTIONS: Task[Question, ChosenCauses, PairModel] = EventCausesTask(
    name="event-causes",
    model=MODEL,
    open=PairModel.from_pretrained,
    folder=FOLDER,
    published=(),
    files=lambda split: (FILE if split == TRAIN else f"{split}_data/{FILE}",),
    read=lambda folder, split: _questions(_train(folder) if split == TRAIN else folder / f"{split}_data" / FILE),
    group=lambda row: str(row.topic),
    answer=_answer,
    baselines={
        "TF-IDF of option and event, logistic regression": _requires_training_rows(_by_words),
        "cosine of reports, threshold learnt": _requires_training_rows(_by_similarity),
        "most frequent answer": _requires_training_rows(_most_frequent),
        "random": _requires_training_rows(_random),
    },
    score=score,
    kinds=_kinds,
    kinds_of="question",
    made_of={"questions of an event together": _together},
    read_submission=_read_submission,
    submission=_submission,
)
"""Which of four events of its story caused an event directly?"""
