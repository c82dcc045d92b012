"""The sentence reader: one pass of the model gives causal relations, denials and counterfactuals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.capitals import sentence_case
from whywire.models.odds import IDENTITY, calibrated, log_odds, probabilities_of
from whywire.models.recent import Recent
from whywire.progress import Advance
from whywire.sentences.contrast import asserted_side, with_denied_sides
from whywire.sentences.decoding import (
    CAUSAL,
    COUNTERFACTUAL,
    DENIAL,
    DENIED,
    PRESENT,
    QUESTIONS,
    calibrated_signals,
    decode_parts,
    n_best_relations,
    relations_by_slot,
)
from whywire.sentences.reading import CausalRelation, Reading

KEPT_SENTENCES = 20_000
"""Sentences whose readings are cached: some 20 MB. A quarter of the text in a stream of news wires came before."""

DECISION_THRESHOLD = 0.5
"""The calibrated probability from which a sentence counts as claiming, denying or imagining something."""


_AS_NEWS = (False, False, DECISION_THRESHOLD, 0)
"""How the sentences of news are read: only these readings are cached."""


class SentenceReader:
    """Finds causal relations, denials and counterfactuals in sentences (RECESS; SemEval-2020 Task 5)."""

    def __init__(self, model: OnnxModel) -> None:
        self.model = model
        self._recent: Recent[str, Reading] = Recent(KEPT_SENTENCES)

    @classmethod
    def from_pretrained(cls, name: str | Path = "sentences-en") -> SentenceReader:
        """Load the embedded model of that name, or one from a folder."""
        return cls(from_pretrained(name, kind="sentences"))

    def read(
        self,
        sentences: Sequence[str],
        advance: Advance | None = None,
        *,
        known_causal: bool = False,
        known_counterfactual: bool = False,
        floor: float = DECISION_THRESHOLD,
        n_best: int = 0,
    ) -> list[Reading]:
        """Read sentences and return a :class:`Reading` for each; spans are offsets into the sentence.

        Args:
            advance: called with the number of sentences just read.
            known_causal: find relations even in sentences that the model does not consider causal, as in RECESS,
                section 4.2. The probabilities do not change.
            known_counterfactual: find antecedent and consequent of every sentence: SemEval-2020 Task 5, subtask 2.
            floor: the least probability of the second and third relation of a sentence; 0 lists one for each slot,
                most probable first, as the scorer of RECESS expects.
            n_best: the number of rival relations to add.
        """
        asked = (known_causal, known_counterfactual, floor, n_best)
        if asked != _AS_NEWS:
            return self._read(sentences, advance, *asked)
        readings = self._recent.found(sentences)
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in readings]
        if advance:
            advance(len(sentences) - len(new))
        readings |= zip(new, self._read(new, advance, *asked), strict=True)
        self._recent.keep(readings)
        return [readings[sentence] for sentence in sentences]

    def _read(
        self,
        sentences: Sequence[str],
        advance: Advance | None,
        known_causal: bool,
        known_counterfactual: bool,
        floor: float,
        n_best: int,
    ) -> list[Reading]:
        signal = self.model.config["calibration"].get("signal", IDENTITY)
        readings: dict[int, Reading] = {}
        for batch in self.model.run(sentences, ["sentence", "tokens"]):
            probabilities = self._probabilities(np.stack(batch.outputs["sentence"]))
            for row, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
                causal, imagined, denial = map(float, probabilities[row, [CAUSAL, COUNTERFACTUAL, DENIAL]])
                text, offsets = sentence_case(sentences[number]), encoding.offsets[1:-1]
                logits = batch.outputs["tokens"][row]
                uncalibrated = logits[1 : len(offsets) + 1]
                tokens, present = calibrated_signals(uncalibrated, signal), probabilities[row, PRESENT]
                reading = Reading(causal, (), imagined, denial=denial)
                if offsets and (known_causal or max(causal, denial) >= DECISION_THRESHOLD):
                    slots = relations_by_slot(tokens, offsets, text, present, probabilities[row, DENIED], floor=floor)
                    by_slot = {slot: asserted_side(text, relation) for slot, relation in slots.items()}
                    signed = _by_sign(by_slot.values(), causal, denial, known_causal=known_causal)
                    relations, denials = with_denied_sides(text, *map(self._calibrated, signed))
                    reading = replace(reading, relations=relations, denials=denials)
                if offsets and n_best:
                    ranked = n_best_relations(tokens, offsets, text, present, n_best)
                    rivals = (replace(rival, probability=causal * rival.probability) for rival in ranked)
                    reading = replace(reading, n_best=self._calibrated(rivals))
                if offsets and (known_counterfactual or imagined >= DECISION_THRESHOLD):
                    antecedent, consequent = decode_parts(tokens, logits[0], offsets, text)
                    reading = replace(reading, antecedent=antecedent, consequent=consequent)
                readings[number] = reading
            if advance:
                advance(len(batch.numbers))
        return [readings[number] for number in range(len(sentences))]

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        probabilities = probabilities_of(logits)
        for name, place in QUESTIONS.items():
            probabilities[:, place] = calibrated(logits[:, place], self.model.config["calibration"][name])
        return probabilities

    def _calibrated(self, relations: Iterable[CausalRelation]) -> tuple[CausalRelation, ...]:
        """Return the relations with calibrated probabilities."""
        fitted = self.model.config["calibration"]["relation"]
        return tuple(
            replace(relation, probability=float(calibrated(log_odds(relation.probability), fitted)))
            for relation in relations
        )


def _by_sign(
    relations: Iterable[CausalRelation], causal: float, denial: float, *, known_causal: bool
) -> tuple[list[CausalRelation], list[CausalRelation]]:
    """Split relations into asserted and denied ones: all alike if the sentence only asserts or only denies.

    Args:
        relations: most probable first, with probabilities given that the sentence has a relation.
    """
    asserts_all = known_causal or denial < DECISION_THRESHOLD
    denies_all = not asserts_all and causal < DECISION_THRESHOLD
    asserted, denied = [], []
    for relation in relations:
        if denies_all or (relation.denied and not asserts_all):
            denied.append(replace(relation, denied=True, probability=denial * relation.probability))
        else:
            asserted.append(replace(relation, denied=False, probability=causal * relation.probability))
    return asserted, denied
