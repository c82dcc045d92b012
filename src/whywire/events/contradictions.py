"""Finds how one headline contradicts another: in polarity, number or attribution.

A false refutation is worse than a missed one: a reader who sees two agreeing reports refute each other doubts every
refutation. The pair model was trained on few refutations and takes any later turn of a story for one. So its
probability is not enough: the words must show a contradiction of one of these kinds, and they must not show that the
later report speaks of something else (:func:`speaks_of_something_else`): of another person or firm, of another
number, or of what the earlier report does not say.

:mod:`whywire.events.denials` finds what a text denies, and makes the stems by which words are compared.
"""

from __future__ import annotations

import re
from functools import lru_cache

from whywire.elements import Contradiction
from whywire.events.denials import (
    CACHED_TEXTS,
    CAUSE_DENIED,
    CLAUSE_END,
    DENIES,
    Denied,
    denied_by_words,
    denied_own_state,
    denied_parts,
    denies_a_death,
    denies_cause,
    denies_harm_of,
    denies_own,
    is_denial,
    is_plea,
    negated_in,
    negates,
    negations,
    said,
    says_no,
    states_absence,
    without_outlet,
)
from whywire.events.scenes import are_named_in, name_others, names_in
from whywire.news.gazetteer import in_different_places, is_town
from whywire.news.numbers import PEOPLE_TERMS, Count, counts
from whywire.news.places import name_stems, places_in
from whywire.news.stems import stems
from whywire.news.withdrawals import is_retraction, without_mark

REVERSAL = re.compile(
    r"\b(cancel\w*|call(s|ed) off|pull(s|ed)? (the )?plug|scrap(s|ped)?|shelve[sd]?|postpon\w+|abandon(s|ed)?|"
    r"ditch(es|ed)|overturn\w*|quash\w*|revers(es|ed)|revok\w+|annul\w*|void(s|ed)|averted|vote[sd]? down|"
    r"not go ahead)\b"
    r"|\b(отмен(ил|ён|ен|ят)\w*|отлож(ил|ен)\w*|перенес(ли|ла|ен)\w*|передумал\w*|аннулир\w+|снят[аоы]?|"
    r"не вер(ить|ьте)|не состо\w+|не (будет|был[оаи]?))\b",
    re.IGNORECASE,
)
"""A verb that takes back a plan or a decision, which mostly follows the verb."""

ANNOUNCES = re.compile(
    r"^[^,:;]*?\b(?:will|to(?= (?!the\b|a\b|an\b)[a-z]+\b(?<!ing)))\b"
    r"|\b(?:plans?|set|due|agree[sd]?|announces?) (?:to|for)\b"
    r"|^(?!.*\b[а-яё]+(?:л|ла|ло|ли)(?:с[ья])?\b).*\b[а-яё]{2,}(?:[еёи]т|[уюая]т|аст)(?:ся)?\b",
    re.IGNORECASE,
)
"""A headline of what is yet to come: "to play", "will run"; a Russian verb in the future, and none in the past."""

MYTH = re.compile(
    r"\b(myth|nonsense|rubbish|bogus|contrary to|u-turn)\b"
    r"|\b(миф\w*|чушь|враки|враньё?|бред|дутая|на самом деле|вопреки (слух|сообщ|заявл|прогноз)\w+)\b",
    re.IGNORECASE,
)
"""A word for a false belief, anywhere in a headline."""

CORRECTION = re.compile(
    r"(?P<right>[\w’'-]+),\s(?:not|rather than|а не)\s(?P<wrong>(?:[\w’'-]+\s?){1,3})", re.IGNORECASE
)
"""One thing named instead of another: "eggs, not chicken"."""

AGENT_CORRECTED = re.compile(
    r",\s(?:not|rather than|а не)\s(?:[\w’'-]+\s?){1,3},"
    r"|\b(?:by|from|because of|due to|из-за|от)\s(?:[\w’'-]+\s){0,3}[\w’'-]+,\s(?:not|rather than|а не)\s",
    re.IGNORECASE,
)
"""A correction of who or what was responsible, before the verb or behind a preposition: "eggs, not chicken, made him
ill".
"""

SHORT_STEM = 3
"""Letters by which the few words of a correction are compared: "cure", "curative"."""

BEHIND_A_CAUSE = re.compile(
    r"\b(?:after|following|because of|due to|over|amid|since|из-за|после|ввиду|вслед за|в связи с|по случаю)\b",
    re.IGNORECASE,
)
"""Words behind which a headline names what led to the event that it reports."""

