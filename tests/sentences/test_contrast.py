"""What a sentence says in the place of what it denies."""

from dataclasses import replace

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
        ("Digging, not flooding, caused slip", "Digging, not flooding", "slip", "Digging", "flooding"),
        ("The strike, not losing momentum, caused delays", "The strike", "delays", "The strike", None),
        ("Foxes died from poison, not from rabies.", "poison", "Foxes died", "poison", "rabies"),
        ("Foxes died from poison, not from rabies.", "rabies", "Foxes died", "poison", "rabies"),
        ("Lake dried up because of a leak, not because of drought", "a leak", "Lake dried up", "a leak", "drought"),
        ("Рыба погибла из-за хлора, а не из-за мороза.", "мороза", "Рыба погибла", "хлора", "мороза"),
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


@pytest.mark.parametrize(
    ("text", "cause", "effect", "asserted", "replaced"),
    [
        ("Bird, not pilot error, brought down jet", "Bird", "jet", "Bird", "pilot error"),
        ("Падение вызвал сбой, а не обрыв троса", "сбой", "Падение", "сбой", "обрыв троса"),
        ("Falls were due to ice, not due to haste", "ice, not due to haste", "Falls", "ice", "haste"),
        ("In fact, a barge caused the collapse.", "a barge", "the collapse", "a barge", None),
        ("На самом деле падение вызвал сбой.", "сбой", "падение", "сбой", None),
        ("In fact, a barge did not cause the collapse.", "a barge", "the collapse", None, "a barge"),
        ("A barge did not cause the collapse.", "A barge", "the collapse", None, "A barge"),
        ("The fall was not due to ice, not due to haste", "ice", "The fall", None, "ice"),
    ],
)
def test_the_words_and_not_the_sign_of_the_model_tell_which_side_is_asserted(
    text: str, cause: str, effect: str, asserted: str | None, replaced: str | None
) -> None:
    found = asserted_side(text, replace(relation(text, cause, effect), denied=True))
    kept, denials = with_denied_sides(text, [], [found])
    assert [text[slice(*one.cause)] for one in kept] == [asserted] * (asserted is not None)
    assert [text[slice(*one.cause)] for one in denials] == [replaced] * (replaced is not None)
    assert not any(one.denied for one in kept)


def test_the_denied_words_end_where_the_verb_begins() -> None:
    text = "Digging rather than flooding caused the slip"
    verb = text.index("caused"), text.index("caused") + len("caused")
    found = replace(relation(text, "Digging rather than flooding", "the slip"), signals=(verb,))
    kept, denials = with_denied_sides(text, [asserted_side(text, found)], [])
    assert [text[slice(*one.cause)] for one in (*kept, *denials)] == ["Digging", "flooding"]


def test_a_denial_is_as_probable_as_the_more_probable_of_its_readings() -> None:
    text = "Foxes died from poison, not from rabies."
    likely = replace(relation(text, "rabies", "Foxes died"), probability=0.95, denied=True)
    _, denials = with_denied_sides(text, [relation(text, "poison", "Foxes died")], [likely])
    assert [one.probability for one in denials] == [0.95]


def test_a_relation_of_the_denied_side_alone_is_a_denial() -> None:
    text = "The blast was caused by a bomb, not a leak."
    relations = [relation(text, "a bomb", "The blast"), relation(text, "a leak", "The blast")]
    kept, denials = with_denied_sides(text, [asserted_side(text, one) for one in relations], [])
    assert [text[slice(*one.cause)] for one in kept] == ["a bomb"]
    assert [text[slice(*one.cause)] for one in denials] == ["a leak"]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The ferry sailed despite the storm warning.", "the storm warning", "The ferry sailed"),
        ("Even though the harbour was frozen, the ferry sailed.", "the harbour was frozen", "the ferry sailed"),
        ("Prices rose, although the harvest was good.", "the harvest was good", "Prices rose"),
        ("Паром вышел вопреки штормовому предупреждению.", "штормовому предупреждению", "Паром вышел"),
        ("Несмотря на то, что гавань замёрзла, паром вышел.", "гавань замёрзла", "паром вышел"),
        ("Цены выросли, хотя урожай был хорошим.", "урожай был хорошим", "Цены выросли"),
    ],
)
def test_a_concession_is_no_denial(text: str, cause: str, effect: str) -> None:
    assert with_denied_sides(text, [], [replace(relation(text, cause, effect), denied=True)]) == ((), ())


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("Although the storm did not cause the leak, the port closed.", "the storm", "the leak"),
        ("The mayor resigned, but the audit did not lead to it, despite the rumours.", "the audit", "it"),
        ("Хотя шторм не вызвал утечку, порт закрыли.", "шторм", "утечку"),
    ],
)
def test_what_is_denied_beside_a_concession_stays_denied(text: str, cause: str, effect: str) -> None:
    _, denials = with_denied_sides(text, [], [replace(relation(text, cause, effect), denied=True)])
    assert [(text[slice(*one.cause)], text[slice(*one.effect)]) for one in denials] == [(cause, effect)]


@pytest.mark.parametrize(
    ("text", "cause", "effect", "denied"),
    [
        ("Утечка едва не привела к взрыву.", "Утечка", "взрыву", False),
        ("Субсидия не дала заводу закрыться.", "Субсидия", "заводу закрыться", False),
        ("The wave nearly caused a wreck.", "The wave", "a wreck", False),
        ("Слух не вызвал паники.", "Слух", "паники", True),
        ("The rumour did not cause a panic.", "The rumour", "a panic", True),
    ],
)
def test_what_nearly_came_or_was_prevented_is_no_denial(text: str, cause: str, effect: str, denied: bool) -> None:
    read = replace(relation(text, cause, effect), denied=True)
    kept, denials = with_denied_sides(text, [], [read])
    assert (bool(kept), bool(denials)) == (not denied, denied)
