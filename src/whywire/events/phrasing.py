"""Rephrases an event, and checks every word against its article.

A language model may phrase an event so that it is understood alone. The phrasing is taken only if the article
supports it: every name, every number and the stem of every word of content must occur in title or text. A
phrasing that adds, explains or estimates is rejected, and the article's own words stay.
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
    """The names, numbers and stems of a phrasing that occur nowhere in a source, in order; empty where all do.

    Words are compared by their first five letters, so another ending is the same word; words under four letters
    count only where they are written with a capital.
    """
    known = stems(source) | numbers(source) | {name.casefold() for name in _NAME.findall(source)}
    said = stems(phrasing) | numbers(phrasing)
    said |= {name.casefold() for name in _NAME.findall(phrasing)[1:] if name[0].isupper() and len(name) < 4}
    return sorted(said - known)


def phrase_by_chat(ask: Callable[[str], str]) -> Callable[[str], str]:
    """What :func:`rephrase` needs, from a chat model: ``ask`` takes a prompt and gives the answer."""

    def phrase(words: str) -> str:
        said = ask(f"{PROMPT}\n\n{words}").strip().splitlines()
        return said[0].strip(' "“”«»').removesuffix(".") if said else ""

    return phrase


def rephrase(title: str, source: str, phrase: Callable[[str], str]) -> str:
    """An event's title in other words, where its article vouches for them; else as it was.

    Args:
        source: headline and text of the article that the title is from, as far as they are known.
        phrase: from words to other words, by a language model for example.
    """
    phrased = " ".join(phrase(title).split())
    return title if not phrased or ungrounded(phrased, f"{title}\n{source}") else phrased
