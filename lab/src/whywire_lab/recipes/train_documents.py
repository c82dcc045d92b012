"""Recipe: train the document reader, without one fold of source stories, and write what it says of that fold.

    python -m whywire_lab.recipes.train_documents --rows docs.jsonl --base base.npz --out runs/documents --fold 0/4
    python -m whywire_lab.recipes.train_documents --rows docs.jsonl --base base.npz --out runs/documents

The second command trains on all. ``held_out.jsonl.gz`` has for each article of the fold its candidates, their
logits, and those of their pairs, so that thresholds are chosen without training again
(:mod:`whywire_lab.recipes.drawn_graphs`). It runs on a graphics processor where torch finds one, and needs nothing
but torch and these rows: all that a step needs of an article lies on the processor before the first.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import hashlib
import json
import logging
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from whywire_lab.recipes.document_net import (
    MAX_SPAN,
    NEGATIVE,
    Candidates,
    DocumentNet,
    Shape,
    candidates_of,
    in_order,
    pooled,
)
from whywire_lab.recipes.document_rows import Document, load
from whywire_lab.recipes.training_loop import mixed_precision, seed_everything

log = logging.getLogger(__name__)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

NEAR = 0.6
"""Spans that share so much of their union with a reader's count in part."""

MOST_WINDOWS = 4
"""Windows of an article that are read."""

UNKNOWN = -1

HELD_OUT = "held_out.jsonl.gz"
"""What the net says of the fold that it did not learn from."""


def half_precision() -> torch.autocast:
    """bf16 autocast on a graphics processor, and on a processor that has bf16 instructions."""
    return mixed_precision() if DEVICE.type == "cpu" else torch.autocast(DEVICE.type, torch.bfloat16)


def fold_of(group: str, folds: int) -> int:
    """The fold of a source story."""
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4]) % folds


def read_arrays(path: Path) -> dict[str, Tensor]:
    """Arrays by name, as :func:`save` writes them."""
    arrays = np.load(path)
    state = {}
    for name in arrays.files:
        stem, _, part = name.partition("|")
        if not part:
            state[stem] = torch.from_numpy(arrays[name].astype(np.float32))
        elif part == "q":
            blocks = arrays[name].astype(np.float32) * arrays[f"{stem}|s"].astype(np.float32)
            state[stem] = torch.from_numpy(blocks.reshape(arrays[f"{stem}|n"]))
    return state


def save(net: torch.nn.Module, folder: Path, *, parts: int = 3) -> None:
    """Write what was trained as ``weights-*.npz``, large matrices as int8 with a scale for 32 values."""
    arrays: list[dict[str, Any]] = [{} for _ in range(parts)]
    for number, (name, tensor) in enumerate(net.state_dict().items()):
        values = tensor.float().cpu().numpy()
        if name.startswith("embeddings."):
            continue
        part = arrays[number % parts]
        if values.ndim == 2 and values.size > 50_000:
            blocks = values.reshape(-1, 32)
            scale = np.abs(blocks).max(1, keepdims=True) / 127 + 1e-12
            part[f"{name}|q"] = np.round(blocks / scale).astype(np.int8)
            part[f"{name}|s"], part[f"{name}|n"] = scale.astype(np.float16), np.array(values.shape)
        else:
            part[name] = values.astype(np.float16)
    for number, part in enumerate(arrays):
        np.savez_compressed(folder / f"weights-{number}.npz", **part)


@cache
def near_spans(size: int) -> np.ndarray[Any, Any]:
    """The spans that share .6 of their union with one of a size: (spans, 3), start against it, length - 1, share."""
    reach = int(size * 0.67) + 1
    found = []
    for start in range(-reach, size):
        for end in range(max(start, size - 1 - reach), min(size - 1 + reach, start + MAX_SPAN - 1) + 1):
            share = (min(end, size - 1) - max(start, 0) + 1) / (max(end, size - 1) - min(start, 0) + 1)
            if share >= NEAR:
                found.append((start, end - start, share))
    return np.array(found)


