"""Grammatical forms of English counterfactuals, found by words and tags, without the sentence model.

Counterfactuals are rare, so collectors first select candidates by form. SemEval-2020 Task 5 (Yang et al. 2020, data
collection) names five forms, after Janocko et al. (2016); the rules here are ours. They check grammar, not meaning:
English uses the same past tenses and modals for habits and expectations, so a match is only a candidate. Missing a
counterfactual is worse than a false match.

The *shape* of a tagged sentence has one letter for each token, and a form is a regular expression over shapes. A
letter's index is its token's, so a match gives characters of the sentence. Every gap in a rule is bounded, so the
time is linear in the text.

Measured (``lab/experiments/forms.py``): of the task's counterfactuals 97% match on the rows that the rules were
written on, and 96% on others; three in ten matching sentences are counterfactual. Precision is low there because the
other sentences of the corpus were mostly selected by similar patterns. In news about one sentence in a hundred
matches.

If both parts of a counterfactual are annotated, the conjunctive forms and inversion agree with their order in more
than nine cases of ten. A modal perfect alone does not show whether a consequent follows: half of ``modal_normal`` and
two fifths of ``wish_should`` have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from whywire.news.article import Span
from whywire.sentences.counterfactual.grammar import english

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Form(StrEnum):
    """The forms of SemEval-2020 Task 5; the consequent is what the imagined antecedent would lead to."""

    WISH_SHOULD = "wish_should"
    """A wish, or a modal perfect alone: "I wish it were over"; "They should have closed the gate"."""
    CONJUNCTIVE_NORMAL = "conjunctive_normal"
    """A conjunction, "but for" or the like, with the antecedent, then the consequent with its modal."""
    CONJUNCTIVE_CONVERSE = "conjunctive_converse"
    """The consequent with its modal, then the conjunction with the antecedent."""
    MODAL_NORMAL = "modal_normal"
    """A modal perfect for the antecedent, then a clause with a modal: "You should have rung; I would have come"."""
    VERB_INVERSION = "verb_inversion"
    """The antecedent begins with its verb, before or after the consequent: "Had the valve held, …"."""


@dataclass(frozen=True, slots=True)
class FormMatch:
    """The form of a sentence and the words that show it.

    Args:
        trigger: half-open character span of the word that opens the antecedent: the conjunction, the inverted verb,
            "wish", or else a modal with its "have".
        modal: half-open character span of the consequent's modal; ``None`` if the rule needs none.
    """

    form: Form
    trigger: Span
    modal: Span | None = None


WORD_LETTERS = {
    word: letter
    for letter, words in {
        "i": "if",
        "j": "supposing suppose assuming imagine imagining provided",
        "u": "unless",
        "p": "without absent barring otherwise",
        "m": "would wouldn might mightn",
        "k": "could couldn",
        "s": "should shouldn ought oughtn",
        "y": "may",
        "H": "had hadn",
        "W": "were weren",
        "B": "was wasn",
        "w": "wish wished wishes wishing",
        "n": "not n't nt",
        "t": "to",
        "f": "for",
    }.items()
    for word in words.split()
}
"""Letters of words, whatever their tags."""

WORD_PAIR_LETTERS = {
    tuple(pair.split()): letter
    for letter, pairs in {
        "e": ("even if",),
        "j": ("if only", "as if", "as though", "condition that"),
        "o": ("only if",),
        "p": (
            *("but for", "except for", "absence of"),
            *("perfect world", "ideal world", "other circumstances", "different circumstances"),
        ),
    }.items()
    for pair in pairs
}
"""Letters of the second word of a pair, which take precedence over those of the word alone."""

TAG_LETTERS = {
    tag: letter
    for letter, tags in {
        "D": "VBD",
        "N": "VBN",
        "V": "VB",
        "Z": "VBZ VBP",
        "n": "RB RBR RBS",
        "S": "NN NNS NNP NNPS PRP PRP$ EX DT PDT WDT WP CD POS",
        "J": "JJ JJR JJS VBG",
    }.items()
    for tag in tags.split()
}
"""Letters of Penn Treebank tags for all other words: ``S`` and ``J`` are what subjects are made of."""

OTHER, PUNCTUATION, BREAK, HAVE, REPORTED, SHIFTED = "ocrhRd"
"""Letters of other words, of punctuation, of quotes and ``?!``, of "have" after a modal, and of tenses (`_shape`)."""


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


QUESTION_VERBS = _words(
    "ask asks asked asking see know knows knew known determine wonder wonders wondered wondering decide clear",
    "unclear sure unsure tell question questioned doubt check consider learn",
)
"""After these verbs, and perhaps a pronoun, "if" opens a question: "They asked her if it would hold"."""

OBJECT_PRONOUNS = _words("him her me them us you it")

REPORTING_VERBS = _words(
    "said told warned suggested argued noted announced thought knew believed wanted promised feared expected",
    "estimated predicted added claimed asked vowed threatened hinted indicated agreed insisted decided concluded",
    "testified wrote hoped worried acknowledged confirmed declared",
)
"""After these verbs, outside quotation marks, a past tense may be backshifted: "She said it would rain if …"."""

QUOTES = frozenset('"“”')
ENDS = frozenset("?!") | QUOTES
NEAR_QUOTE = 3
"""A reporting verb at most this many tokens after a quotation mark belongs to direct speech."""

_MODAL = "(?:[mks]|y(?=n{0,2}h))"
_WITH_HAVE = "(?:[mk]|st?)[nSJocr]{0,6}?h(?=[ncor]{0,3}[NDRdH])"
_SUBJECT = "[SJo]{0,11}?[SJ]"
_TO_VERB = "[^ijeuyqmZr]{0,16}?"
_UNREAL = f"(?P<trigger>(?P<even>e)|[ij]){_TO_VERB}(?(even)[HW]|[HWBD])"
"""A conjunction and a past that is not backshifted; after "even if", which mostly grants a fact, "had" or "were"."""

_LONE = "(?P<trigger>[iju])(?:(?<=u)|(?<=j).{0,10}?[HWBDdRkm]|.{0,12}?Hn?N)"
_PERFECT = f"(?={_WITH_HAVE})(?P<modal>{_MODAL})"
_THEN_MODAL = f".{{0,40}}?(?P<modal>{_MODAL})"
_MODAL_FIRST = f"(?P<modal>{_MODAL}).{{0,40}}?"
_SENTENCE_START = "^.{0,4}"

RULES = tuple(
    (form, re.compile(rule))
    for form, rule in (
        # "Had the valve held, it would …"; "Were it not for the dam, …"; "Should they have come, …"
        (Form.VERB_INVERSION, f"(?:^|[conr])(?P<trigger>H)n?{_SUBJECT}[noc]{{0,3}}[NDRV]{_THEN_MODAL}"),
        (Form.VERB_INVERSION, f"(?:^|[cor])(?P<trigger>W)n?{_SUBJECT}[noc]{{0,3}}[NDtnoJfS]{_THEN_MODAL}"),
        (Form.VERB_INVERSION, f"(?:^|[conr])(?P<trigger>s)n?{_SUBJECT}n{{0,3}}h[no]{{0,3}}[NDH]{_THEN_MODAL}"),
        # Inversion after the consequent, where "had" and "were" more often follow their subject.
        (Form.VERB_INVERSION, f"{_MODAL_FIRST}(?P<trigger>H)n?S[SJo]{{0,7}}?n{{0,3}}[NDRd]"),
        (Form.VERB_INVERSION, f"{_MODAL_FIRST}(?P<trigger>W)n?S{{1,5}}n{{0,3}}(?:n[fc]|[tN])"),
        (Form.VERB_INVERSION, f"{_MODAL_FIRST}c(?P<trigger>W)n?S"),
        (Form.VERB_INVERSION, f"{_MODAL_FIRST}(?P<trigger>s)S{{1,6}}h"),
        (Form.WISH_SHOULD, "(?P<trigger>w)(?=.{0,25}?[HWBDdRmk])"),
        # A modal perfect is unreal after any condition, a plain modal only with an unreal past.
        (Form.CONJUNCTIVE_NORMAL, f"{_SENTENCE_START}(?P<trigger>[ijeu]).{{1,40}}?{_PERFECT}"),
        (Form.CONJUNCTIVE_NORMAL, f"{_SENTENCE_START}{_UNREAL}{_THEN_MODAL}"),
        (Form.CONJUNCTIVE_NORMAL, f"{_SENTENCE_START}(?P<trigger>i).{{1,8}}?k{_THEN_MODAL}"),
        (Form.CONJUNCTIVE_NORMAL, f"[cor](?P<trigger>[ije]){_TO_VERB}[HWBDdRk].{{1,40}}?{_PERFECT}"),
        (Form.CONJUNCTIVE_NORMAL, f"[cor]{_UNREAL}{_THEN_MODAL}"),
        (Form.CONJUNCTIVE_CONVERSE, f"{_PERFECT}.{{0,48}}?(?P<trigger>[ijeu])"),
        (Form.CONJUNCTIVE_CONVERSE, f"{_MODAL_FIRST}{_UNREAL}"),
        (Form.CONJUNCTIVE_NORMAL, f"(?P<trigger>[ijeu]).{{1,40}}?{_PERFECT}"),
        (Form.CONJUNCTIVE_NORMAL, f"{_UNREAL}{_THEN_MODAL}"),
        # The consequent has no modal, or one too far away.
        (Form.CONJUNCTIVE_NORMAL, f"{_SENTENCE_START}{_LONE}"),
        (Form.CONJUNCTIVE_CONVERSE, _LONE),
        (Form.CONJUNCTIVE_NORMAL, f"(?P<trigger>p|inf).{{1,30}}?(?P<modal>{_MODAL})"),
        (Form.CONJUNCTIVE_CONVERSE, f"(?P<modal>{_MODAL}).{{1,30}}?(?P<trigger>p|inf)"),
        (Form.MODAL_NORMAL, f"(?P<trigger>{_WITH_HAVE}).{{0,40}}?[cor][SJ]{{1,4}}n?(?P<modal>{_MODAL})"),
        (Form.WISH_SHOULD, f"(?P<trigger>{_WITH_HAVE})"),
    )
)
"""The rules over shapes, the most reliable first; the first match gives the form."""


TAGGING = frozenset({"tok2vec", "transformer", "tagger"})
"""The components of a pipeline that tagging needs; a pipeline without the parser is twice as fast."""

BATCH = 128
"""Sentences tagged at once."""


def match_forms(texts: Iterable[str]) -> list[FormMatch | None]:
    """Return the counterfactual form of each sentence; ``None`` for a sentence that cannot be counterfactual.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: spaCy has no English pipeline.
    """
    pipeline = english()
    needless = [name for name in pipeline.pipe_names if name not in TAGGING]
    return [_form_of(doc) for doc in pipeline.pipe(texts, batch_size=BATCH, disable=needless)]


def _form_of(doc: Doc) -> FormMatch | None:
    shape = _shape(doc)
    for form, rule in RULES:
        if match := rule.search(shape):
            first, end = match.span("trigger")
            if first and (doc[first - 1].lower_, doc[first].lower_) in WORD_PAIR_LETTERS:
                first -= 1
            modal = match.span("modal") if "modal" in rule.groupindex else None
            return FormMatch(form, _characters(doc, (first, end)), modal and _characters(doc, modal))
    return None


def _shape(doc: Doc) -> str:
    """Return a letter for each token: of the pair that it ends, of its word, or of its tag.

    Besides, "'d" counts as "had" before a participle, and past tenses after a reporting verb, up to the next
    quotation mark, get the letter of backshifted tenses.
    """
    words = [token.lower_.replace("’", "'") for token in doc]
    tags = [token.tag_ for token in doc]
    letters: list[str] = []
    for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
        before = words[max(0, place - 2) : place]
        following = tags[place + 1 : place + 3]
        pair = WORD_PAIR_LETTERS.get((before[-1], word)) if before else None
        if word in ("'d", "d"):
            letter = "H" if following[:1] == ["VBN"] or following == ["RB", "VBN"] else "m"
        elif word == "had" and tag == "VBN" and following[:1] != ["PRP"]:
            letter = "N"
        elif word == "if" and not pair and _asks(before):
            letter = "q"
        elif pair or word in WORD_LETTERS:
            letter = pair or WORD_LETTERS[word]
        elif word in REPORTING_VERBS and tag == "VBD":
            near = words[max(0, place - NEAR_QUOTE) : place + 2]
            letter = OTHER if QUOTES.intersection(near) else REPORTED
        elif _after_modal(word, letters):
            letter = HAVE
        elif word in ENDS:
            letter = BREAK
        elif not any(character.isalnum() for character in word):
            letter = PUNCTUATION
        else:
            letter = TAG_LETTERS.get(tag, OTHER)
        letters.append(letter)
    retold = re.compile(f"{REPORTED}[^{BREAK}]*")
    return retold.sub(lambda match: match[0].replace("D", SHIFTED), "".join(letters))


def _asks(before: list[str]) -> bool:
    return before[-1:] != [] and (
        before[-1] in QUESTION_VERBS or (before[0] in QUESTION_VERBS and before[-1] in OBJECT_PRONOUNS)
    )


def _after_modal(word: str, letters: list[str]) -> bool:
    """Return whether this is the "have" of a preceding modal, perhaps with a subject or adverbs between."""
    if word in ("have", "'ve", "ve"):
        return "".join(letters[-8:]).rstrip("nSJo")[-1:] in tuple("mksyt")
    return word == "of" and "".join(letters[-3:]).rstrip("n")[-1:] in tuple("mks")


def _characters(doc: Doc, tokens: Span) -> Span:
    first, last = doc[tokens[0]], doc[tokens[1] - 1]
    return first.idx, last.idx + len(last)
