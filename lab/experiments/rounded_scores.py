"""How the experiments print precision, recall and F1."""

from __future__ import annotations

from whywire_lab.metrics.classification import Score


def rounded_score(found: Score, name: str = "") -> dict[str, float]:
    """Precision, recall and F1 with four decimals, each with ``name`` before it."""
    prefix = f"{name} " if name else ""
    return {
        f"{prefix}precision": round(found.precision, 4),
        f"{prefix}recall": round(found.recall, 4),
        f"{prefix}f1": round(found.f1, 4),
    }
