"""Reading of the graph from a build folder.

Writing the graph that was read gives the same rows again, byte for byte. A build does not store the articles' texts:
of a text only the parts that claims quote and mentions are known, at their offsets, with blanks in between.

The worse error is a graph that silently differs from the files, so one wrong row refuses the whole folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from whywire.elements import Claim, Event, Link, Mention, time_range
from whywire.errors import InputError
from whywire.graph.build_folder import ARTICLES_FILE, CLAIMS_FILE, EVENTS_FILE, LINKS_FILE, is_build_folder
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.from_rows import article_from_row, claim_from_row, event_from_row, link_from_row
from whywire.graph.row_fields import Row, as_row
from whywire.news import Problem
from whywire.news.article import Article, Published, Span
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of
from whywire.output import current_path

T = TypeVar("T")


def read_graph(folder: str | Path) -> CausalGraph:
    """Read the graph of a build.

    Args:
        folder: the folder given to ``whywire build --out``. If a ``text`` was added to rows of ``articles.jsonl`` it
            is used, and the claims must quote it correctly.

    Raises:
        InputError: a file is missing, a row is not one that a build writes, or a row refers to an unknown id; with
            the file and the line.
    """
    folder = Path(folder)
    if not is_build_folder(folder):
        raise InputError("not a folder that `whywire build` wrote", where=place_of(folder))
    articles = _read_rows(current_path(folder, ARTICLES_FILE), article_from_row)
    events = _read_rows(current_path(folder, EVENTS_FILE), event_from_row)
    claims = _read_rows(current_path(folder, CLAIMS_FILE), claim_from_row)
    links = _read_rows(current_path(folder, LINKS_FILE), link_from_row)
    places = {f"{link.source} -> {link.target}": place for place, link in links}
    places |= {event.id: place for place, (event, _) in events}
    places |= {found.id: place for rows in (articles, claims) for place, found in rows}
    try:
        return assemble(
            [article for _, article in articles],
            [event for _, event in events],
            [link for _, link in links],
            [claim for _, claim in claims],
        )
    except InputError as error:
        named = error.where or ""
        raise _not_a_build_row(places.get(named, place_of(folder)), f"{named}: {error.message}") from error


def assemble(
    articles: Sequence[Article],
    events: Sequence[tuple[Event, list[tuple[Mention, str]]]],
    links: Sequence[Link],
    claims: Sequence[Claim],
) -> CausalGraph:
    """Make a graph of what was read from rows.

    Args:
        articles: one without a text gets the parts that mentions and claims quote.
        events: each with those of its mentions whose words are known, and these.

    Raises:
        InputError: an id is used twice or is unknown, or a quote is wrong.
    """
    times = {article.id: article.published for article in articles}
    quotes = _quotes(claims, (mention for _, mentions in events for mention in mentions))
    return CausalGraph(
        _articles_with_quotes(articles, quotes),
        tuple(_with_inferred_times(event, times) for event, _ in events),
        tuple(links),
        tuple(claims),
    )


def _read_rows(path: Path, from_row: Callable[[Row], T]) -> list[tuple[str, T]]:
    """Return what the rows of a file hold, each with its place (``file:line``)."""
    found = []
    with open_bytes(path) as stream, decode(stream) as text:
        for row in read_json_lines(text, place_of(path)):
            if isinstance(row, Problem):
                raise _not_a_build_row(row.place, row.reason)
            try:
                found.append((row.place, from_row(as_row(row.value))))
            except ValueError as error:
                raise _not_a_build_row(row.place, str(error)) from error
            except InputError as error:
                raise _not_a_build_row(row.place, error.message) from error
    return found


def _not_a_build_row(place: str, reason: str) -> InputError:
    return InputError(
        f"not a row that `whywire build` writes: {reason}", where=place, hint="build the folder again from the news"
    )


def _quotes(claims: Iterable[Claim], mentions: Iterable[tuple[Mention, str]]) -> dict[str, list[tuple[Span, str]]]:
    """Return the known parts of each article's text, by its id."""
    quotes: defaultdict[str, list[tuple[Span, str]]] = defaultdict(list)
    for mention, words in mentions:
        if mention.field == "text":
            quotes[mention.article].append((mention.span, words))
    for claim in claims:
        if claim.field == "text":
            quotes[claim.article].append((claim.sentence, claim.quote))
    return quotes


def _articles_with_quotes(
    articles: Iterable[Article], quotes: Mapping[str, list[tuple[Span, str]]]
) -> dict[str, Article]:
    """Return the articles by id; one without a text gets its known parts."""
    by_id: dict[str, Article] = {}
    for article in articles:
        if article.id in by_id:
            raise InputError("two articles have this id", where=article.id)
        by_id[article.id] = (
            article if article.text else replace(article, text=_known_text(quotes.get(article.id, [])))
        )
    return by_id


def _known_text(quotes: list[tuple[Span, str]]) -> str:
    letters = [" "] * max((span[1] for span, _ in quotes), default=0)
    for span, words in quotes:
        letters[slice(*span)] = words
    return "".join(letters)


def _with_inferred_times(event: Event, times: Mapping[str, Published | None]) -> Event:
    """Return the event with its articles' own times, which also say what a date was inferred from."""
    first, last = time_range(map(times.get, event.articles))
    if first and replace(first, inferred_from=None) == event.first_seen:
        event = replace(event, first_seen=first)
    if last and replace(last, inferred_from=None) == event.last_seen:
        event = replace(event, last_seen=last)
    return event
