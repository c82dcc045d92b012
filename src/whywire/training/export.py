"""From a trained net to the files Whywire runs: int8 ONNX, the tokenizer, and what is known about both."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Encoding, Tokenizer

from whywire.models.encoder import Text, inputs_of

SAMPLES = 200
"""How many texts the quantised model is compared on."""

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_onnx(
    net: torch.nn.Module,
    outputs: Mapping[str, bool],
    tokenizer: Tokenizer,
    config: Mapping[str, Any],
    samples: Sequence[Text],
    folder: Path,
) -> None:
    """Write ``model.onnx`` (int8 weights), ``tokenizer.json`` and ``config.json`` into ``folder``.

    What int8 costs is measured head by head on the first ``SAMPLES`` of ``samples``, and noted in the config as
    ``lost_to_int8``.
    Weights keep seven bits: processors without VNNI add two 8-bit products in 16 bits, which eight would overflow.

    Args:
        net: takes the three ``INPUTS`` and returns a tuple in the order of ``outputs``.
        outputs: name of each output, and whether it has one row a token (else one a text).
        config: what the runtime must know: the kind of model, limits, calibration.
        samples: texts, or pairs of texts, like those the model will see.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sample = torch.ones((2, 8), dtype=torch.long)
    axes: dict[str, dict[int, str]] = {name: {0: "batch", 1: "length"} for name in INPUTS}
    for name, per_token in outputs.items():
        axes[name] = {0: "batch", 1: "length"} if per_token else {0: "batch"}
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "model.onnx"
        torch.onnx.export(
            net.eval(),
            (sample, sample, torch.zeros_like(sample)),
            str(exact),
            input_names=list(INPUTS),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            exact,
            folder / "model.onnx",
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"MatMulConstBOnly": True},
        )
        lost = lost_to_int8(exact, folder / "model.onnx", tokenizer.encode_batch(list(samples[:SAMPLES])))
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    text = json.dumps({**config, "lost_to_int8": lost}, ensure_ascii=False, indent=2, sort_keys=True)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")


def lost_to_int8(exact: Path, quantised: Path, samples: Sequence[Encoding]) -> dict[str, list[float]]:
    """For each output, the share of each column's variance (from 0) that the quantised model gets wrong."""
    lost: dict[str, list[float]] = {}
    sessions = [InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in (exact, quantised)]
    names = [output.name for output in sessions[0].get_outputs()]
    answers = [[session.run(names, inputs_of(sample)) for sample in samples] for session in sessions]
    for place, name in enumerate(names):
        truth, found = (
            np.concatenate([answer[place].reshape(-1, answer[place].shape[-1]) for answer in given])
            for given in answers
        )
        share = ((found - truth) ** 2).mean(0) / np.maximum(truth.var(0), 1e-9)
        lost[name] = [round(float(value), 4) for value in (share if len(share) < 64 else [share.mean()])]
    return lost
