"""``whywire.second_reader``: a chat model that is asked about what the small models are unsure of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whywire.models.chat import ChatEndpoint
from whywire.second_opinions.adviser import ANSWER_SECONDS, Adviser
from whywire.second_opinions.budget import DEFAULT_BUDGET, Budget, Prices


def second_reader(
    budget: str = DEFAULT_BUDGET,
    *,
    prices: tuple[float, float] | None = None,
    model: str | None = None,
    timeout: float = ANSWER_SECONDS,
    say: Callable[[str], object] | None = None,
) -> Adviser:
    """Open the chat model that the environment names (``WHYWIRE_CHAT_URL``, ``…MODEL``, ``…KEY``) as a second reader.

    It is asked about links and merges that the small models are unsure of; titles and sentences of the news are sent
    there. It answers each question once: a store keeps the answers, and decides by them also later without it;
    otherwise the object keeps them. Where it has no answer, the small models decide.

    >>> reader = whywire.second_reader("200k")
    >>> graph = whywire.build("news.jsonl", second_reader=reader).graph
    >>> [link.checked_by for link in graph.links[:5]], reader.tally.requests

    Args:
        budget: the most that is spent a day, in UTC: tokens, such as ``"200k"``, or money, such as ``"2.50usd"``.
        prices: what a million tokens of questions and of answers cost; for a budget in money.
        model: the name of the model, instead of ``WHYWIRE_CHAT_MODEL``.
        timeout: seconds that the endpoint may be silent.
        say: is told once of each kind of trouble, such as a spent budget.

    Raises:
        InputError: the environment names no endpoint or no model, or the budget cannot be read or needs prices.
        MissingExtraError: the extra *chat* is not installed.
    """
    endpoint = replace(ChatEndpoint.from_environment(model), timeout=timeout)
    spending = Budget.parse(budget, Prices(*prices) if prices else None)
    return Adviser(endpoint, spending, say=say or (lambda _: None))
