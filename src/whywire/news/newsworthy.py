"""The news filter, which drops horoscopes, recipes, quizzes, deals, listings, forecasts and round-ups.

The authors of HLGD removed such headlines by hand (Laban, Bandarkar and Hearst 2021); a stream needs an automatic
filter. This filter is a linear model over the words of a title, fast enough for every article.

Dropping news is worse than keeping a horoscope, which only adds one event. So the filter is cautious: 95 % of the
titles that it drops are indeed not news, and most titles that are not news are kept. This was measured on held-out
titles of the streams that the filter was trained on. On other sources the filter is less precise: it dropped 2 % of
English headlines of 2014, and about a third of the dropped headlines were news. Opinion, analysis, reviews,
interviews and gossip are about something that happened, and are meant to stay.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.errors import ModelError
from whywire.news.article import Article, Problem
from whywire.news.article_rows import to_row
from whywire.news.language import Language

WEIGHTS = Path(__file__).parent / "newsworthy.npz"

BUCKETS = 1 << 15
"""The number of buckets that features are hashed to; features in the same bucket are not distinguished."""

LEAD_WORDS = 30
"""The number of words of a text that are read. Only their word classes and signs are features: other words added
noise."""

STEM = 5
"""Letters of a word's stem. The stem is a feature beside the word itself and ignores most endings in both
languages."""

REASON = "not news: a horoscope, a listing, an offer or the like"

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%$€£₽°?|#№…]|\.\.\.")

_CLASSES = {
    "<month>": r"january|february|march|april|june|july|august|september|october|november|december"
    r"|январ[яье]|феврал[яье]|марта?|апрел[яье]|ма[йяе]|июн[яье]|июл[яье]|августа?|сентябр[яье]|октябр[яье]"
    r"|ноябр[яье]|декабр[яье]",
    "<day>": r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|понедельника?|вторника?|сред[аыу]|четверга?|пятниц[аыу]"
    r"|суббот[аыу]|воскресенье?",
    "<sign>": r"aries|taurus|gemini|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces|ов(?:е?н)[а-я]*"
    r"|тел(?:ец|ьц)[а-я]*|близнец[а-я]*|скорпион[а-я]*|стрел(?:ец|ьц)[а-я]*|козерог[а-я]*|водоле[а-я]+",
}
"""Word classes; a word is replaced by its class. Ambiguous words are left out: may, cancer, fish."""

_KINDS = {name: re.compile(words) for name, words in _CLASSES.items()}


class NewsFilter:
    """A linear classifier of titles: news or not.

    Args:
        weights: (``BUCKETS``,) weights of the features; a positive weight makes news more probable.
        bias: added to the score, which is the sum of an article's weights divided by the square root of their number.
        threshold: articles with at least this probability of being news are kept.
    """

    def __init__(self, weights: NDArray[np.floating], bias: float, threshold: float) -> None:
        self.weights = weights.astype(np.float64)
        self.bias = bias
        self.threshold = threshold

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> NewsFilter:
        """Load the bundled filter for English and Russian, or a filter from a file.

        Raises:
            ModelError: the file is missing or is not a news filter.
        """
        try:
            with np.load(path) as stored:
                weights, bias, threshold = (stored[name] for name in ("weights", "bias", "threshold"))
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"not a usable news filter: {error}", where=str(path)) from error
        if weights.shape != (BUCKETS,):
            raise ModelError(f"a news filter of {weights.shape} weights, not of ({BUCKETS},)", where=str(path))
        return cls(weights, float(bias), float(threshold))

    def probability(self, titles: Sequence[str], leads: Sequence[str] = ()) -> NDArray[np.float64]:
        """Return the probability (0 to 1) that each title is news, (titles,).

        Args:
            leads: one text per title, blank if the text is missing, or no texts at all. Only the beginning of a text
                is read.

        Raises:
            ValueError: there are leads, but not one for each title.
        """
        if leads and len(leads) != len(titles):
            raise ValueError(f"Number of leads ({len(leads)}) must match number of titles ({len(titles)})")
        scores = np.full(len(titles), self.bias)
        for number, title in enumerate(titles):
            buckets = feature_places(title, leads[number] if leads else "")
            scores[number] += self.weights[buckets].sum() / len(buckets) ** 0.5
        result: NDArray[np.float64] = 0.5 + np.tanh(scores / 2) / 2
        return result

    def split(self, articles: Sequence[Article]) -> tuple[list[Article], list[Problem]]:
        """Return the articles that are news, in order, and one problem with the row for each dropped article.

        Articles in other languages than English and Russian are kept.
        """
        probabilities = self.probability(
            [article.title for article in articles], [article.text for article in articles]
        )
        kept: list[Article] = []
        dropped: list[Problem] = []
        for article, probability in zip(articles, probabilities, strict=True):
            if probability >= self.threshold or article.language is Language.OTHER:
                kept.append(article)
            else:
                dropped.append(Problem(article.id, f"{REASON} (news: {probability:.2f})", row=to_row(article)))
        return kept, dropped


def feature_places(title: str, lead: str = "") -> NDArray[np.int64]:
    """Return the buckets of an article's features, each once, in order; there is at least one."""
    return np.array(sorted({zlib.crc32(name.encode()) % BUCKETS for name in _features(title, lead)}), dtype=np.int64)


def _features(title: str, lead: str) -> Iterator[str]:
    words = _words(title)
    yield from words
    yield from (word[:STEM] for word in words if len(word) > STEM)
    yield from map(" ".join, pairwise(["^", *words, "$"]))
    yield from (f"long {limit}" for limit in (3, 6, 15) if len(words) > limit)
    if "?" in title:
        yield "asks"
    yield from (f"lead {word}" for word in _words(" ".join(lead.split()[:LEAD_WORDS])) if not word[0].isalnum())


def _words(text: str) -> list[str]:
    return [_kind(token) for token in _TOKEN.findall(text.lower().replace("ё", "е"))]


@lru_cache(maxsize=1 << 16)
def _kind(token: str) -> str:
    """Return the class of a word; a number with 0 for each digit (``31`` becomes ``00``); or the word itself."""
    if token[0].isdigit():
        return re.sub(r"\d", "0", token)
    return next((name for name, words in _KINDS.items() if words.fullmatch(token)), token.replace("’", "'"))