class Article:
    """What a step needs of an article, as tensors on the device.

    Args:
        near: (spans, 4): window, first token, length - 1, and the share of the union with a reader's span.
        mentions: (mentions, 4): window, first, last token, event.
        links: (events, events), 1: the row led to the column, of those that are told; ``said`` likewise, UNKNOWN
            where none is.
        strengths: (events, events), 0 to 1; UNKNOWN where nobody graded.
        below: the states below the marks, (windows, tokens, size), where these layers are not trained.
    """

    below: Tensor | None = None

    def __init__(self, document: Document) -> None:
        self.document = document
        windows = document.windows[:MOST_WINDOWS]
        self.windows, self.tokens = len(windows), max(len(window.ids) for window in windows)
        self.ids = torch.full((self.windows, self.tokens), -1)
        self.sentences = torch.full((self.windows, self.tokens), -1)
        for number, window in enumerate(windows):
            self.ids[number, : len(window.ids)] = torch.tensor(window.ids)
            self.sentences[number, : len(window.ids)] = torch.tensor(window.sentences)
        mentions = [
            (at, first, min(last, first + MAX_SPAN - 1), event)
            for at, first, last, event in document.mentions
            if at < self.windows
        ]
        table = np.zeros((self.windows, self.tokens, MAX_SPAN), np.float32)
        for at, first, last, _ in mentions:
            start, length, share = near_spans(last - first + 1).T
            start = start.astype(int) + first
            inside = (start >= 0) & (start + length < len(windows[at].ids))
            where = at, start[inside], length[inside].astype(int)
            table[where] = np.maximum(table[where], share[inside])
        shared = np.nonzero(table)
        self.near = torch.from_numpy(np.stack([*shared, table[shared]], 1).astype(np.float32))
        self.mentions = torch.tensor(mentions, dtype=torch.long).view(-1, 4)
        self.statuses = torch.tensor(document.statuses, dtype=torch.long)
        events = len(document.statuses)
        self.links = torch.zeros(events, events, dtype=torch.long)
        self.said = torch.full((events, events), float(UNKNOWN))
        self.strengths = torch.full((events, events), float(UNKNOWN))
        for cause, effect, how, _ in document.links:
            self.links[cause, effect] = 1
            self.said[cause, effect] = float(how == 0)
        for cause, effect, score in document.strengths:
            self.strengths[cause, effect] = score / 100
        for name in ("ids", "sentences", "near", "mentions", "statuses", "links", "said", "strengths"):
            setattr(self, name, getattr(self, name).to(DEVICE))


def stacked(tables: Sequence[Tensor], value: float) -> Tensor:
    """Tensors of different sizes as one, padded with a value."""
    sizes = [max(1, *(table.shape[at] for table in tables)) for at in range(tables[0].dim())]
    result = tables[0].new_full((len(tables), *sizes), value)
    for row, table in zip(result, tables, strict=True):
        row[tuple(slice(0, size) for size in table.shape)] = table
    return result


@dataclasses.dataclass
class Batch:
    """Articles that have as many windows; ``below`` is there if all of them were read that far."""

    articles: Sequence[Article]
    ids: Tensor
    mask: Tensor
    sentences: Tensor
    below: Tensor | None = None

    @classmethod
    def of(cls, articles: Sequence[Article]) -> Batch:
        """Pad to the longest window."""
        ids, sentences = (
            stacked([getattr(article, name) for article in articles], -1).flatten(0, 1)
            for name in ("ids", "sentences")
        )
        read = [article.below for article in articles if article.below is not None]
        below = stacked(read, 0).flatten(0, 1).float() if len(read) == len(articles) else None
        return cls(articles, ids.clamp(min=0), ids >= 0, sentences, below)


