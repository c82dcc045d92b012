"""The recipe for a model that writes effects, on a tiny GPT-2 with random weights."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402

from whywire.answers.effect_writer import SEPARATOR, EffectWriter  # noqa: E402
from whywire.errors import InputError, ModelError  # noqa: E402
from whywire_lab.recipes.effect_generator import (  # noqa: E402
    EffectLearner,
    EffectPair,
    effects_among,
    load_effects,
    train_effects,
)
from whywire_lab.recipes.pair_rows import CAUSED, CAUSED_BACK, NOT_CAUSAL, row_of  # noqa: E402
from whywire_lab.recipes.training_loop import Schedule  # noqa: E402

PAIRS = [
    EffectPair("dam breaks", "village floods"),
    EffectPair("refinery burns", "fuel runs short"),
    EffectPair("pilots strike", "flights stop"),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A checkpoint as the hub's are, without a separator and without padding."""
    folder = tmp_path_factory.mktemp("base")
    words = sorted({word for pair in PAIRS for word in f"{pair.cause} {pair.effect}".split()})
    vocabulary = {word: number for number, word in enumerate(["<unk>", "<end>", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<end>", eos_token="<end>"
    )
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(vocabulary), n_positions=128, n_embd=32, n_layer=1, n_head=2, bos_token_id=1, eos_token_id=1
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    schedule = Schedule(epochs=25, rate=1e-2, batch=6)
    return folder, train_effects(base, {"train": PAIRS * 10, "valid": PAIRS}, folder, schedule)


def test_training_lowers_the_loss_and_the_folder_holds_the_better_model(trained):
    folder, losses = trained
    assert losses["after"] < 0.5 * losses["before"]
    again = EffectLearner.from_pretrained(folder)
    assert again.mean_loss(PAIRS, 2) == pytest.approx(losses["after"], abs=0.05)


def test_it_writes_the_effects_it_has_learned(trained):
    writer = EffectWriter.from_pretrained(trained[0])
    for pair in PAIRS:
        assert writer.write(pair.cause, 8)[0] == pair.effect


def test_one_seed_always_writes_the_same(base):
    writer = EffectLearner.from_base(base)
    first, again, other = (writer.write("dam breaks", 4, seed=seed) for seed in (3, 3, 4))
    assert first == again != other


def test_drawing_leaves_everybody_elses_random_numbers_alone(trained):
    writer = EffectWriter.from_pretrained(trained[0])
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    writer.write("dam breaks", 2)
    assert torch.equal(torch.rand(1), expected)


def test_only_the_effect_counts_for_the_loss(base):
    """Training on an effect that is always the same leaves the surprise at causes out of it."""
    writer = EffectLearner.from_base(base)
    pair = EffectPair("dam breaks", "village floods")
    prompt = torch.tensor([writer.tokenizer(f"<end> dam breaks {SEPARATOR}")["input_ids"]])
    whole = torch.tensor([writer.tokenizer(f"<end> dam breaks {SEPARATOR} village floods <end>")["input_ids"]])
    with torch.no_grad():
        likely = writer.net(whole).logits.log_softmax(-1)[0]
        expected = -sum(likely[at - 1, whole[0, at]] for at in range(prompt.shape[1], whole.shape[1])) / 3
        assert float(writer.loss([pair])) == pytest.approx(float(expected), abs=1e-5)
        beside = writer.loss([pair, EffectPair("dam " * 20, "flights stop " * 5)])
    assert float(beside) != pytest.approx(float(expected), abs=1e-3)


def test_an_endless_cause_leaves_room_for_its_effect(base):
    writer = EffectLearner.from_base(base)
    with torch.no_grad():
        assert torch.isfinite(writer.loss([EffectPair("dam " * 500, "village " * 500)]))
    assert writer.write("dam " * 500, 1) is not None


def test_a_checkpoint_that_learned_no_effects_is_refused(base, tmp_path):
    with pytest.raises(ModelError, match="has not learned to write effects"):
        EffectWriter.from_pretrained(base)
    with pytest.raises(ModelError, match="no causal language model"):
        EffectLearner.from_base(tmp_path / "nothing")


def test_pairs_are_read_and_parted_by_their_cause(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [{"cause": f"dam {number} breaks", "effect": f"town {number % 7}  floods"} for number in range(200)]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, *rows]), encoding="utf-8")
    parts = load_effects(path)
    causes = {part: {pair.cause for pair in pairs} for part, pairs in parts.items()}
    assert not causes["train"] & causes["valid"]
    assert sum(map(len, parts.values())) == 400
    assert parts["train"][0].effect.startswith("town ")
    assert "  " not in parts["train"][0].effect


@pytest.mark.parametrize(
    ("line", "message"),
    [('{"cause": "x"}', "cause and an effect"), ("[]", "cause and an effect"), ("{", "broken JSON")],
)
def test_a_line_that_is_no_pair_is_named(tmp_path, line, message):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"cause": "dam breaks", "effect": "town floods"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"pairs\.jsonl:2: .*{message}"):
        load_effects(path)


def test_pairs_too_few_to_stop_by_are_refused(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"cause": "dam breaks", "effect": "town floods"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no pair is for"):
        load_effects(path)


def test_pairs_give_what_led_to_what_in_one_language():
    rows = {
        "train": [
            row_of("dam breaks", "village floods", CAUSED, "en", "invented"),
            row_of("fuel runs short", "refinery burns", CAUSED_BACK, "en", "invented"),
            row_of("pilots strike", "rovers win", NOT_CAUSAL, "en", "invented"),
            row_of("pilots strike", "flights stop", CAUSED | NOT_CAUSAL, "en", "graded-stories"),
            row_of("прорвало плотину", "село затопило", CAUSED, "ru", "invented"),
        ],
        "valid": [row_of("pilots strike", "flights stop", CAUSED, "en", "stream")],
        "dev": [row_of("cup final", "rovers win", CAUSED, "en", "stream")],
    }
    assert effects_among(rows, "en") == {"train": PAIRS[:2], "valid": PAIRS[2:]}
    assert effects_among(rows, "ru")["train"] == [EffectPair("прорвало плотину", "село затопило")]