UNDECIDED = re.compile(
    r"\b(how|why|if|unless|(?:order|tell|told|ask|urg|warn|advis|agre)\w*\b[^,:;]{0,40}\bnot to"
    r"|hop(?:e|es|ing)|wish\w*|fear\w*|comments? on|reacts?|responds?"
    r"|refus\w+|oppos\w+|declin\w+|against|innocent|unlikely|without)\b"
    r"|\b(как|почему|если|наде(?:ется|юсь|ются)|опаса\w+|прокомментир\w+|рассказа\w+|объясни\w+"
    r"|отказ\w+|против|невинов\w+|без)\b",
    re.IGNORECASE,
)
"""Words that say no without a negation, or after which a negation states nothing: "how not to fall ill"."""

WITHOUT = re.compile(r"\b(?:without|без)\b", re.IGNORECASE)
"""A word that says no of a thing, but leaves nothing undecided: "left without water"."""

ATTRIBUTION = re.compile(
    r",\s(?:[\w’'-]+\s){0,3}(?:says?|said|заяви\w+|сообщи\w+|утвержда\w+)(?:\s[\w’'-]+){0,2}$", re.IGNORECASE
)
"""The source of a statement, at the end of a headline: ", police say"."""

BLAMES = re.compile(
    r"(?P<before>(?:[\w'’-]+\s){1,3})(?:(?:is |are |was |were )?(?:blamed for|behind|responsible for|to blame for|"
    r"caused(?! by))|claims? responsibility for|(?:led|leads) to|triggered|sparked|вызва[лн]\w*"
    r"|прив[её]л\w* к|стал\w* причиной)\b"
    r"|\b(?:blames?|caused by|due to|because of|из-за|carried out by|work of"
    r"|за\s(?:[\w«»-]+\s){1,6}сто[ия]т|по вине|ответственность за \w+ взял[аи]?|"
    r"виновн\w+ \w+ назвал[аи]?|причиной \w+ стал[аи]?)\s(?P<after>(?:[\w'’«»-]+\s?){1,2})",
    re.IGNORECASE,
)
"""Whom or what a headline holds responsible."""

CAUSING = re.compile(
    r"\b(behind|blame[sd]?|caused?|source|вызва\w+|объясн\w+|причин\w+|вин\w+|устроил\w*)\b", re.IGNORECASE
)
"""Words that show that a correction is about who or what was responsible."""

ACCUSED = re.compile(
    r"\b(charged|accused|indicted|on trial|arrest\w*|detain\w*|jailed|sentenced|convicted|guilty"
    r"|обвин(?:ил|ен|ён|яе|яю)\w*|судят|суд(?:ом)?\b.{0,20}(?:над|арестовал)|арест\w*|задерж\w+|подозрева\w+|осуд\w+"
    r"|осужд\w+|приговор\w*)\b",
    re.IGNORECASE,
)
"""Words for a charge or a verdict. The plea of the accused does not refute that there is one."""

DEBUNKS = re.compile(r"\b(?:debunk|disprov)\w*|\bfact[- ]check\b|\bразвенч\w+|\bразве(?:ял|ива)\w+", re.IGNORECASE)
"""Words of those who put right what others say of others; who denies mostly denies something of their own."""

OFFICE = re.compile(
    r"(?P<before>[\w-]+)\s(?:minister|ministry|secretary)\b"
    r"|\b(?:министр\w*|министерств\w+|глав[аыеу])\s(?P<after>[\w-]+)",
    re.IGNORECASE,
)
"""An office, of which there are several in one country: "finance minister"."""

PERSON = re.compile(
    r"\b(?:(?:act(?:or|ress)|singer|rapper|writer|striker|midfielder|goalkeeper|coach|president|minister|governor"
    r"|senator|judge|princ(?:e|ess)|king|queen|banker|professor|doctor)"
    r"|(?:акт[её]р|актрис|певе?ц|певиц|рэпер|писател|напада|защитник|вратар|тренер|президент|министр|губернатор"
    r"|сенатор|судь|принц|корол|банкир|профессор|доктор|блогер)\w*)\s"
    r"(?P<name>(?-i:[A-ZА-ЯЁ])[\w’-]+(?:\s(?-i:[A-ZА-ЯЁ])[\w’-]+){0,2})",
    re.IGNORECASE,
)
"""A person with what they are: "actor Tom Ellery"."""

