"""Recipe: train the model of report pairs, on one fold's complement or on everything, and measure it.

    python -m whywire_lab.recipes.train_report_pairs --data DATA --out runs/report-pairs --fold 0/3
    python -m whywire_lab.recipes.train_report_pairs --data DATA --out runs/report-pairs       # everything

The first trains without fold 0 of three and measures on it: ``scores.json``, and the logits in ``held_out.npz``. Run
again after a stop, it goes on from ``checkpoint.pt``. It uses a graphics processor where torch finds one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whywire.errors import InputError
from whywire_lab.recipes.base_encoders import Base, load_base, trim_vocabulary
from whywire_lab.recipes.checkpoints import save_net
from whywire_lab.recipes.corpus_pairs import training_articles
from whywire_lab.recipes.export import write_json
from whywire_lab.recipes.report_draws import Draws
from whywire_lab.recipes.report_pair_loss import pair_loss
from whywire_lab.recipes.report_pair_model import (
    ARTICLE_TOKENS,
    GUIDELINES,
    JOINT_LAYERS,
    CrossNet,
    ReportPairNet,
    SplitNet,
)
from whywire_lab.recipes.report_pair_scores import measured_rows, scores
from whywire_lab.recipes.report_rows import ReportPair
from whywire_lab.recipes.report_sources import report_pairs
from whywire_lab.recipes.story_folds import Folds
from whywire_lab.recipes.train_pairs import base_embedder
from whywire_lab.recipes.training_loop import console, linear_warmup_and_decay, seed_everything

BASE, RARE = "multilingual-e5-small", 8
"""The encoder, and how often the streams must show a word piece for it to stay."""

CROSS, SPLIT, TITLES = "cross", "split", "split-titles"
LAYOUTS = (SPLIT, TITLES, CROSS)
"""Articles read alone with their leads; the same without leads; both titles read together."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train.

    Args:
        steps: batches.
        batch: rows of each.
        rate: the encoder's peak learning rate; what starts from nothing learns ``head_factor`` times as fast.
        warmup: share of the steps over which the rate rises, before it falls to 0.
        frozen: how many of the first layers are not trained, nor the tables.
        joint: upper layers in which two titles meet.
        save_every: steps between checkpoints.
    """

    steps: int = 3000
    batch: int = 32
    rate: float = 1.5e-4
    head_factor: float = 4.0
    warmup: float = 0.08
    weight_decay: float = 0.01
    frozen: int = 3
    joint: int = JOINT_LAYERS
    save_every: int = 100


def device_to_use() -> torch.device:
    """A graphics processor if torch finds one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> torch.autocast:
    """bf16 where the hardware has it."""
    known = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=known)


def make_net(base: Base, layout: str, plan: Plan) -> ReportPairNet:
    """An untrained net of that layout; its heads are the same every time."""
    seed_everything(0)
    return CrossNet(base.encoder) if layout == CROSS else SplitNet(base.encoder, plan.joint)


class Training:
    """A run that can stop at any step and go on from its checkpoint.

    Args:
        folder: of the checkpoint.
        components: names the component of a row (:class:`Folds`).
    """

    def __init__(
        self, net: ReportPairNet, tokenizer: Any, draws: Draws, folds: Folds, plan: Plan, layout: str, folder: Path
    ) -> None:
        self.net, self.tokenizer, self.draws, self.folds = net, tokenizer, draws, folds
        self.plan, self.layout, self.folder = plan, layout, folder
        self.step, self.seconds = 0, 0.0
        encoder: Any = net.encoder
        encoder.embeddings.requires_grad_(False)
        encoder.encoder.layer[: plan.frozen].requires_grad_(False)
        self.optimiser = torch.optim.AdamW(self._groups(), weight_decay=plan.weight_decay, fused=True)
        self.rates = linear_warmup_and_decay(self.optimiser, plan.steps, plan.warmup)

    def _groups(self) -> list[dict[str, Any]]:
        own = [(name, value) for name, value in self.net.named_parameters() if value.requires_grad]
        return [
            {"params": [value for name, value in own if name.startswith("encoder.")], "lr": self.plan.rate},
            {
                "params": [value for name, value in own if not name.startswith("encoder.")],
                "lr": self.plan.rate * self.plan.head_factor,
            },
        ]

    def run(self) -> None:
        """Train to the last step, from the checkpoint if there is one."""
        self._resume()
        device, running = self.net.device, 0.0
        self.net.train()
        while self.step < self.plan.steps:
            started = time.monotonic()
            rows = self.draws.batch(self.plan.batch, leads=self.layout == SPLIT)
            with mixed_precision(device):
                answers = self.net.answers(rows, self.tokenizer)
                loss = pair_loss(
                    answers,
                    rows,
                    self.draws.priors,
                    [self.folds.component(row) for row in rows],
                    embedding=self.layout != CROSS,
                )
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimiser.step()
            self.rates.step()
            self.optimiser.zero_grad(set_to_none=True)
            self.step += 1
            self.seconds += time.monotonic() - started
            running = float(loss.detach()) if not running else 0.98 * running + 0.02 * float(loss.detach())
            if self.step % 50 == 0:
                pace = self.seconds / self.step
                console.print(f"step {self.step}/{self.plan.steps}  loss {running:.4f}  {pace:.2f} s/step")
            if self.step % self.plan.save_every == 0 or self.step == self.plan.steps:
                self._save()
        self.net.eval()

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def _save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "plan": asdict(self.plan),
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "rates": self.rates.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "random": random.getstate(),
            "torch": torch.get_rng_state(),
        }
        scratch = self._checkpoint.with_suffix(".new")
        torch.save(state, scratch)
        scratch.replace(self._checkpoint)

    def _resume(self) -> None:
        if not self._checkpoint.is_file():
            return
        state = torch.load(self._checkpoint, map_location=self.net.device, weights_only=False)
        if state["plan"] != asdict(self.plan):
            raise InputError(
                f"the checkpoint is of another plan: {state['plan']}",
                where=str(self._checkpoint),
                hint="give the same options, or another folder",
            )
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.rates.load_state_dict(state["rates"])
        self.step, self.seconds = state["step"], state["seconds"]
        random.setstate(state["random"])
        torch.set_rng_state(state["torch"].cpu())
        console.print(f"going on from step {self.step}")


