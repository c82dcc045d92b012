"""The fact behind a counterfactual: its contrapositive (Yang et al. 2020, section 2.2).

"Had it rained, we would have stayed" says that it did not rain and that they did not stay: "Since it did not rain,
we did not stay." The condition is brought into the form of a plain clause, both clauses are parsed on their own, and
each is then told again: its verb group is taken apart, moved from the imagined world into the real one, and its
polarity is turned. What a small grammar cannot do (questions, "even if", a wish alone) has no contrapositive here:
nothing is better than a wrong fact. On rows of SemEval-2020 Task 5 kept apart, with their gold spans, three of four
come out as a grammatical sentence, one of seven as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whywire.errors import MissingExtraError
from whywire.news.article import Span
from whywire.sentences.grammar import english

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

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
"""What corpora spell in several ways, and the one way used here."""

LEAD = (
    r"^(?:(?:whether(?! or)|and|but(?! for)|so|because|then|yet|now|perhaps|maybe|or|only|particularly|especially"
    r"|thus|therefore)\b,? *|(?:still|also|in fact|for (?:instance|example)), "
    r"|(?:\w+,|\w+ly) (?=(?:if|had|were|unless|without|but for)\b))"
)
"""Words that join a clause to what came before it."""

SUBORDINATE = r"^(?:even (?:though|if)|although|though|whereas|while|since|if) +(?=.*\b(?:would|could|might|'d)\b)"
"""Words that make a consequent depend on what came before it."""

SUPPOSING = (
    r"^(?:what )?if(?: only)?\b,? *|^(?:supposing|suppose|assuming|imagining|providing|provided|as long as"
    r"|(?:on|under) (?:the )?condition|in the event)(?: that)? *"
    r"|^in an? (?:\w+ )?(?:world|universe|country|society|situation) (?:in which|where) *"
    r"|^(?:(?:i|we|you|they|he|she) )?(?:only )?wish(?:es|ed)?(?: that)? *"
)
INNER = (
    r"^(?!\w*(?:if|unless|without)\b|[Hh]ad\b).*?(?:\bthat|\band|\bbut|,),? "
    r"((?:even if|if|unless|without|but for)\b.*)"
)
"""A condition that is told rather than made: "they say that if …"."""

UNLESS = r"^unless\b,? *"
QUESTION = "Why "
"""What an inverted condition is parsed with: parsers know inversion best from questions."""

INVERTED = r"^(?:had|were|was|should|did|could|hadn't|weren't)\b"
BUT_FOR = (
    r"^(?:but|(?=.{,30}(?:not|n't|never)\b)(?:if|had|were|was|\w+n't)"
    r"(?: (?:it|this|that|had|have|been|not|never|were|was|would|\w+n't|\w+ly))*) for *"
    r"|^(?:without|absent|in the absence of) *"
)
EVEN = r"^(?:even|whether|although|though|as if|as though|like|than|while)\b"
"""Conditions that do not matter to what follows, and so say nothing of it."""

IMAGINED = {"would", "could", "might", "may", "should", "'d"}
KEPT_MODALS = {"could": "can", "can": "can", "ca": "can", "will": "will", "wo": "will", "may": "may", "must": "must"}
NOT = {"not", "n't"}
DENIALS = {"not", "n't", "never", "hardly", "barely", "scarcely"}
DENYING = {"no", "nobody", "nothing", "nowhere", "none", "neither", "nor"}
DOUBTS = {"doubt", "unlikely", "impossible", "doubtful", "inconceivable", "improbable", "deny", "no", *DENIALS}
"""Words that turn the polarity of a clause they govern."""

HEDGES = {
    "perhaps", "probably", "maybe", "possibly", "likely", "certainly", "definitely", "surely", "undoubtedly", "then",
    "presumably", "arguably", "otherwise", "conceivably", "doubtless", "obviously", "potentially", "theoretically",
}  # fmt: skip
"""Adverbs of how sure the speaker is of an imagined thing; a fact does without them."""

AFFIRMED = {
    "nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some", "neither": "either",
    "any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something", "anywhere": "somewhere",
    "nor": "or", "yet": "already", "either": "too", "ever": "", "anymore": "",
}  # fmt: skip
"""Words that live with a denial, and what stands in their place without one."""

DENIED = {"some": "any", "someone": "anyone", "somebody": "anybody", "something": "anything", "already": "yet"}
DENIED_SUBJECTS = {
    "someone": "no one", "somebody": "nobody", "something": "nothing", "anyone": "no one", "anybody": "nobody",
    "anything": "nothing", "some": "no", "any": "no", "everyone": "not everyone", "everybody": "not everybody",
    "everything": "not everything", "every": "not every", "all": "not all", "each": "not every", "either": "neither",
}  # fmt: skip
"""Subjects that take the denial upon themselves."""

BE = {("sg", False): "is", ("I", False): "am", ("pl", False): "are", ("pl", True): "were"}
"""Forms of "be" by number and whether they are past; the others are "was"."""

SAYING = {
    "say", "think", "believe", "tell", "argue", "predict", "write", "add", "note", "report", "suggest", "claim",
    "find",
}  # fmt: skip
"""Verbs that may follow what they tell."""

FINITE = {"VBD", "VBZ", "VBP", "MD"}
QUESTIONS = {"WP", "WDT", "WRB", "WP$"}
OBJECTS = {"dobj", "xcomp", "ccomp", "nsubj", "attr", "acomp", "prt"}
SUBJECTS = {"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"}
EMBEDDED = {"relcl", "advcl", "ccomp", "acl", "csubj", "csubjpass", "parataxis", "mark"}
"""Relations to clauses whose words are not denied with the clause they stand in."""

MANY = {
    "many", "both", "few", "several", "these", "those", "they", "we", "you", "most", "all", "us", "them",
    "people", "police", "women", "men", "children",
}  # fmt: skip
SHARES = {
    "some", "most", "all", "many", "half", "lot", "lots", "majority", "number", "none", "rest", "third", "thirds",
    "quarter", "percent", "%",
}  # fmt: skip
"""Words for a share, which agree in number with what they are a share of."""

NOUNS = {"NN", "NNS", "NNP", "NNPS", "PRP", "EX"}
VERBAL = {"VERB", "AUX"}
DETERMINED = {"NOUN", "PROPN", "PRON", "ADJ", "DET", "NUM"}
RELATIVE = {"WP", "WDT"}
NAMES = {"NNP", "NNPS"}
HELPERS = {"aux", "auxpass"}
MODIFIERS = {"amod", "compound", "nsubj", "csubj", "nsubjpass", "aux", "auxpass", "prep"}
UNLIKE = {("VBN", "VBG"), ("VBD", "VBG"), ("VBN", "VB"), ("VBD", "VB")}
"""Forms of verbs that are not coordinated with each other."""

AMOUNTS = {
    "lot", "little", "few", "bit", "number", "couple", "bunch", "great", "good", "much", "more", "less", "enough",
    *MANY,
}  # fmt: skip
"""Words that measure a thing, so that "no" cannot stand before them."""

DEFINITE = {"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"}


@dataclass(frozen=True, slots=True)
class Condition:
    """An antecedent brought into the form of a plain clause, or of a noun phrase after "without".

    Args:
        denied: it is the clause itself that is imagined not to be ("unless", "without").
        straight: an inverted clause with its subject in front, as far as that can be told without a parse.
    """

    words: str
    denied: bool = False
    noun: bool = False
    straight: str = ""


def contrapositive(text: str, antecedent: Span, consequent: Span | None, doc: Doc | None = None) -> str | None:
    """The facts a counterfactual implies, as a sentence that begins with "Since" or "Because of".

    Args:
        text: the sentence.
        antecedent: half-open character span of the imagined condition.
        consequent: of what would have followed; ``None`` where the sentence does not say it.
        doc: the sentence's parse, where there is one already.

    Returns:
        ``None`` where there is no consequent, or no rule for this form of words.

    Raises:
        MissingExtraError: spaCy or lemminflect is not installed.
        ModelError: spaCy has no English pipeline here.
    """
    return next(_contrapositives([(text, antecedent, consequent)], [doc] if doc is not None else None))


def contrapositives(rows: Iterable[tuple[str, Span, Span | None]]) -> list[str | None]:
    """:func:`contrapositive` of many sentences, parsed in batches: (text, antecedent, consequent) each."""
    return list(_contrapositives(list(rows), None))


def _contrapositives(rows: list[tuple[str, Span, Span | None]], docs: list[Doc] | None) -> Iterator[str | None]:
    parse = english().pipe
    whole = docs or parse(text for text, _, _ in rows)
    plans = [_plan(*row[1:], doc) for row, doc in zip(rows, whole, strict=True)]
    clauses = parse(words for plan in plans if plan for words in (plan[0].words, plan[1]))
    for plan in plans:
        yield _join(plan[0], next(clauses), next(clauses)) if plan else None


def _plan(antecedent: Span, consequent: Span | None, doc: Doc) -> tuple[Condition, str] | None:
    """Both parts as plain clauses, ready to be parsed."""
    if consequent is None:
        return None
    result = re.sub(SUBORDINATE, "", _words(doc, consequent), flags=re.IGNORECASE)
    subject = _lost_subject(doc, consequent)
    if subject:
        result = f"{subject} {result}"
    else:
        nouns = (token for token in _part(doc, consequent) if token.dep_ in SUBJECTS)
        subject = next(map(_phrase, nouns), "")
    condition = _condition(_words(doc, antecedent), _part(doc, antecedent), subject)
    return (condition, result + ".") if condition and re.search(r"\w", condition.words) and result else None


def _words(doc: Doc, span: Span) -> str:
    """The words of a part without the word that ties it to its sentence ("that", "who")."""
    first = next(iter(_part(doc, span)), None)
    if first is None:
        return ""
    said = first.lower_ == "that" and first.dep_ == "mark" and first.head.head.i < first.i
    related = first.tag_ in RELATIVE and first.head.dep_ == "relcl" and _beside(first, -1).text != ","
    if first.lower_ == "which" and not related:
        return "that" + doc.text[first.idx + len(first) : span[1]]
    return _small(doc, (first.idx + len(first), span[1]) if said or related else span)


def _small(doc: Doc, span: Span) -> str:
    """The words of a span, without the capital that only their place gave them."""
    words = doc.text[slice(*span)]
    first = next((token for token in _part(doc, span) if token.is_alpha), None)
    starts = first is not None and (not first.i or _beside(first, -1).is_punct)
    if first is not None and starts and first.is_title and first.tag_ not in NAMES and first.text != "I":
        place = first.idx - span[0]
        words = words[:place] + words[place].lower() + words[place + 1 :]
    return _plain(words)


def _condition(words: str, tokens: list[Token], subject: str) -> Condition | None:
    """An antecedent as a plain clause; ``subject`` is the consequent's, for a participle that has none."""
    if inner := re.search(INNER, words):
        words = inner[1]
    if re.match(EVEN, words, re.IGNORECASE):
        return None
    if found := re.match(BUT_FOR, words, re.IGNORECASE):
        return Condition(words[found.end() :], denied=True, noun=True)
    if found := re.match(r"^with ", words, re.IGNORECASE):
        return Condition(words[found.end() :], noun=True)
    if found := re.match(UNLESS, words, re.IGNORECASE):
        return Condition(words[found.end() :] + ".", denied=True)
    if supposed := re.match(SUPPOSING, words, re.IGNORECASE):
        words = words[supposed.end() :]
    words = re.sub(r"\b(and|or|but),? (?:only )?if\b", r"\1", words)
    words = re.sub(r", if (?!not|any|ever|only)", ", and ", words)
    if not words:
        return None
    if re.match(INVERTED, words, re.IGNORECASE):
        straight = (
            re.sub(r"^(\w+) (.+?) (?=been\b|not\b|\w+(?:ed|ing)\b)", r"\2 \1 ", words, flags=re.IGNORECASE) + "."
        )
        question = QUESTION + re.sub(r"^\w+", lambda word: word[0].lower(), words) + "?"
        return Condition(question, straight=straight)
    if subject and _is_participle(words, tokens, supposed is not None):
        words = f"{subject} had been {words.removeprefix('being ')}"
    return Condition(words + ".")


