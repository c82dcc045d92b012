"""Order of a pair never matters, and the answers are probabilities."""

import gzip
import json
import shutil

import numpy as np
import pytest

from whywire.events.linkage import with_prior
from whywire.events.scorer import HEADLINE_PRIOR
from whywire.models import OnnxModel
from whywire.models.pretrained import WEIGHTS
from whywire.pairs.model import HeadlineModel
from whywire.pairs.relations import RELATIONS, Relation, mirrored, most_likely
from whywire.pairs.strength import StrengthModel
from whywire.sentences.reader import SentenceReader

pytestmark = pytest.mark.model

TITLES = {
    "en": [
        "Fire breaks out at Port Ellery refinery",
        "Blaze engulfs refinery in Port Ellery",
        "Fuel runs short in north after refinery fire",
        "Chess club celebrates its hundredth year",
    ],
    "ru": [
        "На заводе в Верхнереченске вспыхнул пожар",
        "Пожар охватил завод в Верхнереченске",
        "Из-за пожара на заводе в регионе не хватает топлива",
        "Шахматный клуб отметил столетие",
    ],
}


@pytest.fixture(params=["en", "ru"])
def language(request):
    return request.param


@pytest.fixture
def model(language):
    return HeadlineModel.from_pretrained(f"headlines-{language}")


def test_the_answer_for_a_pair_is_the_mirror_of_the_answer_for_the_other_order(model, language):
    titles = TITLES[language]
    pairs = [(left, right) for left in titles for right in titles]
    table = model.relate(pairs)
    back = model.relate([(right, left) for left, right in pairs])
    assert table.shape == (len(pairs), len(RELATIONS))
    np.testing.assert_array_equal(back, mirrored(table))
    np.testing.assert_allclose(table.sum(axis=1), 1)
    assert table.min() >= 0


def test_a_pair_alone_and_its_mirror_agree_too(model, language):
    first, _, third, _ = TITLES[language]
    np.testing.assert_array_equal(model.relate([(third, first)]), mirrored(model.relate([(first, third)])))


def test_equal_headlines_have_no_direction(model, language):
    title = TITLES[language][2]
    row = model.relate([(title, title)])[0]
    np.testing.assert_array_equal(row, mirrored(row))
    assert most_likely(row) in (Relation.NO_RELATIONSHIP, Relation.SAME_EVENT, Relation.OTHER_RELATIONSHIP)


def test_it_knows_the_same_event_from_another(model, language):
    fire, blaze, _, chess = TITLES[language]
    pairs = [(fire, blaze), (fire, chess)]
    found = model.same_event_probabilities(pairs, model.similarity(pairs))
    same, other = with_prior(found, HEADLINE_PRIOR)  # as a build weighs it
    assert same > 0.5 > other


def test_strength_is_a_scale_that_knows_cause_from_effect(model, language):
    fire, _, fuel, chess = TITLES[language]
    there, back, none = model.strengths([(fire, fuel), (fuel, fire), (chess, fuel)])
    assert 100 >= there > max(back, none) >= 0


def test_a_cause_is_likelier_between_headlines_somebody_picked(model, language):
    titles = TITLES[language]
    pairs = [(left, right) for left in titles for right in titles if left != right]
    causes = [3, 4]
    stream, picked = model.relation_probabilities(pairs), model.relate(pairs)
    assert (picked[:, causes].sum(axis=1) > stream[:, causes].sum(axis=1)).all()


def test_embeddings_are_unit_vectors_and_near_for_the_same_event(model, language):
    vectors = model.embed(TITLES[language])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-4)
    similarity = vectors @ vectors.T
    assert similarity[0, 1] > similarity[0, 3]


def test_no_headlines_give_empty_arrays(model):
    assert model.relate([]).shape == (0, len(RELATIONS))
    assert len(model.embed([])) == 0


def test_a_probability_and_its_cosine_belong_together(model):
    probabilities = [0.02, 0.1, 0.5, 0.9]
    cosines = np.array([model.cosine_for(probability) for probability in probabilities])
    np.testing.assert_allclose(model.same_event_by_cosine(cosines), probabilities, rtol=1e-6)
    assert (np.diff(cosines) > 0).all()


