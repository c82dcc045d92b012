"""Phrases of an English sentence, normalised: one spelling, no quotes, no capital of a sentence's beginning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from whywire.news.article import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SPELLING = (
    (r"``|''|[“”]", '"'),
    (r"[‘’`]", "'"),
    (r"\s+", " "),
    (r" (?=[,.;:!?%)\]])|(?<=[(\[$]) | (?='(?:s|d|ll|re|ve|m)\b)", ""),
    (r" (?=n't\b)", ""),
    (r"\b(would|could|should|might)(n't| not)? of\b(?! course)", r"\1\2 have"),
    (r"\bno one\b", "nobody"),
    (r"\bNo one\b", "Nobody"),
    (r"\bi\b(?!\.)", "I"),
)
"""What corpora spell in several ways, and the one way used here."""

LEADING_CONNECTIVES = (
    r"^(?:(?:whether(?! or)|and|but(?! for)|so|because|then|yet|now|perhaps|maybe|or|only|particularly|especially"
    r"|thus|therefore)\b,? *|(?:still|also|in fact|for (?:instance|example)), |no doubt,? "
    r"|(?:\w+,|\w+ly) (?=(?:if|had|were|unless|without|but for)\b))"
)
"""Words that join a clause to what came before it."""

PROPER_NOUNS = {"NNP", "NNPS"}


def normalised(words: str) -> str:
    """The words in one spelling, without quotes, and without connectives and punctuation at their ends."""
    for pattern, right in SPELLING:
        words = re.sub(pattern, right, words)
    for mark, partner in (('"', '"'), ("(", ")"), ("[", "]")):
        if words.count(mark) != words.count(partner) or (mark == partner and words.count(mark) % 2):
            words = words.replace(mark, "").replace(partner, "")
    if not re.search(r"[\w,.!?]'(?!\w)", words):
        words = re.sub(r"(?:(?<=\s)|^)'(?=[A-Za-z])", "", words)
    before = None
    while words != before:
        before = words
        words = re.sub(LEADING_CONNECTIVES, "", words.strip(" ,.;:!?-–—…'"), flags=re.IGNORECASE).removesuffix(", or")
    return words


def uncapitalised(doc: Doc, span: Span) -> str:
    """The words of a span, without the capital that only their place gave them."""
    words = doc.text[slice(*span)]
    first = next((token for token in tokens_of(doc, span) if token.is_alpha), None)
    starts = first is not None and (not first.i or neighbour(first, -1).is_punct)
    if first is not None and starts and first.is_title and first.tag_ not in PROPER_NOUNS and first.text != "I":
        place = first.idx - span[0]
        words = words[:place] + words[place].lower() + words[place + 1 :]
    return normalised(words)


def phrase_of(noun: Token) -> str:
    """A noun phrase without the clauses that hang on it."""
    left, right = noun.left_edge, noun.i + 1
    for child in noun.rights:
        if child.dep_ not in {"prep", "cc", "conj"}:
            break
        right = child.right_edge.i + 1
    clauses = [token.left_edge.i for token in noun.subtree if token.dep_ == "relcl"]
    right = min([right, *clauses])
    phrase = noun.doc[left.i : right]
    return uncapitalised(noun.doc, (phrase.start_char, phrase.end_char))


def tokens_of(doc: Doc, span: Span) -> list[Token]:
    """The tokens that begin inside a span."""
    return [token for token in doc if span[0] <= token.idx < span[1]]


def neighbour(token: Token, step: int = 1) -> Token:
    """The token after (or before) a token, or the token itself at the edge of its text."""
    return token.doc[min(max(token.i + step, 0), len(token.doc) - 1)]
