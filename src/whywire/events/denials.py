"""What a text denies, by its words, English and Russian.

A *refutation* in HeadlineCause is a denial or an update ("toll rises to nine" refutes "four dead"). A later headline
closes the links of an earlier one only if it says that the earlier one was never true.

The form of a denial shows where the denied words stand: behind a verb ("denies quitting"), before a predicate
("reports of a blast are false", "взрыва не было"), or next to a negation ("has not quit"). They are compared with
the words of another text by *stems*: endings are cut, and all words for one kind of happening, verbs and nouns, have
one stem ("burns", "blaze", "горит", "пожар").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from whywire.news.gazetteer import OUTLET_SUFFIX
from whywire.news.withdrawals import is_retraction, without_mark

CACHED_TEXTS = 65_536
"""Texts whose parts are cached, because each text is compared with many others."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# words

_HAPPENINGS = {
    name: re.compile(words)
    for name, words in {
        "arrest": r"arrest\w*|detain\w*|detention|custody|арест\w*|задерж\w+",
        "attack": r"attack\w*|strikes?|struck|нападен\w+|напал\w*|атак\w+|удар\w*",
        "bankruptcy": r"bankrupt\w*|insolven\w+|банкрот\w*",
        "breach": r"breach\w*|burst\w*|прор[ыв]\w+",
        "cancellation": r"cancel\w*|отмен\w+",
        "closure": r"clos(e|es|ed|ing|ures?)|shut\w*|закр[ыо]\w+",
        "collapse": r"collaps\w+|(?:об)?руш\w+|рухну\w+|обвал\w*",
        "crash": r"crash\w*|collision\w*|collid\w+|авари\w+|столкнов\w+|столкну\w+|разби(л|т)\w+|крушен\w+",
        "death": r"die[sd]?|dead|deaths?|dying|kill(s|ed|ings?)"
        r"|умер\w*|умира\w+|сконча\w+|смерт[иьюе]\w*|погиб\w*|гибел\w+|убит\w*|стало",
        "dismissal": r"sack(s|ed|ing)?|fired|dismiss\w*|oust(s|ed|ing)|уво(ль|ле|ли)\w+",
        "divorce": r"divorc\w+|развод\w*|разв[её]л\w+",
        "evacuation": r"evacuat\w+|эвакуир\w+|эвакуац\w+",
        "explosion": r"blasts?|explo[ds]\w+|взрыв\w*|взорв\w+",
        "escape": r"escap\w+|fle(?:d|es?|eing)|сбе[жг]\w+|убе[жг]\w+|побег\w*|бежал\w*",
        "fire": r"fires?|blazes?|burn\w*|ablaze|пожар\w*|гор(ит|ят|ел[аои]?)|загор\w+|возгоран\w+|сгор\w+",
        "leak": r"leak\w*|утечк\w+|утек\w+",
        "marriage": r"marr(y|ies|ied|iage)|weds?|wedding|свадьб\w+|женил\w+|брак\w*",
        "purchase": r"b(uy|uys|uying|ought)|purchas\w+|acqui\w+|покуп\w+|куп(и|л)\w+|приобр\w+",
        "resignation": r"resign\w*|quit\w*|step(s|ped|ping)?|departure"
        r"|отстав\w+|уход\w*|уш[её]л|ушла|покин\w+|покида\w+",
        "sale": r"s(ell|ells|elling|old|ales?)|прода\w+",
        "shooting": r"shots?|shoot\w*|gunfire|стрел\w+|выстрел\w*|обстрел\w*|застрел\w+",
        "sinking": r"s[aiu]nk(s|ing)?|затону\w+|тон(ет|ул)\w*",
        "theft": r"steal(s|ing)?|stole|stolen|theft|loot(s|ed|ing)?|burgl\w+|robbe\w+|краж[аиуе]|укра\w+|похи[тщ]\w+"
        r"|(о|раз)?граб(ил|ят|л)\w*",
        "withdrawal": r"withdr[ae]w\w*|revo[ck]\w+|depriv\w+|stripped"
        r"|сня(л|т)\w*|снима\w+|отзыв\w*|отозва\w+|лиш(и|а|е)\w+",
    }.items()
}
"""Words for one kind of happening. A denial seldom uses the same word as the report."""

