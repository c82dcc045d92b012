"""Which feeds to watch: addresses, OPML files, and text files with an address a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from whywire.errors import InputError, WhywireError
from whywire.feeds.client import FetchError, checked_url
from whywire.isolation import Isolated
from whywire.news import Problem
from whywire.news.text_files import place_of
from whywire.news.web_pages import decode_document

LARGEST_LIST = 16 * 2**20
"""Bytes of the largest list: about a hundred thousand feeds."""

_COMMENT = "#"


def read_subscriptions(sources: Sequence[str | Path]) -> tuple[list[str], list[Problem]]:
    """Read which feeds to watch.

    Args:
        sources: addresses, and files of OPML or of text with an address a line and comments after ``#``.

    Returns:
        The addresses, each once, in order; and the problems with their places.

    Raises:
        InputError: a file cannot be read.
    """
    urls: list[str] = []
    problems: list[Problem] = []
    for source in sources:
        is_address = isinstance(source, str) and source.lower().startswith(("http://", "https://"))
        given = [("", str(source))] if is_address else _of_file(Path(source), problems)
        for place, url in given:
            try:
                checked_url(url)
            except FetchError as error:
                problems.append(Problem(place or "command line", error.message, row=url))
            else:
                urls.append(url)
    return list(dict.fromkeys(urls)), problems


def read_opml(content: bytes) -> dict[str, list[str]]:
    """Return the addresses of ``feeds`` and of further ``lists`` in OPML. It may be hostile: call this isolated.

    Raises:
        MissingExtraError: listparser is not installed.
    """
    import listparser

    mark = b"\xef\xbb\xbf"  # without a byte order mark listparser would guess the encoding
    outlines = listparser.parse(mark + decode_document(content).encode("utf-8", "replace"))
    return {name: [str(outline["url"]) for outline in outlines[name]] for name in ("feeds", "lists")}


def _of_file(path: Path, problems: list[Problem]) -> list[tuple[str, str]]:
    """Return the addresses in a file with their places."""
    place = place_of(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_LIST + 1)
    except OSError as error:
        raise InputError(
            f"cannot be opened: {error.strerror}", where=place, hint="name an address or a file of feeds"
        ) from error
    if len(content) > LARGEST_LIST:
        raise InputError(f"a list of more than {LARGEST_LIST >> 20} MB", where=place)
    text = decode_document(content)
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        lines = ((f"{place}:{number}", line.strip()) for number, line in enumerate(text.splitlines(), start=1))
        return [(where, line) for where, line in lines if line and not line.startswith(_COMMENT)]
    try:
        with Isolated(read_opml) as read:
            urls = read(content)
    except WhywireError as error:
        raise InputError(error.message, where=place, hint="a list of feeds is OPML, or text") from error
    problems.extend(Problem(place, "a list that another one names is not followed", row=url) for url in urls["lists"])
    if not urls["feeds"]:
        problems.append(Problem(place, "names no feed"))
    return [(place, url) for url in urls["feeds"]]
