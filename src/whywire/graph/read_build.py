"""The graph back from the files that ``whywire build`` wrote.

What is written again from it (``whywire.graph.to_rows``) is what was read, byte for byte. Only the articles' texts do
not come back whole, since a build does not keep them: of a text there is what claims quote and what mentions events,
at its place, and blanks between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Contradiction,
    Event,
    EventTime,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    JudgedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
    Precision,
    time_range,
)
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.news.article import Article, Published, Span
from whywire.news.json_rows import read_json_lines
from whywire.news.language import Language
from whywire.news.problems import Problem
from whywire.news.rows import MAX_TEXT_CHARS, read_published
from whywire.news.text_files import decode, open_bytes, place_of
from whywire.news.times import parse_time
from whywire.output import current_path

EVENTS_FILE, LINKS_FILE, CLAIMS_FILE, ARTICLES_FILE = "events.jsonl", "links.jsonl", "claims.jsonl", "articles.jsonl"
"""The files of a build that hold the graph."""

Row = dict[str, Any]
T = TypeVar("T")


def is_build_folder(path: str | Path) -> bool:
    """Whether this is a folder that ``whywire build`` wrote."""
    return all(current_path(Path(path), name).is_file() for name in (EVENTS_FILE, CLAIMS_FILE))


def read_graph(folder: str | Path) -> CausalGraph:
    """Read the graph of a build.

    Args:
        folder: what ``whywire build --out`` was given. Articles may have their ``text`` added; then it is kept, and
            claims must quote it rightly.

    Raises:
        InputError: a file is missing, a row is not what ``whywire build`` writes, or it names something that no other
            row has; with the file and the line.
    """
    folder = Path(folder)
    if not is_build_folder(folder):
        raise InputError("not a folder that `whywire build` wrote", where=place_of(folder))
    articles = _read(current_path(folder, ARTICLES_FILE), _article)
    times = {article.id: article.published for _, article in articles}
    events = _read(current_path(folder, EVENTS_FILE), _event)
    claims = _read(current_path(folder, CLAIMS_FILE), _claim)
    links = _read(current_path(folder, LINKS_FILE), _link)
    places = {f"{link.source} -> {link.target}": place for place, link in links}
    places |= {event.id: place for place, (event, _) in events}
    places |= {found.id: place for rows in (articles, claims) for place, found in rows}
    try:
        return CausalGraph(
            _with_quotes(
                (article for _, article in articles),
                (claim for _, claim in claims),
                (words for _, (_, mentioned) in events for words in mentioned),
            ),
            tuple(_as_seen(event, times) for _, (event, _) in events),
            tuple(link for _, link in links),
            tuple(claim for _, claim in claims),
        )
    except InputError as error:
        named = error.where or ""
        raise _unlike_a_build(places.get(named, place_of(folder)), f"{named}: {error.message}") from error


def _as_seen(event: Event, times: Mapping[str, Published | None]) -> Event:
    """The event with its reports' times, which know what they were inferred from, where its row has the same."""
    first, last = time_range(map(times.get, event.articles))
    if first and replace(first, inferred_from=None) == event.first_seen:
        event = replace(event, first_seen=first)
    if last and replace(last, inferred_from=None) == event.last_seen:
        event = replace(event, last_seen=last)
    return event


def _with_quotes(
    articles: Iterable[Article], claims: Iterable[Claim], mentioned: Iterable[tuple[Mention, str]]
) -> dict[str, Article]:
    """The articles by id; one without a text gets as much of it as claims quote and mentions say."""
    quoted: defaultdict[str, list[tuple[Span, str]]] = defaultdict(list)
    for mention, words in mentioned:
        if mention.field == "text":
            quoted[mention.article].append((mention.span, words))
    for claim in claims:
        if claim.field == "text":
            quoted[claim.article].append((claim.sentence, claim.quote))
    by_id: dict[str, Article] = {}
    for article in articles:
        if article.id in by_id:
            raise InputError("two articles have this id", where=article.id)
        by_id[article.id] = article if article.text else replace(article, text=_quoted_text(quoted[article.id]))
    return by_id


