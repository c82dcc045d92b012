"""Whywire keeps a causal graph of the news, with evidence on every edge.

Nothing here opens a connection unless it is asked to, and no library it uses may do so in its place.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

for _telemetry in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"):
    os.environ.setdefault(_telemetry, "1")  # read when the runtime loads, so before anything here imports it

if TYPE_CHECKING:
    from whywire.api.ask import LinkedEvents, Structures, chain, effects, predict, roots, structures, timeline, why
    from whywire.api.graphs import build, diff, export, merge, open_graph
    from whywire.api.single import Chosen, PairRelation, Score, choose, group, read, relate, score
    from whywire.api.streams import EventStream
    from whywire.elements import Claim, ClaimKind, Event, EvidenceKind, Link, LinkKind, Mention, Order
    from whywire.errors import InputError, MissingExtraError, ModelError, OutputError, WhywireError
    from whywire.exchange.formats import convert
    from whywire.graph.causal_graph import CausalGraph
    from whywire.growing import GrowingGraph
    from whywire.language_models import LanguageModels
    from whywire.news import Article, Language, Problem, Published, read_news
    from whywire.pairs.model import HeadlineModel
    from whywire.pipeline import Build, Groups
    from whywire.sentences.reader import SentenceReader
    from whywire.sentences.reading import Reading

_HOMES = {
    "whywire.api.ask": (
        "LinkedEvents",
        "Structures",
        "chain",
        "effects",
        "predict",
        "roots",
        "structures",
        "timeline",
        "why",
    ),
    "whywire.api.graphs": ("build", "diff", "export", "merge", "open_graph"),
    "whywire.api.single": ("Chosen", "PairRelation", "Score", "choose", "group", "read", "relate", "score"),
    "whywire.api.streams": ("EventStream",),
    "whywire.elements": ("Claim", "ClaimKind", "Event", "EvidenceKind", "Link", "LinkKind", "Mention", "Order"),
    "whywire.errors": ("InputError", "MissingExtraError", "ModelError", "OutputError", "WhywireError"),
    "whywire.exchange.formats": ("convert",),
    "whywire.graph.causal_graph": ("CausalGraph",),
    "whywire.growing": ("GrowingGraph",),
    "whywire.language_models": ("LanguageModels",),
    "whywire.news": ("Article", "Language", "Problem", "Published", "read_news"),
    "whywire.pairs.model": ("HeadlineModel",),
    "whywire.pipeline": ("Build", "Groups"),
    "whywire.sentences.reader": ("SentenceReader",),
    "whywire.sentences.reading": ("Reading",),
}
"""Where the public names live. They are imported when they are first asked for, so that a command that is stopped
while it starts can say so instead of showing where in an import it was."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Article",
    "Build",
    "CausalGraph",
    "Chosen",
    "Claim",
    "ClaimKind",
    "Event",
    "EventStream",
    "EvidenceKind",
    "Groups",
    "GrowingGraph",
    "HeadlineModel",
    "InputError",
    "Language",
    "LanguageModels",
    "Link",
    "LinkKind",
    "LinkedEvents",
    "Mention",
    "MissingExtraError",
    "ModelError",
    "Order",
    "OutputError",
    "PairRelation",
    "Problem",
    "Published",
    "Reading",
    "Score",
    "SentenceReader",
    "Structures",
    "WhywireError",
    "build",
    "chain",
    "choose",
    "convert",
    "diff",
    "effects",
    "export",
    "group",
    "merge",
    "open_graph",
    "predict",
    "read",
    "read_news",
    "relate",
    "roots",
    "score",
    "structures",
    "timeline",
    "why",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