def _is_participle(words: str, tokens: list[Token], supposed: bool) -> bool:
    """Whether a condition is only a participle: "if asked", "faced with that"."""
    first = next((token for token in tokens if token.text == words.split()[0]), None)
    if first is None or first.tag_ not in {"VBN", "VBG"} or first.dep_ in MODIFIERS:
        return False
    finite = any(token.tag_ in FINITE and token.dep_ in {"ROOT", "advcl", "ccomp", "conj"} for token in tokens)
    return not finite and (supposed or first.lower_ != "given")


def _plain(words: str) -> str:
    """Spelling made even; no quotes, joining words and stops at the ends."""
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
        words = re.sub(LEAD, "", words.strip(" ,.;:!?-–—…'"), flags=re.IGNORECASE)
    return words


def _part(doc: Doc, span: Span) -> list[Token]:
    return [token for token in doc if span[0] <= token.idx < span[1]]


def _lost_subject(doc: Doc, span: Span) -> str:
    """The subject of a part that begins with its verb, from the rest of the sentence; empty where it has its own."""
    tokens = _part(doc, span)
    verb = next((token for token in tokens if token.tag_ == "MD" or token.dep_ in {"ROOT", "conj"}), None)
    if verb is None or verb.tag_ != "MD":
        return ""
    before = [
        token for token in tokens if token.i < verb.i and token.pos_ in DETERMINED and token.tag_ not in RELATIVE
    ]
    if any(not any(part.dep_ == "prep" and part.idx >= span[0] for part in token.ancestors) for token in before):
        return ""
    verb = verb.head
    while True:
        subject = _subject(verb)
        if subject is not None and subject.tag_ in RELATIVE and verb.dep_ == "relcl" and not before:
            return _phrase(verb.head)
        if subject is not None:
            return "" if subject.idx >= span[0] else _phrase(subject)
        if verb.dep_ != "conj":
            break
        verb = verb.head
    nouns = [token for token in doc if token.dep_ in SUBJECTS and token.idx < span[0] and token.tag_ in NOUNS]
    return _phrase(nouns[-1]) if nouns and not before else ""


