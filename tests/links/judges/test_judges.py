"""Judges of strength: the embedded one, a chat model that misbehaves, and several together."""

from dataclasses import dataclass, replace

import pytest
from tests.local_server import Reply, says, serving

from whywire.elements import strength_class
from whywire.errors import ModelError
from whywire.links.judges.chat import MAX_ATTEMPTS, ChatJudge
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Choice, Ensemble, EventPair, NoScore, weigh_by_pairs
from whywire.links.judges.prompts import CLASSES, NO, YES, PromptKind
from whywire.models.chat import ChatEndpoint
from whywire.models.completion_cache import CachedChatModel, CompletionCache
from whywire.news import Language
from whywire.pairs.model import PairModel

CAUSE, EFFECT = "A fire closed the Orvane refinery.", "Fuel ran short in the north."
OTHER = "The Orvane marathon drew a record field."
PAIR = EventPair(CAUSE, EFFECT, ("The refinery burned on Monday. By Friday the pumps were dry.", "Queues form."))
CHOICE = Choice(EFFECT, (OTHER, CAUSE, CAUSE), PAIR.context)


@dataclass
class Steady:
    """Says these strengths, whatever the pairs are."""

    strengths: list[float]

    def score(self, pairs):
        return self.strengths[: len(pairs)]

    def weigh(self, choices):
        return weigh_by_pairs(self, choices)


def judge(server, form=PromptKind.SCORE, cache=None):
    endpoint = ChatEndpoint(server.url, "tiny-chat", timeout=5.0)
    return ChatJudge(CachedChatModel(endpoint, cache and CompletionCache(cache)), form)


def test_a_choice_without_documents_is_weighed_by_the_pair_model():
    (strengths,) = EmbeddedJudge().weigh([Choice(EFFECT, (CAUSE, OTHER))])
    assert strengths == pytest.approx(PairModel.from_pretrained().strengths([(CAUSE, EFFECT), (OTHER, EFFECT)]))
    assert strengths[0] > strengths[1]


DOCUMENTS = (
    "The Orvane refinery burned on Monday, and its owner closed it. By Friday fuel ran short in towns of the north "
    "because the refinery stood still.",
    "The mayor of Lowton opened a park.",
)


@pytest.mark.model
def test_documents_say_which_event_led_to_which():
    there, back = EmbeddedJudge().score([EventPair(CAUSE, EFFECT, DOCUMENTS), EventPair(EFFECT, CAUSE, DOCUMENTS)])
    assert there > 50 > back
    assert EmbeddedJudge().score([EventPair(CAUSE, EFFECT, DOCUMENTS[::-1])]) == [there]  # in whatever order


@pytest.mark.model
def test_documents_make_the_cause_among_options_stronger():
    options = (OTHER, CAUSE)
    asked = [Choice(EFFECT, options), Choice(EFFECT, options, DOCUMENTS)]
    (_, alone), (_, told) = EmbeddedJudge().weigh(asked)
    assert told > alone


@pytest.mark.parametrize("context", [(), ("",), ("The mayor of Lowton opened a park.",)])
def test_documents_that_do_not_tell_of_both_events_change_nothing(context):
    assert EmbeddedJudge().score([replace(PAIR, context=context)]) == EmbeddedJudge().score(
        [replace(PAIR, context=())]
    )


def test_what_is_no_event_is_judged_by_its_words_alone():
    by_words = PairModel.from_pretrained().strengths([("?", "!")])
    assert EmbeddedJudge().score([EventPair("?", "!")]) == by_words.tolist()


def test_the_embedded_judge_has_a_model_for_either_language():
    russian = EventPair("Пожар остановил завод в Орване.", "На севере не хватает топлива.", (), Language.RUSSIAN)
    judged = EmbeddedJudge()
    assert judged.score([PAIR, russian, PAIR]) == [
        *judged.score([PAIR]),
        *judged.score([russian]),
        *judged.score([PAIR]),
    ]


def test_options_that_say_the_same_are_as_strong():
    ((other, cause, again),) = EmbeddedJudge().weigh([CHOICE])
    assert cause == again != other


def test_nothing_to_judge_is_no_judgement():
    with serving(says("never asked")) as server:
        for one in (EmbeddedJudge(), judge(server), Ensemble([EmbeddedJudge(), judge(server)])):
            assert one.score([]) == one.weigh([]) == []
    assert server.asked == []


@pytest.mark.parametrize(
    ("form", "answer", "strength"),
    [
        (PromptKind.SCORE, "It burned, then fuel ran out. <answer>85</answer>", 85),
        (PromptKind.CLASS, "<answer>[B]</answer>", CLASSES["B"]),
        (PromptKind.BINARY, "<answer>Yes.</answer>", YES),
        (PromptKind.BINARY, "no", NO),
    ],
)
def test_a_chat_model_is_asked_about_events_and_documents(form, answer, strength):
    with serving(says(answer)) as server:
        assert judge(server, form).score([PAIR]) == [strength]
    ((_, _, body),) = server.asked
    (message,) = body["messages"]
    assert message["role"] == "user"  # the only role that every model knows
    assert body["temperature"] == 0
    for text in (CAUSE, EFFECT, *PAIR.context):
        assert text in message["content"]
    assert message["content"].index(CAUSE) < message["content"].index(EFFECT)