TOWN_HALL = re.compile(
    r"\b(?P<of>(?-i:[A-Z])[\w-]+)(?:['’]s)? (?:mayor|(?:city|town) council|town hall)\b"
    r"|\b(?:mayor of|мэр\w*) (?P<name>(?-i:[A-ZА-ЯЁ])[\w-]+)",
    re.IGNORECASE,
)
"""Who speaks for a town, with its name: "Tanner's mayor"."""

BLAME = said(
    "fault blame guilt responsibility role link links involvement вину вины вина ответственность причастность "
    "причастности связь связи роль"
)
"""What somebody denies who is blamed."""

ASPECTS = BLAME | said(
    "sabotage arson terrorism terror plot foul error negligence cover-up delay debt cuts casualties victims injuries "
    "deaths damage danger threat risk cause interest диверсия диверсию диверсии поджог поджога теракт теракта умысел "
    "умысла халатность халатности долг долги жертв жертвы погибших раненых пострадавших ущерб угрозу угроза угрозы "
    "опасность опасности риск риска причину причины интерес"
)
"""What is denied of a happening without denying that it happened."""

CALLS_FOR = re.compile(
    r"\b(calls? (?:\w+ )?(?:for|on)|urg(?:es?|ed)|demands?|demanded|pressure on|fears?|feared"
    r"|требу(?:ет|ют)|потребова\w+|призва[лн]\w*|призыва\w+|опаса\w+)\b",
    re.IGNORECASE,
)
"""What is called for or feared has not happened, so that it does not happen refutes nothing."""

REFUSES_A_REQUEST = re.compile(
    r"\b(?:refus|reject|dismiss|den(?=y|ie)|turn|отклон|отказ)\w*\s(?:\S+\s){0,4}?"
    r"(?:appeal|bail|request|petition|motion|жалоб|апелляц|ходатайств|просьб|иск)",
    re.IGNORECASE,
)
"""Words for a request that is turned down, which says nothing of what happened before."""

WEEKDAYS = tuple(
    re.compile(rf"\b(?:{day})", re.IGNORECASE)
    for day in (
        "monday|понедельн",
        "tuesday|вторни[кч]",
        "wednesday|в среду|по средам",
        "thursday|четверг",
        "friday|пятни[цч]",
        "saturday|суббот",
        "sunday|воскрес",
    )
)

ANOTHER_TIME = re.compile(
    r"\b(postpon\w+|delay\w*|put off|moved to|reschedul\w+|отлож\w+|перенес\w+|перенос\w*|сдвин\w+)\b", re.IGNORECASE
)
"""Words for a plan that is put off: the two reports name different days of one thing."""

BEGINNING = 4
"""Letters by which it is asked whether a text may say something in other words."""

WORD = re.compile(r"[^\W\d_]+")

MIN_SHARED_STEMS = 2
"""Headlines that share fewer stems may be about different things."""

MIN_REPEATED_SHARE = 2 / 3
"""The share of the stems of a retraction's title, or of what is denied in other words, that the other title must
contain."""


def contradiction(earlier: str, later: str) -> Contradiction | None:
    """How the later headline contradicts the earlier one by its words; ``None`` if it does not."""
    earlier, later = without_outlet(earlier), without_outlet(later)
    if earlier == later or in_different_places(places_in(earlier).listed, places_in(later).listed):
        return None
    for shown, kind in (
        (_blames_another, Contradiction.ATTRIBUTION),
        (_denies_blame, Contradiction.ATTRIBUTION),
        (_takes_back, Contradiction.POLARITY),
        (counts_otherwise, Contradiction.NUMBER),
    ):
        if shown(earlier, later):
            return kind
    return None


def speaks_of_something_else(later: str, earlier: str) -> bool:
    """Whether the words show that the later headline does not refute the earlier, whatever a model takes it for."""
    earlier, later = without_outlet(earlier), without_outlet(later)
    if retracts(later, earlier):
        return False
    if in_different_places(places_in(earlier).listed, places_in(later).listed):
        return True
    if name_others(earlier, _without_debunker(later)) or _denies_of_another(later, earlier):
        return True
    if (ACCUSED.search(earlier) and is_plea(later)) or bool(CALLS_FOR.search(earlier)) != bool(
        CALLS_FOR.search(later)
    ):
        return True
    if _on_other_weekdays(earlier, later) or _denies_an_aspect(later, earlier):
        return True
    if (state := denied_own_state(later)) and state.isdisjoint(said(earlier)):
        return True
    return contradiction(earlier, later) is None and (
        denies_something_else(later, earlier)
        or states_absence(later)
        or _adds_what_is_not(later, earlier)
        or _counts_something_else(earlier, later)
        or bool(REFUSES_A_REQUEST.search(later))
    )


