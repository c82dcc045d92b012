"""Inline argument tags of the Causal News Corpus (RECESS, Tan et al. 2023).

``<ARG0>`` encloses the cause, ``<ARG1>`` the effect, ``<SIG0>``, ``<SIG1>``... the parts of the signal.
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
    """The tagged spans of one text; a submission may leave out a part or give it in several pieces."""

    causes: tuple[Span, ...] = ()
    effects: tuple[Span, ...] = ()
    signals: tuple[Span, ...] = ()

    @classmethod
    def of(cls, relation: CausalRelation) -> TaggedRelation:
        """Return the tagged spans of a relation."""
        return cls((relation.cause,), (relation.effect,), relation.signals)


def parse_tags(marked: str) -> tuple[str, TaggedRelation]:
    """Return the plain text of a tagged text and the tagged spans in it, each kind ordered by position.

    Raises:
        InputError: a tag is closed but not opened, or opened but not closed.
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
    """Return the text with tags around its spans; the inverse of :func:`parse_tags`.

    Where two spans start at the same offset, the longer one is opened first.

    Args:
        relation: its spans are not empty, and those of one kind do not overlap.
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
    """Return the plain text of a tagged text and its one complete relation.

    Raises:
        InputError: a tag is not closed, or the cause or the effect is missing.
    """
    text, found = parse_tags(marked)
    if len(found.causes) != 1 or len(found.effects) != 1:
        raise InputError("a relation needs one closed <ARG0> and one closed <ARG1>", where=marked[:60])
    return text, CausalRelation(found.causes[0], found.effects[0], found.signals)
