"""The evidence of a story in short: the passages from which one sentence on it may be written, and such a sentence.

The passages are those of the story's brief, so they leave out what is refuted, unsure, aimed at, or said already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from whywire.graph.brief_lines import Line, Passage, line_of_event
from whywire.graph.briefs import brief_of
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.news.article import Span
from whywire.news.language import Language


class Part(StrEnum):
    """What a passage tells of a story, in the order in which it is told."""

    HAPPENED = "happened"
    LED_TO_IT = "led_to_it"
    FOLLOWED = "followed"


@dataclass(frozen=True, slots=True)
class StoryPassage:
    """A passage of a story's brief.

    Args:
        about: half-open character offsets, in the passage, of the words for what happened, led to it or followed.
    """

    part: Part
    passage: Passage
    about: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a sentence on a story, and the passage that says it."""

    text: str
    source: StoryPassage


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence on a story, written by a language model and checked against its evidence.

    Args:
        story: id of the story.
        model: the name of the model.
        clauses: what happened, then what led to it, then what followed.
    """

    story: str
    language: Language
    model: str
    clauses: tuple[Clause, ...]

    def of(self, part: Part) -> tuple[Clause, ...]:
        """The clauses of a part."""
        return tuple(clause for clause in self.clauses if clause.source.part is part)

    @property
    def text(self) -> str:
        """The whole sentence: the clauses, and words between them that say which part comes."""
        told = ((_JOINED[self.language][part], "; ".join(one.text for one in self.of(part))) for part in Part)
        text = "; ".join(f"{words}{clauses}" for words, clauses in told if clauses)
        return f"{text[:1].upper()}{text[1:]}."


_JOINED = {
    Language.ENGLISH: {Part.HAPPENED: "", Part.LED_TO_IT: "what led to it: ", Part.FOLLOWED: "what followed: "},
    Language.RUSSIAN: {
        Part.HAPPENED: "",
        Part.LED_TO_IT: "что к этому привело: ",
        Part.FOLLOWED: "что последовало: ",
    },
}


def story_evidence(graph: CausalGraph, story: Story) -> tuple[StoryPassage, ...]:
    """The passages of a story's brief in the order of their parts; none if nothing led to it and nothing followed."""
    brief = brief_of(graph, story)
    told = [*_passages(Part.LED_TO_IT, brief.causes, "cause"), *_passages(Part.FOLLOWED, brief.effects, "effect")]
    if not told:
        return ()
    return (*_passages(Part.HAPPENED, [line_of_event(story.lead, graph)], "mention"), *told)


def _passages(part: Part, lines: Iterable[Line], role: str) -> Iterator[StoryPassage]:
    for line in lines:
        if not line.aim:
            for passage in line.sentences:
                yield StoryPassage(part, passage, _span_of(passage, role))


def _span_of(passage: Passage, role: str) -> Span:
    """The offsets of the words with a role; of the whole passage if none has it."""
    spans, start = [], 0
    for text, roles in passage.pieces:
        if role in roles.split():
            spans.append((start, start + len(text)))
        start += len(text)
    return (spans[0][0], spans[-1][1]) if spans else (0, start)
