"""How the cost of a backfill grows with the number of articles, stage by stage, without passes of models.

    whywire update part_of_a_stream.jsonl --store base.db      # some hundred articles, read by the models once
    python lab/experiments/growth.py base.db --sizes 1000,3000,10000 --folder out
    python lab/experiments/growth.py base.db --sizes 1000 --folder out --store 'postgresql://me@/news_{}?host=/run'
    python lab/experiments/growth.py base.db --sizes 400,1200 --folder out --engine ray

The articles of the base are repeated until there are enough (`repeated_news.py`), each repetition ``--span`` days
after the one before, so that a million articles spread over decades. Stories do not grow: what grows is the store,
its indexes and its history. With less than the four days within which reports are compared, an article and its
repetition, which share their common words, are often in one region of reports, which goes on for as long as the news.

The rows are written to JSON Lines, in a random order, and ``whywire.backfill`` reads them into a new store with
partitions by month. What is measured is processor time by stage, of this process and, with PostgreSQL or Ray, of
those of the server or the cluster, which must run on this machine. The stage *kept answers* stands for the passes of
models. With Ray stories are decided in the cluster, by the same answers.

Prints a line of JSON for each fifth of a run, as it is taken in, and for each size, with the largest resident memory;
at the end the exponents (slopes of a line through the logarithms).
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from repeated_news import KeptAnswers, KeptAnswersOnRay, KeptReadings, Stream
from sqlalchemy import func, select

from whywire import Store, backfill
from whywire.api.partition_folder import PartitionFolder
from whywire.cli.app import GARBAGE
from whywire.engines import Engine, LocalEngine
from whywire.engines.ray_engine import RayEngine
from whywire.events.article_index import ArticleIndex
from whywire.news import to_row
from whywire.progress import Advance, NoProgress
from whywire.store.states import StoredState
from whywire_lab.processor_time import family_seconds, parent_of

FIFTHS = 5
"""Parts of a run that are measured one by one."""


def main() -> None:
    """Measure backfills of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="a store of some hundred articles")
    parser.add_argument("--sizes", default="1000,3000,10000")
    parser.add_argument("--span", type=float, default=5.0, help="days from one repetition to the next, at least")
    parser.add_argument("--folder", type=Path, required=True, help="for news, stores and partitions")
    parser.add_argument("--store", help="address of an empty database for each size, {} for the size; else SQLite")
    parser.add_argument("--engine", choices=["local", "ray"], default="local")
    arguments = parser.parse_args()
    gc.set_threshold(*GARBAGE)  # as the command does
    arguments.folder.mkdir(parents=True, exist_ok=True)
    found = []
    span, sizes = timedelta(days=arguments.span), [*map(int, arguments.sizes.split(","))]
    with Store.open(arguments.base, read_only=True) as store:
        stream = Stream(store, span)
        opened: AbstractContextManager[Engine] = nullcontext(KeptAnswers(stream))
        if arguments.engine == "ray":
            opened = KeptAnswersOnRay(stream, arguments.base, max(sizes))
        with opened as engine:
            for size in sizes:
                url = arguments.store and arguments.store.format(size)
                found.append(measured(stream, engine, size, arguments.folder / str(size), url))
                print(json.dumps(found[-1]), flush=True)
    if len(found) > 1:
        print(json.dumps({"exponents": exponents(found)}))