_GRAMMAR = """
    the its his her their our this that these those are was were has have had been being will would can could may
    might did does done not nor never after over with from into amid about for and but who what when any all some
    there hasn isn didn wasn don won aren weren doesn couldn wouldn haven hadn ever yet also now still than then
    them they she him you really actually go goes going gone went make made
    его её их она они оно все всё ему ней них нас вас был была было были быть будет будут это этот эта эти что как для
    при или над под без после также уже ещё если тоже нет никакого никакой никаких подал подала подали подавал
    подавала подавали стал стала стали собирается собираются собирался собиралась собирались намерен намерена намерены
"""
_SPEECH = """
    said say says saying told tells claim claims report reports reported rumour rumours rumor rumors allegations
    suggestions news information file filed fact check false fake hoax true untrue evidence proof sign signs trace
    traces indication myth myths
    заявил заявила заявили сообщил сообщила сообщили сообщает новость новости сообщение сообщения слух слухи слухов
    слухами информация информацию информации данные данных фейк правда неправда
    миф мифа мифы мифов обвинение обвинения обвинений
"""
_FUNCTION_WORDS = frozenset((_GRAMMAR + _SPEECH).split())
"""Words that name nothing, or only say that something is said, shown or denied."""

_LETTERS = re.compile(r"[^\W\d_]+")
_MIN_LETTERS, _STEM_LETTERS = 3, 5
_ENGLISH_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|ers?|ures?)$")
_RUSSIAN_ENDING = re.compile(r"(?<=[а-я]{3})[аеиоуыэюяйь]+$")
_DOUBLED = re.compile(r"([bcdfghklmnprstz])\1$")


@lru_cache(maxsize=CACHED_TEXTS)
def said(text: str) -> frozenset[str]:
    """The stems of what a text speaks of: without endings, function words and words of speech."""
    return frozenset(_stems(text))


def _stems(text: str) -> list[str]:
    """The stems of :func:`said`, in the order of the words."""
    words = _LETTERS.findall(text.lower())
    return [_stem(word) for word in words if len(word) >= _MIN_LETTERS and word not in _FUNCTION_WORDS]


@lru_cache(maxsize=CACHED_TEXTS)
def _stem(word: str) -> str:
    for name, words in _HAPPENINGS.items():
        if words.fullmatch(word):
            return name
    word = _RUSSIAN_ENDING.sub("", word.replace("ё", "е"))
    return _DOUBLED.sub(r"\1", _ENGLISH_ENDING.sub("", word)).removesuffix("e")[:_STEM_LETTERS]


# forms of denial

_REPORTS = (
    r"(?:claims?|reports?|rumou?rs?|allegations?|suggestions?|stor(?:y|ies)|speculation|accusations?|news|talk)"
)
_RUSSIAN_REPORTS = r"(?:сообщени\w+|слух\w*|информаци\w+|сведени\w+|данны\w+|новост\w+|извести[ея]|вброс\w*)"

_REFUSED = (
    r"(?:entry|access|bail|permission|visas?|parole|aid|asylum|boarding|treatment|justice|benefits|request|appeal"
    r"|licen[cs]e|permits?|motion|petition|right|care|service|loan|promotion|place|penalty|goal)"
)
"""Things that are refused to somebody, not called untrue: "denied bail"."""

DENIES = _any(
    rf"\bden(?:y|ies|ied|ying)\b(?!\s(?:\w+\s){{0,4}}?{_REFUSED}\b)",
    r"\b(?:refut(?:es?|ed|ing)|debunk\w*|disprov\w+|rul(?:e|es|ed|ing) out)\b",
    r"\b(?:(?:reject|dismiss|rubbish|quash|scotch)(?:s|es|ed|ing)?|(?:shoots?|shot|shuts?) down)\b"
    rf"(?=\s(?:\S+\s){{0,5}}?(?:{_REPORTS}\b|as (?:false|fake)))",
    r"\b(?:опров[её]рг\w*|опроверж\w*|отрица(?!тельн)\w*|развенча\w+|отверг\w*)\b",
    r"\bразве(?:ял|ива)\w+(?= (?:\w+ )?(?:слух|миф))",
    r"\b(?<!не )исключ(?:ил[аи]?|ают|ает)"
    r"(?= (?:\w+ )?(?:возможн|вероятн|верси|причаст|связь|диверс|теракт|поджог|умысел))",
)
"""A verb of denial. What is denied stands behind it, or before it in a passive ("слухи опровергли в мэрии")."""

