"""Small heads over the states of a sentence model: vectors of mentions, and whether a mention or relation is usable.

They use the states of one layer from the pass that finds the relations, so they need no extra pass. A mention's
vector is a projection of the states of its tokens, weighted by attention (Lee et al. 2017) and trained so that
mentions of one event are near (supervised contrastive loss, Khosla et al. 2020). The probabilities are logistic
regressions on the states and a few features of the words.

A mention is a clause rather than a sentence, since a long sentence is about several events. Clauses are cut roughly
(:func:`segments`): too many cuts do little harm, since segments of one event are grouped again by their vectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.models.odds import log_odds, probabilities_of
from whywire.models.pretrained import load_arrays
from whywire.news.article import Span, overlap
from whywire.sentences.decoding import PRESENT
from whywire.sentences.reading import CausalRelation, MentionReading
from whywire.sentences.references import names_no_event, stands_for_sentence_before
from whywire.sentences.signals import RECESS_SENSES, SignalKind, signal_of

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
    """Vectors and probabilities of mentions, probabilities of links.

    Args:
        weights: ``centre`` (width,), ``attention`` (width,) and ``projection`` (width, :data:`VECTOR_SIZE`) for the
            vector; ``span`` (3, features of a span) and ``span_bias`` (3,) for actual, planned and alone; ``edge``
            (features of a relation,) and ``edge_bias`` (1,) for links.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        self._weights = {name: np.asarray(weights[name], dtype=np.float32) for name in _NAMES}

    @classmethod
    def from_folder(cls, folder: Path) -> MentionHeads:
        """Load the heads from a sentence model's folder.

        Raises:
            ModelError: they are missing or cannot be read.
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

    def mention(self, states: SentenceStates, span: Span, *, absent: bool = False) -> MentionReading:
        """Read a span as the mention of an event; for a mere time or pronoun all probabilities are 0.

        Args:
            absent: the sentence says that the event did not happen; then all probabilities are 0, too.
        """
        if absent or names_no_event(states.text, span):
            return MentionReading(span, self.vector(states, span), 0.0, 0.0, 0.0)
        odds = self._weights["span"] @ span_features(states, span) + self._weights["span_bias"]
        actual, planned, alone = map(float, probabilities_of(odds))
        return MentionReading(span, self.vector(states, span), actual, planned, alone)

    def edge(self, states: SentenceStates, relation: CausalRelation) -> float:
        """Return the probability (0 to 1) that a relation can support a link.

        It is 0 if the sentence does not say that the cause brought about the effect, or if one of them is no event. A
        cause that stands for the sentence before ("This led to") may be an event, which depends on the article
        (:func:`whywire.sentences.references.in_context`).

        Args:
            relation: with its signal before calibration, as in the training data.
        """
        happened = signal_of(states.text, relation).sense.happened
        text, cause = states.text, relation.cause
        no_cause = names_no_event(text, cause) and not stands_for_sentence_before(text, cause)
        if not happened or no_cause or names_no_event(text, relation.effect):
            return 0.0
        odds = self._weights["edge"] @ edge_features(states, relation) + self._weights["edge_bias"]
        return float(probabilities_of(odds)[0])


_NAMES = ("centre", "attention", "projection", "span", "span_bias", "edge", "edge_bias")


def span_features(states: SentenceStates, span: Span) -> Floats:
    """Return the mean state of the span's tokens, :func:`_of_words`, and the model's logits for the sentence."""
    return np.concatenate([states.within([span]).mean(axis=0), _of_words(states.text, span), _answers(states)])


def edge_features(states: SentenceStates, relation: CausalRelation) -> Floats:
    """Return the mean states of cause, effect and signal (zeros without one), the sentence's state, and features."""
    signal = states.within(relation.signals).mean(axis=0) if relation.signals else np.zeros_like(states.whole)
    return np.concatenate(
        [
            states.within([relation.cause]).mean(axis=0),
            states.within([relation.effect]).mean(axis=0),
            signal,
            states.whole,
            _of_words(states.text, relation.cause),
            _of_words(states.text, relation.effect),
            _answers(states),
            _of_relation(states, relation),
        ]
    )


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


def _of_relation(states: SentenceStates, relation: CausalRelation) -> Floats:
    """Return features of a relation's probability, order and distance, and of the signal's kind, sense and cues."""
    signal = signal_of(states.text, relation)
    words = " ".join(states.text[slice(*part)].lower() for part in relation.signals)
    (cause, cause_end), (effect, effect_end) = relation.cause, relation.effect
    return np.array(
        [
            log_odds(relation.probability),
            log_odds(states.causal),
            cause < effect,
            np.log1p(max(0, effect - cause_end, cause - effect_end)),
            *(signal.sense is sense for sense in RECESS_SENSES),
            *(signal.kind is kind for kind in SignalKind),
            *(cue.search(words) is not None for cue in _SIGNAL),
            *(cue.search(states.text) is not None for cue in _INSIDE[:2]),
        ],
        dtype=np.float32,
    )


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

_SIGNAL = _cues(
    r"^(after|when|as|following|while|since|before|amid|until|once|с|после|когда|на фоне|в ходе|пока)\b",
    r"^(to|for|in order|by|with|чтобы|для|за)\b",
    r"because|due to|from|over|caus|led|result|thanks"
    r"|из-за|потому|так как|поскольку|вследств|в результате|в связи|привел|вызва",
)
"""Cues in a signal: only time perhaps, an aim or a means, a cause."""


# clauses


_MIN_WORDS = 5
"""A shorter segment is joined to the one before it."""

_CUT = re.compile(
    r"(?<=[,;:—–])\s+|\s+-\s+"
    r"|\s+(?=(?:and|but|that|which|who|while|after|before|because|as|when|where|since|although|so|for|with|amid)\s)"
    r"|\s+(?=(?:и|но|а|что|чтобы|который|которая|которое|которые|после|перед|пока|когда|где|хотя|поскольку|если)\s)",
    re.IGNORECASE,
)
_EDGES = " \t\r\n,;:—–-.!?"


def segments(sentence: str) -> list[Span]:
    """Return the half-open character spans of a sentence's pieces, in order, never empty and without overlaps.

    A short sentence is one piece. Between pieces there are only spaces and punctuation.
    """
    cuts = [0, *(cut.end() for cut in _CUT.finditer(sentence)), len(sentence)]
    pieces: list[Span] = []
    start = 0
    for end, following in zip(cuts[1:], [*cuts[2:], None], strict=True):
        enough = len(sentence[start:end].split()) >= _MIN_WORDS
        rest = following is None or len(sentence[end:].split()) >= _MIN_WORDS
        if (enough and rest) or following is None:
            if trimmed := _trimmed(sentence, start, end):
                pieces.append(trimmed)
            start = end
    return pieces


def _trimmed(sentence: str, start: int, end: int) -> Span | None:
    """Return a span without spaces and punctuation at its ends; ``None`` if nothing is left."""
    end = start + len(sentence[start:end].rstrip(_EDGES))
    start = end - len(sentence[start:end].lstrip(_EDGES))
    return (start, end) if start < end else None
