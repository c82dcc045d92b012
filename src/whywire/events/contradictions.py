"""Finds in what one headline contradicts another: polarity, number or attribution.

Which error is worse? A false refutation: a reader who sees two reports that agree called a refutation doubts all of
them. The pair model was trained on few refutations and takes any later turn of a story for one. So its probability is
not enough: the words must show a contradiction of one of these kinds.

Words are compared by their first letters (:func:`whywire.news.distinctive_terms.stems`), so that one set of rules
serves both languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from whywire.elements import Contradiction
from whywire.events.denials import ALIVE, DEATH, DENIES, FALSEHOOD, is_denial
from whywire.news.distinctive_terms import stems
from whywire.news.numbers import PEOPLE_TERMS, Count, counts
from whywire.news.places import OUTLET_SUFFIX, in_different_places, places

REVERSAL = re.compile(
    r"\b(cancel\w*|call(s|ed) off|pull(s|ed)? (the )?plug|scrap(s|ped)?|shelve[sd]?|postpon\w+|abandon(s|ed)?|"
    r"ditch(es|ed)|overturn\w*|quash\w*|revers(es|ed)|revok\w+|annul\w*|void(s|ed)|averted|vote[sd]? down|"
    r"not go ahead)\b"
    r"|\b(отмен(ил|ён|ен|ят)\w*|отлож(ил|ен)\w*|перенес(ли|ла|ен)\w*|передумал\w*|аннулир\w+|снят\w*|"
    r"не вер(ить|ьте)|не состо\w+|не (будет|был[оаи]?))\b",
    re.IGNORECASE,
)
"""A verb that takes back a plan or a decision; what is taken back mostly follows it."""

MYTH = re.compile(
    r"\b(myth|nonsense|rubbish|bogus|contrary to|u-turn)\b"
    r"|\b(миф\w*|чушь|враки|враньё?|бред|дутая|на самом деле|вопреки (слух|сообщ|заявл|прогноз)\w+)\b",
    re.IGNORECASE,
)
"""A word for a false belief, anywhere in a headline."""

CORRECTION = re.compile(
    r"(?P<right>[\w’'-]+),\s(?:not|rather than|а не)\s(?P<wrong>(?:[\w’'-]+\s?){1,3})", re.IGNORECASE
)
"""One thing put in the place of another: "eggs, not chicken"."""

SHORT_STEM = 3
"""Letters by which words are compared where there are few words: cure, curative."""

SPEECH_WORDS = stems(
    "claims reports rumours allegations suggestions news information сообщения слухи информацию данные"
)
"""The stems of words that may stand between a denial and what it denies."""

PREPOSITION = re.compile(r"\b(?:in|at|on|of|for|from|over|after|before|by|with|в|во|на|о|об|из|по|для|после|при)\b")
"""What ends the first words of what is denied."""

MIN_DENIED_SHARE = 0.34
"""The share of the denied stems that the earlier headline must contain; else it is something else, such as guilt."""

NEGATION = re.compile(
    r"(?:\b(?<!why )(?:not|no|never|cannot|nor|не|нет|нельзя)|n['’]t)\b"
    r"(?!\s+(?:only|just|merely|least|less|(?:be )?more|fewer|later|yet|wait|doubt|matter|longer than|"
    r"стал[оа]?|исключ\w+|хвата\w+|только|просто|менее|более|меньше|больше|раньше|позднее)\b)",
    re.IGNORECASE,
)
"""A word that negates those after it; "not only", "can't wait" and "не менее" negate nothing."""

UNDECIDED = re.compile(
    r"\b(how|why|refus\w+|dismiss\w*|oppos\w+|declin\w+|against|innocent|unlikely|without)\b"
    r"|\b(как|почему|отказ\w+|против|невинов\w+|без)\b",
    re.IGNORECASE,
)
"""What says no without a negation, or makes one no statement: "how not to fall ill"."""

ATTRIBUTION = re.compile(
    r",\s(?:[\w’'-]+\s){0,3}(?:says?|said|заяви\w+|сообщи\w+|утвержда\w+)(?:\s[\w’'-]+){0,2}$", re.IGNORECASE
)
"""Who says what a headline says, at its end."""

MAX_WORDS_ADDED = 2
"""Stems by which a headline that negates another may say more or less; else it speaks of something besides."""

NEGATIVE = re.compile(r"\b(negative|отрицательн\w+)\b", re.IGNORECASE)
"""A negative result."""

NEGATION_SCOPE = 3
"""Words of at least four letters that a negation applies to, up to the next comma or colon."""

BLAMES = re.compile(
    r"(?P<before>(?:[\w'’-]+\s){1,3})(?:(?:is |are |was |were )?(?:blamed for|behind|responsible for|to blame for|"
    r"caused)|claims? responsibility for)\b"
    r"|\b(?:blames?|caused by|carried out by|work of|по вине|ответственность за \w+ взял[аи]?|"
    r"виновн\w+ \w+ назвал[аи]?|причиной \w+ стал[аи]?)\s(?P<after>(?:[\w'’«»-]+\s?){1,2})",
    re.IGNORECASE,
)
"""Whom or what a headline holds responsible."""

CAUSING = re.compile(
    r"\b(behind|blame[sd]?|caused?|source|вызва\w+|объясн\w+|причин\w+|вин\w+|устроил\w*)\b", re.IGNORECASE
)
"""Words that make a correction one of who or what was responsible."""

WORD = re.compile(r"[^\W\d_]+")

CACHED_TEXTS = 65_536
"""Texts whose parts are kept, for each is compared with many others."""

MIN_SHARED_STEMS = 2
"""Headlines that share fewer stems may be about different things."""


def contradiction(earlier: str, later: str) -> Contradiction | None:
    """In what the later headline contradicts the earlier, as far as their words show it; ``None`` if they do not."""
    earlier, later = OUTLET_SUFFIX.sub("", earlier), OUTLET_SUFFIX.sub("", later)
    if in_different_places(places(earlier), places(later)):
        return None
    for shown, kind in (
        (_blames_another, Contradiction.ATTRIBUTION),
        (_takes_back, Contradiction.POLARITY),
        (counts_otherwise, Contradiction.NUMBER),
    ):
        if shown(earlier, later):
            return kind
    return None


def denies(denial: str, other: str) -> bool:
    """Whether one text says that what the other asserts is not so, by a word of denial or by negating its very words.

    Narrower than :func:`contradiction`, which is asked where a model already takes two headlines for a refutation:
    two reports of one event often say in a negative and in a positive word what a party will not do.
    """
    if not negates(denial) or negates(other) or _is_undecided(denial) or _is_undecided(other):
        return False
    denial, other = _without_attribution(denial), _without_attribution(other)
    said, shared = _said(other), _said(denial) & _said(other)
    if len(shared) < MIN_SHARED_STEMS:
        return False
    if _denies_death(denial, other):
        return True
    if is_denial(denial):
        return any(what.is_in(said) for what in _denied(denial))
    if REVERSAL.search(other) or not _negated(denial) & shared:
        return False
    fewer, more = sorted((len(said), len(_said(denial))))
    return len(shared) >= max(MIN_SHARED_STEMS, fewer - 1, more - MAX_WORDS_ADDED)


@lru_cache(maxsize=CACHED_TEXTS)
def _is_undecided(text: str) -> bool:
    return bool(UNDECIDED.search(text))


@lru_cache(maxsize=CACHED_TEXTS)
def _without_attribution(text: str) -> str:
    return ATTRIBUTION.sub("", text)


@lru_cache(maxsize=CACHED_TEXTS)
def _said(text: str) -> frozenset[str]:
    """The stems of a text; all words for a death are one."""
    return frozenset(stems(DEATH.sub("death", text)))


def _takes_back(earlier: str, later: str) -> bool:
    """Whether the later headline denies the earlier, or one of them negates what the other asserts."""
    said = _said(earlier)
    shared = said & _said(later)
    if len(shared) < MIN_SHARED_STEMS:
        return False
    if _denies_death(later, earlier):
        return True
    before, after = _denied(earlier), _denied(later)
    covered = any(what.is_in(said) for what in after)
    if covered and len(before) % 2 != len(after) % 2 and (before or not negates(earlier)):
        return True  # who denies a denial asserts
    if negates(earlier) and negates(later):
        return False
    turned = (_negated(earlier) | _negated(later)) & shared
    return _corrects(earlier, later) or (bool(turned) and len(shared - turned) >= MIN_SHARED_STEMS - 1)


def _denies_death(denial: str, other: str) -> bool:
    """Whether one text says that somebody lives, and the other that somebody died."""
    return bool(ALIVE.search(denial) and DEATH.search(other) and not ALIVE.search(other))


@lru_cache(maxsize=CACHED_TEXTS)
def negates(headline: str) -> bool:
    """Whether a text denies or negates anything."""
    return bool(is_denial(headline) or NEGATION.search(headline) or NEGATIVE.search(headline))


@dataclass(frozen=True, slots=True)
class _Denied:
    """What a headline denies.

    Args:
        words: the stems of it; empty where the whole headline is denied.
        head: of those, the ones before a preposition: "sabotage" of "sabotage in the Ellery refinery".
    """

    words: frozenset[str]
    head: frozenset[str]

    def is_in(self, said: frozenset[str]) -> bool:
        """Whether other words assert it."""
        enough = len(self.words & said) >= MIN_DENIED_SHARE * len(self.words)
        return enough and (not self.head or not self.head.isdisjoint(said))


@lru_cache(maxsize=CACHED_TEXTS)
def _denied(headline: str) -> tuple[_Denied, ...]:
    """What a headline denies, for each word of denial: what stands after the word, else what stands before it."""
    found = []
    for pattern in (DENIES, REVERSAL):
        for match in pattern.finditer(headline):
            parts = [_said(part) - SPEECH_WORDS for part in PREPOSITION.split(headline[match.end() :])]
            behind = frozenset().union(*parts)
            before = _said(headline[: match.start()])
            found.append(
                _Denied(behind, next(filter(None, parts), frozenset())) if behind else _Denied(before, before)
            )
    if FALSEHOOD.search(headline) or MYTH.search(headline):
        found.append(_Denied(frozenset(), frozenset()))
    return tuple(found)


def denies_something_else(denial: str, other: str) -> bool:
    """Whether both are about the same, but the other does not say what is denied: sabotage, of a fire."""
    if len(_said(denial) & _said(other)) < MIN_SHARED_STEMS:
        return False
    denied = _denied(denial)
    return bool(denied) and (len(denied) % 2 == 0 or not any(what.is_in(_said(other)) for what in denied))


def _corrects(earlier: str, later: str) -> bool:
    """Whether the later headline replaces one thing by another, and the earlier names only the replaced one."""

    def short_stems(words: str) -> set[str]:
        return {word[:SHORT_STEM] for word in WORD.findall(words.lower()) if len(word) > SHORT_STEM}

    said = short_stems(earlier)
    return not CORRECTION.search(earlier) and any(
        said & short_stems(match["wrong"]) and not said & short_stems(match["right"])
        for match in CORRECTION.finditer(later)
    )


@lru_cache(maxsize=CACHED_TEXTS)
def _negated(headline: str) -> frozenset[str]:
    """The stems of the words that are negated."""
    found: set[str] = set()
    for match in NEGATION.finditer(headline):
        clause = re.split(r"[,:;.?!—]", headline[match.end() :])[0]
        behind = [stem for word in WORD.findall(clause) for stem in stems(word)]
        found.update(behind[:NEGATION_SCOPE])
    return frozenset(found)


def counts_otherwise(earlier: str, later: str) -> bool:
    """Whether both count the same thing of one subject, and no number of the one agrees with one of the other.

    The order does not matter.
    """
    return counts_disagree(earlier, later) and len(_subject(earlier) & _subject(later)) >= MIN_SHARED_STEMS


@lru_cache(maxsize=CACHED_TEXTS)
def _counts(headline: str) -> tuple[Count, ...]:
    return tuple(counts(headline))


def counts_disagree(earlier: str, later: str) -> bool:
    """Whether both count the same thing, of whatever subject, and no two numbers agree; in either order."""
    pairs = [
        (one, other)
        for one in _counts(earlier)
        for other in _counts(later)
        if one.counted == other.counted and one.shares_context(other)
    ]
    return bool(pairs) and not any(one.agrees(other) for one, other in pairs)


@lru_cache(maxsize=CACHED_TEXTS)
def _subject(headline: str) -> frozenset[str]:
    """The stems of a headline without what it counts."""
    people = PEOPLE_TERMS.values()
    words = [word for word in WORD.findall(headline.lower()) if not any(said.fullmatch(word) for said in people)]
    return frozenset(stems(" ".join(words)) - {count.counted for count in _counts(headline)})


def _blames_another(earlier: str, later: str) -> bool:
    """Whether the two hold different people or things responsible, or the later corrects whom the earlier named."""
    before, after = _blamed(earlier), _blamed(later)
    deed = (stems(earlier) - before) & (stems(later) - after)
    if len(deed) < MIN_SHARED_STEMS:
        return False
    if CAUSING.search(later) and CORRECTION.search(later):
        return _corrects(earlier, later)
    return bool(before and after) and not before & after


def _blamed(headline: str) -> set[str]:
    """The stems of whom or what a headline holds responsible."""
    return {stem for match in BLAMES.finditer(headline) for stem in stems(match["before"] or match["after"])}
