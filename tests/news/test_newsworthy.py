"""What is news and what is not, by the filter in the package and by one taught here."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.errors import ModelError
from whywire.news import Article, Language
from whywire.news.newsworthy import BUCKETS, WEIGHTS, NewsFilter, feature_places

NEWS = [
    "Bridge on the river Oln collapses, four missing",
    "Steel maker to cut 900 jobs after orders dry up",
    "Court frees mayor of Port Selim",
    "Earthquake of magnitude 6 shakes the north of the island",
    "На шахте под Ветлужском произошёл взрыв, шестеро погибли",
    "Центробанк неожиданно повысил ставку",
    "Мэра Заречного задержали после обысков",
    "Рабочие завода начали забастовку",
]
OTHER = [
    "Your daily horoscope for Sunday: Aries and Libra",
    "Weekly horoscope, 3 to 9 March",
    "Quiz: how well do you know your trees?",
    "Lotto results: winning numbers for Tuesday",
    "Гороскоп на 14 марта для всех знаков зодиака",
    "Гороскоп на неделю: Овнам повезёт, Тельцам — не очень",
    "Прогноз погоды на вторник, 2 апреля",
    "Погода в Ветлужске на 7 июня",
]


@pytest.fixture(scope="module")
def embedded():
    return NewsFilter.load()


def test_news_is_distinguished_from_what_is_none(embedded):
    assert (embedded.probability(NEWS) >= embedded.threshold).all()
    assert (embedded.probability(OTHER) < embedded.threshold).all()


def test_news_of_a_lottery_or_a_storm_is_news(embedded):
    near = [
        "Lottery winner gives half of her fortune to the village",
        "Storm tears roofs off houses in three counties",
        "Best-selling crime writer found dead at home",
        "How the bank lost two billion in a night",
        "Синоптики предупредили о сильнейшем урагане за полвека",
        "Доллар впервые за год подешевел",
    ]
    assert (embedded.probability(near) >= embedded.threshold).all()


def test_the_filter_is_small():
    assert WEIGHTS.stat().st_size < 150_000


def test_split_keeps_the_order_and_loses_nothing(embedded):
    articles = [
        Article(str(number), title, language=Language.ENGLISH) for number, title in enumerate([*NEWS, *OTHER])
    ][::-1]
    kept, dropped = embedded.split(articles)
    assert [article.id for article in kept] == [article.id for article in articles if article.title in NEWS]
    assert {problem.place for problem in dropped} == {str(number) for number in range(len(NEWS), len(articles))}
    assert all(problem.row["title"] in OTHER and "not news" in problem.reason for problem in dropped)
    assert not any(problem.kept for problem in dropped)


def test_of_nothing_nothing_is_kept(embedded):
    assert embedded.split([]) == ([], [])
    assert embedded.probability([]).shape == (0,)


def test_a_lead_may_speak_too(embedded):
    signs = "Aries: wait. Taurus: spend. Gemini: call home. Virgo: rest. Libra: decide. Scorpio: forgive."
    title = "What the weekend brings"
    assert embedded.probability([title], [signs]) != embedded.probability([title], [""])
    assert embedded.probability([title], [""]) == embedded.probability([title])


def test_leads_must_match_titles(embedded):
    with pytest.raises(ValueError, match=r"leads \(1\) must match number of titles \(2\)"):
        embedded.probability(["one", "two"], ["lead"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=90)), max_size=8))
def test_any_text_has_a_probability_that_company_does_not_change(pairs):
    learnt = NewsFilter.load()
    titles, leads = [title for title, _ in pairs], [lead for _, lead in pairs]
    probabilities = learnt.probability(titles, leads)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    for title, lead, probability in zip(titles, leads, probabilities, strict=True):
        assert learnt.probability([title], [lead])[0] == probability


@given(st.text(max_size=80))
def test_features_are_places_among_the_weights(title):
    places = feature_places(title)
    assert len(places) == len(set(places.tolist())) > 0
    assert ((places >= 0) & (places < BUCKETS)).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Horoscope for 3 March", "Horoscope for 9 October"),
        ("Гороскоп на 13 мая: Тельцы", "Гороскоп на 27 июня: Козероги"),
        ("Погода на среду", "Погода на пятницу"),
        ("ЁЛКА года", "елка ГОДА"),
    ],
)
def test_days_months_and_signs_are_as_good_as_one_another(one, other):
    assert feature_places(one).tolist() == feature_places(other).tolist()


def test_a_file_that_is_no_filter_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"gone\.npz"):
        NewsFilter.load(tmp_path / "gone.npz")
    (tmp_path / "text.npz").write_text("not a filter")
    with pytest.raises(ModelError, match=r"text\.npz"):
        NewsFilter.load(tmp_path / "text.npz")
    np.savez(tmp_path / "small.npz", weights=np.zeros(3), bias=0.0, threshold=0.5)
    with pytest.raises(ModelError, match=r"small\.npz"):
        NewsFilter.load(tmp_path / "small.npz")
    np.savez(tmp_path / "part.npz", weights=np.zeros(BUCKETS))
    with pytest.raises(ModelError, match=r"part\.npz"):
        NewsFilter.load(tmp_path / "part.npz")


def test_what_is_in_a_language_the_filter_does_not_know_is_kept(embedded):
    articles = [Article("1", OTHER[0])]
    assert embedded.split(articles) == (articles, [])
