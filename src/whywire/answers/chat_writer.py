"""Headlines that may follow a headline, written by a chat model.

They are candidates, which the pair model ranks (:mod:`whywire.answers.predictions`). Only the headline is sent.
"""

from __future__ import annotations

import json
import re

from whywire.models.chat import AnswerError, ChatEndpoint, unfenced, without_marks

PROMPT = (
    "You foretell news. Given a headline, name events that may follow because of it within a week, each as a short "
    "news headline of its own, in the language of the given one, the most likely first. Name consequences only: no "
    "other report of the same event, and nothing that merely happens at the same time. Answer with a JSON list of "
    "strings and with nothing else."
)

_ITEM = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+(.*\S.*)")
"""A line of a list."""

_SHOWN = 80
"""Characters of an unusable answer that a message shows."""


def effects_by_chat(headline: str, endpoint: ChatEndpoint, most: int) -> list[str]:
    """Have a chat model write at most ``most`` headlines that may follow this one.

    Raises:
        AnswerError: the answer is not a list of headlines.
        ModelError: the endpoint cannot be reached, refuses, or stays busy.
    """
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": f"At most {most} headlines that may follow this one:\n{without_marks(headline)}"},
    ]
    return headlines_of(endpoint.ask(messages).content)[:most]


def headlines_of(content: str) -> list[str]:
    """The headlines in the answer of a chat model: a JSON list of strings or, as small models write, one item a line.

    A fence of Markdown may enclose either.

    Raises:
        AnswerError: the answer is anything else.
    """
    words = unfenced(content)
    items = [_ITEM.fullmatch(line.strip()) for line in words.splitlines() if line.strip()]
    try:
        headlines = [item[1] for item in items if item] if len(items) > 1 and all(items) else json.loads(words)
    except (ValueError, RecursionError):
        headlines = None
    if not isinstance(headlines, list) or not all(isinstance(text, str) and text.strip() for text in headlines):
        raise AnswerError(f"the chat model's answer is no JSON list of headlines: {content[:_SHOWN]!r}")
    return list(dict.fromkeys(" ".join(text.split()) for text in headlines))
