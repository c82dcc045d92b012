"""The embedded sentence models on the checklist of claims; whoever trains them anew must keep to this."""

from collections import Counter

import pytest

from whywire_lab.tasks.claim_checklist import outcomes

pytestmark = pytest.mark.model


@pytest.mark.parametrize(("language", "least_right", "most_turned"), [("en", 0.95, 0.02), ("ru", 0.83, 0.02)])
def test_arrows_point_where_the_sentence_does(language: str, least_right: float, most_turned: float) -> None:
    counts = Counter(outcome for row, _, outcome in outcomes(language) if row["test"] == "direction")
    assert counts["right"] >= least_right * counts.total()
    assert counts["turned"] <= most_turned * counts.total()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_did_not_happen_makes_no_link_and_what_did_may(language: str) -> None:
    found = [(row, outcome) for row, _, outcome in outcomes(language)]
    assert [row["text"] for row, outcome in found if row["test"] == "no link" and outcome == "link"] == []
    linked = [outcome == "link" for row, outcome in found if row["test"] == "link"]
    assert sum(linked) >= 0.7 * len(linked)
