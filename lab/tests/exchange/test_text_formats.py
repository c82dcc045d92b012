"""JSON lines, marked copies and BIO columns: what is written is read back, and bad input is named."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.tests.exchange.made_up import EXAMPLES, annotated, asserted_first, relation, trimmed, unique

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence
from whywire_lab.exchange.bio import from_bio, to_bio
from whywire_lab.exchange.cnc_csv import from_cnc_csv, tag_relation, to_cnc_csv
from whywire_lab.exchange.jsonl import from_jsonl, to_jsonl
from whywire_lab.exchange.tokens import split_tokens

several = st.lists(annotated(), max_size=3).map(unique)


@given(several, st.floats(0, 1))
def test_json_lines_round_trip(sentences, probability):
    sentences = [
        replace(sentence, relations=tuple(replace(one, probability=probability) for one in sentence.relations))
        for sentence in map(asserted_first, sentences)
    ]
    read = from_jsonl(to_jsonl(sentences))
    assert (list(read.sentences), read.problems) == (sentences, ())


@given(several)
def test_tagged_copies_round_trip(sentences):
    sentences = list(map(asserted_first, sentences))
    read = from_cnc_csv(to_cnc_csv(sentences))
    assert (list(read.sentences), read.problems) == (sentences, ())


@given(several)
def test_columns_round_trip(sentences):
    sentences = list(map(trimmed, sentences))
    read = from_bio(to_bio(sentences))
    assert (list(read.sentences), read.problems) == (sentences, ())


@given(annotated())
def test_tokens_are_all_that_is_not_whitespace_and_every_span_is_made_of_them(sentence):
    tokens = split_tokens(sentence.text, sentence.relations)
    assert "".join(sentence.text[slice(*token)] for token in tokens) == "".join(sentence.text.split())
    ends = {end for token in tokens for end in token}
    for one in trimmed(sentence).relations:
        assert {*one.cause, *one.effect, *(end for signal in one.signals for end in signal)} <= ends


def test_tags_close_before_they_open_and_nest():
    text = "Rain so heavy flooded towns"
    nested = CausalRelation((0, 13), (13, 27), ((5, 7), (7, 13)))
    assert tag_relation(text, nested) == (
        "<ARG0>Rain <SIG0>so</SIG0><SIG1> heavy</SIG1></ARG0><ARG1> flooded towns</ARG1>"
    )


def test_a_text_with_a_tag_in_it_is_refused():
    text = "The tag <ARG0> opens, so it closes"
    sentence = AnnotatedSentence("html", text, (relation(text, "opens", "closes", "so"),))
    with pytest.raises(InputError, match="html: the text itself has <ARG0> at character 9"):
        to_cnc_csv([sentence])


def test_columns_of_other_tools_are_read():
    block = "Floods\tB-Cause\nclosed\tB-Signal\nthe\tB-Effect\nroad\tI-Effect\n\nAll\tO\nwell\tO\n"
    first, second = from_bio(block).sentences
    assert first == AnnotatedSentence("1", "Floods closed the road", (CausalRelation((0, 6), (14, 22), ((7, 13),)),))
    assert second == AnnotatedSentence("6", "All well")


def test_a_signal_inside_an_argument_shares_its_tokens():
    text = "Rain so heavy flooded towns"
    sentence = AnnotatedSentence("1", text, (relation(text, "Rain so heavy", "flooded towns", "so heavy"),))
    assert "so\t5\t7\tI-Cause|B-Signal" in to_bio([sentence])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a\t0\t1\tB-Cause\n", "x:1: relation 3 has 0 spans Effect, not one"),
        ('# text = "ab"\nb\t0\t1\tO\n', "x:2: the text has 'a' there, not 'b'"),
        ('# text = "ab"\na\t0\n', "x:2: the second and third column must be the token's characters"),
        ("# text = ab\na\t0\t1\tO\n", "x:1: what follows `# text =` is no JSON string"),
        ("a\tO\nb\tO\tO\n", "x:2: the line has 3 columns, not 2"),
        ("a\tB-Reason\n", "x:1: 'B-Reason' is no label"),
        ("a\tB-Cause\nb\tB-Cause\nc\tB-Effect\n", "x:1: relation 1 has 2 spans Cause, not one"),
    ],
)
def test_bad_columns_are_named_and_the_rest_is_read(content, problem):
    read = from_bio(content.replace("a\t0\t1\tB-", "a\tO\tO\tB-") + "\ngood\tO\n", "x")
    assert [str(found) for found in read.problems] == [problem]
    assert [sentence.text for sentence in read.sentences] == ["good"]


def test_bad_rows_are_named_and_the_rest_is_read():
    bad = [
        "{broken",
        "[]",
        '{"id": 3}',
        '{"text": "ab", "relations": [{"cause": [0, 1]}]}',
        '{"text": "ab", "relations": [{"cause": [0, 1], "effect": [1, 9]}]}',
        '{"text": "ab", "relations": [{"cause": [0, 2], "effect": [1, 2]}]}',
        '{"text": "ab", "relations": [{"cause": [0, 1], "effect": [1, 2], "probability": 3}]}',
        '{"text": "  "}',
    ]
    read = from_jsonl("\n".join([*bad, '{"text": "ab"}']), "rows")
    assert [found.place for found in read.problems] == [f"rows:{number}" for number in range(1, 9)]
    reasons = [found.reason for found in read.problems]
    for reason, words in zip(
        reasons[2:], ["no text", "effect must", "[1, 9]", "overlap", "between", "empty"], strict=True
    ):
        assert words in reason
    assert read.sentences == (AnnotatedSentence("9", "ab"),)


def test_bad_tables_are_named():
    with pytest.raises(InputError, match="x:1: there is no column causal_text_w_pairs"):
        from_cnc_csv("index,text\n", "x")
    rows = [
        "1,a b,\"['<ARG0>a</ARG0> c']\"",
        "2,a b,[nothing",
        "3,a b,\"['<ARG0>a</ARG0> <ARG1>c</ARG1>']\"",
        "4,a b,[]",
    ]
    read = from_cnc_csv("index,text,causal_text_w_pairs\n" + "\n".join(rows), "x")
    assert [found.place for found in read.problems] == ["x:2", "x:3", "x:4"]
    assert [sentence.id for sentence in read.sentences] == ["4"]


@pytest.mark.parametrize(
    "sentence",
    [
        AnnotatedSentence("", "ab"),
        AnnotatedSentence("a\nb", "ab"),
        AnnotatedSentence("1", " "),
        AnnotatedSentence("1", "a\udc80"),
        AnnotatedSentence("1", "ab", (CausalRelation((0, 0), (1, 2)),)),
        AnnotatedSentence("1", "ab", (CausalRelation((-1, 1), (1, 2)),)),
        AnnotatedSentence("1", "abc", (CausalRelation((0, 1), (1, 2), ((2, 3), (2, 3))),)),
        AnnotatedSentence("1", "ab", (CausalRelation((0, 1), (1, 2)), CausalRelation((0, 1), (1, 2), denied=True))),
    ],
)
def test_a_sentence_that_breaks_a_rule_is_refused_by_every_writer(sentence):
    for write in (to_jsonl, to_cnc_csv, to_bio):
        with pytest.raises(InputError):
            write([sentence])
    with pytest.raises(InputError):
        check_sentence(sentence)


def test_two_sentences_of_one_id_are_refused():
    with pytest.raises(InputError, match="twin: two sentences"):
        to_jsonl([AnnotatedSentence("twin", "a"), AnnotatedSentence("twin", "b")])


@given(st.integers(0, 2**32), st.sampled_from(["jsonl", "arg", "bio"]))
def test_damaged_files_give_problems_and_no_crash(seed, name):
    write, read = {
        "jsonl": (to_jsonl, from_jsonl),
        "arg": (to_cnc_csv, from_cnc_csv),
        "bio": (to_bio, from_bio),
    }[name]
    rng = random.Random(seed)
    content = list(write(EXAMPLES))
    for _ in range(rng.randint(1, 8)):
        content[rng.randrange(len(content))] = rng.choice('\n\t,"[]{}<>/O1\x00')
    try:
        found = read("".join(content))
    except InputError:
        return
    for sentence in found.sentences:
        check_sentence(sentence)


def test_read_rows_of_whywire_keep_unknown_fields_out_and_ids_in():
    row = {"id": 5, "text": "It rained, so it flooded.", "causal": 0.9, "counterfactual": 0.1, "antecedent": None}
    row["relations"] = [{"cause": [0, 9], "effect": [14, 24], "signals": [[11, 13]], "probability": 0.91}]
    (sentence,) = from_jsonl(json.dumps(row)).sentences
    assert sentence.id == "5"
    assert sentence.relations == (CausalRelation((0, 9), (14, 24), ((11, 13),), 0.91),)
