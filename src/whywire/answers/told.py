"""What the news claims of causes, each claim with the article that makes it."""

from __future__ import annotations

from dataclasses import dataclass

from whywire.elements import Claim, ClaimKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article
from whywire.news.article import Span


@dataclass(frozen=True, slots=True)
class Told:
    """A claim that something led to something, or that it did not, and where it stands.

    Args:
        claim: causal or a denial, in the article's own words; has a cause and an effect.
        article: of its text, what claims quote may be all there is.
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
        """Whether it is claimed that the one did not lead to the other."""
        return self.claim.kind is ClaimKind.DENIAL

    def _words(self, span: Span | None) -> str:
        if span is None:
            raise ValueError(f"the claim {self.claim.id!r} has no cause or no effect")
        return self.claim.words(span)


def told_of_graph(graph: CausalGraph) -> list[Told]:
    """The graph's claims that answer or deny; what follows from a counterfactual is in no words of the news."""
    return [Told(claim, graph.articles[claim.article]) for claim in graph.claims if _usable(claim)]


def _usable(claim: Claim) -> bool:
    return claim.kind is not ClaimKind.COUNTERFACTUAL and not claim.derived
