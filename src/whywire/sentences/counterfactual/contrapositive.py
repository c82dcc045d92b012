"""The fact behind a counterfactual: its contrapositive (Yang et al. 2020, section 2.2).

"Had it rained, we would have stayed" implies that it did not rain and that we did not stay: "Since it did not rain,
we did not stay." The condition is turned into a plain clause, both clauses are parsed separately, and each is
rewritten as a fact of the opposite polarity (`factual_clause`). Forms beyond a small grammar (questions, "even if", a
mere wish) have no contrapositive here, since a wrong fact is worse than none. On held-out rows of SemEval-2020 Task 5
with gold spans, four of five results are grammatical sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from whywire.news.article import Span
from whywire.sentences.counterfactual.factual_clause import FactualClause
from whywire.sentences.counterfactual.forms import match_forms
from whywire.sentences.counterfactual.grammar import (
    FINITE,
    NOUNS,
    OBJECTS,
    PROPER_NOUNS,
    RELATIVE,
    SUBJECTS,
    coordinated_verbs,
    english,
    finite_form,
    is_perfect,
    neighbour,
    normalised,
    number_of,
    phrase_of,
    root_verb,
    subject_of,
    tokens_of,
    uncapitalised,
    verb_group,
    versions,
)
from whywire.sentences.reading import Reading

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBORDINATE = r"^(?:even (?:though|if)|although|though|whereas|while|since|if) +(?=.*\b(?:would|could|might|'d)\b)"
"""Conjunctions that subordinate a consequent to the text before."""

_SUPPOSING = (
    r"^(?:what )?if(?: only)?\b,? *|^(?:supposing|suppose|assuming|presuming|imagining|providing|provided|as long as"
    r"|(?:on|under) (?:the )?condition|in the event)(?: that)? *"
    r"|^in an? (?:\w+ )?(?:world|universe|country|society|situation) (?:in which|where) *"
    r"|^(?:(?:i|we|you|they|he|she) )?(?:only )?wish(?:es|ed)?(?: that)? *"
)
_REPORTED_CONDITION = (
    r"^(?!\w*(?:if|unless|without)\b|[Hh]ad\b).*?(?:\bthat|\band|\bbut|,),? "
    r"((?:even if|if|unless|without|but for)\b.*)"
)
"""A condition inside reported speech: "they say that if …"."""

_QUESTION = "Why "
"""The word put before an inverted condition, since parsers know inversion mostly from questions."""

_INVERSION = r"^(?:had|were|was|should|did|could|hadn't|weren't)\b"
_MISPARSED_ENDING = r" (?:is|are|was|were|did|does|do|has|had) not$"
"""The end of a clause whose inversion was misparsed."""

_ABSENCE = (
    r"^(?:but|(?=.{,30}(?:not|n't|never)\b)(?:if|had|were|was|\w+n't)"
    r"(?: (?:it|this|that|had|have|been|not|never|were|was|would|\w+n't|\w+ly))*) for *"
    r"|^(?:without|absent|in the absence of) *"
)
_PARENTHESIS = r" ?\([^()]*\)| ?(?:--|—|–) [^-—–]* (?:--|—|–)(?= )"
"""Words in brackets or between dashes, which are dropped because they confuse the parser."""

_ATTRIBUTION = (
    r", (?:says?|said|writes|wrote) [A-Z].*$|, (?:[^ ,]+ ){1,5}(?:says?|said|writes|wrote)(?: in [^,]*)?,?$"
)
"""An attribution at the end of a clause: ", Smith said"."""

_CONCESSION = r"^(?:even|whether|although|though|as if|as though|like|than|while)\b"
"""Concessions, which imply nothing: the consequent holds with or without them."""

_NOMINAL_POS = {"NOUN", "PROPN", "PRON", "ADJ", "DET", "NUM"}
_MODIFIERS = {"amod", "compound", "nsubj", "csubj", "nsubjpass", "aux", "auxpass", "prep"}
_ADJUNCT_NOUNS = {"day", "time", "year", "moment", "place", "way", "reason", "point", "extent", "degree"}
"""Nouns of time, place or manner, which are not the objects of a relative clause after them."""

_DEFINITE = {"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"}


@dataclass(frozen=True, slots=True)
class _Condition:
    """An antecedent as a plain clause, or as a noun phrase.

    Args:
        denied: the condition is that this is not the case ("unless", "without").
        noun: the condition is a noun phrase, as after "without".
        uninverted: an inverted clause with its subject in front, guessed without a parse.
    """

    words: str
    denied: bool = False
    noun: bool = False
    uninverted: str = ""


def with_contrapositives(sentences: Sequence[str], readings: Sequence[Reading]) -> list[Reading]:
    """Add ``form`` and ``contrapositive`` to the readings of counterfactual sentences.

    Without the extra ``grammar`` and an English pipeline the readings are returned unchanged.
    """
    counterfactuals = {
        number: (sentence, reading.antecedent, reading.consequent)
        for number, (sentence, reading) in enumerate(zip(sentences, readings, strict=True))
        if reading.antecedent is not None
    }
    result = list(readings)
    if counterfactuals and versions():
        rows = counterfactuals.values()
        matches = match_forms(sentence for sentence, *_ in rows)
        for number, sentence, match in zip(counterfactuals, contrapositives(rows), matches, strict=True):
            form = match.form if match else None
            result[number] = replace(result[number], form=form, contrapositive=sentence)
    return result


def contrapositives(rows: Iterable[tuple[str, Span, Span | None]]) -> list[str | None]:
    """Return the facts that counterfactuals imply, as sentences that begin with "Since", "Because of" or "Without".

    Args:
        rows: sentences, each with the half-open character spans of its antecedent and its consequent (``None`` if the
            sentence has none).

    Returns:
        For each row a sentence, or ``None`` if it has no consequent or no rule covers it.

    Raises:
        MissingExtraError: spaCy or lemminflect is not installed.
        ModelError: spaCy has no English pipeline here.
    """
    rows = list(rows)
    parse = english().pipe
    whole = parse(text for text, _, _ in rows)
    plans = [
        _plain_parts(antecedent, consequent, doc)
        for (_, antecedent, consequent), doc in zip(rows, whole, strict=True)
    ]
    clauses = parse(words for plan in plans if plan for words in (plan[0].words, plan[1]))
    return [_joined(plan[0], next(clauses), next(clauses)) if plan else None for plan in plans]


def _plain_parts(antecedent: Span, consequent: Span | None, doc: Doc) -> tuple[_Condition, str] | None:
    """Return both parts as plain clauses, ready to be parsed."""
    if consequent is None:
        return None
    result = _with_object(doc, antecedent, consequent) or _words(doc, consequent)
    result = re.sub(_SUBORDINATE, "", result, flags=re.IGNORECASE)
    if noun := _subject_within(doc, antecedent, consequent):
        pronoun = "they" if number_of(noun) == "pl" else "it"
        return _Condition(_words(doc, antecedent), noun=True), f"{pronoun} {result}."
    subject = _lost_subject(doc, consequent)
    if subject:
        result = f"{subject} {result}"
    else:
        nouns = (token for token in tokens_of(doc, consequent) if token.dep_ in SUBJECTS)
        subject = next(map(phrase_of, nouns), "")
    condition = _condition(_words(doc, antecedent), tokens_of(doc, antecedent), subject)
    return (condition, result + ".") if condition and re.search(r"\w", condition.words) and result else None


def _subject_within(doc: Doc, antecedent: Span, consequent: Span) -> Token | None:
    """Return the noun of an antecedent that is the consequent's subject: "a word | would have sufficed"."""
    first = next((token for token in tokens_of(doc, consequent) if token.pos_ != "ADV"), None)
    if first is None or first.tag_ != "MD":
        return None
    noun = subject_of(first.head)
    if noun is None or noun.tag_ not in NOUNS - {"PRP", "EX"} or not antecedent[0] <= noun.idx < antecedent[1]:
        return None
    if any(part.tag_ in FINITE and part.i < noun.i for part in tokens_of(doc, antecedent)):
        return None
    outside = [part for part in tokens_of(doc, antecedent) if part not in noun.subtree]
    return noun if all(part.is_punct or part.dep_ in {"cc", "advmod"} for part in outside) else None