class StageClock:
    """Processor time by stage; a stage inside another one is not counted for that.

    Args:
        now: the processor time so far.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._stages = ["the rest"]
        self._now = now
        self._since = now()

    @contextmanager
    def measuring(self, *methods: tuple[Any, str, str]) -> Iterator[None]:
        """Measure methods, each given with its owner, its name and its stage, while the block runs."""
        before = [getattr(owner, name) for owner, name, _ in methods]
        for (owner, name, stage), method in zip(methods, before, strict=True):
            setattr(owner, name, self._measured(method, stage))
        try:
            yield
        finally:
            self._turn()
            for (owner, name, _), method in zip(methods, before, strict=True):
                setattr(owner, name, method)

    def _measured(self, method: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def measured(*arguments: Any, **options: Any) -> Any:
            self._turn()
            self._stages.append(stage)
            try:
                return method(*arguments, **options)
            finally:
                self._turn()
                self._stages.pop()

        return measured

    def so_far(self) -> dict[str, float]:
        """The seconds by stage until now."""
        self._turn()
        return dict(self.seconds)

    def _turn(self) -> None:
        now = max(self._since, self._now())  # a process that ends may be in neither list for a moment
        self.seconds[self._stages[-1]] += now - self._since
        self._since = now


class Fifths(NoProgress):
    """Prints what each fifth of the articles cost, as soon as it is taken in: milliseconds an article by stage."""

    def __init__(self, clock: StageClock) -> None:
        self._clock = clock

    def start(self, stage: str, total: int) -> Advance:
        """Begin with the stage that takes articles in."""
        if stage != "taking in articles":
            return super().start(stage, total)
        taken = printed = 0.0
        before = self._clock.so_far()

        def advance(steps: float) -> None:
            nonlocal taken, printed, before
            taken += steps
            if int(taken * FIFTHS / total) > int(printed * FIFTHS / total):
                now = self._clock.so_far()
                spent = {stage: now[stage] - before.get(stage, 0.0) for stage in sorted(now)}
                each = {stage: round(1000 * of_stage / (taken - printed), 2) for stage, of_stage in spent.items()}
                print(json.dumps({"taken in": round(taken), "ms of the processor an article": each}), flush=True)
                printed, before = taken, now

        return advance


def measured(stream: Stream, engine: Engine, size: int, folder: Path, url: str | None) -> dict[str, Any]:
    """Fill in so many articles; return the milliseconds an article by stage.

    Args:
        url: of an empty store; a file of SQLite in the folder by default.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    repetitions = -(-size // len(stream.articles))
    rows = [row for number in range(repetitions) for row in map(to_row, stream.repetition(number))][:size]
    random.Random(size).shuffle(rows)
    with (folder / "news.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    del rows
    address = url or str(folder / "news.db")
    with Store.open(address) as store, store.reading() as connection:
        server = [] if url is None else [parent_of(connection.execute(select(func.pg_backend_pid())).scalar_one())]
    alone = url is None and isinstance(engine, LocalEngine)
    clock = StageClock(time.process_time if alone else partial(family_seconds, *server))
    updating = import_module("whywire.updating.update")  # the package has a function of this name
    with clock.measuring(
        (import_module("whywire.api.backfill"), "_read_files", "reading files"),
        (KeptReadings, "read", "kept answers"),
        (ArticleIndex, "regroup", "finding stories"),
        (ArticleIndex, "apply", "finding stories"),
        (Store, "index", "finding stories"),
        (Store, "catch_up", "finding stories"),
        (LocalEngine, "decide", "deciding"),
        (RayEngine, "decide", "deciding"),
        (updating, "with_kept_ids", "comparing with before"),
        (updating, "compared", "comparing with before"),
        (StoredState, "fetch", "comparing with before"),
        (Store, "keep_answers", "storing"),
        (Store, "commit", "storing"),
        (Store, "lease", "the queue"),
        (Store, "workers", "the queue"),
        (Store, "waiting", "the queue"),
        (Store, "next_rank", "the queue"),
        (PartitionFolder, "write_ended", "partitions"),
        (PartitionFolder, "write_changed", "partitions"),
    ):
        done = backfill(
            folder / "news.jsonl", address, partitions=folder / "parts", models=engine, progress=Fifths(clock)
        )
    with Store.open(address, read_only=True) as store, store.reading() as connection:
        counts = store.counts()
        if url is None:
            stored = (folder / "news.db").stat().st_size
        else:
            stored = connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one()
    seconds = {name: round(1000 * spent / size, 3) for name, spent in sorted(clock.seconds.items())}
    return {
        "articles": counts.articles,
        "events": counts.events,
        "links": counts.links,
        "ms of the processor an article": seconds | {"all": round(1000 * sum(clock.seconds.values()) / size, 3)},
        "partitions written": len(done.partitions),
        "MB of the store": round(stored / 1e6, 1),
        "largest resident MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    }


def exponents(found: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How each stage grows with the articles: the slope of a line through the logarithms of its seconds."""
    sizes = np.log([one["articles"] for one in found])
    stages = [one["ms of the processor an article"] for one in found]
    return {
        name: round(float(np.polyfit(sizes, sizes + np.log([max(one[name], 1e-6) for one in stages]), 1)[0]), 3)
        for name in stages[0]
    }


if __name__ == "__main__":
    main()
