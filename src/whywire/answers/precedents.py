"""What may follow a headline, by what followed the events before it that are most like it (Radinsky et al. 2012).

The nearest precedents of a headline are found by what their causes mean; what followed them may follow it. For that
three things must hold: the headline tells of such a cause, the cause did lead to the effect, and it is an effect that
this headline, too, can lead to, which the model of pairs judges. Their chances are multiplied. Where the past holds
nothing like the headline, nothing is foretold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice
from math import log

import numpy as np

from whywire.answers.likeness import telling_words
from whywire.answers.past import Precedent
from whywire.answers.predictions import SAME, Judge, Likened, Prediction, fits, groups_of_one_meaning, says_more
from whywire.answers.search import SUREST
from whywire.answers.told import Told
from whywire.headlines.linking import order_of
from whywire.news import Article
from whywire.stories.strength import combined

ALIKE = 0.1
"""The chance that a headline and a cause tell of one event from which on the one is a precedent of the other.

Two earthquakes in two countries reach 0.17, two strikes in two trades 0.03.
"""

FLOOR = 0.12
"""Nothing less probable is foretold. Of what reaches it, half made sense on the twenty headlines it was chosen by."""

MOST = 5
"""So many things at most may follow a headline."""

LOOKED_AT = 300
"""So many precedents, those that share most with a headline, are compared with it by meaning."""


def predict(
    headlines: Sequence[Article],
    past: Sequence[Precedent],
    model: Judge,
    *,
    most: int = MOST,
    floor: float = FLOOR,
) -> list[list[Prediction]]:
    """Foretell, from precedents, what may follow each headline.

    A headline whose time is known is answered from what the news knew by then.

    Args:
        headlines: in one language; only the title, time and id are looked at.
        past: what led to what; precedents in other languages are passed over.
        model: of the headlines of that language.
        most: so many predictions a headline at most.
        floor: predictions less probable (0 to 1) fall out.

    Returns:
        The predictions of each headline, most probable first; empty where the past has nothing like it.
    """
    languages = {headline.language for headline in headlines}
    past = [precedent for precedent in past if precedent.language in languages]
    nearest = _Shortlist(past)
    shortlists = [nearest(headline) for headline in headlines]
    titles = [headline.title for headline in headlines]
    causes = (past[place].cause for places in shortlists for place in places)
    numbers = {text: number for number, text in enumerate(dict.fromkeys((*titles, *causes)))}
    vectors = model.embed(list(numbers))
    found = []
    for headline, places in zip(headlines, shortlists, strict=True):
        cosines = vectors[[numbers[past[place].cause] for place in places]] @ vectors[numbers[headline.title]]
        chances = model.same_event_by_cosine(cosines).tolist()
        likened = [Likened(past[place], chance) for place, chance in zip(places, chances, strict=True)]
        likened = [one for one in likened if one.likeness >= ALIKE]
        found.append(_predictions(headline.title, likened, model, floor)[:most])
    return found


class _Shortlist:
    """Which precedents share most with a headline: words that few causes hold count most."""

    def __init__(self, past: Sequence[Precedent]) -> None:
        self.past = past
        self.holders: defaultdict[str, list[int]] = defaultdict(list)
        for place, precedent in enumerate(past):
            for word in telling_words(precedent.cause):
                self.holders[word].append(place)

    def __call__(self, headline: Article) -> list[int]:
        """Places of the precedents, those that share most first; none that the headline could not know of."""
        shared: defaultdict[int, float] = defaultdict(float)
        for word in telling_words(headline.title):
            for place in self.holders.get(word, ()):
                shared[place] += log(1 + len(self.past) / len(self.holders[word]))
        sharing = sorted(shared, key=lambda place: (-shared[place], place))
        others = (place for place in range(len(self.past)) if place not in shared)
        known = (place for place in chain(sharing, others) if _knew(headline, self.past[place]))
        return list(islice(known, LOOKED_AT))


def _knew(headline: Article, precedent: Precedent) -> bool:
    """Whether a headline comes after its precedent and is not itself what tells of it."""
    own = isinstance(precedent.origin, Told) and precedent.origin.article.id == headline.id
    return not own and order_of(precedent.known, headline.published) is not None


def _predictions(title: str, likened: Sequence[Likened], model: Judge, floor: float) -> list[Prediction]:
    """What the precedents of a headline foretell, most probable first; what means the same is one prediction."""
    telling = (one for one in likened if says_more(one.precedent.effect, title))
    likened = sorted(telling, key=lambda one: (-_weight(one), one.precedent.effect))
    effects = [one.precedent.effect for one in likened]
    vectors = model.embed([title, *effects])
    again = model.same_event_by_cosine(vectors[1:] @ vectors[0]) >= SAME
    kept = np.flatnonzero(~again).tolist()
    groups = groups_of_one_meaning([effects[place] for place in kept], vectors[1:][kept], model)
    witnesses = [_independent([likened[kept[place]] for place in group]) for group in groups]
    chances = [(group, chance) for group in witnesses if (chance := _together(group)) >= floor]
    judged = fits(title, [group[0].precedent.effect for group, _ in chances], model)
    predictions = (
        Prediction(group[0].precedent.effect, chance * fit, fit, group)
        for (group, chance), fit in zip(chances, judged, strict=True)
    )
    return sorted((one for one in predictions if one.probability >= floor), key=lambda one: -one.probability)


def _independent(likened: Sequence[Likened]) -> tuple[Likened, ...]:
    """Of each event, of each voice and of each wording only the first.

    A second report of one earthquake is no second earthquake.
    """
    heard: set[object] = set()
    kept = []
    for one in likened:
        marks = {one.precedent.event, one.precedent.voice, one.precedent.effect}
        if not heard & marks:
            kept.append(one)
        heard |= marks
    return tuple(kept)


def _together(likened: Sequence[Likened]) -> float:
    """The probability by several precedents of one effect, best first."""
    first, *others = map(_weight, likened)
    return min(SUREST, combined(first, others))


def _weight(one: Likened) -> float:
    """How probable a precedent by itself makes its effect."""
    return one.likeness * one.precedent.probability
