"""The sentence reader: causal relations, denials, counterfactuals and mentions, by one pass of the model a sentence.

Which error is worse? A claim that no sentence makes: so relations are listed only from ``DECISION_THRESHOLD`` on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.errors import ModelError
from whywire.models import OnnxModel, from_pretrained
from whywire.models.capitals import sentence_case
from whywire.models.odds import IDENTITY, calibrated, log_odds, probabilities_of
from whywire.news.article import Span
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
    signals_in_slot,
)
from whywire.sentences.mention_heads import MentionHeads, SentenceStates, segments
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.signals import effect_is_absent

DECISION_THRESHOLD = 0.5
"""The probability from which a sentence is taken to claim, deny or imagine something; it is calibrated."""


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
        advance: Advance | None = None,
        *,
        known_causal: bool = False,
        known_counterfactual: bool = False,
        floor: float = DECISION_THRESHOLD,
        n_best: int = 0,
        mentions: bool = False,
    ) -> list[Reading]:
        """Read sentences, one :class:`Reading` each, in their order; spans are offsets into the sentence.

        Args:
            advance: called with the number of sentences just read.
            known_causal: find the relations of every sentence, also of those the model does not take to be causal:
                the task of RECESS, section 4.2. The probabilities stay the model's.
            known_counterfactual: find antecedent and consequent of every sentence: SemEval-2020 Task 5, subtask 2.
            floor: how likely, in a sentence that says one relation, a second and a third must be; with 0 all that
                there is room for are listed, most probable first, as the scorer of RECESS wants them.
            mentions: tell of the sentence, and of each cause and effect, which event it mentions and how; and of each
                relation asserted whether it is worth a link.

        Raises:
            ModelError: mentions are asked for, and the model has no heads for them.
        """
        heads = self.mention_heads if mentions else None
        outputs = ["sentence", "tokens", self.model.hidden] if heads else ["sentence", "tokens"]
        signal = self.model.config["calibration"].get("signal", IDENTITY)
        readings: dict[int, Reading] = {}
        for batch in self.model.run(sentences, outputs):
            probabilities = self._probabilities(np.stack(batch.outputs["sentence"]))
            for row, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
                causal, imagined, denial = map(float, probabilities[row, [CAUSAL, COUNTERFACTUAL, DENIAL]])
                text, offsets = sentence_case(sentences[number]), encoding.offsets[1:-1]
                uncalibrated = batch.outputs["tokens"][row][1 : len(offsets) + 1]
                tokens = calibrated_signals(uncalibrated, signal)
                relations: tuple[CausalRelation, ...] = ()
                marked: dict[tuple[Span, Span], tuple[Span, ...]] = {}
                denials: tuple[CausalRelation, ...] = ()
                rivals: tuple[CausalRelation, ...] = ()
                parts: tuple[Span | None, Span | None] = (None, None)
                if offsets and (known_causal or causal >= DECISION_THRESHOLD or denial >= DECISION_THRESHOLD):
                    present, denied = probabilities[row, PRESENT], probabilities[row, DENIED]
                    by_slot = {
                        slot: asserted_side(text, one)
                        for slot, one in relations_by_slot(
                            tokens, offsets, text, present, denied, floor=floor
                        ).items()
                    }
                    found = sorted(by_slot.values(), key=lambda one: -one.probability)
                    relations, denials = map(
                        self._calibrated,
                        _by_sign(found, causal, denial, known_causal=known_causal),
                    )
                    relations, denials = with_denied_sides(text, relations, denials)
                    marked = {
                        (one.cause, one.effect): signals_in_slot(uncalibrated, slot, offsets, text)
                        for slot, one in by_slot.items()
                    }
                if offsets and n_best:
                    rivals = n_best_relations(tokens, offsets, text, probabilities[row, PRESENT], n_best)
                    rivals = self._calibrated(replace(one, probability=causal * one.probability) for one in rivals)
                if offsets and (known_counterfactual or imagined >= DECISION_THRESHOLD):
                    parts = decode_parts(tokens, batch.outputs["tokens"][row][0], offsets, text)
                reading = Reading(causal, relations, imagined, *parts, denial, denials, rivals)
                if heads:
                    whole, *states = batch.outputs[self.model.hidden][row][: len(offsets) + 1]
                    logits = batch.outputs["sentence"][row]
                    seen = SentenceStates(text, offsets, np.array(states), whole, logits, causal)
                    reading = _with_mentions(reading, heads, seen, marked)
                readings[number] = reading
            if advance:
                advance(len(batch.numbers))
        return [readings[number] for number in range(len(sentences))]

    @cached_property
    def mention_heads(self) -> MentionHeads:
        """The heads that tell of mentions.

        Raises:
            ModelError: the model has none.
        """
        if not self.model.hidden:
            raise ModelError(
                "no heads for mentions",
                where=str(self.model.folder),
                hint="config.json names no 'hidden' tensor; whywire-lab's recipe train_mentions makes the heads",
            )
        return MentionHeads.from_folder(self.model.folder)

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability that two mentions are of one event, from their vectors' cosine (-1 to 1)."""
        return calibrated(cosines, self.model.config["calibration"]["mention_same_event"])

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`same_event_by_cosine` reaches this probability (between 0 and 1)."""
        fitted = self.model.config["calibration"]["mention_same_event"]
        return float((log_odds(np.array(probability)) - fitted["shift"]) / fitted["scale"])

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        probabilities = probabilities_of(logits)
        for name, place in QUESTIONS.items():
            probabilities[:, place] = calibrated(logits[:, place], self.model.config["calibration"][name])
        return probabilities

    def _calibrated(self, relations: Iterable[CausalRelation]) -> tuple[CausalRelation, ...]:
        """The relations with calibrated probabilities."""
        fitted = self.model.config["calibration"]["relation"]
        return tuple(
            replace(one, probability=float(calibrated(log_odds(one.probability), fitted))) for one in relations
        )


def _by_sign(
    found: Sequence[CausalRelation], causal: float, denial: float, *, known_causal: bool
) -> tuple[tuple[CausalRelation, ...], tuple[CausalRelation, ...]]:
    """The relations asserted and those denied: by the sentence where it says one kind, else each by its own sign."""
    if known_causal or denial < DECISION_THRESHOLD:
        asserted, denied = list(found), []
    elif causal < DECISION_THRESHOLD:
        asserted, denied = [], list(found)
    else:
        asserted = [relation for relation in found if not relation.denied]
        denied = [relation for relation in found if relation.denied]
    return (
        tuple(replace(relation, denied=False, probability=causal * relation.probability) for relation in asserted),
        tuple(replace(relation, denied=True, probability=denial * relation.probability) for relation in denied),
    )


def _with_mentions(
    reading: Reading,
    heads: MentionHeads,
    states: SentenceStates,
    marked: Mapping[tuple[Span, Span], tuple[Span, ...]],
) -> Reading:
    """The reading with its mentions, each span once, and what links its relations are worth.

    Args:
        marked: by cause and effect, the signals of uncalibrated log-odds, from which the heads learnt.
    """
    relations = tuple(
        replace(one, edge=heads.edge(states, replace(one, signals=marked[one.cause, one.effect])))
        for one in reading.relations
    )
    arguments = [span for one in (*relations, *reading.denials) for span in (one.cause, one.effect)]
    absent = {one.effect for one in relations if effect_is_absent(states.text, one.cause, one.effect)}
    mentions = (
        heads.mention(states, span, absent=span in absent)
        for span in dict.fromkeys([(0, len(states.text)), *segments(states.text), *arguments])
    )
    return replace(reading, relations=relations, mentions=tuple(mentions))
