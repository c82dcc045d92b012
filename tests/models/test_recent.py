"""What is kept of the texts that were asked about last."""

from hypothesis import given
from hypothesis import strategies as st

from whywire.models.recent import Recent

ASKED = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=30)


@given(ASKED, st.integers(1, 12))
def test_what_was_used_last_is_kept_as_far_as_it_fits(asked, limit):
    recent, used = Recent(limit, lambda key, _: 1 + key % 3), []
    for keys in asked:
        assert all(value == key * key for key, value in recent.found(keys).items())
        recent.keep({key: key * key for key in keys})
        used += dict.fromkeys(keys)
        kept = recent.found(range(10))
        assert len(kept) == len(recent)
        assert sum(1 + key % 3 for key in kept) <= limit
        latest = list(dict.fromkeys(reversed(used)))
        fits, size = [], 0
        for key in latest:
            size += 1 + key % 3
            if size > limit:
                break
            fits.append(key)
        assert set(kept) == set(fits), "the newest that fit together, and nothing else"
