"""Links that no sentence says clearly and no headlines show: judged likely by how events stand in an article.

Which error is worse? A false arrow, and here no clear sentence stands behind it. So such links are marked as judged;
there are none between events that have another link; only the likeliest few pairs of an article are asked about, and
none is a good answer.

Two logistic regressions over :func:`whywire.links.mention_pairs.mention_pair_features` score the pairs. The first is
trained on annotated pairs (EventStoryLine) and finds candidates; the second is trained on candidates in the news that
readers judged, and also takes the scores of the judge of direct causes for both directions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.elements import JudgedEvidence, Link, LinkKind
from whywire.events.components import Pair
from whywire.events.event_groups import EventGroups
from whywire.events.mentions import FoundMention
from whywire.links.link_probability import is_sufficient
from whywire.links.mention_pairs import NO_CLAIM, Floats, mention_pair_features, ordered_pairs, story_mentions
from whywire.links.order import order_of_events
from whywire.links.strength import strength
from whywire.models.odds import log_odds, probabilities_of
from whywire.models.pretrained import load_arrays
from whywire.news import Language
from whywire.pairs.model import HeadlineModel
from whywire.progress import Stages

FILE = "judged.npz"
"""The weights in the folder of a sentence model, whose vectors of mentions they were learnt on."""

CANDIDATE = 0.2
"""The probability by marked pairs from which two mentions are a candidate."""

HAPPENED = 0.5
"""The probability of having happened that both must have where no sentence joins them. They must be readable alone
too, for the reader of such a link has only their words. Of the pairs that readers judged and that are likelier than
not, 76 of 100 that pass are right, 53 of all.
"""

HINTED = 0.05
"""The probability of being worth a link that a claim which joins the two must have. Below it one in four is right."""

MOST_CAUSES, MOST_AN_ARTICLE = 3, 4
"""So many causes an event, and pairs an article, the judge is asked about at most: each costs two of its passes."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two events one of which may have led to the other.

    Args:
        source, target: numbers of the events.
        cause, effect: places of the two mentions, of one article, that make it likeliest.
        odds: log-odds of a link without the judge's word.
    """

    source: int
    target: int
    cause: int
    effect: int
    odds: float


class MentionPairModel:
    """Judges pairs of mentions of one article.

    Args:
        weights: ``marked`` (features,) and ``marked_bias`` (1,); ``read`` (1 + features,), of which the first is for
            the log-odds by ``marked``, ``judge`` (2,) for the log-odds of the judge's strengths forward and back, and
            ``read_bias`` (1,).
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = {name: np.asarray(weights[name], dtype=np.float32) for name in _NAMES}

    @classmethod
    def from_folder(cls, folder: Path) -> MentionPairModel | None:
        """Load the weights beside a sentence model; ``None`` where it has none, and no links are judged.

        Raises:
            ModelError: they cannot be read.
        """
        if not (folder / FILE).is_file():
            return None
        return cls(load_arrays(folder / FILE, _NAMES))

    def marked(self, features: Floats) -> Floats:
        """Log-odds of each pair (pairs, features) that people would mark it, (pairs,)."""
        odds: Floats = features @ self._weights["marked"] + self._weights["marked_bias"]
        return odds

    def odds(self, features: Floats) -> Floats:
        """Log-odds of each pair (pairs, features) that readers would find it right, without the judge, (pairs,)."""
        known = np.column_stack([self.marked(features), features])
        odds: Floats = known @ self._weights["read"] + self._weights["read_bias"]
        return odds

    def probability(
        self, odds: NDArray[np.floating], forward: NDArray[np.float64], backward: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The probability of each pair, (pairs,), with the judge's strengths (0 to 100) both ways round."""
        heard = np.column_stack([log_odds(forward / 100), log_odds(backward / 100)])
        return probabilities_of(odds + heard @ self._weights["judge"])

    def candidates(
        self, mentions: Sequence[FoundMention], claimed: Mapping[Pair, float]
    ) -> Iterator[tuple[int, int, float]]:
        """The candidates among the mentions of a story: two places, cause first, and the log-odds.

        Args:
            claimed: the probability that a claim is worth a link, by the places of its cause and its effect.
        """
        setting = story_mentions(mentions)
        fit = np.array([one.names and one.reading.actual >= HAPPENED for one in mentions])
        least = float(log_odds(CANDIDATE))
        for left, right, said in ordered_pairs(setting, claimed):
            features = mention_pair_features(setting, left, right, said)
            alone = np.where(said[:, 0] > NO_CLAIM, said[:, 0] >= HINTED, fit[left] & fit[right])
            likely = np.flatnonzero((self.marked(features) >= least) & alone)
            odds = self.odds(features[likely])
            yield from zip(left[likely].tolist(), right[likely].tolist(), odds.tolist(), strict=True)


_NAMES = ("marked", "marked_bias", "read", "judge", "read_bias")


def candidates(
    judge: MentionPairModel,
    stories: Iterable[tuple[Sequence[int], Mapping[Pair, float]]],
    mentions: Sequence[FoundMention],
    event_of: Sequence[int],
    possible: Callable[[int, int], bool],
) -> list[Candidate]:
    """The pairs of events that the judge is to be asked about, likeliest first; each in one direction.

    Args:
        stories: the places of the mentions of each, and the probability that a claim is worth a link, by where its
            cause and its effect are among these.
        event_of: (mentions,), the number of the event of each.
        possible: whether one event may have led to another as far as is known.
    """
    found = []
    for story, claimed in stories:
        for i, j, odds in judge.candidates([mentions[place] for place in story], claimed):
            cause, effect = story[i], story[j]
            found.append(Candidate(event_of[cause], event_of[effect], cause, effect, odds))
    chosen: dict[Pair, Candidate] = {}
    causes: Counter[int] = Counter()
    asked: Counter[int] = Counter()
    for one in sorted(found, key=lambda one: (-one.odds, one.cause, one.effect)):
        pair, home = (one.source, one.target), mentions[one.cause].home
        if pair[0] == pair[1] or pair in chosen or pair[::-1] in chosen:
            continue
        if causes[one.target] < MOST_CAUSES and asked[home] < MOST_AN_ARTICLE and possible(*pair):
            chosen[pair] = one
            causes[one.target] += 1
            asked[home] += 1
    return list(chosen.values())


def judged_links(
    groups: EventGroups,
    known: Collection[Pair],
    judge: MentionPairModel,
    headlines: HeadlineModel,
    language: Language,
    stages: Stages,
) -> list[Link]:
    """The links that nobody says and no headlines show, between events of one article.

    Args:
        known: pairs of events, by their numbers, for which somebody says or something shows a link.
        headlines: the model of the language's headlines, which judges strength.
    """
    events, mentions = groups.events, groups.mentions

    def possible(source: int, target: int) -> bool:
        apart = (source, target) not in known and (target, source) not in known
        return apart and order_of_events(events[source], events[target]) is not None

    with stages.stage("choosing causes", language):
        chosen = candidates(judge, groups.mentions_of_stories(), mentions, groups.event_of, possible)
    pairs = [(_words(mentions[one.cause]), _words(mentions[one.effect])) for one in chosen]
    with stages.stage("judging causes", language, 2 * len(pairs)) as advance:
        forward = headlines.strengths(pairs, advance)
        backward = headlines.strengths([pair[::-1] for pair in pairs], advance)
    stages.counts["judged pairs"] += 2 * len(pairs)
    probabilities = judge.probability(np.array([one.odds for one in chosen]), forward, backward)
    links = []
    for one, likely, judged in zip(chosen, probabilities.tolist(), forward.tolist(), strict=True):
        probability = likely * float(groups.naming[one.cause] * groups.naming[one.effect])
        evidence = JudgedEvidence(mentions[one.cause].mention, mentions[one.effect].mention, probability)
        order = order_of_events(events[one.source], events[one.target])
        if order and is_sufficient([evidence]):
            link = Link(
                source=events[one.source].id,
                target=events[one.target].id,
                kind=LinkKind.CAUSES,
                probability=probability,
                strength=strength(probability, judged, 1),
                order=order,
                evidence=(evidence,),
                judged=judged,
            )
            links.append(link)
    return links


def _words(mention: FoundMention) -> str:
    return " ".join(mention.words.split())
