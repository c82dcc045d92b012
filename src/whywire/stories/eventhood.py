"""Which words tell of an event, and which only seem to: claims, opinions, quotations, fragments (CRAB, section 3.3).

Each test looks at the surface of the words, in English or Russian. Which error is worse? A statement that is no
event puts a node into the timeline that never happened; an event missed is mostly told by another sentence, or
another paper. So what is in doubt is left out.
"""

from __future__ import annotations

import re
from enum import StrEnum

from whywire.news.article import Span
from whywire.news.language import Language
from whywire.stories.clauses import TOKEN
from whywire.stories.tenses import Tense, main_marks

MIN_TOKENS = 3
"""Fewer words are a fragment (CRAB, section 3.3)."""

QUOTED_WORDS = 5
"""A run of so many words in quotation marks is somebody's speech; fewer are a name or a term."""

_OPENING_WORDS = 12
"""The verb of a sentence that tells of an event stands early."""


class Unfit(StrEnum):
    """Why words are not the statement of an event."""

    FRAGMENT = "fragment"
    """Too few words, or no verb."""
    QUESTION = "question"
    QUOTATION = "quotation"
    CLAIM = "claim"
    """Somebody's belief, wish, warning or judgement."""
    ADDRESS = "address"
    """The writer speaks of himself or to the reader."""
    IMAGINED = "imagined"
    """What could, would or should be, is planned or expected."""
    NEGATED = "negated"
    """What did not happen, or not yet."""
    STATE = "state"
    """How things are, not what happened."""
    DANGLING = "dangling"
    """Its subject stands in another sentence."""
    NOTICE = "notice"
    """The site's own words: how to subscribe, who took the picture."""


def unfit(words: str, language: Language, *, headline: bool = False) -> Unfit | None:
    """Why these words do not state an event; ``None`` where they do.

    Args:
        words: a sentence or the clause of one, without what surrounds it.
        headline: told in the tense of headlines, in which the present tells what has happened.
    """
    rules = _RUSSIAN if language is Language.RUSSIAN else _ENGLISH
    if len(TOKEN.findall(words)) < MIN_TOKENS:
        return Unfit.FRAGMENT
    if _NOTICE.search(words):
        return Unfit.NOTICE
    if "?" in words or _ASKED.search(words):
        return Unfit.QUESTION
    quoted = (len(TOKEN.findall(words[start:end])) for start, end in quoted_spans(words))
    if _SPEECH.fullmatch(words) or any(count >= QUOTED_WORDS for count in quoted):
        return Unfit.QUOTATION
    bare = _blanked(words)
    marks = main_marks(bare, language)
    verb = marks[0].at if marks else len(bare)
    for reason, pattern in rules:
        found = pattern.search(bare)
        if found and (reason is not Unfit.STATE or found.start() <= verb):
            return reason
    being = _BEING.search(bare)
    if being and being.start() < verb:
        return Unfit.STATE
    if marks and marks[0].tense is Tense.FUTURE and not _DIGIT.search(bare):
        return Unfit.IMAGINED
    if headline:
        verbless = _LABEL.match(words) if language is not Language.RUSSIAN else not _RUSSIAN_PRESENT.search(bare)
        return Unfit.FRAGMENT if not marks and verbless else None
    if language is Language.RUSSIAN and (dash := _COPULA.search(bare)) and dash.start() < verb:
        return Unfit.STATE
    return Unfit.FRAGMENT if not marks or len(TOKEN.findall(bare[:verb])) > _OPENING_WORDS else None


def quoted_spans(text: str) -> list[Span]:
    """What stands between quotation marks, line by line; a mark that is never closed quotes the rest of its line."""
    found: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        opened: int | None = None
        closing = ""
        for match in _QUOTE.finditer(line):
            mark = match[0]
            if opened is None and mark in _CLOSING:
                opened, closing = match.end(), _CLOSING[mark]
            elif opened is not None and mark in closing:
                found.append((start + opened, start + match.start()))
                opened = None
        if opened is not None:
            found.append((start + opened, start + len(line.rstrip())))
        start += len(line)
    return [(first, last) for first, last in found if first < last]


def _blanked(words: str) -> str:
    """The words with what is quoted in them blanked out, so that it is not taken for the writer's own."""
    for start, end in quoted_spans(words):
        words = words[:start] + " " * (end - start) + words[end:]
    return words


