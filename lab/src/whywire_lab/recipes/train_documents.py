"""Recipe: train the document reader, without one fold of source stories, and write what it says of that fold.

    python -m whywire_lab.recipes.train_documents --rows docs.jsonl --base base.npz --out runs/documents --fold 0/4
    python -m whywire_lab.recipes.train_documents --rows docs.jsonl --base base.npz --out runs/documents

The second trains on all. ``held_out.jsonl`` has for each article of the fold its candidates, their logits, and those
of their pairs, so that thresholds are chosen without training again (:mod:`whywire_lab.recipes.drawn_graphs`). It
runs on a graphics processor where torch finds one, and needs nothing but torch, transformers and these rows.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from whywire_lab.recipes.document_net import (
    MAX_SPAN,
    NEGATIVE,
    Candidates,
    DocumentNet,
    Shape,
    choose_spans,
    pad_numbers,
    pooled,
)
from whywire_lab.recipes.document_rows import Document, Window, load

log = logging.getLogger(__name__)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

NEAR = 0.6
"""Spans that share so much of their union with a reader's count in part."""

MOST_WINDOWS = 4
"""Windows of an article that are trained on."""


def fold_of(group: str, folds: int) -> int:
    """The fold of a source story."""
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4]) % folds


def read_arrays(path: Path) -> dict[str, torch.Tensor]:
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


def encoder_of(path: Path) -> Any:
    """The base encoder from arrays by name."""
    from transformers import BertConfig, BertModel

    state = read_arrays(path)
    layers = len({name.split(".")[2] for name in state if name.startswith("encoder.layer.")})
    words, size = state["embeddings.word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=words,
        hidden_size=size,
        num_hidden_layers=layers,
        num_attention_heads=size // 32,
        intermediate_size=4 * size,
        max_position_embeddings=state["embeddings.position_embeddings.weight"].shape[0],
        pad_token_id=1,
    )
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(state, strict=False)
    return model


def batch_of(documents: Sequence[Document]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, list[list[int]]]:
    """Ids, mask and sentences (windows, tokens), and the windows of each document."""
    windows: list[Window] = []
    own = []
    for document in documents:
        mine = document.windows[:MOST_WINDOWS]
        own.append([*range(len(windows), len(windows) + len(mine))])
        windows += mine
    ids = torch.from_numpy(pad_numbers([window.ids for window in windows]))
    sentences = torch.from_numpy(pad_numbers([window.sentences for window in windows]))
    mask = (ids >= 0).long()
    return ids.clamp(min=0).to(DEVICE), mask.to(DEVICE), sentences.to(DEVICE), own


@cache
def near_spans(first: int, last: int) -> tuple[tuple[int, int, float], ...]:
    """The spans that share .6 of their union with one of the reader's, ``(first, last, share)``."""
    found = []
    size = last - first + 1
    reach = int(size * 0.67) + 1
    for start in range(max(0, first - reach), last + 1):
        for end in range(max(start, last - reach), min(last + reach, start + MAX_SPAN - 1) + 1):
            share = (min(end, last) - max(start, first) + 1) / (max(end, last) - min(start, first) + 1)
            if share >= NEAR:
                found.append((start, end, share))
    return tuple(found)


def span_targets(documents: Sequence[Document], own: list[list[int]], shape: torch.Size) -> torch.Tensor:
    """How much of their union each span shares with the closest of the reader's, from .6 on; -1: not judged."""
    table = np.zeros(tuple(shape), np.float32)
    for document, places in zip(documents, own, strict=True):
        if document.main_only:
            table[places] = -1
            continue
        for window, first, last, _ in document.mentions:
            if window < len(places):
                of_window = table[places[window]]
                for start, end, share in near_spans(first, min(last, first + MAX_SPAN - 1)):
                    if end < shape[1] and share > of_window[start, end - start]:
                        of_window[start, end - start] = share
    return torch.from_numpy(table)


def overlap(first: int, last: int, start: int, end: int) -> float:
    """The share of the shorter of two spans that is in both; 0 where one is more than four times as long."""
    sizes = sorted((last - first + 1, end - start + 1))
    if sizes[1] > 4 * sizes[0]:
        return 0.0
    return max(0, min(last, end) - max(first, start) + 1) / sizes[0]


