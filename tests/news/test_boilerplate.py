"""Sentences of a page, and sentences of a report that look like them."""

import pytest

from whywire.news.sentences import is_boilerplate, of_the_report

OF_A_PAGE = [
    "Read more: Refinery fire causes fuel shortage in Norland", "Advertisement", "Advertisement: Cheap flights",
    "Sign up for our newsletter.", "Subscribe now to read on.", "CLICK HERE FOR MORE",
    "Get your tickets before Friday!",
    "Past Summits have brought founders and investors to the stage.", "Join us at the Norland Expo in May.",
    "For the day's news in your inbox, try our weekly newsletter.", "© 2026 Harbour Post",
    "Early-bird tickets end soon.",
    "Читайте также: Из-за пожара закрыт завод", "Подписывайтесь на наш канал, чтобы не пропустить новое.", "Реклама",
    "Реклама. Скидки до 50%", "На правах рекламы", "Фото: пресс-служба", "Смотрите также", "Материалы по теме",
]  # fmt: skip
OF_A_REPORT = [
    "Readers signed up for the march because of the new law.", "Advertisement of tobacco is banned in Norland.",
    "Past storms have brought floods to the valley.", "Copyright law changed after the ruling.",
    "Tickets sold out after the singer's return.", "Early birds found the gates closed because of the strike.",
    "Реклама табака запрещена с марта.", "Читатели библиотеки вышли на пикет из-за её закрытия.",
    "Подписка на газеты подорожала из-за бумаги.", "Фотографии пожара вызвали споры.",
]  # fmt: skip


@pytest.mark.parametrize("sentence", OF_A_PAGE)
def test_sentences_of_a_page(sentence: str) -> None:
    assert is_boilerplate(sentence)


@pytest.mark.parametrize("sentence", OF_A_REPORT)
def test_sentences_of_a_report(sentence: str) -> None:
    assert not is_boilerplate(sentence)


def test_what_follows_the_closing_line_of_a_report_is_of_the_page():
    report = ["The Orlen dam failed.", "Marr, who is reporting by radio, saw it.", "The valley is under water."]
    closing = "We may earn a small commission if you buy through our links."
    teasers = ["Ten dams to see this summer", "A ferry will cross the lake."]
    assert of_the_report([*report, closing, *teasers]) == [True] * 3 + [False] * 3
    assert all(of_the_report([closing, *report]))


def test_a_plot_is_of_the_page_to_the_end_of_its_quotation():
    plot = ["Synopsis: “A dam fails.", "A girl saves the valley.”", "The film opens in May."]
    assert of_the_report(plot) == [False, False, True]


def test_a_line_that_opens_with_a_picture_is_of_the_page():
    assert is_boilerplate("📱 Marr reviews a phone")
    assert not is_boilerplate("Marr reviews a phone 📱")
