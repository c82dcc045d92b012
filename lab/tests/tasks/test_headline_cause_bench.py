"""The benchmark on HeadlineCause, over a small release of our own and over gold pairs."""

import json
import re

import numpy as np
import pytest

from whywire.errors import InputError
from whywire.pairs.relations import RELATIONS
from whywire_lab.corpora.headline_cause import part_of_pair
from whywire_lab.tasks.headline_cause import ENGLISH, RUSSIAN
from whywire_lab.tasks.pair_baselines import logistic_regression, most_frequent, random_class
from whywire_lab.tasks.run import TASKS, run, score_submission

FULL_TITLES = {
    "en": (
        ("Chess club of {} elects a chair", "Potatoes from {} win a prize"),
        ("Ferry sinks off {}", "Passenger ferry goes down near {}"),
        ("Mayor of {} opens a library", "Mayor of {} visits a school"),
        ("Dam above {} breaks", "Streets of {} flooded, hundreds flee"),
        ("Trains to {} cancelled for a week", "Landslide buries the line to {}"),
        ("Minister resigns, says radio of {}", "Minister has not resigned, office in {} says"),
        ("No bomb was found in {}, police say", "Bomb found in {}"),
    ),
    "ru": (
        ("Шахматисты города {} выбрали главу", "Картофель из города {} получил приз"),
        ("Паром затонул у города {}", "Пассажирский паром пошёл ко дну близ города {}"),
        ("Мэр города {} открыл библиотеку", "Мэр города {} посетил школу"),
        ("Дамбу выше города {} прорвало", "Улицы города {} затопило, сотни людей бежали"),
        ("Поезда в город {} отменены на неделю", "Оползень засыпал пути к городу {}"),
        ("Министр ушёл в отставку, сообщило радио города {}", "Отставку министра в городе {} опровергли"),
        ("Бомбу в городе {} не нашли, заявила полиция", "В городе {} нашли бомбу"),
    ),
}
PLACES = {"train": ["Arle", "Borr", "Cusk", "Dorn", "Esk", "Firle"], "val": ["Gorm"], "test": ["Hurn", "Isk"]}
SIMPLE_OF = (0, 0, 0, 1, 2, 1, 2)


def lines(language, split, labels):
    for number, place in enumerate(PLACES[split]):
        for label, titles in enumerate(FULL_TITLES[language]):
            left, right = (title.format(place) for title in titles)
            yield {
                "left_url": f"https://{language}.example/{place}/{label}/a",
                "right_url": f"https://{language}.example/{place}/{label}/b",
                "left_title": left,
                "right_title": right,
                "left_timestamp": 1588420800 + number,
                "right_timestamp": 1588420860 + number,
                "label": label if labels == "full" else SIMPLE_OF[label],
                "agreement": 1.0 if label % 2 else 0.7,
                "has_link": 0,
                "id": f"{language}_tg_{label}{number}",
            }


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    for language in ("en", "ru"):
        for labels in ("simple", "full"):
            for split in PLACES:
                path = data / "headline_cause" / language / labels / f"{split}.jsonl"
                write(path, lines(language, split, labels))
    return data


@pytest.fixture(scope="module")
def gold(tmp_path_factory):
    data = tmp_path_factory.mktemp("gold")
    rows = [
        {
            "left_title": titles[0].format(place),
            "right_title": titles[1].format(place),
            "label": RELATIONS[label],
            "language": language,
        }
        for language, templates in FULL_TITLES.items()
        for place in [place for places in PLACES.values() for place in places]
        for label, titles in enumerate(templates)
    ]
    write(data / "pairs.jsonl", rows)
    return data


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    for task in (ENGLISH, RUSSIAN):
        monkeypatch.setitem(TASKS, task.name, task)


@pytest.mark.parametrize(("task", "language"), [(ENGLISH, "en"), (RUSSIAN, "ru")])
def test_both_labellings_of_a_published_split_are_read(release, task, language):
    for split, name, places in (("dev", "val", 1), ("test", "test", 2)):
        found = task.load(release, split)
        assert found.split == f"{split} (published)"
        assert [path.relative_to(release / "headline_cause").as_posix() for path in found.files] == [
            f"{language}/simple/{name}.jsonl",
            f"{language}/full/{name}.jsonl",
        ]
        assert [row.relation is None for row in found.rows] == [True] * 7 * places + [False] * 7 * places
        assert {row.left for row in found.rows}.isdisjoint(row.left for row in found.train())


def test_without_a_release_it_is_the_gold_pairs_no_model_saw(gold):
    for task, language in ((ENGLISH, "en"), (RUSSIAN, "ru")):
        found = task.load(gold)
        assert found.split == "dev (ours, gold pairs)"
        assert found.rows
        assert {(row.language, part_of_pair(row)) for row in found.rows} == {(language, "dev")}
        assert {(row.language, part_of_pair(row)) for row in found.train()} == {(language, "train")}


