"""The facets of a story: its outlets, and the places and organisations that its reports name in title or lead.

What a single lead names in passing is no facet: a place or an organisation counts if a headline names it, or two
reports do. An organisation that is only recognised by its name must be named by a quarter of the reports as well. A
place that lies in another counts for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from whywire.graph.codec import Row
from whywire.graph.exports.illegal_characters import plain_text
from whywire.news.gazetteer import place_named
from whywire.news.organisations import listed_organisations, organisation_named, recognised_organisations, whole_names
from whywire.news.places import places_in
from whywire.pairs.reports import Report
from whywire.store.records import FacetKind
from whywire.store.schema import MAX_KEY_CHARS

SEVERAL = 2
"""Reports that must name a place or an organisation that no headline names."""

RECOGNISED_SHARE = 0.25
"""The least share of reports that name a recognised organisation."""

MAX_FACETS = 40
"""The most places, and the most organisations, of a story: those that most reports name."""


def facet_value(kind: FacetKind, name: str) -> str:
    """The value by which a facet is found: its name in lower case, the first one if it has several."""
    if kind is FacetKind.PLACE and (place := place_named(name)):
        name = place[-1]
    elif kind is FacetKind.ORGANISATION:
        name = organisation_named(name) or name
    return plain_text(name).lower()[:MAX_KEY_CHARS]


def facet_rows(story: str, outlets: Iterable[str | None], reports: Sequence[Report]) -> Iterator[Row]:
    """Yield the rows of ``story_facets`` of a story.

    Args:
        outlets: of each of its articles; ``None`` if unknown.
        reports: each of its articles.
    """
    named = {
        FacetKind.OUTLET: Counter(filter(None, outlets)),
        FacetKind.PLACE: _places(reports),
        FacetKind.ORGANISATION: _organisations(reports),
    }
    for kind, counts in named.items():
        rows: dict[str, Row] = {}
        for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
            value = facet_value(kind, name)
            row = rows.setdefault(
                value, {"kind": kind.value, "value": value, "story": story, "name": name, "reports": 0}
            )
            row["reports"] += count
        yield from rows.values() if kind is FacetKind.OUTLET else [*rows.values()][:MAX_FACETS]


def _places(reports: Iterable[Report]) -> Counter[str]:
    counts: Counter[str] = Counter()
    in_headlines: set[str] = set()
    for report in reports:
        titled, told = (
            {name for place in places_in(text).listed for name in place} for text in (report.title, report.lead)
        )
        in_headlines |= titled
        counts.update(titled | told)
    return Counter({name: count for name, count in counts.items() if count >= SEVERAL or name in in_headlines})


def _organisations(reports: Sequence[Report]) -> Counter[str]:
    listed: Counter[str] = Counter()
    recognised: Counter[str] = Counter()
    in_headlines: set[str] = set()
    for report in reports:
        titled = listed_organisations(report.title)
        in_headlines |= titled
        listed.update(titled | listed_organisations(report.lead))
        recognised.update(recognised_organisations(report.title) | recognised_organisations(report.lead))
    least = max(SEVERAL, RECOGNISED_SHARE * len(reports))
    believed = whole_names(name for name, count in recognised.items() if count >= least)
    return Counter(
        {name: count for name, count in listed.items() if count >= SEVERAL or name in in_headlines}
        | {name: recognised[name] for name in believed}
    )
