"""What one headline contradicts another in: whether it is so, how many, or who did it.

Which error is worse? A false refutation is: a reader who sees two reports that agree called a refutation doubts all
of them. A pair model that was shown few refutations takes any later turn of a story for one. So it is not believed
alone: the contradiction must be seen in the words and have a name, and what cannot be seen is no refutation.

Words are compared by their first letters (``words.stems``), so that one set of rules serves both languages.
"""

from __future__ import annotations

import re

from whywire.elements import Contradiction
from whywire.links.denials import DENIES, FALSE, is_denial
from whywire.news.distinctive_terms import stems
from whywire.news.numbers import PEOPLE_TERMS, counts
from whywire.news.places import OUTLET_SUFFIX, in_different_places, places

REVERSAL = re.compile(
    r"\b(cancel\w*|call(s|ed) off|pull(s|ed)? (the )?plug|scrap(s|ped)?|shelve[sd]?|postpon\w+|abandon(s|ed)?|"
    r"ditch(es|ed)|overturn\w*|quash\w*|revers(es|ed)|revok\w+|annul\w*|void(s|ed)|averted|vote[sd]? down|"
    r"not go ahead)\b"
    r"|\b(отмен(ил|ён|ен|ят)\w*|отлож(ил|ен)\w*|перенес(ли|ла|ен)\w*|передумал\w*|аннулир\w+|снят\w*|"
    r"не вер(ить|ьте)|не состо\w+|не (будет|был[оаи]?))\b",
    re.IGNORECASE,
)
"""What was planned or decided is taken back; what that is mostly stands behind."""

NONSENSE = re.compile(
    r"\b(myth|nonsense|rubbish|bogus|contrary to|u-turn)\b"
    r"|\b(миф\w*|чушь|враки|враньё?|бред|дутая|на самом деле|вопреки (слух|сообщ|заявл|прогноз)\w+)\b",
    re.IGNORECASE,
)
"""A word for what is not so, wherever it stands."""

CORRECTION = re.compile(
    r"(?P<right>[\w’'-]+),\s(?:not|rather than|а не)\s(?P<wrong>(?:[\w’'-]+\s?){1,3})", re.IGNORECASE
)
"""One thing put in the place of another: "eggs, not chicken"."""

KIN = 3
"""Words that begin with so many letters alike may be forms of one where few words are compared: cure, curative."""

FILLERS = stems("claims reports rumours allegations suggestions news information сообщения слухи информацию данные")
"""Words between a denial and what it denies."""

COVERED = 0.34
"""The share of what is denied that the earlier headline must have said; else it is something else, such as guilt."""

NEGATION = re.compile(
    r"(?:\b(?<!why )(?:not|no|never|cannot|nor|не|нет|нельзя)|n['’]t)\b"
    r"(?!\s+(?:only|just|merely|least|less|more|fewer|later|yet|wait|doubt|matter|longer than|"
    r"стал[оа]?|исключ\w+|хвата\w+|только|просто|менее|более|меньше|больше|раньше|позднее)\b)",
    re.IGNORECASE,
)
"""A negative that turns the words behind it; "not only", "can't wait" and "не менее" turn nothing."""

NEGATIVE = re.compile(r"\b(negative|отрицательн\w+)\b", re.IGNORECASE)
"""A result that says no."""

SCOPE = 3
"""So many words of four letters and more behind a negative it may turn, as far as the next comma or colon."""

BLAMES = re.compile(
    r"(?P<before>(?:[\w'’-]+\s){1,3})(?:(?:is |are |was |were )?(?:blamed for|behind|responsible for|to blame for|"
    r"caused)|claims? responsibility for)\b"
    r"|\b(?:blames?|caused by|carried out by|work of|по вине|ответственность за \w+ взял[аи]?|"
    r"виновн\w+ \w+ назвал[аи]?|причиной \w+ стал[аи]?)\s(?P<after>(?:[\w'’«»-]+\s?){1,2})",
    re.IGNORECASE,
)
"""Who or what a headline puts something down to."""

CAUSING = re.compile(
    r"\b(behind|blame[sd]?|caused?|source|вызва\w+|объясн\w+|причин\w+|вин\w+|устроил\w*)\b", re.IGNORECASE
)
"""Words by which a correction is one of whose doing something was."""

WORD = re.compile(r"[^\W\d_]+")

SHARED = 2
"""Two headlines that share fewer stems may speak of different things."""


