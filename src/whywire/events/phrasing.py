"""Rephrases an event, and checks every word against its article.

A language model may phrase an event so that it is understood alone. The phrasing is used only if the article
supports it: every name, every number and the stem of every content word must occur in the title or the text. A
phrasing that adds, explains or estimates is rejected, and the event keeps its title.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from whywire.news.numbers import numbers
from whywire.news.stems import stems

PROMPT = (
    "These words of a news article tell of an event. Say in one short sentence of your own, in the same language, "
    "what happened, so that it can be read alone. Take every name, number and fact from these words and add none. "
    "Answer with the sentence and nothing else."
)

_NAME = re.compile(r"[^\W\d_][\w'’-]*")


def ungrounded(phrasing: str, source: str) -> list[str]:
    """The names, numbers and stems of a phrasing that do not occur in a source, sorted; empty if all do.

    Words are compared by their first five letters, so endings seldom matter. Words of fewer than four letters count
    only if they are capitalised and not the first word.
    """
    known = stems(source) | numbers(source) | {name.casefold() for name in _NAME.findall(source)}
    used = stems(phrasing) | numbers(phrasing)
    used |= {name.casefold() for name in _NAME.findall(phrasing)[1:] if name[0].isupper() and len(name) < 4}
    return sorted(used - known)


def phrase_by_chat(ask: Callable[[str], str]) -> Callable[[str], str]:
    """The ``phrase`` of :func:`rephrase` by a chat model; ``ask`` takes a prompt and returns the answer."""

    def phrase(words: str) -> str:
        lines = ask(f"{PROMPT}\n\n{words}").strip().splitlines()
        return lines[0].strip(' "“”«»').removesuffix(".") if lines else ""

    return phrase


def rephrase(title: str, source: str, phrase: Callable[[str], str]) -> str:
    """An event's title in other words if its article supports them, else unchanged.

    Args:
        source: headline and text of the article that the title is from.
        phrase: returns a title in other words, for example by a language model.
    """
    phrased = " ".join(phrase(title).split())
    return title if not phrased or ungrounded(phrased, f"{title}\n{source}") else phrased
