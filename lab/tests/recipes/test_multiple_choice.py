"""Choices among events of a story: what they are made of, and what choosing wrongly costs."""

import math
import random

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'whywire-lab[train]'")

from whywire_lab.recipes.multiple_choice import GRADED, OPTIONS, Choice, choice_batches, choice_loss, choices_of  # noqa: E402
from whywire_lab.recipes.pair_rows import ALL, PairRow  # noqa: E402


def row(left, right, forward, back=0.05):
    return PairRow(left, right, ALL, "en", "graded-stories", strength=(forward, back))


STORM, CUTS, RALLY, PIPES = "a storm hit", "power failed", "a rally was held", "pipes burst"
STORY = [
    row(STORM, CUTS, 0.9),
    row(STORM, RALLY, 0.05),
    row(STORM, PIPES, 0.85),
    row(CUTS, RALLY, 0.4),
    row(CUTS, PIPES, 0.82),
    row(RALLY, PIPES, 0.05),
]


def test_every_event_with_a_cause_and_another_is_a_choice_and_what_came_later_is_among_the_others():
    found = {
        choice.causes[0].right: ({own.left for own in choice.causes}, {own.left for own in choice.others})
        for choice in choices_of(STORY)
    }
    assert found == {CUTS: ({STORM}, {RALLY, PIPES}), PIPES: ({STORM, CUTS}, {RALLY})}
    assert all(own.right == choice.causes[0].right for choice in choices_of(STORY) for own in choice.rows)


def test_where_nobody_asked_for_the_way_back_it_is_no_option():
    assert not choices_of([PairRow(STORM, CUTS, ALL, "en", "event-causes", strength=(0.9, None))])


def test_what_is_drawn_has_a_cause_and_another_and_fits():
    random.seed(1)
    causes, others = ([row(f"{kind}{n}", CUTS, 0.5) for n in range(6)] for kind in "co")
    drawn = [Choice(causes, others).drawn() for _ in range(200)]
    assert {len(choice.rows) for choice in drawn} == {OPTIONS}
    assert {len(choice.causes) for choice in drawn} == {1, 2, 3}
    assert all(set(choice.causes) <= set(causes) and set(choice.others) <= set(others) for choice in drawn)
    few = Choice(causes[:1], others[:1]).drawn()
    assert few.rows == [causes[0], others[0]]


@pytest.mark.parametrize("corpus", GRADED)
def test_an_epoch_draws_a_choice_as_often_as_its_corpus_counts(corpus):
    random.seed(1)
    effects = [Choice(*([PairRow(left, f"{STORM} {n}", ALL, "en", corpus)] for left in "co")) for n in range(500)]
    drawn = [choice.causes[0].right for batch in choice_batches(effects, 32) for choice in batch]
    assert len(drawn) / len(effects) == pytest.approx(GRADED[corpus], rel=0.15)
    assert len(set(drawn)) == pytest.approx(min(1, GRADED[corpus]) * len(effects), rel=0.15)


def test_a_choice_between_equals_costs_a_bit_and_a_sure_one_nothing():
    assert float(choice_loss(torch.tensor([1.0, 1.0]), [(1, 1)])) == pytest.approx(math.log(2))
    assert float(choice_loss(torch.tensor([9.0, -9.0, -9.0]), [(1, 2)])) < 1e-6
    both = choice_loss(torch.tensor([1.0, 1.0, 9.0, -9.0, -9.0]), [(1, 1), (1, 2)])
    assert float(both) == pytest.approx(math.log(2) / 2, abs=1e-6)


def test_two_causes_do_not_compete():
    logits = torch.tensor([2.0, -1.0, 0.0], requires_grad=True)
    choice_loss(logits, [(2, 1)]).backward()
    stronger = choice_loss(torch.tensor([5.0, -1.0, 0.0]), [(2, 1)])
    assert stronger < choice_loss(logits, [(2, 1)])
    assert (logits.grad[:2] < 0).all()
    assert logits.grad[2] > 0
