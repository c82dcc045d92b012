"""``whywire pairs``: candidate pairs of articles, the filters that keep each, and figures of their distances."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from whywire.cli.options import DEFAULT_MAX_LINE, MAX_LINE, STRICT, characters
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError
from whywire.events.candidates import candidate_pairs
from whywire.events.headline_events import MAX_NEIGHBOURS
from whywire.language_models import LanguageModels
from whywire.links.candidates import MIN_SIMILARITY
from whywire.news import Article, Language, Problem, read_news, read_row, without_duplicates
from whywire.news.article_rows import published_from
from whywire.news.language import language_by_letters
from whywire.news.times import render_time
from whywire.output import OutputFolder, json_text
from whywire.pairs.relations import Relation
from whywire.pairs.reports import TextPair
from whywire_lab.candidates.distance_figures import bin_distances, draw_pairs, draw_shares
from whywire_lab.candidates.filters import Filter, FilteredPairs, Pairs, all_pairs, filter_pairs, hyperlinks

DIGITS = 4
"""Decimals of a distance."""

CAUSAL: Mapping[str, frozenset[object]] = {
    "names": frozenset((Relation.LEFT_RIGHT_CAUSE, Relation.RIGHT_LEFT_CAUSE)),
    "simple": frozenset((1, 2)),
    "full": frozenset((3, 4)),
}
"""The labels of a causal pair: by name, and by the numbers of HeadlineCause's two tasks."""

KNOWN: Mapping[str, frozenset[object]] = {
    "names": frozenset(Relation),
    "simple": frozenset(range(3)),
    "full": frozenset(range(7)),
}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("pairs", epilog="Example: **whywire pairs news.jsonl --filters near,same_site | whywire relate -**")(
        pairs
    )


def pairs(
    file: Annotated[str, typer.Argument(help="Articles as `build` reads them, or pairs of headlines; or `-`.")],
    filters: Annotated[
        str, typer.Option(help=f"Keep the pairs that all of these keep, with commas: {', '.join(Filter)}.")
    ] = "",
    distance: Annotated[
        float | None,
        typer.Option(
            min=0, max=2, help="Cosine distance up to which headlines are *near*; as in a build without it."
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option("--all", help="Look at every pair inside four days, and not at the nearest neighbours only."),
    ] = False,
    figure: Annotated[
        Path | None,
        typer.Option(help="Draw the pairs by distance into this folder, .svg and .png; needs the extra **plots**."),
    ] = None,
    labels: Annotated[
        str, typer.Option(help=f"What the *label* of a pair is, numbers being HeadlineCause's: {', '.join(CAUSAL)}.")
    ] = "names",
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="LABELLED",
            help="Labelled pairs, from which *prior* is learnt: how causal a pair looks by either headline alone.",
        ),
    ] = None,
    balanced: Annotated[
        bool,
        typer.Option(
            "--balanced",
            help="Of labelled pairs, keep each causal one with a negative whose headlines look as causal.",
        ),
    ] = False,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """List the pairs of articles that may be related, and count what each filter keeps.

    Reads articles, and writes their candidate pairs: *left* and *right* (ids), *left_title*, *right_title*,
    *distance*, and of each filter whether it keeps the pair: *hyperlink* (one article links to the other; such pairs
    are always candidates), *same_site*, *near*, and *different_places* (both headlines name places, and none is
    shared). Or reads pairs: **left_title**, **right_title** and, where known, *left_url, right_url, has_link, label*;
    and adds the same. Counts of all filters, alone and combined, come on standard error.

    **--prior** adds *prior*, 0 to 1: pairs with a high one that are not causal are hard negatives, and `whywire
    annotate next` asks for them. **--balanced** draws such negatives from pairs that are labelled; how much one
    headline alone tells of the label, before and after, comes on standard error (area under the ROC curve; 0.5 is
    nothing).

    The figures are the number of pairs by distance and, where pairs are labelled, the share of causal ones.
    """
    if prior and balanced:
        raise InputError("--balanced learns a prior of its own", hint="give it without --prior")
    chosen = _filters(filters)
    if labels not in CAUSAL:
        raise InputError(f"there are no labels of the kind {labels!r}", hint=f"known are {', '.join(CAUSAL)}")
    longest = characters(max_line)
    articles, given, problems = _read(file, labels, strict=strict, longest=longest)
    if balanced and not any(pair.causal is not None for pair in given):
        raise InputError("no pair has a label", where=file, hint="--balanced draws from labelled pairs")
    labelled = _read(prior, labels, strict=strict, longest=longest)[1] if prior else []
    if prior and not any(pair.causal is not None for pair in labelled):
        raise InputError("no pair has a label", where=prior, hint="--prior learns from labelled pairs")
    models = LanguageModels()
    with BarProgress() as progress:
        filtered = [
            look
            for language in (Language.ENGLISH, Language.RUSSIAN)
            for look in (
                _filter_articles(articles, language, models, progress, every=every, distance=distance),
                _filter_given(given, language, models, progress, distance=distance),
            )
            if look
        ]
    if prior:
        filtered = [_with_prior(look, labelled) for look in filtered]
    if balanced:
        filtered = [_balanced(look, chosen) for look in filtered]
    if figure:
        _draw(filtered, chosen, figure)
    rows = {place: row for look in filtered for place, row in look.rows(chosen)}
    if given:
        rows |= {
            place: {**_fields(problem), "error": str(problem)} for place, problem in problems if not problem.kept
        }
    for place in sorted(rows):
        sys.stdout.write(json_text(rows[place]) + "\n")
    _report(filtered, articles, [problem for _, problem in problems])


