"""When a web page was published, according to its markup.

A wrong day can reverse links; a missing day only leaves their order unknown. So the text, which names other days, is
not searched, and times of comments, related reports, footers and updates are ignored.
These are read, in this order: metadata of publication (``<meta>``, JSON-LD, microdata, elements marked as ``pubdate``
or ``published``), which give the time if they name its zone; metadata of an unspecified date; and a ``<time>`` beside
the headline, before the first paragraph. An unspecified date and a ``<time>`` give only a day, which is marked as
inferred.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whywire.errors import InputError
from whywire.news.article import InferredFrom, Published
from whywire.news.times import names_zone, parse_time, render_local_time

_PUBLISHED_NAMES = frozenset(
    name
    for line in (
        "article:published_time og:article:published_time og:published_time article:published article.published",
        "datepublished date_published published_time published_at publishdate publish-date publish_date pubdate",
        "publication_date rnews:datepublished dc.date.issued article_date_original citation_publication_date",
        "dcterms.issued sailthru.date parsely-pub-date cxenseparse:recs:publishtime bt:pubdate",
        "dc.date dc.date.created dcterms.date dcterms.created",
    )
    for name in line.split()
)
"""Names of ``<meta>`` that give the time of publication, in lower case."""

_DATE_NAMES = frozenset(("date",))
"""Names of ``<meta>`` that give an unspecified date, commonly the date of publication."""

_PARSELY_PAGE = "parsely-page"
"""The name of a ``<meta>`` that holds JSON, with the time of publication as ``pub_date``."""

_PUBLISHED_MARK = re.compile(
    r"(?:\w+[-_])*(?:date[-_]?)?(?:published|publish|pubdate)(?:[-_]?(?:date|time|at|on))?", re.IGNORECASE
)
"""Classes that mark the time of publication: ``published`` of hAtom, ``dt-published`` of microformats, …"""

_ENTRY = re.compile(r"h-?entry", re.IGNORECASE)

_PARAGRAPH_CHARACTERS = 80
"""A paragraph of at least this length belongs to the text, after which no ``<time>`` counts."""

_REPORT_TYPE = re.compile(r"(?:\w*Article|\w*Posting|Report)$")
_OTHER_PART = re.compile(
    r"comment|repl(?:y|ies)|relat|recommend|similar|footer|teaser|read-|also|next", re.IGNORECASE
)
_CDATA = re.compile(r"(?://|/\*)?\s*(?:<!\[CDATA\[|\]\]>)\s*(?:\*/)?")
"""Marks that keep old parsers from reading a script as markup."""

_CHANGE = re.compile(r"updat|modif|edited|обновл|измен", re.IGNORECASE)
_PUBLISHED = re.compile(r"\b(?:published|posted|опубликован\w*|размещен\w*|дата публикации)\b", re.IGNORECASE)


def time_of_page(tree: Any) -> dict[str, str]:
    """Return the time of publication of a page.

    Args:
        tree: the root element, as lxml reads HTML.

    Returns:
        Fields of a row: ``published``, and ``published_from`` if only the day is known. If no time can be read,
        ``published`` is the unreadable text in the metadata of publication, so that the reader of the row reports it.
        The result is empty if the page names no time.
    """
    page = _Page(tree)
    unreadable = ""
    for times, is_exact in (
        (page.meta(_PUBLISHED_NAMES), True),
        (page.linked_data(), True),
        (page.microdata(), True),
        (page.marked(), True),
        (page.meta(_DATE_NAMES), False),
        (page.beside_headline(), False),
    ):
        for said in times:
            if published := _parsed(said):
                if is_exact and not published.day_only and names_zone(said):
                    return {"published": render_local_time(published)}
                return {"published": published.day.isoformat(), "published_from": InferredFrom.PAGE.value}
            unreadable = unreadable or (_line(said) if is_exact else "")
    return {"published": unreadable} if unreadable else {}


def _parsed(said: str) -> Published | None:
    try:
        return parse_time(said)
    except InputError:
        return None


class _Page:
    """The times in the markup of a page; each method yields them as written."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        title = _line(next(tree.iter("title"), tree).text_content())
        self._headline = max(tree.iter("h1"), key=lambda h1: _length_within(h1, title), default=None)
        self._around_headline = set() if self._headline is None else {*self._headline.iterancestors()}

    def meta(self, names: frozenset[str]) -> Iterator[str]:
        """The contents of ``<meta>`` with the given names."""
        for element in self._tree.iter("meta"):
            name = element.get("property") or element.get("name") or element.get("itemprop") or ""
            if name.strip().lower() in names and not self._is_of_another(element):
                yield element.get("content") or ""
            elif name.strip().lower() == _PARSELY_PAGE and names is _PUBLISHED_NAMES:
                value = _json(element.get("content") or "")
                if isinstance(value, dict) and isinstance(said := value.get("pub_date"), str):
                    yield said

    def linked_data(self) -> Iterator[str]:
        """The publication times of reports in JSON-LD; if there are no reports, the times of web pages.

        If the reports are of several days, only reports with the headline of this page count.
        """
        described: list[_Described] = []
        for script in self._tree.iter("script"):
            if "ld+json" in (script.get("type") or ""):
                try:
                    described += _described(_json(_CDATA.sub("", script.text_content())))
                except RecursionError:  # nested deeper than any page needs
                    continue
        reports = [page for page in described if page.is_report]
        if len({report.day for report in reports}) > 1:
            reports = [report for report in reports if report.headline and self._has_headline(report.headline)]
            described = []
        if len({report.day for report in reports}) <= 1:
            yield from (page.published for page in reports or described)

    def microdata(self) -> Iterator[str]:
        """Values of the property ``datePublished``."""
        for element in self._tree.iterfind(".//*[@itemprop]"):
            if "datePublished" in element.get("itemprop").split() and not (
                self._is_of_another(element) or self._describes_another(element)
            ):
                yield element.get("content") or element.get("datetime") or element.text_content()

    def marked(self) -> Iterator[str]:
        """Times that are marked or labelled as times of publication; nothing if they fall on several days."""
        marked = [
            element.get("datetime") or element.get("title") or element.text_content()
            for element in self._tree.iter("time", "abbr", "span", "div", "p")
            if _is_marked(element)
            and not (self._is_of_another(element) or self._is_of_another_entry(element))
            and not _CHANGE.search(_introduction(element))
        ]
        times = [published for said in marked if (published := _parsed(said))]
        if len({published.day for published in times}) == 1:
            yield from marked

    def beside_headline(self) -> Iterator[str]:
        """A ``<time>`` between the headline and the first paragraph, or before the headline in the same header."""
        if self._headline is None:
            return
        is_behind = False
        for element in self._tree.iter("h1", "p", "time"):
            if element is self._headline:
                is_behind = True
            elif element.tag == "p" and is_behind and len(_line(element.text_content())) >= _PARAGRAPH_CHARACTERS:
                return
            elif element.tag == "time":
                shares = any(outer in self._around_headline for outer in element.iterancestors("header", "article"))
                if (is_behind or shares) and not self._is_of_another(element) and not _tells_of_change(element):
                    yield element.get("datetime") or element.text_content()

    def _has_headline(self, headline: str) -> bool:
        """Return whether a headline occurs in a heading or the title of the page."""
        return any(headline in _line(element.text_content()) for element in self._tree.iter("h1", "title"))

    def _describes_another(self, element: Any) -> bool:
        """Return whether a property belongs to a microdata item whose headline is not the headline of the page."""
        item = next((outer for outer in element.iterancestors() if outer.get("itemscope") is not None), None)
        if item is None or item in self._around_headline:
            return False
        headlines = [_line(headline.text_content()) for headline in item.iterfind(".//*[@itemprop='headline']")]
        return bool(headlines) and not any(map(self._has_headline, headlines))

    def _is_of_another_entry(self, element: Any) -> bool:
        """Return whether an element is in an article that does not hold the headline."""
        if self._headline is None:
            return False
        for outer in element.iterancestors():
            if outer.tag == "article" or any(map(_ENTRY.fullmatch, (outer.get("class") or "").split())):
                return outer not in self._around_headline
        return False

    def _is_of_another(self, element: Any) -> bool:
        """Return whether an element is in a part of the page outside its report."""
        return any(
            part.tag in ("aside", "footer", "nav", "a")
            or _OTHER_PART.search(" ".join(part.get(name) or "" for name in ("id", "class", "itemtype")))
            for part in (element, *element.iterancestors())
            if part not in self._around_headline
        )


