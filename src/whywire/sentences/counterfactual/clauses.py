"""A clause told again: its verb moved from the imagined world into the real one, its polarity turned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whywire.errors import MissingExtraError
from whywire.sentences.counterfactual.phrases import beside, phrase_of, plainly

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

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
RELATIVE = {"WP", "WDT"}
HELPERS = {"aux", "auxpass"}
UNLIKE = {("VBN", "VBG"), ("VBD", "VBG"), ("VBN", "VB"), ("VBD", "VB")}
"""Forms of verbs that are not coordinated with each other."""

AMOUNTS = {
    "lot", "little", "few", "bit", "number", "couple", "bunch", "great", "good", "much", "more", "less", "enough",
    *MANY,
}  # fmt: skip
"""Words that measure a thing, so that "no" cannot stand before them."""


class Retelling:
    """A parsed clause whose words are replaced, one by one, as it is told again."""

    def __init__(self, doc: Doc, start: int = 0) -> None:
        self.root = root_of(doc)
        self.kept = doc[start:]
        self.doubted = self.narrowed = False
        self.replaced: dict[int, str] = {}
        self.before: dict[int, str] = {}

    def imagined(self) -> list[Token]:
        """The verbs of what would have been; attributions ("I think that …") are left out of the text."""
        verbs = [verb for verb in coordinated(self.root) if _imagined(verb)]
        if verbs:
            return verbs
        for verb in [_main(token) for token in self.kept if token.dep_ not in HELPERS and _imagined(token)]:
            if self._narrow(verb):
                return [other for other in coordinated(verb) if other == verb or _imagined(other)]
            if verb.dep_ == "ccomp" and verb.head == self.root and verb.i < self.root.i:
                return [verb]
        subject, first = _doer(self.root), chain_of(self.root)[0]
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
                subject = subject_of(above)
                if subject is None or subject.tag_ not in RELATIVE:
                    return False
                names[subject.i] = phrase_of(above.head)
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
        subject, chain, own = _doer(verb), chain_of(verb), list(_own(verb, EMBEDDED))
        if subject is None or chain[0].tag_ not in FINITE | {"VBN", "VB"} or chain[0].lower_ == "ought":
            return False
        if any(token.tag_ in QUESTIONS and self.kept[0].i <= token.i < verb.i for token in own if token != subject):
            return False
        if subject.tag_ in QUESTIONS and subject.i not in self.replaced:
            return False
        core = list(_own(verb, EMBEDDED | {"prep", "xcomp", "npadvmod"}))
        denials = [token for token in core if _denies(token)]
        if any(beside(token).lower_ in {"only", "merely"} for token in denials):
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
                if beside(token).text == "," and token.i and beside(token, -1).text == ",":
                    self.replaced[token.i + 1] = ""
        self._tell(verb, chain, subject, past, by_verb)
        return True

    def _affirm(self, own: list[Token], denials: list[Token]) -> None:
        for token in denials:
            if beside(token).lower_ == "longer":
                self.replaced.update({token.i: "still", token.i + 1: ""})
            elif token.lower_ == "no":
                self.replaced[token.i] = _article(token)
            else:
                self.replaced[token.i] = AFFIRMED.get(token.lower_, "")
        for token in own:
            if token.lower_ == "all" and token.i and beside(token, -1).lower_ == "at":
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
            if not counted and first.lower_ in {"a", "an", "some", "any"} and beside(first).lower_ not in AMOUNTS:
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
        number = number_of(subject)
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
            front = finite_form(main, number, past) + (" not" if deny else "")
        elif deny:
            front = finite_form("do", number, past) + " not"
            form = _inflected(main, "VB")
        else:
            kept = past and lead.tag_ in {"VBN", "VBD"} and lead.lower_.endswith("ed")
            form = lead.lower_ if kept else finite_form(main, number, past)
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
        return plainly(re.sub(r"(, )+(?=,)|^,", "", words))


def _denies(token: Token) -> bool:
    """Whether a word of a clause denies it; "no" does not where it is an exclamation or stands apart."""
    if token.lower_ == "no" and (beside(token).tag_ in {",", ".", "CC"} or beside(token).lower_ == "matter"):
        return False
    apart = token.dep_ == "det" and token.head.dep_ in {"appos", "npadvmod", "intj", "ROOT", "dep"}
    return token.lower_ in DENIALS | DENYING and not apart


def root_of(doc: Doc) -> Token:
    """The verb a clause hangs on."""
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


def chain_of(verb: Token) -> list[Token]:
    """The verb group of a verb, finite word first."""
    if verb.dep_ in HELPERS:
        verb = verb.head
    group = chain_of(verb.head) if _is_split(verb) else []
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


def subject_of(verb: Token) -> Token | None:
    """The subject of a verb, its own or one it shares."""
    parts = [verb, *(child for child in verb.lefts if child.dep_ in HELPERS)]
    if _is_split(verb):
        parts.append(verb.head)
    return next((child for part in parts for child in part.children if child.dep_ in SUBJECTS), None)


def _doer(verb: Token) -> Token | None:
    """The subject of a verb, of the one it is coordinated with, or, where the parser saw none, the noun before it."""
    first = chain_of(verb)[0].i
    nouns = [token for token in verb.doc[:first] if token.tag_ in NOUNS]
    return subject_of(verb) or _inherited(verb) or (nouns[-1] if nouns else None)


def _inherited(verb: Token) -> Token | None:
    """The subject of the verb this one is coordinated with."""
    while verb.dep_ == "conj":
        verb = _first(verb)
        if (subject := subject_of(verb)) is not None:
            return subject
    return None


def _imagined(verb: Token) -> bool:
    first = chain_of(verb)[0]
    return verb.pos_ in VERBAL and first.tag_ == "MD" and first.lower_ in IMAGINED


def is_perfect(chain: list[Token]) -> bool:
    """Whether a verb group is in the perfect: what it tells is past."""
    return len(chain) > 2 and chain[0].tag_ == "MD" and _lemma(chain[1]) == "have"


def _conjuncts(verb: Token) -> list[Token]:
    """The verbs coordinated with a verb, also where the parser hung them on another word of its clause."""
    near = [token for token in verb.subtree if token.dep_ == "conj" and token.pos_ in VERBAL]
    near = [token for token in near if beside(token, -1).tag_ != "HYPH"]
    verbs = [_main(token) for token in near if _first(token) == verb]
    modal = chain_of(verb)[0].tag_ == "MD" or _lemma(chain_of(verb)[0]) == "do"
    return [
        other
        for other, noun in zip(verbs, map(subject_of, verbs), strict=True)
        if not (noun and noun.tag_ in QUESTIONS) and (modal or chain_of(other)[0].tag_ != "VB")
    ]


def _first(verb: Token) -> Token:
    """The verb a verb is coordinated with."""
    above = verb.head
    while above.dep_ != "ROOT" and (above.pos_ not in VERBAL or (verb.tag_, above.tag_) in UNLIKE):
        above = above.head
    return _main(above)


def coordinated(verb: Token) -> Iterator[Token]:
    """A verb and those beside it that have a verb group of their own."""
    run_on = [child for child in verb.lefts if child.dep_ == "ccomp" and _imagined(child) and _imagined(verb)]
    yield from run_on
    yield verb
    for other in _conjuncts(verb):
        others = coordinated(other)
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
    if subject_of(verb) or len(chain_of(verb)) > 1 or (_lemma(verb) == "be" and verb.tag_ != "VBN"):
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


def number_of(noun: Token) -> str:
    """``"I"``, ``"sg"`` or ``"pl"``: what a verb agrees with."""
    if noun.lower_ == "i":
        return "I"
    if noun.dep_ == "expl":
        things = [child for child in noun.head.children if child.dep_ in {"attr", "nsubj"} and child.i > noun.i]
        return number_of(things[0]) if things else "sg"
    if noun.tag_ in RELATIVE and noun.head.dep_ == "relcl":
        return number_of(noun.head.head)
    if noun.tag_.startswith("V"):
        return "sg"
    if noun.lower_ in SHARES:
        for prep in noun.children:
            if prep.lower_ == "of":
                return next((number_of(child) for child in prep.children if child.dep_ == "pobj"), "sg")
    joined = {child.lower_ for child in noun.children if child.dep_ == "cc"}
    name = noun.is_title and not noun.lower_.endswith("s")
    people = noun.tag_ in {"JJ", "VBN"} and noun.left_edge.lower_ == "the"  # "the sick"
    plural = people or (noun.tag_ in {"NNS", "NNPS"} and not name) or (noun.tag_ == "CD" and noun.lower_ != "one")
    return "pl" if plural or noun.lower_ in MANY or "and" in joined else "sg"


def _article(no: Token) -> str:
    """What stands for "no" where the thing is there after all: "a" before what is counted one by one."""
    noun = no.head
    if noun.tag_ in {"NNS", "NNPS"} or beside(no).tag_ in {"JJR", "RBR"}:
        return ""
    if noun.lower_ in _forms(noun.lower_, "NNS"):
        return "some"
    return "an" if beside(no).lower_[0] in "aeiou" else "a"


def finite_form(lemma: str, number: str, past: bool) -> str:
    """The finite form of a verb in the present or the past."""
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