@dataclass(frozen=True, slots=True)
class _GivenPair:
    """A pair that was read: its number in the file, its row, and both sides as articles."""

    number: int
    row: dict[str, Any]
    sides: tuple[Article, Article]
    causal: bool | None

    @property
    def language(self) -> Language:
        text = " ".join(side.title for side in self.sides)
        return language_by_letters(text)


@dataclass(frozen=True, slots=True)
class _FilteredLanguage:
    """The pairs of one language, and which of them the filters keep.

    Args:
        given: the rows of the pairs, where they were read and not found.
        causal: which pairs are labelled as causal, and which are labelled at all.
        prior: how causal each pair looks by either headline alone, 0 to 1 (pairs,).
    """

    language: Language
    articles: Sequence[Article]
    found: FilteredPairs
    given: Sequence[_GivenPair] = ()
    causal: NDArray[np.bool_] | None = None
    labelled: NDArray[np.bool_] | None = None
    prior: NDArray[np.float64] | None = None

    def titles(self, numbers: Sequence[int]) -> list[TextPair]:
        """The headlines of some of the pairs."""
        sides = self.found.pairs[numbers].tolist()
        return [(self.articles[left].title, self.articles[right].title) for left, right in sides]

    def rows(self, chosen: Sequence[Filter]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
        """The rows of the pairs that are kept, each with what says its place."""
        for number in np.flatnonzero(self.found.by(chosen)).tolist():
            left, right = (self.articles[side] for side in self.found.pairs[number])
            row = self.given[number].row if self.given else {**_side("left", left), **_side("right", right)}
            place = (self.given[number].number,) if self.given else (self.language, number)
            said = {str(name): bool(kept[number]) for name, kept in self.found.kept.items()}
            prior = {} if self.prior is None else {"prior": round(float(self.prior[number]), DIGITS)}
            yield place, {**row, "distance": round(float(self.found.distances[number]), DIGITS), **said, **prior}


def _side(side: str, article: Article) -> dict[str, Any]:
    published = render_time(article.published) if article.published else None
    known = {
        "": article.id,
        "_title": article.title,
        "_url": article.url,
        "_published": published,
        "_published_from": published_from(article),
    }
    return {f"{side}{name}": value for name, value in known.items() if value}


def _filters(given: str) -> list[Filter]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in list(Filter):
            raise InputError(f"there is no filter {name!r}", hint=f"known are {', '.join(Filter)}")
    return [Filter(name) for name in names]


def _read(
    file: str, labels: str, *, strict: bool, longest: int
) -> tuple[list[Article], list[_GivenPair], list[tuple[tuple[int], Problem]]]:
    """The articles of a file, or its pairs, and what could not be used, each with its number among the rows."""
    articles: list[Article] = []
    given: list[_GivenPair] = []
    problems: list[tuple[tuple[int], Problem]] = []
    for number, found in enumerate(read_news(file, longest_line=longest)):
        if isinstance(found, Article):
            articles.append(found)
            continue
        try:
            if isinstance(found.row, dict) and "left_title" in found.row:
                given.append(_given_pair(number, found.row, labels))
                continue
            problem = found
        except InputError as error:
            problem = replace(found, reason=error.message)
        if strict and not problem.kept:
            raise InputError(problem.reason, where=problem.place, hint="without --strict the other rows are used")
        problems.append(((number,), problem))
    if articles and given:
        raise InputError("holds both articles and pairs", where=file, hint="give them in two files")
    kept, doubles = without_duplicates(articles)
    return kept, given, problems + [((-1,), problem) for problem in doubles]


def _given_pair(number: int, row: dict[str, Any], labels: str) -> _GivenPair:
    sides = []
    for side in ("left", "right"):
        fields = {name: row.get(f"{side}_{name}") for name in ("title", "url", "source")}
        try:
            sides.append(read_row(fields)[0])
        except InputError as error:
            raise InputError(f"{side} side: {error.message}") from error
    label = row.get("label")
    if label is not None and (isinstance(label, bool | list | dict) or label not in KNOWN[labels]):
        raise InputError(f"the label {label!r} is none of --labels {labels}")
    return _GivenPair(number, row, (sides[0], sides[1]), None if label is None else label in CAUSAL[labels])


def _filter_articles(
    articles: Sequence[Article],
    language: Language,
    models: LanguageModels,
    progress: BarProgress,
    *,
    every: bool,
    distance: float | None,
) -> _FilteredLanguage | None:
    """The candidate pairs of the articles of one language."""
    own = [article for article in articles if article.language is language]
    if not own:
        return None
    near_ones = all_pairs(own) if every else None  # it is better to fail before the work than after
    vectors, near = _embedded(own, language, models, progress, distance)
    if near_ones is None:
        times = [article.published for article in own]
        near_ones = _array(candidate_pairs(vectors, times, neighbours=MAX_NEIGHBOURS, floor=-1.0))
    together = np.unique(np.concatenate([near_ones, hyperlinks(own)]), axis=0)
    return _FilteredLanguage(language, own, filter_pairs(own, vectors, together, near=near))


def _filter_given(
    given: Sequence[_GivenPair],
    language: Language,
    models: LanguageModels,
    progress: BarProgress,
    *,
    distance: float | None,
) -> _FilteredLanguage | None:
    """The pairs of one language, as they were given."""
    own = [pair for pair in given if pair.language is language]
    if not own:
        return None
    sides = [side for pair in own for side in pair.sides]
    vectors, near = _embedded(sides, language, models, progress, distance)
    found = filter_pairs(sides, vectors, np.arange(len(sides), dtype=np.int64).reshape(-1, 2), near=near)
    linked = np.array([bool(pair.row.get("has_link") or pair.row.get("hyperlink")) for pair in own])
    found = replace(found, kept={**found.kept, Filter.HYPERLINK: linked})
    labelled = np.array([pair.causal is not None for pair in own])
    return _FilteredLanguage(language, sides, found, own, np.array([pair.causal is True for pair in own]), labelled)


def _with_prior(look: _FilteredLanguage, labelled: Sequence[_GivenPair]) -> _FilteredLanguage:
    """The pairs with a prior from labelled pairs of their language; without one if there are none."""
    from whywire_lab.candidates.one_side_leaks import SidePrior  # scikit-learn loads slowly

    own = [pair for pair in labelled if pair.language is look.language and pair.causal is not None]
    if not own:
        return look
    titles = [(pair.sides[0].title, pair.sides[1].title) for pair in own]
    learnt = SidePrior.fit(titles, [pair.causal is True for pair in own])
    return replace(look, prior=learnt.looks_causal(look.titles(range(len(look.found.pairs)))))


def _balanced(look: _FilteredLanguage, chosen: Sequence[Filter]) -> _FilteredLanguage:
    """The sample without a leak of the labelled pairs that the filters keep; says the leak before and after."""
    from whywire_lab.candidates.one_side_leaks import balanced, held_out, leak  # scikit-learn loads slowly

    assert look.causal is not None  # noqa: S101
    assert look.labelled is not None  # noqa: S101
    numbers = np.flatnonzero(look.found.by(chosen) & look.labelled)
    causal = look.causal[numbers]
    prior = held_out(look.titles(numbers.tolist()), causal.tolist())
    drawn = balanced(prior, causal.tolist())
    kept, left = numbers[drawn], causal[drawn].tolist()
    try:
        after = "{:.2f} left, {:.2f} right".format(*leak(held_out(look.titles(kept.tolist()), left), left))
    except InputError:
        after = "too few pairs to tell"
    before = "{:.2f} left, {:.2f} right".format(*leak(prior, causal.tolist()))
    PlainConsole(stderr=True).print(
        f"{len(kept):,} of {len(numbers):,} labelled pairs ({look.language}) are drawn, half of them causal; "
        f"by one headline alone: {before} before, {after} after"
    )
    found = FilteredPairs(
        look.found.pairs[kept],
        look.found.distances[kept],
        {name: mask[kept] for name, mask in look.found.kept.items()},
    )
    return replace(
        look,
        found=found,
        given=[look.given[number] for number in kept],
        causal=look.causal[kept],
        labelled=look.labelled[kept],
        prior=prior[drawn].min(axis=1),
    )


def _embedded(
    articles: Sequence[Article],
    language: Language,
    models: LanguageModels,
    progress: BarProgress,
    distance: float | None,
) -> tuple[NDArray[np.float32], float]:
    """The headlines' vectors, and the distance up to which two are near."""
    model = models.pairs(language)
    places = {title: place for place, title in enumerate(dict.fromkeys(article.title for article in articles))}
    vectors = model.embed(list(places), progress.start(f"embedding headlines ({language})", len(places)))
    near = 1 - model.cosine_for(MIN_SIMILARITY) if distance is None else distance
    return vectors[[places[article.title] for article in articles]], near


def _array(found: Sequence[tuple[int, int]]) -> Pairs:
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _draw(filtered: Sequence[_FilteredLanguage], chosen: Sequence[Filter], folder: Path) -> None:
    """Write the figures of each language; a distance means something else in the other's model."""
    pictures: dict[str, bytes] = {}
    for look in filtered:
        kept = look.found.by(chosen)
        for kind in ("svg", "png"):
            binned = bin_distances(look.found.distances[kept])
            pictures[f"pairs-{look.language}.{kind}"] = draw_pairs(binned, kind)
            if look.causal is not None and look.labelled is not None and (known := kept & look.labelled).any():
                binned = bin_distances(look.found.distances[known], look.causal[known].tolist())
                pictures[f"causal-{look.language}.{kind}"] = draw_shares(binned, kind)
    with OutputFolder(folder) as output:
        for name, picture in pictures.items():
            output.write(name, picture)


def _report(filtered: Sequence[_FilteredLanguage], articles: Sequence[Article], problems: Sequence[Problem]) -> None:
    """Say on standard error what the filters keep, and what could not be used."""
    console = PlainConsole(stderr=True)
    for look in filtered:
        sides = f"{len(look.articles):,} articles" if not look.given else f"{len(look.given):,} pairs"
        table = Table(f"filters ({look.language}, {sides})", "pairs", "of all", box=None, title_justify="left")
        shown = look.labelled is not None and look.causal is not None and look.labelled.any()
        if shown:
            table.add_column("labelled causal")
        for column in table.columns[1:]:
            column.justify = "right"
        labelled, causal = look.found.counts(look.labelled), look.found.counts(look.causal)
        for filters, count in look.found.counts().items():
            cells = [" + ".join(filters) or "all pairs", f"{count:,}", f"{count / max(1, len(look.found.pairs)):.2%}"]
            if shown:
                cells.append(f"{causal[filters] / labelled[filters]:.1%}" if labelled[filters] else "–")
            table.add_row(*cells)
        console.print(table)
    if others := sum(article.language is Language.OTHER for article in articles):
        console.print(f"{others:,} articles in other languages than English and Russian are in no pair.")
    for problem in problems:
        console.print(str(problem))


def _fields(problem: Problem) -> dict[str, Any]:
    return problem.row if isinstance(problem.row, dict) else {"row": problem.row}
