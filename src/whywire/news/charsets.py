"""The character encoding of documents from the web: what they declare, unless their bytes say otherwise.

Servers and pages declare wrong encodings. Bytes beyond ASCII that are valid UTF-8 are hardly ever anything else, so
they are taken for UTF-8 whatever is declared.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WITHOUT_MARK = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"))
"""Documents in UTF-16 that begin with an XML declaration."""

_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_IN_DOCUMENT = re.compile(
    rb"(?:<\?xml[^>]{0,200}?encoding|<meta[^>]{0,200}?charset)\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE
)
_HEAD = 4096
"""Bytes in which a document may declare its encoding; HTML asks for 1024."""

_KNOWN = re.compile(
    r"utf-?8|us-?ascii|(?:iso-?8859|windows|cp)-?\d{1,4}|latin-?\d|koi8-?[rut]|mac-?cyrillic"
    r"|gb2312|gbk|gb18030|big5|shift-?jis|sjis|euc-?(?:jp|kr|tw)|iso-?2022-?jp|tis-?620",
    re.IGNORECASE,
)
"""Encodings of pages. Python knows more, some of which (UTF-7) let a document hide what it holds."""


def decode_document(content: bytes, content_type: str = "") -> str:
    """Decode a document: HTML, XML, JSON or plain text.

    Args:
        content_type: the header, whose ``charset`` is tried before what the document itself declares.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    for begin, encoding in _WITHOUT_MARK:
        if content.startswith(begin):
            return content.decode(encoding, "replace")
    candidates = list(_declared(content, content_type))
    if not content.isascii() or not candidates:
        candidates.insert(0, "utf-8")
    for encoding in candidates:
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return _guessed(content)


def _declared(content: bytes, content_type: str) -> Iterator[str]:
    in_document = _IN_DOCUMENT.search(content[:_HEAD])
    for name in (
        *_IN_HEADER.findall(content_type)[:1],
        *([in_document[1].decode("ascii", "ignore")] if in_document else []),
    ):
        if _KNOWN.fullmatch(name):
            yield "gb18030" if name.lower() in ("gb2312", "gbk") else name


def _guessed(content: bytes) -> str:
    """Decode what is not in any encoding that it declares."""
    from charset_normalizer import from_bytes

    best = from_bytes(content[: 64 * 1024]).best()
    return content.decode(best.encoding if best else "utf-8", "replace")
