"""Headline Generator Swap on the task of grouping headlines, with a tiny GPT-2 made on the spot."""

import json
from dataclasses import replace

import numpy as np
import pytest
from lab.tests.tasks.test_bench_hlgd import rows
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError
from whywire_lab.tasks.hlgd import PAIRS, generator_swap

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The pairs, each report with a url that names its headline."""
    folder = tmp_path_factory.mktemp("corpora") / "hlgd"
    folder.mkdir()
    addressed = [
        row | {f"url_{side}": f"https://news.test/{row[f'headline_{side}']}" for side in "ab"} for row in rows()
    ]
    (folder / "hlgd.json").write_text(json.dumps(addressed), encoding="utf-8")
    return folder.parent


def texts(data, text=lambda headline: f"{headline}, say our reporters."):
    found = [side for row in [*PAIRS.load(data).rows, *PAIRS.load(data).train()] for side in (row.a, row.b)]
    return {report.url: text(report.headline) for report in found}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpt2")
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=_letters(), unk_token="?", bos_token="<s>", eos_token="<s>"
    )
    made.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=len(made), n_positions=256, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def _letters():
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split

    letters = ["?", "<s>", *map(chr, range(32, 127))]
    made = Tokenizer(
        WordLevel({letter: number for number, letter in enumerate(dict.fromkeys(letters))}, unk_token="?")
    )
    made.pre_tokenizer = Split(Regex("."), "isolated")
    return made


def test_pairs_whose_headlines_would_do_for_each_other_are_the_same_event(data):
    def shared(left, right):
        words = [
            [len(set(headline.split()) & set(text.replace(",", "").split())) for headline, text in pair]
            for pair in ([(one[0], other[1]), (other[0], one[1])] for one, other in zip(left, right, strict=True))
        ]
        return np.exp(np.mean(words, axis=1))

    task = replace(PAIRS, texts=texts(data)).load(data)
    answers = generator_swap(shared)(task.train(), task.rows)
    scores = PAIRS.score(task.rows, answers)
    assert scores["AUC"] > 0.8
    assert scores["AUC +time"] >= scores["AUC"]


def test_reports_without_a_text_are_counted_and_named(data):
    known = texts(data)
    missing = PAIRS.load(data).rows[0].a.url
    del known[missing]
    task = replace(PAIRS, texts=known).load(data)
    with pytest.raises(InputError, match=f"1 articles have no text, the first of them {missing}"):
        generator_swap(lambda left, right: np.ones(len(left)))(task.train(), task.rows)


def test_the_command_measures_a_language_model_beside_the_baselines(data, checkpoint, tmp_path):
    lines = (json.dumps({"url": url, "text": text}) for url, text in texts(data).items())
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "scores.json"
    given = ["bench", "hlgd", "--data", data, "--no-baselines", "--generator", checkpoint, "--texts", path, "-o", out]
    result = CliRunner().invoke(app, [*map(str, given)])
    assert result.exit_code == 0, result.output
    systems = json.loads(out.read_text())["systems"]
    assert [system["name"].split(",")[0] for system in systems] == ["Whywire", "generator swap"]
    assert 0 <= systems[1]["scores"]["F1"] <= 1


def test_a_generator_wants_texts(data):
    result = CliRunner().invoke(app, ["bench", "hlgd", "--data", str(data), "--generator", "gpt2"])
    assert "--generator needs the articles (give them by --texts)" in str(result.exception)