@pytest.mark.parametrize("method", ["relation_probabilities", "relate"])
def test_progress_tells_of_every_pass_and_ends_with_the_last_pair(model, language, method):
    titles = TITLES[language]
    pairs = [(left, right) for left in titles for right in titles if left < right]
    told = []
    asked = {"both_orders": True} if method == "relation_probabilities" else {}
    getattr(model, method)(pairs, told.append, **asked)
    assert sum(told) == len(pairs)
    assert max(told) < len(pairs)


@pytest.fixture
def alone(tmp_path):
    """The English model in a folder of its own, whose config names no other."""
    folder = tmp_path / "own"
    shutil.copytree(WEIGHTS / "headlines-en", folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    del config["second"], config["picked_by"], config["strength_by"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return HeadlineModel.from_pretrained(folder)


def test_a_second_model_is_heard_where_a_pair_is_read_with_care(alone):
    first, second, both = alone, *(HeadlineModel.from_pretrained(f"headlines-{name}") for name in ("ru", "en"))
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded"), ("Pilots walk out", "Bakery wins prize")]
    one, other, together = (model.relation_probabilities(pairs, both_orders=True) for model in (first, second, both))
    mean = np.sqrt(one * other)
    np.testing.assert_allclose(together, mean / mean.sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(both.relation_probabilities(pairs), first.relation_probabilities(pairs))
    back = both.relation_probabilities([(right, left) for left, right in pairs], both_orders=True)
    np.testing.assert_array_equal(mirrored(back), together)


def test_the_english_model_brings_its_second_and_a_folder_of_its_own_need_not(alone):
    assert HeadlineModel.from_pretrained("headlines-en").second_model is not None
    assert alone.second_model is None


def test_how_strong_an_english_cause_is_the_sentence_model_says(alone):
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded"), ("Pilots walk out", "Bakery wins prize")]
    sentences = StrengthModel(SentenceReader.from_pretrained("sentences-en").model)
    strengths = HeadlineModel.from_pretrained("headlines-en").strengths(pairs)
    np.testing.assert_array_equal(strengths, sentences.strengths(pairs))
    np.testing.assert_array_equal(alone.strengths(pairs), StrengthModel(alone.model).strengths(pairs))
    assert not np.allclose(strengths, alone.strengths(pairs))


def test_other_models_are_not_loaded_before_they_are_asked():
    model = HeadlineModel(OnnxModel(WEIGHTS / "headlines-en"))
    model.relation_probabilities([("Dam breaks above Lowton", "Village of Lowton flooded")])
    assert vars(model).keys().isdisjoint({"second", "picked", "_judge"})


@pytest.mark.parametrize("name", ["headlines-en", "headlines-ru"])
def test_on_picked_pairs_the_model_of_them_is_heard(name):
    model, picked = HeadlineModel.from_pretrained(name), HeadlineModel.from_pretrained("relations")
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded"), ("Pilots walk out", "Bakery wins prize")]
    pool = model.model.config["calibration"]["pool"]
    opinions = [speaker.relation_probabilities(pairs, both_orders=True) for speaker in (model, picked)]
    product = np.prod([table**weight for table, weight in zip(opinions, pool["weights"], strict=True)], axis=0)
    product *= pool["factors"]
    np.testing.assert_allclose(model.relate(pairs), product / product.sum(axis=1, keepdims=True), rtol=1e-6)


def test_a_folder_that_names_no_other_moves_its_own_odds(alone):
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded")]
    own = alone.relation_probabilities(pairs, both_orders=True)
    np.testing.assert_array_equal(alone.relate(pairs), alone.recalibrated_for_picked(own))
    assert not np.allclose(alone.relate(pairs), HeadlineModel.from_pretrained("headlines-en").relate(pairs))


def test_compressed_weights_say_what_plain_ones_do(alone, tmp_path):
    plain = tmp_path / "plain"
    shutil.copytree(alone.model.folder, plain)
    packed = plain / "model.onnx.gz"
    (plain / "model.onnx").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded")]
    np.testing.assert_array_equal(HeadlineModel.from_pretrained(plain).relate(pairs), alone.relate(pairs))
