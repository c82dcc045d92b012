"""Figures that come out the same on every run.

matplotlib is imported where it is used: the program loads this module for every command, and matplotlib writes a list
of fonts on its first import.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any


def panels(number: int, width: float, height: float) -> tuple[Any, list[Any]]:
    """A figure, and its axes, side by side with one y-axis.

    Args:
        width: of the figure, in inches, as the height.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, number, sharey=True, squeeze=False)[0].tolist()
    for own in axes:
        own.spines[["top", "right"]].set_visible(False)
    return figure, axes


def picture(figure: Any, kind: str = "svg") -> bytes:
    """The bytes of a figure as ``svg`` or ``png``."""
    from matplotlib import rc_context

    target = BytesIO()
    with rc_context({"svg.hashsalt": "whywire", "svg.fonttype": "none"}):
        figure.savefig(target, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    return target.getvalue()
