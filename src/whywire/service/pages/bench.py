"""A bench: a sentence or two headlines, and how the models read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import Request
from starlette.responses import Response

from whywire.api.read import read
from whywire.api.relate import relate
from whywire.graph.page_data import Piece, pieces_of
from whywire.news.article import Span
from whywire.news.language import language_by_letters
from whywire.news.sentences import split_sentences
from whywire.pairs.relations import RELATIONS
from whywire.sentences.reading import CausalRelation, Reading
from whywire.service.access import client_of
from whywire.service.context import Context, Service
from whywire.service.pages.html_routes import html_router
from whywire.service.pages.rendering import render, wording_of

MAX_CHARS = 1000

MAX_SENTENCES = 8

router = html_router()


@dataclass(frozen=True)
class _ReadSentence:
    """A sentence and what it says: for each part its heading, its probability, and the sentence with marked words."""

    text: str
    parts: list[tuple[str, float, list[Piece]]]
    contrapositive: str | None


@router.get("/bench")
async def bench(request: Request, service: Service, sentence: str = "", left: str = "", right: str = "") -> Response:
    """Read a sentence, or relate two headlines."""
    words = wording_of(request)
    sentence, left, right = (" ".join(text.split()) for text in (sentence, left, right))
    problem, readings, relation = "", None, None
    if max(map(len, (sentence, left, right))) > MAX_CHARS:
        problem = words.text("too long", number=MAX_CHARS)
    elif sentence:
        readings = await service.passes.run(client_of(request), "read", partial(_read, service, sentence))
    elif left and right:
        (relation,) = await service.passes.run(
            client_of(request), "relate", partial(relate, [(left, right)], models=service.models)
        )
    elif left or right:
        problem = words.text("bench both")
    probabilities = relation.probabilities if relation else ()
    ranked = sorted(zip(RELATIONS, probabilities, strict=bool(relation)), key=lambda one: -one[1])
    return render(
        request,
        "bench.html",
        longest=MAX_CHARS,
        sentence=sentence,
        left=left,
        right=right,
        problem=problem,
        readings=readings,
        relation=relation,
        relations=[(name.value, share) for name, share in ranked],
    )


def _read(service: Context, text: str) -> list[_ReadSentence]:
    sentences = [text[start:end] for start, end in split_sentences(text, language_by_letters(text))][:MAX_SENTENCES]
    found = read(sentences, models=service.models)
    return [_shown(one, reading) for one, reading in zip(sentences, found, strict=True)]


def _shown(sentence: str, reading: Reading) -> _ReadSentence:
    parts = [
        ("bench says", relation.probability * reading.causal, pieces_of(sentence, _roles(relation)))
        for relation in reading.relations
    ]
    parts += [
        ("bench denies", relation.probability * reading.denial, pieces_of(sentence, _roles(relation)))
        for relation in reading.denials
    ]
    if reading.antecedent:
        roles = [("antecedent", reading.antecedent)]
        if reading.consequent:
            roles.append(("consequent", reading.consequent))
        parts.append(("bench imagines", reading.counterfactual, pieces_of(sentence, roles)))
    return _ReadSentence(sentence, parts, reading.contrapositive)


def _roles(relation: CausalRelation) -> list[tuple[str, Span]]:
    return [("cause", relation.cause), ("effect", relation.effect), *(("signal", one) for one in relation.signals)]