def _with_object(doc: Doc, antecedent: Span, span: Span) -> str:
    """Return a relative clause as a main clause with its object; empty if the part is no relative clause.

    "The hats she would have sold" becomes "she would have sold the hats".
    """
    modal = next((token for token in tokens_of(doc, span) if token.tag_ == "MD"), None)
    if modal is None or modal.head.dep_ != "relcl":
        return ""
    verb, subject = modal.head, subject_of(modal.head)
    noun, kinds = verb.head, {child.dep_ for child in verb.children}
    if subject is None or subject.tag_ in RELATIVE or subject.idx < span[0] or noun.lower_ in _ADJUNCT_NOUNS:
        return ""
    if antecedent[0] <= noun.idx < antecedent[1]:
        return ""
    if noun.tag_ not in NOUNS or kinds & (OBJECTS - {"nsubj", "xcomp", "prt"}) or verb.lemma_ == "be":
        return ""
    if any(part not in noun.subtree for part in tokens_of(doc, span) if not part.is_punct):
        return ""
    stranded = [child for child in verb.rights if child.dep_ == "prep" and not list(child.children)]
    end = max(token.idx + len(token) for token in [verb, *stranded])
    return normalised(f"{doc.text[subject.left_edge.idx : end]} {phrase_of(noun)} {doc.text[end : span[1]]}")


