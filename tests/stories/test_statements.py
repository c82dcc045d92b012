"""Main events are the article's own words, and no claims, quotations, questions or fragments."""

import pytest
from hypothesis import given, settings
from tests.conftest import articles

from whywire.headlines.model import HeadlineModel
from whywire.news import Article, Language, parse_time, split_sentences
from whywire.sentences.reading import CausalRelation, Reading
from whywire.stories.clauses import event_clause
from whywire.stories.eventhood import Unfit, quoted_spans, unfit
from whywire.stories.phrasing import rephrase, ungrounded
from whywire.stories.statements import clip, main_events

EN, RU = Language.ENGLISH, Language.RUSSIAN
SATURDAY = parse_time("2020-05-02T12:00:00Z")

FIRE = Article(
    id="fire",
    title="Fire shuts refinery in Port Ellery",
    text=(
        "PORT ELLERY (Wire) - A fire shut the Marlow refinery in Port Ellery on Tuesday, police said.\n"
        "“We have never seen flames as high as these,” said Ann Hale, a nurse.\n"
        "Residents fear that prices may rise.\n"
        "It was the second fire this year.\n"
        "Meanwhile, the Ellery council closed two schools near the refinery on Wednesday, which stands in the old "
        "harbour of the town and employs eight hundred people.\n"
        "The Ellery council opened the refinery with a feast.\n"
        "Would you stay? Read more on our site.\n"
        "Oh no."
    ),
    language=EN,
    published=parse_time("2026-03-05T09:00:00Z"),
)
СКЛАД = Article(
    id="sklad",
    title="В Верхнереченске сгорел склад",
    text=(
        "Верхнереченск. 4 мая. ИНТЕРФАКС - В ночь на понедельник в Верхнереченске сгорел склад мебели.\n"
        "По данным МЧС, огонь уничтожил крышу склада площадью 800 квадратных метров, сообщает пресс-служба.\n"
        "«Мы никогда не видели такого пламени», — сказала соседка.\n"
        "По мнению экспертов, причиной мог стать поджог.\n"
        "Подписывайтесь на наш канал."
    ),
    language=RU,
)


@pytest.fixture(scope="module")
def model():
    return HeadlineModel.from_pretrained("headlines-en")


@pytest.fixture(scope="module")
def russian():
    return HeadlineModel.from_pretrained("headlines-ru")


def events(article, model, **options):
    return main_events(article, model, **options)


def every(found):
    return [stated for item in found for stated in (item, *item.repeats)]


def test_english_events_of_an_article(model):
    found = events(FIRE, model)
    assert [stated.text for stated in every(found)] == [
        "Fire shuts refinery in Port Ellery",
        "A fire shut the Marlow refinery in Port Ellery on Tuesday",
        "the Ellery council closed two schools near the refinery on Wednesday",
    ]
    assert len(found) == 2, "the first sentence repeats the title, and what stands below without a time is background"


def test_russian_events_of_an_article(russian):
    assert [stated.text for stated in every(events(СКЛАД, russian))] == [
        "В Верхнереченске сгорел склад",
        "В ночь на понедельник в Верхнереченске сгорел склад мебели",
        "огонь уничтожил крышу склада площадью 800 квадратных метров",
    ]


def test_a_handful_at_most(model):
    assert len(events(FIRE, model, most=1)) == 1


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Why do we sleep?", "Nobody knows."),
        ("How to mend an old roof in Ellery", "Ann Hale mended her roof. The council closed two schools."),
        ("Rolls mulls sale of Ellery yard", "The yard in Ellery built forty ships."),
        ("Songs of the old harbour", "Oslo closed the theatre in 1951, and the choir lost its home."),
        ("Aries to Pisces: your horoscope for 3 May", "Mars entered a new house on Saturday."),
    ],
)
def test_an_article_without_events_has_none(model, title, text):
    assert events(Article("q", title, text, EN, published=SATURDAY), model) == []


def test_a_headline_in_the_present_needs_a_sentence_that_tells_of_the_same(model):
    title = "Fire shuts Marlow refinery in Ellery"
    alone, other = "", "The Ellery council closed two schools by the river on Friday."
    same = "A fire shut the Marlow refinery in Ellery."
    texts = {
        text: [stated.text for stated in events(Article("h", title, text, EN, published=SATURDAY), model)]
        for text in (alone, other, same)
    }
    assert texts[alone] == texts[same] == [title]
    assert title not in texts[other]


def test_under_a_question_only_what_names_a_time_near_the_report_is_an_event(model):
    text = (
        "The Marlow refinery in Ellery shut two furnaces.\nThe Marlow refinery in Ellery lost its roof in 2011.\n"
        "The Marlow refinery in Ellery reopened its pier on Friday."
    )
    found = events(Article("q", "What next for the Marlow refinery in Ellery?", text, EN, published=SATURDAY), model)
    assert [stated.text for stated in found] == ["The Marlow refinery in Ellery reopened its pier on Friday"]


def test_an_old_time_is_no_background_where_the_headline_tells_of_it(model):
    title, text = "Ellery dam burst in 1931, papers show", "The Ellery dam burst in 1931. Oslo lost a bridge in 1931."
    found = events(Article("d", title, text, EN, published=SATURDAY), model)
    assert [stated.text for stated in every(found)] == [
        "Ellery dam burst in 1931, papers show",
        "The Ellery dam burst in 1931",
    ]


