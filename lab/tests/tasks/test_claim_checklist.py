"""The embedded models on the checklist of claims; whoever trains them anew must keep to this."""

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
def test_what_did_not_happen_seldom_makes_a_link_and_what_did_mostly(language: str) -> None:
    found = [(row, outcome) for row, _, outcome in outcomes(language)]
    linked = {
        test: [outcome == "link" for row, outcome in found if row["test"] == test] for test in ("link", "no link")
    }
    assert sum(linked["no link"]) <= 0.12 * len(linked["no link"]), "settings and recalled events may remain"
    assert sum(linked["link"]) >= 0.6 * len(linked["link"])
