"""``whywire predict --with lm``: a language model that has learned effects writes them."""

import pytest
from tests.cli.test_predict import LIKELY, TITLE, run, written


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_a_language_model_writes(tmp_path):
    torch = pytest.importorskip("torch", reason="a language model needs torch")
    transformers = pytest.importorskip("transformers", reason="a language model needs transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    from whywire_lab.recipes.effect_generator import EffectPair, train_effects
    from whywire_lab.recipes.training_loop import Schedule

    words = sorted({*TITLE.split(), *LIKELY.split()})
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(["<end>", *words])}, "<end>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>").save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(words) + 1, n_positions=128, n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    pairs = [EffectPair(TITLE, LIKELY)]
    train_effects(tmp_path, {"train": pairs * 20, "valid": pairs}, tmp_path / "lm", Schedule(8, 1e-2, batch=2))
    (row,) = run("-", "--with", "lm", "--model", tmp_path / "lm", lines=written({"title": TITLE}))
    assert row["effects"][0]["text"] == LIKELY
    assert row["effects"][0]["because"] == [{"kind": "model", "model": str(tmp_path / "lm")}]
