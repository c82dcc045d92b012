"""CRAB's measures (Romanou et al. 2023, sections 3.5 and 5.2), from what a system says of each pair.

The paper asks a system four times: for a score, which is put into the four classes; for one of the classes; for yes
or no; and for the strongest of four possible causes. Frames and chains stratify what it said of the classes. Where
the paper leaves something open, the choice made here is stated.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from statistics import mean

import numpy as np

from whywire.annotation.agreement import krippendorff_alpha
from whywire.elements import StrengthClass, strength_class
from whywire.graph.chains import ChainKind, causal_triples
from whywire.graph.frames import Frame, frame_of
from whywire_lab.corpora.crab import CausalPair
from whywire_lab.metrics.classification import Score, accuracy, binary_score, macro_f1

CLASSES = tuple(StrengthClass)

CAUSAL = frozenset({StrengthClass.MEDIUM, StrengthClass.HIGH})
"""In the binary task a pair is causal above 50 (section 6 and figure 5); so is a link of a chain."""

SINCE = datetime(2022, 1, 1, tzinfo=UTC)
"""The date up to which the models of the paper had read the news (section 6, memorization)."""

BOUNDS = range(10, 100, 10)
"""Scores above which a pair may be called causal."""

OPTIONS = 4
"""Possible causes of a multiple choice question."""

SCORE, FOUR, BINARY, CHOICE, CHOICE_EM = TASKS = (
    *("score F1", "4-class F1", "binary F1"),
    *("choice F1", "choice EM"),
)
FRAME, FRAME_EM = "frame F1", "frame EM"
"""The names of the scores."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A system's answers on a pair, each to a question of its own; ``None`` is a missing answer, which is wrong.

    Args:
        strength: 0 to 100.
        strength_class: the answer when asked for a class.
        causal: the answer when asked for yes or no.
        chosen: whether this pair's cause was the answer to its multiple choice question; ``None`` if the system was
            not asked: then the strongest option is its answer.
    """

    strength: float | None
    strength_class: StrengthClass | None
    causal: bool | None
    chosen: bool | None = None

    @classmethod
    def of(
        cls, strength: float, strength_class_: StrengthClass | None = None, causal: bool | None = None
    ) -> Judgement:
        """A judgement whose class follows from the strength, and its yes or no from the class, where not given."""
        name = strength_class_ or strength_class(strength)
        return cls(strength, name, name in CAUSAL if causal is None else causal)


@dataclass(frozen=True, slots=True)
class Choice:
    """A multiple choice question: which of four events most led to another.

    Args:
        pairs: the numbers of the pairs of each option and the effect.
        answer: the number of the right option, 0 to 3.
    """

    pairs: tuple[int, ...]
    answer: int


@dataclass(frozen=True, slots=True)
class Structure:
    """Scores of the classes of the pairs of one kind of frame or chain, 0 to 1.

    Args:
        number: of such frames or chains.
        f1: the mean of macro F1 inside each.
        exact: the share of those that are right in every pair.
    """

    number: int
    f1: float
    exact: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a system's judgements.

    Args:
        scores: by the names in ``TASKS``; those of choices are missing where no question can be made.
        strata: the same on pairs of one document and of two, and before a date and since; a question belongs where
            the pair of its right answer does.
        frames: by their gold kind.
        all_frames: of frames of any kind.
        chains: by their gold kind.
        classes: precision, recall and F1 of each class, from the answers when asked for a class (table 8).
        sweep: macro F1 of causal or not if a pair is causal above another bound (figure 5), by bound: of the answers
            yes or no, and of strengths above the same bound. The figure does not say which it shows.
    """

    scores: Mapping[str, float]
    strata: Mapping[str, Mapping[str, float]]
    frames: Mapping[Frame, Structure]
    all_frames: Structure
    chains: Mapping[ChainKind, Structure]
    classes: Mapping[StrengthClass, Score]
    sweep: Mapping[int, tuple[float, float]]


