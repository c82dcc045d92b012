"""Which of several events are taken for the direct causes of another, by their strengths.

The strongest has a lower threshold than the others: who asks expects that there may be a cause. The caller says by
``some_cause`` which error is worse, a cause too many or no cause. The rules:

1. Where no option is above the class *none*, none is a cause, unless it is known that some option is.
2. Else the strongest option is a cause, and so is any other that is exactly as strong: two options with the same
   words get the same answer.
3. Every other option above the binary bound is a cause, too, if it is not much weaker than the strongest.
"""

from __future__ import annotations

from collections.abc import Sequence

from whywire.elements import CLASS_BOUNDS

NO_CAUSE_THRESHOLD, CAUSAL_THRESHOLD = (float(highest) for _, highest in CLASS_BOUNDS[:2])
"""The highest strengths of the classes *none* and *low*; above the latter a pair is causal where the answer is yes or
no."""

MIN_SHARE_OF_STRONGEST = 0.9
"""The share of the strongest option's strength that another needs. 0.8, 0.9 and 1 give 56, 60 and 62 % of sets
exactly on held-out choices of stories, 42, 43 and 44 on those of chronicles, 50, 51 and 51 on those of pools, and 40,
42 and 42 on the three topics of event_causes kept for calibration. Many questions have one cause; where two are
right, a share of 1 finds one of them."""


def direct_causes(strengths: Sequence[float], *, some_cause: bool = False) -> frozenset[int]:
    """The indices of the options taken for direct causes; may be empty.

    Args:
        strengths: one an option, 0 to 100.
        some_cause: one option at least is known to be a cause, so the strongest is taken however weak it is.
    """
    strongest = max(strengths, default=0.0)
    if strongest <= NO_CAUSE_THRESHOLD and not some_cause:
        return frozenset()
    return frozenset(
        place
        for place, strength in enumerate(strengths)
        if strength == strongest or (strength > CAUSAL_THRESHOLD and strength >= MIN_SHARE_OF_STRONGEST * strongest)
    )
