"""Links that are judged: which pairs of events are asked about."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import Mention, MentionKind
from whywire.errors import ModelError
from whywire.events.mentions import MentionCandidate
from whywire.links.judged import MAX_CAUSES, MAX_PAIRS, select_candidates
from whywire.links.mention_pair_model import WEIGHTS_FILE, MentionPairModel
from whywire.links.mention_pairs import NO_CLAIM, REACH, mention_pair_features, ordered_pairs, story_mentions
from whywire.news import Article
from whywire.sentences.reading import MentionReading

FEATURES = 34
ANYWHERE = (0, 0)


def mention(home, sentence, span, angle=0.0, kind=MentionKind.STATEMENT):
    vector = np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)
    field = "text" if sentence else "title"
    where = Mention(f"a{home}", field, span, MentionKind.HEADLINE if field == "title" else kind)
    reading = MentionReading(span, vector, 0.8, 0.1, 0.7)
    return MentionCandidate(
        Article(f"a{home}", "News"), where, sentence, "the river rose", reading, ANYWHERE, ANYWHERE
    )


@st.composite
def stories(draw):
    """Mentions of up to three articles, each sentence ten characters long."""
    found = []
    for home in range(draw(st.integers(1, 3))):
        for sentence in range(draw(st.integers(1, 4))):
            for start in draw(st.lists(st.integers(0, 8), min_size=1, max_size=2, unique=True)):
                first = 10 * (sentence - 1) + start if sentence else start
                found.append(mention(home, sentence, (first, first + 2), draw(st.floats(0, 3))))
    return found


def judge(marked=0.0, bias=5.0, **weights):
    one = np.zeros(FEATURES)
    one[4] = marked  # by the cosine
    return MentionPairModel(
        {
            "marked": one,
            "marked_bias": np.array([bias]),
            "read": np.concatenate([[1.0], np.zeros(FEATURES)]),
            "judge": np.array([1.0, -1.0]),
            "read_bias": np.array([0.0]),
        }
        | weights
    )


@given(stories())
def test_pairs_are_of_one_article_share_no_words_and_come_both_ways(mentions):
    setting = story_mentions(mentions)
    pairs = [
        (i, j)
        for left, right, _ in ordered_pairs(setting, {})
        for i, j in zip(left.tolist(), right.tolist(), strict=True)
    ]
    assert len(pairs) == len(set(pairs))
    assert {(j, i) for i, j in pairs} == set(pairs)
    for i, one in enumerate(mentions):
        for j, other in enumerate(mentions):
            title = one.mention.field == other.mention.field
            (a, b), (c, d) = one.mention.span, other.mention.span
            apart = one.mention.article == other.mention.article and not (title and a < d and c < b)
            assert ((i, j) in pairs) is apart


@given(stories())
def test_what_is_claimed_stands_at_its_pair_and_turned_round_at_the_opposite(mentions):
    setting = story_mentions(mentions)
    for left, right, said in ordered_pairs(setting, {}):
        assert (said == NO_CLAIM).all()
        if not len(left):
            continue
        pair = int(left[0]), int(right[0])
        told = {
            (int(i), int(j)): row.tolist()
            for lefts, rights, table in ordered_pairs(setting, {pair: 0.75})
            for i, j, row in zip(lefts, rights, table, strict=True)
        }
        assert told[pair][0] == 0.75
        assert told[pair[::-1]][1] == 0.75
        features = mention_pair_features(setting, left, right, said)
        assert features.shape == (len(left), FEATURES)
        assert np.isfinite(features).all()


def long_article(home, count):
    return [mention(home, number, (10 * number, 10 * number + 5), number / count) for number in range(1, count + 1)]


def test_in_a_long_article_each_pair_within_reach_comes_once_with_what_is_claimed_of_it():
    count = REACH + 300
    claimed = {(at, at + 1): at / count for at in range(0, count - 1, 7)} | {(90, 40): 0.25, (count - 1, 0): 0.9}
    seen = np.zeros((count, count), int)
    told = {}
    for left, right, said in ordered_pairs(story_mentions(long_article(0, count)), claimed):
        seen[left, right] += 1
        for at in np.flatnonzero(said[:, 0] != NO_CLAIM).tolist():
            told[int(left[at]), int(right[at])] = float(said[at, 0])
        for at in np.flatnonzero(said[:, 1] != NO_CLAIM).tolist():
            assert claimed[int(right[at]), int(left[at])] == pytest.approx(float(said[at, 1]))
    distance = np.abs(np.arange(count)[:, None] - np.arange(count))
    assert (seen == ((distance > 0) & (distance <= REACH))).all()
    assert told == pytest.approx({pair: worth for pair, worth in claimed.items() if abs(pair[0] - pair[1]) <= REACH})


@pytest.mark.parametrize(
    ("work", "lengths", "megabytes"),
    [
        (lambda mentions: list(judge(bias=-5.0).candidates(mentions, {})), [1_600], 200),
        (story_mentions, [4_000, 4_000], 80),
    ],
)
def test_memory_is_bounded_whatever_the_length_of_articles_and_their_number(work, lengths, megabytes):
    mentions = [one for home, length in enumerate(lengths) for one in long_article(home, length)]
    tracemalloc.start()
    work(mentions)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < megabytes * 2**20


def test_the_likeliest_pairs_are_asked_about_each_in_one_direction():
    mentions = [
        mention(0, 0, (0, 5)),
        *(mention(0, number, (10 * number, 10 * number + 5)) for number in range(1, 8)),
    ]
    event_of = {one: number for number, one in enumerate(mentions)}
    found = select_candidates(judge(), [(mentions, {})], event_of, lambda source, target: True)
    assert len(found) == MAX_PAIRS
    pairs = {(one.source, one.target) for one in found}
    assert not pairs & {pair[::-1] for pair in pairs}
    assert max(sum(target == one for _, target in pairs) for one in range(len(mentions))) <= MAX_CAUSES


def test_no_pair_is_asked_about_that_is_impossible_unlikely_or_one_event():
    mentions = [mention(0, 0, (0, 5)), mention(0, 1, (0, 5)), mention(1, 0, (0, 5))]
    event_of = {one: number for number, one in enumerate(mentions)}
    found = select_candidates(judge(), [(mentions, {})], event_of, lambda source, target: source < target)
    assert [(one.source, one.target) for one in found] == [(0, 1)]
    assert not select_candidates(judge(), [(mentions, {})], event_of, lambda source, target: False)
    assert not select_candidates(judge(bias=-5.0), [(mentions, {})], event_of, lambda source, target: True)
    one_event = {mentions[0]: 0, mentions[1]: 0, mentions[2]: 1}
    assert not select_candidates(judge(), [(mentions, {})], one_event, lambda source, target: True)


def test_the_judge_of_direct_causes_moves_the_probability_both_ways():
    odds, strong, weak = np.zeros(1), np.array([90.0]), np.array([10.0])
    forward = judge().probability(odds, strong, weak)
    backward = judge().probability(odds, weak, strong)
    assert forward > 0.5 > backward
    assert forward + backward == pytest.approx(1)


def test_a_model_without_weights_judges_nothing_and_unreadable_ones_are_said(tmp_path):
    assert MentionPairModel.from_folder(tmp_path) is None
    (tmp_path / WEIGHTS_FILE).write_bytes(b"no weights")
    with pytest.raises(ModelError, match=f"{WEIGHTS_FILE}: unreadable weights"):
        MentionPairModel.from_folder(tmp_path)