@dataclass(frozen=True, slots=True)
class _Described:
    """A page or report as JSON-LD describes it."""

    is_report: bool
    headline: str
    published: str

    @property
    def day(self) -> str:
        return self.published[: len("2026-03-04")]


def _described(value: Any) -> Iterator[_Described]:
    """Yield the pages and reports at the top level of JSON-LD. Nested items, such as comments, are skipped."""
    for page in value if isinstance(value, list) else [value]:
        if not isinstance(page, dict):
            continue
        kinds = page.get("@type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        kinds = [kind.rpartition("/")[2] for kind in kinds if isinstance(kind, str)]
        is_report = any(map(_REPORT_TYPE.fullmatch, kinds))
        if isinstance(said := page.get("datePublished"), str) and (is_report or "WebPage" in kinds):
            yield _Described(is_report, _line(str(page.get("headline") or page.get("name") or "")), said)
        for part in ("@graph", "mainEntity"):
            yield from _described(page.get(part))


def _json(text: str) -> Any:
    """Return the value of a JSON text; ``None`` if it is broken or nested too deeply."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _is_marked(element: Any) -> bool:
    """Return whether an element is marked as the time of publication, or is a ``<time>`` with such a label."""
    if element.tag == "time" and _PUBLISHED.search(_introduction(element)):
        return True
    return element.get("pubdate") is not None or any(
        map(_PUBLISHED_MARK.fullmatch, (element.get("class") or "").split())
    )


def _tells_of_change(element: Any) -> bool:
    """Return whether a time is labelled or named as the time of an update."""
    words = (_introduction(element), element.text_content(), *element.attrib.values())
    return any(map(_CHANGE.search, words))


def _introduction(element: Any) -> str:
    """Return the words right before an element."""
    before = element.getprevious()
    words = (element.getparent().text,) if before is None else (before.text_content(), before.tail)
    return " ".join(filter(None, words))


def _length_within(element: Any, title: str) -> int:
    """Return the length of an element's text if the title contains it, else 0."""
    line = _line(element.text_content())
    return len(line) if line in title else 0


def _line(text: str) -> str:
    return " ".join(text.split())