def _phrase(noun: Token) -> str:
    """A noun phrase without the clauses that hang on it."""
    left, right = noun.left_edge, noun.i + 1
    for child in noun.rights:
        if child.dep_ not in {"prep", "cc", "conj"}:
            break
        right = child.right_edge.i + 1
    clauses = [token.left_edge.i for token in noun.subtree if token.dep_ == "relcl"]
    right = min([right, *clauses])
    phrase = noun.doc[left.i : right]
    return _small(noun.doc, (phrase.start_char, phrase.end_char))


def _join(condition: Condition, antecedent: Doc, consequent: Doc) -> str | None:
    result = _Retelling(consequent)
    verbs = result.imagined()
    past = any(_perfect(_chain(verb)) or _chain(verb)[0].tag_ == "VBD" for verb in verbs)
    if not verbs or not all(result.turn(verb, past) for verb in verbs):
        return None
    if condition.noun:
        since = _presence(antecedent, past, condition.denied)
        return f"{since}, {result.text()}." if since else None
    since = _turned(antecedent, past, condition)
    if since is None and condition.straight:
        since = _turned(english()(condition.straight), past, condition)
    return f"Since {since}, {result.text()}." if since else None


def _turned(doc: Doc, past: bool, condition: Condition) -> str | None:
    cause = _Retelling(doc, start=1 if doc.text.startswith(QUESTION) else 0)
    if not all(cause.turn(verb, past, flip=not condition.denied) for verb in _coordinated(cause.root)):
        return None
    words = cause.text()
    return None if re.match(INVERTED, words, re.IGNORECASE) else words