_CLOSING = {"“": '”"', '"': '"”', "«": "»", "„": "“”"}
_QUOTE = re.compile(r"[“”\"«»„]")
_DIGIT = re.compile(r"\d")
_ASKED = re.compile(r": (?:чего|что|как|почему|кто|где|когда|сколько|зачем|why|how|what|who)\s[^,]*$", re.IGNORECASE)
"""Headlines that end in an indirect question."""

_SPEECH = re.compile(r"\s*[‘'].*[’']\s*")
_LABEL = re.compile(r"(?:The|A|An)\s")
"""Headlines that begin so and show no verb name a subject; those that tell of an event leave the article out."""

_BEING = re.compile(
    r"(?<!who )(?<!which )(?<!that )\b(?:is|are|was|were|remain(?:s|ed)?|has|have|had)\b(?! (?:being|to|set|dead|"
    r"killed|injured|arrested|charged|sentenced|released|cancelled|suspended|postponed|approved|named|launched|hit|"
    r"found)\b)"
)
"""A verb of being or having; in Russian the one goes unsaid and the other is seldom used."""

_COPULA = re.compile(r"\s[—–]\s")
"""Between a subject and what it is, Russian has a dash for a verb."""

_RUSSIAN_PRESENT = re.compile(r"[а-яё]{2,}(?:[еёиюуая]т)(?:ся)?\b")
"""The present, and the future of one word; a few nouns look like it."""

_NOTICE = re.compile(
    r"https?://|www\.|©|@\w+|\b(?:subscribe|sign up|newsletter|click here|read (?:more|also|the full)|follow us|"
    r"join our|all rights reserved|photo(?:s|graph)? (?:by|courtesy)|file photo|pic\.twitter|getty images|"
    r"this (?:article|story) (?:was|has been)|contributed to this|reporting by|editing by|advertisement|bookmark|"
    r"подпис(?:ывай|аться|ка)\w*|(?:читайте|смотрите)|фото:|видео:|источник:|telegram|(?:телеграм|наш)\S* канал\w*|"
    r"редакци[яи]|материал подготовлен|скриншот|ранее \S+ (?:писал|сообщал|рассказывал)\w*|(?:ранее )?сообщалось|"
    r"мы писали|начислено)",
    re.IGNORECASE,
)


def _words(*lines: str, first: bool = False) -> re.Pattern[str]:
    """Any of these words or phrases, which ``|`` parts, in any case; ``first`` for the head of a sentence only."""
    return re.compile(rf"{'^' if first else '(?<![-_])'}\b(?:{'|'.join(lines)})(?![\w-])", re.IGNORECASE)


