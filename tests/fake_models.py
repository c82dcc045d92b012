"""Language models made of a few rules: what the embedded ones answer on plain sentences, at no cost.

Only the network is replaced. Tokenizers are those of the embedded models, and all that makes readings and relations
of the network's numbers is Whywire's own. ``tests/test_fake_models.py`` holds these models and the embedded ones to
one contract.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from whywire.language_models import LanguageModels
from whywire.models.encoder import OnnxModel
from whywire.models.pretrained import WEIGHTS
from whywire.news import Article, Language, split_sentences
from whywire.pairs.comparing import Logits, PairComparer, ReadPair
from whywire.pairs.model import PairModel
from whywire.pairs.relations import RELATIONS, Relation, column
from whywire.pairs.report_reader import ReadReport, ReportReader
from whywire.pairs.reports import Report, TextPair
from whywire.pairs.title_pairs import StrengthModel, TitlePairModel
from whywire.progress import Advance
from whywire.reading.document_reader import DocumentReader
from whywire.reading.drawing import VECTOR_SIZE, Thresholds
from whywire.reading.drawing import Logits as DocumentLogits
from whywire.reading.windows import Place
from whywire.sentences.decoding import (
    ANTECEDENT,
    CAUSAL,
    CAUSE,
    CONSEQUENT,
    COUNTERFACTUAL,
    DENIAL,
    DENIED,
    EFFECT,
    PRESENT,
    SENTENCE_WIDTH,
    SIGNAL,
    TOKEN_WIDTH,
)
from whywire.sentences.reader import SentenceReader

Floats = NDArray[np.float32]

SURE = 6.0
"""Log odds of what a rule finds; the negative of what it does not."""

BACKWARD = {"because", "потому", "из"}
"""Signals between an effect and its cause."""

FORWARD = {"caused", "led", "привел", "привела", "вызвал", "вызвала"}
"""Signals between a cause and its effect."""

CONDITION, IMAGINED = {"had", "if", "если"}, {"would", "бы"}
NEGATION = {"not", "не"}
LATER = {"after", "over", "следом", "после", "из"}
REFUTING = {"denies", "denied", "опроверг", "опровергла"}

CALIBRATION = {
    "temperature": 1.0,
    "same_event": {"relation": 1.0, "cosine": 4.0, "shift": -2.0},
    **{name: {"weights": [0.5, 0.5], "factors": [1.0] * len(RELATIONS)} for name in ("pool", "picked")},
    "prior": [1 / len(RELATIONS)] * len(RELATIONS),
    "cosine": {"scale": 12.0, "shift": -7.0},
    **{name: {"scale": 1.0, "shift": 0.0} for name in ("causal", "counterfactual", "denial", "relation", "strength")},
}


class FakeLanguageModels(LanguageModels):
    """Models of rules for both languages."""

    def _sentences(self, language: Language) -> SentenceReader:
        code = "ru" if language is Language.RUSSIAN else "en"
        return SentenceReader(self._sentence_rules(f"sentences-{code}"))

    def _sentence_rules(self, name: str) -> FakeSentences:
        return FakeSentences(name)

    def _documents(self) -> DocumentReader:
        return FakeDocuments()

    def _pairs(self, language: Language) -> PairModel:
        reader, comparer = FakeReader(), FakeComparer()
        return PairModel(reader, comparer, CALIBRATION, FakeRelations(reader, comparer), FakeStrength(reader))


class FakeEncoder(OnnxModel):
    """Rules in place of a network; a subclass says what the outputs of one text are."""

    widths: ClassVar[dict[str, int]]

    def __init__(self, name: str) -> None:
        self.folder = WEIGHTS / name
        self.threads = 1
        real = json.loads((WEIGHTS / name / "config.json").read_text(encoding="utf-8"))
        self.config = {"calibration": CALIBRATION, "max_tokens": real["max_tokens"]}
        self.tokenizer = Tokenizer.from_file(str(WEIGHTS / name / "tokenizer.json"))
        self.tokenizer.enable_truncation(self.max_tokens)
        self.outputs = list(self.widths)
        self.session = SimpleNamespace(
            get_outputs=lambda: [SimpleNamespace(name=name, shape=(1, width)) for name, width in self.widths.items()]
        )

    def _outputs_of(self, encoding: Encoding, wanted: list[str]) -> list[Floats]:
        told = self.answers(encoding)
        return [told[name] for name in wanted]

    def answers(self, encoding: Encoding) -> dict[str, Floats]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class FakeRead(ReadReport):
    """A report whose words are known."""

    words: tuple[str, ...]


class FakeReader(ReportReader):
    """Reads the words of titles; reports are near whose titles share words."""

    size = VECTOR_SIZE

    def __init__(self) -> None:
        self.model = SimpleNamespace(folder=WEIGHTS / "pairs", config={"calibration": CALIBRATION})

    def read(self, reports: Iterable[Report], advance: Advance | None = None) -> dict[Report, ReadReport]:
        found: dict[Report, ReadReport] = {}
        for report in dict.fromkeys(reports):
            words = _words_of(report.title)
            title, whole = (mean_vector(text) for text in (report.title, f"{report.title} {report.lead}"))
            states = np.stack([_vector(word) for word in ("", *words)]).astype(np.float16)
            found[report] = FakeRead(states, title, whole, bool(report.lead), words)
            if advance:
                advance(1)
        return found


class FakeComparer(PairComparer):
    """One report is the other's cause or refutation by a word of the later one; shared words make one event."""

    def __init__(self) -> None:
        pass

    def compare(self, pairs: Sequence[ReadPair], advance: Advance | None = None) -> Logits:
        relations = np.zeros((len(pairs), len(RELATIONS)))
        for number, sides in enumerate(pairs):
            words = [one.words for one in sides if isinstance(one, FakeRead)]
            shared = _shared(*words)
            tokens = [(word, side) for side, own in enumerate(words) for word in own]
            relations[number, column(_relation(tokens, shared))] = SURE * (0.5 + shared / 2)
            if advance:
                advance(1)
        return relations


