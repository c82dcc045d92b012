"""Order of a pair never matters, and the answers are probabilities."""

import shutil

import numpy as np
import pytest

from whywire.errors import ModelError
from whywire.events.headline_events import HEADLINE_PRIOR
from whywire.events.linkage import with_prior
from whywire.models import from_pretrained
from whywire.models.odds import log_odds
from whywire.models.pretrained import WEIGHTS
from whywire.pairs.model import PairModel
from whywire.pairs.relations import RELATIONS, Relation, mirrored, most_likely
from whywire.pairs.report_reader import REPORT_BYTES, ReportReader
from whywire.pairs.reports import Report
from whywire.pairs.title_pairs import KIND, StrengthModel
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
    return PairModel.from_pretrained(language=language)


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
    found = model.same_event_probabilities(pairs)
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
    getattr(model, method)(pairs, told.append)
    assert sum(told) == pytest.approx(len(pairs))
    assert max(told) < len(pairs)


LEADS = {
    "en": [
        "A fire broke out at the oil refinery in Port Ellery on Monday morning. Two workers were hurt.",
        "The refinery in Port Ellery was in flames on Monday; firefighters said two workers had burns.",
        "Drivers in the north queued for fuel on Thursday, three days after the refinery burned.",
        "",
    ],
    "ru": [
        "В понедельник утром на нефтезаводе в Верхнереченске вспыхнул пожар. Пострадали двое рабочих.",
        "Нефтезавод в Верхнереченске горел в понедельник, сообщили спасатели: двое рабочих получили ожоги.",
        "В четверг на заправках региона выстроились очереди: завод после пожара стоит третий день.",
        "",
    ],
}


def reports_in(language):
    return [Report(title, lead) for title, lead in zip(TITLES[language], LEADS[language], strict=True)]


def test_a_lead_is_read_and_a_report_with_one_mirrors_too(model, language):
    reports = reports_in(language)
    pairs = [(left, right) for left in reports for right in reports]
    table = model.compared_probabilities(pairs)
    np.testing.assert_array_equal(model.compared_probabilities([pair[::-1] for pair in pairs]), mirrored(table))
    first, second = TITLES[language][:2]
    assert not np.allclose(table[1], model.compared_probabilities([(first, second)])[0], atol=1e-3)
    mixed = model.compared_probabilities([(reports[0], second)])
    np.testing.assert_array_equal(model.compared_probabilities([(second, reports[0])]), mirrored(mixed))


def test_of_a_picked_pair_the_leads_are_read_too(model, language):
    reports = reports_in(language)
    with_leads = model.relate([(reports[0], reports[2])])
    assert not np.allclose(with_leads, model.relate([(TITLES[language][0], TITLES[language][2])]), atol=1e-3)


def test_two_titles_that_hide_their_event_are_one_to_who_reads_the_leads(model):
    titles = "Seven drown as ferry capsizes off the cape", "Toll of Tuesday's accident at sea reaches seven"
    leads = (
        "A ferry with forty people on board capsized off Cape Brill on Tuesday. Seven drowned.",
        "Seven people are now known to have drowned when the ferry overturned off Cape Brill on Tuesday.",
    )
    by_titles, by_leads = model.same_event_probabilities(
        [titles, tuple(Report(*both) for both in zip(titles, leads, strict=True))], prior=0.5
    )
    assert by_leads > 0.5 > by_titles


def test_a_prior_moves_the_odds_of_every_pair_alike(model, language):
    pairs = [(left, right) for left in TITLES[language] for right in TITLES[language] if left < right]
    stream, even, most = (model.same_event_probabilities(pairs, prior=prior) for prior in (None, 0.5, 0.9))
    assert (most > even).all()
    np.testing.assert_allclose(log_odds(most) - log_odds(even), log_odds(0.9), atol=1e-6)
    np.testing.assert_allclose(model.same_event_probabilities(pairs, prior=model.usual_share), stream, atol=1e-3)


def test_how_strong_a_cause_is_the_sentence_model_says_in_english_and_that_of_picked_pairs_in_russian():
    pairs = [("Dam breaks above Lowton", "Village of Lowton flooded"), ("Pilots walk out", "Bakery wins prize")]
    sentences = StrengthModel(SentenceReader.from_pretrained("sentences-en").model)
    strengths = PairModel.from_pretrained().strengths(pairs)
    np.testing.assert_array_equal(strengths, sentences.strengths(pairs))
    russian = PairModel.from_pretrained(language="ru").strengths(pairs)
    np.testing.assert_array_equal(russian, StrengthModel(from_pretrained("relations", kind=KIND)).strengths(pairs))


def test_a_folder_without_the_graph_of_pairs_is_named(tmp_path):
    folder = tmp_path / "own"
    shutil.copytree(WEIGHTS / "pairs", folder)
    (folder / "pair.onnx.gz").unlink()
    with pytest.raises(ModelError, match="pairs"):
        PairModel.from_pretrained(folder)


def test_what_was_read_is_kept_and_forgotten_in_turn(model):
    reader = ReportReader(model.model, kept=2)
    first, second, third = (Report(title) for title in TITLES["en"][:3])
    known = reader.read([first, second])
    again = reader.read([first, third])
    assert again[first] is known[first]
    assert reader.read([second])[second] is not known[second]
    np.testing.assert_array_equal(reader.read([second])[second].vector, known[second].vector)
    assert known[first].states.shape[0] > 3
    np.testing.assert_array_equal(known[first].title, known[first].whole)


def test_of_long_reports_fewer_are_kept(model):
    reader = ReportReader(model.model, kept=6)
    long = [Report(f"{number} {'storm shuts port ' * 200}") for number in range(3)]
    known = reader.read(long)
    assert known[long[0]].nbytes > REPORT_BYTES
    assert [reader.read([one])[one] is known[one] for one in (long[2], long[0])] == [True, False]
    short = [Report(title) for title in TITLES["en"][:4]]
    known = reader.read(short)
    assert all(reader.read([one])[one] is known[one] for one in short)


def test_a_vector_of_a_report_is_as_near_as_title_and_whole_are_on_average(model, language):
    reports = reports_in(language)
    read = ReportReader(model.model).read(reports)
    one, other = (read[report] for report in reports[:2])
    both = (one.title @ other.title + one.whole @ other.whole) / 2
    assert model.similarity([(reports[0], reports[1])])[0] == pytest.approx(both, abs=1e-5)
    vectors = model.embed(reports[:2])
    assert vectors[0] @ vectors[1] == pytest.approx(both, abs=1e-5)
