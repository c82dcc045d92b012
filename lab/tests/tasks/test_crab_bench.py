"""The benchmark on CRAB, over a small corpus of our own in its format."""

import json
import re
from http.server import BaseHTTPRequestHandler

import pytest
from lab.tests.corpora.made_up_crab import STORIES as STORIES_MADE
from lab.tests.corpora.made_up_crab import rows, write_lines
from tests.local_server import answering, says
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError
from whywire.links.judges.judge import EventPair
from whywire.links.judges.prompts import PromptKind
from whywire_lab.corpora.crab import PAIRS_FILE
from whywire_lab.metrics.crab import make_choices
from whywire_lab.tasks.crab import PAIRS, leave_one_story_out
from whywire_lab.tasks.crab_chat import read_prompts
from whywire_lab.tasks.crab_events import STORIES, scores
from whywire_lab.tasks.run import run, score_submission

SCORES = ["score F1", "4-class F1", "binary F1", "choice F1", "choice EM", "frame F1", "frame EM"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_lines(folder / "crab" / PAIRS_FILE, rows())
    return folder


def test_by_default_it_is_all_pairs_and_the_paper_s_splits_are_there(data):
    found = PAIRS.load(data)
    assert (found.split, len(found.rows)) == ("all pairs", len(rows()))
    assert PAIRS.load(data / "crab", "all").rows == PAIRS.load(data / "crab" / PAIRS_FILE).rows == found.rows
    for split, name in (("date", "split by date"), ("story", "split by story"), ("random", "random split")):
        held_out = PAIRS.load(data, split)
        assert held_out.split == name
        assert len(held_out.rows) + len(held_out.train()) == len(found.rows)
        shared = {row.story for row in held_out.rows} & {row.story for row in held_out.train()}
        assert bool(shared) is (split == "random")
    with pytest.raises(InputError, match=r"no split 'test' \(one of date, story, random"):
        PAIRS.load(data, "test")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=f"there are no pairs .*{re.escape(PAIRS_FILE)}"):
        PAIRS.load(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        PAIRS.load(tmp_path / "nowhere")


def test_our_model_and_its_submission_score_the_same(data, tmp_path):
    result = run("crab", data, baselines=False)
    ours = result.systems[0]
    assert list(ours.scores) == SCORES
    assert ours.scores["binary F1"] > 0.5
    for name in ("in-document, 4-class F1", "cross-document, choice EM", "before 2022-01-01, score F1"):
        assert name in ours.kinds
    for name in ("frame strong direct, F1", "frame none, EM", "chain mediation, EM", "chain confounding, F1"):
        assert name in ours.kinds
    assert ours.kinds["workers' alpha, none and high"] > 0.9
    path = tmp_path / "answers.jsonl"
    path.write_text(result.submission, encoding="utf-8")
    again = score_submission("crab", data, path).systems[0]
    assert (again.scores, again.kinds) == (ours.scores, ours.kinds)


def test_baselines_learn_from_other_stories_only(data):
    pytest.importorskip("sklearn")
    result = run("crab", data)
    _, words, similarity, frequent, random = (system.scores for system in result.systems)
    assert words["4-class F1"] > 0.8  # the made-up stories tell of the same kinds of events
    assert words["binary F1"] > random["binary F1"]
    assert frequent["4-class F1"] < 0.3
    assert 0 < similarity["score F1"] < 1
    assert run("crab", data).as_json() == result.as_json()


def test_what_is_asked_is_never_learnt_from(data):
    seen = []

    def learner(train, asked):
        seen.append(({row.story for row in train}, {row.story for row in asked}))
        return PAIRS.answer(PAIRS.open(PAIRS.model), asked, None)

    found = PAIRS.load(data)
    answers = leave_one_story_out(learner)(found.train(), found.rows)
    assert answers == PAIRS.answer(PAIRS.open(PAIRS.model), found.rows, None)
    assert len(seen) == len(STORIES_MADE)
    assert all(known.isdisjoint(asked) for known, asked in seen)
    one_story = [row for row in found.rows if row.story == found.rows[0].story]
    with pytest.raises(InputError, match="no other story"):
        leave_one_story_out(learner)(one_story, one_story)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": 60}, "row 1: the index must be one of 0 to 59, each once, not 60"),
        ({"strength": 101}, "row 1: the strength must be a number from 0 to 100, not 101"),
        ({"strength": None}, "row 1: the strength must be a number"),
        ({"class": "huge"}, "row 1: class is one of none, low, medium, high"),
        ({"causal": 1}, "row 1: class is one of"),
        ({}, "59 of 60 pairs have no line, the first of them 1"),
    ],
)
def test_a_broken_submission_is_refused(data, tmp_path, change, message):
    path = tmp_path / "submission.jsonl"
    path.write_text(json.dumps({"index": 0, "strength": 50} | change), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_submission("crab", data, path)


def test_the_command_shows_many_kinds_below_each_other(data):
    arguments = ["bench", "crab", "--data", str(data), "--no-baselines"]
    shown = CliRunner().invoke(app, arguments, env={"COLUMNS": "160"}, catch_exceptions=False).output
    assert "GPT-4 (Romanou et al. 2023) [1]" in shown
    assert "[1] cannot be compared with ours: the paper does not say which four causes" in shown
    lines = shown.splitlines()
    kinds = [line.split("  ")[0].strip() for line in lines]
    assert "class high, recall" in kinds
    assert "causal above 50, yes or no F1" in kinds
    assert "cross-document, binary F1" in kinds
    assert "chain mediation, F1" in kinds


PAPERS = [
    {"prompt_name": name, "prompt_template": {"instructions": "Judge.", "question": question}}
    for name, question in (
        ("pairwise_score_w_context", "{} {} How much, of 100, did {} lead to {}?"),
        ("pairwise_bins_4_w_context", "{} {} In which of four classes: {}, {}?"),
        ("pairwise_binary_w_context", "{} {} Yes or no: {}, {}?"),
        ("mcq_w_context", "{} {} {} {} {} What led to {}? A. {} B. {} C. {} D. {}"),
    )
]
"""Prompts of our own in the form of the authors' file."""


def answer_to(question):
    """What a chat model says that goes by the words of the question alone."""
    if "of 100" in question or "from 0 to 100" in question:
        return "It rained. <Answer>85</Answer>"
    if "four classes" in question or "one letter" in question:
        return "<answer>B</answer>" if "four classes" in question else "I cannot tell."
    return "Yes" if "Yes or no" in question or "yes or no" in question else "<answer>A</answer>"


@pytest.fixture
def chat(monkeypatch):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            (message,) = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            asked.append(message["content"])
            content = says(answer_to(message["content"])).body.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with answering(Handler) as url:
        monkeypatch.setenv("WHYWIRE_CHAT_URL", f"{url}/v1")
        monkeypatch.setenv("WHYWIRE_CHAT_MODEL", "tiny-chat")
        monkeypatch.setenv("NO_PROXY", "*")
        yield asked


def test_a_chat_model_answers_each_question_once_in_our_words_and_in_the_paper_s(data, chat, tmp_path):
    prompts, out = tmp_path / "prompts.json", tmp_path / "scores.json"
    prompts.write_text(json.dumps(PAPERS), encoding="utf-8")
    given = ["bench", "crab", "--data", data, "--no-baselines", "--chat", "--prompts", prompts, "-o", out]
    done = CliRunner().invoke(app, [*map(str, given), "--cache", str(tmp_path / "cache")], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert max(map(len, done.output.splitlines())) <= 80
    _, ours, papers = json.loads(out.read_text())["systems"]
    assert [ours["name"], papers["name"]] == ["tiny-chat, our prompts", "tiny-chat, the paper's prompts"]
    pairs = PAIRS.load(data).rows
    questions = 2 * (3 * len(pairs) + len(make_choices(pairs)))
    assert len(chat) == len(set(chat)) == questions
    assert ours["scores"]["4-class F1"] == 0  # no class could be read
    assert papers["scores"]["4-class F1"] > 0
    assert ours["scores"]["score F1"] == papers["scores"]["score F1"] > 0
    assert ours["scores"]["choice EM"] == papers["scores"]["choice EM"]
    assert all(pair.cause.text in "".join(chat) for pair in pairs)
    assert pairs[0].cause.context in chat[0]


def test_prompts_of_another_form_are_refused_before_anything_is_asked(data, chat, tmp_path):
    for written, message in (
        ("[]", "these are not the prompts of CRAB"),
        (json.dumps(PAPERS).replace("of four", "{} of four"), "pairwise_bins_4_w_context must have 4 blanks"),
    ):
        path = tmp_path / "prompts.json"
        path.write_text(written, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_prompts(path)
    given = ["bench", "crab", "--data", str(data), "--chat", "--prompts", str(path)]
    assert isinstance(CliRunner().invoke(app, given).exception, InputError)
    assert chat == []


def test_what_stands_in_a_prompt_is_text(data, tmp_path):
    path = tmp_path / "prompts.json"
    path.write_text(json.dumps(PAPERS), encoding="utf-8")
    pair = EventPair("{} came", "{0} went", ("one", "two"))
    assert read_prompts(path).pair(pair, PromptKind.BINARY) == "Judge.one two Yes or no: {} came, {0} went?"
    told = EventPair("a <|im_end|> b", pair.effect, pair.context)
    assert "<" not in read_prompts(path).pair(told, PromptKind.BINARY)


def test_the_main_events_of_documents_are_counted_by_their_words(data):
    found = STORIES.load(data)
    assert len(found.rows) == len(STORIES_MADE)
    assert all(len(row.events) == 6 and len(row.documents) == 2 for row in found.rows)
    assert "tables 10 and 12" in found.notes[0]
    perfect = [row.events for row in found.rows]
    assert scores(found.rows, perfect) == {"precision": 1, "recall": 1, "F1": 1}
    half = scores(found.rows, [(events[0], "An actor sang") for events in perfect])
    assert half["precision"] == 0.5
    assert half["recall"] == pytest.approx(1 / 6)
    assert scores(found.rows, [()] * len(perfect))["F1"] == 0


@pytest.mark.model
def test_main_events_are_those_of_a_build_of_the_documents(data, tmp_path):
    result = run("crab-events", data)
    ours, first = (system.scores for system in result.systems)
    assert 0 <= ours["recall"] <= 1
    assert 0 <= first["precision"] <= 1
    path = tmp_path / "events.jsonl"
    path.write_text(result.submission, encoding="utf-8")
    assert score_submission("crab-events", data, path).systems[0].scores == ours
