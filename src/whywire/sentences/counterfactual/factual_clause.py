"""Rewrites an imagined clause as a fact, with an indicative verb group and the opposite polarity.

A wrong fact is worse than none: a clause that the rules do not cover is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from whywire.sentences.counterfactual.grammar import (
    AUXILIARY_RELATIONS,
    FINITE,
    OBJECTS,
    PLURAL_WORDS,
    RELATIVE,
    WH_TAGS,
    _inflections,
    clause_tokens,
    coordinated_verbs,
    finite_form,
    inflected,
    is_imagined,
    lemma_of,
    main_verb,
    neighbour,
    normalised,
    number_of,
    phrase_of,
    root_verb,
    subject_of,
    subject_or_noun_before,
    verb_group,
    verbs_sharing_auxiliaries,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

KEPT_MODALS = {"could": "can", "can": "can", "ca": "can", "will": "will", "wo": "will", "may": "may", "must": "must"}

VERB_NEGATIONS = {"not", "n't"}

NEGATIVE_ADVERBS = {"not", "n't", "never", "hardly", "barely", "scarcely"}

NEGATIVE_WORDS = {"no", "nobody", "nothing", "nowhere", "none", "neither", "nor"}

NEGATIVE_GOVERNORS = {
    *("doubt", "unlikely", "impossible", "doubtful", "inconceivable", "improbable", "deny", "no"),
    *NEGATIVE_ADVERBS,
}
"""Words that reverse the polarity of a clause they govern."""

HEDGES = {
    "perhaps", "probably", "maybe", "possibly", "likely", "certainly", "definitely", "surely", "undoubtedly", "then",
    "presumably", "arguably", "otherwise", "conceivably", "doubtless", "obviously", "potentially", "theoretically",
}  # fmt: skip
"""Adverbs of certainty, which are dropped from a fact."""

AFFIRMATIVE_FORMS = {
    "nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some", "neither": "either",
    "any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something", "anywhere": "somewhere",
    "nor": "or", "yet": "already", "either": "too", "ever": "", "anymore": "",
}  # fmt: skip
"""Words of negative clauses and their affirmative counterparts."""

NEGATIVE_FORMS = {
    "some": "any", "someone": "anyone", "somebody": "anybody", "something": "anything", "already": "yet",
}  # fmt: skip

NEGATIVE_SUBJECTS = {
    "someone": "no one", "somebody": "nobody", "something": "nothing", "anyone": "no one", "anybody": "nobody",
    "anything": "nothing", "some": "no", "any": "no", "everyone": "not everyone", "everybody": "not everybody",
    "everything": "not everything", "every": "not every", "all": "not all", "each": "not every", "either": "neither",
}  # fmt: skip
"""Subjects that can be negated themselves."""

REPORTING_VERBS = {
    "say", "think", "believe", "tell", "argue", "predict", "write", "add", "note", "report", "suggest", "claim",
    "find",
}  # fmt: skip
"""Verbs that may follow the clause they report."""

CLAUSE_RELATIONS = {"relcl", "advcl", "ccomp", "acl", "csubj", "csubjpass", "parataxis", "mark"}
"""Relations to subordinate clauses, whose words are not negated with the main clause."""

AMOUNTS = {
    "lot", "little", "few", "bit", "number", "couple", "bunch", "great", "good", "much", "more", "less", "enough",
    *PLURAL_WORDS,
}  # fmt: skip
"""Quantity words, before which "no" cannot stand."""


class FactualClause:
    """A parsed clause that is rewritten word by word until it states a fact."""

    def __init__(self, doc: Doc, start: int = 0) -> None:
        self.root = root_verb(doc)
        self.kept = doc[start:]
        self.doubted = self.narrowed = False
        self.replaced: dict[int, str] = {}
        self.before: dict[int, str] = {}

    def imagined_verbs(self) -> list[Token]:
        """Return the verbs of the imagined clause; drop attributions ("I think that …") from the text."""
        verbs = [verb for verb in coordinated_verbs(self.root) if is_imagined(verb)]
        if verbs:
            return verbs
        for verb in [
            main_verb(token) for token in self.kept if token.dep_ not in AUXILIARY_RELATIONS and is_imagined(token)
        ]:
            if self._narrow_to(verb):
                return [conjunct for conjunct in coordinated_verbs(verb) if conjunct == verb or is_imagined(conjunct)]
            if verb.dep_ == "ccomp" and verb.head == self.root and verb.i < self.root.i:
                return [verb]
        subject, first = subject_or_noun_before(self.root), verb_group(self.root)[0]
        return [self.root] if subject and subject.i < first.i and first.tag_ in FINITE else []

    def _narrow_to(self, verb: Token) -> bool:
        """Keep only the clause of a verb if it can stand alone; return whether it can."""
        above, names = verb, {}
        while above.dep_ != "ROOT":
            if above.dep_ not in {"conj", "ccomp", "relcl", "acl", "csubj", "attr", "acomp", "appos"}:
                return False
            follows = above == verb and above.dep_ == "ccomp" and above.i < above.head.i
            if follows and lemma_of(above.head) not in REPORTING_VERBS:
                return False
            if any(child.dep_ == "mark" and child.lower_ in {"if", "whether"} for child in above.children):
                return False
            if above.dep_ == "relcl":
                subject = subject_of(above)
                if subject is None or subject.tag_ not in RELATIVE:
                    return False
                names[subject.i] = phrase_of(above.head)
            above = above.head
            words = {lemma_of(above), *(child.lower_ for child in above.children)}
            self.doubted ^= len(words & NEGATIVE_GOVERNORS) % 2 == 1
        self.replaced.update(names)
        self.narrowed = True
        self.kept = verb.doc[verb.left_edge.i : verb.right_edge.i + 1]
        return True

    def make_factual(self, verb: Token, past: bool, flip: bool = True) -> bool:
        """Rewrite the clause of ``verb`` as a fact of the opposite polarity; return ``False`` if the rules cannot.

        Args:
            past: the other clause shows that an imagined present ("if I were rich") is about the past.
            flip: ``False`` keeps the polarity.
        """
        subject, chain = subject_or_noun_before(verb), verb_group(verb)
        clause = list(clause_tokens(verb, CLAUSE_RELATIONS))
        if subject is None or chain[0].tag_ not in FINITE | {"VBN", "VB"} or chain[0].lower_ == "ought":
            return False
        if any(token.tag_ in WH_TAGS and self.kept[0].i <= token.i < verb.i for token in clause if token != subject):
            return False
        if subject.tag_ in WH_TAGS and subject.i not in self.replaced:
            return False
        core = list(clause_tokens(verb, CLAUSE_RELATIONS | {"prep", "xcomp", "npadvmod"}))
        denials = [token for token in core if _denies(token)]
        if any(neighbour(token).lower_ in {"only", "merely"} for token in denials):
            return False
        deny = bool(denials) != (flip != self.doubted)
        if denials and not deny:
            self._remove_denial(clause, denials)
        by_verb = deny and any(token.lower_ in VERB_NEGATIONS for token in denials)
        if deny and not denials:
            by_verb = not self._add_denial(subject, verb, clause)
        for token in core:
            hedge = token.lower_ in HEDGES and token.head in chain and token.i < verb.i
            if hedge or token.lower_ in VERB_NEGATIONS:
                self.replaced.update({part.i: "" for part in (token.subtree if hedge else [token])})
                if neighbour(token).text == "," and token.i and neighbour(token, -1).text == ",":
                    self.replaced[token.i + 1] = ""
        self._rewrite_verb_group(verb, chain, subject, past, by_verb)
        return True

    def _remove_denial(self, clause: list[Token], denials: list[Token]) -> None:
        for token in denials:
            if neighbour(token).lower_ == "longer":
                self.replaced.update({token.i: "still", token.i + 1: ""})
            elif token.lower_ == "no":
                self.replaced[token.i] = _article_for_no(token)
            else:
                self.replaced[token.i] = AFFIRMATIVE_FORMS.get(token.lower_, "")
        for token in clause:
            if token.lower_ == "all" and token.i and neighbour(token, -1).lower_ == "at":
                self.replaced.update({token.i - 1: "", token.i: ""})
            if (
                token.lower_ in AFFIRMATIVE_FORMS
                and token.i not in self.replaced
                and token.dep_ not in {"cc", "preconj"}
            ):
                self.replaced[token.i] = AFFIRMATIVE_FORMS[token.lower_]

    def _add_denial(self, subject: Token, verb: Token, clause: list[Token]) -> bool:
        """Negate a word other than the verb ("someone came", "there was a storm"); ``False`` if none can be."""
        first = subject.left_edge
        if first.lower_ in NEGATIVE_SUBJECTS and (first == subject or first.head == subject):
            word = NEGATIVE_SUBJECTS[first.lower_]
            alone = {"no": "none", "not every": "not each"} if first == subject else {}
            self.replaced[first.i] = alone.get(word, word)
            self.replaced.update({child.i: "nor" for child in subject.children if child.lower_ == "or"})
            return True
        things = [child for child in verb.children if child.dep_ in {"attr", "nsubj"} and child.i > verb.i]
        if subject.dep_ == "expl" and things:
            first = things[0].left_edge
            counted = any(child.tag_ in {"CD", "VBN"} for child in things[0].children)
            if first == things[0] and first.lower_ in NEGATIVE_SUBJECTS:
                self.replaced[first.i] = NEGATIVE_SUBJECTS[first.lower_]
                return True
            if not counted and first.lower_ in {"a", "an", "some", "any"} and neighbour(first).lower_ not in AMOUNTS:
                self.replaced[first.i] = "no"
                return True
            if not counted and first.tag_ in {"NN", "NNS", "JJ"} and first.lower_ not in AMOUNTS:
                self.replaced[first.i] = f"no {first.text}"
                return True
        for token in clause:
            if (token.lower_ == "already" and token.head != verb) or token.head.dep_ == "npadvmod":
                continue
            if token.lower_ == "some" and token.head.tag_ in {"RB", "CD"}:
                continue
            if (
                token.lower_ in NEGATIVE_FORMS
                and token.dep_ not in {"cc", "preconj"}
                and token not in subject.subtree
            ):
                self.replaced[token.i] = NEGATIVE_FORMS[token.lower_]
            if token.lower_ == "still" and token.head == verb:
                self.replaced[token.i] = ""
        return False

    def _rewrite_verb_group(self, verb: Token, chain: list[Token], subject: Token, past: bool, deny: bool) -> None:
        """Replace the verb group by its factual form; only the finite word moves."""
        rest, past, modal = _factual_group(chain, past)
        number = number_of(subject)
        lead, main = rest[0], lemma_of(rest[0])
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
            form = inflected(main, "VB")
        elif held:
            front = finite_form(main, number, past) + (" not" if deny else "")
        elif deny:
            front = finite_form("do", number, past) + " not"
            form = inflected(main, "VB")
        else:
            kept = past and lead.tag_ in {"VBN", "VBD"} and lead.lower_.endswith("ed")
            form = lead.lower_ if kept else finite_form(main, number, past)
        if elided and (deny or modal):
            form = ""
        self.replaced[lead.i] = form
        place = _finite_position(verb, chain, subject)
        self.before[place] = front
        going = verb.doc[min(max(place, lead.i + 1), len(verb.doc) - 1)]
        if going.tag_ == "TO" and main == "be" and lead.tag_ == "VBD" and subject.dep_ != "expl":
            self.replaced[going.i] = "going to"
        for conjunct in verbs_sharing_auxiliaries(verb):
            if len(rest) == 1:
                tag = "VB" if modal or deny else "VBD" if past else "VBZ" if number == "sg" else "VB"
                self.replaced[conjunct.i] = inflected(lemma_of(conjunct), tag)
            if deny:
                for child in conjunct.head.children:
                    if child.lower_ == "and" and child.i < conjunct.i:
                        self.replaced[child.i] = "or"

    def text(self) -> str:
        """Return the rewritten clause, without a capital or a full stop."""
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
        return normalised(re.sub(r"(, )+(?=,)|^,", "", words))


def _denies(token: Token) -> bool:
    """Return whether a word negates its clause, which "no" as an exclamation or in an apposition does not."""
    if token.lower_ == "no" and (neighbour(token).tag_ in {",", ".", "CC"} or neighbour(token).lower_ == "matter"):
        return False
    apart = token.dep_ == "det" and token.head.dep_ in {"appos", "npadvmod", "intj", "ROOT", "dep"}
    return token.lower_ in NEGATIVE_ADVERBS | NEGATIVE_WORDS and not apart


def _finite_position(verb: Token, chain: list[Token], subject: Token) -> int:
    """Return the index before which the finite word goes: after the subject, even if that follows the verb."""
    first, behind = chain[0].i, subject.right_edge.i + 1
    if first < subject.i and (len(chain) == 1 or subject.i < verb.i):
        return min(behind, *(token.i for token in chain[1:])) if len(chain) > 1 else behind
    adverbs = all(token.dep_ == "advmod" and token.head == verb for token in verb.doc[behind:first])
    return behind if adverbs and len(chain) == 1 and behind < first else first


def _factual_group(chain: list[Token], past: bool) -> tuple[list[Token], bool, str]:
    """The factual form of a verb group: its remaining words, whether it is past, and its modal.

    "Would have been done" and "had been done" leave "been done", past; "could do" leaves "do", present, "can".
    """
    first, rest, modal = chain[0], chain, ""
    if first.lower_ == "'d" and chain[1:] and chain[1].tag_ in {"VBN", "VBD"}:
        rest, past = chain[1:], True
    elif first.tag_ == "MD":
        rest = chain[1:] or chain
        modal = KEPT_MODALS.get(first.lower_, "")
        past = False
    elif len(chain) > 1 and lemma_of(first) in {"have", "do"} and first.tag_ == "VBD":
        rest = chain[1:]
        past = past or lemma_of(first) == "have"
    elif len(chain) > 1 and lemma_of(first) == "do":
        rest = chain[1:]
        past = False
    elif first.tag_ in {"VBZ", "VBP"}:
        past = False
    if rest is not chain and len(rest) > 1 and lemma_of(rest[0]) == "have":
        rest, past, modal = rest[1:], True, ""
    return rest, past, "could" if modal == "can" and past else modal


def _article_for_no(no: Token) -> str:
    """Return the article that replaces "no" in an affirmative clause: "a" before countable nouns."""
    noun = no.head
    if noun.tag_ in {"NNS", "NNPS"} or neighbour(no).tag_ in {"JJR", "RBR"}:
        return ""
    if noun.lower_ in _inflections(noun.lower_, "NNS"):
        return "some"
    return "an" if neighbour(no).lower_[0] in "aeiou" else "a"
