"""Prints evidence for a person: sentences, headlines, and the articles they stand in."""

from __future__ import annotations

from rich.text import Text

from whywire.answers.sourced_claims import SourcedClaim
from whywire.cli.console import PlainConsole
from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, JudgedEvidence, strength_class
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text
from whywire.news import Article
from whywire.news.article import InferredFrom

MAX_SHOWN = 3
"""The most pieces of evidence printed; JSON rows have all."""

INDENT = " " * 5

INFERRED_WORDS = {
    InferredFrom.URL: "date from the address",
    InferredFrom.DATELINE: "date from the dateline",
    InferredFrom.TEXT: "date from the text",
    InferredFrom.PAGE: "date from the page",
}

STYLES = {"cause": "red", "effect": "blue"}


def show_claim(console: PlainConsole, claim: SourcedClaim) -> None:
    """Print a claim's sentence with its cause and effect marked, and its article."""
    console.print(Text.assemble(INDENT, *marked(claim)))
    console.print(Text(f"{INDENT}— {describe(claim.article)}", style="dim"))


def show_evidence(console: PlainConsole, graph: CausalGraph, evidence: tuple[Evidence, ...]) -> None:
    """Print the strongest pieces of evidence of a link."""
    for piece in evidence[:MAX_SHOWN]:
        articles = [graph.articles[article] for article in graph.articles_of(piece)]
        match piece:
            case ClaimEvidence():
                show_claim(console, SourcedClaim(graph.claim(piece.claim), articles[0]))
            case HeadlineEvidence():
                for sign, article in zip(("—", "→"), articles, strict=True):
                    console.print(Text(f"{INDENT}{sign} {describe(article)}", style="dim"))
            case JudgedEvidence():
                cause, effect = (" ".join(graph.words(end).split()) for end in (piece.cause, piece.effect))
                console.print(Text.assemble(INDENT, (cause, STYLES["cause"]), " … ", (effect, STYLES["effect"])))
                console.print(Text(f"{INDENT}judged likely: no sentence says so clearly", style="dim"))
                console.print(Text(f"{INDENT}— {describe(articles[0])}", style="dim"))
    if (more := len(evidence) - MAX_SHOWN) > 0:
        console.print(f"{INDENT}and {more:,} more")


def with_class(strength: float) -> str:
    """A strength with its class in brackets."""
    return f"{strength:.0f} ({strength_class(strength).value})"


def describe(article: Article) -> str:
    """An article in one line: title, outlet, time and address, as far as they are known."""
    time = time_text(article.published)
    if article.published and article.published.inferred_from:
        time = f"{time} ({INFERRED_WORDS[article.published.inferred_from]})"
    return " · ".join(filter(None, (article.title, article.source, time, article.url)))


def marked(sourced: SourcedClaim) -> list[str | tuple[str, str]]:
    """The sentence in pieces, its arguments as ``[cause: …]`` and ``[effect: …]`` with their styles."""
    origin, quote = sourced.claim.sentence[0], sourced.claim.quote
    spans = ((span, role) for role in STYLES if (span := getattr(sourced.claim, role)))
    pieces: list[str | tuple[str, str]] = []
    done = 0
    for (start, end), role in sorted(spans):
        pieces += [quote[done : start - origin], (f"[{role}: {quote[start - origin : end - origin]}]", STYLES[role])]
        done = end - origin
    return [*pieces, quote[done:]]
