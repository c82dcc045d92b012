"""Small heads over the states of a sentence model: vectors of mentions, and whether their words are understood alone.

They use the states of one layer from the pass that finds the relations, so they need no extra pass. A mention's
vector is a projection of the states of its tokens, weighted by attention (Lee et al. 2017) and trained so that
mentions of one event are near (supervised contrastive loss, Khosla et al. 2020). Whether words are understood without
their sentence is a logistic regression on the states and a few features of the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models.odds import probabilities_of
from whywire.models.pretrained import load_arrays
from whywire.news.article import Span, overlap
from whywire.sentences.decoding import PRESENT
from whywire.sentences.reading import MentionReading

FILE = "mentions.npz"
"""The file of the heads' weights in a model's folder."""

VECTOR_SIZE = 128

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SentenceStates:
    """The states of one layer of the sentence model for one sentence.

    Args:
        text: the sentence.
        offsets: half-open character offsets of its tokens, without special tokens.
        tokens: (tokens, width), the states of these tokens.
        whole: (width,), the state of the first special token, which represents the whole sentence.
        logits: the model's output ``sentence``.
        causal: probability that the sentence claims a cause and an effect (0 to 1).
    """

    text: str
    offsets: Sequence[Span]
    tokens: Floats
    whole: Floats
    logits: Floats
    causal: float

    def within(self, spans: Iterable[Span]) -> Floats:
        """Return the states of the tokens that overlap a span, (tokens, width), else of the whole sentence."""
        wanted = list(spans)
        places = [place for place, token in enumerate(self.offsets) if any(overlap(token, span) for span in wanted)]
        return self.tokens[places] if places else self.whole[None]


class MentionHeads:
    """Vectors of mentions, and the probability that their words are understood alone.

    Args:
        weights: ``centre`` (width,), ``attention`` (width,) and ``projection`` (width, :data:`VECTOR_SIZE`) for the
            vector; ``alone`` (features of a span,) and ``alone_bias`` (1,) for the probability.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        self._weights = {name: np.asarray(weights[name], dtype=np.float32) for name in _NAMES}

    @classmethod
    def from_folder(cls, folder: Path) -> MentionHeads:
        """Load the heads from a sentence model's folder.

        Raises:
            ModelError: the heads are missing or cannot be read.
        """
        return cls(load_arrays(folder / FILE, _NAMES))

    def vector(self, states: SentenceStates, span: Span) -> Floats:
        """Return the vector of a mention: (:data:`VECTOR_SIZE`,), unit length."""
        centred = states.within([span]) - self._weights["centre"]
        scores = centred @ self._weights["attention"]
        shares = np.exp(scores - scores.max())
        pooled = (shares / shares.sum()) @ centred @ self._weights["projection"]
        vector: Floats = (pooled / max(float(np.linalg.norm(pooled)), 1e-9)).astype(np.float32)
        return vector

    def mention(self, states: SentenceStates, span: Span) -> MentionReading:
        """Read a span as the mention of an event."""
        odds = self._weights["alone"] @ span_features(states, span) + self._weights["alone_bias"]
        return MentionReading(span, self.vector(states, span), alone=float(probabilities_of(odds)[0]))


_NAMES = ("centre", "attention", "projection", "alone", "alone_bias")


def span_features(states: SentenceStates, span: Span) -> Floats:
    """Return the mean state of the span's tokens, :func:`_of_words`, and the model's logits for the sentence."""
    return np.concatenate([states.within([span]).mean(axis=0), _of_words(states.text, span), _answers(states)])


def _of_words(text: str, span: Span) -> Floats:
    """Return features of a span's length, position and cues."""
    words = text[slice(*span)]
    count = len(words.split())
    return np.array(
        [
            np.log1p(count),
            count / max(1, len(text.split())),
            count <= 2,
            span[0] == 0,
            words[:1].isupper(),
            "?" in text,
            *(mark in text for mark in '"“«'),
            *(cue.search(words) is not None for cue in _INSIDE),
            *(cue.match(words) is not None for cue in _FIRST),
        ],
        dtype=np.float32,
    )


def _answers(states: SentenceStates) -> Floats:
    """Return the model's logits of its three questions, and of a relation in each slot."""
    return states.logits[: PRESENT.stop]


def _cues(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_INSIDE = (
    *_cues(
        r"\b(if|unless|could|would|may|might|should|can|whether|если|бы|может|могут|должн\w*|возможно)\b",
        r"\b(will|won't|to be|going to|expect\w*|plan\w*|set to|shall|будет|будут|план\w+|намерен\w*|ожида\w+)\b",
        r"\d",
    ),
    re.compile(r"(?<!^)(?<![.!?] )\b[A-ZА-ЯЁ][\w’'-]+"),
)
"""Cues anywhere in a span: possibility, future, a number, a name."""

_FIRST = _cues(
    r"\s*(to [a-z]+|чтобы)\b",
    r"\s*(it|this|that|they|he|she|we|i|you|which|these|those|his|her|their|its)\b",
    r"\s*(он|она|оно|они|это|его|её|их|мы|вы|я|что|котор(ый|ая|ое|ые))\b",
    r"\s*[a-z]+ing\b",
)
"""Cues at the beginning of a span: an infinitive, a pronoun, a gerund."""
