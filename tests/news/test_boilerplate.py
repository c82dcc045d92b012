"""Sentences of a page, and sentences of a report that look like them."""

import pytest

from whywire.news.sentences import is_boilerplate

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
