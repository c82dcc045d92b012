"""Titles of articles that take a report back, and sentences that quote what they correct."""

import pytest

from whywire.news.withdrawals import (
    is_retraction,
    is_taken_back,
    is_withdrawn,
    says_untrue,
    takes_back,
    tells_of_error,
    without_mark,
    without_verdict,
)


@pytest.mark.parametrize(
    ("title", "retraction", "back"),
    [
        ("RETRACTED: Lightning caused fire", True, True),
        ("[Withdrawn] Storm sank ferry", True, True),
        ("Опровержение: молния вызвала пожар", True, True),
        ("[Updated: story withdrawn] Lightning caused fire", True, True),
        ("Молния вызвала пожар (материал отозван)", True, True),
        ("Candidate withdraws from poll (photo)", False, False),
        ("Correction: Refinery fire", False, True),
        ("Исправление: пожар на заводе", False, True),
        ("Police retract statement on the fire", False, False),
        ("Correction in oil prices hits Norland", False, False),
        ("Отозван посол Норланда", False, False),
        ("Withdrawn article: Lightning caused fire", True, True),
        ("This story has been retracted: Lightning caused fire", True, True),
        ("Post retracts story on the fire", True, True),
        ("Редакция отзывает материал о пожаре", True, True),
        ("Удалено. Пожар на заводе", True, True),
        ("Removed: the last obstacle to peace", False, False),
        ("Killed: two men in Tarn", False, False),
        ("Retracted landing gear blamed for crash", False, False),
        ("Drug withdrawn from market", False, False),
    ],
)
def test_titles(title: str, retraction: bool, back: bool) -> None:
    assert is_retraction(title) is retraction
    assert takes_back(title) is back


@pytest.mark.parametrize(
    ("title", "sentence", "quotes"),
    [
        ("Correction: fire", "An article on Monday said that lightning caused the fire.", True),
        ("Refinery fire", "An article on Monday said that lightning caused the fire.", False),
        ("Refinery fire", "An earlier version of this article said lightning caused the fire.", True),
        ("Correction: fire", "The fire was caused by a faulty valve.", False),
        ("Исправление: пожар", "В понедельник сообщалось, что пожар вызвала молния.", True),
        ("Пожар на заводе", "Ранее сообщалось, что пожар вызвала молния.", False),
        ("Пожар на заводе", "В предыдущей версии текста пожар объяснялся молнией.", True),
    ],
)
def test_sentences_that_quote_what_is_corrected(title: str, sentence: str, quotes: bool) -> None:
    assert is_taken_back(title, sentence, "") is quotes


@pytest.mark.parametrize("mark", ["RETRACTED: ", "Correction — ", "Опровержение: ", "", "Retracted plans "])
def test_without_its_mark_a_title_keeps_its_offsets(mark):
    title = f"{mark}Rats caused the blackout"
    bare = without_mark(title)
    assert len(bare) == len(title)
    assert bare.strip() == (title if mark == "Retracted plans " else "Rats caused the blackout")


@pytest.mark.parametrize(
    ("sentence", "following"),
    [
        ("We wrote that a leak caused the fire in Tarn.", "That was false."),
        ("The Post said that wolves killed the sheep.", "The report was wrong."),
        ("On Tuesday this site said heavy rain caused the collapse.", "It did not."),
        ("A blogger claimed that the vaccine caused the deaths.", "The claim is unfounded."),
        ("We said the crash was caused by ice, which was incorrect.", ""),
        ("We wrongly reported that a storm caused the outage.", ""),
        ("An earlier version of this story said ice caused the crash.", "The cause is not known."),
        ("Rumours said that sabotage caused the crash; this turned out to be false.", ""),
        ("Ранее мы сообщали, что поджог вызвал пожар.", "Это не соответствует действительности."),
        ("Мы писали, что авария произошла из-за гололёда.", "Это оказалось неправдой."),
        ("Сообщалось, что дым привёл к эвакуации, но это не так.", ""),
        ("Редакция ошибочно сообщила, что взрыв вызвала утечка газа.", ""),
        ("Издание сообщило, что обвал вызвали дожди.", "Данная информация оказалась ложной."),
        ("В первоначальной версии текста говорилось, что пожар вызвала молния.", ""),
        ("Ранее мы написали, что завод закрыли из-за долгов.", "Это ошибка, приносим извинения."),
        ("We reported that rust caused the collapse.", "In fact, a barge caused the collapse."),
        ("Ранее мы писали, что поджог вызвал пожар.", "В действительности пожар произошёл из-за молнии."),
        ("The claim that fluoride caused the illness is false, doctors said.", ""),
        ("It is not true that rats caused the blackout.", ""),
        ("Информация о том, что вакцина вызвала судороги, не соответствует действительности.", ""),
        ("Неправда, что отключение газа вызвало взрыв.", ""),
    ],
)
def test_what_is_said_and_then_said_to_be_untrue_is_taken_back(sentence: str, following: str) -> None:
    assert is_taken_back("Fire in Tarn", sentence, following)