def denies(denial: str, other: str) -> bool:
    """Whether one text denies what the other asserts, by a word of denial or by negating the same words.

    It is narrower than :func:`contradiction`, which is asked only about headlines that a model takes for a
    refutation: two reports of one event often say the same thing with a negation and without one.
    """
    if denies_death(denial, other):
        return True
    if len(_shared(denial, other)) < MIN_SHARED_STEMS:
        return False
    if retracts(denial, other) or _denies_blame(other, denial) or denies_harm_of(denial, other):
        return True
    if _names_agent(denial) and _corrects(other, denial):
        return True
    if calls_off(denial, other):
        return True
    if not negates(denial) or negates(other):
        return False
    if denies_cause(denial) and not _is_undecided(denial):
        return True  # the denial says that one thing did not lead to another
    if _is_undecided(WITHOUT.sub("", other)):
        return False
    asserted = said(other)
    if any(denied.is_in(asserted) for denied in denied_by_words(denial)):
        return True
    if is_denial(denial) or _is_undecided(denial) or REVERSAL.search(other):
        return False
    return any(negated.is_in(asserted) for negated in negated_in(_without_attribution(denial)))


def calls_off(later: str, plan: str) -> bool:
    """Whether a headline says that what another one announces does not take place, or not at the time announced."""
    if not ANNOUNCES.search(plan) or REVERSAL.search(plan) or negates(plan) or negates(later):
        return False
    announced = said(plan)
    called_off = denied_by_words(later, (REVERSAL,))
    return bool(called_off) and all(part.head and part.is_in(announced) for part in called_off)


@lru_cache(maxsize=CACHED_TEXTS)
def may_deny(text: str) -> bool:
    """Whether a text has a form in which it may deny another one (:func:`denies`)."""
    return bool(
        negates(text) or CORRECTION.search(text) or denied_by_words(text, (DENIES, REVERSAL)) or negated_in(text)
    )


def retracts(later: str, earlier: str) -> bool:
    """Whether a title is marked as a retraction and repeats what another one tells, including any cause it names."""
    if not is_retraction(later) or is_retraction(earlier):
        return False
    repeated = without_mark(later)
    told, cause = said(repeated) & said(earlier), _blamed(repeated)
    return len(told) >= MIN_REPEATED_SHARE * len(said(repeated)) and (not cause or not cause.isdisjoint(told))


@lru_cache(maxsize=CACHED_TEXTS)
def _is_undecided(text: str) -> bool:
    return bool(UNDECIDED.search(text))


@lru_cache(maxsize=CACHED_TEXTS)
def _without_attribution(text: str) -> str:
    return ATTRIBUTION.sub("", text)


def _shared(one: str, other: str) -> frozenset[str]:
    return said(one) & said(other)


def _takes_back(earlier: str, later: str) -> bool:
    """Whether the later headline denies the earlier, or one of them negates what the other asserts."""
    asserted, shared = said(earlier), _shared(earlier, later)
    if len(shared) < MIN_SHARED_STEMS:
        return False
    if denies_death(later, earlier) or retracts(later, earlier) or denies_harm_of(later, earlier):
        return True
    before, after = _taken_back(earlier), _taken_back(later)
    covered = any(denied.is_in(asserted) for denied in after)
    if covered and len(before) % 2 != len(after) % 2 and (before or not negates(earlier)):
        return True  # to deny a denial is to assert
    if says_no(earlier) and says_no(later):
        return False
    if any(negated.is_in(asserted) for negated in negated_in(_without_attribution(later))):
        return True
    turned = (_negated(earlier) | _negated(later)) & shared
    return _corrects(earlier, later) or (bool(turned) and len(shared - turned) >= MIN_SHARED_STEMS - 1)


def denies_death(denial: str, other: str) -> bool:
    """Whether one text says that somebody lives, and the other, which shares a word, that somebody died.

    A death that another text only names as a cause ("festival off after singer's death") is not what it reports.
    """
    reported = BEHIND_A_CAUSE.split(other, maxsplit=1)[0]
    return (
        bool(_shared(denial, other))
        and "death" in said(reported)
        and denies_a_death(denial)
        and not denies_a_death(other)
    )