_ENGLISH: tuple[tuple[Unfit, re.Pattern[str]], ...] = (
    (
        Unfit.ADDRESS,
        _words(
            r"I|I['’](?:m|ve|ll|d)|we|we['’](?:re|ve|ll)|my|our|you|your|you['’](?:re|ve|ll)|let['’]s|how to",
            r"here['’]s|here (?:is|are)|everything you",
        ),
    ),
    (
        Unfit.ADDRESS,
        _words(
            r"prepare|get|watch|save|check|meet|try|buy|shop|listen|see|find|grab|pick|look|don['’]t|stop|take",
            first=True,
        ),
    ),
    (
        Unfit.QUESTION,
        _words(
            r"why|what|how|who|where|which|is|are|can|does|will|should|could",
            first=True,
        ),
    ),
    (
        Unfit.DANGLING,
        _words(
            r"(?:[^\W_][\w'’-]*,?\s){0,4}(?:he|she|it|they)|this|these|those|that|there|his|her|its|their|both",
            r"some|others?|many|most|such|which|who|so|if|each|all|one|none|another",
            r"the (?:former|latter|duo|pair|moves?|announcement|decision|measures?|statement|news|change)",
            r"as|when|while|even|although|though|despite",
            first=True,
        ),
    ),
    (
        Unfit.IMAGINED,
        _words(
            r"would|could|should|(?-i:may|May(?= [A-Z][a-z]))|might|must|can|cannot|can['’]t|ought|if",
            r"plan(?:s|ned|ning)? to|hop(?:es|ed|ing) to|aim(?:s|ed|ing)? to|expected to|set to|(?:un)?likely",
            r"possibly|perhaps|probably|hopefully|consider(?:s|ing)?|eye[sd]?|eyeing|mull(?:s|ing)?",
            r"weigh(?:s|ing)?|keen|tipped to|look(?:s|ing)? to|ready to|in talks|prepar(?:es|ing) to",
        ),
    ),
    (
        Unfit.NEGATED,
        _words(
            r"(?:did|has|have|had|was|were|is|are|does|do)(?: not|n['’]t)|never|yet to",
        ),
    ),
    (
        Unfit.CLAIM,
        _words(
            r"believe[sd]?|thinks?|thought|claim(?:s|ed|ing)?|argue[sd]?|suggest(?:s|ed)?|insist(?:s|ed)?",
            r"hope[sd]?|fear(?:s|ed)|feels?|felt|expect(?:s|ed)?|warn(?:s|ed)?|predict(?:s|ed)?|alleg\w+",
            r"opinion|reportedly|rumou?r\w*|speculat\w+|seem(?:s|ed)?|appear(?:s|ed) to|prais\w+|slam(?:s|med)",
            r"blast(?:s|ed)|critici[sz]\w+|urg(?:es|ed)|hail(?:s|ed)|vow(?:s|ed)|admit(?:s|ted)|opens up|joked",
            r"tells|says?|said|told|tweet(?:s|ed)|wrote|writes|added that|stated|noted|explain(?:s|ed)|asked",
            r"replied|according to|recall(?:s|ed)|described|comment(?:s|ed)|mentioned|responded",
            r"stress(?:es|ed)|emphasi[sz]ed|pointed out|remarked|acknowledged|reminds?|views?|blame[sd]?",
            r"call(?:s|ed)? for|appreciat(?:es|ed)|enjoy(?:s|ed)|highlight(?:s|ed)|welcom(?:es|ed)",
            r"express(?:es|ed)|rav(?:es|ed)|thank(?:s|ed)|wishe[sd]|want(?:s|ed)|assured",
            r"backs|support(?:s|ed)|play(?:s|ed) down|raise[sd]? (?:doubts|concerns)|discuss(?:es|ed)|defend(?:s|ed)",
            r"teas(?:es|ed)|reveals? (?:how|why|joy|secrets?)|reflect(?:s|ed) on|lov(?:es|ed)|prefer(?:s|red)",
            r"chastis(?:es|ed)|estimat(?:es|ed)|attribut(?:es|ed)|advis(?:es|ed)|quoted",
        ),
    ),
    (
        Unfit.STATE,
        _words(
            r"includ(?:es|ed)|contain(?:s|ed)|consist(?:s|ed)|comes? as|came as|feature[sd]|belong(?:s|ed)|featuring",
            r"served as|ranked|lacks?|lacked|owns?|owned|had|requires?",
            r"(?:appear|starr|work|liv)ed (?:in|as|for|with)|show(?:s|ed) off|stuns|flaunt(?:s|ed)|survived by",
        ),
    ),
)

