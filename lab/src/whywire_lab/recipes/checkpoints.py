"""Nets in torch: writing their weights, tokenizer and scores, and building a net again from its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import torch
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel

from whywire.errors import ModelError
from whywire_lab.recipes.base_encoders import Base, load_tokenizer
from whywire_lab.recipes.encoder_net import EncoderNet
from whywire_lab.recipes.export import write_config, write_json

Net = TypeVar("Net", bound=EncoderNet)
Kind = TypeVar("Kind")


def save_net(net: torch.nn.Module, folder: Path) -> None:
    """Write the trained weights, in floats, into ``net.pt``: before anything that may fail is done with them."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), folder / "net.pt")


def write_checkpoint(
    folder: Path, kind: str, net: EncoderNet, base: Base, max_tokens: int, scores: Mapping[str, Any]
) -> None:
    """Write ``net.pt``, ``tokenizer.json``, ``config.json`` and ``scores.json``.

    Args:
        kind: the name of the recipe.
        max_tokens: where texts are cut.
    """
    base.tokenizer.no_truncation()
    save_net(net, folder)
    base.tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    layout = json.loads(base.encoder.config.to_json_string())
    layout.pop("_name_or_path", None)  # where it lay on this machine
    config = {
        "kind": kind,
        "base": base.name,
        "max_tokens": max_tokens,
        "encoder": layout,
        "attention": base.encoder.config._attn_implementation,  # another rounds otherwise, and a border may move
    }
    write_config(folder, config)
    write_json(folder / "scores.json", scores)


def read_checkpoint(
    folder: Path, kinds: Mapping[str, Kind], make: Callable[[Any, Kind], Net], hint: str
) -> tuple[Net, Tokenizer, Kind]:
    """What :func:`write_checkpoint` wrote: the net in evaluation, a tokenizer that cuts texts, and the kind.

    Args:
        kinds: the expected kinds, by the name of their recipe.
        make: from an encoder and the kind to the net without its weights.
        hint: what to do where the folder holds something else.

    Raises:
        ModelError: the folder holds something else, or a file is missing.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        kind = kinds[config["kind"]]
        weights = torch.load(folder / "net.pt", weights_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"this is none of {', '.join(kinds)}: {error}", where=str(folder), hint=hint) from error
    layout = AutoConfig.for_model(**config["encoder"])
    net = make(AutoModel.from_config(layout, attn_implementation=config["attention"]), kind)
    missing, strange = net.load_state_dict(weights, strict=False)
    if strange or any(not name.startswith("encoder.pooler.") for name in missing):  # no one asks the pooler
        raise ModelError(f"weights do not fit: missing {missing}, unexpected {strange}", where=str(folder))
    tokenizer = load_tokenizer(folder)
    tokenizer.enable_truncation(config["max_tokens"])
    return net.eval(), tokenizer, kind
