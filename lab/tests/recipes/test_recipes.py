"""The recipes on a tiny encoder with random weights: what they export is what they trained."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("onnx", reason="training needs onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from whywire.errors import ModelError  # noqa: E402
from whywire.models import OnnxModel  # noqa: E402
from whywire.pairs.relations import RELATIONS, Relation, mirrored, most_likely  # noqa: E402
from whywire.pairs.title_pairs import StrengthModel, TitlePairModel  # noqa: E402
from whywire.sentences.reader import SentenceReader  # noqa: E402
from whywire.sentences.reading import CausalRelation  # noqa: E402
from whywire_lab.recipes.base_encoders import Base, load_base, trim_vocabulary  # noqa: E402
from whywire_lab.recipes.calibration import RELATION_SHARES, fit_factors  # noqa: E402
from whywire_lab.recipes.embedded_models import FOREIGN_SCHEDULES, schedule_for  # noqa: E402
from whywire_lab.recipes.encoder_net import Dropout  # noqa: E402
from whywire_lab.recipes.learning_without_forgetting import FormerAnswers  # noqa: E402
from whywire_lab.recipes.pair_rows import ALL, CAUSED, SAME, PairRow  # noqa: E402
from whywire_lab.recipes.relations_data import SHARES, RelationsRows, Source  # noqa: E402
from whywire_lab.recipes.sentence_data import SentenceRow, detokenised  # noqa: E402
from whywire_lab.recipes.sentence_model import SentenceNet  # noqa: E402
from whywire_lab.recipes.title_pair_model import relation_loss  # noqa: E402
from whywire_lab.recipes.train_relations import train_relations  # noqa: E402
from whywire_lab.recipes.train_sentences import StrengthRound, train_sentences  # noqa: E402
from whywire_lab.recipes.training_loop import LENGTH_STEP, Schedule, collate  # noqa: E402

TEXTS = ["fire fuel ran short because the refinery burned", "had dam held town would not have flooded strike"]
WORDS = [word for text in TEXTS for word in text.split()]


def tiny_base(*, blanks: bool = False) -> Base:
    """An encoder with random weights; with ``blanks`` its tokenizer counts the blank before a word to the word."""
    torch.manual_seed(0)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = [f"▁{word}" for word in WORDS] if blanks else [*WORDS, *"abc", "##a", "##b"]
    vocabulary = {word: number for number, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.add_special_tokens(special)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace() if blanks else pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    return Base("tiny", transformers.BertModel(config, add_pooling_layer=False), tokenizer)


@pytest.mark.slow
@pytest.mark.parametrize("blanks", [False, True])
def test_sentences_learn_and_the_export_reads(tmp_path, blanks):
    causal = "fuel ran short because the refinery burned"
    cause, effect = (causal.index("the"), len(causal)), (0, causal.index(" because"))
    signal = (causal.index("because"), causal.index(" the"))
    imagined = "had the dam held the town would not have flooded"
    parts = ((0, imagined.index(" the town")), (imagined.index("the town"), len(imagined)))
    asserted = CausalRelation(cause, effect, (signal,))
    not_so = causal.replace("because", "not because")
    denied = CausalRelation((cause[0] + 4, cause[1] + 4), effect, ((signal[0], signal[1] + 4),), denied=True)
    rows = [
        SentenceRow(causal, causal=True, counterfactual=False, relations=(asserted,), denial=False),
        SentenceRow(not_so, causal=False, counterfactual=False, relations=(denied,), denial=True),
        SentenceRow("the town flooded", causal=False, counterfactual=False, relations=(), denial=False),
        SentenceRow(imagined, counterfactual=True, parts=parts),
    ] * 8
    schedule = Schedule(epochs=40, rate=2e-3, batch=8)
    scores = train_sentences(tiny_base(blanks=blanks), rows, rows, tmp_path, schedule, seed=1, marked_in="")
    assert scores["counterfactual_f1"] == 1
    reader = SentenceReader(OnnxModel(tmp_path))
    first, denying, second, third = reader.read([row.text for row in rows[:4]])
    assert first.causal > 0.5 > second.causal
    assert denying.denial > 0.5 > max(denying.causal, first.denial, second.denial)
    assert not denying.relations
    assert [(found.cause, found.effect, found.denied) for found in denying.denials] == [
        (denied.cause, denied.effect, True)
    ]
    assert first.relations[0].cause == cause
    assert first.relations[0].effect == effect
    assert first.relations[0].signals == (signal,)
    assert (third.antecedent, third.consequent) == parts


@pytest.mark.slow
def test_a_sentence_model_learns_strength_and_still_reads(tmp_path):
    causal, imagined = (
        "fuel ran short because the refinery burned",
        "had the dam held the town would not have flooded",
    )
    relation = CausalRelation((causal.index("the"), len(causal)), (0, causal.index(" because")))
    parts = ((0, imagined.index(" the town")), (imagined.index("the town"), len(imagined)))
    rows = [
        SentenceRow(causal, causal=True, counterfactual=False, relations=(relation,), denial=False),
        SentenceRow("the town flooded", causal=False, counterfactual=False, relations=(), denial=True),
        SentenceRow(imagined, counterfactual=True, parts=parts),
    ] * 120
    cause, effect, other = "the refinery burned", "fuel ran short", "the dam held"
    # an epoch shows each effect once, and of equally good epochs the first is kept: so it needs many effects
    effects = [effect, *(f"{effect} {place}" for place in range(480))]
    stories = [
        [
            PairRow(cause, one, ALL, "en", "graded-stories", strength=(0.95, 0.05)),
            PairRow(other, one, ALL, "en", "graded-stories", strength=(0.05, 0.05)),
            PairRow(cause, other, ALL, "en", "graded-stories", strength=(0.05, 0.05)),
        ]
        for one in effects
    ]
    graded = {
        "train": [row for story in stories for row in story],
        "valid": [row for story in stories[-8:] for row in story],
    }
    schedule = Schedule(epochs=2, rate=2e-3, batch=8)
    texts = [row.text for row in rows[:3]] + [other]
    strength_round = StrengthRound(graded, texts, Schedule(epochs=1, rate=2e-3, batch=8))
    scores = train_sentences(
        tiny_base(), rows, rows, tmp_path, schedule, seed=1, marked_in="", strength_round=strength_round
    )
    assert scores["chosen"] == 1
    model = OnnxModel(tmp_path)
    direct, back, none = StrengthModel(model).strengths([(cause, effect), (effect, cause), (other, effect)])
    assert direct > max(back, none)
    first, second = SentenceReader(model).read([causal, "the town flooded"])
    assert first.causal > 0.5 > second.causal


@pytest.mark.slow
def test_a_net_drawn_to_what_it_said_comes_back_to_it():
    base = tiny_base()
    net = SentenceNet(base.encoder)
    former = FormerAnswers.of(net, base.tokenizer, [*TEXTS, "fire", "the town"])
    assert sorted(text for batch in former.batches(3) for text in batch) == sorted([*TEXTS, "fire", "the town"])
    assert float(former.loss(net, base.tokenizer, TEXTS)) < 0.01  # it was asked in bf16
    with torch.no_grad():
        for head in (net.sentence[2], net.tokens[2]):
            head.bias += torch.randn(head.bias.shape)
    far = float(former.loss(net, base.tokenizer, TEXTS))
    optimiser = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(60):
        optimiser.zero_grad()
        former.loss(net, base.tokenizer, list(former.answers)).backward()
        optimiser.step()
    assert float(former.loss(net, base.tokenizer, TEXTS)) < far / 20


def relations_rows(rows, **more):
    source = Source()
    for row in rows:
        source.add(row)
    return RelationsRows({"directed": source}, related=rows, graded=rows, **more)


@pytest.mark.slow
def test_the_relations_model_learns_and_its_export_relates(tmp_path):
    kept = PairRow("fire fire", "fire refinery", SAME, "en", "follow-ups", strength=(0.05, 0.05))
    turned = PairRow("town flooded", "fuel ran short", CAUSED, "en", "follow-ups", strength=(0.95, 0.05))
    schedule = Schedule(epochs=1, rate=2e-3, batch=64, frozen=1, keep=0.9)
    scores = train_relations(tiny_base(), relations_rows([kept, turned] * 4), tmp_path, schedule, 1)
    assert scores["nll"] < 0.1
    model = OnnxModel(tmp_path)
    pairs = [(kept.left, kept.right), (turned.left, turned.right), (turned.right, turned.left)]
    same, cause, effect = TitlePairModel(model).relate(pairs)
    assert most_likely(same) is Relation.SAME_EVENT
    assert most_likely(cause) is Relation.LEFT_RIGHT_CAUSE
    np.testing.assert_array_equal(mirrored(cause), effect)
    assert StrengthModel(model).strengths([(turned.left, turned.right), (turned.right, turned.left)]).argmax() == 0


def test_rows_are_drawn_as_the_shares_say():
    def source(name, number):
        made = Source()
        for place in range(number):
            made.add(PairRow(name, str(place), SAME, "en", name))
        return made

    rows = RelationsRows({name: source(name, 3) for name in SHARES}, [], [])
    drawn = [row.corpus for row in rows.draw(4000)]
    for name, share in SHARES.items():
        assert drawn.count(name) == pytest.approx(4000 * share / sum(SHARES.values()), abs=1)


def test_a_row_that_weighs_more_is_drawn_more_often():
    source = Source()
    for name, weight in (("rare", 1.0), ("common", 9.0)):
        source.add(PairRow(name, "", SAME, "en", "annotator-style"), weight)
    random.seed(0)
    drawn = [row.left for row in RelationsRows({"not directed": source}, [], []).draw(2000)]
    assert drawn.count("rare") == pytest.approx(200, abs=50)


def test_factors_give_picked_pairs_the_relations_shares():
    shares = np.array([0.5, 0.25, 0.2, 0.02, 0.02, 0.005, 0.005])
    rows = [PairRow("a", "b", frozenset({relation}), "en", "stream") for relation in RELATIONS for _ in range(3)]
    rows.append(PairRow("a", "b", ALL, "en", "stream"))
    factors = fit_factors(np.tile(shares, (len(rows), 1)), rows)
    pooled = shares * factors / (shares @ factors)
    assert pooled == pytest.approx(RELATION_SHARES, abs=0.03), (
        "a system that knows nothing of a pair answers with the shares"
    )
    assert factors[3:] == [factors[3], factors[3], factors[5], factors[5]]


def test_the_loss_asks_only_for_probability_inside_the_allowed_set():
    row = PairRow("a", "b", frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.OTHER_RELATIONSHIP}), "en", "x")
    inside = torch.full((1, len(RELATIONS)), -20.0)
    inside[0, [2, 3]] = 20.0
    assert relation_loss(inside, [row]) == pytest.approx(0, abs=1e-4)
    outside = -inside
    assert relation_loss(outside, [row]) > 10


@pytest.mark.parametrize("large", FOREIGN_SCHEDULES)
def test_a_large_checkpoint_gets_the_schedule_of_its_paper(large):
    own = replace(tiny_base(), name=large)
    assert schedule_for(own, Schedule(), FOREIGN_SCHEDULES, None) == FOREIGN_SCHEDULES[large]
    assert schedule_for(own, Schedule(), FOREIGN_SCHEDULES, 3).runs == 3


@pytest.mark.slow
def test_frozen_layers_stay_low_ones_may_learn_slower_and_a_moving_mean_lags_behind(tmp_path):
    rows = few_sentences()

    def weights(**settings):
        base = tiny_base()
        before = {name: value.clone() for name, value in base.encoder.state_dict().items()}
        schedule = Schedule(epochs=1, rate=2e-3, batch=8, **settings)
        train_sentences(base, rows, rows, tmp_path, schedule, 1, marked_in="")
        after = torch.load(tmp_path / "net.pt")
        return {name: float((after[f"encoder.{name}"] - value).abs().sum()) for name, value in before.items()}

    free, frozen, lagging, slower = weights(), weights(frozen=1), weights(keep=0.9), weights(layer_decay=0.1)
    table, lowest = "embeddings.position_embeddings.weight", "encoder.layer.0.output.dense.weight"
    assert free[table] > 0 < free[lowest]
    assert frozen[table] == 0 == frozen[lowest]
    assert 0 < lagging[lowest] < free[lowest]
    assert 0 < slower[table] / free[table] < 0.5 * slower[lowest] / free[lowest] < 0.1


def few_sentences():
    causal, imagined = (
        "fuel ran short because the refinery burned",
        "had the dam held the town would not have flooded",
    )
    parts = ((0, imagined.index(" the town")), (imagined.index("the town"), len(imagined)))
    relation = CausalRelation((causal.index("the"), len(causal)), (0, causal.index(" because")))
    return [
        SentenceRow(causal, causal=True, counterfactual=False, relations=(relation,), denial=False),
        SentenceRow("the town flooded", causal=False, counterfactual=False, relations=(), denial=True),
        SentenceRow(imagined, counterfactual=True, parts=parts),
    ] * 8


@pytest.mark.slow
def test_a_mean_of_runs_is_the_mean_of_what_each_seed_gives(tmp_path):
    rows = few_sentences()
    states = []
    for seed, runs in ((1, 1), (2, 1), (1, 2)):
        schedule = Schedule(epochs=2, rate=2e-3, batch=8, runs=runs)
        train_sentences(tiny_base(), rows, rows, tmp_path, schedule, seed, marked_in="")
        states.append(torch.load(tmp_path / "net.pt"))
    first, second, both = states
    for name, value in both.items():
        assert torch.allclose(value, (first[name] + second[name]) / 2, atol=1e-6)
    assert not torch.allclose(first["sentence.0.weight"], second["sentence.0.weight"])


@pytest.mark.slow
def test_a_second_round_goes_on_from_the_first_and_is_averaged_with_it(tmp_path):
    rows = few_sentences()

    def weights(schedule: Schedule):
        train_sentences(tiny_base(), rows, rows, tmp_path, schedule, 1, marked_in="")
        return torch.load(tmp_path / "net.pt")["sentence.0.weight"]

    first = Schedule(epochs=2, rate=2e-3, batch=8)
    alone = weights(first)
    assert torch.allclose(weights(replace(first, then=replace(first, rate=0.0))), alone, atol=1e-6)
    assert not torch.allclose(weights(replace(first, then=first)), alone, atol=1e-4)
    assert replace(first, then=first).with_runs(3).then.runs == 3


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(share):
    torch.manual_seed(0)
    values = torch.ones(200, 500, requires_grad=True)
    dropout = Dropout(share)
    kept = dropout(values)
    kept.sum().backward()
    dropped = kept.detach()
    assert torch.equal(values.grad, dropped)
    assert (dropped == 0).float().mean() == pytest.approx(share, abs=0.005)
    assert dropped.mean() == pytest.approx(1, abs=0.01)
    assert not torch.equal(dropout(values), dropped)
    torch.manual_seed(0)
    assert torch.equal(dropout(values), dropped)
    assert dropout.eval()(values) is values


FAMILIES = {
    "xlm-roberta": ("XLMRobertaConfig", "XLMRobertaModel", {"max_position_embeddings": 130, "type_vocab_size": 1}),
    "deberta-v3": (
        "DebertaV2Config",
        "DebertaV2Model",
        {
            "type_vocab_size": 0,
            "relative_attention": True,
            "position_buckets": 16,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
            "pos_att_type": ["p2c", "c2p"],
            "position_biased_input": False,
        },
    ),
    "electra": ("ElectraConfig", "ElectraModel", {"embedding_size": 16}),
}


@pytest.fixture(params=FAMILIES)
def checkpoint(request, tmp_path):
    """A tiny checkpoint with random weights, saved as the hub's are."""
    config, model, options = FAMILIES[request.param]
    torch.manual_seed(0)
    tokenizer = tiny_base().tokenizer
    small = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    encoder = getattr(transformers, model)(
        getattr(transformers, config)(vocab_size=tokenizer.get_vocab_size(), pad_token_id=0, **small, **options)
    )
    encoder.save_pretrained(tmp_path / "checkpoint")
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(tmp_path / "checkpoint")
    return str(tmp_path / "checkpoint")