def _presence(doc: Doc, past: bool, present: bool) -> str | None:
    """What "without" misses is there: "there was a storm", or "because of the storm" where the storm is known."""
    words = doc.text
    head = _root(doc)
    if doc[0].tag_ in RELATIVE:
        return None
    clausal = head.tag_ == "VBG" and any(child.dep_ in SUBJECTS | OBJECTS for child in head.children)
    known = clausal or doc[0].lower_ in DEFINITE or doc[0].tag_ in {"NNP", "NNPS", "PRP", "PRP$", "VBG"}
    if known or head.tag_ in NAMES or any(child.dep_ == "poss" for child in head.children):
        return f"{'Because of' if present else 'Without'} {words}"
    words = re.sub(r"^any", "some", words) if present else re.sub(r"^(?:(?:an?|some|any)\b)? *", "no ", words)
    return f"Since there {_finite('be', _number(head), past)} {words}"


class _Retelling:
    """A parsed clause whose words are replaced, one by one, as it is told again."""

    def __init__(self, doc: Doc, start: int = 0) -> None:
        self.root = _root(doc)
        self.kept = doc[start:]
        self.doubted = self.narrowed = False
        self.replaced: dict[int, str] = {}
        self.before: dict[int, str] = {}

    def imagined(self) -> list[Token]:
        """The verbs of what would have been; attributions ("I think that …") are left out of the text."""
        verbs = [verb for verb in _coordinated(self.root) if _imagined(verb)]
        if verbs:
            return verbs
        for verb in [_main(token) for token in self.kept if token.dep_ not in HELPERS and _imagined(token)]:
            if self._narrow(verb):
                return [other for other in _coordinated(verb) if other == verb or _imagined(other)]
            if verb.dep_ == "ccomp" and verb.head == self.root and verb.i < self.root.i:
                return [verb]
        subject, first = _doer(self.root), _chain(self.root)[0]
        return [self.root] if subject and subject.i < first.i and first.tag_ in FINITE else []

    def _narrow(self, verb: Token) -> bool:
        """Keep only the clause of that verb, where it is a clause of its own."""
        above, names = verb, {}
        while above.dep_ != "ROOT":
            if above.dep_ not in {"conj", "ccomp", "relcl", "acl", "csubj", "attr", "acomp", "appos"}:
                return False
            follows = above == verb and above.dep_ == "ccomp" and above.i < above.head.i
            if follows and _lemma(above.head) not in SAYING:
                return False
            if any(child.dep_ == "mark" and child.lower_ in {"if", "whether"} for child in above.children):
                return False
            if above.dep_ == "relcl":
                subject = _subject(above)
                if subject is None or subject.tag_ not in RELATIVE:
                    return False
                names[subject.i] = _phrase(above.head)
            above = above.head
            words = {_lemma(above), *(child.lower_ for child in above.children)}
            self.doubted ^= len(words & DOUBTS) % 2 == 1
        self.replaced.update(names)
        self.narrowed = True
        self.kept = verb.doc[verb.left_edge.i : verb.right_edge.i + 1]
        return True

    def turn(self, verb: Token, past: bool, flip: bool = True) -> bool:
        """Tell the clause of ``verb`` as a fact, its polarity turned; ``False`` where the rules cannot.

        Args:
            past: an imagined present ("if I were rich") was one of the past, by what goes with it.
            flip: ``False`` keeps the polarity.
        """
        subject, chain, own = _doer(verb), _chain(verb), list(_own(verb, EMBEDDED))
        if subject is None or chain[0].tag_ not in FINITE | {"VBN", "VB"} or chain[0].lower_ == "ought":
            return False
        if any(token.tag_ in QUESTIONS and self.kept[0].i <= token.i < verb.i for token in own if token != subject):
            return False
        if subject.tag_ in QUESTIONS and subject.i not in self.replaced:
            return False
        core = list(_own(verb, EMBEDDED | {"prep", "xcomp", "npadvmod"}))
        denials = [token for token in core if _denies(token)]
        if any(_beside(token).lower_ in {"only", "merely"} for token in denials):
            return False
        deny = bool(denials) != (flip != self.doubted)
        if denials and not deny:
            self._affirm(own, denials)
        by_verb = deny and any(token.lower_ in NOT for token in denials)
        if deny and not denials:
            by_verb = not self._deny(subject, verb, own)
        for token in core:
            hedge = token.lower_ in HEDGES and token.head in chain and token.i < verb.i
            if hedge or token.lower_ in NOT:
                self.replaced.update({part.i: "" for part in (token.subtree if hedge else [token])})
                if _beside(token).text == "," and token.i and _beside(token, -1).text == ",":
                    self.replaced[token.i + 1] = ""
        self._tell(verb, chain, subject, past, by_verb)
        return True

    def _affirm(self, own: list[Token], denials: list[Token]) -> None:
        for token in denials:
            if _beside(token).lower_ == "longer":
                self.replaced.update({token.i: "still", token.i + 1: ""})
            elif token.lower_ == "no":
                self.replaced[token.i] = _article(token)
            else:
                self.replaced[token.i] = AFFIRMED.get(token.lower_, "")
        for token in own:
            if token.lower_ == "all" and token.i and _beside(token, -1).lower_ == "at":
                self.replaced.update({token.i - 1: "", token.i: ""})
            if token.lower_ in AFFIRMED and token.i not in self.replaced and token.dep_ not in {"cc", "preconj"}:
                self.replaced[token.i] = AFFIRMED[token.lower_]

    def _deny(self, subject: Token, verb: Token, own: list[Token]) -> bool:
        """Deny by a word other than the verb: "someone came", "there was a storm"; ``False`` where none can."""
        first = subject.left_edge
        if first.lower_ in DENIED_SUBJECTS and (first == subject or first.head == subject):
            word = DENIED_SUBJECTS[first.lower_]
            alone = {"no": "none", "not every": "not each"} if first == subject else {}
            self.replaced[first.i] = alone.get(word, word)
            self.replaced.update({child.i: "nor" for child in subject.children if child.lower_ == "or"})
            return True
        things = [child for child in verb.children if child.dep_ in {"attr", "nsubj"} and child.i > verb.i]
        if subject.dep_ == "expl" and things:
            first = things[0].left_edge
            counted = any(child.tag_ in {"CD", "VBN"} for child in things[0].children)
            if first == things[0] and first.lower_ in DENIED_SUBJECTS:
                self.replaced[first.i] = DENIED_SUBJECTS[first.lower_]
                return True
            if not counted and first.lower_ in {"a", "an", "some", "any"} and _beside(first).lower_ not in AMOUNTS:
                self.replaced[first.i] = "no"
                return True
            if not counted and first.tag_ in {"NN", "NNS", "JJ"} and first.lower_ not in AMOUNTS:
                self.replaced[first.i] = f"no {first.text}"
                return True
        for token in own:
            if (token.lower_ == "already" and token.head != verb) or token.head.dep_ == "npadvmod":
                continue
            if token.lower_ == "some" and token.head.tag_ in {"RB", "CD"}:
                continue
            if token.lower_ in DENIED and token.dep_ not in {"cc", "preconj"} and token not in subject.subtree:
                self.replaced[token.i] = DENIED[token.lower_]
            if token.lower_ == "still" and token.head == verb:
                self.replaced[token.i] = ""
        return False

    def _tell(self, verb: Token, chain: list[Token], subject: Token, past: bool, deny: bool) -> None:
        """Put the verb group into the real world: finite word first, the rest where it stood."""
        rest, past, modal = _real(chain, past)
        number = _number(subject)
        lead, main = rest[0], _lemma(rest[0])
        after = {child.dep_ for child in verb.rights} | {
            child.lower_ for child in verb.rights if child.lower_ == "to"
        }
        alone = rest == [verb] and not after & {*OBJECTS, "to"}
        bare = main == "have" or after <= {"punct", "advcl", "cc", "conj"}
        elided = lead.tag_ == "MD" or (alone and bare and main in {"do", "have"})
        past = past or (elided and main == "have")
        main = "do" if elided else main
        held = main == "be" or (main == "have" and len(rest) > 1)
        for token in chain[: len(chain) - len(rest)]:
            self.replaced[token.i] = ""
        front, form = "", ""
        if modal:
            front = f"{modal} not".replace("can not", "cannot") if deny else modal
            form = _inflected(main, "VB")
        elif held:
            front = _finite(main, number, past) + (" not" if deny else "")
        elif deny:
            front = _finite("do", number, past) + " not"
            form = _inflected(main, "VB")
        else:
            kept = past and lead.tag_ in {"VBN", "VBD"} and lead.lower_.endswith("ed")
            form = lead.lower_ if kept else _finite(main, number, past)
        if elided and (deny or modal):
            form = ""
        self.replaced[lead.i] = form
        place = _place(verb, chain, subject)
        self.before[place] = front
        going = verb.doc[min(max(place, lead.i + 1), len(verb.doc) - 1)]
        if going.tag_ == "TO" and main == "be" and lead.tag_ == "VBD" and subject.dep_ != "expl":
            self.replaced[going.i] = "going to"
        for other in _shared(verb):
            if len(rest) == 1:
                tag = "VB" if modal or deny else "VBD" if past else "VBZ" if number == "sg" else "VB"
                self.replaced[other.i] = _inflected(_lemma(other), tag)
            if deny:
                for child in other.head.children:
                    if child.lower_ == "and" and child.i < other.i:
                        self.replaced[child.i] = "or"

    def text(self) -> str:
        """The clause as it reads now, without a capital or a stop."""
        words = ""
        for token in self.kept:
            if not words.strip() and token.dep_ in {"mark", "cc", "punct"} and self.narrowed:
                continue
            for word in (self.before.get(token.i), self.replaced.get(token.i)):
                if word:
                    words += word if re.search(r"(?:^|[\s(\[])[\"(\[]?$", words) else f" {word}"
            if token.i not in self.replaced:
                words += token.text if token.i not in self.before else f" {token.text}"
            words += token.whitespace_
        return _plain(re.sub(r"(, )+(?=,)|^,", "", words))


