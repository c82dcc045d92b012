"""Count in how many reports each stem occurs: the table by which Whywire tells rare words from common ones.

python -m whywire_lab.recipes.common_stems --data DATA > src/whywire/news/common_stems.tsv

It counts titles and leads of the first day and a half of the news streams, and of the articles that readers drew
graphs of, which are of many years. The stems of the second afternoon, on which stories are measured, are not
counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from whywire.news import Article, Language
from whywire.news.stems import REPORTS, report_stems
from whywire.pairs.reports import report_of
from whywire_lab.corpora import news_stream
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.recipes.corpus_pairs import HELD_OUT_FROM

STEMS = 3_000
"""Of each language, the most common ones."""


def main() -> None:
    """Print rows of language, stem, and how many of ten thousand reports have it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    data = parser.parse_args().data
    for language in (Language.ENGLISH, Language.RUSSIAN):
        reports = [report_of(article) for article in articles(data, language)]
        counts = Counter(stem for one in reports for stem in {*report_stems(f"{one.title} {one.lead}")})
        ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:STEMS]
        for stem, count in ranked:
            sys.stdout.write(f"{language.value}\t{stem}\t{round(REPORTS * count / len(reports))}\n")


def articles(data: Path, language: Language) -> Iterator[Article]:
    """The articles that are counted."""
    for row in news_stream.read_articles(data / "news_stream", str(language)):
        if datetime.fromisoformat(row["published"]) < HELD_OUT_FROM:
            yield Article("", row["title"], row["text"], language)
    for row in json_lines(data / "reader_graphs" / "articles.jsonl"):
        if row["language"] == language.value:
            yield Article("", row["title"], row["text"], language)


if __name__ == "__main__":
    main()