def candidates_of(
    documents: Sequence[Document],
    own: list[list[int]],
    logits: np.ndarray[Any, Any],
    sentences: np.ndarray[Any, Any],
    shape: Shape,
    *,
    with_gold: bool,
) -> Candidates:
    """The candidates of each document in the order of its text, with the events readers drew there."""
    rows = []
    for document, places in zip(documents, own, strict=True):
        found: dict[tuple[int, int, int], tuple[float, int]] = {}
        gold: dict[int, list[tuple[int, int, int]]] = {}
        for window, first, last, event in document.mentions:
            if window < len(places):
                gold.setdefault(window, []).append((first, last, event))
        for number, place in enumerate(places):
            tokens = int((sentences[place] >= 0).sum())
            for first, last, logit in choose_spans(logits[place], shape.fewest + round(shape.share * tokens)):
                nearest = max(
                    ((overlap(first, last, a, b), -abs(a - first) - abs(b - last), event)
                     for a, b, event in gold.get(number, ())),
                    default=(0.0, 0, -1),
                )  # fmt: skip
                found[number, first, last] = (logit, nearest[2] if nearest[0] >= 0.5 else -1)
            if with_gold:
                for first, last, event in gold.get(number, ()):
                    found[number, first, min(last, first + MAX_SPAN - 1)] = (0.0, event)
        best = sorted(found.items(), key=lambda item: (-(item[1][1] >= 0 and with_gold), -item[1][0]))[: shape.most]
        rows.append(sorted((*key, *value) for key, value in best))
    names = [[(window, first, last) for window, first, last, *_ in row] for row in rows]
    windows = [[places[one[0]] for one in row] for row, places in zip(rows, own, strict=True)]
    columns: dict[str, list[list[int]]] = {
        "window": windows,
        "first": [[one[1] for one in row] for row in rows],
        "last": [[one[2] for one in row] for row in rows],
        "sentence": [[int(sentences[places[one[0]], one[1]]) for one in row]
                     for row, places in zip(rows, own, strict=True)],
        "event": [[one[4] for one in row] for row in rows],
    }  # fmt: skip
    tensors = {name: torch.from_numpy(pad_numbers(values)).to(DEVICE) for name, values in columns.items()}
    score = torch.from_numpy(pad_numbers([[one[3] for one in row] for row in rows], 0.5)).to(DEVICE)
    return Candidates(**tensors, score=score, names=names)


def losses(net: DocumentNet, documents: Sequence[Document]) -> dict[str, torch.Tensor]:
    """The losses of a batch by name."""
    ids, mask, sentences, own = batch_of(documents)
    with torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=DEVICE.type == "cuda"):
        hidden = net.hidden(ids, mask)
        logits = net.spans(hidden, sentences)
    targets = span_targets(documents, own, logits.shape).to(DEVICE)
    judged = (logits > NEGATIVE) & (targets >= 0)
    loss = functional.binary_cross_entropy_with_logits(logits[judged], targets[judged], reduction="sum")
    result = {"span": loss / targets.clamp(min=0).sum().clamp(min=1)}
    found = candidates_of(
        documents, own, logits.detach().cpu().numpy(), sentences.cpu().numpy(), net.shape, with_gold=True
    )
    with torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=DEVICE.type == "cuda"):
        vectors, alone, there = net.mentions(hidden, found)
        links, same = net.links(vectors, found, hidden), net.sames(vectors, alone, found)
        event, status, main = (head(vectors).float() for head in (net.is_event, net.status, net.main))
    complete = torch.tensor([not document.main_only for document in documents], device=DEVICE)[:, None]
    known = found.event >= 0
    result["event"] = functional.binary_cross_entropy_with_logits(
        event.squeeze(-1)[there & complete], known[there & complete].float()
    )
    if (there & ~complete).any():
        result["main"] = 0.5 * functional.binary_cross_entropy_with_logits(
            main.squeeze(-1)[there & ~complete], known[there & ~complete].float()
        )
    statuses = torch.from_numpy(pad_numbers([document.statuses for document in documents])).to(DEVICE)
    of = torch.gather(statuses, 1, found.event.clamp(min=0))
    result["status"] = 0.3 * functional.cross_entropy(status[known], of[known])
    both = known[:, :, None] & known[:, None]
    upper = torch.ones_like(both[0]).triu(1)[None]
    pairs = both & upper
    result["same"] = functional.binary_cross_entropy_with_logits(
        same[pairs], (found.event[:, :, None] == found.event[:, None])[pairs].float()
    )
    likely = there & (known | (event.squeeze(-1).detach() > net.shape.linked))
    result |= link_losses(documents, found, links, likely)
    return result


