"""HTML of feeds as plain text."""

from __future__ import annotations

import re

_IN_LINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
"""Elements that do not begin a line; all others do."""

_LEFT_OUT = re.compile("script|style|template|noscript|iframe|svg|head|title|object|video|audio")
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def plain_text(markup: str) -> str:
    """Turn HTML into text: its blocks are lines, its entities characters, its scripts and styles gone."""
    if "<" not in markup and "&" not in markup:
        return _tidy(markup)
    from lxml.html import HTMLParser, document_fromstring

    content = markup.replace("\0", "").encode("utf-8", "replace")
    root = document_fromstring(b"<body><div>" + content, parser=HTMLParser(encoding="utf-8"))
    pieces: list[str] = []
    walk = [(root, False)]
    while walk:
        element, left = walk.pop()
        tag = element.tag if isinstance(element.tag, str) else ""  # that of a comment is a function
        if tag and not _IN_LINE.fullmatch(tag) and not _LEFT_OUT.fullmatch(tag):
            pieces.append("\n")
        if left:
            pieces.append(element.tail or "")
            continue
        walk.append((element, True))
        if tag and not _LEFT_OUT.fullmatch(tag):
            pieces.append(element.text or "")
            walk.extend((child, False) for child in reversed(element))
    return _tidy("".join(pieces))


def one_line(markup: str) -> str:
    """Turn HTML into text of one line."""
    return " ".join(plain_text(markup).split())


def _tidy(text: str) -> str:
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()