def test_any_family_of_encoders_can_be_trained_and_exported(checkpoint, tmp_path):
    rows = few_sentences()
    schedule = Schedule(epochs=1, batch=4, accumulate=2)
    train_sentences(load_base(checkpoint), rows, rows, tmp_path / "out", schedule, seed=1, marked_in="")
    one, other = SentenceReader(OnnxModel(tmp_path / "out")).read([rows[0].text, rows[1].text])
    assert 0 <= one.causal <= 1
    assert one.causal != other.causal


@pytest.mark.parametrize("checkpoint", ["deberta-v3"], indirect=True)
def test_a_checkpoint_whose_pieces_stand_in_a_file_of_sentencepiece_loads(checkpoint, tmp_path):
    """So DeBERTa-v3 is published."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="such a file needs sentencepiece")
    folder = Path(checkpoint)
    for path in folder.glob("*token*"):
        path.unlink()
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS * 50), encoding="utf-8")
    special = {"pad": "[PAD]", "bos": "[CLS]", "eos": "[SEP]", "unk": "[UNK]"}
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "texts.txt"),
        model_prefix=str(folder / "spm"),
        vocab_size=50,
        hard_vocab_limit=False,
        minloglevel=2,
        **{f"{name}_id": place for place, name in enumerate(special)},
        **{f"{name}_piece": piece for name, piece in special.items()},
    )
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false, "vocab_type": "spm"}', encoding="utf-8")
    encoding = load_base(checkpoint).tokenizer.encode("the refinery", "fuel ran")
    assert (encoding.tokens[0], encoding.tokens[-1]) == ("[CLS]", "[SEP]")
    assert set(encoding.type_ids) == {0, 1}


def test_an_unknown_base_is_named(tmp_path):
    with pytest.raises(ModelError, match="no encoder"):
        load_base(str(tmp_path / "nothing"))


@pytest.mark.parametrize("checkpoint", ["electra"], indirect=True)
def test_a_base_without_a_tokenizer_is_reported(checkpoint):
    for path in Path(checkpoint).glob("*token*"):
        path.unlink()
    with pytest.raises(ModelError, match="no tokenizer"):
        load_base(checkpoint)


def test_mirroring_a_row_mirrors_what_is_allowed():
    row = PairRow("a", "b", frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.SAME_EVENT}), "en", "x")
    assert row.mirrored().allowed == {Relation.RIGHT_LEFT_CAUSE, Relation.SAME_EVENT}
    assert row.mirrored().mirrored() == row


def test_a_trimmed_vocabulary_spells_kept_words_as_before():
    base = tiny_base()
    text = "fire refinery"
    before = base.tokenizer.encode(text)
    with torch.no_grad():
        expected = base.encoder.embeddings.word_embeddings(torch.tensor(before.ids))
    trimmed = trim_vocabulary(base, [text] * 5, min_count=5)
    after = trimmed.tokenizer.encode(text)
    assert after.tokens == before.tokens
    assert trimmed.encoder.config.vocab_size < len(WORDS)
    assert torch.equal(trimmed.encoder.embeddings.word_embeddings(torch.tensor(after.ids)), expected)
    ids, mask, _ = collate([after])
    assert ids.shape[1] % LENGTH_STEP == 0
    assert ids[mask == 1].tolist() == after.ids
    assert not ids[mask == 0].any()


def test_detokenising_moves_the_spans_with_the_text():
    text = "Fuel ran short , because the ' old ' refinery ( Ellery ) burned ."
    relation = CausalRelation(
        (text.index("the '"), text.index(" .")), (0, text.index(" ,")), ((text.index("because"), text.index(" the")),)
    )
    row = detokenised(SentenceRow(text, relations=(relation,), corpus="recess"))
    assert row.text.startswith("Fuel ran short, because the")
    assert row.text.endswith("(Ellery) burned.")
    moved = row.relations[0]
    assert row.text[slice(*moved.effect)] == "Fuel ran short"
    assert row.text[slice(*moved.cause)].startswith("the")
    assert row.text[slice(*moved.cause)].endswith("burned")
    assert row.text[slice(*moved.signals[0])] == "because"
