"""One answer a pair, whichever way round it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

TextPair = tuple[str, str]


def in_one_order(
    pairs: Sequence[TextPair],
    read: Callable[[list[TextPair]], NDArray[np.float64]],
    mirror: Sequence[int] | NDArray[np.intp],
) -> NDArray[np.float64]:
    """What ``read`` says of every pair, each asked about once and in one fixed order.

    So the answer for (B, A) is the mirror of the answer for (A, B) to the last bit, and two equal texts have an
    answer without a direction.

    Args:
        read: for pairs in that order, a row each.
        mirror: the columns of a row, as they are when a pair is read from right to left.
    """
    ordered = [(min(pair), max(pair)) for pair in pairs]
    places = {pair: place for place, pair in enumerate(dict.fromkeys(ordered))}
    table = read(list(places))[[places[pair] for pair in ordered]]
    swapped = np.array([pair[0] > pair[1] for pair in pairs], dtype=bool)
    equal = np.array([pair[0] == pair[1] for pair in pairs], dtype=bool)
    table[swapped] = table[swapped][:, mirror]
    table[equal] = (table[equal] + table[equal][:, mirror]) / 2
    return table
