"""Causal claims and denials of a graph, each with the article that makes it."""

from __future__ import annotations

from dataclasses import dataclass

from whywire.elements import Claim, ClaimKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article
from whywire.news.article import Span
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import RECESS_SENSES, Sense, signal_of


@dataclass(frozen=True, slots=True)
class SourcedClaim:
    """A causal claim or a denial, and its article.

    Args:
        claim: in the article's own words; has a cause and an effect.
        article: the article that makes the claim; its text may be no more than what claims quote.
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

    @property
    def sense(self) -> Sense:
        """The sense in which the sentence connects cause and effect."""
        start = self.claim.sentence[0]
        cause, effect, *signals = (
            (span[0] - start, span[1] - start)
            for span in (self.claim.cause, self.claim.effect, *self.claim.signals)
            if span is not None
        )
        return signal_of(self.claim.quote, CausalRelation(cause, effect, tuple(signals))).sense

    def _words(self, span: Span | None) -> str:
        if span is None:
            raise ValueError(f"the claim {self.claim.id!r} has no cause or no effect")
        return self.claim.words(span)


def claims_of_graph(graph: CausalGraph) -> list[SourcedClaim]:
    """The causal claims and denials of a graph.

    Left out are counterfactuals, claims derived from them, and claims whose effect, according to the sentence, was
    prevented, nearly caused, only possible, or only correlated.
    """
    stated = (
        SourcedClaim(claim, graph.articles[claim.article])
        for claim in graph.claims
        if claim.kind is not ClaimKind.COUNTERFACTUAL and not claim.derived
    )
    return [claim for claim in stated if claim.denied or claim.sense in RECESS_SENSES]
