"""Calibration of an exported sentence model: what it says of held-out sentences is as often right as it says."""

import shutil
from math import log

import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn")
pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")

import torch
from tokenizers import Tokenizer

from whywire.models import OnnxModel
from whywire.models.pretrained import WEIGHTS
from whywire.sentences.decoding import SENTENCE_WIDTH, SIGNALS, TOKEN_WIDTH
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import CausalRelation
from whywire_lab.recipes.calibration import calibrate_sentences
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.sentence_data import SentenceRow, invented_counterfactuals, invented_denials, questions
from whywire_lab.recipes.sentence_model import SIGNAL_CALIBRATION, sentence_loss


@pytest.mark.model
@pytest.mark.slow
def test_a_calibrated_model_is_right_as_often_as_it_says(tmp_path):
    folder = tmp_path / "sentences-en"
    shutil.copytree(WEIGHTS / "sentences-en", folder)
    config = read_config(folder)
    del config["calibration"]
    write_config(folder, config)
    marked = invented_denials("en")["train"][:150]
    rows = marked + invented_counterfactuals()[:150]
    calibrate_sentences(folder, rows, marked)

    reader = SentenceReader(OnnxModel(folder))
    for name, answered, truth in questions(rows):
        said = [getattr(reading, name) for reading in reader.read([row.text for row in answered])]
        assert sum(said) == pytest.approx(sum(truth), abs=0.02 * len(truth)), name
    readings = reader.read([row.text for row in marked])
    found = [(one, row) for row, reading in zip(marked, readings, strict=True) for one in reading.relations]
    assert sum(one.probability for one, _ in found) == pytest.approx(
        sum(row.asserts(one) for one, row in found), abs=0.03 * len(found)
    )
    assert read_config(folder)["calibration"]["signal"] == SIGNAL_CALIBRATION
    assert read_config(folder)["lost_to_int8"] == config["lost_to_int8"], "nothing else is touched"


def test_a_relation_is_asserted_where_one_that_is_not_denied_overlaps_both_its_arguments():
    rows = [row for row in invented_denials("en")["train"] if row.relations]
    denying = next(row for row in rows if row.relations[0].denied)
    asserting = next(row for row in rows if not row.relations[0].denied)
    assert not denying.asserts(denying.relations[0])
    assert asserting.asserts(asserting.relations[0])


@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_what_the_loss_learns_of_signals_is_calibrated_when_its_weight_is_undone(share):
    text = "fuel ran short because the refinery burned"
    cause, effect, signal = (23, 42), (0, 14), (15, 22)
    marked = round(20 * share)
    rows = [
        SentenceRow(text, relations=(CausalRelation(cause, effect, (signal,) if number < marked else ()),))
        for number in range(20)
    ]
    tokenizer = Tokenizer.from_file(str(WEIGHTS / "sentences-en" / "tokenizer.json"))
    encodings = tokenizer.encode_batch([text] * len(rows))
    because = next(place for place, (start, _) in enumerate(encodings[0].offsets) if start == signal[0])
    tokens = torch.zeros(len(rows), len(encodings[0].ids), TOKEN_WIDTH)
    odds = log(share / (1 - share))
    tokens[:, because, SIGNALS] = (odds - SIGNAL_CALIBRATION["shift"]) / SIGNAL_CALIBRATION["scale"]
    tokens.requires_grad_()
    mask = torch.ones(len(rows), len(encodings[0].ids))
    sentence_loss((torch.zeros(len(rows), SENTENCE_WIDTH), tokens), rows, encodings, mask).backward()
    slopes = tokens.grad[:, because, SIGNALS]
    assert slopes.abs().max() > 1e-4
    assert slopes.sum().item() == pytest.approx(0, abs=1e-5), "the loss is least where the share is told"
