"""Whywire keeps a causal graph of the news, with evidence on every edge.

Each command of ``whywire`` mirrors one function here:

>>> import whywire
>>> graph = whywire.build("news.jsonl").graph
>>> for link in graph.links[:5]:
...     print(graph.event(link.source).title, "->", graph.event(link.target).title)

No function opens a connection unless it is asked to. The telemetry of the libraries is turned off.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

for _telemetry, _off in (
    ("ORT_DISABLE_TELEMETRY", "1"),
    ("HF_HUB_DISABLE_TELEMETRY", "1"),
    ("RAY_USAGE_STATS_ENABLED", "0"),
):
    os.environ.setdefault(_telemetry, _off)  # read when the runtime loads, so before anything here imports it

if TYPE_CHECKING:
    from whywire.answers.event_lookup import EventMatch
    from whywire.answers.predictions import Prediction
    from whywire.answers.search import Answers
    from whywire.api.annotation import Labels, read_labels
    from whywire.api.backfill import Backfill, backfill
    from whywire.api.campaigns import Campaigns, annotate
    from whywire.api.corrections import Corrections, corrections
    from whywire.api.graphs import build, diff, export, merge, open_graph
    from whywire.api.group import EventStream, group
    from whywire.api.predict import predict
    from whywire.api.queries import (
        LinkedEvents,
        answer,
        causes,
        chain,
        effects,
        find_event,
        roots,
        timeline,
        why,
    )
    from whywire.api.read import read
    from whywire.api.relate import PairRelation, relate
    from whywire.api.score import ChosenCauses, Score, chat_judge, choose, score
    from whywire.api.second_reader import second_reader
    from whywire.api.stores import StoreUpdate, backup, doctor, open_store, restore, update, withdraw
    from whywire.api.watch import watch
    from whywire.api.webhooks import verify_webhook
    from whywire.building import Build
    from whywire.client.client import Client, Sent
    from whywire.client.connection import ServiceError
    from whywire.elements import Claim, ClaimKind, Event, EvidenceKind, Link, LinkKind, Mention, Order, StrengthClass
    from whywire.engines.ray_engine import RayEngine
    from whywire.errors import InputError, MissingExtraError, ModelError, OutputError, WhywireError
    from whywire.events.timeline import Timeline
    from whywire.feeds.states import FeedLook, FeedState
    from whywire.graph.causal_graph import CausalGraph
    from whywire.graph.diffing import GraphDiff
    from whywire.graph.paths import CausalPath
    from whywire.language_models import LanguageModels
    from whywire.links.judges.judge import NoScore
    from whywire.news import Article, Language, Problem, Published, read_news
    from whywire.pairs.model import PairModel
    from whywire.pairs.relations import Relation
    from whywire.pipeline import Groups
    from whywire.sentences.reader import SentenceReader
    from whywire.sentences.reading import Reading
    from whywire.service.keys import Keys, keys
    from whywire.service.serving import serve
    from whywire.service.working import work
    from whywire.store import Store
    from whywire.updating.update import GrowingGraph

_HOMES = {
    "whywire.answers.event_lookup": ("EventMatch",),
    "whywire.answers.predictions": ("Prediction",),
    "whywire.answers.search": ("Answers",),
    "whywire.api.annotation": ("Labels", "read_labels"),
    "whywire.api.backfill": ("Backfill", "backfill"),
    "whywire.api.campaigns": ("Campaigns", "annotate"),
    "whywire.api.corrections": ("Corrections", "corrections"),
    "whywire.api.graphs": ("build", "diff", "export", "merge", "open_graph"),
    "whywire.api.group": ("EventStream", "group"),
    "whywire.api.score": ("ChosenCauses", "Score", "chat_judge", "choose", "score"),
    "whywire.api.second_reader": ("second_reader",),
    "whywire.api.relate": ("PairRelation", "relate"),
    "whywire.api.stores": ("StoreUpdate", "backup", "doctor", "open_store", "restore", "update", "withdraw"),
    "whywire.store": ("Store",),
    "whywire.api.watch": ("watch",),
    "whywire.api.webhooks": ("verify_webhook",),
    "whywire.api.predict": ("predict",),
    "whywire.api.queries": (
        "LinkedEvents",
        "answer",
        "causes",
        "chain",
        "effects",
        "find_event",
        "roots",
        "timeline",
        "why",
    ),
    "whywire.api.read": ("read",),
    "whywire.client.client": ("Client", "Sent"),
    "whywire.client.connection": ("ServiceError",),
    "whywire.engines.ray_engine": ("RayEngine",),
    "whywire.elements": (
        "Claim",
        "ClaimKind",
        "Event",
        "EvidenceKind",
        "Link",
        "LinkKind",
        "Mention",
        "Order",
        "StrengthClass",
    ),
    "whywire.errors": ("InputError", "MissingExtraError", "ModelError", "OutputError", "WhywireError"),
    "whywire.events.timeline": ("Timeline",),
    "whywire.feeds.states": ("FeedLook", "FeedState"),
    "whywire.graph.causal_graph": ("CausalGraph",),
    "whywire.graph.diffing": ("GraphDiff",),
    "whywire.graph.paths": ("CausalPath",),
    "whywire.language_models": ("LanguageModels",),
    "whywire.links.judges.judge": ("NoScore",),
    "whywire.news": ("Article", "Language", "Problem", "Published", "read_news"),
    "whywire.pairs.model": ("PairModel",),
    "whywire.pairs.relations": ("Relation",),
    "whywire.pipeline": ("Groups",),
    "whywire.building": ("Build",),
    "whywire.sentences.reader": ("SentenceReader",),
    "whywire.sentences.reading": ("Reading",),
    "whywire.service.keys": ("Keys", "keys"),
    "whywire.service.serving": ("serve",),
    "whywire.service.working": ("work",),
    "whywire.updating.update": ("GrowingGraph",),
}
"""The module of each public name, imported when the name is first used (PEP 562). So ``import whywire`` is quick, and
Ctrl-C prints a message even while a command starts."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answers",
    "Article",
    "Backfill",
    "Build",
    "Campaigns",
    "CausalGraph",
    "CausalPath",
    "ChosenCauses",
    "Claim",
    "ClaimKind",
    "Client",
    "Corrections",
    "Event",
    "EventMatch",
    "EventStream",
    "EvidenceKind",
    "FeedLook",
    "FeedState",
    "GraphDiff",
    "Groups",
    "GrowingGraph",
    "InputError",
    "Keys",
    "Labels",
    "Language",
    "LanguageModels",
    "Link",
    "LinkKind",
    "LinkedEvents",
    "Mention",
    "MissingExtraError",
    "ModelError",
    "NoScore",
    "Order",
    "OutputError",
    "PairModel",
    "PairRelation",
    "Prediction",
    "Problem",
    "Published",
    "RayEngine",
    "Reading",
    "Relation",
    "Score",
    "Sent",
    "SentenceReader",
    "ServiceError",
    "Store",
    "StoreUpdate",
    "StrengthClass",
    "Timeline",
    "WhywireError",
    "annotate",
    "answer",
    "backfill",
    "backup",
    "build",
    "causes",
    "chain",
    "chat_judge",
    "choose",
    "corrections",
    "diff",
    "doctor",
    "effects",
    "export",
    "find_event",
    "group",
    "keys",
    "merge",
    "open_graph",
    "open_store",
    "predict",
    "read",
    "read_labels",
    "read_news",
    "relate",
    "restore",
    "roots",
    "score",
    "second_reader",
    "serve",
    "timeline",
    "update",
    "verify_webhook",
    "watch",
    "why",
    "withdraw",
    "work",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = public
    return public


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