def _denies(token: Token) -> bool:
    """Whether a word of a clause denies it; "no" does not where it is an exclamation or stands apart."""
    if token.lower_ == "no" and (_beside(token).tag_ in {",", ".", "CC"} or _beside(token).lower_ == "matter"):
        return False
    apart = token.dep_ == "det" and token.head.dep_ in {"appos", "npadvmod", "intj", "ROOT", "dep"}
    return token.lower_ in DENIALS | DENYING and not apart


def _beside(token: Token, step: int = 1) -> Token:
    """The token after (or before) a token, or the token itself at the edge of its text."""
    return token.doc[min(max(token.i + step, 0), len(token.doc) - 1)]


def _root(doc: Doc) -> Token:
    return _main(next(token for token in doc if token.dep_ == "ROOT"))


def _main(verb: Token) -> Token:
    return next((child for child in verb.children if _is_split(child)), verb)


def _is_split(verb: Token) -> bool:
    """Whether the parser took a helper of this verb for a verb of its own: "had it been found"."""
    above = verb.head
    if verb.dep_ != "ccomp" or _lemma(above) not in {"have", "be"} or verb.tag_ not in {"VBN", "VBD", "VBG"}:
        return False
    named = [any(child.dep_ in SUBJECTS for child in part.children) for part in (above, verb)]
    return above.i < verb.i and (named == [False, True] or (named == [True, False] and above.tag_ == "VB"))


