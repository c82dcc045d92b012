"""How long a build takes, and how much of that is the models' bare forward passes: both in one run.

    python lab/experiments/build_time.py NEWS... [--out DIR]

The build runs first, as `whywire build` does, while every batch given to ONNX Runtime is written down. Then the
same batches go through the same sessions again, on as many threads, with nothing else to do. The ratio of the two
times is what everything else costs: reading, splitting, tokenising, grouping, linking, writing, the page.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from whywire.api.news_input import load_news
from whywire.building import build
from whywire.language_models import LanguageModels
from whywire.models import OnnxModel
from whywire.models import encoder as encoder_module
from whywire.news import Language

Pass = tuple[Any, list[str], dict[str, Any]]
"""A session, the outputs asked for, and the inputs."""


def main() -> None:
    """Build, replay, and print seconds a stage, both totals, their ratio and the peak memory as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--out", type=Path, help="keep the build here")
    arguments = parser.parse_args()
    passes: list[Pass] = []
    original = OnnxModel._forward
    OnnxModel._forward = _noting(original, passes)
    with tempfile.TemporaryDirectory() as scratch:
        started = time.perf_counter()
        articles, problems = load_news(arguments.news)
        reading = time.perf_counter() - started
        models = LanguageModels()
        for language in (Language.ENGLISH, Language.RUSSIAN):
            models.sentences(language), models.pairs(language)
        loading = time.perf_counter() - started - reading
        result = build(articles, models=models)
        built = time.perf_counter()
        folder = arguments.out or Path(scratch)
        result.write(folder, title="Benchmark", inputs=arguments.news, problems=problems)
        ended = time.perf_counter()
    OnnxModel._forward = original  # type: ignore[method-assign]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    bare = _replay(passes)
    whole = ended - started
    print(
        json.dumps(
            {
                "machine": f"{platform.machine()}, {encoder_module.usable_cores()} cores",
                "counts": result.counts,
                "seconds a stage": {"reading news": round(reading, 1), "loading models": round(loading, 1)}
                | {name: round(seconds, 1) for name, seconds in result.seconds.items()}
                | {"writing files": round(ended - built, 1)},
                "seconds in all": round(whole, 1),
                "seconds of bare forward passes": round(bare, 1),
                "ratio": round(whole / bare, 3),
                "peak memory, MB, with the passes noted for the replay": round(memory),
                "MB of passes noted": round(sum(_size(noted) for noted in passes) / 2**20),
            },
            indent=2,
        )
    )


def _noting(forward: Callable[..., Any], passes: list[Pass]) -> Callable[..., Any]:
    """The model's forward pass, with its inputs written down as the narrow integers they are."""

    def noted(model: OnnxModel, numbers: range, encodings: list[Any], wanted: list[str]) -> Any:
        for encoding in encodings:
            inputs = encoder_module.inputs_of(encoding)
            passes.append((model.session, wanted, {name: array.astype("int32") for name, array in inputs.items()}))
        return forward(model, numbers, encodings, wanted)

    return noted


def _size(noted: Pass) -> int:
    return sum(array.nbytes for array in noted[2].values())


def _replay(passes: list[Pass]) -> float:
    """Seconds that the noted passes take when nothing else is done."""

    def forward(noted: Pass) -> None:
        session, wanted, inputs = noted
        session.run(wanted, {name: array.astype("int64") for name, array in inputs.items()})

    started = time.perf_counter()
    with ThreadPoolExecutor(encoder_module.usable_cores()) as pool:
        for _ in pool.map(forward, passes):
            pass
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
