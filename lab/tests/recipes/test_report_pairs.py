"""The model of report pairs on made-up news and a tiny encoder: rows, folds, priors, draws, training, export."""

import json
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("onnx", reason="training needs onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from whywire.errors import InputError  # noqa: E402
from whywire.models import OnnxModel  # noqa: E402
from whywire.pairs.model import PairModel  # noqa: E402
from whywire.pairs.relations import RELATIONS, Relation, most_likely  # noqa: E402
from whywire.pairs.report_reader import ReportReader  # noqa: E402
from whywire.pairs.reports import LEAD_WORDS, Report, lead_of  # noqa: E402
from whywire_lab.recipes.base_encoders import Base  # noqa: E402
from whywire_lab.recipes.export_report_pairs import export_report_pairs  # noqa: E402
from whywire_lab.recipes.pair_rows import CAUSED, NOT_SAME, SAME, UNRELATED  # noqa: E402
from whywire_lab.recipes.relation_priors import PRIORS, prior_of, probabilities  # noqa: E402
from whywire_lab.recipes.report_draws import STAR, Draws, pool_of  # noqa: E402
from whywire_lab.recipes.report_encoder import export_report_encoder  # noqa: E402
from whywire_lab.recipes.report_pair_calibration import calibrate  # noqa: E402
from whywire_lab.recipes.report_pair_loss import pair_loss  # noqa: E402
from whywire_lab.recipes.report_pair_model import ReportPairNet  # noqa: E402
from whywire_lab.recipes.report_pair_scores import scores  # noqa: E402
from whywire_lab.recipes.report_rows import (  # noqa: E402
    NEIGHBOURS,
    PICKED,
    ReportPair,
    with_leads_dropped,
)
from whywire_lab.recipes.report_sources import paraphraser_pairs  # noqa: E402
from whywire_lab.recipes.story_folds import Folds, near_duplicates  # noqa: E402
from whywire_lab.recipes.train_report_pairs import (  # noqa: E402
    Plan,
    Training,
    answers,
    fold_of,
    mean_and_deviation,
    measure,
    predict,
)

FIRE = Report("fire burned the refinery", "the refinery stood in the town and a strike had been called")
BLAZE = Report("refinery burned in a fire", "a fire burned")
FLOOD = Report("town flooded because the dam broke", "the dam had held")
STRIKE = Report("strike called")
WORDS = sorted({word for report in (FIRE, BLAZE, FLOOD, STRIKE) for word in f"{report.title} {report.lead}".split()})


def tiny_base() -> Base:
    torch.manual_seed(0)
    vocabulary = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        attn_implementation="eager",
        attention_probs_dropout_prob=0.0,
    )
    return Base("tiny", transformers.BertModel(config, add_pooling_layer=False), tokenizer)


def pair(left, right, allowed, source="stream", **more):
    return ReportPair(left, right, allowed, "en", source, **more)


ROWS = [
    pair(FIRE, BLAZE, SAME),
    pair(FIRE, FLOOD, UNRELATED),
    pair(FLOOD, STRIKE, CAUSED),
    pair(BLAZE, STRIKE, UNRELATED),
]
PLAN = Plan(steps=8, batch=8, rate=1e-3, keep=0.5, save_every=4)


def test_a_lead_is_the_beginning_of_a_text_without_its_title_and_addresses():
    assert lead_of("Fire burned. Nobody was hurt", "fire burned.") == "Nobody was hurt"
    assert lead_of("https://example.org/a Nobody " + "x" * 60 + " was hurt") == "Nobody was hurt"
    assert len(lead_of("word " * 300).split()) == LEAD_WORDS
    assert lead_of("") == ""


def test_leads_are_dropped_on_both_sides_on_one_and_on_none():
    random.seed(0)
    kept = Counter(
        (bool(row.left.lead), bool(row.right.lead)) for row in (with_leads_dropped(ROWS[0]) for _ in range(900))
    )
    assert set(kept) == {(False, False), (True, False), (False, True), (True, True)}
    assert kept[True, True] > kept[False, False] > kept[True, False] > 50


def test_a_mirrored_row_turns_its_relation_and_its_strength():
    row = replace(ROWS[2], strength=(0.9, None))
    turned = row.mirrored()
    assert (turned.left, turned.right) == (STRIKE, FLOOD)
    assert turned.allowed == {Relation.RIGHT_LEFT_CAUSE}
    assert turned.strength == (None, 0.9)
    assert turned.mirrored() == row


