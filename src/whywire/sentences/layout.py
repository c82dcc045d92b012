"""How the sentence model lays out its outputs; training writes it, reading reads it."""

from __future__ import annotations

SLOTS = 3
"""Relations a sentence can carry; 11 of RECESS's 1,624 causal training sentences have more."""

CAUSAL, COUNTERFACTUAL, DENIAL = 0, 1, 2
"""Columns of the ``sentence`` output: it claims a cause, it imagines what did not happen, it denies a cause."""

QUESTIONS = {"causal": CAUSAL, "counterfactual": COUNTERFACTUAL, "denial": DENIAL}

PRESENT = slice(3, 3 + SLOTS)
DENIED = slice(PRESENT.stop, PRESENT.stop + SLOTS)
"""The columns that follow, one a slot each: there is a relation in it; that relation is denied."""

SENTENCE_WIDTH = DENIED.stop

CAUSE, EFFECT, SIGNAL = (0, 1), (2, 3), 4
"""Columns of a slot in the ``tokens`` output: first and last token of cause and effect; part of the signal."""

SLOT_WIDTH = 5
SIGNALS = slice(SIGNAL, SLOTS * SLOT_WIDTH, SLOT_WIDTH)
"""The columns of all slots that say *part of the signal*."""

ANTECEDENT = (SLOTS * SLOT_WIDTH, SLOTS * SLOT_WIDTH + 1)
CONSEQUENT = (SLOTS * SLOT_WIDTH + 2, SLOTS * SLOT_WIDTH + 3)
TOKEN_WIDTH = SLOTS * SLOT_WIDTH + 4