def _quoted_text(quotes: list[tuple[Span, str]]) -> str:
    letters = [" "] * max((span[1] for span, _ in quotes), default=0)
    for span, words in quotes:
        letters[slice(*span)] = words
    return "".join(letters)


def _read(path: Path, make: Callable[[Row], T]) -> list[tuple[str, T]]:
    """What the rows of a file say, each with its place."""
    found = []
    with open_bytes(path) as stream, decode(stream) as text:
        for row in read_json_lines(text, place_of(path)):
            if isinstance(row, Problem):
                raise _unlike_a_build(row.place, row.reason)
            try:
                found.append((row.place, make(_object(row.value))))
            except ValueError as error:
                raise _unlike_a_build(row.place, str(error)) from error
            except InputError as error:
                raise _unlike_a_build(row.place, error.message) from error
    return found


def _unlike_a_build(place: str, reason: str) -> InputError:
    return InputError(
        f"not a row that `whywire build` writes: {reason}", where=place, hint="build the folder again from the news"
    )


def _article(row: Row) -> Article:
    return Article(
        id=_get(row, "id", str),
        title=_get(row, "title", str),
        text=_get(row, "text", str) if "text" in row else "",
        language=Language(_get(row, "language", str)),
        url=_get(row, "url", str) if "url" in row else None,
        source=_get(row, "source", str) if "source" in row else None,
        published=_published(row) if "published" in row else None,
        links=_texts(row, "links") if "links" in row else (),
        also=_texts(row, "also") if "also" in row else (),
    )


def _event(row: Row) -> tuple[Event, list[tuple[Mention, str]]]:
    """An event, and the words of its mentions as far as the row has them."""
    rows = [_object(one) for one in _get(row, "mentions", list)] if "mentions" in row else []
    mentions = tuple(map(_mention, rows))
    event = Event(
        id=_get(row, "id", str),
        title=_get(row, "title", str),
        language=Language(_get(row, "language", str)),
        first_seen=_time(row, "first_seen"),
        last_seen=_time(row, "last_seen"),
        articles=_texts(row, "articles"),
        story=None if row.get("story") is None else _get(row, "story", str),
        mentions=mentions,
        named_by=_place(row, "named_by"),
        planned=row.get("planned") is True,
        when=None if row.get("when") is None else _when(row["when"], _texts(row, "articles")),
    )
    return event, [(one, _words(own)) for one, own in zip(mentions, rows, strict=True) if "words" in own]


def _when(value: object, articles: Sequence[str]) -> EventTime:
    row = _object(value)
    when = EventTime(
        start=date.fromisoformat(_get(row, "start", str)),
        end=date.fromisoformat(_get(row, "end", str)),
        precision=Precision(_get(row, "precision", str)),
        article=_get(row, "article", str),
        field=_get(row, "field", str),
        span=_span(row, "span"),
        words=_get(row, "words", str),
    )
    if when.start >= when.end or when.article not in articles:
        raise ValueError(f"'when' is no time that an article of the event names: {value!r}")
    return when


def _mention(row: Row) -> Mention:
    return Mention(
        _get(row, "article", str), _get(row, "field", str), _span(row, "span"), MentionKind(_get(row, "kind", str))
    )


def _words(row: Row) -> str:
    words, (start, end) = _get(row, "words", str), _span(row, "span")
    if len(words) != end - start:
        raise ValueError(f"'words' has {len(words)} characters, 'span' {end - start}")
    return words


def _place(row: Row, name: str) -> int:
    value = row.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name!r} is no place in a list: {value!r}")
    return value


def _claim(row: Row) -> Claim:
    kind = ClaimKind(_get(row, "kind", str))
    imagined = kind is ClaimKind.COUNTERFACTUAL
    claim = Claim(
        id=_get(row, "id", str),
        kind=kind,
        article=_get(row, "article", str),
        event=_get(row, "event", str),
        field=_get(row, "field", str),
        sentence=_span(row, "sentence"),
        quote=_get(row, "quote", str),
        probability=_number(row, "probability", 1),
        cause=None if imagined else _span_or_none(row, "cause"),
        effect=None if imagined else _span_or_none(row, "effect"),
        signals=() if imagined else tuple(_as_span(span, "signals") for span in _get(row, "signals", list)),
        antecedent=_span_or_none(row, "antecedent") if imagined else None,
        consequent=_span_or_none(row, "consequent") if imagined else None,
        derived=_get(row, "derived", str) if "derived" in row else None,
    )
    start, end = claim.sentence
    if end - start != len(claim.quote):
        raise ValueError(f"the quote has {len(claim.quote)} characters, 'sentence' {end - start}")
    for span in filter(None, (claim.cause, claim.effect, *claim.signals, claim.antecedent, claim.consequent)):
        if not start <= span[0] <= span[1] <= end:
            raise ValueError(f"the span {list(span)} reaches out of the sentence {list(claim.sentence)}")
    return claim


def _link(row: Row) -> Link:
    return Link(
        source=_get(row, "source", str),
        target=_get(row, "target", str),
        kind=LinkKind(_get(row, "kind", str)),
        probability=_number(row, "probability", 1),
        strength=_number(row, "strength", 100),
        order=Order(_get(row, "order", str)),
        evidence=tuple(map(_evidence, _get(row, "evidence", list))),
        closed_by=None if row.get("closed_by") is None else _get(row, "closed_by", str),
        denied_by=tuple(map(_claim_evidence, _get(row, "denied_by", list) if "denied_by" in row else ())),
        judged=None if row.get("judged") is None else _number(row, "judged", 100),
    )


def _evidence(value: object) -> Evidence:
    row = _object(value)
    match kind := _get(row, "kind", str):
        case EvidenceKind.SAID:
            return _claim_evidence(row)
        case EvidenceKind.SHOWN:
            ends = _get(row, "source_article", str), _get(row, "target_article", str)
            contradicts = Contradiction(_get(row, "contradicts", str)) if "contradicts" in row else None
            return HeadlineEvidence(*ends, _number(row, "probability", 1), contradicts)
        case EvidenceKind.JUDGED:
            mentions = _mention(_object(row.get("cause"))), _mention(_object(row.get("effect")))
            return JudgedEvidence(*mentions, _number(row, "probability", 1))
    raise ValueError(f"evidence of the unknown kind {kind!r}")


def _claim_evidence(value: object) -> ClaimEvidence:
    row = _object(value)
    return ClaimEvidence(_get(row, "claim", str), _number(row, "probability", 1))


def _object(value: object) -> Row:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _get(row: Row, name: str, kind: type[T]) -> T:
    if name not in row:
        raise ValueError(f"there is no {name!r}")
    value = row[name]
    if not isinstance(value, kind):
        raise ValueError(f"{name!r} is not a {'string' if kind is str else 'list'}")
    return value


def _texts(row: Row, name: str) -> tuple[str, ...]:
    found = _get(row, name, list)
    if not all(isinstance(one, str) for one in found):
        raise ValueError(f"{name!r} is not a list of strings")
    return tuple(found)


def _number(row: Row, name: str, highest: int) -> float:
    value = row.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= highest:
        raise ValueError(f"{name!r} is no number from 0 to {highest}")
    return float(value)


def _time(row: Row, name: str) -> Published | None:
    """The time in a field; unlike news from elsewhere, a build writes a day as a day and midnight as a time."""
    found = parse_time(row.get(name))
    return found and replace(found, day_only="T" not in str(row[name]))


def _published(row: Row) -> Published | None:
    found, said = _time(row, "published"), read_published(row)
    return replace(found, inferred_from=said.inferred_from) if found and said else None


def _span(row: Row, name: str) -> Span:
    return _as_span(row.get(name), name)


def _span_or_none(row: Row, name: str) -> Span | None:
    return None if row.get(name) is None else _span(row, name)


def _as_span(value: object, name: str) -> Span:
    match value:
        case [int(start), int(end)] if 0 <= start <= end <= MAX_TEXT_CHARS:
            return start, end
    raise ValueError(f"{name!r} is no range of characters within an article: {value!r}")
