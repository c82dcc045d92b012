"""Makes a model of pairs symmetric: one answer for a pair, in whichever order it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.reports import Report

Text = TypeVar("Text", str, Report)


def in_one_order(
    pairs: Sequence[tuple[Text, Text]],
    read: Callable[[list[tuple[Text, Text]]], NDArray[np.float64]],
    mirror: Sequence[int] | NDArray[np.intp],
) -> NDArray[np.float64]:
    """The rows (pairs, columns) of ``read``, which is given each pair once and in one fixed order.

    So the row of (B, A) is the mirror of the row of (A, B) to the last bit, and the row of two equal reports has no
    direction.

    Args:
        read: from pairs in that order to a row for each, (pairs, columns).
        mirror: the permutation of the columns that turns a row into that of the reversed pair.
    """
    ordered = [(min(pair), max(pair)) for pair in pairs]
    places = {pair: place for place, pair in enumerate(dict.fromkeys(ordered))}
    table = read(list(places))[[places[pair] for pair in ordered]]
    swapped = np.array([pair[0] > pair[1] for pair in pairs], dtype=bool)
    equal = np.array([pair[0] == pair[1] for pair in pairs], dtype=bool)
    table[swapped] = table[swapped][:, mirror]
    table[equal] = (table[equal] + table[equal][:, mirror]) / 2
    return table
