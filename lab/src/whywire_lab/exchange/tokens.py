"""Tokenisation for formats whose spans are sequences of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation

_TOKEN = re.compile(r"\w+|[^\w\s]")


def split_tokens(text: str, relations: Iterable[CausalRelation] = ()) -> list[Span]:
    """Return the offsets of the tokens: runs of letters and digits, and single other characters but whitespace.

    Args:
        relations: a token is split where one of their spans begins or ends inside it, so that every span consists of
            whole tokens.
    """
    cuts = {
        end for relation in relations for span in (relation.cause, relation.effect, *relation.signals) for end in span
    }
    tokens = []
    for found in _TOKEN.finditer(text):
        start, stop = found.span()
        for cut in range(start + 1, stop):
            if cut in cuts:
                tokens.append((start, cut))
                start = cut
        tokens.append((start, stop))
    return tokens
