"""The embedded judge: what two models say of two events, by words and documents; nothing leaves the machine.

The pair model learnt graded causes and reads the words alone; it often takes an effect for the cause. The document
reader learnt from whole articles, knows direction, and finds the events in the documents that it is given
(:mod:`whywire.reading.pair_strengths`). Their log-odds are added.

A choice without documents is weighed by the pair model alone: it learnt to choose among events of a story, and with
the reader the strongest of four options is right less often in event_causes (docs/experiments/direct-causes.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whywire.language_models import LanguageModels
from whywire.links.judges.judge import Choice, EventPair, NoScore
from whywire.models.odds import log_odds, probabilities_of
from whywire.news import Language
from whywire.reading.pair_strengths import ReadDocument, read_document, strength_alone, strength_told

MOST_DOCUMENTS = 8
"""Documents of a pair that are read: each costs as much as an article of a build."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the log-odds of a strength are made of.

    Args:
        words: weight of the pair model.
        alone: weight of the document reader for the two events alone.
        told: its weight for the documents.
    """

    words: float = 1.0
    alone: float = 0.0
    told: float = 0.0
    shift: float = 0.0


BY_WORDS = Weights()

BY_BOTH = Weights(words=1.5, alone=0.4, shift=0.2)
"""Of pairs without documents. The reader learnt from readers' stories and the pair model from invented ones; the
weights are a compromise on both, with scale and shift for CRAB's four classes."""

BY_DOCUMENTS = Weights(words=1.0, alone=0.75, told=1.6, shift=0.4)
"""Of pairs that documents tell of, by logistic regression on readers' stories, scaled for CRAB's four classes."""


class EmbeddedJudge:
    """Asks the models of each pair's language.

    Args:
        models: the models of either language; the embedded ones if not given.
    """

    def __init__(self, models: LanguageModels | None = None) -> None:
        self.models = models or LanguageModels()

    def score(self, pairs: Sequence[EventPair]) -> list[float | NoScore]:
        """How strongly each cause led to its effect; the order of the documents makes no difference."""
        return [*self._strengths(pairs, BY_BOTH)]

    def weigh(self, choices: Sequence[Choice]) -> list[list[float] | NoScore]:
        """How strongly each option of each choice led to the effect."""
        strengths = iter(self._strengths([pair for choice in choices for pair in choice.pairs()], BY_WORDS))
        return [[next(strengths) for _ in choice.options] for choice in choices]

    def _strengths(self, pairs: Sequence[EventPair], undocumented: Weights) -> list[float]:
        """The strengths of pairs.

        Args:
            undocumented: the weights for pairs of which no document tells.
        """
        read: dict[tuple[str, Language], ReadDocument] = {}

        def documents(pair: EventPair) -> list[ReadDocument]:
            texts = sorted({text for text in pair.context if text.strip()})[:MOST_DOCUMENTS]
            for text in texts:
                if (text, pair.language) not in read:
                    read[text, pair.language] = read_document(self.models.documents(), text, pair.language)
            return [read[text, pair.language] for text in texts]

        strengths = []
        for pair, by_words in zip(pairs, self._by_words(pairs), strict=True):
            ends = pair.cause, pair.effect, pair.language
            told = strength_told(documents(pair), *ends)
            weights = undocumented if told is None else BY_DOCUMENTS
            alone = strength_alone(self.models.documents(), *ends) if weights.alone else None
            if alone is None and told is None:
                strengths.append(by_words)
                continue
            odds = weights.words * log_odds(by_words / 100) + weights.shift
            odds += weights.alone * (alone or 0.0) + weights.told * (told or 0.0)
            strengths.append(100 * float(probabilities_of(odds)))
        return strengths

    def _by_words(self, pairs: Sequence[EventPair]) -> list[float]:
        """The strengths by the pair model."""
        strengths: dict[int, float] = {}
        by_language: dict[Language, list[int]] = {}
        for number, pair in enumerate(pairs):
            by_language.setdefault(pair.language, []).append(number)
        for language, numbers in by_language.items():
            asked = [(pairs[number].cause, pairs[number].effect) for number in numbers]
            found = self.models.pairs(language).strengths(asked).tolist()
            strengths |= dict(zip(numbers, found, strict=True))
        return [strengths[number] for number in range(len(pairs))]
