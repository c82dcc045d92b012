"""Drawing: groups are a partition, links go one way, and what is improbable is not drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.models.odds import log_odds
from whywire.reading.drawing import VECTOR_SIZE, DrawnGraph, Logits, Status, Thresholds, cluster, draw

NO = -6.0


def logits(
    event: list[float],
    *,
    links: dict[tuple[int, int], tuple[float, float, float]] | None = None,
    same: dict[tuple[int, int], float] | None = None,
    status: list[int] | None = None,
    places: list[tuple[str, int, int]] | None = None,
) -> Logits:
    """What a model says of mentions ten characters apart; what is not given is improbable."""
    count = len(event)
    table, one = np.full((count, count, 3), NO, np.float32), np.full((count, count), NO, np.float32)
    for pair, values in (links or {}).items():
        table[pair] = values
    for (left, right), value in (same or {}).items():
        one[left, right] = one[right, left] = value
    return Logits(
        places or [("text", 10 * at, 10 * at + 5) for at in range(count)],
        [*range(count)],
        np.array(event, np.float32),
        np.arange(count, dtype=np.float32),
        np.eye(4, dtype=np.float32)[status or [0] * count],
        one,
        table,
        np.zeros(count, np.float32),
        np.eye(max(1, count), VECTOR_SIZE, dtype=np.float32)[:count],
    )


@st.composite
def told(draw: st.DrawFn) -> Logits:
    count = draw(st.integers(0, 9))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    same = generator.normal(scale=4, size=(count, count))
    starts = generator.integers(0, 60, count)
    return Logits(
        [("title" if at % 3 == 0 else "text", int(start), int(start) + 1 + at) for at, start in enumerate(starts)],
        [*range(count)],
        *(generator.normal(size=shape).astype(np.float32) for shape in ((count,), (count,), (count, 4))),
        (same + same.T).astype(np.float32),
        generator.normal(scale=draw(st.sampled_from([1, 8, 20])), size=(count, count, 3)).astype(np.float32),
        *(generator.normal(size=shape).astype(np.float32) for shape in ((count,), (count, VECTOR_SIZE))),
    )


probabilities = st.floats(0.01, 0.99)


@given(told(), st.builds(Thresholds, probabilities, probabilities, probabilities))
def test_events_are_a_partition_and_links_join_two_of_them_in_one_direction(
    model: Logits, thresholds: Thresholds
) -> None:
    graph = draw(model, thresholds)
    assert len(graph.mentions) == int((model.event >= log_odds(thresholds.event)).sum())
    assert sorted(at for event in graph.events for at in event.mentions) == [*range(len(graph.mentions))]
    assert [event.mentions for event in graph.events] == sorted(event.mentions for event in graph.events)
    assert all(0 <= event.main <= 1 for event in graph.events)
    pairs = [(link.cause, link.effect) for link in graph.links]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    for link in graph.links:
        assert link.cause != link.effect
        assert link.cause_mention in graph.events[link.cause].mentions
        assert link.effect_mention in graph.events[link.effect].mentions
        assert thresholds.link - 1e-3 <= link.probability <= 1
        assert 0 <= link.said <= 1
        assert 0 <= link.strength <= 100


@given(told())
def test_a_link_rests_on_the_pair_of_mentions_that_makes_it_likeliest(model: Logits) -> None:
    graph = draw(model, Thresholds())
    kept = np.flatnonzero(model.event >= log_odds(Thresholds().event))
    scores = model.links[..., 0][np.ix_(kept, kept)]
    for link in graph.links:
        apart = [
            (scores[one, other], (one, other))
            for one in graph.events[link.cause].mentions
            for other in graph.events[link.effect].mentions
            if not overlap(graph, one, other)
        ]
        assert (scores[link.cause_mention, link.effect_mention]) == max(apart)[0]
        assert not overlap(graph, link.cause_mention, link.effect_mention)


def overlap(graph: DrawnGraph, one: int, other: int) -> bool:
    left, right = graph.mentions[one], graph.mentions[other]
    return left.field == right.field and left.span[0] < right.span[1] and right.span[0] < left.span[1]


def test_a_mention_is_drawn_from_its_threshold_on_as_the_model_says_it() -> None:
    graph = draw(logits([2.0, float(log_odds(0.4)), float(log_odds(0.2))], status=[3, 1, 0]), Thresholds(event=0.4))
    assert [mention.span for mention in graph.mentions] == [(0, 5), (10, 15)]
    assert [mention.status for mention in graph.mentions] == [Status.DENIED, Status.PLAN]
    assert [mention.sentence for mention in graph.mentions] == [0, 1]
    assert graph.mentions[1].probability == pytest.approx(0.4)
    assert draw(logits([NO, NO]), Thresholds()) == draw(logits([]), Thresholds()) == DrawnGraph()


def test_mentions_are_numbered_among_those_that_are_drawn() -> None:
    graph = draw(logits([NO, 3, NO, 3, 3], links={(1, 3): (4, 0, 0)}, same={(1, 4): 5}), Thresholds())
    assert [event.mentions for event in graph.events] == [(0, 2), (1,)]
    (link,) = graph.links
    assert (link.cause, link.effect, link.cause_mention, link.effect_mention) == (0, 1, 0, 1)


def test_of_two_directions_the_likelier_is_drawn_and_each_takes_from_the_other() -> None:
    both = draw(logits([3, 3], links={(0, 1): (2, 1, -1), (1, 0): (1, 0, 0)}), Thresholds())
    one = draw(logits([3, 3], links={(0, 1): (2, 1, -1)}), Thresholds())
    assert [(link.cause, link.effect) for link in both.links] == [(0, 1)]
    assert both.links[0].probability < one.links[0].probability
    assert both.links[0].said > 0.5
    assert both.links[0].strength < 50
    assert not draw(logits([3, 3], links={(0, 1): (2, 0, 0), (1, 0): (2, 0, 0)}), Thresholds()).links


def test_a_hint_in_another_pair_of_mentions_makes_a_link_likelier() -> None:
    hint = {(0, 1): (0.0, 0.0, 0.0)}
    alone = draw(logits([3, 3], links=hint), Thresholds(link=0.1))
    pooled = draw(logits([3, 3, 3], links={**hint, (2, 1): (0.5, 0, 0)}, same={(0, 2): 5}), Thresholds(link=0.1))
    assert pooled.links[0].probability > alone.links[0].probability
    assert pooled.links[0].cause_mention == 2


def test_a_mention_inside_another_is_not_its_cause() -> None:
    links = {(0, 1): (5.0, 0.0, 0.0)}
    inside, beside = [("text", 0, 20), ("text", 5, 9)], [("title", 0, 20), ("text", 5, 9)]
    assert not draw(logits([3, 3], links=links, places=inside), Thresholds()).links
    assert draw(logits([3, 3], links=links, places=beside), Thresholds()).links


def test_the_calibration_changes_the_probability_and_not_what_is_drawn() -> None:
    model = logits([3, 3], links={(0, 1): (3, 0, 0)})
    (plain,), (fitted,) = (
        draw(model, Thresholds(), calibration).links
        for calibration in (None, {"link": {"scale": 0.5, "shift": -1.0}})
    )
    assert log_odds(fitted.probability) == pytest.approx(log_odds(plain.probability) / 2 - 1, abs=1e-3)


@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.sampled_from([-9.0, 0.0, 9.0]))
def test_groups_are_a_partition_in_order(seed: int, count: int, threshold: float) -> None:
    table = np.random.default_rng(seed).normal(size=(count, count))
    groups = cluster(table + table.T, threshold)
    assert sorted(at for group in groups for at in group) == [*range(count)]
    assert groups == sorted(map(sorted, groups))


def test_groups_join_what_is_alike_on_average_and_nothing_else() -> None:
    table = np.full((4, 4), -3.0)
    table[0, 2] = table[2, 0] = 4
    before = table.copy()
    assert cluster(table, 0.0) == [[0, 2], [1], [3]]
    assert (table == before).all()
    table[0, 3] = table[3, 0] = 2
    assert cluster(table, 0.0) == [[0, 2], [1], [3]], "(2 - 3) / 2 is not enough"
    table[2, 3] = table[3, 2] = -1
    assert cluster(table, 0.0) == [[0, 2, 3], [1]]
