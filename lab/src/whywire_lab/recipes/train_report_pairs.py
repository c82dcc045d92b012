"""Recipe: train the model of report pairs on the complement of a fold, measure it there, and average such runs.

    python -m whywire_lab.recipes.train_report_pairs --data DATA --out runs/report-pairs --fold 0/3
    python -m whywire_lab.recipes.train_report_pairs --data DATA --out runs/report-pairs       # on all rows

The first command trains without fold 0 of three and measures on it: ``scores.json``, and the logits in
``held_out.npz``. Run again after a stop, it goes on from ``checkpoint.pt``. It uses a graphics processor where torch
finds one; reports are read by the int8 encoder on the processor, each once. ``--encoder`` takes the encoder of
another run.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from whywire.errors import InputError
from whywire.models import OnnxModel
from whywire.pairs.model import KIND
from whywire.pairs.relations import RELATIONS
from whywire.pairs.report_reader import ReportReader
from whywire.pairs.reports import Report
from whywire_lab.labels.files import LANGUAGES
from whywire_lab.recipes.base_encoders import Base, base_embedder, load_base, trim_vocabulary
from whywire_lab.recipes.checkpoints import save_net
from whywire_lab.recipes.corpus_pairs import training_articles
from whywire_lab.recipes.export import write_json
from whywire_lab.recipes.export_report_pairs import export_report_pairs
from whywire_lab.recipes.report_draws import Draws
from whywire_lab.recipes.report_encoder import export_report_encoder
from whywire_lab.recipes.report_pair_calibration import calibrate
from whywire_lab.recipes.report_pair_loss import pair_loss
from whywire_lab.recipes.report_pair_model import GUIDELINES, Answers, ReportPairNet
from whywire_lab.recipes.report_pair_scores import measured_rows, scores
from whywire_lab.recipes.report_rows import ReportPair
from whywire_lab.recipes.report_sources import report_pairs, stream_pairs
from whywire_lab.recipes.story_folds import Folds
from whywire_lab.recipes.training_loop import console, linear_warmup_and_decay, seed_everything

BASE, RARE = "multilingual-e5-small", 8
"""The encoder, and how often the streams must show a word piece for it to stay."""

FOLDS = 3
"""Folds of the whole recipe."""

WITH_LEADS, TITLES = "with leads", "titles"


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train.

    Args:
        steps: batches.
        batch: rows of each.
        rate: the layers' peak learning rate; what starts from nothing learns ``head_factor`` times as fast.
        warmup: share of the steps over which the rate rises, before it falls to 0.
        keep: the decay of a moving mean of the weights, which is measured and kept.
        save_every: steps between checkpoints.
    """

    steps: int = 4000
    batch: int = 32
    rate: float = 1e-4
    head_factor: float = 5.0
    warmup: float = 0.05
    weight_decay: float = 0.01
    keep: float = 0.998
    save_every: int = 200


