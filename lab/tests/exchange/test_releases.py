"""Campaigns are written as the papers' corpora, and read back as the same items and answers."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab.tests.exchange.made_up_campaigns import (
    CAMPAIGNS,
    CAUSE,
    COUNTERFACTUALS,
    GRAPHS,
    MORNING,
    NONE,
    PAIRS,
    RAIN,
    SPANS,
    TIMELINES,
    campaigns,
    pair,
    result,
    span,
    vote,
)
from tests.golden import check_text, is_writing

from whywire.annotation.answers import CounterfactualAnswer, GraphAnswer, MarkedLink, SpanRelation, SpansAnswer
from whywire.annotation.items import CausalSentence, Kind, Sentence, Timeline
from whywire.errors import OutputError
from whywire.pairs.relations import Causality, Relation
from whywire_lab.corpora import causal_news_corpus, crab, headline_cause, hlgd, semeval2020
from whywire_lab.exchange.formats import ITEM_FORMATS
from whywire_lab.exchange.labelled_items import LabelledItems
from whywire_lab.exchange.releases.corpora import CORPUS_OF, release_of
from whywire_lab.exchange.releases.release import write_release
from whywire_lab.labels.rows import ReaderGraph

GOLDEN = Path(__file__).parent / "golden" / "releases"

FORMAT_OF = {
    Kind.RELATION: "headline-cause",
    Kind.GROUPING: "hlgd",
    Kind.COUNTERFACTUAL: "semeval2020",
    Kind.SPANS: "recess",
    Kind.STRENGTH: "crab",
    Kind.GRAPH: "reader-graphs",
}


def written(data, folder, part=None):
    found = release_of(data, part)
    write_release(found, folder)
    return found


def answers(data):
    """Answers by item; groups are sets, the order of which is not kept, and signals are sorted."""

    def plain(answer):
        if isinstance(answer, SpansAnswer):
            return [(one.cause, one.effect, sorted(one.signals)) for one in answer.relations]
        if data.kind is Kind.GROUPING:
            return {frozenset(group) for group in answer.groups}
        if isinstance(answer, GraphAnswer):
            events = {one.id: (one.status, one.main, set(one.mentions)) for one in answer.events}
            return events, {(link.cause, link.effect): link for link in answer.links}
        return answer.score if data.kind is Kind.STRENGTH else answer

    return {one.item: plain(one.answer) for one in data.results}


@pytest.mark.parametrize("kind", Kind)
@settings(max_examples=50)
@given(st.data())
def test_a_release_is_read_back_as_the_same_items_and_answers(tmp_path_factory, kind, data):
    campaign = data.draw(campaigns(kind))
    folder = tmp_path_factory.mktemp("data")
    found = written(campaign, folder)
    left_out = {problem.place for problem in found.problems if not problem.kept}
    if not found.files:
        assert left_out
        return
    read = ITEM_FORMATS[FORMAT_OF[kind]].read(folder / CORPUS_OF[kind], None)
    assert read.problems == ()
    assert {item.id: item for item in read.items} == {
        item.id: item for item in campaign.items if item.id not in left_out
    }
    assert answers(read) == {name: own for name, own in answers(campaign).items() if name not in left_out}


@pytest.mark.parametrize("kind", Kind)
def test_the_campaign_written_by_hand_is_read_by_the_readers_of_the_corpora(tmp_path, kind):
    found = written(CAMPAIGNS[kind], tmp_path, "train")
    assert all(name.startswith((CORPUS_OF[kind], "labels/")) for name in found.files)
    folder = tmp_path / CORPUS_OF[kind]
    if kind is Kind.RELATION:
        dam, _ = headline_cause.read_split(folder, "en", "full", "train")
        assert (dam.relation, dam.left_published.at.hour, dam.left_url) == (
            Relation.LEFT_RIGHT_CAUSE,
            9,
            "https://one.example/dam",
        )
        (minister,) = headline_cause.read_split(folder, "ru", "full", "train")
        assert minister.relation is Relation.LEFT_RIGHT_REFUTE
        assert {row.relation for row in headline_cause.read_pairs(folder / "pairs.jsonl")} == {
            CAUSE.relation,
            minister.relation,
            NONE.relation,
        }
    elif kind is Kind.GROUPING:
        (file,) = (folder / "timelines").iterdir()
        reports = list(hlgd.read_timeline(file))
        assert [report.group for report in reports] == ["ferry/1-1", "ferry/1-1", "ferry/1-2", "ferry/1-3"]
        assert reports[3].annotated == ("ferry/1-3", "ferry/1-1", None, None, None)
        same = [row for row in hlgd.read_pairs(folder / "hlgd.json") if row.same]
        assert [(row.a.headline, row.split) for row in same] == [("Ferry terminal of Esk burns 🔥", "train")]
    elif kind is Kind.COUNTERFACTUAL:
        assert [row.counterfactual for row in semeval2020.read_subtask1(folder / "subtask1_train.csv")] == [1, 0, 1]
        dam, only = semeval2020.read_subtask2(folder / "subtask2_train.csv")
        assert dam.text[slice(*dam.consequent)] == "the mill would stand"
        assert only.consequent is None
    elif kind is Kind.SPANS:
        rain, bakers = causal_news_corpus.read_sentences(folder, "train")
        assert (rain.document, rain.causal, bakers.causal) == ("doc", True, False)
        assert [rain.text[slice(*one)] for one in rain.relations[0].signals] == ["so", "that"]
    elif kind is Kind.STRENGTH:
        one, two = crab.read_pairs(folder / "pairwise_causality.jsonl")
        assert (one.score, one.scores, one.in_document, two.in_document) == (85, (90, 80), True, False)
    else:
        assert [json.loads(line)["article"] for line in found.files["reader_graphs/graphs.jsonl"].splitlines()] == [
            "a1",
            "a2",
        ]
        (label,) = found.files["labels/reader_graphs_en.jsonl"].splitlines()
        graph = msgspec.json.decode(label, type=ReaderGraph)
        assert graph.events[0].mentions == [("text", 0, 15), ("title", 0, 10)]


def test_what_people_do_not_agree_on_is_left_out_and_named():
    found = release_of(PAIRS, "dev")
    assert [str(problem) for problem in found.problems] == ["pair-4: left out, since people do not agree (50%)"]


def test_three_classes_are_decided_by_votes_of_their_own(tmp_path):
    written(PAIRS, tmp_path, "dev")
    folder = tmp_path / "headline_cause"
    simple = {row.id: row for row in headline_cause.read_split(folder, "en", "simple", "dev")}
    assert simple["pair-1"].agreement == simple["pair-4"].agreement == 1
    assert simple["pair-4"].causality is Causality.LEFT_RIGHT
    assert "pair-4" not in {row.id for row in headline_cause.read_split(folder, "en", "full", "dev")}


def test_a_curator_decides_and_is_no_annotator(tmp_path):
    decided = msgspec.structs.replace(result("pair-1", NONE), curated=True)
    votes = (*PAIRS.votes, vote("pair-1", "curator", NONE))
    written(replace(PAIRS, votes=votes, results=(decided,)), tmp_path, "dev")
    folder = tmp_path / "headline_cause"
    for labels in ("simple", "full"):
        (own,) = [row for row in headline_cause.read_split(folder, "en", labels, "dev") if row.id == "pair-1"]
        assert own.causality is Causality.NONE


def test_without_a_part_the_latest_pairs_are_for_testing(tmp_path):
    items = tuple(pair(number, f"Rain {number} in Arle", f"Flood {number} in Arle") for number in range(20))
    written(replace(PAIRS, items=items, votes=(), results=tuple(result(item.id, CAUSE) for item in items)), tmp_path)
    parts = [list(headline_cause.read_split(tmp_path, "en", "full", name)) for name in ("train", "dev", "test")]
    assert [len(part) for part in parts] == [16, 2, 2]
    assert max(row.left_published.at for row in parts[0]) < min(row.left_published.at for row in parts[2])
    assert len(list(headline_cause.read_pairs(tmp_path / "headline_cause" / "pairs.jsonl"))) == 16


def test_a_text_that_people_split_becomes_sentences():
    one, two = SPANS.results[0].answer.relations
    across = SpanRelation(one.cause, two.effect)
    split = SpansAnswer([one, two, across], [RAIN.index("The ferry")])
    found = release_of(replace(SPANS, results=(result("doc_1", split), SPANS.results[1])), "train")
    assert "the relation lies in no one of the pieces of the text" in found.problems[0].reason
    grouped = found.files["causal_news_corpus_v2/train_subtask2_grouped.csv"]
    assert '"doc_1.2","<' not in grouped
    assert "<ARG1>The ferry sailed</ARG1> <SIG0>because</SIG0> <ARG0>the wind fell</ARG0>" in grouped
    labels = found.files["causal_news_corpus_v2/train_subtask1.csv"].splitlines()
    assert [line.split('"')[1] for line in labels] == ["index", "doc_1.1", "doc_1.2", "doc_2"]


def test_what_a_corpus_cannot_hold_is_named():
    only = CounterfactualAnswer(True, None, (0, 4))
    found = release_of(replace(COUNTERFACTUALS, results=(result("s2", only),)), "train")
    assert "s2: not in subtask 2, since the counterfactual has no antecedent" in map(str, found.problems)

    undated = Timeline(id="t", headlines=[replace_day(own) for own in TIMELINES.items[0].headlines])
    found = release_of(
        replace(TIMELINES, items=(undated,), votes=(), results=(result("t", TIMELINES.results[0].answer),))
    )
    assert [str(one) for one in found.problems] == ["t: left out, since the headline 'a' has no day"]

    twins = tuple(CausalSentence(id=name, text="The tag <ARG0> opens") for name in "ab")
    found = release_of(replace(SPANS, items=twins, results=tuple(result(own.id, SpansAnswer([])) for own in twins)))
    assert [one.place for one in found.problems] == ["b"]

    graph = GRAPHS.results[0].answer
    apart = GraphAnswer([graph.events[1], mayor_alone(graph)], [MarkedLink("e2", "e3")])
    found = release_of(replace(GRAPHS, results=(result("story-1", apart),)))
    assert [str(one) for one in found.problems] == ["story-1: no article names both ends of the link e2 → e3"]


def replace_day(headline):
    return type(headline)(headline.id, headline.title)


def mayor_alone(graph):
    event = graph.events[2]
    return type(event)(event.id, [event.mentions[1]])


def test_a_corpus_is_never_replaced(tmp_path):
    written(COUNTERFACTUALS, tmp_path, "train")
    before = (tmp_path / "semeval2020_task5" / "subtask2_train.csv").read_bytes()
    more = replace(
        COUNTERFACTUALS, items=(Sentence(id="x", text="ab"),), results=(result("x", CounterfactualAnswer(False)),)
    )
    with pytest.raises(OutputError, match=r"subtask1_train\.csv: the file is there already"):
        written(more, tmp_path, "train")
    assert (tmp_path / "semeval2020_task5" / "subtask2_train.csv").read_bytes() == before


ROWS = {
    "headline-cause": (
        "en_full_test.jsonl",
        [
            '{"left_title": "Dam breaks", "right_title": "Mill flooded", "label": 3, "agreement": 0.8, "id": "1"}',
            '{"left_title": "Dam breaks", "right_title": "Mill flooded", "label": 9}',
            '{"left_title": "Dam breaks", "label": 1}',
            "{broken",
            '{"left_title": "A", "right_title": "B", "left_timestamp": 1588420800, "right_timestamp": 1588420000, '
            '"label": 3}',
        ],
        ["the label must be", "right_title must be", "broken JSON", "the times rule out left_right_cause"],
    ),
    "hlgd": (
        "mill.csv",
        [
            "url,headline,date,annot_1_group,annot_2_group,annot_3_group,annot_4_group,annot_5_group,global_group",
            "https://one.example,Mill burns,2026-03-01,1,1,,,,1",
            "https://two.example,Mill on fire,2026-03-01,1,2,,,,1",
            "https://three.example,Mill soon,soon,1,2,,,,1",
            "https://four.example,,2026-03-01,1,2,,,,1",
            "short,row",
        ],
        ["unreadable time 'soon'", "there is no headline", "2 cells in a row"],
    ),
    "semeval2020": (
        "subtask2_train.csv",
        [
            "sentenceID,sentence,antecedent,consequent,antecedent_startid,antecedent_endid,consequent_startid,"
            "consequent_endid",
            "1,Had it rained we had stayed,,,0,12,-1,-1",
            "2,Had it rained we had stayed,,,0,x,-1,-1",
            "3,Short,,,0,99,-1,-1",
        ],
        ["an index is no whole number", "no words at 0 to 100"],
    ),
    "recess": (
        "train_subtask2_grouped.csv",
        [
            "doc_id,index,text,causal_text_w_pairs",
            "d,d_1,a b,\"['<ARG0>a</ARG0> <ARG1>b</ARG1>']\"",
            "d,d_2,a c,\"['<ARG0>a</ARG0> c']\"",
            "d,d_3,a d,nothing",
        ],
        ["a relation needs one closed", "no list of marked copies"],
    ),
    "crab": (
        "pairs.jsonl",
        [
            '{"event_a": "Dam broke", "event_b": "Mill flooded", "causal_score": 66.6, "scores": [60, 73]}',
            '{"event_a": "Dam broke", "causal_score": 60}',
            '{"event_a": "Dam broke", "event_b": "Mill flooded", "causal_score": 660}',
            "[]",
        ],
        ["there is no second event", "a score must be a number", "must be an object"],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_that_cannot_be_used_are_named_and_the_others_read(tmp_path, name):
    file, lines, reasons = ROWS[name]
    (tmp_path / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    read = ITEM_FORMATS[name].read(tmp_path, None)
    assert len(read.problems) == len(reasons)
    for problem in read.problems:
        assert problem.place.startswith(f"{tmp_path / file}:")
        assert any(reason in problem.reason for reason in reasons), problem
    for reason in reasons:
        assert any(reason in problem.reason for problem in read.problems), reason
    assert len(read.results) == 1


def test_a_score_that_is_no_whole_number_is_rounded_and_workers_are_numbered(tmp_path):
    (tmp_path / "pairs.jsonl").write_text(ROWS["crab"][1][0], encoding="utf-8")
    read = ITEM_FORMATS["crab"].read(tmp_path / "pairs.jsonl", None)
    assert read.results[0].answer.score == 67
    assert [(one.person, one.answer.score) for one in read.votes] == [("worker 1", 60), ("worker 2", 73)]


def test_three_classes_leave_the_relation_open(tmp_path):
    (tmp_path / "en_simple_test.jsonl").write_text(ROWS["headline-cause"][1][0].replace("3", "1"), encoding="utf-8")
    read = ITEM_FORMATS["headline-cause"].read(tmp_path / "en_simple_test.jsonl", None)
    assert [one.reason for one in read.problems] == ["three classes leave the relation open"]


def test_a_sentence_called_causal_without_relations_has_no_result(tmp_path):
    (tmp_path / "train_subtask1.csv").write_text("index,text,label\nd_1,a b,1\nd_2,a c,0\n", encoding="utf-8")
    (tmp_path / "train_subtask2_grouped.csv").write_text(
        "index,text,causal_text_w_pairs\nd_1_0,a b,[]\n", encoding="utf-8"
    )
    read = ITEM_FORMATS["recess"].read(tmp_path, None)
    assert [own.id for own in read.items] == ["d_1", "d_2"]
    assert [one.item for one in read.results] == ["d_2"]
    assert "called causal, but no relation is marked" in read.problems[0].reason


def test_times_of_day_and_words_of_graphs_are_those_of_the_items(tmp_path):
    written(GRAPHS, tmp_path)
    read = ITEM_FORMATS["reader-graphs"].read(tmp_path / "reader_graphs", None)
    assert read.items[0].articles[0].published == MORNING
    graph = json.loads((tmp_path / "reader_graphs" / "graphs.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert graph["events"][0]["words"] == "The dam broke 🌊"
    assert span(RAIN, "🌧") == (5, 6)


def test_an_empty_campaign_makes_no_files():
    assert release_of(LabelledItems(Kind.SPANS, ())).files == {}


@pytest.mark.parametrize("kind", Kind)
def test_releases_are_written_as_they_always_were(kind):
    for name, text in release_of(CAMPAIGNS[kind], "train").files.items():
        path = GOLDEN / name
        if is_writing():
            path.parent.mkdir(parents=True, exist_ok=True)
        check_text(text, path)
