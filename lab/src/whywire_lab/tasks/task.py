"""What a benchmark is: rows of a corpus, a way to answer them, and the task's own scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from whywire.errors import InputError
from whywire.models import OnnxModel
from whywire_lab.corpora.parts import part_of


class Predictor(Protocol):
    """What answers for us: one of our readers, over a model of ours."""

    @property
    def model(self) -> OnnxModel:
        """The model it asks."""


Row = TypeVar("Row")
Answer = TypeVar("Answer")
Model = TypeVar("Model", bound=Predictor)

Progress = Callable[[float], object] | None
"""Called with the number of rows just read."""

TRAIN, DEV = "train", "dev"


@dataclass(frozen=True, slots=True)
class Published:
    """A result as published. ``scores`` has the names of the task's own, from 0 to 1."""

    system: str
    split: str
    source: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Rows(Generic[Row]):
    """What is measured on.

    Args:
        split: which rows these are, in words.
        files: where they were read from.
        train: reads the rows baselines may learn from; none of them is measured on.
    """

    split: str
    files: tuple[Path, ...]
    rows: list[Row]
    train: Callable[[], list[Row]]


@dataclass(frozen=True, slots=True)
class Task(Generic[Row, Answer, Model]):
    """A published task; an answer is what a system says of one row.

    Args:
        model: the embedded model that answers where no other is named.
        open: from the name of an embedded model, or a folder, to what answers.
        folder: of its corpus, in the folder of corpora.
        files: names of the release's files for a split.
        read: the rows of a split; raises :class:`InputError` that names the file that is missing or broken.
        group: what near-duplicates share, so that none is learnt from and another measured on.
        answer: what our model says.
        baselines: by name, a function of the rows to learn from and the rows to answer.
        score: the task's scores, the one that systems are ranked by first.
        kinds: scores on kinds of rows, where the paper looks at such.
        kinds_of: what the kinds are of, to stand over their table.
        read_submission: answers from a file in the task's format; raises :class:`InputError` with the place.
        submission: the text of such a file.
    """

    name: str
    model: str
    open: Callable[[str | Path], Model]
    folder: str
    published: tuple[Published, ...]
    files: Callable[[str], tuple[str, ...]]
    read: Callable[[Path, str], list[Row]]
    group: Callable[[Row], str]
    answer: Callable[[Model, Sequence[Row], Progress], list[Answer]]
    baselines: Mapping[str, Callable[[Sequence[Row], Sequence[Row]], list[Answer]]]
    score: Callable[[Sequence[Row], Sequence[Answer]], Mapping[str, float]]
    kinds: Callable[[Sequence[Row], Sequence[Answer]], Mapping[str, float]]
    read_submission: Callable[[Path, Sequence[Row]], list[Answer]]
    submission: Callable[[Sequence[Row], Sequence[Answer]], str]
    kinds_of: str = "causal sentence"

    def load(self, data: Path, split: str = DEV) -> Rows[Row]:
        """Rows of a published split, or, where there is no published dev, of the part of train that no model saw.

        Args:
            data: the folder of corpora, or this corpus's own.
            split: ``dev``, ``test``, or whatever stands in the files' names.

        Raises:
            InputError: a file is missing or broken.
        """
        folder = self.folder_in(data)
        paths = tuple(folder / name for name in self.files(split))
        missing = [path for path in paths if not path.is_file()]
        if split == DEV and len(missing) == len(paths):
            return self._own_part(folder)
        if missing:
            raise InputError(
                "no such file", where=str(missing[0]), hint=f"the {split} split of {self.name} is read from it"
            )
        return Rows(f"{split} (published)", paths, self.read(folder, split), lambda: self.read(folder, TRAIN))

    def folder_in(self, data: Path) -> Path:
        """The folder of the task's corpus: in the folder of corpora, or that one itself.

        Raises:
            InputError: there is no such folder.
        """
        folder = data / self.folder if (data / self.folder).is_dir() else data
        if not folder.is_dir():
            raise InputError("no such folder", where=str(data), hint=f"name one that holds {self.folder}, or itself")
        return folder

    def _own_part(self, folder: Path) -> Rows[Row]:
        rows = self.read(folder, TRAIN)
        parts = [part_of(self.group(row)) for row in rows]

        def chosen(part: str) -> list[Row]:
            return [row for row, own in zip(rows, parts, strict=True) if own == part]

        paths = tuple(folder / name for name in self.files(TRAIN))
        return Rows("dev (ours, of train)", paths, chosen(DEV), lambda: chosen(TRAIN))