def _taken_back(headline: str) -> tuple[Denied, ...]:
    """What a headline denies or calls off."""
    found = denied_by_words(headline, (DENIES, REVERSAL))
    return found or ((Denied(frozenset(), frozenset()),) if MYTH.search(headline) else ())


def denies_something_else(denial: str, other: str) -> bool:
    """Whether both are on one subject, but the other does not say what is denied: sabotage, not the fire."""
    if len(_shared(denial, other)) < MIN_SHARED_STEMS:
        return False
    denied = _taken_back(denial)
    return bool(denied) and (len(denied) % 2 == 0 or not any(_may_be_said(part, other) for part in denied))


def _may_be_said(denied: Denied, other: str) -> bool:
    """Whether a text asserts what is denied, or may do so in other words: it has most of the rest of the words."""
    if denied.is_in(said(other)):
        return True
    told = _beginnings(said(other))
    of_it = denied.head & ASPECTS
    return not of_it and len(told & _beginnings(denied.words)) >= MIN_REPEATED_SHARE * len(_beginnings(denied.words))


def _beginnings(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:BEGINNING] for word in words)


def _without_debunker(headline: str) -> str:
    """A headline without who debunks what others say: "Professor Orlen debunks fumes theory"."""
    found = DEBUNKS.search(headline)
    return headline[found.start() :] if found else headline


def _denies_of_another(denial: str, other: str) -> bool:
    """Whether one of two headlines that share a name denies something of another buyer, club or minister."""
    if denies_own(denial) and _offices(denial).isdisjoint(_offices(other)) and _offices(denial) and _offices(other):
        return True
    if _names_other_persons(denial, other) or _is_of_another_town(denial, other):
        return True
    theirs = names_in(other).certain
    if not theirs or all(are_named_in(frozenset([name]), denial) for name in theirs):
        return False
    named = [names_in(part).certain for part in denied_parts(denial)]
    return any(named) and not any(are_named_in(names, other) for names in named)


def _offices(headline: str) -> frozenset[str]:
    return frozenset().union(*(said(match["before"] or match["after"]) for match in OFFICE.finditer(headline)))


def _names_other_persons(one: str, other: str) -> bool:
    """Whether both say what the people are whom they name, and none of them is named in both."""
    mine, theirs = (
        frozenset().union(*(name_stems(match["name"].split()) for match in PERSON.finditer(text)))
        for text in (one, other)
    )
    return bool(mine and theirs) and not (are_named_in(mine, other) or are_named_in(theirs, one))


def _is_of_another_town(denial: str, other: str) -> bool:
    """Whether the mayor of a town that the other does not name denies something, and the other is of another town."""
    halls = [match["of"] or match["name"] for match in TOWN_HALL.finditer(denial)]
    named = places_in(other)
    towns = [*filter(is_town, named.listed), *(place for place in named.unlisted if not place.is_region)]
    if not halls or not towns or any(are_named_in(name_stems([hall]), other) for hall in halls):
        return False
    spoken = places_in(denial)
    return spoken.listed.isdisjoint(named.listed) and not any(
        place.may_be(spoken.capitalised_stems) for place in named.unlisted
    )


def _denies_an_aspect(denial: str, other: str) -> bool:
    """Whether all that is denied is something about what the other tells: arson, not the fire; nobody hurt."""
    denied = (*denied_by_words(denial), *negated_in(_without_attribution(denial)))
    missing = [(part.head & ASPECTS) - said(other) for part in denied]
    if not denied or not all(missing):
        return False
    return not (_blamed(other) or CAUSING.search(other)) or not any(part <= BLAME for part in missing)


def _on_other_weekdays(earlier: str, later: str) -> bool:
    """Whether both name days of the week, none of them in both, and nothing is put off."""
    before, after = ({day for day in WEEKDAYS if day.search(text)} for text in (earlier, later))
    return bool(before and after) and before.isdisjoint(after) and not ANOTHER_TIME.search(later)


