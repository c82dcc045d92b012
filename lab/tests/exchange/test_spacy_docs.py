"""spaCy: relations on a doc, through its own files and back, and the component in a pipeline."""

import pytest
from hypothesis import given
from lab.tests.exchange.made_up import CHAIN, EXAMPLES, annotated, relation, trimmed

from whywire_lab.exchange.annotated_sentences import AnnotatedSentence

spacy = pytest.importorskip("spacy")
from spacy.tokens import Doc, DocBin  # noqa: E402

from whywire_lab.exchange.spacy_docs import GROUPS, from_doc, to_doc  # noqa: E402

NLP = spacy.blank("en")


@given(annotated())
def test_docs_round_trip(sentence):
    doc = to_doc(sentence, NLP)
    assert from_doc(doc, sentence.id) == sentence
    assert [len(doc.spans[group]) for group in GROUPS] == [
        len(sentence.relations),
        len(sentence.relations),
        sum(len(one.signals) for one in sentence.relations),
    ]
    for number, one in enumerate(trimmed(sentence).relations):
        found = doc.spans["causes"][number]
        assert found.start_char <= one.cause[0] < one.cause[1] <= found.end_char
        assert found.id_ == str(number + 1)


def test_spans_are_tokens_and_characters_inside_a_token_take_all_of_it():
    text = "The overheated pump stopped"
    doc = to_doc(AnnotatedSentence("1", text, (relation(text, "heated", "stopped"),)), NLP)
    (cause,) = doc.spans["causes"]
    assert (cause.text, cause.label_) == ("overheated", "CAUSE")
    assert doc._.relations[0].cause == (8, 14)


def test_spacys_own_files_keep_relations():
    docs = [to_doc(sentence, NLP) for sentence in EXAMPLES]
    box = DocBin(docs=docs, store_user_data=True)
    again = DocBin(store_user_data=True).from_bytes(box.to_bytes()).get_docs(NLP.vocab)
    assert [from_doc(doc, one.id) for doc, one in zip(again, EXAMPLES, strict=True)] == list(EXAMPLES)
    doc = Doc(NLP.vocab).from_bytes(docs[0].to_bytes())
    assert doc.spans["effects"][0].text == "the cellar flooded"


def test_a_doc_without_relations_has_none():
    assert NLP.make_doc(CHAIN)._.relations == ()


TWO = "Fuel ran short because the refinery burned down. The town hall stayed open."


def test_the_component_reads_each_sentence_with_the_embedded_model():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("whywire_relations")
    first, empty, second = nlp.pipe(["It was Monday. " + TWO, "", TWO], batch_size=2)
    for doc in (first, second):
        assert [span.text for span in doc.spans["causes"]] == ["the refinery burned down"]
        assert [span.text for span in doc.spans["effects"]] == ["Fuel ran short"]
        assert [span.text for span in doc.spans["signals"]] == ["because"]
        (found,) = doc._.relations
        assert doc.text[slice(*found.cause)] == "the refinery burned down"
    assert empty._.relations == ()


def test_the_component_reads_the_whole_doc_where_there_are_no_sentences_and_russian_in_russian():
    nlp = spacy.blank("ru")
    nlp.add_pipe("whywire_relations")
    doc = nlp("Рейсы отменили из-за сильного тумана.")
    assert [span.text for span in doc.spans["effects"]] == ["Рейсы отменили"]
