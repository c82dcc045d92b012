"""Of a circle of causal links the least probable goes."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import ClaimEvidence, Link, LinkKind, Order
from whywire.links.linking import without_circles


def link(source: str, target: str, probability: float, kind: LinkKind = LinkKind.CAUSES) -> Link:
    return Link(source, target, kind, probability, 50, Order.UNKNOWN, (ClaimEvidence("c", probability),))


def test_the_least_probable_link_of_a_circle_goes() -> None:
    circle = [link("a", "b", 0.5), link("b", "c", 0.9), link("c", "a", 0.7)]
    side = [link("c", "d", 0.2), link("e", "a", 0.1)]
    assert {(one.source, one.target) for one in without_circles([*circle, *side])} == {
        ("b", "c"),
        ("c", "a"),
        ("c", "d"),
        ("e", "a"),
    }


def test_refutations_close_no_circle() -> None:
    links = [link("a", "b", 0.9), link("b", "a", 0.5, LinkKind.REFUTES)]
    assert sorted(without_circles(links), key=repr) == sorted(links, key=repr)


ends = st.sampled_from("abcdef")
some_links = st.lists(
    st.builds(link, ends, ends, st.sampled_from([0.2, 0.5, 0.9]), st.sampled_from(LinkKind)),
    unique_by=lambda one: (one.source, one.target, one.kind),
).map(lambda links: [one for one in links if one.source != one.target])


@given(some_links, st.randoms())
def test_what_is_left_has_no_circle_and_nothing_goes_without_one(links: list[Link], rng: st.randoms) -> None:
    kept = without_circles(links)
    assert sorted(without_circles(rng.sample(links, len(links))), key=repr) == sorted(kept, key=repr)
    causal = nx.DiGraph([(one.source, one.target) for one in kept if one.kind is LinkKind.CAUSES])
    assert nx.is_directed_acyclic_graph(causal)
    for gone in (one for one in links if one not in kept):
        assert gone.kind is LinkKind.CAUSES
        likelier = nx.DiGraph(
            [
                (one.source, one.target)
                for one in kept
                if one.kind is LinkKind.CAUSES and one.probability >= gone.probability
            ]
        )
        assert gone.target in likelier
        assert gone.source in nx.descendants(likelier, gone.target)