def predict(
    net: ReportPairNet, tokenizer: Any, rows: Sequence[ReportPair]
) -> tuple[dict[str, np.ndarray[Any, Any]], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The logits of the relations by guideline, those of strength, and the cosines of the articles' vectors."""
    order = sorted(range(len(rows)), key=lambda at: (bool(rows[at].left.lead), len(rows[at].left.title)))
    relations: dict[str, dict[int, Any]] = {guideline: {} for guideline in GUIDELINES}
    strength: dict[int, Any] = {}
    cosines: dict[int, Any] = {}
    for at in range(0, len(order), 32):
        chosen = order[at : at + 32]
        with torch.no_grad(), mixed_precision(net.device):
            answers = net.answers([rows[number] for number in chosen], tokenizer)
        for guideline in GUIDELINES:
            relations[guideline] |= dict(zip(chosen, answers.relations[guideline].float().cpu().numpy(), strict=True))
        strength |= dict(zip(chosen, answers.strength.float().cpu().numpy(), strict=True))
        similarity = (answers.left.float() * answers.right.float()).sum(-1).cpu().numpy()
        cosines |= dict(zip(chosen, similarity, strict=True))
    places = range(len(rows))
    return (
        {guideline: np.stack([found[place] for place in places]) for guideline, found in relations.items()},
        np.stack([strength[place] for place in places]),
        np.array([cosines[place] for place in places]),
    )


def measure(net: ReportPairNet, tokenizer: Any, rows: Sequence[ReportPair], layout: str, folder: Path) -> None:
    """Write scores with leads and without them, and the logits they are made of."""
    kept: dict[str, np.ndarray[Any, Any]] = {}
    found = {}
    for name in ("with leads", "titles"):
        if name == "with leads" and layout != SPLIT:
            continue
        shown = list(rows) if name == "with leads" else [row.bare for row in rows]
        relations, strength, cosines = predict(net, tokenizer, shown)
        found[name] = scores(rows, relations, strength)
        kept |= {f"{name} {guideline}": table for guideline, table in relations.items()}
        kept |= {f"{name} strength": strength, f"{name} cosine": cosines}
    write_json(folder / "scores.json", found)
    np.savez_compressed(folder / "held_out.npz", allow_pickle=False, **kept)


def load_trimmed(data: Path) -> Base:
    """The base encoder with the word pieces that the streams show."""
    texts = (
        text
        for language in ("ru", "en")
        for row in training_articles(data / "news_stream", language)
        for text in (row["title"], row["text"][:3000])
    )
    return trim_vocabulary(load_base(BASE), texts, min_count=RARE)


def make_report_pairs(
    data: Path, folder: Path, *, fold: str = "", layout: str = SPLIT, plan: Plan | None = None, seed: int = 1
) -> None:
    """Train one run and write it into ``folder``.

    Args:
        fold: ``k/n`` holds out fold *k* (from 0) of *n* and measures on it; empty trains on everything.
    """
    plan = plan or Plan()
    base = load_trimmed(data)
    rows = list(report_pairs(data, base_embedder(base)))
    held_out, count = fold_of(fold) if fold else (-1, 2)
    folds = Folds(rows, count)
    kept = folds.train(rows, held_out)
    console.print(f"{len(kept)} of {len(rows)} rows train")
    base.tokenizer.enable_truncation(ARTICLE_TOKENS)
    net = make_net(base, layout, plan).to(device_to_use())
    seed_everything(seed)
    Training(net, base.tokenizer, Draws(kept, folds.component), folds, plan, layout, folder).run()
    save_net(net, folder)
    write_json(folder / "run.json", {"layout": layout, "fold": fold, "seed": seed, **asdict(plan)})
    if fold:
        measure(net, base.tokenizer, measured_rows(folds.measured(rows, held_out)), layout, folder)


def fold_of(text: str) -> tuple[int, int]:
    """The number and the count of ``k/n``.

    Raises:
        InputError: it is no such text.
    """
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count) and int(count) > 1):
        raise InputError(f"a fold is k/n with k below n, not {text!r}", hint="such as 0/3")
    return int(number), int(count)


def main() -> None:
    """Read the options and train."""
    usual = Plan()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--out", type=Path, required=True, help="where the run is written")
    parser.add_argument("--fold", default="", help="k/n: hold out fold k of n and measure on it")
    parser.add_argument("--layout", choices=LAYOUTS, default=SPLIT)
    parser.add_argument("--steps", type=int, default=usual.steps)
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--rate", type=float, default=usual.rate)
    parser.add_argument("--joint", type=int, default=usual.joint, help="upper layers in which two titles meet")
    parser.add_argument("--frozen", type=int, default=usual.frozen, help="lower layers that are not trained")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plan = Plan(
        steps=options.steps, batch=options.batch, rate=options.rate, joint=options.joint, frozen=options.frozen
    )
    make_report_pairs(
        options.data, options.out, fold=options.fold, layout=options.layout, plan=plan, seed=options.seed
    )


if __name__ == "__main__":
    main()