def device_to_use() -> torch.device:
    """A graphics processor if torch finds one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> torch.autocast:
    """bf16 where the hardware has it."""
    known = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=known)


def answers(net: ReportPairNet, reader: ReportReader, rows: Sequence[ReportPair]) -> Answers:
    """The answers on rows as they stand."""
    read = reader.read(report for row in rows for report in (row.left, row.right))
    with mixed_precision(net.device):
        return net.answers([read[row.left] for row in rows], [read[row.right] for row in rows])


class Training:
    """A run that can stop at any step and go on from its checkpoint.

    Args:
        folder: of the checkpoint.
    """

    def __init__(self, net: ReportPairNet, reader: ReportReader, draws: Draws, plan: Plan, folder: Path) -> None:
        self.net, self.reader, self.draws, self.plan, self.folder = net, reader, draws, plan, folder
        self.mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(plan.keep))
        self.step, self.seconds = 0, 0.0
        self.optimiser = torch.optim.AdamW(self._groups(), weight_decay=plan.weight_decay, fused=True)
        self.rates = linear_warmup_and_decay(self.optimiser, plan.steps, plan.warmup)

    def _groups(self) -> list[dict[str, Any]]:
        own = list(self.net.named_parameters())
        return [
            {"params": [value for name, value in own if name.startswith("layers.")], "lr": self.plan.rate},
            {
                "params": [value for name, value in own if not name.startswith("layers.")],
                "lr": self.plan.rate * self.plan.head_factor,
            },
        ]

    def run(self) -> ReportPairNet:
        """Train to the last step, from the checkpoint if there is one, and return the mean of the weights."""
        self._resume()
        running = 0.0
        self.net.train()
        while self.step < self.plan.steps:
            started = time.monotonic()
            rows = self.draws.batch(self.plan.batch)
            loss = pair_loss(answers(self.net, self.reader, rows), rows, self.draws.priors)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimiser.step()
            self.rates.step()
            self.optimiser.zero_grad(set_to_none=True)
            self.mean.update_parameters(self.net)
            self.step += 1
            self.seconds += time.monotonic() - started
            running = float(loss.detach()) if not running else 0.98 * running + 0.02 * float(loss.detach())
            if self.step % 50 == 0:
                pace = self.seconds / self.step
                console.print(f"step {self.step}/{self.plan.steps}  loss {running:.4f}  {pace:.2f} s/step")
            if self.step % self.plan.save_every == 0 or self.step == self.plan.steps:
                self._save()
        trained: Any = self.mean.module
        result: ReportPairNet = trained.eval()
        return result

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def _save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "plan": asdict(self.plan),
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
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
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.rates.load_state_dict(state["rates"])
        self.step, self.seconds = state["step"], state["seconds"]
        random.setstate(state["random"])
        torch.set_rng_state(state["torch"].cpu())
        console.print(f"going on from step {self.step}")


def predict(
    net: ReportPairNet, reader: ReportReader, rows: Sequence[ReportPair]
) -> tuple[dict[str, np.ndarray[Any, Any]], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The logits of the relations by guideline, those of strength, and the cosines of titles and of whole reports."""
    relations: dict[str, list[Any]] = {guideline: [] for guideline in GUIDELINES}
    strength, cosines = [], []
    for at in range(0, len(rows), 32):
        chosen = rows[at : at + 32]
        with torch.no_grad():
            found = answers(net, reader, chosen)
        for guideline in GUIDELINES:
            relations[guideline].append(found.relations[guideline].float().cpu().numpy())
        strength.append(found.strength.float().cpu().numpy())
        read = reader.read(report for row in chosen for report in (row.left, row.right))
        sides = [(read[row.left], read[row.right]) for row in chosen]
        cosines += [[left.title @ right.title, left.whole @ right.whole] for left, right in sides]
    return (
        {guideline: np.concatenate(tables) for guideline, tables in relations.items()},
        np.concatenate(strength),
        np.array(cosines),
    )


def measure(net: ReportPairNet, reader: ReportReader, rows: Sequence[ReportPair], folder: Path) -> None:
    """Write scores with leads and without them, and the logits they are made of."""
    kept: dict[str, np.ndarray[Any, Any]] = {}
    found = {}
    for name in (WITH_LEADS, TITLES):
        shown = list(rows) if name == WITH_LEADS else [row.bare for row in rows]
        relations, strength, cosines = predict(net, reader, shown)
        found[name] = scores(rows, relations, strength, cosines)
        kept |= {f"{name} {guideline}": table for guideline, table in relations.items()}
        kept |= {f"{name} strength": strength, f"{name} cosines": cosines}
    write_json(folder / "scores.json", found)
    np.savez_compressed(folder / "held_out.npz", allow_pickle=False, **kept)


def load_trimmed(data: Path, base: str | None = None) -> Base:
    """The base encoder with the word pieces that the streams show; another one as it is."""
    if base:
        return load_base(base)
    texts = (
        text
        for language in ("ru", "en")
        for row in training_articles(data / "news_stream", language)
        for text in (row["title"], row["text"][:3000])
    )
    return trim_vocabulary(load_base(BASE), texts, min_count=RARE)


def stream_reports(data: Path) -> list[list[Report]]:
    """Reports of the streams' training part, by language, in an order that is the same every time."""
    found = []
    for language in LANGUAGES:
        own = [
            Report.of(article["title"], article["text"])
            for article in training_articles(data / "news_stream", language)
        ]
        random.Random(0).shuffle(own)
        found.append(own)
    return found