def evaluate(pairs: Sequence[CausalPair], judged: Sequence[Judgement], *, since: datetime = SINCE) -> Evaluation:
    """Score one system.

    Args:
        judged: one judgement for each pair.
        since: the date that parts the strata *before* and *since*.

    Raises:
        ValueError: pairs and judgements differ in number.
    """
    if len(pairs) != len(judged):
        raise ValueError(f"there are {len(judged)} judgements for {len(pairs)} pairs")
    choices = make_choices(pairs)
    frames: dict[Frame, list[Sequence[int]]] = defaultdict(list)
    for numbers in frames_of(pairs):
        frames[frame_of([pairs[number].score for number in numbers])].append(numbers)
    chains: dict[ChainKind, list[Sequence[int]]] = defaultdict(list)
    for kind, numbers in chains_of(pairs):
        chains[kind].append(numbers)
    right = [strength_class(pair.score) for pair in pairs]
    predicted = [judgement.strength_class for judgement in judged]
    return Evaluation(
        scores=_scores(pairs, judged, range(len(pairs)), choices),
        strata={
            name: _scores(pairs, judged, numbers, [own for own in choices if own.pairs[own.answer] in numbers])
            for name, numbers in strata_of(pairs, since).items()
        },
        frames={kind: _structure(frames[kind], predicted, right) for kind in Frame if kind in frames},
        all_frames=_structure([numbers for own in frames.values() for numbers in own], predicted, right),
        chains={kind: _structure(chains[kind], predicted, right) for kind in ChainKind if kind in chains},
        classes={
            name: binary_score([own is name for own in predicted], [own is name for own in right]) for name in CLASSES
        },
        sweep={bound: _at_bound(pairs, judged, bound) for bound in BOUNDS},
    )


def strata_of(pairs: Sequence[CausalPair], since: datetime = SINCE) -> dict[str, frozenset[int]]:
    """The numbers of the pairs of each stratum that has any; a pair of an unknown stratum is in none."""
    day = since.date().isoformat()
    strata = {
        "in-document": [pair.in_document is True for pair in pairs],
        "cross-document": [pair.in_document is False for pair in pairs],
        f"before {day}": [pair.at is not None and pair.at < since for pair in pairs],
        f"since {day}": [pair.at is not None and pair.at >= since for pair in pairs],
    }
    numbers = {name: frozenset(np.flatnonzero(inside).tolist()) for name, inside in strata.items()}
    return {name: own for name, own in numbers.items() if own}


def frames_of(pairs: Sequence[CausalPair]) -> list[tuple[int, ...]]:
    """The causal frames: for each event that has possible causes, the numbers of the pairs it is the effect of."""
    frames: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        frames[pair.story, pair.effect.name].append(number)
    return [tuple(numbers) for numbers in frames.values()]


def make_choices(pairs: Sequence[CausalPair]) -> list[Choice]:
    """Make the multiple choice questions.

    The paper takes four possible causes of each frame and asks for the one with the highest score, and does not say
    which four. Here the causes of a frame are shuffled, by a hash of what they say, and go into questions four by
    four, so that no pair is asked about twice; four causes without a single highest one make no question.
    """
    choices = []
    for numbers in frames_of(pairs):
        shuffled = sorted(numbers, key=lambda number: _digest("\n".join(pairs[number].texts)))
        for start in range(0, len(shuffled) - OPTIONS + 1, OPTIONS):
            options = tuple(shuffled[start : start + OPTIONS])
            scores = [pairs[number].score for number in options]
            if scores.count(max(scores)) == 1:
                choices.append(Choice(options, scores.index(max(scores))))
    return choices


def chains_of(pairs: Sequence[CausalPair]) -> Iterator[tuple[ChainKind, tuple[int, int]]]:
    """The causal chains: for each its kind and the numbers of its two pairs.

    Two links in a row are a mediation, two from one cause a confounding; two to one effect are a collider where the
    causes are not linked themselves ("not themselves related", section 6).
    """
    links = {
        ((pair.story, pair.cause.name), (pair.story, pair.effect.name)): number
        for number, pair in enumerate(pairs)
        if strength_class(pair.score) in CAUSAL
    }
    events = dict.fromkeys(event for link in links for event in link)
    for kind, _, (one, other) in causal_triples(events, links):
        yield kind, (links[one], links[other])