def batches_of(articles: Sequence[Article], windows: int) -> Iterator[Batch]:
    """Batches of about so many windows, of articles of like length, in any order."""
    by_count: dict[int, list[Article]] = defaultdict(list)
    for article in random.sample(articles, len(articles)):
        by_count[article.windows].append(article)
    parts = []
    for count, some in by_count.items():
        if count == 1:
            some.sort(key=lambda article: article.tokens // 64)
        size = max(2, windows // count)
        parts += [some[at : at + size] for at in range(0, len(some), size)]
    random.shuffle(parts)
    for part in parts:
        yield Batch.of(part)


def alike(found: Candidates, mentions: Tensor) -> tuple[Tensor, Tensor]:
    """Whether a candidate is a reader's mention, (articles, candidates, mentions), and how closely.

    Half of the shorter is in both, and the longer is at most four times as long.

    Args:
        mentions: (articles, mentions, 4), UNKNOWN where an article has fewer.
    """
    window, start, end, _ = mentions[:, None].unbind(-1)
    first, last = found.first[:, :, None], found.last[:, :, None]
    shared = (torch.minimum(last, end) - torch.maximum(first, start) + 1).clamp(min=0)
    sizes = last - first + 1, end - start + 1
    shorter, longer = torch.minimum(*sizes), torch.maximum(*sizes)
    same = (found.window[:, :, None] == window) & (window >= 0) & (longer <= 4 * shorter) & (2 * shared >= shorter)
    return same, shared / shorter - 1e-3 * ((first - start).abs() + (last - end).abs())


def events_of(found: Candidates, mentions: Tensor) -> Tensor:
    """The reader's event of each candidate, that of the mention it is most like; UNKNOWN: none."""
    same, share = alike(found, mentions)
    best = share.masked_fill(~same, NEGATIVE).max(-1)
    return torch.where(best.values > NEGATIVE / 2, torch.gather(mentions[..., 3], 1, best.indices), UNKNOWN)


def with_missed(found: Candidates, mentions: Tensor, spans: Tensor, sentences: Tensor) -> Candidates:
    """The candidates, and the readers' mentions that no candidate is like."""
    missed = (mentions[..., 0] >= 0) & ~alike(found, mentions)[0].any(1)
    window, first, last, _ = mentions.clamp(min=0).unbind(-1)
    row = window + torch.arange(len(mentions), device=mentions.device)[:, None] * (len(spans) // len(mentions))
    columns = (*(torch.where(missed, value, -1) for value in (window, first, last, sentences[row, first])),)
    score = torch.where(missed, spans[row, first, last - first], NEGATIVE)
    names = [field.name for field in dataclasses.fields(Candidates)]
    return in_order(
        Candidates(
            *(torch.cat([getattr(found, name), more], 1) for name, more in zip(names, (*columns, score), strict=True))
        )
    )


@dataclasses.dataclass
class Reading:
    """What the net says of a batch; pairs are of the ``chosen`` candidates."""

    spans: Tensor
    found: Candidates
    event: Tensor
    status: Tensor
    main: Tensor
    chosen: Candidates
    places: Tensor
    links: Tensor
    same: Tensor


def reading_of(net: DocumentNet, batch: Batch, mentions: Tensor | None = None) -> Reading:
    """Read a batch; readers' ``mentions`` that no candidate is like are candidates too."""
    articles = len(batch.articles)
    with half_precision():
        below = net.read(batch.ids, batch.mask) if batch.below is None else batch.below
        spans = net.rough(below, batch.sentences)
    found = candidates_of(spans.detach(), batch.sentences, articles, net.shape.spans)
    if mentions is not None:
        found = with_missed(found, mentions, spans.detach(), batch.sentences)
    with half_precision():
        text = net.read_marked(below, batch.mask, found)
        vectors, alone = net.mentions(text, found, batch.ids.shape[1])
        event, status, main = (head(vectors).float() for head in (net.is_event, net.status, net.main))
    event = (event.squeeze(-1) + found.score).masked_fill(found.window < 0, NEGATIVE)
    likely = event.detach()
    if mentions is not None:
        likely = torch.where(events_of(found, mentions) >= 0, likely - NEGATIVE, likely)
    elif batch.articles[0].document.main_only:
        likely = torch.maximum(likely, main.squeeze(-1).masked_fill(found.window < 0, NEGATIVE))
    places = likely.topk(min(net.shape.events, likely.shape[1]), dim=1).indices.sort(1).values
    chosen = found.at(places)
    wide = places[:, :, None]
    with half_precision():
        vectors = torch.gather(vectors, 1, wide.expand(-1, -1, vectors.shape[2]))
        alone = torch.gather(alone, 1, wide.expand(-1, -1, alone.shape[2]))
        links = net.links(vectors, chosen, text, batch.mask.view(articles, -1))
        same = net.sames(vectors, alone, chosen)
    return Reading(spans, found, event, status, main.squeeze(-1), chosen, places, links, same)


def losses(net: DocumentNet, batch: Batch) -> dict[str, Tensor]:
    """The losses of a batch by name."""
    mentions = stacked([article.mentions for article in batch.articles], UNKNOWN)
    said = reading_of(net, batch, mentions)
    complete = torch.tensor([not article.document.main_only for article in batch.articles], device=DEVICE)
    count = batch.ids.shape[0] // len(batch.articles)
    targets = torch.zeros_like(said.spans)
    near = [
        torch.cat([article.near[:, :1] + number * count, article.near[:, 1:]], 1)
        for number, article in enumerate(batch.articles)
    ]
    at = torch.cat(near)
    where = at[:, :3].long()
    targets[where[:, 0], where[:, 1], where[:, 2]] = at[:, 3]
    judged = (said.spans > NEGATIVE / 2) & complete.repeat_interleave(count)[:, None, None]
    loss = functional.binary_cross_entropy_with_logits(said.spans, targets, reduction="none")
    result = {"span": (loss * judged).sum() / (targets * judged).sum().clamp(min=1)}
    event_of = events_of(said.found, mentions)
    there, known = said.found.window >= 0, event_of >= 0

    def mean(values: Tensor, on: Tensor) -> Tensor:
        return (values * on).sum() / on.sum().clamp(min=1)

    binary = functional.binary_cross_entropy_with_logits
    result["event"] = mean(binary(said.event, known.float(), reduction="none"), there & complete[:, None])
    result["main"] = 0.5 * mean(binary(said.main, known.float(), reduction="none"), there & ~complete[:, None])
    statuses = stacked([article.statuses for article in batch.articles], 0)
    of = torch.gather(statuses, 1, event_of.clamp(min=0))
    status = functional.cross_entropy(said.status.transpose(1, 2), of, reduction="none")
    result["status"] = 0.3 * mean(status, known)
    event_of = torch.gather(event_of, 1, said.places)
    there, known = said.chosen.window >= 0, event_of >= 0
    both = (known[:, :, None] & known[:, None]).triu(1)
    same = (event_of[:, :, None] == event_of[:, None]).float()
    result["same"] = mean(binary(said.same, same, reduction="none"), both)
    return result | link_losses(batch.articles, event_of, there, said.links, complete)


def link_losses(
    articles: Sequence[Article], event_of: Tensor, there: Tensor, links: Tensor, complete: Tensor
) -> dict[str, Tensor]:
    """What links cost: each pair of events, a candidate without one standing for an event of its own."""
    tables = {
        name: stacked([getattr(article, name) for article in articles], value)
        for name, value in (("links", 0), ("said", UNKNOWN), ("strengths", UNKNOWN))
    }
    count, events = event_of.shape[1], tables["links"].shape[1]
    membership = torch.zeros(len(articles), events + count, count, device=DEVICE)
    index = torch.where(event_of >= 0, event_of, torch.arange(count, device=DEVICE) + events)
    membership.scatter_(1, index[:, None], there[:, None].float())
    scores = pooled(links[..., 0], membership)
    some = membership.sum(-1) > 0
    valid = (some[:, :, None] & some[:, None] & complete[:, None, None]).triu(1)
    table = functional.pad(tables["links"], (0, count, 0, count))
    label = torch.where(table > 0, 1, torch.where(table.transpose(1, 2) > 0, 2, 0))
    three = torch.stack([torch.zeros_like(scores), scores, scores.transpose(1, 2)], 1)
    loss = functional.cross_entropy(three, label, reduction="none")
    result = {"link": (loss * valid).sum() / ((label > 0) & valid).sum().clamp(min=1)}
    mean = membership[:, :events] / membership[:, :events].sum(-1, keepdim=True).clamp(min=1)
    some = some[:, :events, None] & some[:, None, :events]
    binary = functional.binary_cross_entropy_with_logits
    average = mean @ links[..., 1] @ mean.transpose(1, 2)
    on = (tables["said"] >= 0) & some
    cost = binary(average, tables["said"].clamp(min=0), reduction="none")
    result["said"] = 0.2 * (cost * on).sum() / on.sum().clamp(min=1)
    average = mean @ links[..., 2] @ mean.transpose(1, 2)
    on = (tables["strengths"] >= 0) & some
    cost = binary(average, tables["strengths"].clamp(min=0), reduction="none")
    back = binary(average.transpose(1, 2), torch.zeros_like(average), reduction="none")
    result["strength"] = ((cost + 0.5 * back) * on).sum() / on.sum().clamp(min=1)
    return result


@torch.no_grad()
def predict(net: DocumentNet, articles: Sequence[Article]) -> Iterator[dict[str, Any]]:
    """What the net says of each article: its likeliest events, and logits of their pairs."""
    net.eval()
    parts = defaultdict(list)
    for article in articles:
        parts[article.windows, article.document.main_only].append(article)
    for (windows, _), some in parts.items():
        some.sort(key=lambda article: article.tokens)
        size = max(1, 32 // windows)
        for at in range(0, len(some), size):
            batch = Batch.of(some[at : at + size])
            said = reading_of(net, batch)
            event, main, status = (
                torch.gather(values, 1, said.places)
                for values in (said.event, said.main, said.status.argmax(-1))
            )  # fmt: skip
            numbers = {
                name: values.float().cpu().numpy()
                for name, values in {
                    "window": said.chosen.window, "first": said.chosen.first, "last": said.chosen.last,
                    "span": said.chosen.score, "event": event, "main": main, "status": status,
                    "same": said.same, "links": said.links,
                }.items()
            }  # fmt: skip
            for number, article in enumerate(batch.articles):
                yield _row(article.document, {name: values[number] for name, values in numbers.items()})
    net.train()


def _row(document: Document, said: dict[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    kept = [at for at, window in enumerate(said["window"]) if window >= 0 and said["event"][at] > -4]
    places = []
    for at in kept:
        window = document.windows[int(said["window"][at])]
        places.append(window.place(int(said["first"][at]), int(said["last"][at])))

    def numbers(name: str, digits: int) -> list[float]:
        return [round(float(said[name][at]), digits) for at in kept]

    def table(values: np.ndarray[Any, Any], digits: int) -> list[list[float]]:
        return [[round(float(x), digits) for x in row] for row in values[np.ix_(kept, kept)]]

    return {
        "article": document.id,
        "language": document.language,
        "main_only": document.main_only,
        "places": places,
        **{name: numbers(name, 3) for name in ("span", "event", "main")},
        "status": [int(said["status"][at]) for at in kept],
        "same": table(said["same"], 1),
        "links": table(said["links"][..., 0], 2),
        "said": table(said["links"][..., 1], 1),
        "strength": table(said["links"][..., 2], 2),
    }


@torch.no_grad()
def watched(net: DocumentNet, articles: Sequence[Article], windows: int) -> dict[str, float]:
    """The mean losses of articles that are not learnt from."""
    net.eval()
    totals: dict[str, float] = defaultdict(float)
    batches = [*batches_of(articles, windows)]
    for batch in batches:
        for name, value in losses(net, batch).items():
            totals[name] += float(value) / len(batches)
    net.train()
    return totals


def described(losses: Mapping[str, float]) -> str:
    """One line of numbers."""
    return ", ".join(f"{name} {value:.3f}" for name, value in losses.items())


@dataclasses.dataclass(frozen=True)
class Pace:
    """How long and how fast the net learns.

    Args:
        seconds: stop after this long, the rates falling to nothing by then; ``None``: after all epochs.
        windows: of a batch.
        rate, head_rate: of the encoder and of what is new.
        warm_up: steps in which the rates rise.
        mean: decay of the moving mean of the weights.
    """

    epochs: int = 20
    seconds: float | None = None
    windows: int = 24
    rate: float = 1e-4
    head_rate: float = 6e-4
    warm_up: int = 300
    mean: float = 0.99


def train(
    net: DocumentNet, articles: list[Article], pace: Pace, *, name: str = "", held_out: Sequence[Article] = ()
) -> DocumentNet:
    """Train in place; returns a net with the moving mean of the weights.

    Args:
        name: of the run, in what is logged.
        held_out: articles whose losses are logged after every fourth epoch.
    """
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

    groups: dict[str, list[Tensor]] = {"base": [], "new": []}
    for part, value in net.named_parameters():
        if value.requires_grad and not part.startswith("sharp."):
            groups["base" if part.startswith("encoder.") else "new"].append(value)
    optimizer = torch.optim.AdamW(
        [{"params": groups["base"], "lr": pace.rate}, {"params": groups["new"], "lr": pace.head_rate}],
        weight_decay=0.01,
        fused=DEVICE.type == "cuda",
    )
    steps = pace.epochs * math.ceil(sum(article.windows for article in articles) / pace.windows)
    started, done = time.time(), 0

    def share_done() -> float:
        """How much of the steps, or of the seconds, is behind us."""
        seconds: float = pace.seconds or 0
        return min(1.0, max((time.time() - started) / seconds if seconds else 0, done / steps))

    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / pace.warm_up) * (1 - share_done())
    )
    averaged = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(pace.mean))
    mean = cast(DocumentNet, averaged.module)
    for epoch in range(pace.epochs):
        totals: dict[str, Tensor] = {}
        count = 0
        for batch in batches_of(articles, pace.windows):
            if share_done() >= 1:
                break
            parts = losses(net, batch)
            done, count = done + 1, count + 1
            optimizer.zero_grad()
            torch.stack([*parts.values()]).sum().backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            averaged.update_parameters(net)
            for part, loss in parts.items():
                totals[part] = totals.get(part, torch.zeros((), device=DEVICE)) + loss.detach()
        line = described({part: float(value) / max(1, count) for part, value in totals.items()})
        log.info("%s epoch %d: %s; %.0f s", name, epoch + 1, line, time.time() - started)
        if held_out and epoch % 4 == 3:
            log.info("%s held out: %s", name, described(watched(mean, held_out, pace.windows)))
        if share_done() >= 1:
            break
    return mean


def train_documents(
    documents: Sequence[Document],
    base: Mapping[str, Tensor],
    out: Path,
    *,
    shape: Shape,
    pace: Pace,
    fold: tuple[int, int] | None = None,
    further: Sequence[Document] = (),
    seed: int = 1,
) -> None:
    """Train, and write ``weights-*.npz`` of all documents, or ``held_out.jsonl.gz`` of those that are left out.

    Args:
        base: weights by the names of ``BertModel``.
        fold: which fold of how many is left out.
        further: documents to predict as well.
    """
    seed_everything(seed)
    held_out: list[Document] = []
    if fold:
        number, folds = fold
        held_out = [document for document in documents if fold_of(document.group, folds) == number]
        documents = [document for document in documents if fold_of(document.group, folds) != number]
    net = DocumentNet(base["embeddings.word_embeddings.weight"].shape[0], shape)
    net.start_from(base)
    net.to(DEVICE).train()
    out.mkdir(parents=True, exist_ok=True)
    left_out = [Article(document) for document in held_out]
    mean = train(net, [Article(one) for one in documents], pace, name=out.name, held_out=left_out[:96])
    left_out += [Article(document) for document in further]
    if left_out:
        lines = [json.dumps(row, separators=(",", ":")) for row in predict(mean, left_out)]
        with gzip.open(out / HELD_OUT, "wt", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    if not fold:
        save(mean, out)


def main() -> None:
    """Run the recipe."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fold", help="F/N: leave fold F of N out and predict it")
    parser.add_argument("--predict", type=Path, help="rows of further documents to predict at the end")
    parser.add_argument("--seed", type=int, default=1)
    for own in dataclasses.fields(Pace):
        kind = int if isinstance(own.default, int) else float
        parser.add_argument(f"--{own.name.replace('_', '-')}", type=kind, default=own.default)
    options = parser.parse_args()
    base = read_arrays(options.base)
    fold, folds = map(int, options.fold.split("/")) if options.fold else (0, 0)
    train_documents(
        load(options.rows),
        base,
        options.out,
        shape=Shape(size=base["embeddings.word_embeddings.weight"].shape[1]),
        pace=Pace(**{own.name: getattr(options, own.name) for own in dataclasses.fields(Pace)}),
        fold=(fold, folds) if options.fold else None,
        further=load(options.predict) if options.predict else (),
        seed=options.seed,
    )


if __name__ == "__main__":
    main()
