"""How two mentions of one article stand to each other: what is known of whether the one led to the other.

An article seldom says *because*. That one event it tells of led to another shows in how the two stand in it: how near
to each other, how much of one matter, how near to the headline, and in how many other reports of the story. The words
are seen through the vectors of the mentions and a few probabilities alone, so that what is learnt from these features
holds on other news; with the states of the models themselves it did worse on topics held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import MentionKind
from whywire.events.mentions import FoundMention

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

NEAR = 0.6
"""The cosine from which a mention of another article counts as telling of nearly the same."""

NO_CLAIM = -0.2
"""What stands for the probability of a claim where no sentence joins the two."""

TO_TITLE, SPREAD = 2, 5
"""Places in ``StoryMentions.each``."""


@dataclass(frozen=True, slots=True, eq=False)
class StoryMentions:
    """How the mentions of a story stand in their articles and in the story.

    Args:
        vectors: (mentions, size), unit length.
        homes: (mentions,), the number of the article of each.
        sentences: (mentions,), the number of the sentence in the article; the headline is 0.
        starts, ends: (mentions,), where they stand in their field.
        each: (mentions, 9): log position of the sentence, is the headline, cosine with the headline, probability of
            having happened, of being planned, mean cosine with the nearest mention of each other article of the
            story, share of these articles that have a near one, probability of being understood alone, log number
            of words.
        roles: (mentions, 2): is the cause, or the effect, of a claim.
    """

    vectors: Floats
    homes: Places
    sentences: Places
    starts: Places
    ends: Places
    each: Floats
    roles: Floats


def story_mentions(mentions: Sequence[FoundMention]) -> StoryMentions:
    """Look at the mentions of one story together."""
    vectors = np.stack([one.vector for one in mentions]).astype(np.float32)
    homes = np.array([one.home for one in mentions])
    sentences = np.array([one.sentence for one in mentions])
    titles = {one.home: one.vector for one in mentions if one.is_headline}
    to_title = np.array([float(one.vector @ titles[one.home]) if one.home in titles else 0.0 for one in mentions])
    spread, share = _elsewhere(vectors, homes)
    known = np.array([[one.reading.actual, one.reading.planned] for one in mentions])
    alone = np.array([one.reading.alone for one in mentions])
    words = np.log([len(one.words.split()) for one in mentions])
    each = np.column_stack([np.log1p(sentences), sentences == 0, to_title, known, spread, share, alone, words])
    return StoryMentions(
        vectors,
        homes,
        sentences,
        np.array([one.mention.span[0] for one in mentions]),
        np.array([one.mention.span[1] for one in mentions]),
        each.astype(np.float32),
        np.array([[one.mention.kind is kind for kind in (MentionKind.CAUSE, MentionKind.EFFECT)] for one in mentions])
        .reshape(-1, 2)
        .astype(np.float32),
    )


def _elsewhere(vectors: Floats, homes: Places) -> tuple[Floats, Floats]:
    """How near the nearest mention of each other article is on average, and in how many there is a near one."""
    articles = np.unique(homes)
    spread, share = np.zeros(len(homes), np.float32), np.zeros(len(homes), np.float32)
    if len(articles) < 2:
        return spread, share
    for article in articles:
        best = (vectors @ vectors[homes == article].T).max(axis=1)
        best[homes == article] = 0.0
        spread += best
        share += best > NEAR
    others = len(articles) - 1
    return (spread / others).astype(np.float32), (share / others).astype(np.float32)


def mention_pair_features(setting: StoryMentions, left: Places, right: Places, said: Floats) -> Floats:
    """What is known of pairs of mentions of one article, the left as a cause of the right, (pairs, 34).

    Args:
        left, right: (pairs,), places among the mentions.
        said: (pairs, 2), the probability that a claim with these two as cause and effect, and as effect and cause, is
            worth a link; :data:`NO_CLAIM` where there is none.
    """
    distance = setting.sentences[right] - setting.sentences[left]
    here = distance == 0
    cosine = (setting.vectors[left] * setting.vectors[right]).sum(axis=1)
    first, second = setting.each[left], setting.each[right]
    return np.column_stack(
        [
            np.log1p(np.abs(distance)),
            here,
            here & (setting.starts[left] < setting.starts[right]),
            distance < 0,
            cosine,
            cosine * cosine,
            said,
            said > NO_CLAIM,
            setting.roles[left],
            setting.roles[right],
            first,
            second,
            first[:, TO_TITLE] * second[:, TO_TITLE],
            first[:, SPREAD] * second[:, SPREAD],
        ]
    ).astype(np.float32)


def ordered_pairs(
    setting: StoryMentions, claimed: Mapping[tuple[int, int], float]
) -> Iterator[tuple[Places, Places, Floats]]:
    """All ordered pairs of mentions of one article that share no words, article by article, with what is claimed.

    Args:
        claimed: the probability that a claim with two mentions, as places, as cause and effect is worth a link.
    """
    said: dict[int, list[tuple[int, int]]] = {article: [] for article in setting.homes.tolist()}
    for pair in claimed:
        said[int(setting.homes[pair[0]])].append(pair)
    for article in np.unique(setting.homes):
        own = np.flatnonzero(setting.homes == article)
        table = np.full((len(own), len(own)), NO_CLAIM, dtype=np.float32)
        for i, j in said[int(article)]:
            table[np.searchsorted(own, i), np.searchsorted(own, j)] = claimed[i, j]
        title, starts, ends = setting.sentences[own] == 0, setting.starts[own], setting.ends[own]
        apart = (starts[:, None] >= ends) | (starts >= ends[:, None]) | (title[:, None] != title)
        left, right = np.nonzero(apart)
        yield own[left], own[right], np.column_stack([table[left, right], table[right, left]])
