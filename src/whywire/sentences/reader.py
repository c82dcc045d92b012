"""Reads sentences: one pass of the sentence model for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.odds import calibrated, chances_of, log_odds
from whywire.news.article import Span
from whywire.sentences.decoding import decode_parts, decode_relations, n_best_relations
from whywire.sentences.layout import CAUSAL, COUNTERFACTUAL, DENIAL, DENIED, PRESENT, QUESTIONS
from whywire.sentences.reading import CausalRelation, Reading

SAID = 0.5
"""From this probability on a sentence is taken to say a thing; probabilities are calibrated."""


class SentenceReader:
    """Finds causal relations, denied ones and counterfactuals in sentences (RECESS; SemEval-2020 Task 5)."""

    def __init__(self, model: OnnxModel) -> None:
        self.model = model

    @classmethod
    def from_pretrained(cls, name: str | Path = "sentences-en") -> SentenceReader:
        """Load the embedded model of that name, or one from a folder."""
        return cls(from_pretrained(name, kind="sentences"))

    def read(
        self,
        sentences: Sequence[str],
        progress: Callable[[int], object] | None = None,
        *,
        known_causal: bool = False,
        known_counterfactual: bool = False,
        floor: float = SAID,
        n_best: int = 0,
    ) -> list[Reading]:
        """Read sentences, one :class:`Reading` each, in their order; spans are offsets into the sentence.

        Args:
            progress: called with the number of sentences just read.
            known_causal: find the relations of every sentence, also of those the model does not take to be causal:
                the task of RECESS, section 4.2. The probabilities stay the model's.
            known_counterfactual: find antecedent and consequent of every sentence: SemEval-2020 Task 5, subtask 2.
            floor: how likely, in a sentence that says one relation, a second and a third must be; with 0 all that
                there is room for are listed, most probable first, as the scorer of RECESS wants them.
        """
        readings: dict[int, Reading] = {}
        for batch in self.model.run(sentences, ["sentence", "tokens"]):
            chances = self._probabilities(np.stack(batch.outputs["sentence"]))
            for row, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
                causal, imagined, denial = map(float, chances[row, [CAUSAL, COUNTERFACTUAL, DENIAL]])
                text, offsets = sentences[number], encoding.offsets[1:-1]
                tokens = batch.outputs["tokens"][row][1 : len(offsets) + 1]
                relations: tuple[CausalRelation, ...] = ()
                denials: tuple[CausalRelation, ...] = ()
                rivals: tuple[CausalRelation, ...] = ()
                parts: tuple[Span | None, Span | None] = (None, None)
                if offsets and (known_causal or causal >= SAID or denial >= SAID):
                    present, denied = chances[row, PRESENT], chances[row, DENIED]
                    found = decode_relations(tokens, offsets, text, present, denied, floor=floor)
                    relations, denials = map(
                        self._as_sure, _by_sign(found, causal, denial, known_causal=known_causal)
                    )
                if offsets and n_best:
                    rivals = n_best_relations(tokens, offsets, text, chances[row, PRESENT], n_best)
                    rivals = self._as_sure(replace(one, probability=causal * one.probability) for one in rivals)
                if offsets and (known_counterfactual or imagined >= SAID):
                    parts = decode_parts(tokens, batch.outputs["tokens"][row][0], offsets, text)
                readings[number] = Reading(causal, relations, imagined, *parts, denial, denials, rivals)
            if progress:
                progress(len(batch.numbers))
        return [readings[number] for number in range(len(sentences))]

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        chances = chances_of(logits)
        for name, place in QUESTIONS.items():
            chances[:, place] = calibrated(logits[:, place], self.model.config["calibration"][name])
        return chances

    def _as_sure(self, relations: Iterable[CausalRelation]) -> tuple[CausalRelation, ...]:
        """The relations, each as likely as those that looked as likely have turned out to be."""
        fitted = self.model.config["calibration"]["relation"]
        return tuple(
            replace(one, probability=float(calibrated(log_odds(one.probability), fitted))) for one in relations
        )


def _by_sign(
    found: Sequence[CausalRelation], causal: float, denial: float, *, known_causal: bool
) -> tuple[tuple[CausalRelation, ...], tuple[CausalRelation, ...]]:
    """The relations asserted and those denied: by the sentence where it says one kind, else each by its own sign."""
    if known_causal or denial < SAID:
        asserted, denied = list(found), []
    elif causal < SAID:
        asserted, denied = [], list(found)
    else:
        asserted = [relation for relation in found if not relation.denied]
        denied = [relation for relation in found if relation.denied]
    return (
        tuple(replace(relation, denied=False, probability=causal * relation.probability) for relation in asserted),
        tuple(replace(relation, denied=True, probability=denial * relation.probability) for relation in denied),
    )
