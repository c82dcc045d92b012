"""Kind and sense of a signal, told from sentences with the cause in brackets and the signal in braces."""

import re

import pytest

from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import Sense, SignalKind, signal_of


def relation_in(marked):
    """Read ``[cause]`` and ``{signal}``; the rest is the effect."""
    text, spans, opened = "", {"[": [], "{": []}, []
    for piece in re.split(r"([\[\]{}])", marked):
        if piece in ("[", "{"):
            opened.append((piece, len(text)))
        elif piece in ("]", "}"):
            name, start = opened.pop()
            spans[name].append((start, len(text)))
        else:
            text += piece
    return text, CausalRelation(spans["["][0], (0, 1), tuple(spans["{"]))


@pytest.mark.parametrize(
    ("marked", "kind", "sense"),
    [
        ("Trains stopped {because} [drivers were ill].", SignalKind.CONNECTIVE, Sense.CAUSE),
        ("Trains stopped {only because of} [the snow].", SignalKind.CONNECTIVE, Sense.CAUSE),
        ("[The snow] {brought} trains {to a halt}.", SignalKind.ALTERNATIVE, Sense.CAUSE),
        ("[The snow] {led to} long delays.", SignalKind.ALTERNATIVE, Sense.CAUSE),
        ("Trains stood still, [the points frozen].", SignalKind.IMPLICIT, Sense.CAUSE),
        ("Drivers walked out {to} [press for higher pay].", SignalKind.CONNECTIVE, Sense.PURPOSE),
        ("Drivers walked out {in a bid to} [win higher pay].", SignalKind.ALTERNATIVE, Sense.PURPOSE),
        ("Drivers walked out [to win higher pay].", SignalKind.IMPLICIT, Sense.PURPOSE),
        ("Drivers walked out, {demanding} [higher pay].", SignalKind.ALTERNATIVE, Sense.PURPOSE),
        ("{If} [the dam breaks], {then} the valley floods.", SignalKind.CONNECTIVE, Sense.CONDITION),
        ("The strike goes on {unless} [the firm gives way].", SignalKind.CONNECTIVE, Sense.NEGATIVE_CONDITION),
        ("Поезда встали {из-за} [снегопада].", SignalKind.CONNECTIVE, Sense.CAUSE),
        ("[Снегопад] {вызвал} задержки поездов.", SignalKind.ALTERNATIVE, Sense.CAUSE),
        ("Рабочие бастуют, {чтобы} [добиться прибавки].", SignalKind.CONNECTIVE, Sense.PURPOSE),
        ("{Если} [плотина рухнет], долину затопит.", SignalKind.CONNECTIVE, Sense.CONDITION),
        ("Trains ran {despite} [the snow].", SignalKind.CONNECTIVE, Sense.CONCESSION),
        ("Поезда шли {несмотря на} [снегопад].", SignalKind.CONNECTIVE, Sense.CONCESSION),
    ],
)
def test_signals(marked, kind, sense):
    signal = signal_of(*relation_in(marked))
    assert (signal.kind, signal.sense) == (kind, sense)
