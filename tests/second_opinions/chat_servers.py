"""Chat models on this machine that answer questions as a test wants, and small models that are unsure."""

import json
from collections.abc import Callable

import numpy as np
from tests.fake_models import FakeDocuments, FakeLanguageModels
from tests.local_server import Asked, Reply, Server, says

from whywire.models.chat import ChatEndpoint
from whywire.news import Article
from whywire.reading.document_reader import DocumentReader
from whywire.reading.drawing import Logits
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.budget import Budget

USAGE = {"prompt_tokens": 100, "completion_tokens": 10}


class UnsureModels(FakeLanguageModels):
    """Models that take every link they find for as likely as not."""

    def _documents(self) -> DocumentReader:
        return UnsureDocuments()


class UnsureDocuments(FakeDocuments):
    """Finds the links of the fake reader, each with a probability of one half."""

    def logits(self, article: Article) -> Logits:
        logits = super().logits(article)
        logits.links[..., 0] = np.where(logits.links[..., 0] > 0, 0, -20)
        return logits


def questions_of(asked: dict) -> list[dict]:
    """The questions of a request; none if it asks for a sentence on a story."""
    return json.loads(asked["messages"][-1]["content"]).get("questions", [])


def questioned(server: Server) -> list[Asked]:
    """The requests that ask questions about links and merges."""
    return [one for one in server.asked if questions_of(one.body)]


def all_say(verdict: str) -> Callable[[dict], Reply]:
    """A model that gives one answer to every question, and writes nothing."""
    return lambda asked: says({one["id"]: verdict for one in questions_of(asked)} or {"clauses": []}, usage=USAGE)


def adviser_at(server, budget: str = "1m", *, timeout: float = 5.0, **options) -> Adviser:
    """A second reader behind a server."""
    return Adviser(ChatEndpoint(server.url, "tiny-chat", timeout=timeout), Budget.parse(budget), **options)
