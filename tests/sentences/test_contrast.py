"""What a sentence says in the place of what it denies."""

import pytest

from whywire.sentences.contrast import asserted_side, contrasts, with_denied_sides
from whywire.sentences.reading import CausalRelation


def relation(text: str, cause: str, effect: str) -> CausalRelation:
    spans = [(text.index(words), text.index(words) + len(words)) for words in (cause, effect)]
    return CausalRelation(spans[0], spans[1], (), 0.9)


@pytest.mark.parametrize(
    ("text", "cause", "effect", "asserted", "denied"),
    [
        ("Bomb, not leak, caused blast", "Bomb, not leak", "blast", "Bomb", "leak"),
        ("Bomb, not leak, caused blast", "Bomb", "blast", "Bomb", "leak"),
        ("Bomb, not leak, caused blast", "leak", "blast", "Bomb", "leak"),
        ("The blast was caused by a bomb, not a leak.", "a bomb", "The blast", "a bomb", "a leak"),
        ("The crash was caused by ice rather than fog.", "ice rather than fog", "The crash", "ice", "fog"),
        ("Поджог, а не молния, вызвал пожар", "не молния", "пожар", "Поджог", "молния"),
        ("Пожар произошёл из-за поджога, а не молнии.", "поджога", "Пожар", "поджога", "молнии"),
        ("The strike, not only in ports, caused delays", "The strike", "delays", "The strike", None),
        ("The strike, not seen for years, caused delays", "The strike", "delays", "The strike", None),
        ("Дождь, который не ждали, вызвал паводок", "Дождь", "паводок", "Дождь", None),
    ],
)
def test_the_asserted_side_stays_and_the_other_is_denied(
    text: str, cause: str, effect: str, asserted: str, denied: str | None
) -> None:
    kept, denials = with_denied_sides(text, [asserted_side(text, relation(text, cause, effect))], [])
    assert [text[slice(*one.cause)] for one in kept] == [asserted]
    if denied is not None:
        assert [text[slice(*one.cause)] for one in denials] == [denied]
        assert all(one.denied for one in denials)
        assert contrasts(text)


def test_a_relation_of_the_denied_side_alone_is_a_denial() -> None:
    text = "The blast was caused by a bomb, not a leak."
    relations = [relation(text, "a bomb", "The blast"), relation(text, "a leak", "The blast")]
    kept, denials = with_denied_sides(text, [asserted_side(text, one) for one in relations], [])
    assert [text[slice(*one.cause)] for one in kept] == ["a bomb"]
    assert [text[slice(*one.cause)] for one in denials] == ["a leak"]
