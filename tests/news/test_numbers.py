"""What headlines count."""

from decimal import Decimal

from whywire.news.numbers import counts


def test_a_title_of_any_length_is_counted_in_proportion():
    long = "five died and " * 8_000  # half an hour where each word looks at all others
    assert {(one.counted, one.value) for one in counts(long)} == {("dead", Decimal(5))}