def _chain(verb: Token) -> list[Token]:
    """The verb group of a verb, finite word first."""
    if verb.dep_ in HELPERS:
        verb = verb.head
    group = _chain(verb.head) if _is_split(verb) else []
    for child in verb.lefts:
        if child.dep_ in HELPERS and child.tag_ == "TO" and group:
            return group
        if child.dep_ in HELPERS and child.tag_ != "TO":
            group += [*(other for other in child.lefts if other.dep_ == "aux"), child]
    return [*group, verb]


def _lemma(token: Token) -> str:
    return {"been": "be", "'ve": "have", "'d": "have"}.get(token.lower_, token.lemma_)


def _place(verb: Token, chain: list[Token], subject: Token) -> int:
    """The token before which the finite word goes: behind the subject, also where that was put behind the verb."""
    first, behind = chain[0].i, subject.right_edge.i + 1
    if first < subject.i and (len(chain) == 1 or subject.i < verb.i):
        return min(behind, *(token.i for token in chain[1:])) if len(chain) > 1 else behind
    adverbs = all(token.dep_ == "advmod" and token.head == verb for token in verb.doc[behind:first])
    return behind if adverbs and len(chain) == 1 and behind < first else first


def _subject(verb: Token) -> Token | None:
    parts = [verb, *(child for child in verb.lefts if child.dep_ in HELPERS)]
    if _is_split(verb):
        parts.append(verb.head)
    return next((child for part in parts for child in part.children if child.dep_ in SUBJECTS), None)


