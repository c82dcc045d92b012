"""Whether two titles, or two sentences, say one thing: by the words that they share, rare ones counting most.

The names in a headline are rarer than its verbs, so two reports of one event share most of the weight of their words
even if one says *sign* and the other *join*. Words alone cannot tell a restatement from a later step about the same
people, so the thresholds are for what a reader should not be told twice, not for what is one event.
"""

from __future__ import annotations

from math import fsum

from whywire.news.language import Language
from whywire.news.stems import rarities, stems

RESTATES = 0.5
"""The share of the words of the shorter text, by weight, from which it adds nothing to the longer."""

SAME = 0.46
"""The share of the words of the longer text, by weight, from which both tell one event. Of 1,100 events of 27 stories
of real news eight reached it with the headline of their story, and seven of these were that event."""


ONE_REPORT = 0.6
"""The share of the words of the shorter headline, by weight, from which both may report one event. In the example and
eight unread stories seven events reached ``SAME`` with the headline of their story: the three that are it reach this,
the four that are other steps do not."""

ALL = 0.75
"""The share of the words of a title, by weight, from which a sentence says all of it."""


def restates(one: str, other: str, language: Language) -> bool:
    """Whether one of two texts has most of the words of the other; one word alone ("the pandemic") may say more."""
    shorter, longer = shared(one, other, language)
    several = min(len(stems(one)), len(stems(other))) > 1
    return (several and shorter >= RESTATES) or longer >= SAME


def tells_the_same(one: str, other: str, language: Language) -> bool:
    """Whether two texts have so many words in common that both tell one event: neither is a part of the other."""
    return shared(one, other, language)[1] >= SAME


def reports_the_same(one: str, other: str, language: Language) -> bool:
    """Whether two headlines tell one event, and not two steps of a story that have its names in common."""
    shorter, longer = shared(one, other, language)
    return longer >= SAME and shorter >= ONE_REPORT


def says_all_of(text: str, title: str, language: Language) -> bool:
    """Whether a text has nearly all words of a title."""
    words, others = rarities(title, language), rarities(text, language)
    return bool(words) and fsum(weight for stem, weight in words.items() if stem in others) >= ALL * fsum(
        words.values()
    )


def shared(one: str, other: str, language: Language) -> tuple[float, float]:
    """The shares, by weight, of the words of the shorter and of the longer text that are in both; 0 without words."""
    words, others = rarities(one, language), rarities(other, language)
    both = fsum(weight for stem, weight in words.items() if stem in others)
    less, more = sorted((fsum(words.values()), fsum(others.values())))
    return (both / less, both / more) if both else (0.0, 0.0)
