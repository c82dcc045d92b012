"""What one new article costs a store that grows, beyond the passes of models; beside a build of everything.

    python lab/experiments/update_cost.py NEWS... --store URL [--sizes 1000,10000,100000] [--singles 100]
    python lab/experiments/update_cost.py NEWS... --store URL --sizes 0 --only-singles   # as large as it is

Articles are taken in many at a time until the store holds as many events as the next size; then ``--singles`` of them
one at a time, by a worker as the service runs it: accepted, leased, read, decided, committed. Of each the time beyond
the passes of models is taken: those of the encoders, and of the parser that turns counterfactuals where the extra
*grammar* is installed. What the worker does when nothing waits is not counted. Processor time is that of this
process: it leaves out a server's, and other programs hardly change it. Then everything is decided again from known
answers, as a build would, unless ``--only-singles`` is given. Prints a line of JSON for each size. The store should
be new, or hold news of which none is given, such as one of ``multiplied_store.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language as Parser

from whywire import LanguageModels, Store
from whywire.api.news_input import load_news
from whywire.models import OnnxModel
from whywire.news import without_duplicates
from whywire.reading.document_reader import DocumentReader
from whywire.store import Worker
from whywire.updating import renew

AT_ONCE = 256
"""Articles taken in at a time between two sizes."""

WARM_UP = 20
"""Articles taken in before the clock starts: what loads late is loaded by the first that need it."""


class PassClock:
    """Seconds spent in passes of models: the encoders, and the parser of the extra *grammar*.

    Attributes:
        seconds: by the wall clock, and of the processor.
    """

    def __init__(self) -> None:
        self.seconds = np.zeros(2)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure all models while this is open."""
        passes = [
            (OnnxModel, "run", OnnxModel.run),
            (DocumentReader, "logits", DocumentReader.logits),
            (Parser, "pipe", Parser.pipe),
        ]
        for owner, name, method in passes:
            setattr(owner, name, self._timed(method))
        try:
            yield
        finally:
            for owner, name, method in passes:
                setattr(owner, name, method)

    def _timed(self, method):
        def timed(*arguments, **options):
            started = clocks()
            answers = method(*arguments, **options)
            self.seconds += clocks() - started
            return between(answers) if isinstance(answers, Iterator) else answers

        def between(answers):
            while True:
                started = clocks()
                answer = next(answers, None)
                self.seconds += clocks() - started
                if answer is None:
                    return
                yield answer

        return timed


def clocks() -> NDArray[np.float64]:
    """The wall clock and the processor time of this process, in seconds."""
    return np.array([time.perf_counter(), time.process_time()])


def main() -> None:
    """Grow a store and print what articles cost at each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--store", required=True)
    parser.add_argument("--sizes", default="1000,3000,10000,30000,100000")
    parser.add_argument("--singles", type=int, default=120)
    parser.add_argument("--only-singles", action="store_true", help="do not decide everything again")
    arguments = parser.parse_args()
    articles, _ = without_duplicates(load_news(arguments.news)[0])
    waiting = iter(articles)
    models, clock = LanguageModels(), PassClock()
    with Store.open(arguments.store) as store, clock.running():
        worker = Worker(store, models)
        for size in map(int, arguments.sizes.split(",")):
            while (missing := size - store.counts().events) > 0:
                batch = [one for one, _ in zip(waiting, range(min(AT_ONCE, 1 + missing // 16)), strict=False)]
                if not batch:
                    break
                store.accept(batch)
                worker.work(limit=AT_ONCE)
            while worker.work(limit=AT_ONCE) is not None:
                pass
            singles = [one for one, _ in zip(waiting, range(arguments.singles), strict=False)]
            if singles:
                decided = None if arguments.only_singles else models
                print(json.dumps(report(store, worker, singles, clock, decided)), flush=True)


def report(
    store: Store, worker: Worker, articles: list, clock: PassClock, models: LanguageModels | None
) -> dict[str, object]:
    """Take articles in one at a time, then decide everything; the times, in milliseconds and seconds.

    Args:
        models: decide everything; ``None`` if it is not decided.
    """
    counts, beyond, passes = store.counts(), [], []
    for number, article in enumerate(articles):
        clock.seconds[:], started = 0.0, clocks()
        store.accept([article])
        worker.work(limit=1)
        if number >= WARM_UP:
            beyond.append(clocks() - started - clock.seconds)
            passes.append(clock.seconds.copy())
        store.tidy()  # as the worker does when nothing waits
    (median, late), (processor, late_processor) = np.percentile(1000 * np.array(beyond), [50, 95], axis=0).round(1).T
    found = {
        "articles": counts.articles,
        "events": counts.events,
        "ms of one article beyond passes": {"median": median, "95th": late},
        "ms of the processor": {"median": processor, "95th": late_processor},
        "ms of its passes, median": round(1000 * float(np.median(passes, axis=0)[0]), 1),
        "resident MB": round(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6),
    }
    if models:
        reprocessing = store.reprocessing()
        clock.seconds[:], started = 0.0, clocks()
        renew(reprocessing.state, models=models)
        whole = (clocks() - started - clock.seconds)[0]
        found["seconds of deciding everything"] = round(whole, 1)
        found["one article, as a share of that"] = round(median / whole / 1000, 5)
    return found


if __name__ == "__main__":
    main()