_RUSSIAN: tuple[tuple[Unfit, re.Pattern[str]], ...] = (
    (
        Unfit.ADDRESS,
        _words(
            r"я|мне|меня|мой|моя|мо[её]|мои|моей|мы|нам|нас|нами|наш\w*|вы|вам|вас|вами|ваш\w*|ты|тебе|тво\w+",
        ),
    ),
    (
        Unfit.QUESTION,
        _words(
            r"почему|зачем|как|что|кто|где|когда|какой|какая|какие|сколько|стоит ли|можно ли",
            first=True,
        ),
    ),
    (
        Unfit.DANGLING,
        _words(
            r"(?:[^\W_][\w'’-]*,?\s){0,4}(?:он|она|оно|они)|его|её|ее|их|ему|ей|им|это|этот|эта|эти|этого",
            r"этому|этой|об этом|с так(?:им|ой)|там|тут|так(?:ой|ая|ое|ие)?|тогда|туда|оттуда|котор\w+",
            r"(?:из|среди|у) них",
            r"у н(?:его|е[её])|последн(?:ий|яя|ие)|перв(?:ый|ая)|втор(?:ой|ая)|треть[ей]|мног(?:ие|их)",
            r"некоторы[ехм]+|друг(?:ие|ой|ая)|в (?:результате|итоге)|поэтому|причиной этого|при этом",
            r"(?:после|до) (?:этого|чего)|с тех пор|од(?:ин|на|но) из|всего|все|кажд\w+",
            first=True,
        ),
    ),
    (
        Unfit.IMAGINED,
        _words(
            r"бы|мо(?:жет|гут|жно)|нужно|необходимо|должн\w+|следует|стоит|если|возможно|вероятно|наверное",
            r"готов\w?|хоч(?:ет|ют)|хотят|интересу[ею]тся|рассматрива(?:ет|ют)|нацелил\w*|заинтересован\w*",
            r"скорее всего|жд[её]т|ждут|ожида(?:ет|ют)ся|прогнозиру\w+|планиру\w+|намерен\w*|собира(?:ет|ют)ся",
            r"не исключен\w|претенду[ею]т|говорят|якобы|предположительно|вряд ли",
        ),
    ),
    (
        Unfit.NEGATED,
        _words(
            r"(?:пока|ещ[её]|так и|никогда) не|не был[аои]?|отсутству\w+",
        ),
    ),
    (
        Unfit.CLAIM,
        _words(
            r"счита\w+|полага\w+|по (?:мнению|словам)|мнени[ею]|увер[её]н\w*|утвержда\w+|наде(?:ется|ются)",
            r"опаса\w+|предпол(?:ожил|ага)\w*|предупре(?:дил|жда)\w*|прогнозир\w+|призва[лн]\w*|призыва\w+",
            r"раскритиковал\w*|осудил\w*|заявил\w*|заявля\w+|сказал\w*|рассказ(?:ал|ыва)\w*|отме(?:тил|ча)\w*",
            r"подчеркнул\w*|(?:по|объ)яснил\w*|добавил\w*|напомнил\w*|признал(?:ся|ась|ись)|посоветовал\w*",
            r"прокомментировал\w*|ответил\w*|написал\w*|пиш[еу]т|говор(?:ит|ил)\w*|уточнил\w*",
            r"поделил(?:ся|ась|ись)|высказал\w*|оценил\w*|обвинил\w*|пообещал\w*|поблагодарил\w*|поздравил\w*",
            r"сообщ(?:ил|а)\w*|переда(?:л|[её]т)\w*|намекнул\w*|назвал[аи]?|разочаровал\w*|говорят",
            r"порекомендовал\w*|шок\w*|слух\w*|заверил\w*|выразил\w*",
            r"пожелал\w*|пошутил\w*|обрати\w+ внимание|вспомнил\w*|рассуд\w+|усомнил\w*|признал\w* что",
            r"рекомендовал\w*|отреагировал\w*|озвучи\w+|высту(?:пил|па)\w* (?:за|против)|поддержал\w*|заподозрил\w*",
            r"к (?:такому )?выводу|пожаловал(?:ся|ась|ись)|перечислил\w*|обеспокоил\w*",
            r"(?:известно|выясн\w+|узна\w+),? (?:во )?(?:сколько|как|почему|зачем|когда|кто|что)",
        ),
    ),
    (
        Unfit.STATE,
        _words(
            r"располож\w+|располага\w+|занима(?:ет|ют)|фигуриру\w+|оказал(?:ся|ась|ись|ось)|приход(?:ит|ят)ся",
            r"пришл(?:ась|ось|ись) на|составля\w+|составит|явля\w+|относится|стоимость|градус\w*",
            r"занимал(?:ся|ась|ись)|снимал(?:ся|ась|ись)|использовал[аи]?|работал[аи]?|служил[аи]?|жил[аи]?|имел[аи]?",
            r"считал(?:ся|ась|ись)|проходил[аи]?|длил(?:ся|ась|ись)|стоил[аи]?|мечтал[аи]?|любил[аи]?",
            r"находи(?:тся|лся|лась|лись)|остал(?:ся|ась|ись)|(?:впечатлил|поразил|восхитил)\w*",
        ),
    ),
    (
        Unfit.STATE,
        re.compile(r"^[^,]{3,60}\s[—–-]\s(?:это|один|одна|одно)\b", re.IGNORECASE),
    ),
)
