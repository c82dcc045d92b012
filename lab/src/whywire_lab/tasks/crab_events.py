"""CRAB's first step (section 3.2): the main events that the documents of a story tell of.

Precision and recall of main events (tables 10 and 12) are counted here by words: a listed event is right if the pair
model takes it and an event of the corpus for one event, and each stands for one of the other at most.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from whywire.building import build
from whywire.errors import InputError
from whywire.graph.main_events import main_events
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, split_sentences
from whywire.pairs.model import PairModel
from whywire_lab.corpora.crab import CausalPair, StoryEvent, find_pairs, read_pairs
from whywire_lab.corpora.indexed import indexed
from whywire_lab.corpora.table_formats import table_rows
from whywire_lab.metrics.classification import Score, score
from whywire_lab.tasks.crab import FOLDER
from whywire_lab.tasks.task import DEV, Progress, Task, TaskRows

MODEL = "pairs"

EVEN = 0.5
"""The prior of two descriptions being of one event, and the probability from which they are taken to be."""


@dataclass(frozen=True, slots=True)
class StoryDocuments:
    """A story: the texts of its documents, and its events in the corpus's words."""

    name: str
    documents: tuple[str, ...]
    events: tuple[str, ...]


Stories = Sequence[StoryDocuments]
Events = tuple[str, ...]
"""The main events of a story, in words."""


def stories_of(pairs: Sequence[CausalPair]) -> list[StoryDocuments]:
    """The stories whose documents are known; an event that has several wordings is listed by its first."""
    found: dict[str, dict[str, StoryEvent]] = defaultdict(dict)
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for pair in pairs:
        for event in (pair.cause, pair.effect):
            found[pair.story].setdefault(event.name, event)
            if event.context:
                texts[pair.story][event.context] = None
    return [
        StoryDocuments(story, tuple(texts[story]), tuple(event.text for event in events.values()))
        for story, events in found.items()
        if texts[story]
    ]


def matched(model: PairModel, listed: Sequence[str], events: Sequence[str]) -> int:
    """How many listed events are each one of the story's: at most one to one, and as many as can be."""
    from scipy.optimize import linear_sum_assignment  # here, for the program loads this module for every command

    if not listed or not events:
        return 0
    pairs = [(one, other) for one in listed for other in events]
    same = model.same_event_probabilities(pairs, prior=EVEN).reshape(len(listed), len(events)) >= EVEN
    return int(same[linear_sum_assignment(same, maximize=True)].sum())


def _counts(rows: Stories, answers: Sequence[Events]) -> list[Score]:
    model = PairModel.from_pretrained(MODEL)
    return [
        score(matched(model, listed, row.events), len(listed), len(row.events))
        for row, listed in zip(rows, answers, strict=True)
    ]


def scores(rows: Stories, answers: Sequence[Events]) -> dict[str, float]:
    """Precision, recall and F1 of main events, each a mean over stories."""
    found = _counts(rows, answers)
    return {
        "precision": float(np.mean([own.precision for own in found])),
        "recall": float(np.mean([own.recall for own in found])),
        "F1": float(np.mean([own.f1 for own in found])),
    }


def _kinds(rows: Stories, answers: Sequence[Events]) -> dict[str, float]:
    return {
        f"{row.name}, {name}": value
        for row, own in zip(rows, _counts(rows, answers), strict=True)
        for name, value in (("precision", own.precision), ("recall", own.recall))
    }


def _article(number: int, text: str) -> Article:
    """A document as an article: its first line is the title, or else its first sentence."""
    line, _, rest = text.strip().partition("\n")
    if not rest.strip():
        (start, end), *_ = split_sentences(text, Language.ENGLISH) or [(0, len(text))]
        line, rest = text[start:end], text[end:]
    return Article(str(number), " ".join(line.split()), text=rest.strip(), language=Language.ENGLISH)


def _answer(model: PairModel, rows: Stories, progress: Progress) -> list[Events]:
    models = LanguageModels({MODEL: str(model.model.folder)})
    answers = []
    for row in rows:
        graph = build([_article(*numbered) for numbered in enumerate(row.documents)], models=models).graph
        told = [event for story in graph.stories() for event in main_events(story)] or graph.single_events()
        answers.append(tuple(dict.fromkeys(event.title for event in told)))
        if progress:
            progress(1)
    return answers


def _first_sentences(train: Stories, rows: Stories) -> list[Events]:  # noqa: ARG001
    return [tuple(_article(0, text).title for text in row.documents) for row in rows]


def _submission(rows: Stories, answers: Sequence[Events]) -> str:  # noqa: ARG001
    lines = ({"index": index, "events": list(own)} for index, own in enumerate(answers))
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _read_submission(path: Path, rows: Stories) -> list[Events]:
    """Read ``{"index": 0, "events": […]}`` a line, one a story."""
    found: dict[int, Events] = {}
    for place, index, row in indexed(table_rows(path), len(rows), of="stories", path=path):
        events = row.get("events")
        if not isinstance(events, list) or not all(isinstance(event, str) and event.strip() for event in events):
            raise InputError("events must be a list of texts", where=place)
        found[index] = tuple(events)
    return [found[index] for index in range(len(rows))]


def _read(path: Path) -> list[StoryDocuments]:
    found = stories_of(read_pairs(path))
    if not found:
        raise InputError("no pair has its documents' texts", where=str(path), hint="columns article_a and article_b")
    return found


class AllStoriesTask(Task[StoryDocuments, Events, PairModel]):
    """A task without a training split: all stories are measured."""

    def load(self, data: Path, split: str = DEV) -> TaskRows[StoryDocuments]:  # noqa: ARG002
        """The stories of the file of pairs, whatever the split."""
        path = find_pairs(data if data.is_file() else self.folder_in(data))
        note = "Events are compared by the pair model: not comparable with the paper's tables 10 and 12"
        return TaskRows("all stories", (path,), _read(path), list, notes=(note,))


STORIES: Task[StoryDocuments, Events, PairModel] = AllStoriesTask(
    name="crab-events",
    model=MODEL,
    open=PairModel.from_pretrained,
    folder=FOLDER,
    published=(),
    files=lambda split: (),  # noqa: ARG005
    read=lambda folder, split: _read(find_pairs(folder)),  # noqa: ARG005
    group=lambda row: row.name,
    answer=_answer,
    baselines={"first sentence of each document": _first_sentences},
    score=scores,
    kinds=_kinds,
    kinds_of="story",
    read_submission=_read_submission,
    submission=_submission,
)
"""Which main events do the documents of a story tell of?"""
