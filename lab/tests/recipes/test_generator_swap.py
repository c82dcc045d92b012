"""Headline Generator Swap on a tiny GPT-2 made on the spot."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from tokenizers import Tokenizer  # noqa: E402
from tokenizers.models import WordLevel  # noqa: E402
from tokenizers.pre_tokenizers import Whitespace  # noqa: E402

from whywire.errors import ModelError  # noqa: E402
from whywire_lab.candidates.same_event_baselines import DECAY_PER_DAY  # noqa: E402
from whywire_lab.recipes.generator_swap import (  # noqa: E402
    CONTENT_TOKENS,
    HeadlineAndText,
    HeadlineGenerator,
    swap_logs,
    swap_scores,
)

FIRE = HeadlineAndText(
    "refinery burns", "a fire broke out at the old refinery on monday night and spread to two tanks"
)
BLAZE = HeadlineAndText(
    "blaze at oil plant", "flames rose over the refinery near the harbour after a tank caught fire"
)
MATCH = HeadlineAndText("rovers win the cup", "the home side scored twice late in the final and lifted the cup")
BUDGET = HeadlineAndText("parliament passes budget", "after three weeks of debate the house voted for the new budget")
STORIES = [FIRE, BLAZE, MATCH, BUDGET]


def tokenizer(**specials):
    words = sorted({word for story in STORIES for word in (story.headline + " " + story.content).split()})
    names = ["<unk>", "<s>", "</s>", *words]
    made = Tokenizer(WordLevel({word: number for number, word in enumerate(names)}, unk_token="<unk>"))
    made.pre_tokenizer = Whitespace()
    given = {"bos_token": "<s>", "eos_token": "</s>", **specials}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>", **given)


class WholeLogits(transformers.GPT2LMHeadModel):
    """A model that cannot leave logits out."""

    def forward(self, input_ids, attention_mask):
        return super().forward(input_ids=input_ids, attention_mask=attention_mask)


def model(positions=64, kind=transformers.GPT2LMHeadModel):
    torch.manual_seed(0)
    return kind(
        transformers.GPT2Config(
            vocab_size=len(tokenizer()),
            n_positions=positions,
            n_embd=32,
            n_layer=2,
            n_head=2,
            bos_token_id=1,
            eos_token_id=2,
        )
    )


def generator(positions=64, **options):
    return HeadlineGenerator(model(positions), tokenizer(), **options)


@pytest.fixture(scope="module")
def taught():
    """A generator that knows one event by heart: each headline under either text."""
    made = generator()
    swapped = [HeadlineAndText(FIRE.headline, BLAZE.content), HeadlineAndText(BLAZE.headline, FIRE.content)]
    made.learn([FIRE, BLAZE, *swapped], epochs=60, rate=3e-3)
    return made


def test_a_likelihood_is_that_of_the_headline_and_its_end_token_by_token():
    made = generator()
    found = made.log_likelihoods([FIRE.content], [FIRE.headline])
    words = made.tokenizer
    context = [*words(FIRE.content)["input_ids"], words.bos_token_id]
    logs = []
    for token in [*words(FIRE.headline)["input_ids"], words.eos_token_id]:
        with torch.no_grad():
            probabilities = made.model(torch.tensor([context])).logits[0, -1].log_softmax(0)
        logs.append(float(probabilities[token]))
        context.append(token)
    assert found == pytest.approx([np.mean(logs)], abs=1e-5)


@pytest.mark.parametrize("against_own", [False, True])
def test_the_order_of_a_pair_does_not_matter(taught, against_own):
    left, right = [FIRE, FIRE, BUDGET], [BLAZE, MATCH, MATCH]
    forth = swap_scores(taught, left, right, [0, 1, 2], against_own=against_own)
    back = swap_scores(taught, right, left, [0, 1, 2], against_own=against_own)
    assert forth == pytest.approx(back, rel=1e-5)


def test_neither_batch_nor_company_changes_a_likelihood():
    contents = [story.content for story in STORIES for _ in STORIES]
    headlines = [story.headline for _ in STORIES for story in STORIES]
    alone = generator(batch=1).log_likelihoods(contents, headlines)
    together = generator(batch=16).log_likelihoods(contents, headlines)
    assert alone == pytest.approx(together, abs=1e-5)
    assert (alone < 0).all()


def test_no_logits_are_reckoned_of_a_text_where_the_model_can_leave_them_out():
    contents, headlines = [FIRE.content, MATCH.content], [FIRE.headline, BLAZE.headline]
    found, lengths = [], []
    for kind in (transformers.GPT2LMHeadModel, WholeLogits):
        made = HeadlineGenerator(model(kind=kind), tokenizer(), batch=1)
        made.model.register_forward_hook(lambda *told: lengths.append(told[-1].logits.shape[1]))
        found.append(made.log_likelihoods(contents, headlines))
    assert sorted(lengths[:2]) == [2 + 2, 4 + 2]
    assert min(lengths[2:]) > 15
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_what_is_asked_twice_is_read_once():
    made, read = generator(), []
    made.model.register_forward_hook(lambda *told: read.append(told[-1].logits.shape[0]))
    logs = swap_logs(made, [FIRE, FIRE, BLAZE], [BLAZE, FIRE, FIRE], against_own=True)
    assert (logs.shape, len(read)) == ((2, 3), 4)
    assert np.exp(logs[0] - logs[1]) == pytest.approx(
        swap_scores(made, [FIRE, FIRE, BLAZE], [BLAZE, FIRE, FIRE], against_own=True)
    )


def cache_of(output):
    """What the model keeps of the text; since 5.24 transformers has another name for it."""
    return output["cache"] if "cache" in output else output["past_key_values"]


@pytest.mark.parametrize("batch", [1, 3, 16])
def test_a_text_is_read_once_for_all_its_headlines_and_none_of_them_changes(batch):
    contents, headlines = [FIRE.content] * 4 + ["", ""], [story.headline for story in [*STORIES, FIRE, MATCH]]
    made, lengths = generator(batch=batch), []
    made.model.register_forward_hook(lambda *told: lengths.append(cache_of(told[-1]).get_seq_length()))
    found = made.log_likelihoods(contents, headlines)
    assert len(lengths) == 2 + sum(-(-asked // batch) for asked in (4, 2))
    alone = HeadlineGenerator(model(kind=WholeLogits), tokenizer()).log_likelihoods(contents, headlines)
    assert found == pytest.approx(alone, abs=1e-5)


def test_runs_repeat():
    one, other = generator(), generator()
    for made in (one, other):
        made.learn(STORIES, epochs=2, rate=1e-3)
    assert (swap_scores(one, [FIRE], [MATCH]) == swap_scores(other, [FIRE], [MATCH])).all()


def test_reports_of_one_event_can_swap_their_headlines(taught):
    same, foreign = swap_scores(taught, [FIRE, FIRE], [BLAZE, MATCH])
    assert same > 3 * foreign


@pytest.mark.slow
def test_a_swap_of_foreign_headlines_loses_what_a_swap_of_one_event_does_not():
    made = generator()
    swapped = [HeadlineAndText(FIRE.headline, BLAZE.content), HeadlineAndText(BLAZE.headline, FIRE.content)]
    made.learn([*STORIES, *swapped], epochs=60, rate=3e-3)
    same, foreign = swap_scores(made, [FIRE, FIRE], [BLAZE, MATCH], against_own=True)
    assert same == pytest.approx(1, abs=0.2)
    assert foreign < 0.7 * same


def test_a_score_is_a_probability_and_time_takes_off_its_share(taught):
    near, far, endless = swap_scores(taught, [FIRE] * 3, [BLAZE] * 3, [0, 2, np.inf])
    assert 0 < near < 1
    assert far == pytest.approx(near * np.exp(-2 * DECAY_PER_DAY))
    assert endless == 0
    assert swap_scores(taught, [FIRE], [BLAZE]) == pytest.approx([near])


def test_a_headline_alone_can_be_asked_about():
    found = generator(between="").log_likelihoods([""], [FIRE.headline])
    assert np.isfinite(found).all()


def test_the_same_story_twice_loses_nothing(taught):
    assert swap_scores(taught, [MATCH], [MATCH], against_own=True) == pytest.approx([1.0])


def test_no_pairs_have_no_scores():
    assert len(swap_scores(generator(), [], [])) == 0


def test_of_a_long_text_the_beginning_counts():
    made = generator(positions=512)
    first = " ".join([FIRE.content] * 30)
    assert len(first.split()) > CONTENT_TOKENS
    one, other = made.log_likelihoods([first, first + " " + MATCH.content], [FIRE.headline] * 2)
    assert one == pytest.approx(other, abs=1e-6)


def test_a_text_is_cut_to_what_the_model_holds():
    found = generator(positions=12).log_likelihoods([FIRE.content, ""], [FIRE.headline] * 2)
    assert np.isfinite(found).all()


def test_a_phrase_can_stand_between_text_and_headline():
    plain = generator().log_likelihoods([FIRE.content], [FIRE.headline])
    asked = generator(between="the refinery").log_likelihoods([FIRE.content], [FIRE.headline])
    assert plain != pytest.approx(asked, abs=1e-6)


def test_a_checkpoint_in_a_folder_is_loaded(tmp_path):
    model().save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    loaded = HeadlineGenerator.from_pretrained(tmp_path)
    assert swap_scores(loaded, [FIRE], [MATCH]) == pytest.approx(swap_scores(generator(), [FIRE], [MATCH]), abs=1e-6)


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(ModelError, match=tmp_path.name):
        HeadlineGenerator.from_pretrained(tmp_path)


def test_a_tokenizer_without_an_end_is_refused():
    with pytest.raises(ModelError, match="end token"):
        HeadlineGenerator(model(), tokenizer(eos_token=None))
