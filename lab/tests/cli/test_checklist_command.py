"""``whywire checklist`` as a person and a program run it, and the cases that come with the package."""

import json
import shutil
from collections import Counter
from functools import partial
from importlib.resources import files

import numpy as np
import pytest
from tests.cli.commands import run as run_command

from whywire.errors import InputError, ModelError
from whywire.models.pretrained import WEIGHTS
from whywire.pairs.model import PairModel
from whywire.pairs.relations import most_likely
from whywire_lab.metrics.checklist import read_cases
from whywire_lab.tasks.checklist import SHIPPED

STORM = ("Storm cuts power to 40,000 homes in Calder Bay", "Calder Bay schools stay closed after power cut")
BLACKOUT = ("Шторм оставил без света 40 тысяч домов в Каменке", "Школы Каменки закрыты из-за отключения света")


run = partial(run_command, "checklist")


def case(test, kind, pair, **more):
    return {"test": test, "type": kind, "left": pair[0], "right": pair[1], **more}


@pytest.fixture
def mine(tmp_path):
    """Cases of which the embedded model must fail some: what it answers, and what it does not, is expected of it."""
    rows = [case("turned round", "DIR", STORM, change="swap")]
    answer = str(most_likely(PairModel.from_pretrained().relate([STORM])[0]))
    rows += [
        case(
            "[same]", "INV", STORM, change=dict.fromkeys(("left", "right"), "[bold] 7"), note="nothing causes itself"
        )
    ]
    rows += [case("plain", "MFT", STORM, expect=answer), case("plain", "MFT", STORM, **{"not": answer})]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path, answer


def test_a_person_sees_how_often_each_test_fails(mine):
    shown = [line.split() for line in run(mine[0]).splitlines()]
    assert shown[0] == ["pairs:", "mine.jsonl"]
    assert ["turned", "round", "DIR", "0", "of", "1", "0.0", "0", "of", "1", "0.0"] in shown
    assert ["[same]", "INV"] in [line[:2] for line in shown if line[-4:] == ["1", "of", "1", "100.0"]]
    assert ["plain", "MFT"] in [line[:2] for line in shown if line[-4:] == ["1", "of", "2", "50.0"]]


def test_failing_cases_are_shown_on_demand(mine):
    path, answer = mine
    assert f"{path}:4" not in run(path)
    shown = run(path, "--failures")
    assert f"plain (MFT), {path}:4\n  {STORM[0]}\n  {STORM[1]}\n  {answer}, expected not {answer}\n" in shown
    assert f"{path}:3" not in shown
    assert "[same] (INV)" in shown
    assert shown.count("  [bold] 7\n") == 2
    assert "  nothing causes itself\n" in shown


def test_a_program_gets_rates_and_failing_cases(mine, tmp_path):
    path, answer = mine
    run(path, "--out", tmp_path / "out" / "report.json", "--seed", 3)
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (report["model"], report["files"], report["seed"]) == ("pairs", ["mine.jsonl"], 3)
    turned, same, plain = report["tests"]
    assert turned == {
        "test": "turned round",
        "type": "DIR",
        "cases": 1,
        "failures": 0,
        "rate": 0,
        "rate of three classes": 0,
        "failed": [],
    }
    assert same["failed"][0]["changed"]["left"] == "[bold] 7"
    assert same["failed"][0]["expected"] == [answer]
    assert (plain["cases"], plain["failures"], plain["rate"]) == (2, 1, 0.5)
    assert plain["failed"][0]["answer"] == answer
    assert answer not in plain["failed"][0]["expected"]


def test_another_model_is_asked(tmp_path):
    path = tmp_path / "ru.jsonl"
    rows = [case("в обратном порядке", "DIR", BLACKOUT, change="swap")]
    path.write_text(json.dumps(rows[0], ensure_ascii=False), encoding="utf-8")
    shutil.copytree(WEIGHTS / "pairs", tmp_path / "mine")
    shown = run(path, "--model", tmp_path / "mine")
    assert shown.splitlines()[0].strip().endswith("mine: ru.jsonl")
    assert "в обратном порядке" in shown


def test_what_cannot_be_used_is_named_before_a_model_is_asked(tmp_path):
    assert "none.jsonl: no such file (shipped are en, ru)" in run(tmp_path / "none.jsonl", fails=InputError)
    assert "no such model" in run("en", "--model", tmp_path / "mymodel", fails=ModelError)


def test_help_teaches_a_row_of_each_type():
    shown = run("--help")
    assert all(f'"type": "{kind}"' in shown for kind in ("INV", "DIR", "MFT"))


def test_the_shipped_cases_come_with_the_package():
    assert set(SHIPPED) == {"en", "ru"}
    assert files("whywire_lab.tasks").joinpath("checklists", "en.jsonl").is_file()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_shipped_cases_are_many_and_each_is_another(language):
    cases = read_cases([SHIPPED[language]])
    assert all(40 <= count <= 60 for count in Counter(case.test for case in cases).values())
    assert len({(case.test, *sorted(case.pair)) for case in cases}) == len(cases)
    cyrillic = [
        "а" <= letter <= "я" for case in cases for title in case.pair for letter in title.lower() if letter.isalpha()
    ]
    assert np.mean(cyrillic) > 0.95 if language == "ru" else not any(cyrillic)


def test_both_languages_have_the_same_tests():
    english, russian = ({(case.test, case.type) for case in read_cases([SHIPPED[name]])} for name in ("en", "ru"))
    assert english == russian