@settings(max_examples=30)
@given(articles)
def test_every_word_stands_in_the_article(model, russian, article):
    own = russian if article.language is RU else model
    for stated in every(events(article, own)):
        assert getattr(article, stated.field)[slice(*stated.span)] == stated.text
        assert stated.sentence[0] <= stated.span[0] < stated.span[1] <= stated.sentence[1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Dam bursts", Unfit.FRAGMENT),
        ("By Ann Hale in Port Ellery", Unfit.FRAGMENT),
        ("Did the dam burst on Monday?", Unfit.QUESTION),
        ("She said: “the dam burst right above the town”", Unfit.QUOTATION),
        ("Experts believe the dam burst because of rain", Unfit.CLAIM),
        ("Ann Hale said the dam burst", Unfit.CLAIM),
        ("The dam could have burst", Unfit.IMAGINED),
        ("The dam did not burst in the night", Unfit.NEGATED),
        ("We closed the dam on Monday", Unfit.ADDRESS),
        ("The dam is forty metres high", Unfit.STATE),
        ("The town has two schools", Unfit.STATE),
        ("The dam has been famous since the flood", Unfit.STATE),
        ("The dam had burst above Ellery", Unfit.STATE),
        ("Ann Hale, who closed the dam, is a nurse in Ellery", Unfit.STATE),
        ("Ellery's naked dam and the reopened bridge", Unfit.FRAGMENT),
        ("Ellery considers a new dam that opened in Oslo", Unfit.IMAGINED),
        ("They closed the dam", Unfit.DANGLING),
        ("When the dam burst, Ellery slept", Unfit.DANGLING),
        ("At night it closed the dam", Unfit.DANGLING),
        ("Subscribe to the letter that won prizes", Unfit.NOTICE),
        ("Rain burst the dam above Ellery", None),
        ("Antibodies have been found in Ellery", None),
        ("Two people were killed in Ellery", None),
        ("The dam has been closed in Ellery", None),
        ("Ann Hale closed the dam that had two gates", None),
        ("Ellery opened a school that featured a pool", None),
        ("The council will close the dam on 3 May", None),
    ],
)
def test_what_is_no_event_in_english(words, reason):
    assert unfit(words, EN) is reason


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Прорвало плотину", Unfit.FRAGMENT),
        ("Почему прорвало плотину у города", Unfit.QUESTION),
        ("Эксперты считают, что плотину прорвало", Unfit.CLAIM),
        ("Плотину могло бы прорвать", Unfit.IMAGINED),
        ("Плотину пока не закрыли", Unfit.NEGATED),
        ("Наш город залило водой", Unfit.ADDRESS),
        ("Она закрыла старую плотину", Unfit.DANGLING),
        ("Плотина — гордость города, построенная дедами", Unfit.STATE),
        ("Музей, который построили деды, находится в центре", Unfit.STATE),
        ("Данил Иванов и Михаил Петров, плотина", Unfit.FRAGMENT),
        ("Город хочет новую плотину, построили старую", Unfit.IMAGINED),
        ("В городе прорвало плотину", None),
        ("Плотину закроют: ремонт начнётся 3 мая", None),
    ],
)
def test_what_is_no_event_in_russian(words, reason):
    assert unfit(words, RU) is reason


def test_quotations_are_found_also_where_they_are_not_closed():
    text = "He said: “Go” and “stay\nShe left «дом» 'x'"
    assert [text[slice(*span)] for span in quoted_spans(text)] == ["Go", "stay", "дом"]


def test_insertions_between_dashes_are_not_cut_in_two():
    text = "Doctors found that a mixture -- of cherry and ginger and eleven other rare plants -- helped men in Ellery"
    assert event_clause(text, (0, len(text)), EN) == (0, len(text))


def test_a_text_is_clipped_at_the_nearest_sentence_end():
    text = "One two three. Four five six. Seven eight nine ten eleven twelve."
    assert clip(text, EN, 5) == "One two three. Four five six."
    assert clip(text, EN, 1) == "One two three."
    assert clip(text, EN, 100) == text
    assert clip("", EN, 5) == ""


def test_the_sentence_model_parts_cause_from_effect_and_drops_what_is_imagined(model):
    text = (
        "Two schools closed in Ellery because the Marlow refinery burned down. Had it rained, Ellery had been saved."
    )
    article = Article("a", "Refinery burns down in Ellery", text, EN)

    def read(sentences):
        first = (0, sentences[0].index(" because"))
        second = (sentences[0].index("the Marlow"), len(sentences[0]) - 1)
        return [
            Reading(0.9, (CausalRelation(cause=second, effect=first),), 0.0),
            Reading(0.1, (), 0.9, antecedent=(0, 13)),
        ]

    assert len(split_sentences(text, EN)) == 2
    assert {stated.text for stated in every(events(article, model, read=read))} == {
        "Refinery burns down in Ellery",
        "Two schools closed in Ellery",
        "the Marlow refinery burned down",
    }


def test_a_phrasing_is_taken_only_where_the_article_vouches_for_it(model):
    stated = events(FIRE, model)[1]
    assert rephrase(stated, FIRE, lambda words: "Ellery council closes two schools").phrased == (
        "Ellery council closes two schools"
    )
    assert ungrounded("Ellery council closes three schools", FIRE) == ["3", "three"]
    for invented in (
        "Ellery council closes five schools",
        "Oslo council closes schools",
        "Schools closed, UN says",
        "",
    ):
        assert rephrase(stated, FIRE, lambda words, said=invented: said).phrased is None


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Плотина в старом городе", Unfit.FRAGMENT),
        ("Город закрывает плотину", None),
        ("В городе закрыли плотину", None),
    ],
)
def test_a_russian_headline_needs_a_verb(title, reason):
    assert unfit(title, RU, headline=True) is reason
