"""The inputs that public functions accept as news: paths, articles, rows, or several of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from whywire.errors import InputError
from whywire.news import Article, Problem, read_news, read_row
from whywire.news.article_rows import UnusableTime
from whywire.news.text_files import LONGEST_LINE

NewsItem: TypeAlias = str | Path | Article | Mapping[str, Any]
"""A path (of a file or folder, or ``-``), an article, or a row of an article (docs/formats.md)."""

NewsInput: TypeAlias = NewsItem | Iterable[NewsItem]

MAX_REASONS = 5
"""The most reasons in the error that no article could be read."""

HeadlineInput: TypeAlias = str | Article | Mapping[str, Any]
"""A headline as text, an article, or a row of an article."""


def load_news(
    news: NewsInput, *, strict: bool = False, longest_line: int = LONGEST_LINE
) -> tuple[list[Article], list[Problem]]:
    """Read articles, and list what could not be used.

    Args:
        strict: raise at the first row that cannot be used, instead of listing it as a problem.
        longest_line: the most characters that a line of a file may have.

    Raises:
        InputError: a path cannot be read, or, with ``strict``, a row cannot be used.
    """
    articles: list[Article] = []
    problems: list[Problem] = []
    for item in _read(news, longest_line):
        if isinstance(item, Article):
            articles.append(item)
        elif strict and not item.kept:
            raise InputError(item.reason, where=item.place, hint="without strict the other rows are used")
        else:
            problems.append(item)
    return articles, problems


def usable_news(
    news: NewsInput, *, news_only: bool = False, strict: bool = False, longest_line: int = LONGEST_LINE
) -> tuple[list[Article], list[Problem]]:
    """Read articles as :func:`load_news` does; unless the input is empty, at least one must be readable.

    Args:
        news_only: leave out horoscopes, listings, offers and the like; they are listed as problems.

    Raises:
        InputError: as by :func:`load_news`, or no item is an article.
    """
    items = items_of(news)
    articles, problems = load_news(items, strict=strict, longest_line=longest_line)
    if news_only:
        from whywire.news.newsworthy import NewsFilter  # needs NumPy, which watching feeds does not

        articles, dropped = NewsFilter.load().split(articles)
        problems += dropped
    if items and not articles:
        reasons = "; ".join(map(str, problems[:MAX_REASONS]))
        raise InputError("no article could be read", hint=reasons or "there is no row in it")
    return articles, problems


def to_article(item: HeadlineInput) -> Article:
    """The article that a headline or a row stands for.

    Raises:
        InputError: the row is not an article, or its time cannot be read; the message names the field.
    """
    if isinstance(item, Article):
        return item
    article, notes = read_row({"title": item} if isinstance(item, str) else item)
    for note in notes:
        if isinstance(note, UnusableTime):
            raise InputError(f"published: {note}")
    return article


def timely_news(news: NewsInput) -> list[Article]:
    """Read articles for answers that depend on their times.

    Raises:
        InputError: a path cannot be read, a row is not an article, or its time cannot be read.
    """
    articles, problems = load_news(news, strict=True)
    for problem in problems:
        if isinstance(problem.reason, UnusableTime):
            raise InputError(f"published: {problem.reason}", where=problem.place)
    return articles


def items_of(news: NewsInput) -> list[NewsItem]:
    """The items of an input; a single item is a list of one."""
    return [news] if isinstance(news, str | Path | Article | Mapping) else list(news)


def _read(news: NewsInput, longest_line: int) -> Iterator[Article | Problem]:
    """Read items in their order; consecutive paths are read together."""
    paths: list[str | Path] = []
    for number, item in enumerate(items_of(news), start=1):
        if isinstance(item, str | Path):
            paths.append(item)
            continue
        yield from read_news(paths, longest_line=longest_line)
        paths.clear()
        if isinstance(item, Article):
            yield item
            continue
        place = f"item {number}"
        try:
            article, notes = read_row(item)
        except InputError as error:
            yield Problem(place, error.message, row=item)
            continue
        yield replace(article, place=place)
        yield from (Problem(place, note, kept=True) for note in notes)
    yield from read_news(paths, longest_line=longest_line)
