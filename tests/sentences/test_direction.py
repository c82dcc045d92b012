"""Arrows that a connective turns, and arrows that stay as the model drew them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.sentences.direction import CONNECTIVES, directed

CAUSE_FIRST = [
    "[Паром сел на мель], поэтому {рейсы на остров отменены}.",
    "[Насос сгорел], из-за чего {в больнице нет воды}.",
    "Пришёл [циклон], в результате которого {порт закрыт}.",
    "[Балка треснула], отчего {рухнул потолок}.",
    "[Ставку подняли], что привело к {падению продаж}.",
    "[Ставку подняли], чем вызвали {протесты}.",
    "[Цена меди рухнула], приведя к {увольнениям}.",
    "[Взорвался котёл], став причиной {гибели кочегара}.",
    "[Обвал] привёл, по данным МЧС, к {закрытию рудника}.",
    "[Шторм] стал главной причиной {отмены регаты}.",
    "Следствием [запрета] стал {рост контрабанды}.",
    "[Замок] сломан, а значит, {гараж пуст}.",
    "[Размытая насыпь] — главная причина {крушения}.",
    "[Неурожай] отразился на {ценах}.",
    "[Драка] обернулась {закрытием клуба}.",
    "Результатом [сделки] стало {сокращение штата}.",
    "[ЧП в тоннеле] вызвало {пробку}.",
    "[Мэй] вызвала {критику}.",
    "[Война] порождает {бедность}, а [буря] порождает {тревогу}.",
    "[The well ran dry]; therefore {tankers were sent}.",
    "[Two pilots fell ill] and, as a result, {flights were cancelled}.",
    "[The probe was lost after launch], and {insurers' shares fell} as a result.",
    "[Fog] covered the field, because of which {planes were late}.",
    "[The key was lost], which is why {nobody came in}.",
    "[Police cleared the square], which in turn triggered {riots}.",
    "[A brake pad] was officially blamed for {the crash}.",
    "[A brake pad] was the main cause of {the crash}.",
    "The upshot of [the quarrel] was {a split}.",
    "Unions blamed [the rule] for {the walkout}.",
]
EFFECT_FIRST = [
    "{Лифты стоят}, потому что [подстанция сгорела].",
    "{Завод закрыт} из-за [пожара].",
    "{Завод встал} из-за того, что [кончился уголь].",
    "{Пожар} был вызван [молнией].",
    "{Разлив}, вызванный [столкновением танкеров], ликвидируют.",
    "{Отставка тренера} стала следствием [семи поражений].",
    "Причиной {взрыва} стала [утечка газа].",
    "Главная причина {пожара} — [короткое замыкание].",
    "Толчком к {протестам} послужил [арест].",
    "{Посевы пропали}, всему виной [град].",
    "{Обвал} — следствие [подмыва берега].",
    "{Давку} объяснили [нехваткой выходов].",
    "{Давку} связывают с [нехваткой выходов].",
    "Привело к {давке} [закрытие выхода].",
    "{Матч} сорвала [гроза].",
    "{Массовую гибель рыбы}, по мнению учёных, вызвала [инфекция].",
    "{Раннее цветение} связывают с тем, что [зима была тёплой].",
    "{Дорогу} размыл [ливень].",
    "{Новый спор} повлекла за собой [ошибка].",
    "{Паника}, которую вызвала [авария], улеглась.",
    "{Неурожай} вызвала [засуха].",
    "{Flights were late} because of [the fog].",
    "{The blaze} was triggered by [lightning].",
    "{The crash} was blamed on [a brake pad].",
    "{The crash} resulted from [fog].",
    "{Copper falls} on [demand fears].",
    "{Buses stopped} on account of [a strike].",
    "{The outage} was put down to [a squirrel].",
    "Engineers put {the outage} down to [a squirrel].",
    "Engineers blamed {the outage} on [a squirrel].",
    "{The feud} grew out of [a debt].",
    "The cause of {the outage} was [a squirrel].",
    "Responsible for {the outage} was [a squirrel].",
    "{Tin jumped} amid [growing hopes of a truce].",
]
UNCERTAIN = [
    "{Президент} вызвал [министра].",
    "{Глава} вызвал [скандал].",
    "{Смерть певца} вызвала [печаль].",
    "{Мэй} вызвала [печаль].",
    "{Гостям эта победа} позволила [набрать очки].",
    "{Берег обвалился} — в результате [дорога размыта].",
    "{Бегство вкладчиков} спровоцировало [решение банка].",
    "{Мэр уйдёт}, если [проиграет суд].",
    "По словам тренера, {Роналду} радует [большой доход].",
    "За {езду без прав} водителя лишили [машины].",
    "За {быструю езду} наказал [суд].",
    "На фоне {эпидемии} прошёл [конкурс].",
    "{Кабинет} взял [Сергей].",
    "{Это упростит ввод} и [им понравится].",
    "{Осложнение}, которое вызывает [вирус], изучают.",
    "{A vote was held} on [the hopeful bill].",
    "{Sunday's storm} was followed by [an outage].",
    "{The season} ended due to a shutdown, and [plans] changed.",
    "{It rained} because clouds came in from the sea, [the fair] was moved.",
]


def spans(marked: str) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """The text, and the last spans in ``[]`` and ``{}``."""
    text, starts, found = "", {}, {}
    for piece in re.split(r"([\[\]{}])", marked):
        if piece in ("[", "{"):
            starts[{"[": "]", "{": "}"}[piece]] = len(text)
        elif piece in ("]", "}"):
            found[piece] = (starts[piece], len(text))
        else:
            text += piece
    return text, found["]"], found["}"]


@pytest.mark.parametrize("marked", [*CAUSE_FIRST, *EFFECT_FIRST])
def test_a_connective_decides_whichever_way_the_model_drew_the_arrow(marked: str) -> None:
    text, cause, effect = spans(marked)
    for drawn in ((cause, effect), (effect, cause)):
        found = directed(text, *drawn)
        assert text[slice(*cause)] in text[slice(*found[0])]
        assert found[1] == effect


@pytest.mark.parametrize("marked", UNCERTAIN)
def test_where_words_do_not_tell_the_arrow_stays(marked: str) -> None:
    text, one, other = spans(marked)
    assert directed(text, one, other) == (one, other)
    assert directed(text, other, one) == (other, one)


@pytest.mark.parametrize(
    ("marked", "cause", "effect"),
    [
        ("Мэрия подняла [плату за проезд], что вызвало {протесты}.", "Мэрия подняла плату за проезд", "протесты"),
        ("[Суд] отменил выборы, из-за {чего ушёл мэр}.", "Суд отменил выборы", "ушёл мэр"),
        ("Министр сказал, что [сырья] нет, поэтому {цех стоит}.", "сырья нет", "цех стоит"),
        ("В результате [шесть рейсов] {были отменены}.", "В результате", "шесть рейсов были отменены"),
        ("[В] результате {погибли трое}.", "В результате", "погибли трое"),
        ("В итоге [движение] {встало}.", "В итоге", "движение встало"),
        ("По этой причине [рейсы] {отменили}.", "По этой причине", "рейсы отменили"),
        ("В результате [двух взрывов] {погибли трое}.", "двух взрывов", "погибли трое"),
        ("[The pump] failed, and {the village dried up as a result}.", "The pump", "the village dried up"),
        ("Из-за [пожара] закрыт {лесной завод}.", "пожара", "закрыт лесной завод"),
        ("В результате [взрыва на складе] обрушилась {крыша}.", "взрыва на складе", "обрушилась крыша"),
        ("{Посевы} полностью уничтожены [крупным градом].", "крупным градом", "Посевы полностью уничтожены"),
        ("{Виной сбоя} стала [жара].", "жара", "сбоя"),
        ("[Шторм стал поводом] для {отмены регаты}.", "Шторм", "отмены регаты"),
    ],
)
def test_spans_are_made_whole_around_a_connective(marked: str, cause: str, effect: str) -> None:
    text, *drawn = spans(marked)
    found = directed(text, *drawn)
    assert [text[slice(*span)] for span in found] == [cause, effect]


WORDS = st.sampled_from(
    (
        "поэтому",
        "из-за",
        "чего",
        "вызвала",
        "привело",
        "к",
        ",",
        "—",
        "засуха",
        "Ёлка",
        "because",
        "of",
        "стал",
        ".",
        "as a result",
        "в результате",
        "шесть",
        "по этой причине",
        "this",
    )
)


@given(st.lists(WORDS, min_size=4, max_size=14), st.data())
def test_spans_stay_apart_and_are_never_empty(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4, unique=True)))
    first, second = (cuts[0], cuts[1]), (cuts[2], cuts[3])
    if not (text[slice(*first)].strip() and text[slice(*second)].strip()):
        return
    for drawn in ((first, second), (second, first)):
        left, right = sorted(directed(text, *drawn))
        assert 0 <= left[0] < left[1] <= right[0] < right[1] <= len(text)


def test_no_connective_is_listed_for_both_directions() -> None:
    assert len({(one.between, one.before) for one in CONNECTIVES}) == len(CONNECTIVES)
