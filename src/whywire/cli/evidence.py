"""How a person is shown what an answer or a link rests on: the sentences, the headlines, and where they stand."""

from __future__ import annotations

from rich.text import Text

from whywire.answers.told import Told
from whywire.cli.console import PlainConsole
from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, JudgedEvidence, strength_class
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.to_rows import time_text
from whywire.news import Article
from whywire.news.article import InferredFrom

SHOWN = 3
"""How many pieces of evidence a person is shown; programs get all."""

INDENT = " " * 5

INFERRED_WORDS = {
    InferredFrom.URL: "date from the address",
    InferredFrom.DATELINE: "date from the dateline",
    InferredFrom.TEXT: "date from the text",
}

STYLES = {"cause": "red", "effect": "blue"}


def show_told(console: PlainConsole, told: Told) -> None:
    """Print a claim's sentence with its cause and effect marked, and the article that it stands in."""
    console.print(Text.assemble(INDENT, *marked(told)))
    console.print(Text(f"{INDENT}— {place(told.article)}", style="dim"))


def show_evidence(console: PlainConsole, graph: CausalGraph, evidence: tuple[Evidence, ...]) -> None:
    """Print the strongest pieces of evidence of a link."""
    for piece in evidence[:SHOWN]:
        articles = [graph.articles[article] for article in graph.articles_of(piece)]
        match piece:
            case ClaimEvidence():
                show_told(console, Told(graph.claim(piece.claim), articles[0]))
            case HeadlineEvidence():
                for sign, article in zip(("—", "→"), articles, strict=True):
                    console.print(Text(f"{INDENT}{sign} {place(article)}", style="dim"))
            case JudgedEvidence():
                cause, effect = (" ".join(graph.words(end).split()) for end in (piece.cause, piece.effect))
                console.print(Text.assemble(INDENT, (cause, STYLES["cause"]), " … ", (effect, STYLES["effect"])))
                console.print(Text(f"{INDENT}judged likely: no sentence says so clearly", style="dim"))
                console.print(Text(f"{INDENT}— {place(articles[0])}", style="dim"))
    if (more := len(evidence) - SHOWN) > 0:
        console.print(f"{INDENT}and {more:,} more")


def graded(strength: float) -> str:
    """A strength with its class."""
    return f"{strength:.0f} ({strength_class(strength).value})"


def place(article: Article) -> str:
    """Where something stands: title, outlet, time and address, as far as they are known."""
    time = time_text(article.published)
    if article.published and article.published.inferred_from:
        time = f"{time} ({INFERRED_WORDS[article.published.inferred_from]})"
    return " · ".join(filter(None, (article.title, article.source, time, article.url)))


def marked(told: Told) -> list[str | tuple[str, str]]:
    """The sentence in pieces, with ``[cause: …]`` and ``[effect: …]`` for those who see no colours."""
    origin, quote = told.claim.sentence[0], told.claim.quote
    spans = ((span, role) for role in STYLES if (span := getattr(told.claim, role)))
    pieces: list[str | tuple[str, str]] = []
    done = 0
    for (start, end), role in sorted(spans):
        pieces += [quote[done : start - origin], (f"[{role}: {quote[start - origin : end - origin]}]", STYLES[role])]
        done = end - origin
    return [*pieces, quote[done:]]
