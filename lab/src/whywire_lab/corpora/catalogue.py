"""The published corpora: their papers, licences, pages, downloads, and the files that the readers expect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from whywire_lab.corpora.archives import Members
from whywire_lab.corpora.originals import Row, ecbplus_rows, uci_rows


@dataclass(frozen=True, slots=True)
class Download:
    """One public address and the files that are made from it.

    Args:
        files: their paths under the corpus's folder.
        members: where the address is an archive, the members that these files are, in the same order.
        rows: makes the rows of the one file (JSON Lines) from an archive that has another form.
        sha256: of the download, in hexadecimal, if known.
    """

    address: str
    files: tuple[str, ...]
    members: tuple[str, ...] = ()
    rows: Callable[[Members], Iterable[Row]] | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """A published corpus.

    Args:
        name: as ``whywire data get`` takes it.
        what: a description in a few words.
        paper: authors and year, and the paper or the task.
        licence: as its authors state it.
        page: its web page.
        folder: its name in the folder of corpora.
        downloads: empty if it must be downloaded by hand.
        note: further files, and how to get them by hand.
    """

    name: str
    what: str
    paper: str
    licence: str
    page: str
    folder: str
    downloads: tuple[Download, ...] = ()
    note: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of its downloaded files, relative to the folder of corpora."""
        return tuple(f"{self.folder}/{file}" for download in self.downloads for file in download.files)

    def missing(self, data: Path) -> tuple[str, ...]:
        """The files of the corpus that are not in a folder of corpora."""
        return tuple(file for file in self.files if not (data / file).is_file())


HUB = "https://huggingface.co/datasets/IlyaGusev/headline_cause/resolve/main"
CAUSAL_NEWS = "https://raw.githubusercontent.com/tanfiona/CausalNewsCorpus/master/data/V2"
COUNTERCAUSAL = (
    "https://raw.githubusercontent.com/webis-de/arxiv-countercausality/9be0cd8c7dadf36b8f3a6dd35d6145bdcc0913b2"
    "/dataset/causality-identification"
)
"""The address at the commit whose rows have an ``index``, which names their document."""
EVENT_CAUSES = (
    "https://raw.githubusercontent.com/sooo66/semeval2026-task12-dataset/3e04da9a0ea74955395edb7902724d367c8029e6"
)
E_CARE = "https://raw.githubusercontent.com/Waste-Wood/e-CARE/main/dataset/Causal_Reasoning"


def _files(address: str, names: Iterable[str]) -> tuple[Download, ...]:
    """Downloads of files that have, under one address, the names that we use."""
    return tuple(Download(f"{address}/{name}", (name,)) for name in names)