_THAT_CLAUSE = re.compile(r"\s*(?:[^\s,:;]+\s){0,3}[^\s,:;]*,\s*что\b", re.IGNORECASE)
"""What stands between a Russian verb of denial and the clause that it denies: "отрицает в суде, что"."""

_REFUSES = re.compile(
    r"\b(?:courts?|judges?|jury|tribunal|senate|parliament|panel|lawmakers|суд\w*|парламент\w*|дум[аы])\s(?:\w+\s){0,2}$",
    re.IGNORECASE,
)
"""Those who refuse a request or a bill, before a verb of denial."""

_NEGATED_VERB = re.compile(
    r"(?:\b(?:not|never|cannot|не|не стал[аи]?|не будут?)|n['’]t)\s(?:be |been |being )?$", re.IGNORECASE
)
"""Words before a verb of denial that is itself negated: "does not deny", «не стал отменять»."""

_PASSIVE = re.compile(
    r"\s*(?:$|,(?!\s*что)|[.:;—–]|(?:by|as|until|till|to (?:next|\w+day)|в|во|на|до)\b)", re.IGNORECASE
)
"""What follows a verb of denial if the denied words stand before it."""

FALSEHOOD = _any(
    # by itself
    r"\b(?:untrue|no truth|baseless|unfounded|fake news|fabricated|(?:not|isn['’]t|wasn['’]t) true)\b",
    r"\bhoax(?! (?:calls?|callers?|emails?))\b",
    r"\b(?:never|not|n['’]t|nothing) (?:\w+ )?(?:happen(?:s|ed)?|occur(?:red)?|took place|take place|existed)\b",
    r"(?<!за )\bфейк(?:ом|ами|и)?\b",
    r"\b(?:ложью?|не ?правд\w*|вымыс\w+|выдумк\w+|дезинформаци\w+|враньё?м?)\b",
    r"\bне (?:соответству\w+ действительности|имеют? (?:ничего )?общего с|подтвердил\w*|происходило)\b",
    # of a report
    rf"\b(?:false|fake|bogus|mistaken|erroneous) (?:information|{_REPORTS})",
    rf"\b{_REPORTS}\b.*\b(?:are|is|were|was|as|proved?|proven) (?:\w+ly |all )?"
    r"(?:wrong|in(?:correct|accurate)|false|fake)",
    rf"(?<!за )\b(?:ложн|недостоверн|лжив|фальшив|фейков)\w+ (?:\w+ )?{_RUSSIAN_REPORTS}",
    rf"{_RUSSIAN_REPORTS}.* (?:ложн|лжив|недостоверн|ошибочн|неверн)\w+",
    # as a predicate
    r"(?<!thought it )(?<!believed it )\b(?:is|are|was|were|be|as|being|prove[sd]?|proven|deem\w*) "
    r"(?:\w+ly |a |all |just |simply )*(?:false|fake|bogus|lies?|fiction)\b(?! \w+s\b)",
    r"\b(?:call|brand|label|describ)(?:s|es|ed|ing)?\b.{0,60}?"
    r"\b(?:fiction|lies|untrue|nonsense|rubbish|fake|false)\b(?! \w+s\b)",
    r"^\W*(?:false|fake|hoax|not true)\b\W*[:–—-]|\b(?:false|fake)\W*(?:,|\?|$)",
    r"\bоказал\w+ (?:\w+ )?(?:фейков|ложн|недостоверн|ошибочн)\w+",
    r"(?:\b(?:назва|оказа|счита)\w+|—|\bэто) утк(?:а|ой)\b",
)
"""Words that call the rest of the text untrue."""

