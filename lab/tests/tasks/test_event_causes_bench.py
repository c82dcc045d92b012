"""The benchmark on event_causes, over questions of our own."""

import json
import re

import pytest

from whywire.errors import InputError
from whywire.pairs.model import PairModel
from whywire_lab.corpora.event_causes import Question
from whywire_lab.corpora.splits import part_of_story
from whywire_lab.tasks.event_causes import QUESTIONS, ChosenCauses, score, task_score
from whywire_lab.tasks.run import run, score_submission

PLACES = ["Arle", "Borr", "Cusk", "Dorn", "Esk", "Firle", "Gorm", "Hurn", "Isk", "Jarn", "Kell"]
OTHERS = ("The library of {} opened a reading room", "The choir of {} sang in the square")


def questions(topics=range(11)):
    made = []
    for topic in topics:
        place = PLACES[topic % len(PLACES)]
        flood = ["A dam above {} broke after heavy rain", "The river burst its banks at {}", *OTHERS]
        strike = [OTHERS[0], "Bakers of {} went on strike over pay", OTHERS[1], "The zoo of {} got a bear"]
        for effect, options, letters in (
            ("Streets of {} were flooded", flood, "A,B"),
            ("Shops in {} ran out of bread", strike, "B"),
        ):
            row = {f"option_{letter}": option.format(place) for letter, option in zip("ABCD", options, strict=True)}
            made.append({"topic_id": topic, "target_event": effect.format(place), "golden_answer": letters} | row)
    return made


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write(folder / "event_causes" / "questions.jsonl", questions())
    return folder


def test_dev_are_the_topics_no_model_learns_from(data):
    found = QUESTIONS.load(data)
    assert found.split == "dev (ours, of train)"
    assert {row.topic for row in found.rows} == {0, 5, 10}
    assert {part_of_story(row.topic) for row in found.train()} == {"train"}
    assert QUESTIONS.load(data / "event_causes").rows == found.rows


def test_a_released_part_is_read_from_its_folder(tmp_path):
    write(tmp_path / "dev_data" / "questions.jsonl", questions([20]))
    write(tmp_path / "train_data" / "questions.jsonl", questions([1, 2]))
    found = QUESTIONS.load(tmp_path)
    assert (found.split, len(found.rows), len(found.train())) == ("dev (published)", 2, 4)
    with pytest.raises(InputError, match=r"test_data.questions\.jsonl: no such file"):
        QUESTIONS.load(tmp_path, "test")
    with pytest.raises(InputError, match=r"questions\.jsonl: no such file"):
        QUESTIONS.load(tmp_path / "dev_data" / "..", "sample")


@pytest.mark.parametrize("change", [{"golden_answer": "A,E"}, {"golden_answer": None}, {"option_C": ...}])
def test_a_broken_question_is_named(tmp_path, change):
    rows = questions()
    rows[3] |= change
    rows[3] = {name: value for name, value in rows[3].items() if value is not ...}
    write(tmp_path / "questions.jsonl", rows)
    with pytest.raises(InputError, match=r"questions\.jsonl:4: not a question"):
        QUESTIONS.load(tmp_path)


def test_our_model_and_its_submission_score_the_same(data, tmp_path):
    result = run("event-causes", data, baselines=False)
    ours = result.systems[0]
    assert list(ours.scores) == ["task score", "exact set", "option F1", "top option", "ECE"]
    assert ours.scores["top option"] > 0.7
    assert set(ours.kinds) == {"1 right", "2 right", "events only"}
    path = tmp_path / "answers.jsonl"
    path.write_text(result.submission, encoding="utf-8")
    assert score_submission("event-causes", data, path).systems[0].scores == ours.scores
    bare = [
        {"index": row["index"], "answer": row["answer"]} for row in map(json.loads, result.submission.splitlines())
    ]
    write(path, bare)
    found = score_submission("event-causes", data, path).systems[0].scores
    assert found == {name: ours.scores[name] for name in ("task score", "exact set", "option F1")}