def link_losses(
    documents: Sequence[Document], found: Candidates, links: torch.Tensor, there: torch.Tensor
) -> dict[str, torch.Tensor]:
    """What links cost: each pair of events, a candidate without one standing for an event of its own."""
    articles, count = found.event.shape
    events = max(len(document.statuses) for document in documents)
    membership = torch.zeros(articles, events + count, count, device=DEVICE)
    index = torch.where(found.event >= 0, found.event, torch.arange(count, device=DEVICE) + events)
    membership.scatter_(1, index[:, None], there[:, None].float())
    scores = pooled(links[..., 0], membership)
    some = membership.sum(-1) > 0
    valid = some[:, :, None] & some[:, None] & torch.ones_like(scores[0], dtype=torch.bool).triu(1)[None]
    complete = torch.tensor([not document.main_only for document in documents], device=DEVICE)
    valid &= complete[:, None, None]
    label = torch.zeros(scores.shape, dtype=torch.long)
    said = torch.full(scores.shape, -1.0)
    strength = torch.full(scores.shape, -1.0)
    for number, document in enumerate(documents):
        for cause, effect, how, _ in document.links:
            low, high = sorted((cause, effect))
            label[number, low, high] = 1 if cause < effect else 2
            said[number, cause, effect] = float(how == 0)
        for cause, effect, score in document.strengths:
            strength[number, cause, effect] = score / 100
    label, said, strength = label.to(DEVICE), said.to(DEVICE), strength.to(DEVICE)
    three = torch.stack([torch.zeros_like(scores), scores, scores.transpose(1, 2)], -1)
    loss = functional.cross_entropy(three[valid], label[valid], reduction="sum")
    result = {"link": loss / (label[valid] > 0).sum().clamp(min=1)}
    mean = membership / membership.sum(-1, keepdim=True).clamp(min=1)
    on = (said >= 0) & some[:, :, None] & some[:, None]
    if on.any():
        average = mean @ links[..., 1] @ mean.transpose(1, 2)
        result["said"] = 0.2 * functional.binary_cross_entropy_with_logits(average[on], said[on])
    on = (strength >= 0) & some[:, :, None] & some[:, None]
    if on.any():
        average = mean @ links[..., 2] @ mean.transpose(1, 2)
        back = torch.zeros_like(strength[on])
        turned = average.transpose(1, 2)[on]
        result["strength"] = functional.binary_cross_entropy_with_logits(average[on], strength[on])
        result["strength"] = result["strength"] + 0.5 * functional.binary_cross_entropy_with_logits(turned, back)
    return result


@torch.no_grad()
def predict(net: DocumentNet, documents: Sequence[Document]) -> Iterator[dict[str, Any]]:
    """What the net says of each document: candidates, and probabilities of their pairs."""
    net.eval()
    for at in range(0, len(documents), 16):
        part = documents[at : at + 16]
        ids, mask, sentences, own = batch_of(part)
        with torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=DEVICE.type == "cuda"):
            hidden = net.hidden(ids, mask)
            logits = net.spans(hidden, sentences)
        found = candidates_of(part, own, logits.cpu().numpy(), sentences.cpu().numpy(), net.shape, with_gold=False)
        with torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=DEVICE.type == "cuda"):
            vectors, alone, _ = net.mentions(hidden, found)
            links, same = net.links(vectors, found, hidden), net.sames(vectors, alone, found)
            event, status, main = (head(vectors).float() for head in (net.is_event, net.status, net.main))
        for number, (document, spans) in enumerate(zip(part, found.names, strict=True)):
            count = len(spans)
            places = []
            for window, first, last in spans:
                left, right = document.windows[window].places[first], document.windows[window].places[last]
                if left and right:
                    places.append((left[0], left[1], right[2]))
            yield {
                "article": document.id,
                "language": document.language,
                "main_only": document.main_only,
                "places": places,
                "span": [round(float(x), 3) for x in found.score[number, :count]],
                "event": [round(float(x), 3) for x in event[number, :count, 0]],
                "main": [round(float(x), 3) for x in main[number, :count, 0]],
                "status": status[number, :count].argmax(-1).tolist(),
                "same": [[round(float(x), 1) for x in row] for row in same[number, :count, :count]],
                "links": [[round(float(x), 2) for x in row] for row in links[number, :count, :count, 0]],
                "said": [[round(float(x), 1) for x in row] for row in links[number, :count, :count, 1]],
                "strength": [[round(float(x), 2) for x in row] for row in links[number, :count, :count, 2]],
            }
    net.train()


