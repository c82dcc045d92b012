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
    from whywire.elements import Claim, ClaimKind, Event, Link, LinkKind, Order
    from whywire.errors import InputError, MissingExtraError, ModelError, OutputError, WhywireError
    from whywire.graph.causal_graph import CausalGraph
    from whywire.growing import GrowingGraph
    from whywire.language_models import LanguageModels
    from whywire.news import Article, Language, Problem, Published, read_news
    from whywire.pairs.model import HeadlineModel
    from whywire.pipeline import Build, Groups, build, group
    from whywire.sentences.reader import SentenceReader

_HOMES = {
    "whywire.errors": ("InputError", "MissingExtraError", "ModelError", "OutputError", "WhywireError"),
    "whywire.graph.causal_graph": ("CausalGraph",),
    "whywire.elements": ("Claim", "ClaimKind", "Event", "Link", "LinkKind", "Order"),
    "whywire.growing": ("GrowingGraph",),
    "whywire.pairs.model": ("HeadlineModel",),
    "whywire.language_models": ("LanguageModels",),
    "whywire.news": ("Article", "Language", "Problem", "Published", "read_news"),
    "whywire.pipeline": ("Build", "Groups", "build", "group"),
    "whywire.sentences.reader": ("SentenceReader",),
}
"""Where the public names live. They are imported when they are first asked for, so that a command that is stopped
while it starts can say so instead of showing where in an import it was."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Article",
    "Build",
    "CausalGraph",
    "Claim",
    "ClaimKind",
    "Event",
    "Groups",
    "GrowingGraph",
    "HeadlineModel",
    "InputError",
    "Language",
    "LanguageModels",
    "Link",
    "LinkKind",
    "MissingExtraError",
    "ModelError",
    "Order",
    "OutputError",
    "Problem",
    "Published",
    "SentenceReader",
    "WhywireError",
    "build",
    "group",
    "read_news",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