def _adds_what_is_not(later: str, earlier: str) -> bool:
    """Whether the later headline repeats the earlier and only adds what is not so: "mill on fire; nobody hurt"."""
    negated = negated_in(_without_attribution(later))
    if not negations(later) or CORRECTION.search(later) or denies_cause(later) or _taken_back(later):
        return False
    if any(_beginnings(part.words) & _beginnings(said(earlier)) for part in negated):
        return False
    first = CLAUSE_END.split(later, maxsplit=1)[0]
    return not negated_in(first) and len(_shared(first, earlier)) >= MIN_SHARED_STEMS


def _counts_something_else(earlier: str, later: str) -> bool:
    """Whether both headlines count something, but not one thing, and the later denies and takes back nothing."""
    before, after = ({count.counted for count in _counts(text)} for text in (earlier, later))
    if not (before and after) or before & after & PEOPLE_TERMS.keys() or counts_otherwise(earlier, later):
        return False
    return not (
        negates(later) or negates(earlier) or _taken_back(later) or CORRECTION.search(later) or _blamed(later)
    )


def _corrects(earlier: str, later: str) -> bool:
    """Whether the later headline corrects one thing to another, and the earlier one names only the wrong one."""

    def short_stems(words: str) -> set[str]:
        return {word[:SHORT_STEM] for word in WORD.findall(words.lower()) if len(word) > SHORT_STEM}

    told = short_stems(earlier)
    return not CORRECTION.search(earlier) and any(
        told & short_stems(match["wrong"]) and not told & short_stems(match["right"])
        for match in CORRECTION.finditer(later)
    )


def _names_agent(headline: str) -> bool:
    return bool(AGENT_CORRECTED.search(headline))


def _negated(headline: str) -> frozenset[str]:
    """The stems of what is negated."""
    return frozenset().union(*(negated.head for negated in negated_in(headline)))


def counts_otherwise(earlier: str, later: str) -> bool:
    """Whether both count the same thing of one subject, and no two of their numbers agree; in either order."""
    return counts_disagree(earlier, later) and len(_subject(earlier) & _subject(later)) >= MIN_SHARED_STEMS


@lru_cache(maxsize=CACHED_TEXTS)
def _counts(headline: str) -> tuple[Count, ...]:
    return tuple(counts(headline))


def counts_disagree(earlier: str, later: str) -> bool:
    """Whether both count the same thing, of any subject, and no two of their numbers agree; in either order."""
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
    deed = (said(earlier) - before) & (said(later) - after)
    if len(deed) < MIN_SHARED_STEMS:
        return False
    if (CAUSING.search(later) and CORRECTION.search(later)) or _names_agent(later):
        return _corrects(earlier, later)
    return bool(before and after) and not before & after


def _denies_blame(earlier: str, later: str) -> bool:
    """Whether the later headline denies the cause that the earlier one names, but not what happened."""
    cause = _blamed(earlier)
    if not cause or denies_cause(earlier) or len(_shared(earlier, later)) < MIN_SHARED_STEMS:
        return False
    if denies_cause(later):
        return bool(cause & said(later))
    if retracts(later, earlier) or (CAUSING.search(later) and _corrects(earlier, later)):
        return True
    denied = (*denied_by_words(later), *negated_in(later))
    return any(part.head and part.head <= cause for part in denied)


def denies_cause_of(denial: str, cause: str) -> bool:
    """Whether a headline that denies a cause denies this cause, rather than naming it as the true one.

    Fewer words may name the same cause ("beef" for "imported beef"), other words do not ("oil leak" for "gas leak").
    """
    named = said(cause)
    if replaced := " ".join(match["wrong"] for match in CORRECTION.finditer(denial)):
        return len(named & said(replaced)) > len(named) / 2
    before = CAUSE_DENIED.split(denial, maxsplit=1)[0]
    told = [denied.head for denied in denied_by_words(denial)] or [said(before)]
    return len(named & said(denial)) > len(named) / 2 or any(head and head <= named for head in told)


def denies_words(denial: str, words: str) -> bool:
    """Whether a headline that denies a report also denies what some words of a text name."""
    named = said(words)
    if denies_a_death(denial):
        return "death" in named
    heads = [denied.head for denied in (*denied_by_words(denial), *negated_in(denial)) if denied.head]
    return not named.isdisjoint(frozenset().union(*heads) or said(without_mark(denial)))


@lru_cache(maxsize=CACHED_TEXTS)
def _blamed(headline: str) -> frozenset[str]:
    """The stems of whom or what a headline holds responsible."""
    return frozenset().union(*(said(match["before"] or match["after"]) for match in BLAMES.finditer(headline)))
