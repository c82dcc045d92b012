"""A campaign that is finished is a corpus: bench measures on its release, and training reads it."""

import pytest
from lab.tests.exchange.made_up_campaigns import CAMPAIGNS, PAIRS, SPANS, STRENGTHS, result, span

from whywire.annotation.answers import GraphAnswer, MarkedEvent, MarkedLink, MarkedMention
from whywire.annotation.items import Kind, ReadArticle, Reading
from whywire.reading.document_reader import DocumentReader
from whywire_lab.corpora import crab
from whywire_lab.exchange.labelled_items import LabelledItems
from whywire_lab.exchange.releases.corpora import release_of
from whywire_lab.exchange.releases.release import write_release
from whywire_lab.recipes.corpus_pairs import _headline_cause
from whywire_lab.recipes.document_rows import read_documents
from whywire_lab.recipes.sentence_data import load_recess
from whywire_lab.tasks.run import run

TASKS = {
    "headline-cause": "7-class accuracy",
    "headline-cause-ru": "7-class accuracy",
    "hlgd": "F1",
    "hlgd-groups": "F1",
    "semeval2020-1": "F1",
    "semeval2020-2": "exact",
    "recess-1": "F1",
    "recess-2": "F1",
    "crab": "binary F1",
}
"""The tasks, each with one of its scores."""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """One folder of corpora with the releases of all campaigns."""
    folder = tmp_path_factory.mktemp("data")
    for campaign in CAMPAIGNS.values():
        write_release(release_of(campaign, "dev"), folder)
    return folder


@pytest.mark.parametrize("name", TASKS)
def test_bench_measures_on_the_release_of_a_campaign(data, name):
    found = run(name, data, baselines=False)
    assert found.rows > 0
    assert all(data in path.parents for path in found.files)
    assert 0 <= found.systems[0].scores[TASKS[name]] <= 1


def test_annotators_who_grouped_nothing_do_not_count(data):
    kinds = run("hlgd-groups", data, baselines=False).systems[0].kinds
    assert kinds["annotators, F1"] == pytest.approx(0.5)


def test_training_learns_from_the_pairs_of_the_training_part(tmp_path):
    write_release(release_of(PAIRS, "train"), tmp_path)
    rows = [row for _, row in _headline_cause(tmp_path / "headline_cause")]
    assert {(row.left, row.language) for row in rows} == {
        (item.left_title, "ru" if "министр" in item.left_title else "en") for item in PAIRS.items[:3]
    }


def test_training_learns_from_marked_sentences_and_strengths(tmp_path):
    for campaign in (SPANS, STRENGTHS):
        write_release(release_of(campaign, "train"), tmp_path)
    rows = [row for part in load_recess(tmp_path).values() for row in part]
    assert sorted(row.causal for row in rows) == [False, True]
    assert [len(row.relations) for row in rows if row.causal] == [2]
    pairs = crab.read_pairs(crab.find_pairs(tmp_path / "crab"))
    train, held_out = crab.split_pairs(pairs, "story")
    assert {pair.score for pair in (*train, *held_out)} == {85, 0}


def test_training_reads_graphs_of_articles(tmp_path):
    text = "The dam broke on Monday. The mill was flooded because of it."
    article = ReadArticle("a1", "Dam breaks", text)
    events = [
        MarkedEvent(
            "e1", [MarkedMention("a1", "text", span(text, "The dam broke")), MarkedMention("a1", "title", (0, 10))]
        ),
        MarkedEvent("e2", [MarkedMention("a1", "text", span(text, "The mill was flooded"))]),
    ]
    other = ReadArticle("a2", "Bakers of Borr win a prize")
    drawn = LabelledItems(
        Kind.GRAPH,
        (Reading(id="story-1", articles=[article]), Reading(id="story-2", articles=[other])),
        results=(
            result("story-1", GraphAnswer(events, [MarkedLink("e1", "e2")])),
            result("story-2", GraphAnswer([], [])),
        ),
    )
    write_release(release_of(drawn), tmp_path)
    own, bakers = read_documents(tmp_path, DocumentReader.from_pretrained("documents").model.tokenizer)
    assert own.group != bakers.group
    assert (own.links, len(own.events), len(own.mentions)) == ([(0, 1, 0, True)], 2, 3)
