"""From a trained net to the files Whywire runs: int8 ONNX, the tokenizer, and what is known about both."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_onnx(
    net: torch.nn.Module,
    outputs: Mapping[str, bool],
    tokenizer: Tokenizer,
    config: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write ``model.onnx`` (int8 weights), ``tokenizer.json`` and ``config.json`` into ``folder``.

    Args:
        net: takes the three ``INPUTS`` and returns a tuple in the order of ``outputs``.
        outputs: name of each output, and whether it has one row a token (else one a text).
        config: what the runtime must know: the kind of model, limits, calibration.
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
            extra_options={"MatMulConstBOnly": True},
        )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    text = json.dumps(config, ensure_ascii=False, indent=2, sort_keys=True)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")
