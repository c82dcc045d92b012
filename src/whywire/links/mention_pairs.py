"""Features of pairs of mentions of one article, by which a model judges whether one led to the other.

An article seldom says *because*. What suggests that one event led to another is how the two are reported: how near
to each other, how similar, how near to the headline, and in how many other reports of the story. Words enter only
through mention vectors and a few probabilities, so that a model of these features generalises; with the hidden states
of the models it did worse on held-out topics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import MentionKind
from whywire.events.mentions import FoundMention

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

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


def story_mentions(mentions: Sequence[FoundMention]) -> StoryMentions:
    """Turn the mentions of one story into arrays."""
    vectors = np.stack([one.vector for one in mentions]).astype(np.float32)
    articles = np.array([one.article_index for one in mentions])
    sentences = np.array([one.sentence for one in mentions])
    titles = {one.article_index: one.vector for one in mentions if one.is_headline}
    to_title = np.array(
        [float(one.vector @ titles[one.article_index]) if one.article_index in titles else 0.0 for one in mentions]
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
        best = (vectors @ vectors[articles == article].T).max(axis=1)
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
    story: StoryMentions, claimed: Mapping[tuple[int, int], float], articles: Collection[int] | None = None
) -> Iterator[tuple[Places, Places, Floats]]:
    """All ordered pairs of mentions of one article that do not overlap, article by article.

    Args:
        claimed: probability that a claim is worth a link, by the indices of its cause and its effect.
        articles: the indices of those wanted; all by default.

    Yields:
        The arguments ``left``, ``right`` and ``said`` of :func:`mention_pair_features`.
    """
    said: dict[int, list[tuple[int, int]]] = {article: [] for article in story.articles.tolist()}
    for pair in claimed:
        said[int(story.articles[pair[0]])].append(pair)
    for article in np.unique(story.articles):
        if articles is not None and article not in articles:
            continue
        own = np.flatnonzero(story.articles == article)
        table = np.full((len(own), len(own)), NO_CLAIM, dtype=np.float32)
        for i, j in said[int(article)]:
            table[np.searchsorted(own, i), np.searchsorted(own, j)] = claimed[i, j]
        title, starts, ends = story.sentences[own] == 0, story.starts[own], story.ends[own]
        apart = (starts[:, None] >= ends) | (starts >= ends[:, None]) | (title[:, None] != title)
        left, right = np.nonzero(apart)
        yield own[left], own[right], np.column_stack([table[left, right], table[right, left]])
