"""Lines of a brief: sentences of articles, whole, with the words marked that the line is about.

Most events are named by a few words of a sentence, and such a piece may lack its subject, a *not*, or who says so. In
the sentence an aim reads as an aim and an allegation as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whywire.elements import ClaimEvidence, Event, Evidence, HeadlineEvidence, ImpliedEvidence, Link, Mention
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page_data import Piece, pieces_of, sentence_of, sentence_pieces
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import Sense, signal_of

LONGEST = 500
"""The most characters of a sentence in a brief: longer ones are lists and tables."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a brief.

    Args:
        event: the event that the line is about.
        sentences: split into pieces with the roles of their words (:data:`whywire.graph.page_data.Piece`).
        link: what the line tells; ``None`` of an event that is planned.
        aim: the cause is what somebody wants to achieve.
    """

    event: Event
    sentences: tuple[list[Piece], ...]
    link: Link | None = None
    aim: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences, without roles."""
        return tuple("".join(text for text, _ in pieces) for pieces in self.sentences)


def lines_of_link(link: Link, about: Event, graph: CausalGraph) -> Iterator[Line]:
    """The lines that tell a link, best first: one for each piece of evidence that can be told.

    A claim is told by its sentence. Two mentions are told by the sentence that they share; if they are in two, by
    that of the event that the line is about, for the reader knows the other. So are two headlines.

    Args:
        about: one of the two ends.
    """
    for piece in link.evidence:
        sentences = list(_sentences(piece, about.id == link.source, graph))
        line = Line(about, tuple(sentences), link, _is_aim(piece, graph))
        if all(len(text) <= LONGEST for text in line.texts):
            yield line


def line_of_denial(link: Link, graph: CausalGraph) -> Line:
    """The line that tells who denies a link: a sentence, or the headline that closed it or refutes an end of it."""
    source = graph.event(link.source)
    if link.denied_by:
        return Line(source, (sentence_pieces(graph.claim(link.denied_by[0].claim)),), link)
    denier = graph.event(link.closed_by or link.target)
    return Line(source, ([[source.title, ""]], [[denier.title, ""]]), link)


def line_of_event(event: Event, graph: CausalGraph) -> Line:
    """The line that tells an event: its headline, or the sentence that it has its title from."""
    if not event.mentions:
        return Line(event, ([[event.title, ""]],))
    return Line(event, (_around([(event.mentions[event.named_by], "mention")], graph),))


def _sentences(piece: Evidence, of_source: bool, graph: CausalGraph) -> Iterator[list[Piece]]:
    match piece:
        case ClaimEvidence():
            yield sentence_pieces(graph.claim(piece.claim))
        case HeadlineEvidence():
            yield [[graph.articles[piece.source_article if of_source else piece.target_article].title, ""]]
        case ImpliedEvidence():
            cause, effect = (piece.cause, "cause"), (piece.effect, "effect")
            places = [(mention.field, sentence_of(mention, graph)) for mention, _ in (cause, effect)]
            if places[0] == places[1]:
                yield _around([cause, effect], graph)
            else:
                yield _around([cause if of_source else effect], graph)


def _around(mentions: Iterable[tuple[Mention, str]], graph: CausalGraph) -> list[Piece]:
    """The sentence of mentions, with their roles."""
    marked = [*mentions]
    first = marked[0][0]
    start, end = sentence_of(first, graph)
    text = getattr(graph.articles[first.article], first.field)[start:end]
    return pieces_of(text, [(role, (one.span[0] - start, one.span[1] - start)) for one, role in marked])


def _is_aim(piece: Evidence, graph: CausalGraph) -> bool:
    if not isinstance(piece, ClaimEvidence):
        return False
    claim = graph.claim(piece.claim)
    if claim.cause is None or claim.effect is None:
        return False
    origin = claim.sentence[0]
    cause, effect, *signals = (
        (start - origin, end - origin) for start, end in (claim.cause, claim.effect, *claim.signals)
    )
    return signal_of(claim.quote, CausalRelation(cause, effect, tuple(signals))).sense is Sense.PURPOSE
