"""What "that quake" stands for, by what its article tells before."""

from dataclasses import replace

import numpy as np
import pytest

from whywire.sentences.reading import CausalRelation, MentionReading, Reading
from whywire.sentences.references import in_context


def sentence(text: str, *mentions: str, number: int = 0) -> tuple[str, Reading]:
    """A sentence that happened, with its mentions: vectors of its own for the whole and each of them."""
    spans = [*dict.fromkeys([(0, len(text)), *((at := text.index(one), at + len(one)) for one in mentions)])]
    read = (
        MentionReading(span, np.eye(64, dtype=np.float32)[number * 4 + at], 0.9, 0.0, 0.9)
        for at, span in enumerate(spans)
    )
    relation = [CausalRelation(spans[1], spans[2], edge=0.8)] if len(spans) > 2 else []
    return text, Reading(0.9, tuple(relation), 0.0, mentions=tuple(read))


def of(told: list[str], text: str, phrase: str, effect: str) -> tuple[Reading, list[tuple[str, Reading]]]:
    earlier = [sentence(one, one.rstrip("."), number=number) for number, one in enumerate(told)]
    return in_context(sentence(text, phrase, effect, number=9)[1], text, earlier), earlier


RESUMED = [
    (["Quake in Lorn", "A quake hit Lorn."], "That led to floods.", "That", "floods", 1),
    (["Quake in Lorn"], "As a result, roads were shut.", "As a result", "roads", 0),
    (["Мост рухнул", "Мост в Ревде рухнул."], "Из-за этого закрыли трассу.", "этого", "трассу", 1),
    (["Quake in Lorn", "A quake hit Lorn."], "That quake killed nine.", "That quake", "killed", 1),
    (["Court bans union", "A court banned a union."], "That ruling set off riots.", "That ruling", "riots", 1),
    (["Ruling in Olm", "A court banned a party."], "That ruling set off riots.", "That ruling", "riots", 0),
    (
        ["Quake in Lorn", "A quake hit Lorn.", "Rain fell."],
        "This strong quake split roads.",
        "strong quake",
        "roads",
        1,
    ),
    (["Мост закрыли", "Мост в Ревде закрыли."], "Это решение вызвало пробки.", "Это решение", "пробки", 1),
    (["Налёт на порт", "Порт обстреляли."], "Тот налёт на порт вызвал пожар.", "Тот налёт на порт", "пожар", 0),
    (["Порт горит", "Дрон нанёс удар.", "Ветер стих."], "Этот удар вызвал пожар.", "удар", "пожар", 1),
    (["The 2010 quake", "A quake hit in 2010."], "That quake in 2010 split roads.", "That quake in 2010", "roads", 1),
    (["Quake in Peru", "A quake hit Peru."], "That quake led to floods in Chile.", "That quake", "floods", 1),
]
ELSEWHERE = [
    ([], "That led to floods.", "That", "floods"),
    ([], "В результате закрыли трассу.", "В результате", "трассу"),
    ([], "That quake killed nine.", "That quake", "nine"),
    (["Norland in the news"], "That quake killed nine.", "That quake", "nine"),
    (["Quake in Lorn"], "That quake, in 2010, killed nine.", "That quake", "nine"),
    (
        ["Quake in Lorn", "A quake hit Lorn.", "It beat the quake of 1999."],
        "That quake killed nine.",
        "quake",
        "nine",
    ),
    (["Quake in Lorn"], "That quake killed nine people ten years ago.", "That quake", "nine"),
    (["Quake in Peru"], "That quake, near Tokyo, killed nine.", "That quake", "nine"),
    (["Quake in Peru", "In May a quake struck in Chile."], "That quake killed nine.", "That quake", "nine"),
    (["Пожар в Лугах"], "Тот пожар в 2015 году погубил рынок.", "Тот пожар в 2015 году", "рынок"),
    (["Пожар в Лугах"], "То возгорание 20 лет назад погубило рынок.", "возгорание", "рынок"),
]


@pytest.mark.parametrize(("told", "text", "phrase", "effect", "place"), RESUMED)
def test_a_demonstrative_stands_for_what_was_told(told, text, phrase, effect, place):
    reading, earlier = of(told, text, phrase, effect)
    _, found, other = reading.mentions
    assert (found.vector == earlier[place][1].mentions[-1].vector).all()
    assert found.actual == 0.9
    assert (other.vector == sentence(text, phrase, effect, number=9)[1].mentions[2].vector).all()
    assert reading.relations[0].edge == 0.8


@pytest.mark.parametrize(("told", "text", "phrase", "effect"), ELSEWHERE)
def test_one_that_points_to_another_time_or_place_names_no_event(told, text, phrase, effect):
    reading, _ = of(told, text, phrase, effect)
    assert reading.mentions[1].actual == 0
    assert reading.mentions[2].actual == 0.9
    assert reading.relations[0].edge == 0


@pytest.mark.parametrize(
    ("text", "phrase", "effect"),
    [
        ("He said that quake split roads.", "quake", "roads"),
        ("This quake split roads in 2010.", "This quake", "roads"),
        ("The quake split roads.", "The quake", "roads"),
        ("It led to floods.", "It", "floods"),
        ("Он сказал, что удар вызвал пожар.", "удар", "пожар"),
    ],
)
def test_other_words_stay_as_they_are(text, phrase, effect):
    before = sentence(text, phrase, effect)[1]
    after = in_context(before, text, [])
    assert after == before
    for old, new in zip(before.mentions, after.mentions, strict=True):
        assert new is old


def test_this_stands_for_the_effect_of_the_sentence_before_and_for_none_of_several_things():
    text = "This led to floods."
    this = sentence(text, "This", "floods", number=9)[1]
    of_relation = sentence("Rain burst a dam.", "Rain", "burst a dam")
    assert (in_context(this, text, [of_relation]).mentions[1].vector == of_relation[1].mentions[2].vector).all()
    of_two = "A dam burst, and a mayor quit.", replace(of_relation[1], relations=())
    assert in_context(this, text, [of_two]).relations[0].edge == 0