def test_a_missing_file_is_named(tmp_path, gold, release):
    for folder, split in ((gold, "test"), (tmp_path, "dev")):
        name = ENGLISH.files(split)[0]
        with pytest.raises(InputError, match=re.escape(name) + ": no such file"):
            ENGLISH.load(folder, split)
    with pytest.raises(InputError, match="no such folder"):
        ENGLISH.load(tmp_path / "nowhere")
    write(tmp_path / "en_simple_test.jsonl", lines("en", "test", "simple"))
    found = ENGLISH.load(tmp_path, "test")
    with pytest.raises(InputError, match=r"en/simple/train\.jsonl: no such file"):
        found.train()


@pytest.mark.parametrize("name", [ENGLISH.name, RUSSIAN.name])
def test_our_model_and_its_submission_score_the_same(release, tmp_path, name):
    result = run(name, release, split="test", baselines=False)
    scores = result.systems[0].scores
    assert list(scores) == [
        "3-class accuracy",
        "3-class macro F1",
        "causality AUC",
        "7-class accuracy",
        "7-class macro F1",
    ]
    assert scores["causality AUC"] > 0.5
    kinds = list(result.systems[0].kinds)
    assert kinds[:3] == ["agreement 0.7", "agreement 1.0", "F1 no causality"]
    assert len(kinds) == 2 + 3 + 7
    path = tmp_path / "submission.jsonl"
    path.write_text(result.submission, encoding="utf-8")
    again = score_submission(name, release, path, split="test")
    assert (again.systems[0].scores, again.systems[0].kinds) == (scores, result.systems[0].kinds)


@pytest.mark.parametrize("name", [ENGLISH.name, RUSSIAN.name])
def test_words_leak_in_a_corpus_of_templates_and_a_random_one_does_not_know(release, name):
    pytest.importorskip("sklearn")
    pytest.importorskip("catboost")
    result = run(name, release, split="test")
    _, trees, words, frequent, random = (system.scores for system in result.systems)
    for scores in (trees, words):
        assert scores["3-class accuracy"] > 0.8
        assert scores["causality AUC"] > 0.9
        assert scores["7-class accuracy"] > 0.8
    assert frequent["3-class accuracy"] == pytest.approx(3 / 7)
    assert frequent["causality AUC"] == 0.5
    assert random["7-class accuracy"] < 0.8
    assert run(name, release, split="test").as_json() == result.as_json()


def test_what_one_labelling_teaches_never_answers_the_other(release):
    found = ENGLISH.load(release, "test")
    only_full = [row for row in found.train() if row.relation]
    with pytest.raises(InputError, match="no pairs that baselines could learn from"):
        ENGLISH.baselines["most frequent class"](only_full, found.rows)
    lengths = {len(answer) for answer in ENGLISH.baselines["random"](found.train(), found.rows)}
    assert lengths == {3, 7}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"probabilities": [0.5, 0.5]}, "submission:1: pair 0 needs 3 or 7 probabilities"),
        ({"probabilities": [0.5, float("nan"), 0.5]}, "submission:1: pair 0 needs"),
        ({"probabilities": "no"}, "submission:1: a line must be"),
        ({"index": 14, "probabilities": [1, 0, 0]}, "submission:1: pair 14 needs 7 probabilities"),
        ({"index": 99}, "submission:1: the index must be one of 0 to 27, each once, not 99"),
        ({}, "submission: 27 of 28 pairs have no line, the first of them 1"),
    ],
)
def test_a_broken_submission_is_refused(release, tmp_path, change, message):
    path = tmp_path / "submission"
    path.write_text(json.dumps({"index": 0, "probabilities": [1, 0, 0]} | change), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_submission(ENGLISH.name, release, path, split="test")


def test_baselines_without_words_follow_the_shares_of_the_labels():
    pairs, labels = [("a", "b")] * 10, [0] * 7 + [2] * 3
    asked = [("c", "d")] * 400
    assert np.array_equal(most_frequent(pairs, labels, asked, 3), np.eye(3)[[0] * 400])
    drawn = random_class(pairs, labels, asked, 3)
    assert drawn[:, 1].sum() == 0
    assert 0.6 < drawn[:, 0].mean() < 0.8
    assert np.array_equal(drawn, random_class(pairs, labels, asked, 3))


def test_a_single_class_is_all_that_can_be_learnt_of_it():
    pytest.importorskip("sklearn")
    assert np.array_equal(logistic_regression([("a", "b")], [1], [("c", "d")], 3), [[0, 1, 0]])


def test_words_tell_a_pair_from_its_mirror():
    pytest.importorskip("sklearn")
    pairs = [("dam breaks", "town floods"), ("town floods", "dam breaks")] * 5
    table = logistic_regression(pairs, [1, 2] * 5, pairs[:2], 3)
    assert np.argmax(table, axis=1).tolist() == [1, 2]


def test_a_split_without_rows_is_no_result(tmp_path):
    row = {"left_title": "Dam breaks", "right_title": "Village floods", "label": RELATIONS[3], "language": "en"}
    write(tmp_path / "pairs.jsonl", [row])
    empty = next(name for name in ("dev", "test") if not ENGLISH.load(tmp_path, name).rows)
    with pytest.raises(InputError, match=f"there are no {empty} .*rows of headline-cause in pairs.jsonl"):
        run(ENGLISH, tmp_path, split=empty)
