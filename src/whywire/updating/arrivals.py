"""Which of the articles that come are new, and which are copies of known ones.

Which error is worse? To drop a report: so one that differs from a known article with its id or url is a problem with
its row, never silently left out. Of two such articles the one that came first is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from whywire.news import Article, Problem, without_duplicates
from whywire.news.article_rows import to_row


@dataclass(frozen=True)
class Arrivals:
    """Articles that came, sorted out.

    Args:
        new: articles that were not known.
        copied: known articles that list more ids of identical copies now, whole.
        problems: articles left out because a known one has the same id or url and other content.
    """

    new: list[Article]
    copied: list[Article]
    problems: list[Problem]


def sort_arrivals(
    articles: Iterable[Article], known: Mapping[str, Article], by_url: Mapping[str, str], by_copy: Mapping[str, str]
) -> Arrivals:
    """Sort out the articles that come.

    Args:
        known: articles by id.
        by_url: the ids of known articles by their urls.
        by_copy: the ids of known articles by the ids of their copies.
    """
    distinct, problems = without_duplicates(articles)
    new: list[Article] = []
    copied: dict[str, Article] = {}
    for article in distinct:
        name = article.id if article.id in known else by_copy.get(article.id)
        shared = "id"
        if name is None and article.url is not None:
            name, shared = by_url.get(article.url), "url"
        if name is None:
            new.append(article)
            continue
        earlier = copied.get(name, known[name])
        if replace(article, id=name, also=()) == replace(earlier, also=()):
            also = {*earlier.also, article.id, *article.also} - {name}
            if also != {*earlier.also}:
                copied[name] = replace(earlier, also=tuple(sorted(also)))
        else:
            reason = f"{article.title!r} is left out: another article has its {shared}: {name}, {earlier.title!r}"
            problems.append(Problem(article.place or article.id, reason, row=to_row(article)))
    return Arrivals(new, [*copied.values()], problems)
