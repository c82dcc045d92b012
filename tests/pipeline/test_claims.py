"""From what a sentence says to the claims of a graph: what is denied, and what follows from what is imagined."""

import pytest

from whywire import Article, ClaimKind, Language, build

DENIED = "The outage was not caused by the storm, the grid operator said."
IMAGINED = "Had the alarm been working, the night crew would have left in time."


def claims_of(text):
    article = Article("a", "Power returns to Calder Bay", text, Language.ENGLISH)
    return [claim for claim in build([article]).graph.claims if claim.field == "text"]


def test_a_denied_cause_is_a_claim_of_the_other_sign():
    (claim,) = claims_of(f"It rained. {DENIED}")
    assert claim.kind is ClaimKind.DENIAL
    assert claim.quote == DENIED
    assert "storm" in f"It rained. {DENIED}"[slice(*claim.cause)]


def test_a_counterfactual_implies_a_claim_marked_as_derived():
    pytest.importorskip("spacy")
    imagined, derived = sorted(claims_of(IMAGINED), key=lambda claim: claim.kind is ClaimKind.CAUSAL)
    assert imagined.kind is ClaimKind.COUNTERFACTUAL
    assert imagined.derived is None
    assert (derived.kind, derived.cause, derived.effect) == (
        ClaimKind.CAUSAL,
        imagined.antecedent,
        imagined.consequent,
    )
    assert derived.derived == "Since the alarm was not working, the night crew did not leave in time."