def save(net: torch.nn.Module, path: Path) -> None:
    """Write what was trained, large matrices as int8 with a scale for 32 values (:func:`encoder_of` reads them)."""
    arrays: dict[str, Any] = {}
    for name, tensor in net.state_dict().items():
        values = tensor.float().cpu().numpy()
        if name.startswith("encoder.embeddings."):
            continue
        if values.ndim == 2 and values.size > 50_000:
            blocks = values.reshape(-1, 32)
            scale = np.abs(blocks).max(1, keepdims=True) / 127 + 1e-12
            arrays[f"{name}|q"] = np.round(blocks / scale).astype(np.int8)
            arrays[f"{name}|s"], arrays[f"{name}|n"] = scale.astype(np.float16), np.array(values.shape)
        else:
            arrays[name] = values.astype(np.float16)
    np.savez_compressed(path, **arrays)


def train(net: DocumentNet, documents: list[Document], options: argparse.Namespace) -> Any:
    """Train in place; returns the moving mean of the weights."""
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

    new = net.new_parameters()
    base = [value for name, value in net.named_parameters() if name.startswith("encoder.") and value.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": base, "lr": options.rate}, {"params": new, "lr": options.head_rate}], weight_decay=0.01
    )
    steps = options.epochs * math.ceil(len(documents) / options.batch)
    started, done = time.time(), 0

    def share_done() -> float:
        """How much of the steps, or of the seconds, is behind us."""
        seconds: float = options.seconds or 0
        return min(1.0, (time.time() - started) / seconds) if seconds else done / steps

    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 100) * (1 - share_done()) ** options.decay
    )
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99))
    for epoch in range(10_000 if options.seconds else options.epochs):
        totals: dict[str, float] = {}
        order = sorted(random.sample(documents, len(documents)), key=lambda one: len(one.windows[0].ids) // 128)
        batches = [order[at : at + options.batch] for at in range(0, len(order), options.batch)]
        random.shuffle(batches)
        for batch in batches:
            if share_done() >= 1:
                break
            parts = losses(net, batch)
            done += 1
            optimizer.zero_grad()
            sum(parts.values()).backward()  # type: ignore[union-attr]
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            mean.update_parameters(net)
            for name, value in parts.items():
                totals[name] = totals.get(name, 0) + value.detach()  # type: ignore[assignment]
        line = ", ".join(f"{name} {float(value) / len(batches):.3f}" for name, value in totals.items())
        log.info("%s epoch %d: %s; %.0f s", options.out.name, epoch + 1, line, time.time() - started)
        if share_done() >= 1:
            break
    return mean.module


def main() -> None:
    """Run the recipe."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fold", help="F/N: leave fold F of N out and predict it")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seconds", type=float, help="train this long, in place of a number of epochs")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=6e-4)
    parser.add_argument("--decay", type=float, default=1.0)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--between", type=int, default=0, help="size of what is said between two mentions")
    parser.add_argument("--linked", type=float, default=-99.0, help="logit of an event from which links are learnt")
    parser.add_argument("--predict", type=Path, help="rows of further documents to predict at the end")
    parser.add_argument("--no-stories", action="store_true", help="leave out the articles with main events alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    documents = load(options.rows)[: options.limit]
    held_out: list[Document] = []
    if options.fold:
        fold, folds = map(int, options.fold.split("/"))
        held_out = [document for document in documents if fold_of(document.group, folds) == fold]
        documents = [document for document in documents if fold_of(document.group, folds) != fold]
    if options.no_stories:
        documents = [document for document in documents if not document.main_only]
    net = DocumentNet(
        encoder_of(options.base), Shape(dropout=options.dropout, between=options.between, linked=options.linked)
    ).to(DEVICE)
    net.train()
    options.out.mkdir(parents=True, exist_ok=True)
    mean = train(net, documents, options)
    if options.predict:
        held_out += load(options.predict)
    with (options.out / "held_out.jsonl").open("w", encoding="utf-8") as lines:
        for row in predict(mean, held_out):
            lines.write(json.dumps(row, separators=(",", ":")) + "\n")
    if not options.fold:
        save(mean, options.out / "weights.npz")


if __name__ == "__main__":
    main()
