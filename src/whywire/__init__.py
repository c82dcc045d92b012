"""Whywire keeps a causal graph of the news, with evidence on every edge."""

from whywire.errors import InputError, MissingExtraError, ModelError, OutputError, WhywireError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.elements import Claim, ClaimKind, Event, Link, LinkKind, Order
from whywire.headlines.model import HeadlineModel
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Problem, Published, read_news
from whywire.pipeline import Build, build, group
from whywire.sentences.reader import SentenceReader

__all__ = [
    "Article",
    "Build",
    "CausalGraph",
    "Claim",
    "ClaimKind",
    "Event",
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
