"""Decoding of documents from the web, and a page's headline, text and time (needs the extra ``feeds``).

Servers and pages declare wrong encodings. Bytes beyond ASCII that are valid UTF-8 hardly ever have another encoding.
So they are decoded as UTF-8, whatever is declared.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from whywire.errors import InputError, MissingExtraError
from whywire.news.language import detect_language
from whywire.news.page_times import time_of_page

LARGEST_PAGE = 10 * 2**20
"""The most bytes of a page: about a hundred times the size of a common page."""

_NO_TEXT = "no text of an article was found in the page"


def read_page(content: bytes, *, content_type: str = "", url: str = "") -> dict[str, str]:
    """Read a web page. The page may be hostile: call this through `whywire.isolation.Isolated`.

    Args:
        content_type: the header that came with the page.

    Returns:
        Fields of a row for `whywire.news.read_row`: ``title``, ``text``, ``published`` and ``published_from``, each
        only if the page has it. If the page declares a language, there is also ``language``: the detected language,
        for which the declaration counts.

    Raises:
        InputError: the page has no text of an article.
        MissingExtraError: trafilatura is not installed.
    """
    try:
        from trafilatura import bare_extraction, load_html
    except ImportError as error:
        raise MissingExtraError("trafilatura", "feeds") from error

    tree = load_html(decode_document(content, content_type).replace("\0", ""))
    if tree is None:
        raise InputError(_NO_TEXT)
    time = time_of_page(tree)
    page = bare_extraction(tree, url=url or None, with_metadata=True, include_comments=False, include_tables=False)
    if page is None or isinstance(page, dict) or not page.text:
        raise InputError(_NO_TEXT)
    title = page.title or ""
    first, _, rest = page.text.partition("\n")
    row = {"title": title, "text": rest if rest and first.strip() == title.strip() else page.text} | time
    if declared := tree.get("lang"):
        row["language"] = detect_language(f"{row['title']}\n{row['text']}", declared).value
    return {name: value for name, value in row.items() if value}


def site_of(url: str) -> str:
    """Return the host of a URL without ``www.``, which names the outlet; empty if the URL has no host."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


# encodings


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
"""Bytes in which a document may declare its encoding; the HTML standard requires 1024."""

_KNOWN = re.compile(
    r"utf-?8|us-?ascii|(?:iso-?8859|windows|cp)-?\d{1,4}|latin-?\d|koi8-?[rut]|mac-?cyrillic"
    r"|gb2312|gbk|gb18030|big5|shift-?jis|sjis|euc-?(?:jp|kr|tw)|iso-?2022-?jp|tis-?620",
    re.IGNORECASE,
)
"""Accepted encodings. Python has more, some of which (UTF-7) would let a document hide its content."""


def decode_document(content: bytes, content_type: str = "") -> str:
    """Decode a document: HTML, XML, JSON or plain text.

    Args:
        content_type: the header, whose ``charset`` is tried before the encoding that the document declares.
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
    from charset_normalizer import from_bytes

    best = from_bytes(content[: 64 * 1024]).best()
    return content.decode(best.encoding if best else "utf-8", "replace")


def _declared(content: bytes, content_type: str) -> Iterator[str]:
    in_document = [name.decode("ascii", "ignore") for name in _IN_DOCUMENT.findall(content[:_HEAD])]
    for name in (*_IN_HEADER.findall(content_type)[:1], *in_document[:1]):
        if _KNOWN.fullmatch(name):
            yield "gb18030" if name.lower() in ("gb2312", "gbk") else name
