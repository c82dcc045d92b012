"""The pairwise recipes on tiny encoders: what they learn, write and read back."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("onnx", reason="training needs onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

from lab.tests.corpora.made_up_crab import rows, write_lines  # noqa: E402
from lab.tests.recipes.test_recipes import checkpoint, tiny_base  # noqa: E402, F401
from lab.tests.tasks.test_event_causes_bench import questions, write  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from whywire.cli.app import app  # noqa: E402
from whywire.errors import InputError, ModelError  # noqa: E402
from whywire_lab.cli.train import PAIRWISE  # noqa: E402
from whywire_lab.corpora.crab import PAIRS_FILE, CausalPair, StoryEvent  # noqa: E402
from whywire_lab.recipes.crab_pairwise import (  # noqa: E402
    PAIRWISE_TASKS,
    judge,
    load_pairwise,
    load_parts,
    texts_of,
    train_pairwise,
)
from whywire_lab.recipes.training_loop import Schedule  # noqa: E402


def pair(cause: str, effect: str, score: float, **contexts: str) -> CausalPair:
    events = (StoryEvent(text, text, context=contexts.get(name, "")) for name, text in (("a", cause), ("b", effect)))
    return CausalPair(*events, score, "s")


LEARNT = [
    pair("fire", "fuel ran short", 90),
    pair("fuel ran short", "fire", 10),
    pair("strike", "fuel ran short", 60),
    pair("town flooded", "fuel ran short", 35),
]


@pytest.fixture
def crab(tmp_path):
    write_lines(tmp_path / "data" / "crab" / PAIRS_FILE, rows())
    return tmp_path / "data"


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRWISE_TASKS)
def test_each_form_learns_its_question_and_is_read_back(tmp_path, name):
    parts = dict.fromkeys(("train", "valid", "test"), LEARNT * 6)
    scores = train_pairwise(name, tiny_base(), parts, tmp_path, Schedule(epochs=30, rate=3e-3, batch=8), seed=1)
    assert scores["test"] == {"pairs": len(LEARNT * 6), PAIRWISE_TASKS[name].score: 1}
    assert json.loads((tmp_path / "scores.json").read_text()) == scores
    judged = judge(*load_pairwise(tmp_path), LEARNT)
    strengths = [own.strength for own in judged]
    assert strengths[0] > 50 > strengths[1]
    assert [own.causal for own in judged] == [True, False, True, False]
    if name == "crab-classes":
        assert [str(own.strength_class) for own in judged] == ["high", "none", "medium", "low"]


def test_events_stand_before_their_documents_and_one_document_is_read_once():
    assert texts_of(pair("x", "y", 1, a="First.", b="Second.")) == ("x\nFirst.", "y\nSecond.")
    assert texts_of(pair("x", "y", 1, a="Both.", b="Both.")) == ("x\nBoth.", "y")
    assert texts_of(pair("x", "y", 1)) == ("x", "y")


@pytest.mark.parametrize("split", ["date", "story"])
def test_no_story_is_learnt_from_and_measured_on(crab, split):
    parts = load_parts(crab, split)
    assert load_parts(crab / "crab", split) == load_parts(crab / "crab" / PAIRS_FILE, split) == parts
    stories = [{pair.story for pair in parts[part]} for part in ("train", "valid", "test")]
    assert [len(own) for own in stories] == [2, 1, 1]
    assert len(set.union(*stories)) == 4


def test_without_crab_it_is_event_causes_by_our_own_parts(tmp_path):
    asked = questions()
    asked[0] |= {"option_D": "None of the others did it."}
    write(tmp_path / "event_causes" / "questions.jsonl", asked)
    parts = load_parts(tmp_path, "story")
    assert parts == load_parts(tmp_path / "event_causes", "date")
    assert {pair.story for pair in parts["test"]} == {"0", "5", "10"}
    assert {pair.story for pair in parts["valid"]} == {"1"}
    assert sum(map(len, parts.values())) == 4 * len(asked) - 1
    assert {pair.score for pair in parts["train"]} == {90, 25}


def test_too_few_stories_to_hold_some_out_is_said(tmp_path):
    few = [row for row in rows() if row["story"] in ("Flood of Arle", "Flood of Borr")]
    write_lines(tmp_path / PAIRS_FILE, few)
    with pytest.raises(InputError, match="too little to hold a part out of"):
        load_parts(tmp_path, "story")


@pytest.mark.slow
def test_the_command_goes_the_whole_way_from_any_checkpoint(crab, checkpoint, tmp_path):  # noqa: F811
    out = tmp_path / "runs"
    options = ["--data", str(crab), "--base", checkpoint, "--out", str(out), "--runs", "1", "--split", "date"]
    called = CliRunner().invoke(app, ["train", "crab-classes", *options], catch_exceptions=False)
    assert called.exit_code == 0, called.output
    written = out / "crab-classes"
    assert {path.name for path in written.iterdir()} == {"net.pt", "config.json", "tokenizer.json", "scores.json"}
    scores = json.loads((written / "scores.json").read_text())
    assert scores["test"]["pairs"] == 15
    assert str(tmp_path) not in json.dumps(json.loads((written / "config.json").read_text())["encoder"])
    assert len(judge(*load_pairwise(written), load_parts(crab, "date")["test"])) == 15


def test_the_command_knows_the_forms_and_the_splits(tmp_path):
    assert tuple(PAIRWISE_TASKS) == PAIRWISE
    wrong = ["train", "crab-score", "--data", str(tmp_path), "--out", str(tmp_path), "--split", "test"]
    called = CliRunner().invoke(app, wrong)
    assert isinstance(called.exception, InputError)
    assert "no split 'test' (known are date, story, random)" in str(called.exception)


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(ModelError, match="this is none of crab-score"):
        load_pairwise(tmp_path)
