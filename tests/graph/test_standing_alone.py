"""Which sentences can be understood without those around them."""

import pytest

from whywire.graph.standing_alone import stands_alone

ALONE = [
    "The mayor of Orlen said he would resign.",
    "After she lost the vote, Mayor Marr resigned.",
    "It was announced that the bridge would close.",
    "This week the council closed the bridge.",
    "“We closed the bridge because a cable broke,” Mayor Marr said.",
    "US ferries stopped because of the storm.",
    "Когда он проиграл, мэр Маренко ушёл в отставку.",
    "Мэр Маренко сообщил, что уйдёт в отставку.",
    "В этом году мост закрыли из-за тросов.",
    "«Мы закрыли мост из-за тросов», — сказал Маренко.",
]
NOT_ALONE = [
    "He resigned because of the vote.",
    "Yesterday he resigned.",
    "Its cables broke.",
    "This event will bring thousands to Tarn.",
    "That's the reason, Marr feels.",
    "After that the bridge was closed.",
    "Speaking in Tarn, she blamed the cables.",
    "As the town reopens, I keep thinking of the bridge.",
    "“We lose a million a day.",
    "Why did the cable break?",
    "Read more: Bridge closed",
    "Он ушёл в отставку из-за голосования.",
    "Вначале его уронили в воду.",
    "Это привело к закрытию моста.",
    "После этого мост закрыли.",
    "У нас было пять больных.",
]


@pytest.mark.parametrize("sentence", ALONE)
def test_a_sentence_that_names_whom_it_is_about_stands_alone(sentence):
    assert stands_alone(sentence)


@pytest.mark.parametrize("sentence", NOT_ALONE)
def test_a_pronoun_without_its_owner_a_question_and_a_teaser_do_not(sentence):
    assert not stands_alone(sentence)
