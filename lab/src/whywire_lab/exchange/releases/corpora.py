"""The corpus that a campaign of each kind becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whywire.annotation.items import Kind
from whywire_lab.exchange.labelled_items import LabelledItems
from whywire_lab.exchange.releases import crab, headline_cause, hlgd, reader_graphs, recess, semeval2020
from whywire_lab.exchange.releases.release import Release

CORPUS_OF: Mapping[Kind, str] = {
    Kind.RELATION: headline_cause.FOLDER,
    Kind.GROUPING: hlgd.FOLDER,
    Kind.COUNTERFACTUAL: semeval2020.FOLDER,
    Kind.SPANS: recess.FOLDER,
    Kind.STRENGTH: crab.FOLDER,
    Kind.GRAPH: reader_graphs.FOLDER,
}
"""The folder of the corpus, in a folder of corpora."""

_RELEASES: Mapping[Kind, Callable[[LabelledItems, str | None], Release]] = {
    Kind.RELATION: headline_cause.release,
    Kind.GROUPING: hlgd.release,
    Kind.COUNTERFACTUAL: semeval2020.release,
    Kind.SPANS: recess.release,
    Kind.STRENGTH: crab.release,
    Kind.GRAPH: reader_graphs.release,
}


def release_of(data: LabelledItems, part: str | None = None) -> Release:
    """The release of a campaign: its items of work on whose answer people agree.

    Args:
        part: ``train``, ``dev`` or ``test``, to put all items there; by default they are divided.
    """
    return _RELEASES[data.kind](data, part)
