"""What Whywire writes as the Causal News Corpus does, the corpus' reader reads."""

from dataclasses import replace

from lab.tests.exchange.made_up import EXAMPLES

from whywire_lab.corpora.causal_news_corpus import read_sentences
from whywire_lab.exchange.cnc_csv import to_cnc_csv


def test_the_corpus_reader_reads_marked_copies(tmp_path):
    sentences = [replace(one, text=one.text.replace("\n", " ")) for one in EXAMPLES]
    (tmp_path / "train_subtask2_grouped.csv").write_text(to_cnc_csv(sentences), encoding="utf-8")
    labels = "".join(f'{one.id},"{one.text}",1\n' for one in sentences[:2])
    (tmp_path / "train_subtask1.csv").write_text("index,text,label\n" + labels, encoding="utf-8")
    read = list(read_sentences(tmp_path))
    assert [one.relations for one in read] == [sentences[0].relations, sentences[1].relations[:1]]
