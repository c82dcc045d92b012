"""Which refutations the words of two headlines bear out (:mod:`whywire.events.contradictions`)."""

from __future__ import annotations

from whywire.elements import Contradiction
from whywire.events.contradictions import contradiction, denies_something_else, negates
from whywire.events.denials import is_denial

__all__ = ["contradiction", "refuted_in"]


def refuted_in(earlier: str, later: str) -> Contradiction | None:
    """In what the later of two headlines that a model takes for a refutation contradicts the earlier, if in anything.

    Besides what :func:`contradiction` finds, it is enough that the later denies something in other words than the
    earlier, which denies nothing: that both are about the same is then known from the model.
    """
    in_other_words = is_denial(later) and not negates(earlier) and not denies_something_else(later, earlier)
    return contradiction(earlier, later) or (Contradiction.POLARITY if in_other_words else None)