def workers_alpha(pairs: Sequence[CausalPair]) -> dict[str, float]:
    """How far the workers agree: Krippendorff's alpha with the interval metric.

    Returns:
        For *4 classes*, counted from one to four as in the paper (its table 9), for *none and high*, on pairs of
        these two classes only, and for the *scores* as they are. Empty where no pair has two workers' scores.
    """
    several = [pair for pair in pairs if len(pair.scores) > 1]
    if not several:
        return {}
    extremes = [pair for pair in several if strength_class(pair.score) in (StrengthClass.NONE, StrengthClass.HIGH)]
    return {
        "4 classes": _alpha([[_rank(score) for score in pair.scores] for pair in several]),
        "none and high": _alpha([[_rank(score) for score in pair.scores] for pair in extremes]),
        "scores": _alpha([pair.scores for pair in several]),
    }


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _rank(score: float) -> float:
    return float(CLASSES.index(strength_class(score)))


def _alpha(units: Sequence[Sequence[float]]) -> float:
    return krippendorff_alpha(list(zip_longest(*units)), "interval")


def _scores(
    pairs: Sequence[CausalPair],
    judged: Sequence[Judgement],
    numbers: Collection[int],
    choices: Sequence[Choice],
) -> dict[str, float]:
    chosen = sorted(numbers)
    right = [strength_class(pairs[number].score) for number in chosen]
    predicted = [judged[number] for number in chosen]
    scores = {
        SCORE: macro_f1([_class_of(own.strength) for own in predicted], right),
        FOUR: macro_f1([own.strength_class for own in predicted], right),
        BINARY: macro_f1([own.causal for own in predicted], [name in CAUSAL for name in right]),
    }
    if choices:
        answers = [choice.answer for choice in choices]
        estimates = [_answer_to(choice, judged) for choice in choices]
        scores |= {CHOICE: macro_f1(estimates, answers), CHOICE_EM: accuracy(estimates, answers)}
    return scores


def _class_of(strength: float | None) -> StrengthClass | None:
    return None if strength is None else strength_class(strength)


def _answer_to(choice: Choice, judged: Sequence[Judgement]) -> int | None:
    """The number of the option that was chosen, else of the strongest one; ``None`` where there is no answer."""
    own = [judged[number] for number in choice.pairs]
    if any(judgement.chosen is not None for judgement in own):
        chosen = [place for place, judgement in enumerate(own) if judgement.chosen]
        return chosen[0] if len(chosen) == 1 else None
    strengths = [-1.0 if judgement.strength is None else judgement.strength for judgement in own]
    strongest = max(range(len(strengths)), key=strengths.__getitem__)
    return strongest if strengths[strongest] >= 0 else None


def _at_bound(pairs: Sequence[CausalPair], judged: Sequence[Judgement], bound: int) -> tuple[float, float]:
    """Macro F1 of yes or no, and of strengths, where scores above a bound are causal."""
    truth = [pair.score > bound for pair in pairs]
    by_strength = [None if own.strength is None else own.strength > bound for own in judged]
    return macro_f1([own.causal for own in judged], truth), macro_f1(by_strength, truth)


def _structure(
    groups: Sequence[Sequence[int]], predicted: Sequence[StrengthClass | None], right: Sequence[StrengthClass]
) -> Structure:
    """The mean over frames or chains: their pairs put together would give the F1 of all pairs again."""
    both = [([predicted[number] for number in numbers], [right[number] for number in numbers]) for numbers in groups]
    f1 = [macro_f1(estimate, truth) for estimate, truth in both]
    return Structure(len(groups), mean(f1), mean(float(estimate == truth) for estimate, truth in both))
