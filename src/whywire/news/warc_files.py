"""Web pages in WARC files, such as those of CC-News, read as articles (needs the extra ``feeds``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from whywire.errors import MissingExtraError, WhywireError
from whywire.isolation import Isolated
from whywire.news.article_rows import SourceRow
from whywire.news.problems import Problem
from whywire.news.text_files import place_of
from whywire.news.web_pages import LARGEST_PAGE, read_page, site_of

_HTML = ("text/html", "application/xhtml+xml")


def read_warc(path: Path) -> Iterator[SourceRow | Problem]:
    """Read the pages of a WARC file, packed with gzip or not; a record has a place by its number, from 1.

    Only pages that a server gave (status 200, HTML) are articles; records of other kinds are passed over. A page
    without the text of an article is a problem. The time is that which the page states, never that of the crawl.

    Raises:
        MissingExtraError: FastWARC or trafilatura is not installed.
    """
    for package in ("fastwarc", "trafilatura"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "feeds")
    problems: list[Problem] = []
    with Isolated(read_page, processes=os.cpu_count() or 1) as read:
        for (place, url), page in read.map(_pages(path, problems)):
            yield from problems
            problems.clear()
            if isinstance(page, WhywireError):
                yield Problem(place, page.message, row={"url": url})
            else:
                yield SourceRow(place, {"url": url, "source": site_of(url), **page})
    yield from problems


def _pages(path: Path, problems: list[Problem]) -> Iterator[tuple[tuple[str, str], bytes, Mapping[str, Any]]]:
    """The pages with their places and addresses; what is wrong with the file is added to ``problems``."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    number, place = 0, place_of(path)
    try:
        with path.open("rb") as stream:
            for number, record in enumerate(ArchiveIterator(stream, auto_decode="all"), start=1):
                place = f"{place_of(path)}:{number}"
                if record.record_type != WarcRecordType.response or not record.is_http_parsed:
                    continue
                headers = record.http_headers
                if headers.status_code != HTTPStatus.OK or (record.http_content_type or "").lower() not in _HTML:
                    continue
                url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
                content = record.reader.read(LARGEST_PAGE + 1)
                if len(content) > LARGEST_PAGE:
                    problems.append(Problem(place, f"a page of more than {LARGEST_PAGE >> 20} MB", row={"url": url}))
                    continue
                if truncated := record.headers.get("WARC-Truncated"):
                    problems.append(Problem(place, f"the crawler cut this page: {truncated}", kept=True))
                options = {"content_type": headers.get("Content-Type") or "", "url": url}
                yield (place, url), content, options
        if not number:
            problems.append(Problem(place, "holds no record"))
    except OSError as error:  # FastWARC's own are of this class, too
        problems.append(Problem(place, f"damaged after this: {error}"))
