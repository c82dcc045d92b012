"""The headline model: embeds headlines, relates pairs of them, and scores how strong a cause one is of another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.odds import calibrated, log_odds, probabilities_of
from whywire.pairs.pair_order import TextPair, in_one_order
from whywire.pairs.relations import MIRROR, RELATIONS, Relation, column, logarithmic_pool
from whywire.pairs.strength import StrengthModel
from whywire.progress import Advance


class HeadlineModel:
    """Embeds headlines and relates pairs of them; the order of a pair never matters.

    Every pair is put to the model in one fixed order (:func:`~whywire.pairs.pair_order.in_one_order`).

    Args:
        model: has the outputs ``embedding`` for a headline, ``relation`` and, unless its config names another model
            for that, ``strength`` for a pair.
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    @classmethod
    def from_pretrained(cls, name: str | Path = "headlines-en") -> HeadlineModel:
        """Load the embedded model of that name, or one from a folder.

        Raises:
            ModelError: there is no such model, or it cannot be read.
        """
        return cls(from_pretrained(name, kind="headlines"))

    @cached_property
    def second_model(self) -> HeadlineModel | None:
        """The model named ``second`` in the config, pooled with this one where both orders are read.

        Loaded when first used. Two models trained from different bases make different errors.
        """
        return self._named("second")

    @cached_property
    def picked_model(self) -> HeadlineModel | None:
        """The model named ``picked_by`` in the config, trained on hand-picked pairs; loaded when first used."""
        return self._named("picked_by")

    def _named(self, key: str) -> HeadlineModel | None:
        name = self.model.config.get(key)
        return HeadlineModel.from_pretrained(name) if name else None

    def embed(self, headlines: Sequence[str], advance: Advance | None = None) -> NDArray[np.float32]:
        """Unit vectors (headlines, size), near each other for headlines that are worth comparing."""
        return self.model.table(headlines, "embedding", advance)

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations in the order of ``RELATIONS``; rows sum to 1.

        Calibrated for the neighbouring headlines of a news stream; :meth:`relate` is for hand-picked pairs.

        Args:
            both_orders: read every pair in both orders and take the mean, and the geometric mean with the second
                model if there is one: two or four times the work, and more accurate.
        """

        def read(ordered: list[TextPair]) -> NDArray[np.float64]:
            if not both_orders:
                return self._probabilities(ordered, advance)
            passes = 4 if self.second_model else 2
            forward = self._probabilities(ordered, share_of(advance, 1 / passes))
            backward = self._probabilities([(right, left) for left, right in ordered], share_of(advance, 1 / passes))
            own = (forward + backward[:, MIRROR]) / 2
            if not self.second_model:
                return own
            other = self.second_model.relation_probabilities(ordered, share_of(advance, 1 / 2), both_orders=True)
            return logarithmic_pool([own, other], [0.5, 0.5], np.ones(len(RELATIONS)))

        return in_one_order(pairs, read, MIRROR)

    def strengths(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Causal strength (pairs,) of the first of each pair for the second, 0 to 100 on CRAB's scale."""
        return self._strength_model.strengths(pairs, advance)

    @cached_property
    def _strength_model(self) -> StrengthModel:
        """The sentence model named ``strength_by`` in the config, or this model."""
        name = self.model.config.get("strength_by")
        return StrengthModel(from_pretrained(name, kind="sentences") if name else self.model)

    def relate(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations of hand-picked pairs, like :meth:`relation_probabilities`.

        A cause is more frequent among such pairs than among the neighbours in a stream, which that
        method is calibrated for. Both orders are read, and pooled with the model trained on
        judgements of such pairs where the config names one.
        """
        return self.relate_both_ways(pairs, advance)[1]

    def relate_both_ways(
        self, pairs: Sequence[TextPair], advance: Advance | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both calibrations in one go: :meth:`relation_probabilities` with both orders read, and :meth:`relate`."""
        if not self.picked_model:
            found = self.relation_probabilities(pairs, advance, both_orders=True)
            return found, self.recalibrated_for_picked(found)
        found, other = (
            model.relation_probabilities(pairs, share_of(advance, 1 / 2), both_orders=True)
            for model in (self, self.picked_model)
        )
        pool = self.model.config["calibration"]["pool"]
        return found, logarithmic_pool([found, other], **pool)

    def recalibrated_for_picked(self, relations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn probabilities (pairs, 7) for neighbours in a stream into those for hand-picked pairs.

        Only the odds of each relation are raised or lowered, by factors fitted on held-out pairs of a stream that
        were weighted to have the proportions of hand-picked pairs.
        """
        return logarithmic_pool([relations], [1.0], self.model.config["calibration"]["picked"])

    def similarity(self, pairs: Sequence[TextPair]) -> NDArray[np.float32]:
        """Cosines (pairs,) of the embeddings of the two headlines, the same in either order."""
        places = {title: place for place, title in enumerate(sorted({title for pair in pairs for title in pair}))}
        vectors = self.embed(list(places))
        left, right = ([places[pair[side]] for pair in pairs] for side in (0, 1))
        result: NDArray[np.float32] = (vectors[left] * vectors[right]).sum(axis=1)
        return result

    def same_event_probabilities(
        self, pairs: Sequence[TextPair], cosines: NDArray[np.float32], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event* by both texts of each pair, the same in either order.

        Args:
            cosines: (pairs,), of the embeddings of the two headlines.
        """
        return self.same_event(self.relation_probabilities(pairs, advance), cosines)

    def same_event(self, relations: NDArray[np.float64], cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability (pairs,) of *same event* by logistic regression on relation and cosine.

        The two make different errors: the embedding recognises paraphrases, the pass over both headlines sees the
        number, the place or the verb that makes them two events.

        Args:
            relations: :meth:`relation_probabilities` of the pairs, (pairs, 7).
            cosines: (pairs,), of the embeddings of the two headlines.
        """
        fitted = self.model.config["calibration"]["same_event"]
        odds = fitted["relation"] * log_odds(relations[:, column(Relation.SAME_EVENT)])
        odds += fitted["cosine"] * cosines + fitted["shift"]
        return probabilities_of(odds)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of *same event* estimated from the embeddings alone; same shape as ``cosines``."""
        return calibrated(cosines, self.model.config["calibration"]["cosine"])

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this probability (between 0 and 1).

        What a cosine means differs between encoders; a probability means the same for all of them.
        """
        fitted = self.model.config["calibration"]["cosine"]
        return float((log_odds(np.array(probability)) - fitted["shift"]) / fitted["scale"])

    def _probabilities(self, pairs: Sequence[TextPair], advance: Advance | None) -> NDArray[np.float64]:
        """Relation probabilities (pairs, 7) by one pass per pair, in the order given."""
        logits = self.model.table(pairs, "relation", advance).astype(np.float64)
        powers = np.exp(
            (logits - logits.max(axis=1, keepdims=True)) / self.model.config["calibration"]["temperature"]
        )
        result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return result


def share_of(advance: Advance | None, share: float) -> Advance | None:
    """The function to call from work that is only a share (0 to 1) of what ``advance`` reports."""
    return advance and (lambda steps: advance(share * steps))
