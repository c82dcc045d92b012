"""Which of the articles that come are new, and which are copies of known ones.

Which error is worse? To drop a report: so one that differs from a known article with its id or url is a problem with
its row, never silently left out. Of two such articles the one that came first is kept, unless the other is said to
replace it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from whywire.news import Article, Problem, without_duplicates
from whywire.news.article_rows import to_row
from whywire.news.duplicates import content
from whywire.news.urls import url_key


@dataclass(frozen=True)
class Arrivals:
    """Articles that came, sorted out.

    Args:
        new: articles that were not known.
        copied: known articles that list more ids of identical copies now, whole.
        replaced: new versions of known articles, with the ids of these.
        problems: articles left out because a known one has the same id or url and other content.
    """

    new: list[Article]
    copied: list[Article]
    replaced: list[Article]
    problems: list[Problem]


def sort_arrivals(
    articles: Iterable[Article],
    known: Mapping[str, Article],
    by_url: Mapping[str, str],
    by_copy: Mapping[str, str],
    replacing: Collection[str] = (),
) -> Arrivals:
    """Sort out the articles that come.

    Args:
        known: articles by id.
        by_url: the ids of known articles by the keys of their urls (:func:`~whywire.news.urls.url_key`).
        by_copy: the ids of known articles by the ids of their copies.
        replacing: the ids of articles that replace the known one with the same id or url.
    """
    given = list(articles)
    ordinary, problems = without_duplicates(one for one in given if one.id not in replacing)
    versions, more_problems = without_duplicates(one for one in given if one.id in replacing)
    problems += more_problems
    new: list[Article] = []
    copied: dict[str, Article] = {}
    replaced: list[Article] = []
    for article in (*ordinary, *versions):
        of_url = None if article.url is None else by_url.get(url_key(article.url))
        of_id = article.id if article.id in known else by_copy.get(article.id)
        name = of_id or of_url
        if name is None:
            new.append(article)
            continue
        earlier = copied.get(name, known[name])
        also = {*earlier.also, article.id, *article.also} - {name}
        if content(article) == content(earlier):
            if also != {*earlier.also}:
                copied[name] = replace(earlier, also=tuple(sorted(also)))
        elif article.id in replacing and of_url in (None, name):
            copied.pop(name, None)
            replaced.append(replace(article, id=name, also=tuple(sorted(also))))
        else:
            shared, other = ("id", name) if of_id and article.id not in replacing else ("url", of_url or name)
            reason = (
                f"{article.title!r} is left out: another article has its {shared}: {other}, {known[other].title!r}"
            )
            problems.append(Problem(article.place or article.id, reason, row=to_row(article)))
    return Arrivals(new, [*copied.values()], replaced, problems)