def test_paraphrases_are_the_same_event_and_near_ones_may_be(tmp_path):
    path = tmp_path / "pairs.jsonl"
    lines = [
        {"first_title": "a", "second_title": "b", "label": label} for label in ("paraphrase", "near", "different")
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    assert [row.allowed for row in paraphraser_pairs(path)] == [
        SAME,
        SAME | {Relation.OTHER_RELATIONSHIP},
        NOT_SAME,
    ]


def word(number):
    """A word whose first five letters no other number gives."""
    return "".join("bcdfghjklm"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{number:03}") + "town"


def many_rows():
    """Causes and their effects in many stories, which have no stem in common."""
    return [
        pair(
            Report(" ".join(map(word, range(at, at + 4)))), Report(" ".join(map(word, range(at + 4, at + 7)))), CAUSED
        )
        for at in range(0, 700, 7)
    ]


def test_no_story_and_no_near_duplicate_is_in_two_folds():
    rows = many_rows()
    rows.append(pair(Report(f"{rows[2].left.title} today"), Report("market closed early"), UNRELATED))
    rows.append(pair(Report("one wording"), Report("another wording"), NOT_SAME, story="told"))
    rows.append(pair(Report("a third wording"), Report("one wording"), NOT_SAME, story="told"))
    folds = Folds(rows, 3)
    for row in rows:
        if row.allowed != UNRELATED:
            assert len(set(folds.folds_of(row))) == 1
    assert folds.folds_of(rows[-1]) == folds.folds_of(rows[-2])
    assert folds.component(rows[-3]) == folds.component(rows[2]), "the same headline but for a word"
    assert sorted(map(repr, rows)) == sorted(repr(row) for fold in range(3) for row in folds.measured(rows, fold))
    assert all(len(folds.measured(rows, fold)) > 10 for fold in range(3))
    again = Folds(rows, 3)
    assert [again.folds_of(row) for row in rows] == [folds.folds_of(row) for row in rows]


def test_a_pair_across_two_folds_trains_while_neither_is_held_out():
    rows = many_rows()
    folds = Folds(rows, 3)
    left, right = (next(row for row in rows if folds.folds_of(row) == (fold, fold)).left for fold in (0, 1))
    crossing = pair(left, right, UNRELATED)
    assert [crossing in folds.train([crossing], fold) for fold in range(3)] == [False, False, True]
    assert [crossing in folds.measured([crossing], fold) for fold in range(3)] == [True, False, False]


def test_near_duplicates_share_most_of_their_stems():
    titles = [
        "minister visits flooded villages",
        "minister visited the flooded village",
        "minister leaves office early",
    ]
    assert list(near_duplicates(titles)) == [(titles[0], titles[1])]


def test_a_row_that_leaves_relations_open_counts_for_each_by_its_usual_share():
    prior = prior_of([ROWS[0], pair(FIRE, FLOOD, NOT_SAME)], [1.0, 1.0], PRIORS[NEIGHBOURS])
    assert prior.sum() == pytest.approx(1)
    assert prior[1] == pytest.approx(0.5, abs=0.02)
    assert prior[0] / prior[2] == pytest.approx(0.64 / 0.14, rel=0.1)
    assert prior[3] == prior[4]


def test_logits_without_evidence_give_the_prior_that_is_asked_for():
    table = probabilities(np.zeros((1, len(RELATIONS))), PRIORS[PICKED])
    assert table[0] == pytest.approx(PRIORS[PICKED])


def test_draws_are_stars_of_one_article_in_the_proportions_asked_for():
    rows = [pair(FIRE, Report(f"other {number}"), UNRELATED) for number in range(9)]
    rows += [pair(Report(f"alone {number}"), STRIKE, SAME, source="paraphraser") for number in range(3)]
    draws = Draws(rows, lambda row: row.left.title)
    random.seed(0)
    batch = draws.batch(400)
    assert len(batch) == 400
    counts = Counter(pool_of(row) for row in batch)
    assert set(counts) == {"stream rest", "paraphraser"}
    assert set(draws.priors[PICKED]) == {"paraphraser en", "stream en"}
    star = draws._pools["stream rest"].star()
    assert 1 <= len(star) <= STAR


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """The folder of a tiny encoder of reports."""
    folder = tmp_path_factory.mktemp("encoder")
    export_report_encoder(tiny_base(), [[FIRE, BLAZE, FLOOD, FLOOD.bare]], folder)
    return folder


def reader_of(encoder) -> ReportReader:
    return ReportReader(OnnxModel(encoder))


def test_vectors_have_nothing_in_common_that_all_reports_have(encoder):
    read = reader_of(encoder).read([FIRE, BLAZE, FLOOD])
    vectors = np.stack([one.whole for one in read.values()])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert np.linalg.norm(vectors.mean(0)) < 0.5, "those of a base stand all in one narrow cone"


def test_the_answer_on_a_pair_does_not_depend_on_its_company(encoder):
    net, reader = ReportPairNet(tiny_base().encoder).eval(), reader_of(encoder)
    rows = [*ROWS, ROWS[0].bare]
    with torch.no_grad():
        together = answers(net, reader, rows)
        for place, row in enumerate(rows):
            alone = answers(net, reader, [row])
            for guideline in (NEIGHBOURS, PICKED):
                assert torch.allclose(
                    alone.relations[guideline][0].float(), together.relations[guideline][place].float(), atol=0.05
                )
    assert not torch.allclose(together.strength[0], together.strength[-1], atol=1e-4), "a lead is read"


def test_an_untrained_net_takes_the_nearer_pair_for_the_likelier(encoder):
    net, reader = ReportPairNet(tiny_base().encoder).eval(), reader_of(encoder)
    with torch.no_grad():
        for layer in (net.neighbours, net.picked):
            layer.weight.zero_()
    relations, _, cosines = predict(net, reader, ROWS)
    same = relations[NEIGHBOURS][:, RELATIONS.index(Relation.SAME_EVENT)]
    assert np.argsort(same).tolist() == np.argsort(cosines.mean(1)).tolist()


def test_all_relations_allowed_teach_nothing_and_a_prior_known_needs_no_words(encoder):
    found = answers(ReportPairNet(tiny_base().encoder).eval(), reader_of(encoder), ROWS)
    rows = [replace(row, allowed=frozenset(RELATIONS)) for row in ROWS]
    assert float(pair_loss(found, rows, {NEIGHBOURS: {}, PICKED: {}})) == pytest.approx(0, abs=1e-4)
    certain = {"stream en": np.array([1e-15, 1 - 6e-15, *[1e-15] * 5])}
    one = pair_loss(found, [ROWS[0]] * 4, {NEIGHBOURS: certain, PICKED: certain})
    assert float(one) == pytest.approx(0, abs=1e-3)


def training(folder, encoder, plan=PLAN):
    rows = ROWS * 4
    folds = Folds(rows, 2)
    torch.manual_seed(0)
    net = ReportPairNet(tiny_base().encoder)
    random.seed(1)
    torch.manual_seed(1)
    return Training(net, reader_of(encoder), Draws(rows, folds.component), plan, folder)


class StoppedError(Exception):
    pass


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path, encoder):
    whole = training(tmp_path / "whole", encoder)
    whole.run()
    stopped = training(tmp_path / "stopped", encoder)
    save = stopped._save

    def save_and_stop():
        save()
        raise StoppedError

    stopped._save = save_and_stop
    with pytest.raises(StoppedError):
        stopped.run()
    assert stopped.step == 4
    again = training(tmp_path / "stopped", encoder)
    again.run()
    for one, other in ((whole.net, again.net), (whole.mean, again.mean)):
        for name, value in one.state_dict().items():
            assert torch.allclose(value, other.state_dict()[name], atol=1e-6), name


@pytest.mark.slow
def test_a_checkpoint_of_another_plan_is_refused(tmp_path, encoder):
    training(tmp_path, encoder).run()
    with pytest.raises(InputError, match="another plan"):
        training(tmp_path, encoder, replace(PLAN, rate=1e-2)).run()


@pytest.mark.slow
def test_the_model_learns_and_what_is_exported_says_what_it_says(tmp_path, encoder):
    run = training(tmp_path, encoder, replace(PLAN, steps=150, batch=16, keep=0.9))
    net = run.run()
    relations, _, _ = predict(net, run.reader, ROWS)
    table = probabilities(relations[NEIGHBOURS].astype(float), PRIORS[NEIGHBOURS])
    expected = [Relation.SAME_EVENT, Relation.NO_RELATIONSHIP, Relation.LEFT_RIGHT_CAUSE]
    assert [RELATIONS[place] for place in table.argmax(1)[:3]] == expected
    measure(net, run.reader, ROWS, tmp_path)
    config = {"kind": "pairs", "relations_by": "relations", "strength_by": {}}
    export_report_pairs(net, run.reader, encoder, ROWS, config, tmp_path / "model")
    by_guideline = ((NEIGHBOURS, "stream"), (PICKED, "annotators"))
    calibrate(
        tmp_path / "model",
        [replace(row, guidelines=frozenset({one}), source=source) for one, source in by_guideline for row in ROWS],
    )
    model = PairModel.from_pretrained(tmp_path / "model")
    found = model.compared_probabilities([(row.left, row.right) for row in ROWS])
    assert [most_likely(row) for row in found[:3]] == expected
    assert json.loads((tmp_path / "model" / "config.json").read_text())["max_tokens"] > 0
    assert json.loads((tmp_path / "scores.json").read_text())["with leads"]["stream en"]["rows"] == len(ROWS)


def test_means_and_deviations_are_of_numbers_at_the_same_place():
    folds = [{"stream en": {"same AUC": 90.0}}, {"stream en": {"same AUC": 94.0}}]
    assert mean_and_deviation(folds) == {"stream en": {"same AUC": "92.0 ± 2.0"}}


def test_scores_are_by_source_and_language():
    rows = [pair(FIRE, BLAZE, SAME), pair(FIRE, FLOOD, UNRELATED), pair(FIRE, STRIKE, CAUSED)]
    logits = 20 * np.eye(len(RELATIONS))[[1, 0, 3]]
    found = scores(rows, {NEIGHBOURS: logits, PICKED: logits}, np.zeros((3, 2)), np.eye(3)[:, :2])["stream en"]
    assert found["rows"] == 3
    assert (
        found["same AUC"] == found["same F1"] == found["three-class accuracy"] == found["direction accuracy"] == 100
    )
    assert found["causes called same event"] == 0


@pytest.mark.parametrize("text", ["3/3", "a/b", "1", "0/1"])
def test_a_fold_is_one_of_several(text):
    assert fold_of("2/3") == (2, 3)
    with pytest.raises(InputError):
        fold_of(text)
