"""Trains vectors of mentions: near for mentions of one event (supervised contrastive loss, Khosla et al. 2020)."""

from __future__ import annotations

import numpy as np
import torch

from whywire.sentences.mention_heads import VECTOR_SIZE
from whywire_lab.recipes.event_mentions import CLAUSE, WINDOWS, Array, Mentions


def train_vectors(
    mentions: Mentions,
    chosen: Array,
    *,
    steps: int = 400,
    temperature: float = 0.1,
    rate: float = 0.03,
    batch: int = 384,
    topics_at_once: int = 3,
    triggers: float = 0.15,
    sentences: float = 0.1,
    dropout: float = 0.1,
    attention: bool = True,
    seed: int = 0,
) -> dict[str, Array]:
    """Train ``centre``, ``projection`` and ``attention`` on the mentions with the numbers ``chosen``.

    Args:
        triggers, sentences: shares of mentions shown as their trigger alone and as their whole sentence.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    rng = np.random.default_rng(seed)
    windows = _means(mentions.states, mentions.views[CLAUSE, chosen])
    centre = windows.mean(axis=0)
    _, spread, axes = np.linalg.svd(windows - centre, full_matrices=False)
    variance = spread**2 / len(windows)
    start = (axes[:VECTOR_SIZE] / (variance[:VECTOR_SIZE, None] + 1e-3 * variance[0]) ** 0.25).T
    start /= np.linalg.norm((windows - centre) @ start, axis=1).mean()
    states = torch.tensor(mentions.states - centre, dtype=torch.float32)
    projection = torch.nn.Parameter(torch.tensor(start, dtype=torch.float32))
    weights = torch.nn.Parameter(torch.zeros(len(centre)), requires_grad=attention)
    optimiser = torch.optim.Adam(
        [
            {"params": [projection], "lr": rate * float(projection.detach().abs().mean())},
            {"params": [weights], "lr": rate / 10},
        ]
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    by_topic = [chosen[mentions.topics[chosen] == topic] for topic in np.unique(mentions.topics[chosen])]
    chains = int(mentions.chains.max()) + 1
    unclear_keys = mentions.unclear_pairs[:, 0] * chains + mentions.unclear_pairs[:, 1]
    for _ in range(steps):
        topics = rng.choice(len(by_topic), min(topics_at_once, len(by_topic)), replace=False)
        sampled = np.concatenate([rng.permutation(by_topic[topic])[: batch // topics_at_once] for topic in topics])
        drawn = rng.random(len(sampled))
        view = np.where(drawn < triggers, 0, rng.integers(CLAUSE, CLAUSE + 1 + WINDOWS, len(sampled)))
        view = np.where(drawn > 1 - sentences, len(mentions.views) - 1, view)
        spans = mentions.views[view, sampled]
        owners = torch.tensor(np.repeat(np.arange(len(sampled)), spans[:, 1] - spans[:, 0]))
        seen = states[np.concatenate([np.arange(*span) for span in spans])]
        seen = torch.nn.functional.dropout(seen, dropout)
        shares = torch.exp((seen @ weights).clamp(-20, 20))
        pooled = torch.zeros(len(sampled), VECTOR_SIZE).index_add(0, owners, shares[:, None] * (seen @ projection))
        vectors = torch.nn.functional.normalize(pooled, dim=1)
        event, sentence = mentions.chains[sampled], mentions.views[-1, sampled, 0]
        itself = np.eye(len(sampled), dtype=bool)
        same = (event[:, None] == event[None]) & ~itself
        unclear = (sentence[:, None] == sentence[None]) | clauses_meet(mentions, sampled)  # of several events
        if len(unclear_keys):
            unclear |= np.isin(event[:, None] * chains + event[None], unclear_keys)
        left_out = torch.tensor(itself | (unclear & ~same))
        similarity = (vectors @ vectors.T / temperature).masked_fill(left_out, -1e9)
        logs = similarity - torch.logsumexp(similarity, 1, keepdim=True)
        positive = torch.tensor(same)
        some = positive.any(1)
        loss = -((logs * positive).sum(1)[some] / positive.sum(1)[some]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return {
        "centre": centre.astype(np.float32),
        "projection": projection.detach().numpy(),
        "attention": weights.detach().numpy(),
    }


def clauses_meet(mentions: Mentions, places: Array) -> Array:
    """Whether the clauses of two mentions share any event, (places, places)."""
    there = np.flatnonzero(np.isin(mentions.clauses, mentions.clauses[places]))
    rows = np.unique(mentions.clauses[there], return_inverse=True)[1]
    columns = np.unique(mentions.chains[there], return_inverse=True)[1]
    events_of_clauses = np.zeros((rows.max() + 1, columns.max() + 1), dtype=np.float32)
    events_of_clauses[rows, columns] = 1
    own = events_of_clauses[rows[np.searchsorted(there, places)]]
    meet: Array = own @ own.T > 0
    return meet


def _means(states: Array, spans: Array) -> Array:
    return np.array([states[first:end].mean(axis=0) for first, end in spans])
