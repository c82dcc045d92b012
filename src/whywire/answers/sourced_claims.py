"""Causal claims and denials of a graph, each with the article that makes it."""

from __future__ import annotations

from dataclasses import dataclass

from whywire.elements import Claim, ClaimKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article
from whywire.news.article import Span


@dataclass(frozen=True, slots=True)
class SourcedClaim:
    """A causal claim or a denial, and its article.

    Args:
        claim: in the article's own words; has a cause and an effect.
        article: its text may hold no more than what claims quote.
    """

    claim: Claim
    article: Article

    @property
    def cause(self) -> str:
        """The words of the cause."""
        return self._words(self.claim.cause)

    @property
    def effect(self) -> str:
        """The words of the effect."""
        return self._words(self.claim.effect)

    @property
    def denied(self) -> bool:
        """Whether the claim says that the cause did not lead to the effect."""
        return self.claim.kind is ClaimKind.DENIAL

    def _words(self, span: Span | None) -> str:
        if span is None:
            raise ValueError(f"the claim {self.claim.id!r} has no cause or no effect")
        return self.claim.words(span)


def claims_of_graph(graph: CausalGraph) -> list[SourcedClaim]:
    """The causal claims and denials of a graph; counterfactuals and what is derived from them are left out."""
    return [SourcedClaim(claim, graph.articles[claim.article]) for claim in graph.claims if _is_stated(claim)]


def _is_stated(claim: Claim) -> bool:
    return claim.kind is not ClaimKind.COUNTERFACTUAL and not claim.derived