def _words(doc: Doc, span: Span) -> str:
    """Return the words of a part without the word that subordinates it ("that", "who")."""
    first = next(iter(tokens_of(doc, span)), None)
    if first is None:
        return ""
    said = first.lower_ == "that" and first.dep_ == "mark" and first.head.head.i < first.i
    related = first.tag_ in RELATIVE and first.head.dep_ == "relcl" and neighbour(first, -1).text != ","
    if first.lower_ == "which" and not related:
        return "that" + doc.text[first.idx + len(first) : span[1]]
    words = uncapitalised(doc, (first.idx + len(first), span[1]) if said or related else span)
    return re.sub(r",? (?:and|or|but)(?: then)?$", "", re.sub(_ATTRIBUTION, "", re.sub(_PARENTHESIS, "", words)))


def _condition(words: str, tokens: list[Token], subject: str) -> _Condition | None:
    """Return an antecedent as a plain clause; a mere participle gets the consequent's ``subject``."""
    if inner := re.search(_REPORTED_CONDITION, words):
        words = inner[1]
    if re.match(_CONCESSION, words, re.IGNORECASE):
        return None
    if absent := re.match(_ABSENCE, words, re.IGNORECASE):
        return _Condition(words[absent.end() :], denied=True, noun=True)
    if present := re.match(r"^with ", words, re.IGNORECASE):
        return _Condition(words[present.end() :], noun=True)
    if unless := re.match(r"^unless\b,? *", words, re.IGNORECASE):
        return _Condition(words[unless.end() :] + ".", denied=True)
    if supposed := re.match(_SUPPOSING, words, re.IGNORECASE):
        words = words[supposed.end() :]
    words = re.sub(r"\b(and|or|but),? (?:only )?if\b", r"\1", words)
    words = re.sub(r", if (?!not|any|ever|only)", ", and ", words)
    if not words:
        return None
    if re.match(_INVERSION, words, re.IGNORECASE):
        uninverted = (
            re.sub(r"^(\w+) (.+?) (?=been\b|not\b|\w+(?:ed|ing)\b)", r"\2 \1 ", words, flags=re.IGNORECASE) + "."
        )
        question = _QUESTION + re.sub(r"^\w+", lambda word: word[0].lower(), words) + "?"
        return _Condition(question, uninverted=uninverted)
    if subject and _is_participle(words, tokens, supposed is not None):
        words = f"{subject} had been {words.removeprefix('being ')}"
    return _Condition(words + ".")