def _doer(verb: Token) -> Token | None:
    """The subject of a verb, of the one it is coordinated with, or, where the parser saw none, the noun before it."""
    first = _chain(verb)[0].i
    nouns = [token for token in verb.doc[:first] if token.tag_ in NOUNS]
    return _subject(verb) or _inherited(verb) or (nouns[-1] if nouns else None)


def _inherited(verb: Token) -> Token | None:
    """The subject of the verb this one is coordinated with."""
    while verb.dep_ == "conj":
        verb = _first(verb)
        if (subject := _subject(verb)) is not None:
            return subject
    return None


def _imagined(verb: Token) -> bool:
    first = _chain(verb)[0]
    return verb.pos_ in VERBAL and first.tag_ == "MD" and first.lower_ in IMAGINED


def _perfect(chain: list[Token]) -> bool:
    return len(chain) > 2 and chain[0].tag_ == "MD" and _lemma(chain[1]) == "have"


def _conjuncts(verb: Token) -> list[Token]:
    """The verbs coordinated with a verb, also where the parser hung them on another word of its clause."""
    near = [token for token in verb.subtree if token.dep_ == "conj" and token.pos_ in VERBAL]
    near = [token for token in near if _beside(token, -1).tag_ != "HYPH"]
    verbs = [_main(token) for token in near if _first(token) == verb]
    modal = _chain(verb)[0].tag_ == "MD" or _lemma(_chain(verb)[0]) == "do"
    return [
        other
        for other, noun in zip(verbs, map(_subject, verbs), strict=True)
        if not (noun and noun.tag_ in QUESTIONS) and (modal or _chain(other)[0].tag_ != "VB")
    ]


def _first(verb: Token) -> Token:
    """The verb a verb is coordinated with."""
    above = verb.head
    while above.dep_ != "ROOT" and (above.pos_ not in VERBAL or (verb.tag_, above.tag_) in UNLIKE):
        above = above.head
    return _main(above)


def _coordinated(verb: Token) -> Iterator[Token]:
    """A verb and those beside it that have a verb group of their own."""
    run_on = [child for child in verb.lefts if child.dep_ == "ccomp" and _imagined(child) and _imagined(verb)]
    yield from run_on
    yield verb
    for other in _conjuncts(verb):
        others = _coordinated(other)
        if _shares(other):
            next(others)
        yield from others


