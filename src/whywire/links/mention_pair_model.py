"""The model of judged links: how likely one of two mentions of an article led to the other.

The weights lie in the folder of a sentence model, whose mention vectors they were trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Pair
from whywire.events.mentions import MentionCandidate
from whywire.links.mention_pairs import (
    NO_CLAIM,
    Floats,
    Places,
    StoryMentions,
    mention_pair_features,
    ordered_pairs,
    story_mentions,
)
from whywire.models.odds import log_odds, probabilities_of
from whywire.models.pretrained import load_arrays

WEIGHTS_FILE = "judged.npz"
"""The file of the weights in the folder of a sentence model."""

MIN_ANNOTATED = 0.2
"""The probability, by annotated pairs, from which two mentions are a candidate."""

MIN_HAPPENED = 0.5
"""The probability of having happened that two mentions need if no claim connects them. They must also be understood
alone, for the reader of such a link has only their words. Among pairs with a probability above one half, readers
found 76 of 100 right that pass, and 53 of 100 without this rule.
"""

MIN_CLAIMED = 0.05
"""The least probability of being worth a link for a claim between two mentions; below it one in four is right."""


MAX_CANDIDATES = 10_000
"""Most candidates of one article, far more than are ever judged."""


class MentionPairModel:
    """Scores pairs of mentions of one article by two logistic regressions.

    The first is trained on annotated pairs (EventStoryLine) and finds candidates. The second is trained on candidates
    in the news that readers judged, and also takes the scores of the judge of direct causes for both directions.

    Args:
        weights: ``marked`` (features,) and ``marked_bias`` (1,); ``read`` (1 + features,), of which the first is for
            the log-odds by ``marked``, ``judge`` (2,) for the log-odds of the judge's strengths forward and back, and
            ``read_bias`` (1,).
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = {name: np.asarray(weights[name], dtype=np.float32) for name in _NAMES}

    @classmethod
    def from_folder(cls, folder: Path) -> MentionPairModel | None:
        """Load the weights from the folder of a sentence model; ``None`` if it has none.

        Raises:
            ModelError: they cannot be read.
        """
        if not (folder / WEIGHTS_FILE).is_file():
            return None
        return cls(load_arrays(folder / WEIGHTS_FILE, _NAMES))

    def annotated_log_odds(self, features: Floats) -> Floats:
        """Log-odds (pairs,) that annotators would mark each pair, from features (pairs, features)."""
        odds: Floats = features @ self._weights["marked"] + self._weights["marked_bias"]
        return odds

    def reader_log_odds(self, features: Floats) -> Floats:
        """Log-odds (pairs,) that readers would find each pair right, without the judge, from features."""
        inputs = np.column_stack([self.annotated_log_odds(features), features])
        odds: Floats = inputs @ self._weights["read"] + self._weights["read_bias"]
        return odds

    def probability(
        self, odds: NDArray[np.floating], forward: NDArray[np.float64], backward: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The probability (pairs,) that readers would find each pair right, with the judge's scores.

        Args:
            odds: (pairs,), :meth:`reader_log_odds`.
            forward: (pairs,), strength of the first mention as a cause of the second, 0 to 100.
            backward: (pairs,), strength of the second as a cause of the first.
        """
        scores = np.column_stack([log_odds(forward / 100), log_odds(backward / 100)])
        return probabilities_of(odds + scores @ self._weights["judge"])

    def candidates(
        self,
        mentions: Sequence[MentionCandidate],
        claimed: Mapping[Pair, float],
    ) -> Iterator[tuple[int, int, float]]:
        """The candidates among the mentions of a story, at most the ``MAX_CANDIDATES`` most likely of each article.

        Args:
            claimed: probability that a claim is worth a link, by the indices of its cause and its effect.

        Yields:
            The indices of cause and effect, and the :meth:`reader_log_odds`.
        """
        story = story_mentions(mentions)
        standalone = _standalone(mentions)
        blocks = ordered_pairs(story, claimed, paired_mentions(mentions, claimed))
        for _, blocks_of_article in groupby(blocks, key=lambda block: story.articles[block[0][0]]):
            candidates: list[tuple[int, int, float]] = []
            for block in blocks_of_article:
                candidates += self._likely(story, standalone, *block)
                if len(candidates) > MAX_CANDIDATES:
                    candidates = sorted(candidates, key=lambda candidate: -candidate[2])[:MAX_CANDIDATES]
            yield from candidates

    def _likely(
        self, story: StoryMentions, standalone: NDArray[np.bool_], left: Places, right: Places, said: Floats
    ) -> Iterator[tuple[int, int, float]]:
        """The pairs that are candidates, with their log-odds."""
        claimed = said[:, 0] > NO_CLAIM
        allowed = np.flatnonzero(np.where(claimed, said[:, 0] >= MIN_CLAIMED, standalone[left] & standalone[right]))
        left, right = left[allowed], right[allowed]
        features = mention_pair_features(story, left, right, said[allowed])
        likely = np.flatnonzero(self.annotated_log_odds(features) >= float(log_odds(MIN_ANNOTATED)))
        odds = self.reader_log_odds(features[likely])
        return zip(left[likely].tolist(), right[likely].tolist(), odds.tolist(), strict=True)


def paired_mentions(mentions: Sequence[MentionCandidate], claimed: Iterable[Pair]) -> set[int]:
    """The indices of the mentions that are paired: those that happened and are understood alone, and those of claims.

    Args:
        claimed: the indices of causes and effects that a claim connects.
    """
    return {*np.flatnonzero(_standalone(mentions)).tolist(), *(end for pair in claimed for end in pair)}


def _standalone(mentions: Sequence[MentionCandidate]) -> NDArray[np.bool_]:
    return np.array([mention.can_name and mention.reading.actual >= MIN_HAPPENED for mention in mentions], dtype=bool)


_NAMES = ("marked", "marked_bias", "read", "judge", "read_bias")