@pytest.mark.parametrize(
    ("answer", "strengths"),
    [
        ("<answer>B</answer>", [NO, YES, NO]),
        ("A plays no part. <answer>B, C</answer>", [NO, YES, YES]),
        ("<answer>none</answer>", [NO, NO, NO]),
    ],
)
def test_a_choice_is_one_question(answer, strengths):
    with serving(says(answer)) as server:
        assert judge(server, PromptKind.CHOICE).weigh([CHOICE]) == [strengths]
    assert len(server.asked) == 1
    assert all(f"{letter}. {event}" in str(server.asked) for letter, event in zip("ABC", CHOICE.options, strict=True))


def test_a_choice_may_be_asked_about_pair_by_pair():
    with serving(says("<answer>5</answer>"), says("<answer>90</answer>")) as server:
        assert judge(server, PromptKind.SCORE).weigh([CHOICE]) == [[5, 90, 90]]
    assert len(server.asked) == 3


def test_more_options_than_letters_are_not_asked_about_at_once():
    with serving(says("<answer>A</answer>")) as server:
        (said,) = judge(server, PromptKind.CHOICE).weigh([Choice(EFFECT, (CAUSE,) * 27)])
    assert isinstance(said, NoScore)
    assert server.asked == []


@pytest.mark.parametrize(
    "wrong", ["<answer>Z</answer>", "<answer>A,", "", "I cannot tell.", "<answer>B or so</answer>"]
)
def test_a_malformed_answer_is_asked_for_again(wrong):
    with serving(says(wrong), says("<answer>B</answer>")) as server:
        judged = judge(server, PromptKind.CHOICE)
        assert judged.weigh([CHOICE]) == [[NO, YES, NO]]
    first, second = (body["messages"][0]["content"] for _, _, body in server.asked)
    assert second.startswith(first)
    assert len(second) > len(first)
    assert judged.chat_model.usage.malformed == 1


@pytest.mark.parametrize("wrong", ["<answer>101</answer>", "<answer>-5</answer>", "high", "<answer></answer>"])
def test_malformed_answers_are_recorded_as_such_and_the_rest_is_judged(wrong):
    with serving(*[says(wrong)] * MAX_ATTEMPTS, says("<answer>40</answer>")) as server:
        first, second = judge(server).score([PAIR, EventPair(OTHER, EFFECT)])
    assert isinstance(first, NoScore)
    assert wrong in first.reason
    assert second == 40
    assert len(server.asked) == MAX_ATTEMPTS + 1


def test_answers_that_break_off_are_recorded_too():
    with serving(Reply('{"choices": [{"mess')) as server:
        (said,) = judge(server).score([PAIR])
    assert isinstance(said, NoScore)
    assert "no chat completion" in said.reason


def test_a_busy_endpoint_does_not_change_the_judgement():
    with serving(Reply("", 429, {"Retry-After": "0"}), Reply("", 500), says("<answer>70</answer>")) as server:
        assert judge(server).score([PAIR]) == [70]


def test_an_endpoint_that_refuses_stops_the_work_and_what_was_answered_is_kept(tmp_path):
    pairs = [PAIR, EventPair(OTHER, EFFECT)]
    with serving(says("<answer>70</answer>"), Reply("no credit", 402)) as server:
        with pytest.raises(ModelError, match="no credit"):
            judge(server, cache=tmp_path).score(pairs)
        server.replies[:] = [says("<answer>15</answer>")]
        again = judge(server, cache=tmp_path)
        assert again.score(pairs) == [70, 15]
    assert len(server.asked) == 3
    assert (again.chat_model.usage.cached, again.chat_model.usage.requested) == (1, 1)


def test_an_ensemble_is_the_mean():
    answers = [says(f"<answer>{strength}</answer>") for strength in (85, 40, 10, 40, 10)]
    with serving(*answers) as server:
        together = Ensemble([Steady([10, 20, 0]), Steady([25, 90, 2]), judge(server)])
        assert together.score([PAIR, EventPair(OTHER, EFFECT)]) == [40, 50]  # (10 + 25 + 85) / 3, (20 + 90 + 40) / 3
        assert together.weigh([CHOICE]) == [[15, 50, 4]]  # (10 + 25 + 10) / 3, (20 + 90 + 40) / 3, (0 + 2 + 10) / 3
    assert len(server.asked) == 5


def test_the_embedded_judge_and_a_chat_model_count_the_same():
    with serving(says("<answer>4</answer>")) as server:
        ((alone,), ((other, cause, _),)) = EmbeddedJudge().score([PAIR]), EmbeddedJudge().weigh([CHOICE])
        together = Ensemble([EmbeddedJudge(), judge(server)])
        assert together.score([PAIR]) == [pytest.approx(alone / 2 + 2)]
        assert together.weigh([CHOICE]) == [pytest.approx([other / 2 + 2, cause / 2 + 2, cause / 2 + 2])]


def test_an_ensemble_judges_only_what_all_of_it_judged():
    with serving(*[says("?")] * MAX_ATTEMPTS, says("<answer>20</answer>")) as server:
        first, second = Ensemble([Steady([60, 35]), judge(server)]).score([PAIR, PAIR])
    assert isinstance(first, NoScore)
    assert "'?'" in first.reason
    assert second == 27.5
    with serving(says("?")) as server:
        (said,) = Ensemble([Steady([60, 35, 10]), judge(server)]).weigh([CHOICE])
    assert isinstance(said, NoScore)
    assert "'?'" in said.reason


def test_the_middles_of_the_classes_are_in_them():
    assert [str(strength_class(strength)) for strength in CLASSES.values()] == ["high", "medium", "low", "none"]
