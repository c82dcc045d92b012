"""What may follow a headline: the one form of it, whoever foretells it, and the rules they all keep.

A wrong prediction is worse than none, for nobody can look it up. So a prediction says what it rests on, two that mean
the same are one, and one that only repeats the headline is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.answers.past import Analogue
from whywire.answers.similarity import Meaning, distinctive_terms, gathered
from whywire.pairs.relations import Relation, column

SAME = 0.5
"""From this probability on, by meaning, two effects are one, or an effect is the headline again."""

PLAUSIBLE = 0.3
"""A continuation that somebody made up is kept from this probability on that the headline leads to it.

Of thirteen sensible continuations written to try it twelve reach it, of six senseless ones two.
"""

LEADS_TO = column(Relation.LEFT_RIGHT_CAUSE)
"""Where an array of probabilities says that the headline led to the text."""


@dataclass(frozen=True, slots=True)
class Likened:
    """A analogue, and what it says to a headline; all of it 0 to 1.

    Args:
        similarity: the probability that the headline tells of the analogue's cause, by what they mean.
        probability: that what followed may follow the headline, by all signs.
        fits: that the headline leads to it, by what the model of pairs says of the two alone.
    """

    analogue: Analogue
    similarity: float
    probability: float
    fits: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """Something that may follow.

    Args:
        text: a headline, or the words of an article.
        probability: that it may follow (0 to 1).
        fits: that the headline leads to it, by what the model of pairs says of headline and text alone.
        because: the analogues it rests on, those that count most first; empty where a language model made it up.
    """

    text: str
    probability: float
    fits: float
    because: tuple[Likened, ...] = ()


class Judge(Meaning, Protocol):
    """What is asked of a model of headlines that says what leads to what."""

    def ask(self, pairs: Sequence[tuple[str, str]], *, both_orders: bool = False) -> NDArray[np.float64]:
        """The probabilities of the relations of two headlines, as among the neighbours in a stream."""

    def as_picked(self, relations: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same probabilities (pairs, 7), as among pairs that somebody picked."""

    def cosine_for(self, probability: float) -> float:
        """The cosine from which two texts tell of one event with this a random answer."""


def ranked(headline: str, candidates: Iterable[str], model: Judge, *, floor: float = PLAUSIBLE) -> list[Prediction]:
    """The candidates that the headline is likely to lead to, most probable first.

    Args:
        candidates: headlines that may follow, as a language model wrote them.
        model: of the headlines of that language; says how probable it is that the one led to the other.
        floor: a candidate less probable than this falls out.
    """
    texts = [text for text in dict.fromkeys(candidates) if says_more(text, headline)]
    relations = model.ask([(headline, text) for text in texts], both_orders=True)
    probabilities = model.as_picked(relations)[:, LEADS_TO].tolist()
    best_first = sorted(zip(texts, probabilities, strict=True), key=lambda item: -item[1])
    kept = [(text, probability) for text, probability in best_first if probability >= floor]
    words = [text for text, _ in kept]
    groups = groups_of_one_meaning(words, model.embed(words), model)
    return [Prediction(text, probability, probability) for text, probability in (kept[group[0]] for group in groups)]


def says_more(text: str, headline: str) -> bool:
    """Whether a text has a distinctive term that the headline has not."""
    return not distinctive_terms(text) <= distinctive_terms(headline)


def groups_of_one_meaning(texts: Sequence[str], vectors: NDArray[np.float32], model: Meaning) -> list[list[int]]:
    """Put together what means the same: a text joins the first one before it that it is the same as.

    Args:
        texts: best first.
        vectors: theirs, (texts, size).

    Returns:
        Places of the texts; the first of a group stands for it.
    """
    if not texts:
        return []
    probabilities = model.same_event_by_cosine(vectors @ vectors.T)
    return gathered(len(texts), lambda one, other: bool(probabilities[one, other] >= SAME))