class FakeRelations(TitlePairModel):
    """Relates titles as the comparer does, picked ones too."""

    def __init__(self, reader: FakeReader, comparer: FakeComparer) -> None:
        self._reader, self._comparer = reader, comparer

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        reports = [(Report(left), Report(right)) for left, right in pairs]
        model = PairModel(self._reader, self._comparer, CALIBRATION, self, FakeStrength(self._reader))
        return model.compared_probabilities(reports, advance)

    def relate(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        return self.relation_probabilities(pairs, advance)


class FakeStrength(StrengthModel):
    """The more words two titles share, the stronger."""

    def __init__(self, reader: FakeReader) -> None:
        self._reader = reader

    def strengths(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        if advance:
            advance(len(pairs))
        shared = np.array([_shared(_words_of(left), _words_of(right)) for left, right in pairs])
        return 100 / (1 + np.exp(1 - 4 * shared))


class FakeSentences(FakeEncoder):
    """A sentence with a signal says that what stands on its one side led to what stands on the other."""

    widths: ClassVar = {"sentence": SENTENCE_WIDTH, "tokens": TOKEN_WIDTH}

    def answers(self, encoding: Encoding) -> dict[str, Floats]:
        words = _words(encoding)
        end = len(words) - 1  # where the separator stands
        sentence = np.full(SENTENCE_WIDTH, -SURE, dtype=np.float32)
        tokens = np.full((len(words), TOKEN_WIDTH), -SURE, dtype=np.float32)
        imagined = bool(CONDITION & set(words)) and bool(IMAGINED & set(words))
        signal = next((place for place, word in enumerate(words) if word in BACKWARD | FORWARD), 0)
        if imagined:
            sentence[COUNTERFACTUAL] = SURE
            comma = words.index(",") if "," in words else end
            _mark(tokens, ANTECEDENT, 1, comma)
            _mark(tokens, CONSEQUENT, comma + 1, end)
        elif 1 < signal < end - 1:
            denied = bool(NEGATION & set(words))
            sentence[DENIAL if denied else CAUSAL] = SURE
            sentence[PRESENT.start] = SURE
            sentence[DENIED.start] = SURE if denied else -SURE
            before, after = (EFFECT, CAUSE) if words[signal] in BACKWARD else (CAUSE, EFFECT)
            _mark(tokens, before, 1, signal)
            _mark(tokens, after, signal + 1, end)
            tokens[signal, SIGNAL] = SURE
        return {"sentence": sentence, "tokens": tokens}


class FakeDocuments(DocumentReader):
    """Every title and every longer sentence tells of an event, one with a signal of two: cause and effect."""

    def __init__(self) -> None:
        self.model = SimpleNamespace(threads=1, session=None, config={"calibration": {}})
        self.thresholds = Thresholds()

    def logits(self, article: Article) -> DocumentLogits:
        places: list[Place] = []
        sentences: list[int] = []
        causes: list[tuple[int, int]] = []
        spans = split_sentences(article.text, article.language)
        fields = [("title", (0, len(article.title))), *(("text", span) for span in spans)]
        for number, (name, (start, end)) in enumerate(fields):
            words = [*re.finditer(r"\w+", getattr(article, name)[start:end])]
            if number and len(words) <= 3:
                continue
            told = [word[0].lower() for word in words]
            signal = next((at for at, word in enumerate(told) if word in BACKWARD | FORWARD), 0)
            halves = [words[:signal], words[signal + 1 :]] if 0 < signal < len(words) - 1 else [words]
            if len(halves) == 2 and not NEGATION & {*told}:
                first = len(places)
                causes.append((first + 1, first) if told[signal] in BACKWARD else (first, first + 1))
            for half in filter(None, halves):
                places.append((name, start + half[0].start(), start + half[-1].end()))
                sentences.append(number)
        names = [getattr(article, name)[start:end].lower() for name, start, end in places]
        count = len(places)
        links = np.full((count, count, 3), -SURE, dtype=np.float32)
        for pair in causes:
            links[pair] = SURE
        return DocumentLogits(
            places,
            sentences,
            event=np.full(count, SURE, dtype=np.float32),
            main=np.zeros(count, dtype=np.float32),
            status=np.tile(np.eye(4, dtype=np.float32)[0], (count, 1)),
            same=np.array([[SURE if one == other else -SURE for other in names] for one in names], dtype=np.float32),
            links=links,
            alone=np.full(count, 3, dtype=np.float32),
            vectors=np.array([mean_vector(words) for words in names]).reshape(count, VECTOR_SIZE),
            unread=max(0, len(article.text) - 30_000),
        )


def _words(encoding: Encoding) -> list[str]:
    return [token.removeprefix("##").lower() for token in encoding.tokens]


def _relation(tokens: list[tuple[str, int]], shared: float) -> Relation:
    """What two headlines are to each other, by their words and the share of them that both have."""
    if shared < 0.2:
        return Relation.NO_RELATIONSHIP
    for words, names in (
        (REFUTING, ("left_right_refute", "right_left_refute")),
        (LATER, ("left_right_cause", "right_left_cause")),
    ):
        found = {side for word, side in tokens if word in words}
        if len(found) == 1:  # the later report has the word
            return Relation(names[0] if found == {1} else names[1])
    return Relation.SAME_EVENT if shared > 0.5 else Relation.OTHER_RELATIONSHIP


def _shared(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """The share of the longer words of the shorter side that both have."""
    one, other = ({word for word in own if len(word) > 3} for own in (left, right))
    return len(one & other) / max(1, min(len(one), len(other)))


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.lower()))


def mean_vector(text: str) -> Floats:
    """The direction of the longer words of a text, and a little of its first one."""
    words = _words_of(text)
    return _unit(sum((_vector(word) for word in sorted({*words}) if len(word) > 3), _vector("".join(words[:1])) / 10))


def _mark(tokens: Floats, columns: tuple[int, int], start: int, end: int) -> None:
    """Let an argument reach from one token to before another; to none where there is no room."""
    first, last = (start, end - 1) if start < end else (0, 0)
    tokens[first, columns[0]] = tokens[last, columns[1]] = SURE


@cache
def _vector(word: str) -> Floats:
    """A direction of its own for each word."""
    return _unit(np.random.default_rng(zlib.crc32(word.encode())).normal(size=VECTOR_SIZE))


def _unit(vector: NDArray[np.floating]) -> Floats:
    unit: Floats = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit
