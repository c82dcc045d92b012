"""Sheets for people without a browser: tables with a column ``answer`` to be filled in, and what comes back as votes.

A sheet has a row for each item; that of a grouping has a row for each headline, whose answer is the name of a group.
Spans and graphs fit no table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from whywire.annotation.answers import Span
from whywire.annotation.campaigns import Vote, vote_of
from whywire.annotation.items import EventPair, HeadlinePair, Item, Kind, Role, Sentence, Timeline
from whywire.errors import InputError
from whywire.news.times import utc_text
from whywire.pairs.relations import RELATIONS

COLUMNS: Mapping[Kind, tuple[str, ...]] = {
    Kind.RELATION: (
        *("item", "left_published", "left_title", "right_published", "right_title"),
        *("answer", "person", "choices"),
    ),
    Kind.GROUPING: ("item", "headline", "published", "source", "title", "answer", "person"),
    Kind.COUNTERFACTUAL: ("item", "text", "answer", "antecedent", "consequent", "person"),
    Kind.STRENGTH: ("item", "cause", "effect", "documents", "answer", "without", "person"),
}
"""The columns of a sheet; ``item``, ``answer`` and ``person`` are in each."""

YES, NO = ("yes", "y", "true", "1", "да"), ("no", "n", "false", "0", "нет")

Cells = Mapping[str, str]
Placed = tuple[str, Cells]
"""The place of a row, such as ``file:line``, and its cells by column."""


def sheet_rows(kind: Kind, items: Iterable[Item]) -> Iterator[dict[str, str]]:
    """The rows of a sheet; training, which is for learning, is left out, and gold answers are not shown.

    Raises:
        InputError: answers of this kind fit no table.
    """
    check_kind(kind)
    for item in items:
        if item.role is not Role.TRAINING:
            for cells in _ASKED[kind](item):
                yield {"item": item.id, **cells}


def sheet_votes(
    kind: Kind, items: Mapping[str, Item], rows: Iterable[Placed], *, person: str | None, at: datetime
) -> list[Vote]:
    """The votes of a sheet that was filled in; rows without an answer are passed over.

    Args:
        items: by id.
        person: who answered, where the sheet does not say.
        at: when.

    Raises:
        InputError: an answer cannot be read, or nobody says whose it is.
    """
    check_kind(kind)
    by_vote: dict[tuple[str, str], list[Placed]] = {}
    for place, cells in rows:
        if kind is not Kind.GROUPING and not _cell(cells, "answer"):
            continue
        name = _cell(cells, "person") or person
        if not name:
            raise InputError("the sheet does not say who answered", where=place, hint="name them with --person")
        by_vote.setdefault((_cell(cells, "item"), name), []).append((place, cells))
    votes = []
    for (item, name), own in by_vote.items():
        if any(_cell(cells, "answer") for _, cells in own):
            if kind is not Kind.GROUPING and len(own) > 1:
                raise InputError(f"{name} answers the item {item!r} twice", where=own[1][0])
            votes.append(_vote(kind, items, item, name, own, at))
    return votes


def check_kind(kind: Kind) -> None:
    """Raise ``InputError`` unless a kind has sheets."""
    if kind not in COLUMNS:
        hint = "write the votes as JSON lines, or use the pages of a service"
        raise InputError(f"answers of the kind {kind.value} fit no table", hint=hint)


def _vote(
    kind: Kind, items: Mapping[str, Item], item: str, person: str, rows: Sequence[Placed], at: datetime
) -> Vote:
    place = rows[0][0]
    known = items.get(item)
    if known is None:
        raise InputError(f"there is no item {item!r}", where=place, hint="is it the sheet of these items?")
    try:
        answer = _READ[kind](known, [cells for _, cells in rows])
        return vote_of(items, {"item": item, "person": person, "answer": answer}, at)
    except InputError as error:
        raise InputError(error.message, where=place, hint=error.hint) from None


def _cell(cells: Cells, column: str) -> str:
    return " ".join(cells.get(column, "").split())


def _time(at: datetime | None) -> str:
    return utc_text(at) if at else ""


def _ask_relation(item: HeadlinePair) -> Iterator[dict[str, str]]:
    choices = [relation.value for relation in RELATIONS if relation not in item.impossible]
    yield {
        "left_published": _time(item.left_published),
        "left_title": item.left_title,
        "right_published": _time(item.right_published),
        "right_title": item.right_title,
        "choices": " | ".join(choices),
    }


def _ask_grouping(item: Timeline) -> Iterator[dict[str, str]]:
    for one in item.headlines:
        yield {"headline": one.id, "published": _time(one.published), "source": one.source, "title": one.title}


def _ask_counterfactual(item: Sentence) -> Iterator[dict[str, str]]:
    yield {"text": item.text}


def _ask_strength(item: EventPair) -> Iterator[dict[str, str]]:
    yield {"cause": item.cause, "effect": item.effect, "documents": "\n\n".join(item.documents)}


_ASKED: Mapping[Kind, Any] = {
    Kind.RELATION: _ask_relation,
    Kind.GROUPING: _ask_grouping,
    Kind.COUNTERFACTUAL: _ask_counterfactual,
    Kind.STRENGTH: _ask_strength,
}


def _read_relation(_: Item, rows: Sequence[Cells]) -> dict[str, Any]:
    """By name, or by the number of HeadlineCause, 0 to 6."""
    said = _cell(rows[0], "answer")
    if said.isdecimal() and int(said) < len(RELATIONS):
        return {"relation": RELATIONS[int(said)].value}
    return {"relation": said.lower().replace(" ", "_").replace("-", "_")}


def _read_grouping(_: Item, rows: Sequence[Cells]) -> dict[str, Any]:
    """A headline without a group is alone."""
    groups: dict[str, list[str]] = {}
    alone = []
    for cells in rows:
        headline, group = _cell(cells, "headline"), _cell(cells, "answer")
        if group:
            groups.setdefault(group.lower(), []).append(headline)
        else:
            alone.append([headline])
    return {"groups": [*groups.values(), *alone]}


def _read_counterfactual(item: Sentence, rows: Sequence[Cells]) -> dict[str, Any]:
    said = _cell(rows[0], "answer").lower()
    if said not in (*YES, *NO):
        raise InputError(f"{said!r} is neither yes nor no")
    parts = {name: _found(item.text, _cell(rows[0], name), name) for name in ("antecedent", "consequent")}
    return {"counterfactual": said in YES, **{name: span for name, span in parts.items() if span}}


def _found(text: str, words: str, name: str) -> Span | None:
    """Where words stand in a text, whatever the white space between them."""
    if not words:
        return None
    line, places = [], []
    for place, letter in enumerate(text):
        if not letter.isspace():
            line.append(letter)
            places.append(place)
        elif line and line[-1] != " ":
            line.append(" ")
            places.append(place)
    start = "".join(line).find(words)
    if start < 0:
        raise InputError(f"the {name} is not in the sentence: {words[:80]}", hint="copy its words as they are")
    return places[start], places[start + len(words) - 1] + 1


def _read_strength(_: Item, rows: Sequence[Cells]) -> dict[str, Any]:
    said, without = _cell(rows[0], "answer"), _cell(rows[0], "without").lower()
    try:
        score = round(float(said.replace(",", ".")))
    except (ValueError, OverflowError):
        raise InputError(f"{said!r} is no score from 0 to 100") from None
    return {"score": score} | ({"without": without} if without else {})


_READ: Mapping[Kind, Any] = {
    Kind.RELATION: _read_relation,
    Kind.GROUPING: _read_grouping,
    Kind.COUNTERFACTUAL: _read_counterfactual,
    Kind.STRENGTH: _read_strength,
}
