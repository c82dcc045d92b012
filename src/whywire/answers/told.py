"""What the news claims of causes, each claim with the article that makes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.elements import Claim, ClaimKind
from whywire.news import Article, Language, Problem, parse_time, read_news
from whywire.news.article import Span
from whywire.news.json_rows import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of

CLAIMS, EVENTS, ARTICLES = "claims.jsonl", "events.jsonl", "articles.jsonl"
"""Files of a folder written by ``whywire build``."""


@dataclass(frozen=True, slots=True)
class Told:
    """A claim that something led to something, or that it did not, and where it stands.

    Args:
        claim: causal or a denial, in the article's own words; has a cause and an effect.
        article: its text may be missing.
    """

    claim: Claim
    article: Article

    @property
    def cause(self) -> str:
        """The words of the cause."""
        return self._words(self.claim.cause)

    @property
    def effect(self) -> str:
        """The words of the effect."""
        return self._words(self.claim.effect)

    @property
    def denied(self) -> bool:
        """Whether it is claimed that the one did not lead to the other."""
        return self.claim.kind is ClaimKind.DENIAL

    def _words(self, span: Span | None) -> str:
        if span is None:
            raise ValueError(f"the claim {self.claim.id!r} has no cause or no effect")
        return self.claim.words(span)


def told_of_graph(graph: CausalGraph) -> list[Told]:
    """The graph's claims that answer or deny; what follows from a counterfactual is in no words of the news."""
    return [Told(claim, graph.articles[claim.article]) for claim in graph.claims if _usable(claim)]


def is_build(path: str | Path) -> bool:
    """Whether this is a folder that ``whywire build`` wrote."""
    return all((Path(path) / name).is_file() for name in (CLAIMS, EVENTS))


def told_of_build(folder: Path) -> list[Told]:
    """The same from the files of a build.

    Where the folder has no ``articles.jsonl`` an article goes by the title and the first time of its event.

    Raises:
        InputError: a row is not what ``whywire build`` writes.
    """
    articles: dict[str, Article] = {}
    for place, row in build_rows(folder / EVENTS):
        try:
            language, seen = Language(row["language"]), parse_time(row["first_seen"])
            for article in row["articles"]:
                articles[article] = Article(article, row["title"], language=language, published=seen)
        except (KeyError, ValueError, TypeError) as error:
            raise unlike_a_build(place, error) from error
    if (folder / ARTICLES).is_file():
        articles |= {found.id: found for found in read_news(folder / ARTICLES) if isinstance(found, Article)}
    told = []
    for place, row in build_rows(folder / CLAIMS):
        try:
            claim = _claim(row)
            if _usable(claim):
                told.append(Told(claim, articles[claim.article]))
        except (KeyError, ValueError, TypeError) as error:
            raise unlike_a_build(place, error) from error
    return told


def _usable(claim: Claim) -> bool:
    return claim.kind is not ClaimKind.COUNTERFACTUAL and not claim.derived


def build_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file that a build wrote, each with its place.

    Raises:
        InputError: a line is no such row.
    """
    with open_bytes(path) as stream, decode(stream) as text:
        for found in read_json_lines(text, place_of(path)):
            if isinstance(found, Problem):
                raise unlike_a_build(found.place, found.reason)
            if not isinstance(found.value, dict):
                raise unlike_a_build(found.place, "not an object")
            yield found.place, found.value


def unlike_a_build(place: str, reason: object) -> InputError:
    """What to say of a row that no build writes."""
    return InputError(
        f"not a row that `whywire build` writes: {reason}", where=place, hint="build the folder again from the news"
    )


def _claim(row: dict[str, Any]) -> Claim:
    def span(name: str) -> Span | None:
        return None if row.get(name) is None else _span(row[name])

    return Claim(
        id=row["id"],
        kind=ClaimKind(row["kind"]),
        article=row["article"],
        event=row["event"],
        field=row["field"],
        sentence=_span(row["sentence"]),
        quote=row["quote"],
        probability=float(row["probability"]),
        cause=span("cause"),
        effect=span("effect"),
        signals=tuple(map(_span, row.get("signals", ()))),
        antecedent=span("antecedent"),
        consequent=span("consequent"),
        derived=row.get("derived"),
    )


def _span(value: list[int]) -> Span:
    start, end = value
    return int(start), int(end)
