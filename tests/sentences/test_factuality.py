"""What a sentence does not say to have happened: its sense, and that its effect is no event."""

import pytest

from whywire.sentences.signals import Sense, averts, effect_is_absent, unreal_sense

P, M, C, S = Sense.PREVENTION, Sense.POSSIBILITY, Sense.CORRELATION, Sense.CONDITION


def spans(marked: str) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """The text without its marks, the cause in ``[]`` and the effect in ``{}``."""
    text = marked.translate({ord(mark): None for mark in "[]{}"})

    def span(opening: str, closing: str) -> tuple[int, int]:
        start = len(marked[: marked.index(opening)].translate({ord(mark): None for mark in "[]{}"}))
        return start, start + len(marked[marked.index(opening) + 1 : marked.index(closing)])

    return text, span("[", "]"), span("{", "}")


@pytest.mark.parametrize(
    ("marked", "sense"),
    [
        ("[The vaccine] prevented {2,000 deaths}.", P),
        ("{A crash} was avoided thanks to [a signalman].", P),
        ("{Tarn was spared a blackout} thanks to [a spare line].", P),
        ("[Rain] kept {the fire} from spreading.", P),
        ("[The dyke] spared {the village from a flood}.", P),
        ("[Прививки] предотвратили {эпидемию}.", P),
        ("[Дамба] не допустила {затопления}.", P),
        ("{Город избежал блэкаута} благодаря [запасной линии].", P),
        ("Врачи спасли {больных} от [гибели].", P),
        ("[The fire] nearly caused {an outage}.", M),
        ("[The leak] could have triggered {a blast}.", M),
        ("[The leak] failed to trigger {a blast}.", M),
        ("[The strike] may lead to {shortages}.", M),
        ("[The drought] threatens to cause {famine}.", M),
        ("{The match could be moved} because of [the storm].", M),
        ("[Пожар] едва не привёл к {блэкауту}.", M),
        ("[Утечка] могла вызвать {взрыв}.", M),
        ("[Засуха] грозит обернуться {голодом}.", M),
        ("[Sugar] is linked to {diabetes}.", C),
        ("[Income] correlates with {health}.", C),
        ("[Курение] тесно связано с {болезнями сердца}.", C),
        ("If [rates rise], {prices will fall}.", S),
        ("Without [the dam] {the town would have flooded}.", S),
        ("В случае [прорыва дамбы] {затопит посёлки}.", S),
    ],
)
def test_what_is_not_said_to_have_happened(marked: str, sense: Sense) -> None:
    assert unreal_sense(*spans(marked)) is sense


@pytest.mark.parametrize(
    "marked",
    [
        "[The fire] caused {an outage}.",
        "[Lightning] killed {almost 200 sheep}.",
        "[The failure to prevent the leak] led to {the director's dismissal}.",
        "[Fog] meant that {trains could not run}.",
        "[The ruling] prompted {speculation that the mayor might resign}.",
        "{The player threatens to quit} over [the ban].",
        "[The blast of May] led to {an inquiry}.",
        "[Авария] вызвала {пробки}.",
        "[Жара] привела к {гибели почти ста человек}.",
    ],
)
def test_what_happened_stays(marked: str) -> None:
    assert unreal_sense(*spans(marked)) is None


@pytest.mark.parametrize(
    ("marked", "absent"),
    [
        ("[The vaccine] prevented {2,000 deaths}.", True),
        ("[Пожар] едва не вызвал {взрыв}.", True),
        ("[The wave] {nearly sank the ferry}.", False),
        ("{The ferry nearly sank} because of [the wave].", False),
        ("[The outage] is linked to {the storm}.", False),
    ],
)
def test_an_effect_whose_words_alone_would_say_too_much(marked: str, absent: bool) -> None:
    assert effect_is_absent(*spans(marked)) is absent


@pytest.mark.parametrize(
    ("marked", "averted"),
    [
        ("[Утечка] едва не привела к {взрыву}.", True),
        ("[Шторм] чуть было не потопил {паром}.", True),
        ("[Субсидия] не дала {заводу закрыться}.", True),
        ("[Пожарные] не допустили {взрыва}.", True),
        ("[The dyke] prevented {a flood}.", True),
        ("[The wave] nearly caused {a wreck}.", True),
        ("[Слух] не вызвал {паники}.", False),
        ("[Дамба] не предотвратила {паводок}.", False),
        ("[The dyke] did not prevent {a flood}.", False),
        ("[The rumour] failed to trigger {a bank run}.", False),
        ("[Ice] was not the cause of {the crash}.", False),
    ],
)
def test_what_was_averted_is_told_from_what_is_denied(marked: str, averted: bool) -> None:
    assert averts(*spans(marked)) is averted
