"""Spans of RECESS: by hand on sentences of our own, and number for number as the published scorer."""

import json
from pathlib import Path

import pytest
from made_up_recess import SAMPLE_ROWS, SCORES, STRICT_SCORES, write_sample
from tests.conftest import ROOT

from whywire_lab.corpora.causal_news_corpus import (
    CausalSentence,
    TaggedRelation,
    parse_relation,
    parse_tags,
    read_grouped,
    read_submission,
)
from whywire_lab.metrics.recess import ALL, SEVERAL, evaluate, evaluate_strictly, scores_text

SAMPLE = ROOT.parent / "shared" / "data" / "causal_news_corpus_v2" / "scorer_sample"

ROWS = [
    (
        ["<ARG0>The strike</ARG0> <ARG1>closed the port</ARG1> ."],
        ["<ARG0>The strike</ARG0> closed <ARG1>the port</ARG1> ."],
    ),
    (
        [
            "<ARG0>Heavy rain</ARG0> <ARG1>flooded the road</ARG1> and so the school closed .",
            "<ARG0>Heavy rain flooded the road</ARG0> and <SIG0>so</SIG0> <ARG1>the school closed</ARG1> .",
        ],
        [
            "<ARG0>Heavy rain flooded the road</ARG0> <SIG0>and so</SIG0> <ARG1>the school closed</ARG1> .",
            "<ARG0>Heavy rain</ARG0> flooded the road and so the school closed .",
        ],
    ),
    (
        ["<ARG1>Shops stayed shut</ARG1> <SIG0>after</SIG0> <ARG0>the fire</ARG0> ."],
        ["Shops stayed shut after the fire ."],
    ),
    ([], ["<ARG0>The mayor</ARG0> <ARG1>spoke to reporters</ARG1> ."]),
    (
        ["<ARG0>The quake</ARG0> <ARG1>cut the power</ARG1> ."],
        [
            "<ARG0>The quake</ARG0> <ARG1>cut the power</ARG1> .",
            "<ARG1>The quake</ARG1> <ARG0>cut the power</ARG0> .",
        ],
    ),
]
"""True and predicted relations of five sentences; the fourth is not causal."""


def sentence(marked: list[str], text: str) -> CausalSentence:
    relations = tuple(parse_relation(one)[1] for one in marked)
    return CausalSentence("", "", text, bool(relations), relations)


def sentences(rows) -> tuple[list[CausalSentence], list[tuple[TaggedRelation, ...]]]:
    truth = [sentence(marked, parse_tags(estimates[0])[0]) for marked, estimates in rows]
    estimates = [tuple(parse_tags(estimate)[1] for estimate in estimates if "<" in estimate) for _, estimates in rows]
    return truth, estimates


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the published scorer's example is not here")
def test_the_published_example_comes_out_to_the_last_digit():
    truth, predictions = read_sample(SAMPLE / "truth.csv", SAMPLE / "submission.json")
    assert scores_text(evaluate(truth, predictions)) == (SAMPLE / "scores.txt").read_text(encoding="utf-8")


def read_sample(truth: Path, submission: Path) -> tuple[list[CausalSentence], list[tuple[TaggedRelation, ...]]]:
    sentences = list(read_grouped(truth))
    return sentences, read_submission(submission, [sentence.text for sentence in sentences])


def test_a_made_up_example_comes_out_as_by_hand(tmp_path):
    table = evaluate(*read_sample(*write_sample(tmp_path)))
    assert list(table) == list(SCORES)
    for heading, numbers in SCORES.items():
        assert table[heading] == pytest.approx(numbers), heading


def test_strictly_a_made_up_example_comes_out_as_by_hand(tmp_path):
    assert evaluate_strictly(*read_sample(*write_sample(tmp_path))) == pytest.approx(STRICT_SCORES)


def test_a_made_up_example_is_read_as_it_is_marked(tmp_path):
    truth, predictions = read_sample(*write_sample(tmp_path))
    assert [sentence.text for sentence in truth] == [row.text for row in SAMPLE_ROWS]
    assert [len(sentence.relations) for sentence in truth] == [len(row.truth) for row in SAMPLE_ROWS]
    assert [len(relations) for relations in predictions] == [len(row.predicted) for row in SAMPLE_ROWS]


