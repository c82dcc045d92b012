"""What goes to a published scorer and comes back: marked texts, labels, inclusive indices."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation
from whywire_lab.corpora.causal_news_corpus import (
    CausalSentence,
    TaggedRelation,
    insert_tags,
    label_lines,
    parse_tags,
    read_grouped,
    read_labels,
    read_sentences,
    read_submission,
    submission_lines,
)
from whywire_lab.corpora.semeval2020 import (
    read_label_submission,
    read_part_submission,
    read_subtask1,
    read_subtask2,
    write_label_submission,
    write_part_submission,
)

TEXT = "The flood closed the road ."
MARKED = "<ARG0>The flood</ARG0> <ARG1><SIG0>closed</SIG0> the road</ARG1> ."


def test_tags_nest_where_a_signal_opens_an_argument():
    text, relation = parse_tags(MARKED)
    assert text == TEXT
    assert relation == TaggedRelation(((0, 9),), ((10, 25),), ((10, 16),))
    assert insert_tags(text, relation) == MARKED


@st.composite
def marked(draw):
    text = draw(st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]), min_size=1, max_size=40))
    kinds = []
    for _ in range(3):
        cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
        kinds.append(tuple((cuts[k], cuts[k + 1]) for k in range(0, len(cuts) - 1, 2)))
    return text, TaggedRelation(*kinds)


@given(marked())
def test_marks_are_read_as_they_were_written(drawn):
    text, relation = drawn
    assert parse_tags(insert_tags(text, relation)) == (text, relation)


def test_a_submission_is_read_as_it_was_written(tmp_path):
    texts = [TEXT, "Nobody “came” .", TEXT]
    predictions = [
        (parse_tags(MARKED)[1], TaggedRelation(causes=((0, 9),))),
        (),
        (TaggedRelation(effects=((17, 25),)),),
    ]
    lines = list(submission_lines(texts, predictions))
    assert json.loads(lines[0])["prediction"][0] == MARKED
    assert json.loads(lines[1]) == {"index": 1, "prediction": ["Nobody “came” ."]}
    path = tmp_path / "submission.json"
    path.write_text("\n".join(reversed(lines)), encoding="utf-8")
    assert read_submission(path, texts) == predictions


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", ":1: a line must be"),
        ('{"index": 0}', ":1: a line must be"),
        ('{"index": 1, "prediction": []}', ":1: the index must be one of 0 to 0"),
        ('{"index": 0, "prediction": "x"}', ":1: a prediction must be a JSON list"),
        ('{"index": 0, "prediction": [1]}', ":1: a prediction must be a marked text"),
        ('{"index": 0, "prediction": ["<ARG0>The flood"]}', ":1: <ARG0> is never closed"),
        ('{"index": 0, "prediction": ["The flood"]}', ":1: the marked text is not the one of sentence 0"),
        ("", "1 of 1 sentences have no line, the first of them 0"),
    ],
)
def test_a_broken_submission_is_refused_with_its_place(tmp_path, line, message):
    path = tmp_path / "submission.json"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_submission(path, [TEXT])
    assert message in str(error.value)


def test_labels_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "labels.json"
    path.write_text("\n".join(label_lines([True, False])), encoding="utf-8")
    assert read_labels(path, 2) == [True, False]
    path.write_text('{"index": 0, "prediction": 2}', encoding="utf-8")
    with pytest.raises(InputError, match="0 or 1"):
        read_labels(path, 1)


def test_the_corpus_is_read_as_it_is_released(tmp_path):
    (tmp_path / "dev_subtask1.csv").write_text(
        f"\ufeffindex,text,label\ndev_01_2_7,{TEXT},1\ndev_01_3_8,All was calm .,0\n", encoding="utf-8"
    )
    (tmp_path / "dev_subtask2_grouped.csv").write_text(
        "\ufeffcorpus,doc_id,sent_id,eg_id,index,text,causal_text_w_pairs,num_rs\n"
        f"cnc,dev_01_2,7,0,cnc_dev_01_2_7_0,{TEXT},['{MARKED}'],1\n"
        "cnc,dev_01_3,8,0,cnc_dev_01_3_8_0,All was calm .,[],0\n",
        encoding="utf-8",
    )
    relation = CausalRelation((0, 9), (10, 25), ((10, 16),))
    assert list(read_sentences(tmp_path, "dev")) == [
        CausalSentence("dev_01_2_7", "dev_01_2", TEXT, True, (relation,)),
        CausalSentence("dev_01_3_8", "dev_01_3", "All was calm .", False, ()),
    ]
    assert [row.causal for row in read_grouped(tmp_path / "dev_subtask2_grouped.csv")] == [True, False]


def test_a_missing_file_or_column_is_named(tmp_path):
    with pytest.raises(InputError, match=r"test_subtask2_grouped\.csv: no such file"):
        list(read_sentences(tmp_path, "test"))
    path = tmp_path / "subtask1_test.csv"
    path.write_text("sentenceID,sentence\n1,x\n", encoding="utf-8")
    with pytest.raises(InputError, match="there is no column gold_label"):
        list(read_subtask1(path))
    path.write_text("sentenceID,gold_label,sentence\n1,0\n", encoding="utf-8")
    with pytest.raises(InputError, match="csv:2: the row is shorter"):
        list(read_subtask1(path))


def test_inclusive_indices_stay_outside(tmp_path):
    path = tmp_path / "answers.csv"
    parts = [((0, 4), (6, 9)), ((2, 5), None), (None, None)]
    with path.open("w", encoding="utf-8", newline="") as file:
        write_part_submission(file, ["7", "8", "9"], parts)
    assert path.read_text(encoding="utf-8").splitlines() == [
        "sentenceID,antecedent_startid,antecedent_endid,consequent_startid,consequent_endid",
        "7,0,3,6,8",
        "8,2,4,-1,-1",
        "9,-1,-1,-1,-1",
    ]
    assert read_part_submission(path, ["9", "7"]) == [(None, None), ((0, 4), (6, 9))]
    with pytest.raises(InputError, match="1 of 2 sentences have no row, the first of them 10"):
        read_part_submission(path, ["7", "10"])


@pytest.mark.parametrize(("start", "end"), [("x", "3"), ("-1", "3"), ("4", "3")])
def test_broken_indices_are_refused_with_their_row(tmp_path, start, end):
    path = tmp_path / "subtask2_test.csv"
    path.write_text(
        "sentenceID,sentence,antecedent_startid,antecedent_endid,consequent_startid,consequent_endid\n"
        f"1,Had it rained.,{start},{end},-1,-1\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="row 1"):
        list(read_subtask2(path))


def test_labels_of_subtask_1(tmp_path):
    file = io.StringIO()
    write_label_submission(file, ["5", "6"], [True, False])
    assert file.getvalue() == "sentenceID,pred_label\n5,1\n6,0\n"
    path = tmp_path / "answers.csv"
    path.write_text(file.getvalue(), encoding="utf-8")
    assert read_label_submission(path, ["6", "5"]) == [False, True]
    path.write_text("sentenceID,pred_label\n5,yes\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 1: pred_label must be 0 or 1"):
        read_label_submission(path, ["5"])