_ABSENT = re.compile(
    r"\bне(?:т|\s(?:(?:было|будет)(?:\s(?:зафиксир|обнаруж|выявл|допущ|провед)\w+)?|произо\w+|случил\w+|состоял\w+"
    r"|зафиксиров\w+|обнаруж\w+|выяв\w+|планиру\w+|поступал\w*|наблюда\w+|требу\w+|существу\w+|провод\w+|производи\w+))\b",
    re.IGNORECASE,
)
"""A Russian verb that says that something is absent; its subject is in the genitive: "взрыва не было"."""

NEGATION = re.compile(
    r"(?:\b(?<!why )(?<!больше )(?:not|no|never|cannot|nor|nobody|none|nothing|не|нет|нельзя)|n['’]t)\b"
    r"(?!-|\s+(?:only|just|merely|least|less|(?:be )?more|fewer|later|yet|wait|doubt|matter|longer|guilty"
    r"|(?:for )?the first|стало|исключ\w+|хвата\w+|только|просто|менее|более|меньше|больше|раньше|позднее|сомн\w+"
    r"|раз|перв\w+)\b)",
    re.IGNORECASE,
)
"""A word that negates the words after it; "not only", "can't wait" and "не менее" negate nothing."""

_SUPPLY = (
    r"(?:fuel|petrol|diesel|gas|power|electricity|light|heat|heating|(?:tap )?water|food|bread|milk|medicines?|oxygen"
    r"|internet|phones?|signal|(?:road |rail )?links?|buses|trains|trams|flights|ferries|taxis|homes?|shelter|pay"
    r"|cash|wages|staff|doctors|teachers|beds)"
)
_RUSSIAN_SUPPLY = (
    r"(?:топлива|бензина|дизеля|газа|света|электричества|электроэнергии|тепла|отопления|воды|водоснабжения|еды|хлеба"
    r"|молока|лекарств|кислорода|интернета|связи(?! (?:\w+ )?со? )|автобусов|поездов|электричек|трамваев"
    r"|рейсов|паромов|такси|жилья|крова|зарплаты|денег|наличных|врачей|учителей|мест)"
)
"""What people or towns are supplied with, in Russian in the genitive."""

ABSENCE = re.compile(
    rf"\b(?:no|without) (?:(?!in\b|at\b|on\b|of\b|to\b)[\w-]+ )?{_SUPPLY}"
    r"(?=\s*(?:$|[^\w\s]|(?:in|at|on|for|to|after|since|until|and|or|as|left|run\w*|today|tonight|again|during|amid"
    r"|from|because|following|here|anywhere|yet|says?)\b))"
    rf"|\b(?:нет|без) (?:\w+(?:ого|его|ой|ей|ых|их) )?{_RUSSIAN_SUPPLY}\b|\b{_RUSSIAN_SUPPLY}(?: \w+){{0,3}} нет\b",
    re.IGNORECASE,
)
"""Words for a supply that is missing: "no fuel", "без света". That is a state with causes, and denies nothing."""

NEGATIVE = re.compile(
    r"\b(negative|zero|nobody|nothing|none|lack of|absence|stop(s|ped)?|ceas(es|ed)"
    r"|отрицательн\w+|отсутств\w+|никто|ничего|переста\w+|прекра\w+)\b",
    re.IGNORECASE,
)
"""Words for a negative result, and others that say no without a negation."""

CAUSE_DENIED = re.compile(
    r"(?:\b(?:not|never)|n['’]t)\s(?:\w+\s)?(?:caus\w+|trigger\w*|spark\w*|lead to|led to|behind|to blame|responsible"
    r"|due to|because|the (?:cause|reason)|linked|the result|result\w* from|contribut\w+)\b"
    r"|\bno (?:link|connection|role|part)\b|\bplayed no\b"
    r"|\bden(?:y|ies|ied|ying) (?:(?:any|all|its|his|her|their|that) )?"
    r"(?:involvement|role|link|responsibility|being behind|(?:it|he|she|they) (?:was|were|is|are|had been) behind)\b"
    r"|\b(?:отрица\w*|отверг\w*|опров[её]рг\w*) (?:\w+ )?(?:причастност|связь|роль)\w*"
    r"|\b(?:rul(?:es?|ed|ing) out|exclud\w+|dismiss\w+|reject\w+|discount\w+|eliminat\w+)\s(?:[\w’'-]+\s){0,4}"
    r"as (?:an? |the )?(?:\w+ )?(?:cause|source|origin|reason)\b"
    r"|\bисключ\w+ (?:\w+ ){0,4}как (?:\w+ )?(?:причин|источник)\w*"
    r"|\bне\s(?:\w+\s)?(?:вызыва\w*|вызва\w*|приве\w+|привод\w+|причин\w+|причаст\w+|связан\w*|винов\w+|из-за|по вине"
    r"|спровоцир\w+|повлия\w+)|\bвызван\w* не\b",
    re.IGNORECASE,
)
"""Words that deny that one thing led to another."""