def refuted_in(earlier: str, later: str) -> Contradiction | None:
    """What the later of two headlines, which a model takes for a refutation, contradicts the earlier in, if anything.

    Besides what :func:`contradiction` sees, it is enough that the later denies something and the earlier nothing:
    then the model vouches that it is the same, in other words.
    """
    denied = is_denial(later) and not _negates(earlier)
    return contradiction(earlier, later) or (Contradiction.POLARITY if denied else None)


def contradiction(earlier: str, later: str) -> Contradiction | None:
    """What the later headline contradicts the earlier in, as far as the words show it; ``None`` where they do not."""
    earlier, later = OUTLET_SUFFIX.sub("", earlier), OUTLET_SUFFIX.sub("", later)
    if in_different_places(places(earlier), places(later)):
        return None
    for shown, kind in (
        (_blames_another, Contradiction.ATTRIBUTION),
        (_takes_back, Contradiction.POLARITY),
        (_counts_otherwise, Contradiction.NUMBER),
    ):
        if shown(earlier, later):
            return kind
    return None


def _takes_back(earlier: str, later: str) -> bool:
    """Whether the later headline takes the earlier back, or one of them negates what the other asserts."""
    said = stems(earlier)
    shared = said & stems(later)
    if len(shared) < SHARED:
        return False
    before, after = _denied(earlier), _denied(later)
    covered = any(len(what & said) >= COVERED * len(what) for what in after)
    if covered and len(before) % 2 != len(after) % 2 and (before or not _negates(earlier)):
        return True  # who denies a denial asserts
    if _negates(earlier) and _negates(later):
        return False
    turned = (_negated(earlier) | _negated(later)) & shared
    return _corrects(earlier, later) or (bool(turned) and len(shared - turned) >= SHARED - 1)


def _negates(headline: str) -> bool:
    return bool(is_denial(headline) or NEGATION.search(headline) or NEGATIVE.search(headline))


def _denied(headline: str) -> list[set[str]]:
    """The stems of what the headline takes back, for each word that does: mostly those behind it, else before it.

    None where a word says so of all that the headline tells.
    """
    found = []
    for pattern in (DENIES, REVERSAL):
        for match in pattern.finditer(headline):
            behind = stems(headline[match.end() :]) - FILLERS
            found.append(behind if len(behind) >= SHARED else stems(headline[: match.start()]))
    if FALSE.search(headline) or NONSENSE.search(headline):
        found.append(set())
    return found


def _corrects(earlier: str, later: str) -> bool:
    """Whether the later headline puts one thing in the place of another, and the earlier told only of the other."""

    def kin(words: str) -> set[str]:
        return {word[:KIN] for word in WORD.findall(words.lower()) if len(word) > KIN}

    said = kin(earlier)
    return not CORRECTION.search(earlier) and any(
        said & kin(match["wrong"]) and not said & kin(match["right"]) for match in CORRECTION.finditer(later)
    )


def _negated(headline: str) -> set[str]:
    """The stems of the words behind each negative."""
    found: set[str] = set()
    for match in NEGATION.finditer(headline):
        clause = re.split(r"[,:;.?!—]", headline[match.end() :])[0]
        behind = [stem for word in WORD.findall(clause) for stem in stems(word)]
        found.update(behind[:SCOPE])
    return found


def _counts_otherwise(earlier: str, later: str) -> bool:
    """Whether both say how many of one thing there are, and no number of the one can be the other's."""
    before, after = counts(earlier), counts(later)
    pairs = [
        (one, other)
        for one in before
        for other in after
        if one.counted == other.counted and one.shares_context(other)
    ]
    return (
        bool(pairs)
        and not any(one.agrees(other) for one, other in pairs)
        and len(_subject(earlier) & _subject(later)) >= SHARED
    )


def _subject(headline: str) -> set[str]:
    """The stems of a headline without what it counts."""
    people = PEOPLE_TERMS.values()
    words = [word for word in WORD.findall(headline.lower()) if not any(said.fullmatch(word) for said in people)]
    return stems(" ".join(words)) - {count.counted for count in counts(headline)}


def _blames_another(earlier: str, later: str) -> bool:
    """Whether both say whose doing one thing was and do not name the same, or the later puts one for another."""
    before, after = _blamed(earlier), _blamed(later)
    deed = (stems(earlier) - before) & (stems(later) - after)
    if len(deed) < SHARED:
        return False
    if CAUSING.search(later) and CORRECTION.search(later):
        return _corrects(earlier, later)
    return bool(before and after) and not before & after


def _blamed(headline: str) -> set[str]:
    """The stems of what a headline puts something down to."""
    return {stem for match in BLAMES.finditer(headline) for stem in stems(match["before"] or match["after"])}
