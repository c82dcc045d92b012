"""Histograms of the distance between the headlines of pairs, and the share of causal pairs by distance.

The two figures of HeadlineCause (Gusev and Tikhonov 2021): distance against the number of pairs, and against the
share of causal ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whywire_lab.figures import panels, picture

BIN_WIDTH = 0.05
"""Cosine distance that a bar of a figure covers."""

FEW_PAIRS = 10
"""Bars of fewer pairs are drawn pale: one pair more would change their share by a tenth."""


@dataclass(frozen=True, slots=True)
class DistanceHistogram:
    """Counts of pairs by distance.

    Args:
        edges: (bins + 1,), from 0 up.
        pairs: how many pairs lie between two edges (bins,).
        causal: how many of these are causal (bins,); ``None`` without labels.
    """

    edges: NDArray[np.float64]
    pairs: NDArray[np.int64]
    causal: NDArray[np.int64] | None = None

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of causal pairs in each bin (bins,), 0 to 1; NaN where there are no pairs or no labels."""
        result = np.full(len(self.pairs), np.nan)
        if self.causal is not None:
            np.divide(self.causal, self.pairs, out=result, where=self.pairs > 0)
        return result


def bin_distances(
    distances: ArrayLike, causal: Sequence[bool] | None = None, *, width: float = BIN_WIDTH
) -> DistanceHistogram:
    """Count pairs, and causal ones among them, in bins of one width from 0 to the furthest pair.

    Args:
        distances: cosine distances (pairs,), 0 to 2.
        causal: whether each pair holds a cause.

    Raises:
        ValueError: the two differ in length, or the width is not positive.
    """
    values = np.asarray(distances, dtype=np.float64)
    if causal is not None and len(causal) != len(values):
        raise ValueError(f"Number of labels ({len(causal)}) must match number of distances ({len(values)})")
    if width <= 0:
        raise ValueError(f"A bin must have a width above 0, not {width}")
    places = np.floor(values / width + 1e-6).astype(np.int64)
    size = int(places.max(initial=0)) + 1
    edges: NDArray[np.float64] = np.arange(size + 1, dtype=np.float64) * width
    pairs = np.bincount(places, minlength=size)
    if causal is None:
        return DistanceHistogram(edges, pairs)
    return DistanceHistogram(edges, pairs, np.bincount(places[np.asarray(causal, dtype=np.bool_)], minlength=size))


def draw_pairs(binned: DistanceHistogram, kind: Literal["svg", "png"] = "svg") -> bytes:
    """The figure of the number of pairs by distance, as a picture file's bytes."""
    figure, axes = _figure("number of pairs")
    axes.bar(binned.edges[:-1], binned.pairs, width=np.diff(binned.edges), align="edge", edgecolor="white")
    return picture(figure, kind)


def draw_shares(binned: DistanceHistogram, kind: Literal["svg", "png"] = "svg") -> bytes:
    """The figure of the share of causal pairs by distance, each bar with its number of pairs on top."""
    figure, axes = _figure("share of causal pairs")
    shares = np.nan_to_num(binned.shares)
    bars = axes.bar(binned.edges[:-1], shares, width=np.diff(binned.edges), align="edge", edgecolor="white")
    axes.bar_label(
        bars, [f"{count:,}" if count else "" for count in binned.pairs], fontsize=6, rotation=90, padding=2
    )
    for bar, count in zip(bars, binned.pairs, strict=True):
        bar.set_alpha(0.35 if count < FEW_PAIRS else 1.0)
    axes.set_ylim(0, min(1.15, 1.25 * max(0.1, float(shares.max()))))
    return picture(figure, kind)


def _figure(counted: str) -> tuple[Any, Any]:
    figure, (axes,) = panels(1, 6.4, 3.6)
    axes.set_xlabel("cosine distance of the headlines' embeddings")
    axes.set_ylabel(counted)
    return figure, axes
