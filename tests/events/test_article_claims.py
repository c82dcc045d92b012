"""Which claim says what a link says, and which links an article stands by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from whywire.elements import ClaimKind, Mention, MentionKind
from whywire.events.article_claims import Relation, settled, unreal_in, with_ends
from whywire.events.mentions import MentionCandidate, MentionReading, Sentence
from whywire.news import Article, Language, Span
from whywire.reading.drawing import ReadLink
from whywire.sentences.claims import ReadClaim
from whywire.sentences.reading import CausalRelation, Reading

TEXT = "Fuel ran short in the north because a fire at the refinery had stopped all deliveries on Monday."
FUEL, FIRE, STOP = "Fuel ran short", "a fire at the refinery", "stopped all deliveries"


def told(title: str = "North runs out of fuel", text: str = TEXT) -> list[MentionCandidate]:
    """The headline, and three mentions of the text."""
    article = Article("a", title, text, Language.ENGLISH)
    places = [("title", (0, len(title))), *(("text", place(words)) for words in (FUEL, FIRE, STOP))]
    return [
        MentionCandidate(
            article,
            Mention("a", field, span, MentionKind.STATEMENT if field == "text" else MentionKind.HEADLINE),
            int(field == "text"),
            getattr(article, field)[slice(*span)],
            MentionReading(np.ones(1, dtype=np.float32), 0.9, 0.9),
            span,
            span,
        )
        for field, span in places
    ]


def place(words: str) -> Span:
    return TEXT.index(words), TEXT.index(words) + len(words)


def claim(cause: str, effect: str, kind: ClaimKind = ClaimKind.CAUSAL) -> ReadClaim:
    return ReadClaim(kind, "text", (0, len(TEXT)), 0.9, place(cause), place(effect))


APART = ((0, 1), (2,), (3,))


@pytest.mark.parametrize(
    ("cause", "effect", "ends"),
    [
        (FIRE, FUEL, (2, 1)),
        ("fire at the refinery had", "Fuel ran short in the north", (2, 1)),
        ("a fire at the refinery had stopped all deliveries on Monday", FUEL, (3, 1)),
        (FIRE, "in the north", None),
        ("on Monday", FUEL, None),
        ("fire", FUEL, (2, 1)),
        ("a", FUEL, None),
    ],
)
def test_the_ends_of_a_claim_are_the_mentions_that_share_most_with_it(
    cause: str, effect: str, ends: tuple[int, int] | None
) -> None:
    assert with_ends(claim(cause, effect), told(), APART).ends == ends


def test_a_claim_inside_one_event_of_another_field_or_of_no_words_has_no_ends() -> None:
    assert with_ends(claim(FIRE, FUEL), told(), ((0,), (1, 2), (3,))).ends is None
    in_title = ReadClaim(ClaimKind.CAUSAL, "title", (0, 22), 0.9, (0, 5), (6, 22))
    assert with_ends(in_title, told(), APART).ends is None
    imagined = ReadClaim(ClaimKind.COUNTERFACTUAL, "text", (0, 9), 0.9, antecedent=(0, 4), consequent=(5, 9))
    assert with_ends(imagined, told(), APART) is imagined


LINK = ReadLink(1, 0, 2, 1, 0.8, 0.9, 70)
IN_TITLE = ReadLink(2, 0, 3, 0, 0.8, 0.9, 70)


def stood_by(mentions: list[MentionCandidate], *claims: ReadClaim) -> list[ReadLink]:
    bound = [with_ends(one, mentions, APART) for one in claims]
    return [*settled([LINK, IN_TITLE], [], mentions, APART, bound, [])[0]]


def test_an_article_stands_by_what_it_tells_unless_a_sentence_denies_it() -> None:
    assert stood_by(told()) == [LINK, IN_TITLE]
    assert stood_by(told(), claim(FIRE, FUEL)) == [LINK, IN_TITLE]
    assert stood_by(told(), claim(FIRE, FUEL, ClaimKind.DENIAL)) == [IN_TITLE]
    assert stood_by(told(), claim(FUEL, FIRE, ClaimKind.DENIAL)) == [LINK, IN_TITLE]


NEARLY = "A fire at the refinery nearly caused a blackout in Tarn."


@pytest.mark.parametrize(("text", "linked"), [(NEARLY, False), (NEARLY.replace("nearly ", ""), True)])
def test_what_is_only_said_to_have_nearly_happened_is_no_link(text: str, linked: bool) -> None:
    places = [
        (text.index(words), text.index(words) + len(words)) for words in ("A fire at the refinery", "a blackout")
    ]
    article = Article("a", "News", text, Language.ENGLISH)
    mentions = [
        replace(
            told()[1],
            article=article,
            mention=Mention("a", "text", span, MentionKind.STATEMENT),
            words=text[slice(*span)],
        )
        for span in places
    ]
    link = ReadLink(0, 1, 0, 1, 0.8, 0.9, 70)
    signal = text.index("caused"), text.index("caused") + len("caused")
    reading = Reading(0.9, (CausalRelation(*places, (signal,)),), 0.0)
    unreal = [*unreal_in(Sentence("text", 1, (0, len(text)), text), reading)]
    assert [*settled([link], [], mentions, [[0], [1]], [], unreal)[0]] == ([link] if linked else [])


def test_no_event_leads_to_what_its_own_words_tell() -> None:
    mentions = told(title="North runs out of fuel after fire at the refinery")
    to_fire, from_fire = ReadLink(0, 1, 0, 2, 0.8, 0.9, 70), ReadLink(1, 0, 2, 0, 0.8, 0.9, 70)
    assert [*settled([to_fire], [], mentions, APART, [], [])[0]] == []
    assert [*settled([from_fire], [], mentions, APART, [], [])[0]] == [from_fire]


def test_a_link_runs_as_a_sentence_says_unless_sentences_say_both() -> None:
    turned = ReadLink(0, 1, 1, 2, 0.8, 1.0, 70)
    assert stood_by(told(), claim(FUEL, FIRE)) == [turned, IN_TITLE]
    assert stood_by(told(), claim(FUEL, FIRE), claim(FIRE, FUEL)) == [LINK, IN_TITLE]


@pytest.mark.parametrize(
    ("title", "links"),
    [
        ("RETRACTED: Fire stops deliveries of fuel", []),
        ("Опровержение: пожар остановил поставки", []),
        ("Correction: Fire stops deliveries of fuel", [LINK]),
        ("Correction: Strike, not fire, stopped deliveries of fuel", [LINK, IN_TITLE]),
        ("Fire stops deliveries of fuel", [LINK, IN_TITLE]),
    ],
)
def test_a_withdrawn_article_stands_by_nothing_and_a_correction_not_by_its_title(
    title: str, links: list[ReadLink]
) -> None:
    assert stood_by(told(title)) == links


def spoken(text: str, *words: str) -> list[MentionCandidate]:
    """Mentions of an article with this text, by their words; the headline is none of them."""
    article = Article("a", "News", text, Language.ENGLISH)
    spans = [(text.index(one), text.index(one) + len(one)) for one in words]
    return [
        replace(told()[1], article=article, mention=Mention("a", "text", span, MentionKind.STATEMENT), words=one)
        for one, span in zip(words, spans, strict=True)
    ]


def said_in(text: str, cause: str, effect: str) -> ReadClaim:
    sides = ((text.index(words), text.index(words) + len(words)) for words in (cause, effect))
    return ReadClaim(ClaimKind.CAUSAL, "text", (0, len(text)), 0.9, *sides)


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("A barn burned at Tarn. Arson caused the fire.", "Arson", "the fire"),
        ("A bridge collapsed at Tarn. Rust led to the collapse.", "Rust", "the collapse"),
        ("Two ships collided off Tarn. Fog was behind the collision.", "Fog", "the collision"),
        ("В Тарне горит склад. Поджог вызвал пожар.", "Поджог", "пожар"),
        ("В Тарне рухнул мост. Ржавчина привела к обрушению.", "Ржавчина", "обрушению"),
    ],
)
def test_what_names_a_cause_of_an_event_is_no_effect_of_it(text: str, cause: str, effect: str) -> None:
    event, claim = (sentence.rstrip(".") for sentence in text.split(". "))
    mentions = spoken(text, event, claim)
    drawn = ReadLink(0, 1, 0, 1, 0.8, 0.9, 70)
    right = ReadLink(1, 0, 1, 0, 0.8, 0.9, 70)
    assert [*settled([drawn], [], mentions, [[0], [1]], [said_in(text, cause, effect)], [])[0]] == [right]
    assert [*settled([drawn, right], [], mentions, [[0], [1]], [said_in(text, cause, effect)], [])[0]] == [right]
    assert [*settled([drawn], [], mentions, [[0], [1]], [], [])[0]] == [drawn]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("A barn burned at Tarn. The fire nearly caused an outage.", "The fire", "an outage"),
        ("A dam burst at Tarn. The breach could have drowned the town.", "The breach", "the town"),
        ("A gale hit Tarn. The gale almost sank a ferry.", "The gale", "a ferry"),
        ("В Тарне горит склад. Пожар едва не вызвал взрыв.", "Пожар", "взрыв"),
        ("В Тарне прорвало дамбу. Прорыв мог затопить город.", "Прорыв", "город"),
    ],
)
def test_what_an_event_nearly_led_to_is_no_effect_of_it(text: str, cause: str, effect: str) -> None:
    event, unreal = (sentence.rstrip(".") for sentence in text.split(". "))
    mentions = spoken(text, event, unreal)
    claim = said_in(text, cause, effect)
    assert claim.cause
    assert claim.effect
    link = ReadLink(0, 1, 0, 1, 0.8, 0.9, 70)
    nearly = [Relation("text", claim.cause, claim.effect)]
    assert [*settled([link], [], mentions, [[0], [1]], [], nearly)[0]] == []
    assert [*settled([link], [], mentions, [[0], [1]], [], [])[0]] == [link]


@pytest.mark.parametrize(
    ("cause", "effect", "linked"),
    [
        ("The mill did not burn.", "Bread ran short in Tarn.", False),
        ("There was no blast at the mill.", "Forty were taken to hospital.", False),
        ("The dam has not burst.", "Tarn was flooded.", False),
        ("Завод не горел.", "В Тарне кончился хлеб.", False),
        ("Взрыва не было.", "Сорок человек увезли в больницу.", False),
        ("The driver did not brake.", "The bus hit a wall.", True),
        ("The council refused to open the shelter.", "Two men froze.", True),
        ("Tarn had no power.", "Schools closed.", True),
        ("Насосы не включились.", "Подвал затопило.", True),
        ("В Тарне нет воды.", "Школы закрыли.", True),
    ],
)
def test_what_did_not_happen_leads_to_something_only_if_a_sentence_says_so(
    cause: str, effect: str, linked: bool
) -> None:
    text = f"{cause} {effect}"
    mentions = spoken(text, cause.rstrip("."), effect.rstrip("."))
    link = ReadLink(0, 1, 0, 1, 0.8, 0.9, 70)
    assert [*settled([link], [], mentions, [[0], [1]], [], [])[0]] == ([link] if linked else [])
    said_so = replace(said_in(text, cause.rstrip("."), effect.rstrip(".")), ends=(0, 1))
    assert [*settled([link], [], mentions, [[0], [1]], [said_so], [])[0]] == [link]


@pytest.mark.parametrize(
    ("text", "cause", "effect", "linked"),
    [
        ("Although rain fell all night, the fair drew thousands.", "rain fell all night", "the fair drew", False),
        ("The fair drew thousands even though rain fell.", "rain fell", "The fair drew thousands", False),
        ("Despite the rain, the fair drew thousands.", "the rain", "the fair drew thousands", False),
        ("Хотя шёл дождь, ярмарка собрала тысячи.", "шёл дождь", "ярмарка собрала тысячи", False),
        ("Ярмарка собрала тысячи, несмотря на дождь.", "дождь", "Ярмарка собрала тысячи", False),
        ("Rain fell all night, and the fair was called off.", "Rain fell", "the fair was called off", True),
        ("Шёл дождь, и ярмарку отменили.", "Шёл дождь", "ярмарку отменили", True),
    ],
)
def test_what_a_sentence_concedes_led_to_nothing(text: str, cause: str, effect: str, linked: bool) -> None:
    link = ReadLink(0, 1, 0, 1, 0.8, 0.9, 70)
    assert [*settled([link], [], spoken(text, cause, effect), [[0], [1]], [], [])[0]] == ([link] if linked else [])
