"""What a pass of the document reader costs with other settings of ONNX Runtime: processor time and peak memory.

    python lab/experiments/reader_passes.py NEWS... [--longest N]

The longest articles go through the graph on two threads, in a fresh process for each setting; the hash says whether
the outputs are the same to the bit.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import multiprocessing
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import onnxruntime

from whywire.api.news_input import load_news
from whywire.models import from_pretrained, weights_file
from whywire.models.nan_guards import without_nan_guards
from whywire.news import split_sentences
from whywire.reading.document_reader import KIND, MOST_WINDOWS, OUTPUTS, feed_of
from whywire.reading.windows import windows_of

SETTINGS: dict[str, dict[str, Any]] = {
    "with guards against NaN": {"guards": True},
    "without guards": {},
    "without memory patterns": {"enable_mem_pattern": False},
    "without the arena": {"enable_cpu_mem_arena": False},
    "without both": {"enable_mem_pattern": False, "enable_cpu_mem_arena": False},
    "the arena given back after each pass": {"shrink": True},
}
THREADS = 2


def main() -> None:
    """Print a line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--longest", type=int, default=6)
    arguments = parser.parse_args()
    for name, settings in SETTINGS.items():
        with multiprocessing.get_context("spawn").Pool(1) as fresh:
            print(name, *fresh.apply(_measure, (arguments.news, arguments.longest, settings)), sep="; ")


def _measure(news: list[str], longest: int, settings: dict[str, Any]) -> tuple[str, str, str, str]:
    """Seconds, those of them in the system, peak memory, and a hash of all outputs."""
    settings = dict(settings)
    guards, shrink = settings.pop("guards", False), settings.pop("shrink", False)
    model = from_pretrained("documents", kind=KIND)
    graph = gzip.decompress(weights_file(model.folder).read_bytes())
    options, of_run = onnxruntime.SessionOptions(), onnxruntime.RunOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    for name, value in settings.items():
        setattr(options, name, value)
    if shrink:
        of_run.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    session = onnxruntime.InferenceSession(graph if guards else without_nan_guards(graph), options)
    feeds = []
    for article in load_news(news)[0]:
        sentences = split_sentences(article.text, article.language)
        windows = windows_of(article.title, article.text, sentences, model.tokenizer)
        feeds.append(feed_of(windows[:MOST_WINDOWS]))
    feeds = sorted(feeds, key=lambda feed: -feed["ids"].size)[:longest]
    before, started = resource.getrusage(resource.RUSAGE_SELF), time.process_time()
    with ThreadPoolExecutor(THREADS) as pool:
        outputs = list(pool.map(lambda feed: session.run(OUTPUTS, feed, of_run), feeds))
    took, after = time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF)
    digest = hashlib.sha256(b"".join(array.tobytes() for given in outputs for array in given)).hexdigest()[:12]
    system = after.ru_stime - before.ru_stime
    return f"{took:.2f} s", f"{system:.2f} s in the system", f"{after.ru_maxrss // 1024} MB", digest


if __name__ == "__main__":
    main()
