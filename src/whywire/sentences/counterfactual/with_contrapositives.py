"""Adds to English counterfactuals that the model found what grammar tells: their form and their contrapositive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whywire.sentences.counterfactual.contrapositive import contrapositives
from whywire.sentences.counterfactual.forms import match_forms
from whywire.sentences.counterfactual.grammar import versions
from whywire.sentences.reading import Reading


def with_contrapositives(sentences: Sequence[str], readings: Sequence[Reading]) -> list[Reading]:
    """The readings, with ``form`` and ``contrapositive`` where a sentence imagines something and has one.

    Without the extra ``grammar``, or an English pipeline for it, they come back as they are.
    """
    found = list(readings)
    told = [
        (number, sentence, reading.antecedent, reading.consequent)
        for number, (sentence, reading) in enumerate(zip(sentences, readings, strict=True))
        if reading.antecedent is not None
    ]
    if not told or not versions():
        return found
    turned = contrapositives([(sentence, antecedent, consequent) for _, sentence, antecedent, consequent in told])
    matches = match_forms([sentence for _, sentence, _, _ in told])
    for (number, *_), sentence, match in zip(told, turned, matches, strict=True):
        form = match.form if match else None
        found[number] = replace(found[number], form=form, contrapositive=sentence)
    return found
