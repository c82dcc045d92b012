"""Text with the cause, the effect and the signals of a relation marked by tags in it (RECESS, Tan et al. 2023).

``<ARG0>`` marks the cause, ``<ARG1>`` the effect, ``<SIG0>``, ``<SIG1>``... the signal's parts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whywire.errors import InputError
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation

TAG = re.compile(r"<(/?)(ARG[01]|SIG\d*)>")


@dataclass(frozen=True, slots=True)
class TaggedRelation:
    """A relation as a submission may mark it: a part may be missing, or stand there in several pieces."""

    causes: tuple[Span, ...] = ()
    effects: tuple[Span, ...] = ()
    signals: tuple[Span, ...] = ()

    @classmethod
    def of(cls, relation: CausalRelation) -> TaggedRelation:
        """A relation as we know it."""
        return cls((relation.cause,), (relation.effect,), relation.signals)


def parse_tags(marked: str) -> tuple[str, TaggedRelation]:
    """Turn markup into the plain text and spans into it; each kind in order.

    Raises:
        InputError: a tag is closed that was never opened, or the other way round.
    """
    text, opened, position = "", {}, 0
    spans: dict[str, list[Span]] = {"ARG0": [], "ARG1": [], "SIG": []}
    for match in TAG.finditer(marked):
        text += marked[position : match.start()]
        position = match.end()
        closing, label = match.groups()
        if not closing:
            opened[label] = len(text)
        elif label in opened:
            spans["SIG" if label.startswith("SIG") else label].append((opened.pop(label), len(text)))
        else:
            raise InputError(f"</{label}> closes what was never opened", where=marked[:60])
    text += marked[position:]
    if opened:
        raise InputError(f"<{next(iter(opened))}> is never closed", where=marked[:60])
    return text, TaggedRelation(*(tuple(sorted(found)) for found in spans.values()))


def insert_tags(text: str, relation: TaggedRelation) -> str:
    """The text with its spans marked, as :func:`parse_tags` reads them; where two start, the longer opens first.

    Args:
        relation: spans of one kind do not overlap, and none is empty.
    """
    labels = [("ARG0", span) for span in relation.causes] + [("ARG1", span) for span in relation.effects]
    labels += [(f"SIG{number}", span) for number, span in enumerate(relation.signals)]
    tags = [(start, 1, -end, f"<{label}>") for label, (start, end) in labels]
    tags += [(end, 0, -start, f"</{label}>") for label, (start, end) in labels]
    marked, position = "", 0
    for place, _, _, tag in sorted(tags):
        marked += text[position:place] + tag
        position = place
    return marked + text[position:]


def parse_relation(marked: str) -> tuple[str, CausalRelation]:
    """Turn the markup of one whole relation into the plain text and spans into it.

    Raises:
        InputError: a tag is not closed, or the cause or the effect is missing.
    """
    text, found = parse_tags(marked)
    if len(found.causes) != 1 or len(found.effects) != 1:
        raise InputError("a relation needs one closed <ARG0> and one closed <ARG1>", where=marked[:60])
    return text, CausalRelation(found.causes[0], found.effects[0], found.signals)
