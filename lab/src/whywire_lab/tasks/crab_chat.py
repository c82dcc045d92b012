"""A chat model on CRAB, asked as in the paper (section 5.2): each question is put once, and answered by itself.

A pair is asked about three times: for a score, for one of four classes, for yes or no; and four possible causes once,
for the one that most led to the effect. No answer is derived from another, and none is asked for again: what cannot
be read counts as wrong.

The words are ours (:data:`OURS`), or those of the authors' own ``prompts.json``, which is in their repository beside
their programs. Their instructions and question are sent as one message, which every model understands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from whywire.elements import strength_class
from whywire.errors import InputError
from whywire.links.judges import prompts
from whywire.links.judges.judge import Choice, EventPair
from whywire.links.judges.prompts import YES, PromptKind
from whywire.models.chat import AnswerError, without_marks
from whywire.models.completion_cache import CachedChatModel
from whywire_lab.corpora.crab import CausalPair
from whywire_lab.metrics.crab import OPTIONS, Judgement, make_choices

PROMPTS_FILE = "prompts.json"
"""What the authors' repository calls its prompts."""

NAMES: Mapping[PromptKind, str] = {
    PromptKind.SCORE: "pairwise_score_w_context",
    PromptKind.CLASS: "pairwise_bins_4_w_context",
    PromptKind.BINARY: "pairwise_binary_w_context",
    PromptKind.CHOICE: "mcq_w_context",
}
"""The names of the questions in the authors' file."""

BLANK = "{}"
"""Where a document or an event goes in the authors' file: documents first, then the events."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Prompts:
    """The words of the questions; the documents of a pair, or of an effect and its options, are its context."""

    pair: Callable[[EventPair, PromptKind], str]
    choice: Callable[[Choice], str]


def _our_pair(pair: EventPair, kind: PromptKind) -> str:
    """Our question about a pair; a document of both events stands there once."""
    return prompts.pair_prompt(replace(pair, context=tuple(dict.fromkeys(pair.context))), kind)


def _our_choice(choice: Choice) -> str:
    """Our question about several causes, with the one answer that CRAB asks for."""
    once = replace(choice, context=tuple(dict.fromkeys(choice.context)))
    return f"{prompts.choice_prompt(once)}\n\nHere exactly one is asked for: the one that most led to it."


OURS = Prompts(_our_pair, _our_choice)
"""The questions of ``whywire score`` and ``choose``."""


def read_prompts(path: Path) -> Prompts:
    """Read the authors' ``prompts.json``: a list of ``prompt_name`` and ``prompt_template``.

    A template has ``instructions`` and a ``question`` with a blank for each document and each event.

    Raises:
        InputError: the file is missing or broken, or a question is missing or has other blanks.
    """
    if not path.is_file():
        raise InputError("no such file", where=str(path), hint=f"it is {PROMPTS_FILE} of the authors' repository")
    try:
        found = {row["prompt_name"]: row["prompt_template"] for row in json.loads(path.read_text(encoding="utf-8"))}
        texts = {kind: found[name]["instructions"] + found[name]["question"] for kind, name in NAMES.items()}
    except (ValueError, KeyError, TypeError) as error:
        wanted = ", ".join(NAMES.values())
        raise InputError("these are not the prompts of CRAB", where=str(path), hint=f"needed are {wanted}") from error
    for kind, text in texts.items():
        blanks = 2 * OPTIONS + 2 if kind is PromptKind.CHOICE else 4
        if text.count(BLANK) != blanks:
            raise InputError(f"{NAMES[kind]} must have {blanks} blanks {BLANK}", where=str(path))
    return Prompts(
        lambda pair, kind: _filled(texts[kind], pair.context, (pair.cause, pair.effect)),
        lambda choice: _filled(texts[PromptKind.CHOICE], choice.context, (choice.effect, *choice.options)),
    )


def _filled(template: str, documents: Sequence[str], events: Sequence[str]) -> str:
    """The template with documents and events in its blanks; what stands in them is text, whatever it looks like."""
    first, *rest = template.split(BLANK)
    return first + "".join(
        without_marks(words) + part for words, part in zip((*documents, *events), rest, strict=True)
    )


def ask(chat_model: CachedChatModel, words: Prompts, rows: Sequence[CausalPair]) -> list[Judgement]:
    """A chat model's judgements of pairs, and of the multiple choice questions made of them.

    Raises:
        ModelError: the endpoint cannot be reached, or refuses. Answers so far are in the model's cache.
    """

    def answer(prompt: str, read: Callable[[str], Found | None]) -> Found | None:
        try:
            found = read(chat_model.ask(prompt))
        except AnswerError:
            found = None
        if found is None:
            chat_model.usage.malformed += 1
        return found

    judged = []
    for row in rows:
        pair = EventPair(*row.texts, (row.cause.context, row.effect.context))
        score, of_class, yes = (
            answer(words.pair(pair, kind), partial(prompts.read_pair, kind=kind))
            for kind in (PromptKind.SCORE, PromptKind.CLASS, PromptKind.BINARY)
        )
        name = None if of_class is None else strength_class(of_class)
        judged.append(Judgement(score, name, None if yes is None else yes == YES))
    for choice in make_choices(rows):
        options = [rows[number] for number in choice.pairs]
        effect = options[0].effect
        asked = Choice(
            effect.text,
            tuple(option.cause.text for option in options),
            (effect.context, *(option.cause.context for option in options)),
        )
        picked = answer(words.choice(asked), partial(prompts.read_choice, options=OPTIONS))
        for place, number in enumerate(choice.pairs):
            judged[number] = replace(judged[number], chosen=picked is not None and picked[place] == YES)
    return judged


def systems(
    chat_model: CachedChatModel, path: Path | None
) -> dict[str, Callable[[Sequence[CausalPair], Sequence[CausalPair]], list[Judgement]]]:
    """The chat model as systems of ``bench crab``: by our words, and by the authors' if their file is given."""
    named = {"our prompts": OURS} | ({"the paper's prompts": read_prompts(path)} if path else {})

    def system(words: Prompts) -> Callable[[Any, Sequence[CausalPair]], list[Judgement]]:
        return lambda train, rows: ask(chat_model, words, rows)  # noqa: ARG005

    return {f"{chat_model.endpoint.model}, {name}": system(words) for name, words in named.items()}
