"""Groups that are made anew keep the ids of what they continue."""

from hypothesis import given
from hypothesis import strategies as st

from whywire.updating.stable_ids import complete_ids, keep_ids


@st.composite
def two_partitions(draw):
    """A partition of some items with names, and another one of more items."""
    labels = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), max_size=25))
    before, now = {}, {}
    for item, (old, new, is_new) in enumerate(labels):
        if not is_new:
            before.setdefault(f"e-{old}", set()).add(item)
        now.setdefault(new, set()).add(item)
    return before, [*now.values()]


@given(two_partitions())
def test_an_id_is_given_once_to_a_group_that_shares_a_member(partitions):
    before, now = partitions
    ids = keep_ids(before, now)
    given_ids = [name for name in ids if name]
    assert len(given_ids) == len({*given_ids})
    for name, group in zip(ids, now, strict=True):
        assert name is None or before[name] & group


@given(two_partitions())
def test_a_group_that_only_grows_keeps_its_id(partitions):
    before, _ = partitions
    now = [group | {100 + number} for number, group in enumerate(before.values())]
    assert keep_ids(before, now) == [*before]


def test_the_larger_part_keeps_the_id():
    assert keep_ids({"e-1": {1, 2, 3}}, [{1}, {2, 3}]) == [None, "e-1"]
    assert keep_ids({"e-1": {1, 2, 3}, "e-2": {4}}, [{1, 2, 3, 4}]) == ["e-1"]


@given(st.lists(st.sampled_from(["e-1", "e-2", None]), max_size=5, unique_by=lambda one: one or object()))
def test_an_id_in_use_is_not_given(kept):
    used = {"e-1", "e-2", "e-3"}
    found = complete_ids(kept, ["e-3"] * len(kept), used.intersection)
    assert len({*found}) == len(found)
    for before, now in zip(kept, found, strict=True):
        assert now == before if before else now not in used and now.startswith("e-")
