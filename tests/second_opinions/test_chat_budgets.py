"""What may be spent a day is read, reserved and settled, and never passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.models.chat import Completion
from whywire.second_opinions.budget import Budget, Prices


@pytest.mark.parametrize(
    ("text", "limit", "unit"),
    [
        ("200k", 200_000, "tokens"),
        ("1.5m", 1_500_000, "tokens"),
        ("900", 900, "tokens"),
        ("2.50USD", 2_500_000, "usd"),
    ],
)
def test_a_budget_is_tokens_or_money(text, limit, unit):
    budget = Budget.parse(text, Prices(0.15, 0.6))
    assert (budget.limit, budget.unit) == (limit, unit)


@pytest.mark.parametrize("text", ["", "lots", "-5", "1e9", "5 dollars", "١٠k"])
def test_what_is_no_budget_is_said(text):
    with pytest.raises(InputError, match="budget"):
        Budget.parse(text)


def test_a_budget_in_money_needs_prices():
    with pytest.raises(InputError, match=r"prices.*--llm-prices"):
        Budget.parse("2.50usd")


def test_money_is_counted_in_millionths_and_rounded_up():
    budget = Budget.parse("1usd", Prices(0.15, 0.6))
    assert budget.cost(1_000_000, 0) == 150_000
    assert budget.cost(1, 0) == 1
    assert budget.cost(0, 1_000_000) == 600_000


@given(st.text(max_size=200), st.integers(0, 500), st.integers(1, 400), st.integers(0, 400))
def test_no_request_costs_more_than_what_is_reserved(words, sent, most, answered):
    """A token has at least one byte of what is sent."""
    budget = Budget.parse("200k")
    messages = [{"role": "user", "content": words}]
    reserved = budget.most(messages, sent, most)
    prompt = len(words.encode("utf-8", "surrogatepass")) + sent
    assert budget.spent(Completion("", prompt, min(answered, most)), reserved) <= reserved


@pytest.mark.parametrize("completion", [Completion(""), Completion("", 0, 5), Completion("", 10, None)])
def test_where_tokens_are_not_counted_all_that_was_reserved_is_spent(completion):
    assert Budget.parse("200k").spent(completion, 777) == 777