def test_where_nothing_seems_to_be_a_cause_the_strongest_is_the_answer():
    unlikely = tuple(f"The {player} won a chess game" for player in ("choir", "baker", "mayor", "poet"))
    question = Question(0, "The central bank of Arle lowered its rate", unlikely, frozenset({0}))
    (answer,) = QUESTIONS.answer(PairModel.from_pretrained(), [question], None)
    assert max(answer.strengths) < 20  # nobody would take it for a cause, had the task not said that one is
    assert answer.chosen == {answer.strengths.index(max(answer.strengths))}


def test_questions_of_one_event_do_not_contradict_each_other():
    effect, dam, river = "Streets of Arle were flooded", "A dam above Arle broke", "The river burst its banks at Arle"
    others = tuple(one.format("Arle") for one in OTHERS)
    first = Question(0, effect, (dam, river, *others), frozenset({1}))
    second = Question(0, effect, (dam, *others, "None of the others"), frozenset({3}))
    answers = [ChosenCauses(frozenset({0}), (60, 58, 5, 5)), ChosenCauses(frozenset({3}), (60, 5, 5, 90))]
    (remade,) = QUESTIONS.made_of.values()
    found = remade([first, second], answers)
    assert [answer.chosen for answer in found] == [{1}, {3}]
    assert [answer.strengths for answer in found] == [answer.strengths for answer in answers]


@pytest.mark.slow
def test_baselines_learn_and_a_random_one_does_not(data):
    pytest.importorskip("sklearn")
    result = run("event-causes", data)
    _, _, words, similarity, frequent, random = (system.scores for system in result.systems)
    assert words["exact set"] == 1  # the made-up topics all tell the same
    assert random["exact set"] < words["exact set"]
    assert frequent["task score"] == 0.5
    assert similarity["option F1"] > 0
    assert run("event-causes", data).as_json() == result.as_json()


def test_without_topics_to_learn_from_baselines_say_so(tmp_path):
    write(tmp_path / "questions.jsonl", questions([0, 5]))
    with pytest.raises(InputError, match="no questions that baselines could learn from"):
        run("event-causes", tmp_path)
    assert run("event-causes", tmp_path, baselines=False).rows == 4


def test_an_option_that_is_no_event_is_shown_apart():
    options = ("The choir sang", "The dam broke", "The zoo got a bear")
    rows = [
        Question(0, "Town floods", (*options, last), frozenset({3})) for last in ("It rained", "None of the others")
    ]
    kinds = QUESTIONS.kinds(rows, [ChosenCauses(frozenset({1})), ChosenCauses(frozenset({3}))])
    assert kinds == {"1 right": 0.5, "events only": 0, "no event among them": 1}


@pytest.mark.parametrize(
    ("chosen", "truth", "worth"),
    [
        ({0, 1}, {0, 1}, 1),
        ({0}, {0, 1}, 0.5),
        ({0, 2}, {0, 1}, 0),
        ({0, 1, 2}, {0, 1}, 0),
        ((), {0}, 0),
        ({1}, {0}, 0),
    ],
)
def test_the_task_s_own_score(chosen, truth, worth):
    assert task_score(frozenset(chosen), frozenset(truth)) == worth


def test_scores_by_hand():
    rows = [Question(0, "e", ("a", "b", "c", "d"), frozenset(own)) for own in ({0, 1}, {2})]
    answers = [ChosenCauses(frozenset({0}), (100, 0, 0, 0)), ChosenCauses(frozenset({2}), (0, 0, 100, 0))]
    found = score(rows, answers)
    assert found == pytest.approx(
        {"task score": 0.75, "exact set": 0.5, "option F1": 0.8, "top option": 1, "ECE": 1 / 8}
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": -1}, "row 1: the index must be one of 0 to 5, each once, not -1"),
        ({"answer": "A,E"}, "row 1: the answer must be letters from A to D with commas, not 'A,E'"),
        ({"answer": None}, "row 1: the answer must be letters"),
        ({"strengths": [1, 2, 3]}, "row 1: strengths must be four numbers from 0 to 100"),
        ({"answer": ""}, "5 of 6 questions have no line, the first of them 1"),
    ],
)
def test_a_broken_submission_is_refused(data, tmp_path, change, message):
    path = tmp_path / "submission.jsonl"
    path.write_text(json.dumps({"index": 0, "answer": "A, B"} | change), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_submission("event-causes", data, path)
