"""What a benchmark task is: the rows of a corpus, a model that answers them, baselines, and the task's own scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from whywire.errors import InputError
from whywire.models import OnnxModel
from whywire_lab.corpora.splits import part_of


class ModelReader(Protocol):
    """A reader of Whywire (of sentences, or of pairs of headlines) that answers a task's rows with a model."""

    @property
    def model(self) -> OnnxModel:
        """The model it reads with."""


Row = TypeVar("Row")
Answer = TypeVar("Answer")
Model = TypeVar("Model", bound=ModelReader)

Progress = Callable[[float], object] | None
"""Called with the number of rows just read."""

TRAIN, DEV = "train", "dev"


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A published result.

    Args:
        split: the rows it was measured on, as :class:`TaskRows` describes them.
        scores: from 0 to 1, by the names of the task's own scores.
        unlike: why they cannot be compared with ours, even on the same rows; empty if they can.
    """

    system: str
    split: str
    source: str
    scores: Mapping[str, float]
    unlike: str = ""

    def incomparable(self, split: str) -> str:
        """Why the scores cannot be compared with scores on these rows; empty if they can."""
        other_rows = "" if split == self.split else f"other rows, {self.split}"
        return "; ".join(filter(None, (other_rows, self.unlike)))


@dataclass(frozen=True, slots=True)
class TaskRows(Generic[Row]):
    """The rows a task is measured on.

    Args:
        split: their description, such as ``dev (published)``.
        files: the files they were read from.
        train: reads the rows baselines may be trained on; none of them is in ``rows``.
        labelled: whether the answers are known; rows without them are answered, and not scored.
        notes: what of the task is not measured on these rows, and why.
    """

    split: str
    files: tuple[Path, ...]
    rows: list[Row]
    train: Callable[[], list[Row]]
    labelled: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task(Generic[Row, Answer, Model]):
    """A published task; an answer is what a system says of one row.

    Args:
        model: the embedded model measured by default.
        open: loads a reader by the name of an embedded model, or from a folder.
        folder: the corpus's name in the folder of corpora.
        files: names of the release's files for a split.
        read: the rows of a split; raises :class:`InputError` that names the file that is missing or broken.
        group: a key that near-duplicate rows share; rows with one key are never in two parts.
        answer: the model's answers.
        baselines: by name, a function from training rows and measured rows to answers.
        score: the task's scores, first the one that systems are ranked by.
        kinds: scores on kinds of rows, where the paper gives such.
        kinds_of: what the kinds divide, for the head of their table.
        read_submission: answers from a file in the task's format; raises :class:`InputError` with the place.
        submission: the text of such a file.
        made_of: by name, further answers made of the model's, which are measured beside them.
        needs: by the name of a baseline, a check that raises an error where something it needs is not installed.
        consistency: further scores of the model, on more rows than the task has labels for.
    """

    name: str
    model: str
    open: Callable[[str | Path], Model]
    folder: str
    published: tuple[PublishedResult, ...]
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
    made_of: Mapping[str, Callable[[Sequence[Row], Sequence[Answer]], list[Answer]]] = field(default_factory=dict)
    needs: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    consistency: Callable[[Model, Sequence[Row], Progress], Mapping[str, float]] | None = None

    def load(self, data: Path, split: str = DEV) -> TaskRows[Row]:
        """Rows of a published split, or, without a published dev, of the part of train that no embedded model saw.

        Args:
            data: the folder of corpora, or this corpus's own folder.
            split: ``dev``, ``test``, or another split in the files' names.

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
        return TaskRows(f"{split} (published)", paths, self.read(folder, split), lambda: self.read(folder, TRAIN))

    def folder_in(self, data: Path) -> Path:
        """The folder of the task's corpus: in the folder of corpora, or that one itself.

        Raises:
            InputError: there is no such folder.
        """
        folder = data / self.folder if (data / self.folder).is_dir() else data
        if not folder.is_dir():
            raise InputError("no such folder", where=str(data), hint=f"name one that holds {self.folder}, or itself")
        return folder

    def _own_part(self, folder: Path) -> TaskRows[Row]:
        rows = self.read(folder, TRAIN)
        parts = [part_of(self.group(row)) for row in rows]

        def chosen(part: str) -> list[Row]:
            return [row for row, own in zip(rows, parts, strict=True) if own == part]

        paths = tuple(folder / name for name in self.files(TRAIN))
        return TaskRows("dev (ours, of train)", paths, chosen(DEV), lambda: chosen(TRAIN))