@pytest.mark.parametrize(
    ("sentence", "following"),
    [
        ("We reported on Monday that a leak caused the fire.", "Police have now confirmed this."),
        ("The leak caused the fire.", "It was wrong to store gas there, a witness said."),
        ("A storm caused the outage.", "It was not the first time."),
        ("The quake caused panic.", "This is not the case in the south, where people stayed calm."),
        ("Heavy rain caused the flood.", "That is false economy, critics of the dam said."),
        ("The report said ice caused the crash.", "The report was published on Monday."),
        ("Wrong parts caused the crash.", ""),
        ("He was falsely accused of arson because of a rumour.", ""),
        ("Ранее сообщалось, что поджог вызвал пожар.", "Полиция задержала подозреваемого."),
        ("Дожди вызвали обвал.", "Это не первый случай в районе."),
        ("Авария произошла из-за ошибки водителя.", "Сведения о пострадавших уточняются."),
        ("We reported that ice caused the crash.", "In fact, it was the third crash of the year."),
        ("Ice caused the crash.", "In fact, ice caused three crashes."),
        ("We reported that ice caused the crash.", "In fact, police confirmed that ice caused it."),
        ("The report that ice caused the crash is out.", ""),
        ("The claim that ice caused the crash is false economy.", ""),
        ("Информация о том, что взрыв вызвала утечка газа, проверяется.", ""),
    ],
)
def test_what_is_confirmed_or_judged_is_not_taken_back(sentence: str, following: str) -> None:
    assert not is_taken_back("Fire in Tarn", sentence, following)


@pytest.mark.parametrize(
    ("text", "withdrawn"),
    [
        ("Editor's note: this article has been removed because it did not meet our standards.", True),
        ("We have withdrawn this story.", True),
        ("The Harbour Post has retracted this article.", True),
        ("We apologise: this report has been retracted in full.", True),
        ("Материал удалён, так как не отвечает стандартам редакции.", True),
        ("Редакция отозвала эту публикацию.", True),
        ("Статья снята с публикации.", True),
        ("This article was first published in May.", False),
        ("This story was removed from Facebook, the minister said.", False),
        ("The drug has been withdrawn from the market.", False),
        ("The minister withdrew this bill; we removed the tank.", False),
        ("Материал снят на телефон очевидца.", False),
    ],
)
def test_a_note_that_withdraws_an_article(text: str, withdrawn: bool) -> None:
    assert is_withdrawn("Fire in Tarn", text) is withdrawn


@pytest.mark.parametrize(
    ("sentence", "report"),
    [
        ("The claim that rats caused the blackout is false, police said.", "rats caused the blackout , police said."),
        ("Reports that a leak led to the blast were wrong", "a leak led to the blast"),
        ("It is not true that rats caused the blackout.", "rats caused the blackout."),
        ("Информация о том, что вакцина вызвала сыпь, не соответствует действительности", "вакцина вызвала сыпь"),
        ("Слухи, что пожар вызвала молния, — ложь.", "пожар вызвала молния ."),
        ("Rats caused the blackout.", "Rats caused the blackout."),
        ("The claim that rats caused the blackout is new.", "The claim that rats caused the blackout is new."),
    ],
)
def test_without_its_verdict_a_report_is_read_at_its_place(sentence: str, report: str) -> None:
    bare = without_verdict(sentence)
    assert len(bare) == len(sentence)
    assert " ".join(bare.split()) == report
    assert all(kept in (" ", given) for kept, given in zip(bare, sentence, strict=True))
    assert says_untrue(sentence) is (bare != sentence)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("an article on Monday misstated the cause of the fire", True),
        ("the paper wrongly reported the toll", True),
        ("a report gave the wrong reason for the closure", True),
        ("в тексте была допущена ошибка", True),
        ("the paper reported the toll", False),
        ("the fire in Tarn", False),
    ],
)
def test_why_a_report_was_wrong_is_not_what_it_said(words: str, error: bool) -> None:
    assert tells_of_error(words) is error
