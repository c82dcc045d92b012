"""What a corpus holds, in the numbers that its paper prints; a file a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from whywire_lab.statistics import crab, headline_cause, hlgd, recess, semeval2020
from whywire_lab.statistics.tables import StatisticsTable

STATISTICS: Mapping[str, Callable[[Path], list[StatisticsTable]]] = {
    "headline_cause": headline_cause.tables,
    "hlgd": hlgd.tables,
    "semeval2020_task5": semeval2020.tables,
    "causal_news_corpus_v2": recess.tables,
    "crab": crab.tables,
}
"""From the folder of a corpus to its tables, by the name of the corpus."""
