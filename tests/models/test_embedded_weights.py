"""What all embedded weights have in common."""

import pytest

from whywire.models import embedded_names, weights_file
from whywire.models.pretrained import WEIGHTS

pytestmark = pytest.mark.model

MOST = 95_000_000
"""A package index takes files of 100 MB, and a wheel holds more than weights."""


def test_all_weights_together_leave_room_in_a_package():
    sizes = [weights_file(WEIGHTS / name).stat().st_size for name in embedded_names()]
    assert len(sizes) == 5
    assert sum(sizes) <= MOST


@pytest.mark.parametrize("name", embedded_names())
def test_every_model_has_a_card_with_its_data_use_numbers_errors_and_licence(name):
    card = (WEIGHTS / name / "README.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {name}\n")
    for part in (
        "**Trained on**",
        "**For**",
        "## Numbers",
        "## What it gets wrong",
        "## Licence",
        "calibration error",
    ):
        assert part in card, part
