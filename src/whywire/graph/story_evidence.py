"""The evidence of a story in short: the passages from which a sentence on it may be written.

They are those of the story's brief, so they leave out what is refuted, unsure, aimed at, or said already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whywire.graph.brief_lines import LONGEST, Line, line_of_event
from whywire.graph.briefs import Brief, brief_of
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.graph.passages import Part, Passage
from whywire.news.article import Span


@dataclass(frozen=True, slots=True)
class StoryPassage:
    """A passage of a story's brief.

    Args:
        about: half-open character offsets, in the passage, of the words for what happened, led to it or followed.
    """

    part: Part
    passage: Passage
    about: Span


def story_evidence(graph: CausalGraph, story: Story, brief: Brief | None = None) -> tuple[StoryPassage, ...]:
    """The passages of a story's brief in the order of their parts; none if nothing led to it and nothing followed.

    Args:
        brief: of the story, if it is made already.
    """
    brief = brief or brief_of(graph, story)
    told = [*_passages(Part.LED_TO_IT, brief.causes, "cause"), *_passages(Part.FOLLOWED, brief.effects, "effect")]
    happened = [*_passages(Part.HAPPENED, [line_of_event(story.lead, graph)], "mention")]
    return (*happened, *told) if happened and told else ()


def _passages(part: Part, lines: Iterable[Line], role: str) -> Iterator[StoryPassage]:
    for line in lines:
        if not line.aim:
            for passage in line.sentences:
                if len(passage.text) <= LONGEST:
                    yield StoryPassage(part, passage, _span_of(passage, role))


def _span_of(passage: Passage, role: str) -> Span:
    """The offsets of the words with a role; of the whole passage if none has it."""
    spans, start = [], 0
    for text, roles in passage.pieces:
        if role in roles.split():
            spans.append((start, start + len(text)))
        start += len(text)
    return (spans[0][0], spans[-1][1]) if spans else (0, start)
