"""Chat models on this machine that answer questions as a test wants, and small models that are unsure."""

import json
from collections.abc import Callable

import numpy as np
from tests.fake_models import FakeDocuments, FakeLanguageModels
from tests.local_server import Reply, says

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
    """The questions of a request."""
    return json.loads(asked["messages"][-1]["content"])["questions"]


def all_say(verdict: str) -> Callable[[dict], Reply]:
    """A model that gives one answer to every question."""
    return lambda asked: says({one["id"]: verdict for one in questions_of(asked)}, usage=USAGE)


def adviser_at(server, budget: str = "1m", *, timeout: float = 5.0, **options) -> Adviser:
    """A second reader behind a server."""
    return Adviser(ChatEndpoint(server.url, "tiny-chat", timeout=timeout), Budget.parse(budget), **options)