def _shared(verb: Token) -> Iterator[Token]:
    """The verbs coordinated with a verb that share its auxiliaries."""
    for other in _conjuncts(verb):
        if _shares(other):
            yield other
            yield from _shared(other)


def _shares(verb: Token) -> bool:
    """Whether a coordinated verb shares the auxiliaries of the first one."""
    if _subject(verb) or len(_chain(verb)) > 1 or _lemma(verb) == "be":
        return False
    above = _first(verb)
    return _lemma(above) != "be" and (verb.tag_ == above.tag_ or {verb.tag_, above.tag_} <= {"VBN", "VBD"})


def _own(verb: Token, stops: set[str]) -> Iterator[Token]:
    """The tokens of a verb's clause, without those of clauses inside it or beside it."""
    yield verb
    for child in verb.children:
        beside = child.dep_ == "conj" and child.pos_ in VERBAL and not _shares(_main(child))
        if child.dep_ not in stops and not beside:
            yield from _own(child, stops)


def _real(chain: list[Token], past: bool) -> tuple[list[Token], bool, str]:
    """A verb group in the real world: what is left of it, whether it is past, and its modal.

    "Would have been done" and "had been done" leave "been done", past; "could do" leaves "do", present, "can".
    """
    first, rest, modal = chain[0], chain, ""
    if first.lower_ == "'d" and chain[1:] and chain[1].tag_ in {"VBN", "VBD"}:
        rest, past = chain[1:], True
    elif first.tag_ == "MD":
        rest = chain[1:] or chain
        modal = KEPT_MODALS.get(first.lower_, "")
        past = False
    elif len(chain) > 1 and _lemma(first) in {"have", "do"} and first.tag_ == "VBD":
        rest = chain[1:]
        past = past or _lemma(first) == "have"
    elif len(chain) > 1 and _lemma(first) == "do":
        rest = chain[1:]
        past = False
    elif first.tag_ in {"VBZ", "VBP"}:
        past = False
    if rest is not chain and len(rest) > 1 and _lemma(rest[0]) == "have":
        rest, past, modal = rest[1:], True, ""
    return rest, past, "could" if modal == "can" and past else modal


def _number(noun: Token) -> str:
    """``"I"``, ``"sg"`` or ``"pl"``: what a verb agrees with."""
    if noun.lower_ == "i":
        return "I"
    if noun.dep_ == "expl":
        things = [child for child in noun.head.children if child.dep_ in {"attr", "nsubj"} and child.i > noun.i]
        return _number(things[0]) if things else "sg"
    if noun.tag_ in RELATIVE and noun.head.dep_ == "relcl":
        return _number(noun.head.head)
    if noun.tag_.startswith("V"):
        return "sg"
    if noun.lower_ in SHARES:
        for prep in noun.children:
            if prep.lower_ == "of":
                return next((_number(child) for child in prep.children if child.dep_ == "pobj"), "sg")
    joined = {child.lower_ for child in noun.children if child.dep_ == "cc"}
    name = noun.is_title and not noun.lower_.endswith("s")
    plural = (noun.tag_ in {"NNS", "NNPS"} and not name) or (noun.tag_ == "CD" and noun.lower_ != "one")
    return "pl" if plural or noun.lower_ in MANY or "and" in joined else "sg"


def _article(no: Token) -> str:
    """What stands for "no" where the thing is there after all: "a" before what is counted one by one."""
    noun = no.head
    if noun.tag_ in {"NNS", "NNPS"} or _beside(no).tag_ in {"JJR", "RBR"}:
        return ""
    if noun.lower_ in _forms(noun.lower_, "NNS"):
        return "some"
    return "an" if _beside(no).lower_[0] in "aeiou" else "a"


def _finite(lemma: str, number: str, past: bool) -> str:
    if lemma == "be":
        return BE.get((number, past), "was")
    return _inflected(lemma, "VBD" if past else "VBZ" if number == "sg" else "VB")


def _inflected(lemma: str, tag: str) -> str:
    return lemma if tag == "VB" else next(iter(_forms(lemma, tag)), lemma)


def _forms(lemma: str, tag: str) -> tuple[str, ...]:
    try:
        import lemminflect
    except ModuleNotFoundError as error:
        raise MissingExtraError("lemminflect", "grammar") from error
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, tag)
    return forms
