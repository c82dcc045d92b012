"""The three questions asked of headlines: how near are they, how are these two related, how strong a cause is it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.encoder import Progress
from whywire.models.odds import calibrated, log_odds, probabilities_of
from whywire.pairs.pair_order import TextPair, in_one_order
from whywire.pairs.relations import MIRROR, RELATIONS, Relation, column, pooled
from whywire.pairs.strength import StrengthModel


class HeadlineModel:
    """Embeds headlines and relates pairs of them; order of a pair never matters.

    Every pair is put to the model in one fixed order (:func:`~whywire.pairs.pair_order.in_one_order`).
    """

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    @classmethod
    def from_pretrained(cls, name: str | Path = "headlines-en") -> HeadlineModel:
        """Load the embedded model of that name, or one from a folder."""
        return cls(from_pretrained(name, kind="headlines"))

    @cached_property
    def second(self) -> HeadlineModel | None:
        """Another model, named in the config, whose word on relations counts as much where a pair is read with care.

        That is ``both_orders``; who does not ask for it never loads the second. Two that came from different bases
        err in different places.
        """
        return self._named("second")

    @cached_property
    def picked(self) -> HeadlineModel | None:
        """The model, named in the config, that is heard on pairs which somebody picked; loaded when it is asked."""
        return self._named("picked_by")

    def _named(self, key: str) -> HeadlineModel | None:
        name = self.model.config.get(key)
        return HeadlineModel.from_pretrained(name) if name else None

    def embed(self, headlines: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """Unit vectors (headlines, size), near for headlines that are worth comparing."""
        return self.model.table(headlines, "embedding", progress)

    def ask(
        self, pairs: Sequence[TextPair], progress: Progress | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations in the order of ``RELATIONS``, as among neighbours in a stream.

        Args:
            both_orders: read every pair in either order and take the mean, and the geometric mean with what a second
                model says: two or four times the work, and better.
        """

        def read(ordered: list[TextPair]) -> NDArray[np.float64]:
            if not both_orders:
                return self._probabilities(ordered, progress)
            passes = 4 if self.second else 2
            forth = self._probabilities(ordered, share_of(progress, 1 / passes))
            back = self._probabilities([(right, left) for left, right in ordered], share_of(progress, 1 / passes))
            own = (forth + back[:, MIRROR]) / 2
            if not self.second:
                return own
            theirs = self.second.ask(ordered, share_of(progress, 1 / 2), both_orders=True)
            return pooled([own, theirs], [0.5, 0.5], np.ones(len(RELATIONS)))

        return in_one_order(pairs, read, MIRROR)

    def strengths(self, pairs: Sequence[TextPair], progress: Progress | None = None) -> NDArray[np.float64]:
        """How strongly the first of each pair led to the second, (pairs,), 0 to 100 on CRAB's scale."""
        return self._judge.strengths(pairs, progress)

    @cached_property
    def _judge(self) -> StrengthModel:
        """Who says how strong a cause is: the sentence model named in the config, or this model."""
        name = self.model.config.get("strength_by")
        return StrengthModel(from_pretrained(name, kind="sentences") if name else self.model)

    def relate(self, pairs: Sequence[TextPair], progress: Progress | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations, in the order of ``RELATIONS``; rows sum to 1.

        For pairs that somebody picked: a cause is likelier among them than among all the neighbours in a stream,
        which :meth:`ask` is calibrated for. Both orders are read, and where the config names a model that has learnt
        how people relate such pairs, it is heard as well.
        """
        return self.ask_and_relate(pairs, progress)[1]

    def ask_and_relate(
        self, pairs: Sequence[TextPair], progress: Progress | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What :meth:`ask` says, both orders read, and what :meth:`relate` does."""
        if not self.picked:
            answers = self.ask(pairs, progress, both_orders=True)
            return answers, self.as_picked(answers)
        answers, theirs = (
            model.ask(pairs, share_of(progress, 1 / 2), both_orders=True) for model in (self, self.picked)
        )
        pool = self.model.config["calibration"]["pool"]
        return answers, pooled([answers, theirs], **pool)

    def as_picked(self, relations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of a stream's neighbours, as they would be of pairs picked by hand.

        What the model has seen stays the same; only the odds of each relation are raised or lowered, by what was
        fitted on held-out pairs of a stream, weighed to be as mixed as picked ones are.
        """
        return pooled([relations], [1.0], self.model.config["calibration"]["picked"])

    def similarity(self, pairs: Sequence[TextPair]) -> NDArray[np.float32]:
        """Cosines (pairs,) of the two headlines' embeddings, the same in either order."""
        places = {title: place for place, title in enumerate(sorted({title for pair in pairs for title in pair}))}
        vectors = self.embed(list(places))
        left, right = ([places[pair[side]] for pair in pairs] for side in (0, 1))
        result: NDArray[np.float32] = (vectors[left] * vectors[right]).sum(axis=1)
        return result

    def same_event(self, relations: NDArray[np.float64], cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of *same event* (pairs,), by the relation's and the embedding's word together.

        Either errs where the other does not: the embedding knows paraphrase better, the pass over both headlines
        sees the number, the place or the verb that makes them two events.

        Args:
            relations: what :meth:`ask` says of the pairs, (pairs, 7).
            cosines: of the two headlines' embeddings, (pairs,).
        """
        fitted = self.model.config["calibration"]["same_event"]
        odds = fitted["relation"] * log_odds(relations[:, column(Relation.SAME_EVENT)])
        odds += fitted["cosine"] * cosines + fitted["shift"]
        return probabilities_of(odds)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """An estimate of the probability of *same event* from the embedding alone, for pairs not worth a pass."""
        return calibrated(cosines, self.model.config["calibration"]["cosine"])

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this probability (between 0 and 1).

        What a cosine means differs from one encoder to the next; a probability means the same to all of them.
        """
        fitted = self.model.config["calibration"]["cosine"]
        return float((log_odds(np.array(probability)) - fitted["shift"]) / fitted["scale"])

    def _probabilities(self, pairs: Sequence[TextPair], progress: Progress | None) -> NDArray[np.float64]:
        """Of the relations, (pairs, 7), by one pass a pair."""
        logits = self.model.table(pairs, "relation", progress).astype(np.float64)
        powers = np.exp(
            (logits - logits.max(axis=1, keepdims=True)) / self.model.config["calibration"]["temperature"]
        )
        result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return result


def share_of(progress: Progress | None, share: float) -> Progress | None:
    """What to tell of work that is only a share of what ``progress`` waits for."""
    return progress and (lambda steps: progress(share * steps))
