"""Which feeds to watch: addresses, OPML files, and text files with an address a line."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from whywire.errors import InputError, WhywireError
from whywire.feeds.client import FetchError, ForbiddenAddressError, check_host, checked_url
from whywire.isolation import Isolated
from whywire.news import Problem
from whywire.news.text_files import place_of
from whywire.news.web_pages import decode_document

LARGEST_LIST = 16 * 2**20
"""The most bytes of a list: about a hundred thousand feeds."""

CHECK_SECONDS = 5.0
"""The longest time for which names of hosts are resolved before feeds are accepted."""

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


def read_opml(content: bytes) -> dict[str, list[list[str]]]:
    """Return the addresses of ``feeds`` and of further ``lists`` in OPML, each with its title.

    The document may be hostile: call this isolated (:func:`feeds_of_opml`).

    Raises:
        MissingExtraError: listparser is not installed.
    """
    import listparser

    mark = b"\xef\xbb\xbf"  # without a byte order mark listparser would guess the encoding
    outlines = listparser.parse(mark + decode_document(content).encode("utf-8", "replace"))
    return {
        name: [[str(outline["url"]), str(outline.get("title") or "")] for outline in outlines[name]]
        for name in ("feeds", "lists")
    }


def feeds_of_opml(content: bytes, place: str) -> tuple[list[tuple[str, str]], list[Problem]]:
    """Read which feeds a document in OPML names.

    Args:
        place: where the document came from, for problems.

    Returns:
        Addresses, which are not checked, with titles, which may be empty; and what could not be used.

    Raises:
        InputError: the document cannot be read.
    """
    try:
        with Isolated(read_opml) as read:
            outlines = read(content)
    except WhywireError as error:
        raise InputError(error.message, where=place, hint="a list of feeds is OPML, or text") from error
    unused = "a list that another one names is not followed"
    problems = [Problem(place, unused, row=url) for url, _ in outlines["lists"]]
    if not outlines["feeds"]:
        problems.append(Problem(place, "names no feed"))
    return [(url, title) for url, title in outlines["feeds"]], problems


async def checked_feeds(urls: Sequence[str], *, allow_private: bool) -> list[str | FetchError]:
    """Check addresses of feeds before they are watched.

    An address is accepted if the IP addresses of its host cannot be found within `CHECK_SECONDS`: the first look will
    report this.

    Returns:
        For each address, the address as it will be fetched, or why it cannot be a feed's.
    """
    results: list[str | FetchError] = []
    for url in urls:
        try:
            results.append(str(checked_url(url)))
        except FetchError as error:
            results.append(error)
    hosts = {
        url: asyncio.create_task(check_host(url, allow_private=allow_private))
        for url in {result for result in results if isinstance(result, str)}
    }
    if hosts:
        _, late = await asyncio.wait(hosts.values(), timeout=CHECK_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*hosts.values(), return_exceptions=True)
    return [_forbidden(hosts[result]) or result if isinstance(result, str) else result for result in results]


def _forbidden(check: asyncio.Task[None]) -> ForbiddenAddressError | None:
    """Return why the check of a host forbids connections; ``None`` if it does not."""
    failure = None if check.cancelled() else check.exception()
    return failure if isinstance(failure, ForbiddenAddressError) else None


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
    outlines, found = feeds_of_opml(content, place)
    problems.extend(found)
    return [(place, url) for url, _ in outlines]
