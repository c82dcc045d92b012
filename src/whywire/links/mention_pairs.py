"""Features of pairs of mentions of one article, by which a model judges whether one led to the other.

An article seldom says *because*. What suggests that one event led to another is how the two are reported: how near
to each other, how similar, how near to the headline, and in how many other reports of the story. Words enter only
through mention vectors and a few probabilities, so that a model of these features generalises; with the hidden states
of the models it did worse on held-out topics.

A mention is paired with the ``REACH`` mentions before it and the ``REACH`` after it, a block of pairs at a time: so
memory is bounded whatever the text, and time grows with its length and not with its square. An article of usual
length, up to some 100,000 characters, has fewer mentions than that, and all its pairs are looked at. Which error is
worse? In a live blog or a transcript of the length of a book a link between two far ends is missed, where nothing
but a guess would support it; the other error is a service that one such article stops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import MentionKind
from whywire.events.candidates import Pair
from whywire.events.mentions import MentionCandidate

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

REACH = 1_000
"""How many places apart two mentions that are paired may be, among the mentions of their article."""

BLOCK_PAIRS = 2**16
"""Pairs looked at together: their vectors and features take a hundred megabytes."""

BLOCK_CELLS = 2**22
"""Cosines computed together, which bounds memory."""

NEAR = 0.6
"""The cosine from which a mention of another article counts as nearly the same."""

NO_CLAIM = -0.2
"""Stands for the probability of a claim where no claim connects the two mentions."""

TO_TITLE, SPREAD = 2, 5
"""Columns of ``StoryMentions.features``: cosine with the headline, mean cosine with other articles."""


@dataclass(frozen=True, slots=True, eq=False)
class StoryMentions:
    """The mentions of a story as arrays.

    Args:
        vectors: (mentions, size), unit length.
        articles: (mentions,), the index of the article of each.
        sentences: (mentions,), the index of its sentence in the article; the headline is 0.
        starts, ends: (mentions,), character offsets in its field.
        features: (mentions, 9): log index of the sentence, whether it is the headline, cosine with the headline,
            probability of having happened, of being planned, mean cosine with the nearest mention of each other
            article of the story, share of these articles that have a near one, probability of being understood
            alone, log number of words.
        roles: (mentions, 2): is the cause, or the effect, of a claim.
    """

    vectors: Floats
    articles: Places
    sentences: Places
    starts: Places
    ends: Places
    features: Floats
    roles: Floats


def story_mentions(mentions: Sequence[MentionCandidate]) -> StoryMentions:
    """Turn the mentions of one story into arrays."""
    vectors = np.stack([one.reading.vector for one in mentions]).astype(np.float32)
    place = {article: number for number, article in enumerate(dict.fromkeys(one.mention.article for one in mentions))}
    articles = np.array([place[one.mention.article] for one in mentions])
    sentences = np.array([one.sentence for one in mentions])
    titles = {one.mention.article: one.reading.vector for one in mentions if one.is_headline}
    to_title = np.array(
        [
            float(one.reading.vector @ titles[one.mention.article]) if one.mention.article in titles else 0.0
            for one in mentions
        ]
    )
    spread, share = _elsewhere(vectors, articles)
    known = np.array([[one.reading.actual, one.reading.planned] for one in mentions])
    alone = np.array([one.reading.alone for one in mentions])
    words = np.log([len(one.words.split()) for one in mentions])
    each = np.column_stack([np.log1p(sentences), sentences == 0, to_title, known, spread, share, alone, words])
    return StoryMentions(
        vectors,
        articles,
        sentences,
        np.array([one.mention.span[0] for one in mentions]),
        np.array([one.mention.span[1] for one in mentions]),
        each.astype(np.float32),
        np.array([[one.mention.kind is kind for kind in (MentionKind.CAUSE, MentionKind.EFFECT)] for one in mentions])
        .reshape(-1, 2)
        .astype(np.float32),
    )


def _elsewhere(vectors: Floats, articles: Places) -> tuple[Floats, Floats]:
    """The mean cosine with the nearest mention of each other article, and the share of those with a near one."""
    indices = np.unique(articles)
    spread, share = np.zeros(len(articles), np.float32), np.zeros(len(articles), np.float32)
    if len(indices) < 2:
        return spread, share
    for article in indices:
        own = vectors[articles == article].T
        rows = max(1, BLOCK_CELLS // own.shape[1])
        best = np.concatenate(
            [(vectors[first : first + rows] @ own).max(axis=1) for first in range(0, len(vectors), rows)]
        )
        best[articles == article] = 0.0
        spread += best
        share += best > NEAR
    others = len(indices) - 1
    return (spread / others).astype(np.float32), (share / others).astype(np.float32)


def mention_pair_features(story: StoryMentions, left: Places, right: Places, said: Floats) -> Floats:
    """The features (pairs, 34) of pairs of mentions of one article, the left as a cause of the right.

    Args:
        left, right: (pairs,), indices among the mentions.
        said: (pairs, 2), the probability that a claim with these two as cause and effect, and as effect and cause, is
            worth a link; :data:`NO_CLAIM` where there is none.
    """
    distance = story.sentences[right] - story.sentences[left]
    here = distance == 0
    cosine = (story.vectors[left] * story.vectors[right]).sum(axis=1)
    first, second = story.features[left], story.features[right]
    return np.column_stack(
        [
            np.log1p(np.abs(distance)),
            here,
            here & (story.starts[left] < story.starts[right]),
            distance < 0,
            cosine,
            cosine * cosine,
            said,
            said > NO_CLAIM,
            story.roles[left],
            story.roles[right],
            first,
            second,
            first[:, TO_TITLE] * second[:, TO_TITLE],
            first[:, SPREAD] * second[:, SPREAD],
        ]
    ).astype(np.float32)


def ordered_pairs(
    story: StoryMentions,
    claimed: Mapping[Pair, float],
    among: Collection[int] | None = None,
) -> Iterator[tuple[Places, Places, Floats]]:
    """The ordered pairs of mentions of one article that do not overlap and are within ``REACH``, in blocks.

    Args:
        claimed: probability that a claim is worth a link, by the indices of its cause and its effect.
        among: the indices of the mentions that are paired; all by default.

    Yields:
        The arguments ``left``, ``right`` and ``said`` of :func:`mention_pair_features`: some ``BLOCK_PAIRS``
        pairs of one article at most, and one at least.
    """
    taken = np.ones(len(story.articles), dtype=bool)
    if among is not None:
        taken[:] = False
        taken[list(among)] = True
    said: dict[int, list[Pair]] = {article: [] for article in story.articles.tolist()}
    for pair in claimed:
        said[int(story.articles[pair[0]])].append(pair)
    for article in sorted(said):
        own = np.flatnonzero((story.articles == article) & taken)
        yield from _blocks(story, own, {pair: claimed[pair] for pair in said[article]})


def _blocks(
    story: StoryMentions, own: Places, claimed: Mapping[Pair, float]
) -> Iterator[tuple[Places, Places, Floats]]:
    """The pairs of some mentions of one article, as many rows of their matrix at a time as a block holds."""
    place = {mention: at for at, mention in enumerate(own.tolist())}
    ends = [(place[i], place[j]) for i, j in claimed if i in place and j in place]
    worth = np.array([claimed[int(own[i]), int(own[j])] for i, j in ends], dtype=np.float32)
    causes, effects = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    title, starts, ends_at = story.sentences[own] == 0, story.starts[own], story.ends[own]
    for first, last in _row_blocks(len(own)):
        low, high = max(0, first - REACH), min(len(own), last + REACH)
        rows, columns = np.arange(first, last)[:, None], np.arange(low, high)
        table = np.full((2, last - first, high - low), NO_CLAIM, dtype=np.float32)
        for side, (one, other) in zip(table, ((causes, effects), (effects, causes)), strict=True):
            here = (one >= first) & (one < last) & (other >= low) & (other < high)
            side[one[here] - first, other[here] - low] = worth[here]
        apart = (
            (starts[rows] >= ends_at[columns]) | (starts[columns] >= ends_at[rows]) | (title[rows] != title[columns])
        )
        left, right = np.nonzero(apart & (np.abs(rows - columns) <= REACH))
        if len(left):
            yield own[left + first], own[right + low], np.ascontiguousarray(table[:, left, right].T)


def _row_blocks(count: int) -> Iterator[Pair]:
    """First and last row of each block of the matrix of so many mentions."""
    size = max(1, BLOCK_PAIRS // max(1, min(count, 3 * REACH)))
    for first in range(0, count, size):
        yield first, min(first + size, count)
