"""How many articles and pairs a second the graphs of the pair model read on one core, beside today's models.

    python lab/experiments/report_pair_speed.py --data DATA [--net RUN]

Texts are neighbours of the streams' training part, one at a time as in a build, the fastest of five rounds. Without a
run the weights are untrained, which changes no time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import onnxruntime
import torch

from whywire.models.encoder import inputs_of
from whywire.models.pretrained import WEIGHTS
from whywire_lab.recipes.base_encoders import load_tokenizer
from whywire_lab.recipes.export_report_pairs import ARTICLE, PAIR, export_report_pairs, pair_feed
from whywire_lab.recipes.report_pair_model import SplitNet, texts_of
from whywire_lab.recipes.report_rows import Report, ReportPair
from whywire_lab.recipes.report_sources import stream_pairs
from whywire_lab.recipes.train_report_pairs import SPLIT, Plan, load_trimmed, make_net

ROUNDS, PAIRS = 5, 200


def main() -> None:
    """Print megabytes, and texts a second, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--net", type=Path, help="the folder of a trained run")
    parser.add_argument("--joint", type=int, default=Plan().joint)
    options = parser.parse_args()
    base = load_trimmed(options.data)
    net = make_net(base, SPLIT, Plan(joint=options.joint))
    if options.net:
        net.load_state_dict(torch.load(options.net / "net.pt", weights_only=True))
    rows = list(stream_pairs(options.data / "news_stream"))
    assert isinstance(net, SplitNet)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        export_report_pairs(net, base.tokenizer, rows, {}, Path(folder))
        found["MB"] = {
            name: round((Path(folder) / name).stat().st_size / 1e6, 2) for name in (ARTICLE, PAIR, "tokenizer.json")
        }
        config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
        found["lost to int8"] = config["lost_to_int8"]
        article, pair = (_session(Path(folder) / name) for name in (ARTICLE, PAIR))
    for language in ("en", "ru"):
        own = [row for row in rows if row.language == language]
        own = own[:: len(own) // PAIRS]
        found[language] = _speeds(own, base.tokenizer, article, pair)
        for name in (f"headlines-{language}", "relations"):
            found[language][f"pairs a second, {name}"] = _today(own, WEIGHTS / name)
    print(json.dumps(found, indent=2))


def _speeds(rows: Sequence[ReportPair], tokenizer: Any, article: Any, pair: Any) -> dict[str, float]:
    result = {}
    for name, shown in (("with leads", list(rows)), ("titles alone", [row.bare for row in rows])):
        feeds = [[_feed(tokenizer, report) for report in (row.left, row.right)] for row in shown]
        whole = [feed for sides in feeds for feed in sides]
        result[f"articles a second, {name}"] = _pace(
            len(whole), lambda whole=whole: [article.run(None, feed) for feed in whole]
        )
        states = [
            pair_feed(*((article.run(["states"], feed)[0], feed["token_type_ids"]) for feed in sides))
            for sides in feeds
        ]
        result[f"pairs a second, {name}"] = _pace(
            len(states), lambda states=states: [pair.run(None, dict(feed)) for feed in states]
        )
        result[f"tokens an article, {name}"] = round(sum(feed["input_ids"].size for feed in whole) / len(whole), 1)
    return result


def _today(rows: Sequence[ReportPair], folder: Path) -> float:
    tokenizer = load_tokenizer(folder)
    session = _session(folder / "model.onnx.gz")
    feeds = [inputs_of(tokenizer.encode(row.left.title, row.right.title)) for row in rows]
    return _pace(len(feeds), lambda: [session.run(["relation"], feed) for feed in feeds])


def _feed(tokenizer: Any, report: Report) -> dict[str, Any]:
    texts = texts_of(report)
    return inputs_of(tokenizer.encode(texts) if isinstance(texts, str) else tokenizer.encode(*texts))


def _pace(count: int, work: Callable[[], Any]) -> float:
    """So many a second, in the fastest of the rounds."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return round(count / min(seconds), 1)


def _session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        gzip.decompress(path.read_bytes()), options, providers=["CPUExecutionProvider"]
    )


if __name__ == "__main__":
    main()
