"""Strength on held-out invented stories, whose causes are graded on CRAB's scale."""

import numpy as np
import pytest

from whywire.elements import StrengthClass, strength_class
from whywire.pairs.model import PairModel
from whywire_lab.recipes.label_pairs import graded_story_pairs


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_mean_strength_rises_with_the_four_classes(language):
    rows = [row for part, row in graded_story_pairs() if part == "valid" and row.language == language]
    classes = [strength_class(100 * (row.strength[0] or 0)) for row in rows]
    strengths = PairModel.from_pretrained(language=language).strengths([(r.left, r.right) for r in rows])
    means = [
        np.mean([one for one, own in zip(strengths, classes, strict=True) if own is name]) for name in StrengthClass
    ]
    assert (np.diff(means) > 0).all(), means