def _is_participle(words: str, tokens: list[Token], supposed: bool) -> bool:
    """Return whether a condition is only a participle: "if asked", "faced with that"."""
    first = next((token for token in tokens if token.text == words.split()[0]), None)
    if first is None or first.tag_ not in {"VBN", "VBG"} or first.dep_ in _MODIFIERS:
        return False
    finite = any(token.tag_ in FINITE and token.dep_ in {"ROOT", "advcl", "ccomp", "conj"} for token in tokens)
    return not finite and (supposed or first.lower_ != "given")


def _lost_subject(doc: Doc, span: Span) -> str:
    """Return the subject, found elsewhere in the sentence, of a part that begins with its verb; empty for others."""
    tokens = tokens_of(doc, span)
    verb = next((token for token in tokens if token.tag_ == "MD" or token.dep_ in {"ROOT", "conj"}), None)
    if verb is None or verb.tag_ != "MD":
        return ""
    before = [
        token for token in tokens if token.i < verb.i and token.pos_ in _NOMINAL_POS and token.tag_ not in RELATIVE
    ]
    if any(not any(part.dep_ == "prep" and part.idx >= span[0] for part in token.ancestors) for token in before):
        return ""
    verb = verb.head
    while True:
        subject = subject_of(verb)
        if subject is not None and subject.tag_ in RELATIVE and verb.dep_ == "relcl" and not before:
            return phrase_of(verb.head)
        if subject is not None:
            return "" if subject.idx >= span[0] else phrase_of(subject)
        if verb.dep_ != "conj":
            break
        verb = verb.head
    nouns = [token for token in doc if token.dep_ in SUBJECTS and token.idx < span[0] and token.tag_ in NOUNS]
    return phrase_of(nouns[-1]) if nouns and not before else ""


def _joined(condition: _Condition, antecedent: Doc, consequent: Doc) -> str | None:
    result = FactualClause(consequent)
    verbs = result.imagined_verbs()
    past = any(is_perfect(verb_group(verb)) or verb_group(verb)[0].tag_ == "VBD" for verb in verbs)
    if not verbs or not all(result.make_factual(verb, past) for verb in verbs):
        return None
    if condition.noun:
        since = _cause_phrase(antecedent, past, condition.denied)
        return f"{since}, {result.text()}." if since else None
    since = _cause_clause(antecedent, past, condition)
    if since is None and condition.uninverted:
        since = _cause_clause(english()(condition.uninverted), past, condition)
    return f"Since {since}, {result.text()}." if since else None


def _cause_clause(doc: Doc, past: bool, condition: _Condition) -> str | None:
    cause = FactualClause(doc, start=1 if doc.text.startswith(_QUESTION) else 0)
    if not all(cause.make_factual(verb, past, flip=not condition.denied) for verb in coordinated_verbs(cause.root)):
        return None
    words = cause.text()
    unfinished = condition.uninverted and re.search(_MISPARSED_ENDING, words)
    return None if unfinished or re.match(_INVERSION, words, re.IGNORECASE) else words


def _cause_phrase(doc: Doc, past: bool, present: bool) -> str | None:
    """Return the cause clause of a noun phrase: "there was a storm", or "because of the storm" for a definite one."""
    words = doc.text
    head = root_verb(doc)
    if doc[0].tag_ in RELATIVE:
        return None
    clausal = head.tag_ == "VBG" and any(child.dep_ in SUBJECTS | OBJECTS for child in head.children)
    named = doc[0].is_title or doc[0].tag_ in {"NNP", "NNPS", "PRP", "PRP$", "VBG"}
    is_definite = clausal or named or doc[0].lower_ in _DEFINITE
    if is_definite or head.tag_ in PROPER_NOUNS or any(child.dep_ == "poss" for child in head.children):
        return f"{'Because of' if present else 'Without'} {words}"
    words = re.sub(r"^any", "some", words) if present else re.sub(r"^(?:(?:an?|some|any)\b)? *", "no ", words)
    return f"Since there {finite_form('be', number_of(head), past)} {words}"
