"""The two questions asked of headlines: how near are they, and how are these two related."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.headlines.relations import MIRROR, RELATIONS, Relation, column, pooled
from whywire.models import OnnxModel, from_pretrained
from whywire.models.odds import calibrated, chances_of, log_odds

Progress = Callable[[float], object]
"""Told how many texts or pairs are done since it was last told; of several passes each is a part of a pair."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What the model says of pairs of headlines.

    Args:
        relations: probabilities (pairs, 7) in the order of ``RELATIONS``, calibrated on neighbours in a stream.
        strengths: how strongly left caused right, and right left, (pairs, 2), 0 to 100 on CRAB's scale.
    """

    relations: NDArray[np.float64]
    strengths: NDArray[np.float64]


class HeadlineModel:
    """Embeds headlines and relates pairs of them; order of a pair never matters.

    Every pair is put to the model in one fixed order, and the answer is mirrored where the caller had the other,
    so the answer for (B, A) is the mirror of the answer for (A, B) to the last bit.
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
        size = self.model.session.get_outputs()[self.model.outputs.index("embedding")].shape[-1]
        vectors = np.zeros((len(headlines), size if isinstance(size, int) else 0), dtype=np.float32)
        for batch in self.model.run(headlines, ["embedding"]):
            if vectors.shape[1] == 0:
                vectors = np.zeros((len(headlines), len(batch.outputs["embedding"][0])), dtype=np.float32)
            vectors[batch.numbers] = batch.outputs["embedding"]
            if progress:
                progress(len(batch.numbers))
        return vectors

    def ask(
        self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None, *, both_orders: bool = False
    ) -> Answers:
        """Everything the model says of each pair, as they stand.

        Args:
            both_orders: read every pair in either order and take the relations' mean, and the geometric mean with
                what a second model says: two or four times the work, and better. Strength is calibrated on one order
                of the first model and stays that one's.
        """
        ordered = [(min(pair), max(pair)) for pair in pairs]
        places = {pair: place for place, pair in enumerate(dict.fromkeys(ordered))}
        passes = (4 if self.second else 2) if both_orders else 1
        relations, logits = self._read(list(places), share_of(progress, 1 / passes))
        if both_orders:
            back, _ = self._read([(right, left) for left, right in places], share_of(progress, 1 / passes))
            relations = (relations + back[:, MIRROR]) / 2
            if self.second:
                theirs = self.second.ask(list(places), share_of(progress, 1 / 2), both_orders=True).relations
                relations = pooled([relations, theirs], [0.5, 0.5], np.ones(len(RELATIONS)))
        asked = [places[pair] for pair in ordered]
        relations, logits = relations[asked], logits[asked]
        swapped = np.array([pair[0] > pair[1] for pair in pairs], dtype=bool)
        equal = np.array([pair[0] == pair[1] for pair in pairs], dtype=bool)
        for array, mirror in ((relations, MIRROR), (logits, [1, 0])):
            array[swapped] = array[swapped][:, mirror]
            array[equal] = (array[equal] + array[equal][:, mirror]) / 2
        return Answers(relations, self._strengths(logits))

    def _read(
        self, pairs: Sequence[tuple[str, str]], progress: Progress | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities of the relations (pairs, 7) and logits of the strengths (pairs, 2), by one pass a pair."""
        relations = np.zeros((len(pairs), len(RELATIONS)))
        logits = np.zeros((len(pairs), 2))
        for batch in self.model.run(pairs, ["relation", "strength"]):
            relations[batch.numbers] = self._probabilities(np.stack(batch.outputs["relation"]))
            logits[batch.numbers] = batch.outputs["strength"]
            if progress:
                progress(len(batch.numbers))
        return relations, logits

    def relate(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of the relations, in the order of ``RELATIONS``; rows sum to 1.

        For pairs that somebody picked: a cause is likelier among them than among all the neighbours in a stream,
        which :meth:`ask` is calibrated for. Both orders are read, and where the config names a model that has learnt
        how people relate such pairs, it is heard as well.
        """
        return self.ask_and_relate(pairs, progress)[1]

    def ask_and_relate(
        self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None
    ) -> tuple[Answers, NDArray[np.float64]]:
        """What :meth:`ask` says, both orders read, and what :meth:`relate` does."""
        if not self.picked:
            answers = self.ask(pairs, progress, both_orders=True)
            return answers, self.as_picked(answers.relations)
        answers, theirs = (
            model.ask(pairs, share_of(progress, 1 / 2), both_orders=True) for model in (self, self.picked)
        )
        pool = self.model.config["calibration"]["pool"]
        return answers, pooled([answers.relations, theirs.relations], **pool)

    def as_picked(self, relations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (pairs, 7) of a stream's neighbours, as they would be of pairs picked by hand.

        What the model has seen stays the same; only the odds of each relation are raised or lowered, by what was
        fitted on held-out pairs of a stream, weighed to be as mixed as picked ones are.
        """
        return pooled([relations], [1.0], self.model.config["calibration"]["picked"])

    def likeness(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Cosines (pairs,) of the two headlines' embeddings, the same in either order."""
        places = {title: place for place, title in enumerate(sorted({title for pair in pairs for title in pair}))}
        vectors = self.embed(list(places))
        left, right = ([places[pair[side]] for pair in pairs] for side in (0, 1))
        result: NDArray[np.float32] = (vectors[left] * vectors[right]).sum(axis=1)
        return result

    def same_event(self, answers: Answers, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of *same event* (pairs,), by the relation's and the embedding's word together.

        Either errs where the other does not: the embedding knows paraphrase better, the pass over both headlines
        sees the number, the place or the verb that makes them two events.

        Args:
            answers: what :meth:`ask` says of the pairs.
            cosines: of the two headlines' embeddings, (pairs,).
        """
        fitted = self.model.config["calibration"]["same_event"]
        odds = fitted["relation"] * log_odds(answers.relations[:, column(Relation.SAME_EVENT)])
        odds += fitted["cosine"] * cosines + fitted["shift"]
        return chances_of(odds)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """A guess of the probability of *same event* from the embedding alone, for pairs not worth a pass."""
        return calibrated(cosines, self.model.config["calibration"]["cosine"])

    def cosine_for(self, chance: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this chance (between 0 and 1).

        What a cosine means differs from one encoder to the next; a chance means the same to all of them.
        """
        fitted = self.model.config["calibration"]["cosine"]
        return float((log_odds(np.array(chance)) - fitted["shift"]) / fitted["scale"])

    def _strengths(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        return 100 * calibrated(logits, self.model.config["calibration"]["strength"])

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        scaled = logits.astype(np.float64) / self.model.config["calibration"]["temperature"]
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return result


def share_of(progress: Progress | None, share: float) -> Progress | None:
    """What to tell of work that is only a share of what ``progress`` waits for."""
    return progress and (lambda steps: progress(share * steps))
