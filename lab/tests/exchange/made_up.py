"""Annotated sentences: a few written by hand, and any number made up by Hypothesis."""

from itertools import pairwise

from hypothesis import strategies as st

from whywire.sentences.reading import CausalRelation
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence, check_sentence


def relation(text, cause, effect, *signals, **more):
    """A relation by its words; each must occur once."""

    def span(words):
        assert text.count(words) == 1, words
        return text.index(words), text.index(words) + len(words)

    return CausalRelation(span(cause), span(effect), tuple(span(signal) for signal in signals), **more)


CHAIN = "Since the pump failed 🔥, the cellar flooded; therefore the archive closed."
RUSSIAN = "Из-за паводка закрыли мост.\nУбытков «Порту» он не принёс."
PLAIN = 'The <b>ferry</b> | "Alba" sails & waits — 7 °C.'

EXAMPLES = (
    AnnotatedSentence(
        "chain-1",
        CHAIN,
        (
            relation(CHAIN, "the pump failed", "the cellar flooded", "Since", ","),
            relation(CHAIN, "the cellar flooded", "the archive closed", "therefore"),
            relation(CHAIN, "the pump failed", "the archive closed"),
        ),
    ),
    AnnotatedSentence(
        "паводок/2",
        RUSSIAN,
        (
            relation(RUSSIAN, "паводка", "закрыли мост", "Из-за"),
            relation(RUSSIAN, "паводка", "Убытков «Порту» он не принёс", "принёс", denied=True),
        ),
    ),
    AnnotatedSentence("plain", PLAIN),
)
"""Shared arguments, a signal in pieces, a denied relation, a line break, emoji, Cyrillic, and what XML escapes."""

LETTERS = "ab яЁ\u0439\u0306é 😀👨\u200d👩 中 .,;|#<>&'\"“«\\/\t \n \u2028\xa0_-7" + "e" * 8
XML_UNSAFE = "\x00\x1b\x85\r\x0b\ufffe"


@st.composite
def annotated(draw, alphabet=LETTERS + XML_UNSAFE):
    """A sentence with relations that share arguments, touch, and have signals inside arguments."""
    text = draw(st.text(st.sampled_from(alphabet), min_size=1, max_size=40).filter(str.strip))
    arguments, signals = draw(pieces(text)), draw(pieces(text))
    relations = {}
    for _ in range(draw(st.integers(0, 4))):
        if len(arguments) < 2:
            break
        cause, effect = draw(st.permutations(arguments))[:2]
        chosen = [signal for signal in signals if draw(st.booleans())]
        relations[cause, effect] = CausalRelation(cause, effect, tuple(chosen), denied=draw(st.booleans()))
    sentence = AnnotatedSentence(draw(names), text, tuple(relations.values()))
    check_sentence(sentence)
    return sentence


names = st.text(st.sampled_from("ab7я/\\%.: #💧"), min_size=1, max_size=8).filter(lambda name: name == name.strip())


def pieces(text):
    """Spans of the text, in order and apart, none blank."""
    cuts = st.lists(st.integers(0, len(text)), max_size=8).map(lambda ends: sorted({0, len(text), *ends}))
    return cuts.map(lambda ends: list(pairwise(ends))).map(
        lambda spans: [(start, end) for start, end in spans if text[start:end].strip()]
    )


def trimmed(sentence, letters=None):
    """The same with spans that do not begin or end with whitespace, or with one of ``letters``."""

    def trim(span):
        words = sentence.text[slice(*span)]
        start = span[0] + len(words) - len(words.lstrip(letters))
        return start, start + len(words.strip(letters))

    return AnnotatedSentence(
        sentence.id,
        sentence.text,
        tuple(
            CausalRelation(trim(one.cause), trim(one.effect), tuple(map(trim, one.signals)), denied=one.denied)
            for one in sentence.relations
        ),
    )


def asserted_first(sentence):
    """The same with its denied relations last."""
    relations = tuple(sorted(sentence.relations, key=lambda one: one.denied))
    return AnnotatedSentence(sentence.id, sentence.text, relations)


def unique(sentences):
    """One sentence of each id."""
    return list({sentence.id: sentence for sentence in sentences}.values())
