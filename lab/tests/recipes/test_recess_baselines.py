"""The RECESS ladder on tiny encoders: what each configuration promises beyond the one below it."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("onnx", reason="training needs onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

from lab.tests.recipes.test_recipes import tiny_base  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from whywire.cli.app import app  # noqa: E402
from whywire.errors import InputError, ModelError  # noqa: E402
from whywire.sentences.decoding import best_disjoint_spans, log_softmax  # noqa: E402
from whywire.sentences.reading import CausalRelation  # noqa: E402
from whywire_lab.cli.train import RECESS_CONFIGURATIONS as NAMES_IN_CLI  # noqa: E402
from whywire_lab.recipes.recess_baselines import (  # noqa: E402
    RECESS_CONFIGURATIONS,
    altered,
    examples,
    load_recess_baseline,
    read_sentences,
    span_scores,
    train_recess_baseline,
)
from whywire_lab.recipes.recess_net import (  # noqa: E402
    CAUSE,
    COMBINATIONS,
    EFFECT,
    SIGNAL,
    SIGNAL_TOKENS,
    WIDTH,
    beam_pairs,
    independent_borders,
    read_relations,
    signal_span,
    valid_spans,
)
from whywire_lab.recipes.sentence_data import SentenceRow, load_recess  # noqa: E402
from whywire_lab.recipes.training_loop import Schedule  # noqa: E402

TOLD = "fuel ran short because the refinery burned"
IMPLIED = "the refinery burned fuel ran short"


def marked(text, cause, effect, signal=None):
    def at(part):
        return text.index(part), text.index(part) + len(part)

    return CausalRelation(at(cause), at(effect), (at(signal),) if signal else ())


ROWS = [
    SentenceRow(
        TOLD,
        causal=True,
        relations=(marked(TOLD, "the refinery burned", "fuel ran short", "because"),),
        corpus="recess",
    ),
    SentenceRow(
        IMPLIED, causal=True, relations=(marked(IMPLIED, "the refinery burned", "fuel ran short"),), corpus="recess"
    ),
    SentenceRow("the town flooded", causal=False, relations=(), corpus="recess"),
]
PARTS = {"train": ROWS * 8, "valid": ROWS, "dev": ROWS}
WORDS = [f"w{number}" for number in range(12)]


def tokens_of(count):
    """A made-up sentence of as many words, and where they are."""
    text = " ".join(WORDS[:count])
    return text, [(text.index(word), text.index(word) + len(word)) for word in WORDS[:count]]


def pointing(length, **columns):
    """Logits that point where they are told: by name of the span, its first and its last token."""
    logits = np.zeros((length, WIDTH), dtype=np.float32)
    for name, borders in columns.items():
        for column, border in zip({"cause": CAUSE, "effect": EFFECT, "signal": SIGNAL}[name], borders, strict=True):
            logits[border, column] = 9
    return logits


@pytest.mark.slow
@pytest.mark.parametrize("name", RECESS_CONFIGURATIONS)
def test_every_rung_learns_and_what_it_wrote_can_be_read(name, tmp_path):
    schedule = Schedule(epochs=40, rate=2e-3, batch=8)
    scores = train_recess_baseline(name, tiny_base(), PARTS, tmp_path / name, schedule, seed=1)
    assert scores == json.loads((tmp_path / name / "scores.json").read_text())
    assert set(scores) == {"valid", "dev"}
    assert scores["dev"]["cause"]["f1"] == scores["dev"]["effect"]["f1"] == 1
    net, tokenizer, configuration = load_recess_baseline(tmp_path / name)
    assert configuration == RECESS_CONFIGURATIONS[name]
    told, implied = read_sentences(net, tokenizer, configuration, [TOLD, IMPLIED])
    assert told[0] == ROWS[0].relations[0]
    assert (implied[0].cause, implied[0].effect) == (ROWS[1].relations[0].cause, ROWS[1].relations[0].effect)
    assert len(told) == (COMBINATIONS if configuration.beam else 1)
    assert bool(implied[0].signals) == (not configuration.signal_classifier)
    assert scores["dev"]["signal"]["precision"] == (1 if configuration.signal_classifier else 0.5)


@pytest.mark.slow
def test_one_seed_gives_one_net(tmp_path):
    schedule = Schedule(epochs=2, rate=2e-3, batch=4)
    nets = []
    for name in ("one", "other"):
        train_recess_baseline("recess-augmented", tiny_base(), PARTS, tmp_path / name, schedule, seed=3)
        nets.append(torch.load(tmp_path / name / "net.pt"))
    assert all(torch.equal(value, nets[1][key]) for key, value in nets[0].items())


def test_the_baseline_may_point_at_a_pair_that_is_none_where_the_beam_never_does():
    text, offsets = tokens_of(8)
    crossed = pointing(8, cause=(5, 2), effect=(3, 6), signal=(4, 4))
    (start, end), effect = independent_borders(log_softmax(crossed))
    assert end <= start
    (baseline,) = read_relations(crossed, np.array([]), offsets, text, beam=False)
    assert text[slice(*baseline.cause)] == "w5"
    assert text[slice(*baseline.effect)] == "w3 w4"
    assert effect == (3, 7)
    beam = read_relations(crossed, np.array([]), offsets, text, beam=True)
    assert len(set(beam)) == len(beam) == COMBINATIONS
    assert all(one.cause[1] <= one.effect[0] or one.effect[1] <= one.cause[0] for one in beam)
    together = pointing(8, cause=(2, 4), effect=(2, 6), signal=(0, 0))
    assert not read_relations(together, np.array([]), offsets, text, beam=False)
    assert read_relations(together, np.array([]), offsets, text, beam=True)


def test_both_readings_agree_where_the_borders_do():
    text, offsets = tokens_of(8)
    clear = pointing(8, cause=(5, 7), effect=(0, 3), signal=(4, 4))
    (baseline,) = read_relations(clear, np.array([]), offsets, text, beam=False)
    assert baseline == read_relations(clear, np.array([]), offsets, text, beam=True)[0]
    assert text[slice(*baseline.cause)] == "w5 w6 w7"
    assert text[slice(*baseline.effect)] == "w0 w1 w2 w3"
    assert [text[slice(*signal)] for signal in baseline.signals] == ["w4"]


def test_the_classifier_takes_the_signal_away_and_nothing_else():
    text, offsets = tokens_of(8)
    logits = pointing(8, cause=(5, 7), effect=(0, 3), signal=(4, 4))
    there, absent = (read_relations(logits, np.array([sign]), offsets, text, beam=True) for sign in (1.0, -1.0))
    assert all(relation.signals for relation in there)
    assert not any(relation.signals for relation in absent)
    assert [(one.cause, one.effect) for one in there] == [(one.cause, one.effect) for one in absent]


def test_blanks_that_a_tokenizer_counts_to_a_word_are_left_out():
    text = "fuel ran short"
    logits = pointing(3, cause=(0, 0), effect=(1, 2), signal=(1, 1))
    (relation, *_) = read_relations(logits, np.array([]), [(0, 4), (4, 8), (8, 14)], text, beam=True)
    assert text[slice(*relation.effect)] == "ran short"
    assert text[slice(*relation.signals[0])] == "ran"


def test_two_pieces_of_one_word_are_no_pair():
    text, offsets = "refinery fire", [(0, 4), (4, 8), (9, 13)]
    logits = pointing(3, cause=(0, 0), effect=(1, 1))
    relations = read_relations(logits, np.array([]), offsets, text, beam=True)
    assert {text[slice(*span)] for one in relations for span in (one.cause, one.effect)} == {"refinery", "fire"}
    assert not read_relations(logits, np.array([]), offsets, text, beam=False)
    assert not read_relations(logits[:1], np.array([]), offsets[:1], text, beam=True)
    assert not read_relations(logits[:0], np.array([]), [], "", beam=True)


logits_of_sentences = st.integers(1, 12).flatmap(
    lambda length: st.lists(st.integers(-40, 40), min_size=length * WIDTH, max_size=length * WIDTH).map(
        lambda values: np.array(values, dtype=np.float32).reshape(length, WIDTH) / 8
    )
)


@given(logits_of_sentences)
def test_what_comes_out_keeps_the_rules(logits):
    length = len(logits)
    text, offsets = tokens_of(length)
    for beam in (False, True):
        found = read_relations(logits, np.array([]), offsets, text, beam=beam)
        assert len(found) == len(set(found)) <= (COMBINATIONS if beam else 1)
        for relation in found:
            first, second = sorted([relation.cause, relation.effect])
            assert 0 <= first[0] < first[1] <= second[0] < second[1] <= len(text)
    start, end = signal_span(log_softmax(logits))
    assert start < end <= min(length, start + SIGNAL_TOKENS)


@given(logits_of_sentences)
def test_the_beam_is_in_order_and_a_wide_one_finds_the_very_best(logits):
    probabilities = log_softmax(logits)

    def score(pair):
        (cause, effect) = pair
        return sum(
            probabilities[span[0], columns[0]] + probabilities[span[1] - 1, columns[1]]
            for span, columns in ((cause, CAUSE), (effect, EFFECT))
        )

    found = [score(pair) for pair in beam_pairs(probabilities)]
    assert found == pytest.approx(sorted(found, reverse=True), abs=1e-4)
    exact = best_disjoint_spans(
        *((probabilities[:, first], probabilities[:, last]) for first, last in (CAUSE, EFFECT))
    )
    wide = [score(pair) for pair in beam_pairs(probabilities, width=144)]
    assert (exact is None) == (not wide) == (not found)
    if exact:
        assert wide[0] == pytest.approx(score(exact), abs=1e-4)
        assert found[0] <= wide[0] + 1e-4


@given(*[st.integers(0, 9)] * 4)
def test_repairing_leaves_sound_pairs_alone_and_makes_the_others_sound(start, end, other_start, other_end):
    cause, effect = (start, end + 1), (other_start, other_end + 1)
    pair = valid_spans(cause, effect, 10)
    if start == other_start:
        assert pair is None
        return
    first, second = sorted(pair)
    assert 0 <= first[0] < first[1] <= second[0] < second[1] <= 10
    assert (pair[0][0], pair[1][0]) == (start, other_start)
    sound, later = sorted([cause, effect])
    if sound[0] < sound[1] <= later[0] < later[1]:
        assert pair == (cause, effect)


def test_each_relation_is_an_example_and_knows_of_the_sentence_s_signal():
    row = SentenceRow(
        "a b c d", relations=(CausalRelation((0, 1), (2, 3), ((4, 5), (6, 7))), CausalRelation((4, 5), (6, 7)))
    )
    one, other = examples(row)
    assert (one.cause, one.effect, one.signal, one.signalled) == ((0, 1), (2, 3), (4, 5), True)
    assert (other.signal, other.signalled) == (None, True)


@st.composite
def rows_with_relations(draw):
    """Tokenised sentences with relations between any of their words, and any gaps between the words."""
    words = draw(st.lists(st.sampled_from([*"abcdefg", "pipeline", "burst", ".", ",", "harbour", "'s"]), min_size=3))
    gaps = draw(st.lists(st.sampled_from([" ", " ", " ", "  "]), min_size=len(words), max_size=len(words)))
    text = draw(st.sampled_from(["", " "]))
    places = []
    for word, gap in zip(words, gaps, strict=True):
        places.append((len(text), len(text) + len(word)))
        text += word + gap
    text = text.rstrip() if draw(st.booleans()) else text
    relations = []
    for _ in range(draw(st.integers(0, 3))):
        ends = sorted(draw(st.lists(st.integers(0, len(words) - 1), min_size=6, max_size=6)))
        spans = [(places[ends[at]][0], places[ends[at + 1]][1]) for at in (0, 2, 4)]
        cause, effect, signal = draw(st.permutations(spans))
        relations.append(CausalRelation(cause, effect, (signal,) if draw(st.booleans()) else ()))
    return SentenceRow(text, causal=True, relations=tuple(relations), corpus="recess")


@settings(max_examples=200)
@given(rows_with_relations(), st.integers(0, 50))
def test_a_copy_has_its_spans_on_the_same_words(row, seed):
    copy = altered(row, seed)
    assert copy == altered(row, seed)
    assert len(copy.relations) == len(row.relations)
    assert len(copy.text) <= len(row.text)

    def letters(text):
        return sorted(text.replace(" ", ""))

    for before, after in zip(row.relations, copy.relations, strict=True):
        for old, new in zip((before.cause, before.effect), (after.cause, after.effect), strict=True):
            was, now = row.text[slice(*old)], copy.text[slice(*new)]
            assert now.startswith(was.split()[0])
            assert now.endswith(was.split()[-1])
            left = letters(was)
            assert all(left.count(letter) >= now.count(letter) for letter in letters(now))
        for old, new in zip(before.signals, after.signals, strict=True):
            assert letters(row.text[slice(*old)]) == letters(copy.text[slice(*new)])
            assert row.text[slice(*old)].replace(" ", "") == copy.text[slice(*new)].replace(" ", "")


def test_copies_differ_by_seed_and_keep_the_signal():
    text = "late on monday the northern harbour closed again because of heavy storms along the whole eastern coast ."
    row = SentenceRow(
        text,
        relations=(
            marked(
                text, "heavy storms along the whole eastern coast", "the northern harbour closed again", "because of"
            ),
        ),
        corpus="recess",
    )
    copies = {altered(row, seed).text for seed in range(20)}
    assert len(copies) > 10
    assert all("because of" in copy for copy in copies)
    assert any(len(copy.split()) < len(text.split()) - 2 for copy in copies)


def test_a_part_without_relations_and_a_strange_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="valid: there is no sentence"):
        train_recess_baseline(
            "recess-beam", tiny_base(), PARTS | {"valid": ROWS[2:]}, tmp_path, Schedule(epochs=1, batch=8), seed=1
        )
    with pytest.raises(ModelError, match="this is none of recess-baseline"):
        load_recess_baseline(tmp_path / "nothing")


def test_the_command_knows_the_rungs():
    assert tuple(RECESS_CONFIGURATIONS) == NAMES_IN_CLI


def test_the_command_goes_the_whole_way_from_the_corpus_s_files_and_any_checkpoint(tmp_path):
    folder = tmp_path / "data" / "causal_news_corpus_v2"
    folder.mkdir(parents=True)
    told = "<ARG1>fuel ran short</ARG1> <SIG0>because</SIG0> <ARG0>the refinery burned</ARG0>"
    labels = ["corpus,doc_id,sent_id,eg_id,index,text,label,num_rs"]
    relations = ["corpus,doc_id,sent_id,eg_id,index,text,num_rs,causal_text_w_pairs"]
    for number in range(60):
        index = f"made_{number}_1"
        labels.append(f"cnc,{number},1,0,{index},{TOLD},1,1")
        relations.append(f"cnc,{number},1,0,{index},{TOLD},1,\"['{told}']\"")
    (folder / "train_subtask1.csv").write_text("\n".join(labels) + "\n")
    (folder / "train_subtask2_grouped.csv").write_text("\n".join(relations) + "\n")
    base = tiny_base()
    base.encoder.save_pretrained(tmp_path / "checkpoint")
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=base.tokenizer, **names)
    fast.save_pretrained(tmp_path / "checkpoint")
    options = {
        "--data": tmp_path / "data",
        "--out": tmp_path / "runs",
        "--base": tmp_path / "checkpoint",
        "--runs": 1,
    }
    train = ["train", "recess-signal", *(str(part) for option in options.items() for part in option)]
    assert CliRunner().invoke(app, train, catch_exceptions=False).exit_code == 0
    written = tmp_path / "runs" / "recess-signal"
    assert {path.name for path in written.iterdir()} == {"net.pt", "config.json", "tokenizer.json", "scores.json"}
    scores = json.loads((written / "scores.json").read_text())
    assert set(scores["dev"]) == {"cause", "effect", "signal", "overall"}
    net, tokenizer, configuration = load_recess_baseline(written)
    rows = [row for row in load_recess(tmp_path / "data")["dev"] if row.relations]
    assert span_scores(net, tokenizer, configuration, rows) == scores["dev"]
    assert str(tmp_path) not in json.dumps(json.loads((written / "config.json").read_text())["encoder"])
