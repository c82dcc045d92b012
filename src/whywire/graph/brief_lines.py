"""Lines of a brief: sentences of articles, whole, with the words marked that the line is about.

Most events are named by a few words of a sentence, and such a piece may lack its subject, a *not*, or who says so. In
the sentence an aim reads as an aim and an allegation as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whywire.elements import Claim, ClaimEvidence, Event, Evidence, HeadlineEvidence, ImpliedEvidence, Link, Mention
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page_data import pieces_of, sentence_of, sentence_pieces
from whywire.graph.passages import Passage
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import Sense, signal_of

LONGEST = 500
"""The most characters of a sentence in a brief: longer ones are lists and tables."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a brief.

    Args:
        event: the event that the line is about.
        sentences: whole, with the roles of their words.
        link: what the line tells; ``None`` of an event that is planned.
        aim: the cause is what somebody wants to achieve.
    """

    event: Event
    sentences: tuple[Passage, ...]
    link: Link | None = None
    aim: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences, without roles."""
        return tuple(passage.text for passage in self.sentences)


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
        return Line(source, (_of_claim(graph.claim(link.denied_by[0].claim)),), link)
    denier = graph.event(link.closed_by or link.target)
    return Line(source, (_of_title(source, graph), _of_title(denier, graph)), link)


def line_of_event(event: Event, graph: CausalGraph) -> Line:
    """The line that tells an event: its headline, or the sentence that it has its title from."""
    return next(lines_of_event(event, graph))


def lines_of_event(event: Event, graph: CausalGraph) -> Iterator[Line]:
    """The lines that tell an event: the one with its title, then the other sentences that mention it."""
    if not event.mentions:
        yield Line(event, (_headline(event.articles[0], graph),))
    for mention in sorted(event.mentions, key=lambda mention: mention != event.mentions[event.named_by]):
        yield Line(event, (_around([(mention, "mention")], graph),))


def _sentences(piece: Evidence, of_source: bool, graph: CausalGraph) -> Iterator[Passage]:
    match piece:
        case ClaimEvidence():
            yield _of_claim(graph.claim(piece.claim))
        case HeadlineEvidence():
            yield _headline(piece.source_article if of_source else piece.target_article, graph)
        case ImpliedEvidence():
            cause, effect = (piece.cause, "cause"), (piece.effect, "effect")
            places = [(mention.field, sentence_of(mention, graph)) for mention, _ in (cause, effect)]
            if places[0] == places[1]:
                yield _around([cause, effect], graph)
            else:
                yield _around([cause if of_source else effect], graph)


def _of_claim(claim: Claim) -> Passage:
    return Passage(claim.article, claim.field, claim.sentence, sentence_pieces(claim))


def _headline(article: str, graph: CausalGraph) -> Passage:
    title = graph.articles[article].title
    return Passage(article, "title", (0, len(title)), [[title, ""]])


def _of_title(event: Event, graph: CausalGraph) -> Passage:
    """The words that an event has its title from."""
    if not event.mentions:
        return _headline(event.articles[0], graph)
    mention = event.mentions[event.named_by]
    return Passage(mention.article, mention.field, mention.span, [[event.title, ""]])


def _around(mentions: Iterable[tuple[Mention, str]], graph: CausalGraph) -> Passage:
    """The sentence of mentions, with their roles."""
    marked = [*mentions]
    first = marked[0][0]
    start, end = sentence_of(first, graph)
    text = getattr(graph.articles[first.article], first.field)[start:end]
    pieces = pieces_of(text, [(role, (one.span[0] - start, one.span[1] - start)) for one, role in marked])
    return Passage(first.article, first.field, (start, end), pieces)


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