CLAUSE_END = re.compile(r"[,:;.?!]|\s[—–-]\s")
_PREPOSITION = re.compile(
    r"\b(?:in|at|on|of|for|from|over|after|before|by|with|into|as|despite|since|because|в|во|на|о|об|из|по|для|после|при|с|со|у"
    r"|под|из-за|к|ко|от|до|за|через|между|против|перед|среди)\b",
    re.IGNORECASE,
)
"""A word that ends the head of what is denied (:class:`Denied`)."""

_CONTRAST = re.compile(
    r",\s(?:but )?(?:not|rather than|а не)\b|\bnot\b[^,]*,?\s(?:but|it was)\b|\bне\b[^,]*,\sа\b", re.IGNORECASE
)
"""One thing named instead of another, "a bomb, not a leak": it negates a part of what happened, not all of it."""

_ADDS = re.compile(r"\s*(?:but|yet|though|no more|но|хотя|а)\b", re.IGNORECASE)
"""The start of a clause that limits the clause before it and denies nothing: "sold, but not all"."""

_ADVERB = re.compile(r"[a-z]+ly|[а-яё]+но")

ALIVE = re.compile(
    r"\b(?:alive|not dead|жив[аы]?|не (?:умер|умирал|погиб)[алои]*)\b|n['’]t dead\b",
    re.IGNORECASE,
)
"""Words that deny a death, and nothing else."""

_RUIN = "|".join(
    (
        *(_HAPPENINGS[kind].pattern for kind in ("breach", "collapse", "sinking")),
        r"destr\w+|damag\w+|wreck\w*|los(?:t|es|s)|burn(?:s|ed|t)? down",
        r"разруш\w+|уничтож\w+|повре[жд]\w+|сгор\w+|снес\w+|потер\w+",
    )
)
_INJURY = r"hurt|harm\w*|injur\w+|wound\w+|ранен\w*|ранил\w*|пострада\w+|травм\w+"
_INTACT = r"intact|undamaged|unscathed|still stand\w*|цел[аоы]?(?! и невред)|стоит(?: на (?:своём )?месте|(?=,|$))"
_UNTOUCHED = tuple(
    (_any(rf"\b(?:{state})(?!\w)"), _any(rf"\b(?:{harm})(?!\w)"))
    for state, harm in ((_INTACT, _RUIN), (r"unhurt|unharmed|uninjured|не пострада\w+|невредим\w*", _INJURY))
)
"""Words for being unharmed, each group with the words for the harm that it denies."""

_SAID_DEAD = _any(
    rf"\b(?:{_REPORTS}|not|n['’]t|не) (?:\S+ ){{0,6}}?(?:dead|death|died|умер\w*|погиб\w*)\b",
    rf"\b{_RUSSIAN_REPORTS} о (?:\S+ )?(?:смерти|гибели)\b",
)
"""A death that is only reported, or negated."""

MIN_DENIED_SHARE = 0.34
"""The share of the stems behind a verb of denial that another text must contain. With fewer, something else is
denied, such as guilt."""

MIN_NEGATED_SHARE = 0.5
"""The share of the stems of a negated clause that another text must contain. Of the clause's head the text must
contain more.
"""


