import numpy as np
import pytest

from whywire.headlines.cells import EXACT, Cells

SIZE = 24


def crowd(count: int, seed: int, topics: int = 40) -> np.ndarray:
    """Unit vectors around some centres, as headlines lie around their stories."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(topics, SIZE))
    vectors = centres[chance.integers(topics, size=count)] + 0.5 * chance.normal(size=(count, SIZE))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_few_vectors_are_all_compared() -> None:
    vectors = crowd(EXACT // 2, 0)
    cells = Cells(SIZE)
    slots = [cells.add(vector) for vector in vectors]
    found, cosines = cells.near(vectors[7], 0.6)
    truth = vectors @ vectors[7]
    assert {slots.index(slot) for slot in found} == set(np.flatnonzero(truth >= 0.6))
    assert np.allclose(sorted(cosines), sorted(truth[truth >= 0.6]), atol=1e-6)


def test_among_many_the_near_ones_are_found_without_looking_at_all() -> None:
    vectors = crowd(6 * EXACT, 1)
    cells = Cells(SIZE)
    slots = np.array([cells.add(vector) for vector in vectors])
    asked = range(0, len(vectors), 97)
    seen = right = 0
    for number in asked:
        found, _ = cells.near(vectors[number], 0.8)
        truth = set(slots[vectors @ vectors[number] >= 0.8].tolist())
        assert set(found.tolist()) <= truth
        right += len(set(found.tolist()) & truth)
        seen += len(truth)
    assert right / seen > 0.9


@pytest.mark.parametrize("count", [EXACT // 2, 4 * EXACT])
def test_what_is_removed_is_never_found_and_its_place_is_used_again(count: int) -> None:
    vectors = crowd(count, 2)
    cells = Cells(SIZE)
    slots = [cells.add(vector) for vector in vectors]
    for slot in slots[::2]:
        cells.remove(slot)
    assert len(cells) == count // 2
    for number in range(0, count, 31):
        found, _ = cells.near(vectors[number], 0.5)
        assert not set(found.tolist()) & set(slots[::2])
    again = [cells.add(vector) for vector in vectors[::2]]
    assert set(again) == set(slots[::2])


def test_a_vector_finds_itself() -> None:
    vectors = crowd(3 * EXACT, 3)
    cells = Cells(SIZE)
    for vector in vectors:
        slot = cells.add(vector)
        assert slot in cells.near(vector, 0.99)[0]