def make_report_pairs(
    data: Path,
    folder: Path,
    *,
    fold: str = "",
    plan: Plan | None = None,
    seed: int = 1,
    encoder: Path | None = None,
    base: str | None = None,
) -> None:
    """Train one run and write it into ``folder``.

    Args:
        fold: ``k/n`` holds out fold *k* (from 0) of *n* and measures on it; empty trains on everything.
        encoder: the folder of the encoder of reports, which is exported to it unless it is there; ``folder/encoder``
            by default.
        base: another encoder to start from: a hub name or a folder.
    """
    plan = plan or Plan()
    start = load_trimmed(data, base)
    rows = list(report_pairs(data, base_embedder(start)))
    encoder = encoder or folder / "encoder"
    if not (encoder / "config.json").is_file():
        export_report_encoder(start, stream_reports(data), encoder)
    held_out, count = fold_of(fold) if fold else (-1, 2)
    folds = Folds(rows, count)
    kept = folds.train(rows, held_out)
    console.print(f"{len(kept)} of {len(rows)} rows train")
    seed_everything(0)  # what starts from nothing starts from the same every time
    net = ReportPairNet(start.encoder).to(device_to_use())
    reader = ReportReader(OnnxModel(encoder), kept=len(rows))
    seed_everything(seed)
    trained = Training(net, reader, Draws(kept, folds.component), plan, folder).run()
    save_net(trained, folder)
    write_json(folder / "run.json", {"fold": fold, "seed": seed, **asdict(plan)})
    if fold:
        measure(trained, reader, measured_rows(folds.measured(rows, held_out)), folder)


def make_pairs(data: Path, folder: Path, *, seed: int = 1, base: str | None = None) -> dict[str, Any]:
    """The whole recipe: three runs that hold out a fold each; the model is the mean of their weights.

    All start from the same weights, so their mean is one model, less sure of itself than each of them (Wortsman et
    al. 2022). What each says of its fold calibrates it. Checkpoints are in ``folder/runs``; a recipe that was stopped
    goes on from them.

    Args:
        base: another encoder of the BERT family: a hub name or a folder.

    Returns:
        The scores of the folds: mean and deviation by source.
    """
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    encoder = runs / "encoder"
    for fold in range(FOLDS):
        out = runs / f"fold-{fold}"
        if not (out / "scores.json").is_file():
            make_report_pairs(data, out, fold=f"{fold}/{FOLDS}", seed=seed, encoder=encoder, base=base)
    return export_trained(data, runs, folder, base=base)


def export_trained(data: Path, runs: Path, folder: Path, *, base: str | None = None) -> dict[str, Any]:
    """Write the mean of the folds' runs into ``folder``, calibrated on pairs that no run saw."""
    start = load_trimmed(data, base)
    rows = list(report_pairs(data, base_embedder(start)))
    folds = Folds(rows, FOLDS)
    asked = [row for fold in range(FOLDS) for row in measured_rows(folds.measured(rows, fold))]
    net = ReportPairNet(start.encoder)
    states = [torch.load(runs / f"fold-{fold}" / "net.pt", weights_only=True) for fold in range(FOLDS)]
    net.load_state_dict({name: torch.stack([own[name] for own in states]).mean(0) for name in states[0]})
    config = {
        "kind": KIND,
        "relations": [str(relation) for relation in RELATIONS],
        "relations_by": "relations",
        "strength_by": {"en": "sentences-en"},
    }
    encoder = runs / "encoder"
    export_report_pairs(net, ReportReader(OnnxModel(encoder), kept=len(rows)), encoder, asked, config, folder)
    calibrate(folder, [*stream_pairs(data / "news_stream", "valid")])
    return mean_and_deviation([_read_json(runs / f"fold-{fold}" / "scores.json") for fold in range(FOLDS)])


def mean_and_deviation(folds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of numbers at the same places in nested tables, "mean ± deviation"."""
    first = folds[0]
    found: dict[str, Any] = {}
    for name in first:
        values = [fold[name] for fold in folds if name in fold]
        if isinstance(first[name], Mapping):
            found[name] = mean_and_deviation(values)
        else:
            found[name] = f"{np.mean(values):.1f} ± {np.std(values):.1f}"
    return found


def _read_json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def fold_of(text: str) -> tuple[int, int]:
    """The number and the count of ``k/n``.

    Raises:
        InputError: the text is not of this form.
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
    parser.add_argument("--encoder", type=Path, help="the folder of an exported encoder of reports")
    parser.add_argument("--steps", type=int, default=usual.steps)
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--rate", type=float, default=usual.rate)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plan = Plan(steps=options.steps, batch=options.batch, rate=options.rate)
    make_report_pairs(
        options.data, options.out, fold=options.fold, plan=plan, seed=options.seed, encoder=options.encoder
    )


if __name__ == "__main__":
    main()