@dataclass(frozen=True, slots=True)
class Denied:
    """What a text denies by one form.

    Args:
        words: the stems of the denied words; empty if the whole text is denied.
        head: the stems among them that another text must assert: "sabotage" of "sabotage in the Ellery refinery".
        negated: the form is a negation, not a word of denial.
    """

    words: frozenset[str]
    head: frozenset[str]
    negated: bool = False

    def is_in(self, asserted: frozenset[str]) -> bool:
        """Whether another text asserts what is denied.

        Args:
            asserted: the stems of the other text.
        """
        shared = len(self.words & asserted)
        if self.negated:
            most = len(self.head & asserted) > MIN_NEGATED_SHARE * len(self.head)
            return most and shared >= MIN_NEGATED_SHARE * len(self.words)
        enough = shared >= MIN_DENIED_SHARE * len(self.words)
        return enough and (not self.head or not self.head.isdisjoint(asserted))


@lru_cache(maxsize=CACHED_TEXTS)
def is_denial(text: str) -> bool:
    """Whether a text denies something by a word of denial, or says that somebody lives."""
    return bool(any(_verbs(text, (DENIES,))) or FALSEHOOD.search(text) or denies_a_death(text))


@lru_cache(maxsize=CACHED_TEXTS)
def denied_by_words(text: str, verbs: tuple[re.Pattern[str], ...] = (DENIES,)) -> tuple[Denied, ...]:
    """What a text denies by a word of denial: the words behind or before each verb; without a verb, the whole text.

    Args:
        verbs: patterns of verbs of denial.
    """
    denied = []
    for match in _verbs(text, verbs):
        if _ABSENT.match(text, match.start()):
            here = CLAUSE_END.split(text[: match.start()])[-1]
            missing = _subject(here, _first_clause(text[match.end() :]))
            denied.append(Denied(said(here) | missing, missing))
            continue
        clause = _THAT_CLAUSE.match(text, match.end())
        behind = [
            said(part) for part in _PREPOSITION.split(_first_clause(text[clause.end() if clause else match.end() :]))
        ]
        before = said(text[: match.start()])
        if any(behind) and (clause or not (before and _PASSIVE.match(text, match.end()))):
            denied.append(Denied(frozenset().union(*behind), next(filter(None, behind))))
        else:
            denied.append(Denied(before, before))
    if not denied and FALSEHOOD.search(text):
        denied.append(Denied(frozenset(), frozenset()))
    return tuple(denied)


@lru_cache(maxsize=CACHED_TEXTS)
def denied_parts(text: str) -> tuple[str, ...]:
    """The words behind each verb of denial and each negation, as far as their clause goes."""
    behind = [
        *(match.end() for match in _verbs(text, (DENIES,))),
        *(match.end() for match in negations(text)),
    ]
    return tuple(_first_clause(text[end:]) for end in sorted(behind))


def _first_clause(text: str) -> str:
    """The words of a text up to the end of the first clause that names anything."""
    ends = (match.start() for match in CLAUSE_END.finditer(text))
    return next((text[:end] for end in ends if said(text[:end])), text)


