from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.news import Article
from whywire.stories.communities import BEGINNING, HOLDS, NEIGHBOURS, beginning, communities

COUNT = 12
SURE, UNSURE = 0.99, 0.8
"""Chances by the headlines alone that tie two events, and that do not."""

UNTOLD = [""] * COUNT
"""Nothing is known of these events but their headlines."""

pairs = st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)).filter(lambda pair: pair[0] < pair[1])
chances = st.dictionaries(pairs, st.floats(0, 1), max_size=40)
strengths = st.dictionaries(pairs, st.floats(0, 100), max_size=8)


def clique(*members: int) -> dict[tuple[int, int], float]:
    return dict.fromkeys(combinations(members, 2), SURE)


@settings(deadline=None)
@given(chances, strengths, st.randoms(use_true_random=False))
def test_every_event_is_in_one_story_and_order_does_not_matter(related, linked, random) -> None:
    stories = communities(UNTOLD, related, linked)
    assert sorted(event for story in stories for event in story) == list(range(COUNT))
    assert stories == sorted(sorted(story) for story in stories)
    shuffled = dict(random.sample(list(related.items()), len(related)))
    assert communities(UNTOLD, shuffled, dict(reversed(linked.items()))) == stories


@settings(deadline=None)
@given(chances, strengths)
def test_a_story_of_three_or_more_holds_together(related, linked) -> None:
    for story in communities(UNTOLD, related, linked):
        ties = [pair for pair in combinations(story, 2) if pair in linked or related.get(pair, 0) > UNSURE]
        assert len(ties) >= len(story) - 1
        if len(story) > 2:
            assert 2 * len(ties) / (len(story) * min(len(story) - 1, NEIGHBOURS)) >= HOLDS - 1e-9


def test_events_are_tied_by_a_likely_relationship_or_a_link() -> None:
    assert communities([""] * 4, {(0, 1): SURE, (1, 2): UNSURE}, {}) == [[0, 1], [2], [3]]
    assert communities([""] * 3, {(0, 1): 0.1}, {(0, 1): 3.0}) == [[0, 1], [2]]


def test_rare_words_in_common_tie_events_of_whose_headlines_one_is_unsure() -> None:
    affair = ["Ferry Aurora runs aground off Porto Velho", "Porto Velho opens an inquiry into ferry Aurora"]
    theme = ["Ferry Aurora runs aground off Porto Velho", "Norway orders three electric ships for its fjords"]
    others = ["Welders in Gdansk vote to strike", "The mayor of Lodz resigns over a tram contract"]
    assert [0, 1] in communities(affair + others, {(0, 1): UNSURE}, {})
    assert [0, 1] not in communities(theme + others, {(0, 1): UNSURE}, {})


def test_words_that_everybody_uses_tie_nobody() -> None:
    others = [f"{letter}{letter}xyz" for letter in "abcdefghijklmnopqrst"]
    pair = ["Tidewater closes wharf", "Tidewater sells barge"]
    assert [0, 1] in communities(pair + others, {(0, 1): UNSURE}, {})
    assert [0, 1] not in communities(pair + [f"Tidewater {word}" for word in others], {(0, 1): UNSURE}, {})


def test_sharing_no_words_unties_nobody_of_whom_one_is_sure() -> None:
    told = ["Ferry Aurora runs aground", "Seven hurt as hull breaks on reef"]
    assert communities(told, {(0, 1): SURE}, {}) == communities(["", ""], {(0, 1): SURE}, {}) == [[0, 1]]


def test_two_affairs_are_not_one_because_of_one_tie_between_them() -> None:
    storm, strike = (0, 1, 2, 3), (4, 5, 6, 7)
    related = clique(*storm) | clique(*strike) | {(3, 4): SURE}
    assert communities([""] * 8, related, {}) == [list(storm), list(strike)]


def test_a_chain_of_look_alikes_is_no_story() -> None:
    chain = {(n, n + 1): SURE for n in range(29)}
    assert max(map(len, communities([""] * 30, chain, {}))) <= 4


def test_a_large_affair_whose_events_have_many_ties_stays_whole() -> None:
    ties = {(i, j): SURE for i in range(40) for j in range(i + 1, min(i + 5, 40))}
    ties |= {(i, 39 - i): SURE for i in range(20)}
    assert max(map(len, communities([""] * 40, ties, {}))) == 40


def test_a_chain_is_torn_where_no_link_holds_it() -> None:
    chain = {(n, n + 1): SURE for n in range(5)}
    stories = communities([""] * 6, chain, {(0, 1): 90.0, (2, 3): 90.0, (4, 5): 90.0})
    home = {event: number for number, story in enumerate(stories) for event in story}
    assert all(home[a] == home[b] for a, b in ((0, 1), (2, 3), (4, 5)))


def test_no_events_make_no_stories() -> None:
    assert communities([], {}, {}) == []


def test_a_beginning_is_the_title_and_the_first_words_of_a_text() -> None:
    text = " ".join(f"w{number}" for number in range(3 * BEGINNING))
    assert beginning(Article("1", "Dock gates close", text=text)).split() == (
        ["Dock", "gates", "close", *(f"w{number}" for number in range(BEGINNING))]
    )
    assert beginning(Article("1", "Dock gates close")) == ""