def test_scores_by_hand():
    table = evaluate(*sentences(ROWS))
    # six hits, two near (a short effect, a long signal), four missed (an effect, all of the third sentence)
    assert table[ALL] == pytest.approx(
        {
            "Recall": 6 / 11,
            "Precision": 6 / 7,
            "F1": 2 / 3,
            "Cause_Recall": 4 / 5,
            "Cause_Precision": 1,
            "Cause_F1": 8 / 9,
            "Effect_Recall": 2 / 4.5,
            "Effect_Precision": 2 / 2.5,
            "Effect_F1": 4 / 7,
            "Signal_Recall": 0,
            "Signal_Precision": 0,
            "Signal_F1": 0,
        }
    )
    # the second sentence alone: three hits, a near signal, a missed effect
    several = table[SEVERAL]
    assert [several[name] for name in ("Recall", "Precision", "F1")] == pytest.approx([3 / 4.5, 3 / 3.5, 3 / 4])


def test_strictly_every_relation_too_many_is_surplus():
    numbers = evaluate_strictly(*sentences(ROWS))
    # two relations too many, of two spans each: one in the sentence that is not causal, one in the last
    assert (numbers["Precision"], numbers["Recall"]) == pytest.approx((6 / 11, 6 / 11))


def test_the_order_of_relations_does_not_matter():
    truth, predictions = sentences(ROWS)
    turned = [tuple(reversed(relations)) if len(relations) == 2 else relations for relations in predictions[:2]]
    assert evaluate(truth, [*turned, *predictions[2:]]) == evaluate(truth, predictions)


def test_an_argument_of_one_word_runs_on_to_the_next_as_the_scorer_reads_it():
    rows = [
        (
            ["<ARG0>Rain</ARG0> soon <ARG1>closed the road</ARG1> ."],
            ["<ARG0>Rain soon</ARG0> <ARG1>closed the road</ARG1> ."],
        )
    ]
    assert evaluate(*sentences(rows))[ALL]["F1"] == 1
    # strictly a hit and a near miss
    assert evaluate_strictly(*sentences(rows))["F1"] == pytest.approx(1 / 1.5)


def test_a_signal_of_one_word_ends_where_it_ends():
    marked = "<ARG1>They fled</ARG1> <SIG0>after</SIG0> <ARG0>the blast hit</ARG0> ."
    running_on = "<ARG1>They fled</ARG1> <SIG0>after <ARG0>the blast hit</ARG0> .</SIG0>"
    for estimate, signal, whole in ((marked, 1, 1), (running_on, 0, 2 / 2.5)):
        table = evaluate(*sentences([([marked], [estimate])]))[ALL]
        assert (table["Signal_F1"], table["F1"]) == pytest.approx((signal, whole))


def test_parts_may_be_missing_or_in_pieces():
    rows = [
        (
            ["<ARG1>Two houses fell and a bridge broke</ARG1> in <ARG0>the storm</ARG0> ."],
            ["<ARG1>Two houses fell</ARG1> <ARG1>and a bridge broke</ARG1> in the storm ."],
        ),
        (
            ["<ARG0>The thaw</ARG0> <ARG1>softened the ice road</ARG1> ."],
            ["<ARG0>The thaw</ARG0> <ARG1>softened the ice road</ARG1> ."],
        ),
    ]
    table = evaluate(*sentences(rows))[ALL]
    # two near misses and a hit
    assert (table["Effect_Recall"], table["Effect_Precision"]) == pytest.approx((1 / 2, 1 / 2))
    # a miss and a hit
    assert (table["Cause_Recall"], table["Cause_Precision"]) == pytest.approx((1 / 2, 1))


def test_nothing_to_score_is_zero():
    assert set(evaluate([], [])[ALL].values()) == {0.0}


def test_the_table_reads_as_the_scorer_writes_it():
    text = scores_text(evaluate(*sentences(ROWS[:1])))
    lines = text.splitlines()
    assert text == "\n".join(lines) + "\n"
    assert lines[0] == "### All Examples"
    assert lines[13:15] == ["", "### Examples with Multiple Relations"]
    names = [line.partition(":")[0] for line in lines]
    assert (names[1:13], names[15:]) == (list(SCORES[ALL]), list(SCORES[SEVERAL]))
    assert json.loads(lines[1].partition(":")[2]) == pytest.approx(1 / 1.5)
    assert (lines[5], lines[12], lines[27:]) == ("Cause_Precision:1.0", "Signal_F1:0.0", [])
