"""How much processor time a build takes, and how much of that is the models' bare forward passes: both in one run.

    python lab/experiments/build_time.py NEWS... [--out DIR]

The build runs first, as `whywire build` does, while every pass of ONNX Runtime is written down. Then the same passes
go through the same sessions again, on as many threads, with nothing else to do. The ratio of the two times is what
everything else costs: loading models, reading, splitting, tokenising, grouping, linking, writing, the page. It is
processor time, since other programs on the machine disturb that least.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from onnxruntime import InferenceSession

from whywire.api.news_input import load_news
from whywire.building import build
from whywire.cli.app import GARBAGE
from whywire.language_models import LanguageModels
from whywire.models.encoder import usable_cores
from whywire.news import Language

Pass = tuple[InferenceSession, Any, dict[str, Any]]
"""A session, the outputs asked for, and the inputs; whole numbers as 32 bits, to save memory."""


def main() -> None:
    """Build, replay, and print seconds a stage, both totals, their ratio and the peak memory as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--out", type=Path, help="keep the build here")
    arguments = parser.parse_args()
    gc.set_threshold(*GARBAGE)  # as commands do
    passes: list[Pass] = []
    with tempfile.TemporaryDirectory() as scratch, _noting(passes):
        started = time.process_time()
        articles, problems = load_news(arguments.news)
        read = time.process_time()
        models = LanguageModels()
        models.documents()
        for language in {article.language for article in articles} - {Language.OTHER}:
            models.sentences(language), models.pairs(language)
        loaded = time.process_time()
        result = build(articles, models=models)
        built = time.process_time()
        folder = arguments.out or Path(scratch)
        result.write(folder, title="Benchmark", inputs=arguments.news, problems=problems)
        ended = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    bare = _replay(passes)
    print(
        json.dumps(
            {
                "machine": f"{platform.machine()}, {usable_cores()} cores",
                "counts": result.counts,
                "seconds of the clock, by stage": {name: round(took, 1) for name, took in result.seconds.items()},
                "seconds of the processor": {
                    "reading news": round(read - started, 1),
                    "loading models": round(loaded - read, 1),
                    "building": round(built - loaded, 1),
                    "writing files": round(ended - built, 1),
                    "in all": round(ended - started, 1),
                    "bare forward passes": round(bare, 1),
                },
                "passes": len(passes),
                "ratio": round((ended - started) / bare, 3),
                "ratio without loading models": round((ended - started - (loaded - read)) / bare, 3),
                "peak memory, MB, with the passes noted for the replay": round(memory),
                "MB of passes noted": round(
                    sum(array.nbytes for noted in passes for array in noted[2].values()) / 2**20
                ),
            },
            indent=2,
        )
    )


@contextmanager
def _noting(passes: list[Pass]) -> Iterator[None]:
    """Note every pass of a session inside the block."""
    run = InferenceSession.run

    def noted(session: InferenceSession, outputs: Any, feed: dict[str, Any], options: Any = None) -> Any:
        passes.append((session, outputs, {name: _narrow(array) for name, array in feed.items()}))
        return run(session, outputs, feed, options)

    InferenceSession.run = noted
    try:
        yield
    finally:
        InferenceSession.run = run


def _narrow(array: Any) -> Any:
    return array.astype(np.int32) if array.dtype == np.int64 else array


def _replay(passes: list[Pass]) -> float:
    """Seconds of the processor that the noted passes take when nothing else is done."""

    def forward(noted: Pass) -> None:
        session, outputs, feed = noted
        session.run(outputs, {name: a.astype(np.int64) if a.dtype == np.int32 else a for name, a in feed.items()})

    started = time.process_time()
    with ThreadPoolExecutor(usable_cores()) as pool:
        for _ in pool.map(forward, passes):
            pass
    return time.process_time() - started


if __name__ == "__main__":
    main()
