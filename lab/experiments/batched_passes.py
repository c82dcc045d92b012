"""What texts cost a model alone, in batches by length, and on two threads of the runtime: time, and other answers.

    python lab/experiments/batched_passes.py NEWS... [--sentences 400] [--rounds 3]

Sentences go through the sentence reader of their language as shipped, each alone on one thread; then in batches of
texts of like length, filled up with padding; then each alone on two threads of the runtime; in turns, and the
quickest round counts. *Others*: the share of sentences whose probability of a cause differs by a hundredth from that
alone, since the runtime scales int8 activations over a whole batch. *Padding*: the share of tokens that fill up.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding

from whywire.api.news_input import load_news
from whywire.language_models import LanguageModels
from whywire.models import OnnxModel, sessions
from whywire.models.encoder import inputs_of, weights_file
from whywire.models.odds import probabilities_of
from whywire.news import Language, split_sentences
from whywire.sentences.decoding import CAUSAL

BATCHES = (8, 32)
DIFFERENT = 0.01


def main() -> None:
    """Print a row as JSON for each language and way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--sentences", type=int, default=400, help="of each language")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    texts: defaultdict[Language, dict[str, None]] = defaultdict(dict)
    for article in load_news(arguments.news)[0]:
        if article.language is not Language.OTHER:
            for span in split_sentences(article.text, article.language):
                texts[article.language][article.text[slice(*span)]] = None
    for language, sentences in texts.items():
        model = LanguageModels().sentences(language).model
        encodings = model.tokenizer.encode_batch([*sentences][: arguments.sentences])
        for row in measured(model, encodings, arguments.rounds):
            print(json.dumps({"language": language, "sentences": len(encodings)} | row))


def measured(model: OnnxModel, encodings: Sequence[Encoding], rounds: int) -> Iterator[dict[str, object]]:
    """What each way costs, in milliseconds a sentence, and how its answers differ."""
    ways = {
        "alone": (model.session, 1),
        **{f"batches of {size}": (model.session, size) for size in BATCHES},
        "alone, two threads of the runtime": (two_threads(model), 1),
    }
    answers = {name: read(*way, encodings) for name, way in ways.items()}
    best = {name: (float("inf"), float("inf")) for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            clock, used = time.perf_counter(), time.process_time()
            read(*way, encodings)
            took = time.perf_counter() - clock, time.process_time() - used
            best[name] = min(best[name], took)
    for name, (clock, used) in best.items():
        other = np.abs(answers[name] - answers["alone"]) > DIFFERENT
        yield {
            "way": name,
            "ms by the clock": round(1000 * clock / len(encodings), 2),
            "ms of the processor": round(1000 * used / len(encodings), 2),
            "padding, %": round(100 * padding(encodings, ways[name][1]), 1),
            "others, %": round(100 * float(other.mean()), 1),
        }


def read(session: onnxruntime.InferenceSession, size: int, encodings: Sequence[Encoding]) -> NDArray[np.float32]:
    """The probability of a cause in each sentence, read in batches of sentences of like length."""
    names = {given.name for given in session.get_inputs()}
    rows: dict[int, NDArray[np.float32]] = {}
    for batch in batched(by_length(encodings), size):
        longest = max(len(encodings[at]) for at in batch)
        feed = {name: np.zeros((len(batch), longest), dtype=np.int64) for name in names}
        for row, at in enumerate(batch):
            for name, array in inputs_of(encodings[at]).items():
                if name in names:
                    feed[name][row, : array.shape[1]] = array[0]
        rows |= zip(batch, session.run(["sentence", "tokens"], feed)[0], strict=True)
    return probabilities_of(np.stack([rows[at] for at in range(len(encodings))]))[:, CAUSAL]


def batched(items: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Some items at a time."""
    return (items[at : at + size] for at in range(0, len(items), size))


def by_length(encodings: Sequence[Encoding]) -> list[int]:
    """The numbers of the sentences, the shortest first."""
    return sorted(range(len(encodings)), key=lambda at: len(encodings[at]))


def padding(encodings: Sequence[Encoding], size: int) -> float:
    """The share of all tokens that fill up shorter sentences."""
    lengths = [len(encodings[at]) for at in by_length(encodings)]
    filled = sum(max(batch) * len(batch) for batch in batched(lengths, size))
    return 1 - sum(lengths) / filled


def two_threads(model: OnnxModel) -> onnxruntime.InferenceSession:
    """The graph of a model on two threads of the runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(sessions._unpacked(weights_file(model.folder).read_bytes()), options)


if __name__ == "__main__":
    main()