def _verbs(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterator[re.Match[str]]:
    """The verbs of denial, except negated ones and those of courts and parliaments, which refuse something."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            if _NEGATED_VERB.search(text, 0, match.start()):
                continue
            if pattern is not DENIES or not _REFUSES.search(text, 0, match.start()):
                yield match


@lru_cache(maxsize=CACHED_TEXTS)
def negations(text: str) -> tuple[re.Match[str], ...]:
    """The words of a text that negate others; not those that only say that a supply is missing."""
    absent = [match.span() for match in ABSENCE.finditer(text)]
    found = NEGATION.finditer(text)
    return tuple(match for match in found if not any(start <= match.start() < end for start, end in absent))


@lru_cache(maxsize=CACHED_TEXTS)
def states_absence(text: str) -> bool:
    """Whether a text says that a supply is missing, and negates nothing."""
    return bool(ABSENCE.search(text)) and not negates(text)


@lru_cache(maxsize=CACHED_TEXTS)
def negates_a_happening(text: str) -> bool:
    """Whether a text negates something that happens to people or things: "did not burn", "взрыва не было".

    What somebody did not do, such as brake or answer, is no such thing: an omission has effects.
    """
    return any(not part.head.isdisjoint(_HAPPENINGS) for part in negated_in(text))


@lru_cache(maxsize=CACHED_TEXTS)
def negated_in(text: str) -> tuple[Denied, ...]:
    """What a text negates, for each negation: its object in "no blast", its verb in "has not quit"."""
    return () if _CONTRAST.search(text) else tuple(_negated(text))


def _negated(text: str) -> Iterator[Denied]:
    for clause in CLAUSE_END.split(text):
        if _ADDS.match(clause):
            continue
        for match in negations(clause):
            absent = _ABSENT.match(clause, match.start())
            behind = clause[(absent or match).end() :]
            before = clause[: match.start()]
            head = (_subject(before, behind) if absent else frozenset()) or _object(match[0], behind)
            if head:
                yield Denied(said(clause) | head, head, negated=True)


def _subject(before: str, behind: str) -> frozenset[str]:
    """What is absent: the words right behind the verb, else those that open the clause, else the word before it."""
    opening = said(_PREPOSITION.split(behind, maxsplit=1)[0]) or said(_PREPOSITION.split(before, maxsplit=1)[0])
    return opening or frozenset(_stems(before)[-1:])


def _object(negation: str, behind: str) -> frozenset[str]:
    """What stands behind a negation: a noun with its modifiers, or a verb."""
    parts = _PREPOSITION.split(behind)
    if negation.lower() in ("no", "nobody", "none", "nothing", "нет"):
        return next(filter(None, map(said, parts)), frozenset())
    words = (
        _stems(" ".join(word for word in _LETTERS.findall(part) if not _ADVERB.fullmatch(word))) for part in parts
    )
    return frozenset(next(filter(None, words), [])[:1])


@lru_cache(maxsize=CACHED_TEXTS)
def denies_a_death(text: str) -> bool:
    """Whether a text says that somebody lives, and asserts no death itself."""
    return bool(ALIVE.search(text)) and "death" not in said(_SAID_DEAD.sub("", text))


@lru_cache(maxsize=CACHED_TEXTS)
def denies_a_harm(text: str) -> bool:
    """Whether a text says that something or somebody is unharmed, and tells of no harm."""
    return any(state.search(text) and not harm.search(state.sub("", text)) for state, harm in _UNTOUCHED)


def denies_harm_of(text: str, other: str) -> bool:
    """Whether a text says that its subject is unharmed, and another one that it was harmed."""
    for state, harm in _UNTOUCHED:
        told = state.search(text)
        if told and harm.search(other) and not state.search(other) and not harm.search(state.sub("", text)):
            subject = _stems(_PREPOSITION.split(text[: told.start()], maxsplit=1)[0])
            return bool(subject) and said(other).issuperset(subject[-1:])
    return False


@lru_cache(maxsize=CACHED_TEXTS)
def without_outlet(headline: str) -> str:
    """A headline without its outlet at the end; "— fake" is no outlet, nor is the title behind "RETRACTED —"."""
    bare = headline[: len(OUTLET_SUFFIX.sub("", without_mark(headline)))]
    return headline if is_denial(headline) and not is_denial(bare) else bare


@lru_cache(maxsize=CACHED_TEXTS)
def negates(headline: str) -> bool:
    """Whether a text denies, negates or retracts anything."""
    said_no = is_denial(headline) or negations(headline) or NEGATIVE.search(headline)
    return bool(said_no or denies_cause(headline) or denies_a_harm(headline) or is_retraction(headline))


_LEAVES_UNDONE = _any(
    r"\b(?:refus|declin|fail)(?:es|s|ed|ing)? to\b|\b(?:ignor|miss)(?:es|ed|ing)?\b",
    r"\b(?:unable|impossible|no longer)\b",
    r"\bотказ(?:ал|ыва)\w*|\bбольше нет\b|\b(?:невозможн|неизвестн)\w*|\bне стал[аи]?\b",
)


@lru_cache(maxsize=CACHED_TEXTS)
def says_no(headline: str) -> bool:
    """Whether a text denies or negates anything, or says that somebody does not do something: "refuses to"."""
    return negates(headline) or bool(_LEAVES_UNDONE.search(headline))


@lru_cache(maxsize=CACHED_TEXTS)
def denies_cause(text: str) -> bool:
    """Whether a text says that something did not lead to something else."""
    return bool(CAUSE_DENIED.search(text))


_PLEA = re.compile(
    r"\b(suspects?|accused|defendants?|man|woman|driver|pleads?|lawyers?)\b.{0,40}\b(den(y|ies|ied)|not guilty)\b"
    r"|\b(tells?|told) (the |a )?(court|jury|judges?)\b"
    r"|\b(обвиняем\w+|подозреваем\w+|подсудим\w+|адвокат\w*|фигурант\w*)\b.{0,40}"
    r"\b(отрица\w*|отверг\w*|не призна\w*)\b"
    r"|\bне призна\w+ (?:\w+ )?вин[уы]\b",
    re.IGNORECASE,
)
"""An accused person with a word of denial, or somebody who speaks in court."""

_FEW_WORDS = r"(?:\S+\s?){1,4}"
_OWN_DEED = _any(
    r"\bden(?:y|ies|ied|ying) (?:ever )?(?:being|having) (?!\w+ed\b)\w+",
    r"\bden(?:y|ies|ied|ying) (?:ever )?(?!planning|considering)\w+ing(?! (?:of|at|in|near)\b) \w+",
    rf"\bden(?:y|ies|ied|ying) (?:that )?(?:he|she|they) (?!(?:\w+ ){{1,2}}\w+ed\b){_FEW_WORDS}",
    r"\b(?:says?|said|insists?|insisted|claims?|claimed)(?: that)? (?:he|she|i) "
    rf"(?:never|(?:did|has|had)(?: not|n['’]t)) {_FEW_WORDS}",
    r"\b(?:отрица|отверга)(?:ет|ла?)(?: (?:в|на) \w+)?,? что (?:(?:он|она|сама?|когда-либо|лично) )*"
    rf"\w+(?:ла?|ё[гкзс])\b(?:\s{_FEW_WORDS})?",
    rf"\b(?:заяв|утвержда|сказа|настаива)\w*,? что (?:(?:он|она|сама?) )?не \w+(?:ла?|ё[гкзс])\b(?:\s{_FEW_WORDS})?",
)
"""A denial of one's own deed: the person who denies it is also its subject."""

_OWN_STATE = _any(
    r"\bden(?:y|ies|ied|ying) (?:ever )?(?:being|having been)\b",
    r"\b(?:отрица|отверга)(?:ет|ла?),? что (?:ему|ей|им|его|е[её]|их)\b",
)
"""A denial of what was done to those who deny it: "denies being paid"."""

_OWN = _any(
    r"\bden(?:y|ies|ied|ying) (?:that )?(?:(?:he|she|they|it|its|his|her|their)\b|\w+ing\b(?! (?:of|at|in|near)\b))",
    r"\b(?:опров[её]рг\w*|отрица\w*|отверг\w*)(?:, что (?:он|она|они)\b| (?:\w+ )?(?:о )?сво(?:ю|его|ей|их|и|ё)\b)",
)
"""A denial of something of one's own."""


def denies_own(text: str) -> bool:
    """Whether those who deny something speak of what they did, or of what is theirs."""
    return bool(_OWN.search(text))


def denied_own_state(text: str) -> frozenset[str]:
    """The stem of what those who deny something say was not done to them; empty if they deny something else."""
    found = _OWN_STATE.search(text)
    return frozenset(_stems(text[found.end() :])[:1] if found else [])


_NO_DEED = frozenset(
    [
        *("arrest", "bankruptcy", "cancellation", "closure", "collapse", "dismissal", "divorce", "evacuation"),
        *("marriage", "purchase", "resignation", "sale", "sinking", "withdrawal"),
    ]
)
"""What happens to people or is their own business, so nobody is accused of it."""

_DIES = re.compile(r"\b(?:die[sd]?|dead|умер\w*|умира\w*|погиб\w*)\b", re.IGNORECASE)


def is_plea(text: str) -> bool:
    """Whether an accused person denies a deed, which may have been done all the same; English or Russian."""
    deed = _OWN_DEED.search(text)
    is_own = deed is not None and _NO_DEED.isdisjoint(said(deed[0])) and not _DIES.search(deed[0])
    return is_own or bool(_PLEA.search(text))
