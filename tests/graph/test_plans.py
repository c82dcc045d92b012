"""What is a plan that lies ahead, and what is a hope, an opinion, a need, or past."""

from datetime import date

import pytest

from whywire.elements import Event, EventTime, Precision
from whywire.graph.passages import Passage
from whywire.graph.plans import is_dated, is_plan
from whywire.news import Language


def planned(words, when=None):
    return Event("e0", words, Language.ENGLISH, None, None, ("a",), planned=True, when=when)


def passage(sentence):
    """A sentence whose words between brackets are the event's; all of it without brackets."""
    before, _, rest = sentence.partition("[")
    words, _, after = rest.partition("]")
    pieces = [[before, ""], [words, "mention"], [after, ""]] if rest else [[sentence, ""]]
    return Passage("a", "text", (0, 1), pieces)


def tells_a_plan(sentence, when=None):
    words = sentence.partition("[")[2].partition("]")[0] or sentence
    return is_plan(planned(words, when), passage(sentence), date(2026, 5, 3))


@pytest.mark.parametrize(
    "sentence",
    [
        "The council of Tarn will open the quay on 9 May.",
        "The ferry union is to meet on Monday.",
        "[The final is set for 8 August], but one match may be played earlier.",
        "Мост в Орлене откроют 9 мая.",
        "[Финал намечен на 8 августа], однако один матч может пройти раньше.",
        "[Состав должен быть утверждён 12 мая].",
    ],
)
def test_what_is_decided_is_a_plan(sentence):
    assert tells_a_plan(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Marr hopes the quay will open soon.",
        "The captain feels that crossings will be safer.",
        "The mayor said the bridge should be closed.",
        "The cables need to be replaced.",
        "A strike is likely to follow.",
        "[The ferry will sail], if the storm ends.",
        "The dam was due to open in March but was postponed.",
        "The council is considering [a second bridge].",
        "Мэр надеется, что мост скоро откроют.",
        "Вероятность забастовки повышает спор о зарплате.",
        "Ещё нужно проверить тросы.",
        "Матчи должны были пройти в марте, но их отложили.",
        "Рассматривается вариант, что [паром пойдёт 5 августа].",
        "[Всё должно быть по закону].",
    ],
)
def test_hopes_opinions_needs_and_what_was_to_be_are_none(sentence):
    assert not tells_a_plan(sentence)


def test_what_is_past_or_done_lies_not_ahead():
    sentence = "The council of Tarn opens the quay."
    for end, ahead in ((date(2026, 5, 2), False), (date(2026, 5, 9), True)):
        when = EventTime(end.replace(day=1), end, Precision.DAY, "a", "text", (0, 1), "then")
        assert tells_a_plan(sentence, when) is ahead
    done = Event("e0", sentence, Language.ENGLISH, None, None, ("a",))
    assert not is_plan(done, passage(sentence), None)


@pytest.mark.parametrize(
    ("words", "dated"),
    [("the final on 8 August", True), ("финал 8 августа", True), ("the quay opens soon", False), ("8 marks", False)],
)
def test_a_date_among_the_words_dates_an_event(words, dated):
    assert is_dated(planned(words)) is dated
