"""Has a chat model write headlines that may follow a headline.

It only writes candidates, which the pair model ranks (:mod:`whywire.answers.predictions`). Only the headline is sent.
"""

from __future__ import annotations

import json
import re

from whywire.models.chat import AnswerError, ChatEndpoint

PROMPT = (
    "You foretell news. Given a headline, name events that may follow because of it within a week, each as a short "
    "news headline of its own, in the language of the given one, the most likely first. Name consequences only: no "
    "other report of the same event, and nothing that merely happens at the same time. Answer with a JSON list of "
    "strings and with nothing else."
)


def effects_by_chat(headline: str, endpoint: ChatEndpoint, most: int) -> list[str]:
    """Have a chat model write headlines that may follow this one, ``most`` at most.

    Raises:
        AnswerError: the answer is no list of headlines.
        ModelError: the endpoint cannot be reached, refuses, or stays busy.
    """
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": f"At most {most} headlines that may follow this one:\n{headline}"},
    ]
    return headlines_of(endpoint.ask(messages).content)[:most]


def headlines_of(content: str) -> list[str]:
    """The headlines in a chat model's answer: a JSON list of strings, or items a line each, as small models write.

    A fence of Markdown may stand around either.

    Raises:
        AnswerError: it is anything else.
    """
    fenced = _FENCE.fullmatch(content.strip())
    words = fenced[1] if fenced else content.strip()
    items = [_ITEM.fullmatch(line.strip()) for line in words.splitlines() if line.strip()]
    try:
        found = [item[1] for item in items if item] if len(items) > 1 and all(items) else json.loads(words)
    except (ValueError, RecursionError) as error:
        raise _unlike_headlines(content) from error
    if not isinstance(found, list) or not all(isinstance(text, str) and text.strip() for text in found):
        raise _unlike_headlines(content)
    return list(dict.fromkeys(" ".join(text.split()) for text in found))


_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)
_ITEM = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+(.*\S.*)")
"""A line of a list."""

_SHOWN = 80
"""Characters of a strange answer that a message shows."""


def _unlike_headlines(content: str) -> AnswerError:
    return AnswerError(f"the chat model's answer is no JSON list of headlines: {content[:_SHOWN]!r}")
