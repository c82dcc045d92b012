"""A causal language model that writes headlines that may follow a headline (HeadlineCause, section 4.3).

It continues a cause and a separator with an effect. It only writes candidates, which the pair model ranks
(:mod:`whywire.answers.predictions`). Needs the extra ``generate``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

from whywire.errors import MissingExtraError, ModelError

try:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ModuleNotFoundError as missing:
    raise MissingExtraError(str(missing.name), "generate") from missing

SEPARATOR = "<|leads to|>"
"""The token between cause and effect; it does not occur in news."""

MAX_TOKENS = 128
"""The longest cause and effect together; two headlines are rarely half as long."""

NEW_TOKENS = 40
"""The longest effect written: a long headline."""

TOP_P = 0.9
"""Nucleus sampling: each token is sampled from the likeliest tokens that together have this probability (Holtzman et
al. 2020)."""


class EffectWriter:
    """A causal language model trained to write effects, and its tokenizer."""

    def __init__(self, net: Any, tokenizer: Any) -> None:
        self.net = net.eval()
        self.tokenizer = tokenizer

    @classmethod
    def from_pretrained(cls, name: str | Path) -> EffectWriter:
        """Load a checkpoint that was trained to write effects.

        Raises:
            ModelError: no checkpoint has this name, or it was not trained to write effects.
        """
        net, tokenizer = load_checkpoint(name)
        if SEPARATOR not in tokenizer.get_vocab():
            raise ModelError(
                "the checkpoint has not learned to write effects", where=str(name), hint="train it on pairs first"
            )
        return cls(net, tokenizer)

    def write(self, cause: str, count: int, *, seed: int = 0) -> list[str]:
        """Write effects of a cause, the most frequently sampled first; the same seed gives the same effects.

        Args:
            count: the number of samples; duplicates and empty samples are removed.
        """
        prompt = torch.tensor([self._prompt(cause)])
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(crc32(f"{seed} {cause}".encode()))  # different phrases for each cause
            drawn = self.net.generate(
                input_ids=prompt,
                attention_mask=torch.ones_like(prompt),
                do_sample=True,
                top_p=TOP_P,
                top_k=0,
                num_return_sequences=count,
                max_new_tokens=NEW_TOKENS,
                eos_token_id=self.tokenizer.eos_token_id,
                pad_token_id=self.tokenizer.pad_token_id,
            )
        texts = self.tokenizer.batch_decode(drawn[:, prompt.shape[1] :], skip_special_tokens=True)
        often = Counter(" ".join(text.split()) for text in texts)
        return [text for text, _ in often.most_common() if text]

    def _prompt(self, cause: str) -> list[int]:
        begin = self.tokenizer.bos_token_id
        separator: int = self.tokenizer.convert_tokens_to_ids(SEPARATOR)
        return [*([] if begin is None else [begin]), *self._tokens(cause)[: MAX_TOKENS // 2], separator]

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids


def load_checkpoint(name: str | Path) -> tuple[Any, Any]:
    """Load a causal language model and its tokenizer from the hub or a folder.

    Raises:
        ModelError: no checkpoint has this name.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        net = AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"no causal language model under this name: {str(error).splitlines()[0]}",
            where=str(name),
            hint="give a folder, or a name on the hub such as openai-community/gpt2",
        ) from error
    return net, tokenizer