_ALL = (
    Corpus(
        name="headline_cause",
        what="pairs of headlines, English and Russian: causes, refutations, same event",
        paper="Gusev and Tikhonov 2021, arXiv:2108.12626",
        licence="CC0 1.0",
        page="https://github.com/IlyaGusev/HeadlineCause",
        folder="headline_cause",
        downloads=_files(
            HUB,
            (
                f"{language}/{labels}/{split}.jsonl"
                for language in ("en", "ru")
                for labels in ("simple", "full")
                for split in ("train", "val", "test")
            ),
        ),
        note="headline_cause/pairs.jsonl, which `whywire train` reads, is no part of the release: make it by hand "
        "from the labelled pairs in the authors' repository.",
    ),
    Corpus(
        name="hlgd",
        what="pairs of English headlines of ten timelines: same event or not",
        paper="Laban, Bandarkar and Hearst 2021 (NAACL)",
        licence="Apache-2.0",
        page="https://github.com/tingofurro/headline_grouping/releases/tag/0.1",
        folder="hlgd",
        downloads=(
            Download(
                "https://github.com/tingofurro/headline_grouping/releases/download/0.1/hlgd_classification_0.1.zip",
                ("train.json", "dev.json", "test.json"),
                members=("train.json", "dev.json", "test.json"),
                sha256="8192c72e28766debf548f0ba1f0b5c3d592cf7097af26a5d67b172c908614601",
            ),
        ),
        note="The timelines, with what each annotator said, are another file of the same release: get them by hand.",
    ),
    Corpus(
        name="semeval2020_task5",
        what="English sentences: counterfactual or not, and their antecedents and consequents",
        paper="Yang et al. 2020, arXiv:2008.00563",
        licence="CC BY 4.0",
        page="https://zenodo.org/record/3932442",
        folder="semeval2020_task5",
        downloads=(
            Download(
                "https://zenodo.org/record/3932442/files/SemEval-2020-Task5-Dataset.zip",
                ("subtask1_train.csv", "subtask1_test.csv", "subtask2_train.csv", "subtask2_test.csv"),
                members=(
                    "Subtask-1/subtask1_train.csv",
                    "Subtask-1/subtask1_test.csv",
                    "Subtask-2/subtask2_train.csv",
                    "Subtask-2/subtask2_test.csv",
                ),
            ),
        ),
    ),
    Corpus(
        name="causal_news_corpus_v2",
        what="English news sentences: causal or not, with causes, effects and signals (RECESS)",
        paper="Tan et al. 2023 (IJCNLP-AACL)",
        licence="CC0 1.0",
        page="https://github.com/tanfiona/CausalNewsCorpus",
        folder="causal_news_corpus_v2",
        downloads=_files(
            CAUSAL_NEWS,
            (f"{split}_{file}.csv" for split in ("train", "dev") for file in ("subtask1", "subtask2_grouped")),
        ),
        note="The labels of its test part are not published. Put the texts, test_subtask1_text.csv and "
        "test_subtask2_text.csv of the same folder, there by hand, and `bench --split test` writes a submission.",
    ),
    Corpus(
        name="countercausal_news",
        what="sentences of the Causal News Corpus, some rewritten to deny a cause",
        paper="Hagen et al. 2025, arXiv:2510.08224",
        licence="CC BY 4.0",
        page="https://github.com/webis-de/arxiv-countercausality",
        folder="countercausal_news",
        downloads=_files(COUNTERCAUSAL, ("train.jsonl", "dev.jsonl")),
    ),
    Corpus(
        name="uci_news_aggregator",
        what="English headlines of 2014, grouped into stories by a news site",
        paper="Gasparetti 2016",
        licence="CC BY 4.0",
        page="https://archive.ics.uci.edu/dataset/359/news+aggregator",
        folder="same_event",
        downloads=(
            Download(
                "https://archive.ics.uci.edu/static/public/359/news+aggregator.zip",
                ("uci_news_aggregator.jsonl",),
                rows=uci_rows,
            ),
        ),
        note="This is all of it, 400,000 headlines; the embedded models learnt from 60 of its stories.",
    ),
    Corpus(
        name="ecbplus",
        what="English news documents, two like events a topic",
        paper="Cybulska and Vossen 2014 (LREC)",
        licence="CC BY 3.0",
        page="https://github.com/cltl/ecbPlus",
        folder="same_event",
        downloads=(
            Download(
                "https://github.com/cltl/ecbPlus/raw/master/ECB%2B_LREC2014/ECB%2B.zip",
                ("ecbplus.jsonl",),
                rows=ecbplus_rows,
            ),
        ),
    ),
    Corpus(
        name="e_care",
        what="causes and effects of everyday life, each with a wrong one beside it (English)",
        paper="Du et al. 2022, arXiv:2205.05849",
        licence="MIT",
        page="https://github.com/Waste-Wood/e-CARE",
        folder="e_care",
        downloads=_files(E_CARE, ("train.jsonl", "dev.jsonl")),
    ),
    Corpus(
        name="event_causes",
        what="events of news stories and which of four others caused them (English)",
        paper="SemEval-2026 task 12, Abductive Event Reasoning",
        licence="none stated: research use",
        page="https://github.com/sooo66/semeval2026-task12-dataset",
        folder="event_causes",
        downloads=(Download(f"{EVENT_CAUSES}/train_data/questions.jsonl", ("questions.jsonl",)),),
    ),
    Corpus(
        name="crab",
        what="pairs of events of news stories, with the strength of the cause from 0 to 100 (English)",
        paper="Romanou et al. 2023, arXiv:2311.04284",
        licence="none stated: research use",
        page="https://github.com/agromanou/CRAB",
        folder="crab",
        note="Its page links to a shared drive, its first author also keeps it on the hub (angelika/CRAB): get "
        "pairwise_causality.jsonl by hand and put it into crab/. With prompts.json of the page's src folder beside "
        "it, `bench crab --chat` also asks in the paper's words.",
    ),
)

CORPORA: Mapping[str, Corpus] = {corpus.name: corpus for corpus in _ALL}
