"""Graphs that several annotators drew of one article or story, brought to one: what at least half of them drew.

Events of two annotators are one event where they mark the same words; of one annotator's events, at most one is in
it. Those that share most mentions are joined first. A link is there if at least half drew it between such events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from whywire.annotation.answers import GraphAnswer, MarkedEvent, MarkedLink, MarkedMention

MIN_SHARE = 0.5
"""The share of annotators that must have drawn an event or a link."""

Drawn = tuple[int, str]
"""An event: the number of its annotator, and its id in that annotator's graph."""


def same_words(one: MarkedMention, other: MarkedMention) -> bool:
    """Whether two mentions share half of the shorter, and the longer is at most four times as long."""
    if (one.article, one.field) != (other.article, other.field):
        return False
    shorter, longer = sorted((one.span[1] - one.span[0], other.span[1] - other.span[0]))
    shared = min(one.span[1], other.span[1]) - max(one.span[0], other.span[0])
    return 2 * shared >= shorter and longer <= 4 * shorter


def merge_graphs(graphs: Sequence[GraphAnswer], least: float = MIN_SHARE) -> GraphAnswer:
    """The events and links that at least this share of the annotators drew.

    An event has the mentions of the annotator whom the others come nearest to, and the status that most gave it; it
    is a main event if at least this share says so. Of two opposite links the one that more drew stays; of as many,
    none.

    Args:
        graphs: of each annotator.
        least: above 0, up to 1.
    """
    events = {(number, event.id): event for number, graph in enumerate(graphs) for event in graph.events}
    groups = [group for group in _groups(events) if len(group) >= least * len(graphs)]
    groups.sort(key=lambda group: min(_place(events[drawn]) for drawn in group))
    name_of = {drawn: f"e{number}" for number, group in enumerate(groups, 1) for drawn in group}
    return GraphAnswer(
        events=[
            _merged(f"e{number}", [events[drawn] for drawn in sorted(group)], least * len(graphs))
            for number, group in enumerate(groups, 1)
        ],
        links=_links(graphs, name_of, least),
    )


def _groups(events: dict[Drawn, MarkedEvent]) -> list[list[Drawn]]:
    """Events that are one, no two of one annotator; those that share most are joined first."""
    near = [
        (shared, one, other)
        for one, other in combinations(sorted(events), 2)
        if one[0] != other[0] and (shared := _shared(events[one], events[other]))
    ]
    group_of = {drawn: [drawn] for drawn in sorted(events)}
    for _, one, other in sorted(near, key=lambda row: (-row[0], *row[1:])):
        left, right = group_of[one], group_of[other]
        if left is not right and not {number for number, _ in left} & {number for number, _ in right}:
            left += right
            for drawn in right:
                group_of[drawn] = left
    return list({id(group): group for group in group_of.values()}.values())


def _merged(name: str, events: Sequence[MarkedEvent], least: float) -> MarkedEvent:
    central = max(events, key=lambda event: sum(_shared(event, other) for other in events))
    statuses = Counter(event.status for event in events)
    status = max(sorted(statuses), key=statuses.__getitem__)
    return replace(central, id=name, status=status, main=sum(event.main for event in events) >= least)


def _links(graphs: Sequence[GraphAnswer], name_of: dict[Drawn, str], least: float) -> list[MarkedLink]:
    drawn: dict[tuple[str, str], list[MarkedLink]] = {}
    for ends, link in _named(graphs, name_of):
        drawn.setdefault(ends, []).append(link)
    links = []
    for (cause, effect), own in sorted(drawn.items()):
        if len(own) >= least * len(graphs) and len(own) > len(drawn.get((effect, cause), ())):
            how = Counter(link.how for link in own)
            most = max(sorted(how), key=how.__getitem__)
            links.append(MarkedLink(cause, effect, most, sure=2 * sum(link.sure for link in own) >= len(own)))
    return links


def _named(graphs: Sequence[GraphAnswer], name_of: dict[Drawn, str]) -> Iterator[tuple[tuple[str, str], MarkedLink]]:
    """The links between merged events, by the names of these."""
    for number, graph in enumerate(graphs):
        for link in graph.links:
            cause, effect = name_of.get((number, link.cause)), name_of.get((number, link.effect))
            if cause and effect:
                yield (cause, effect), link


def _shared(one: MarkedEvent, other: MarkedEvent) -> float:
    """The share of mentions that two events have in common, 0 to 1."""
    both = sum(any(same_words(a, b) for b in other.mentions) for a in one.mentions)
    both += sum(any(same_words(a, b) for a in one.mentions) for b in other.mentions)
    return both / (len(one.mentions) + len(other.mentions))


def _place(event: MarkedEvent) -> tuple[str, bool, int]:
    """Where its first mention stands: titles come first."""
    return min((mention.article, mention.field == "text", mention.span[0]) for mention in event.mentions)
