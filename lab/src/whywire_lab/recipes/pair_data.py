"""Rows for the pair model: two headlines and the relations that are possible between them.

A corpus seldom names the relation outright. One that groups headlines says *same event* or *not that*; a
question about causes says *this caused that* or *it did not*. So a row carries the set of relations that agree
with its corpus, and the model is asked to put its probability inside the set.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations, islice, permutations
from pathlib import Path
from typing import Any

import numpy as np

from whywire.elements import StrengthClass, strength_class
from whywire.news.distinctive_terms import stems
from whywire.pairs.relations import MIRROR, RELATIONS, Relation
from whywire_lab.corpora import e_care, event_causes, headline_cause, news_stream, same_event
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.parts import part_of_story, part_of_topic
from whywire_lab.corpora.same_event import GroupedHeadline
from whywire_lab.recipes.sentence_data import LABELS, articles_by_key, url_key

ALL = frozenset(RELATIONS)
SAME = frozenset({Relation.SAME_EVENT})
NOT_SAME = ALL - SAME
NOT_TIED = frozenset({Relation.NO_RELATIONSHIP, Relation.OTHER_RELATIONSHIP})
UNRELATED = frozenset({Relation.NO_RELATIONSHIP})
REFUTING = frozenset({Relation.LEFT_RIGHT_REFUTE, Relation.RIGHT_LEFT_REFUTE})
HELD_OUT_FROM = datetime(2020, 5, 3, 12, tzinfo=UTC)
"""Articles of the news streams from this time on are for stopping, calibrating and measuring only."""

CAUSED = frozenset({Relation.LEFT_RIGHT_CAUSE})
CAUSED_BACK = frozenset({Relation.RIGHT_LEFT_CAUSE})
CAUSAL = CAUSED | CAUSED_BACK
BY_STRENGTH = {
    StrengthClass.HIGH: CAUSED,
    StrengthClass.MEDIUM: NOT_TIED | CAUSED,
    StrengthClass.LOW: NOT_TIED,
    StrengthClass.NONE: NOT_TIED,
}
"""What a cause of that strength may be called."""

WEAK_SHARE = 0.4
"""Share of a held-out story's pairs that are no direct causes which calibration sees: there are six of them to one
that is, and fewer where somebody asks for causes."""

GRADED_STORIES = {
    "stories_en.jsonl": ("stories", "en"),
    "chronicles_en.jsonl": ("stories", "en"),
    "pools_en.jsonl": ("pools", "en"),
    "stories_ru.jsonl": ("stories", "ru"),
}
"""Files of stories, invented and real, with what their pairs are called and their language."""

DIRECT_STRENGTH, INDIRECT_STRENGTH, NO_STRENGTH = 0.9, 0.25, 0.05
"""Strength (of 1) where a corpus does not grade: a direct cause; an event of the same story that is none; neither."""

E_CARE_QUESTIONS = 3000

TYPO_SHARE = 0.05
"""Share of training headlines that get one letter dropped or two swapped (HeadlineCause, section 3.8)."""

CHANCE_PAIRS = 2000

TWIN_PAIRS = 6
"""How many pairs of headlines two families of one kind give."""

CODES = dict(
    zip(
        "NSOCcRr",
        (
            Relation.NO_RELATIONSHIP,
            Relation.SAME_EVENT,
            Relation.OTHER_RELATIONSHIP,
            Relation.LEFT_RIGHT_CAUSE,
            Relation.RIGHT_LEFT_CAUSE,
            Relation.LEFT_RIGHT_REFUTE,
            Relation.RIGHT_LEFT_REFUTE,
        ),
        strict=True,
    )
)
"""The letters of our own label files: capitals point from left to right."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two headlines and what is known of them by the word of ``corpus``.

    Args:
        allowed: the relations that may hold.
        strength: how strongly left caused right, 0 to 1, and right left; ``None`` where nobody said.
    """

    left: str
    right: str
    allowed: frozenset[Relation]
    language: str
    corpus: str
    weight: float = 1.0
    strength: tuple[float | None, float | None] = (None, None)

    def mirrored(self) -> PairRow:
        """The same pair read from right to left."""
        allowed = frozenset(RELATIONS[MIRROR[RELATIONS.index(relation)]] for relation in self.allowed)
        return replace(self, left=self.right, right=self.left, allowed=allowed, strength=self.strength[::-1])


def augmented(row: PairRow) -> PairRow:
    """The row in either order, now and then with a typo: neither may change what is said."""
    return with_typos(row.mirrored() if random.random() < 0.5 else row)


def with_typos(row: PairRow) -> PairRow:
    """The row, now and then with a letter dropped or two swapped."""
    return replace(row, left=_typo(row.left), right=_typo(row.right))


def _typo(text: str) -> str:
    if random.random() > TYPO_SHARE or len(text) < 8:
        return text
    at = random.randrange(1, len(text) - 2)
    middle = text[at + 1] + text[at] if random.random() < 0.5 else text[at + 1]
    return text[:at] + middle + text[at + 2 :]


def row_of(
    left: str, right: str, allowed: frozenset[Relation], language: str, corpus: str, weight: float = 1.0
) -> PairRow:
    """A row whose strength follows from its relations."""
    known = len(allowed & CAUSAL) == 0 or allowed in (CAUSED, CAUSED_BACK)
    strengths = (
        (DIRECT_STRENGTH if Relation.LEFT_RIGHT_CAUSE in allowed else NO_STRENGTH),
        (DIRECT_STRENGTH if Relation.RIGHT_LEFT_CAUSE in allowed else NO_STRENGTH),
    )
    return PairRow(left, right, allowed, language, corpus, weight, strengths if known else (None, None))


def load_pairs(
    data: Path, embed: Callable[[Sequence[str]], np.ndarray[Any, Any]] | None = None
) -> dict[str, list[PairRow]]:
    """Return the rows of ``train``, ``valid`` and ``dev``.

    Args:
        data: the folder of corpora.
        embed: unit vectors of headlines by the untrained base, to find pairs that look alike and are not the same
            in the corpora that group headlines; without it, these corpora are left out.
    """
    parts: dict[str, list[PairRow]] = {"train": [], "valid": [], "dev": []}
    for rows in (
        stream_pairs(data / "news_stream"),
        topic_pairs(data / "same_event"),
        invented_pairs(),
        family_pairs(),
        contrast_pairs(),
        graded_pairs(data),
        random_pairs(data / "news_stream"),
        _headline_cause(data / "headline_cause"),
        _toloka(data / "same_event"),
        _groups(data / "same_event", embed) if embed else (),
    ):
        for part, row in rows:
            parts[part].append(row)
    return parts


def load_graded(data: Path, language: str) -> dict[str, list[PairRow]]:
    """The rows of a language whose strength is known, of ``train``, ``valid`` and ``dev``."""
    parts: dict[str, list[PairRow]] = {"train": [], "valid": [], "dev": []}
    for part, row in graded_pairs(data):
        if row.language == language:
            parts[part].append(row)
    return parts


def stream_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs of the news streams labelled for this project; the files hold hashes of urls, never text.

    Training takes articles up to noon of the second day, the other parts later ones, so no pair crosses over.
    """
    for language in ("en", "ru"):
        articles = articles_by_key(folder, language)
        for part in ("train", "valid", "dev"):
            for line in (LABELS / f"stream_{language}_{part}.tsv").read_text(encoding="ascii").splitlines():
                left, right, code = line.split("\t")
                allowed = frozenset({CODES[code]})
                yield part, row_of(articles[left]["title"], articles[right]["title"], allowed, language, "stream")


def topic_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs of UCI and Wikinews labelled for this project, by hashes of the titles: other years than the streams'.

    What these corpora group says only that two headlines are of one story; a model left to itself with that spreads
    its belief over everything that might tie them.
    """
    corpora = grouped_headlines(folder)
    headlines = {
        url_key(headline.title): headline for name in ("uci", "wikinews") for headline in reversed(corpora[name])
    }
    for line in (LABELS / "topics_en.tsv").read_text(encoding="ascii").splitlines():
        left, right, code = line.split("\t")
        one, other = headlines[left], headlines[right]
        parts = {part_of_topic(one.topic), part_of_topic(other.topic)}
        if len(parts) == 1:
            yield parts.pop(), row_of(one.title, other.title, frozenset({CODES[code]}), "en", "topics")


def invented_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs written for this project, for relations that a stream holds few of."""
    for language in ("en", "ru"):
        for row in json_lines(LABELS / f"invented_{language}.jsonl"):
            yield "train", row_of(row["a"], row["b"], frozenset({CODES[row["label"]]}), language, "invented")


def family_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of small invented stories: what is told twice, what led to what, and what only looks as if it did.

    A family lists its events, each with its headlines, and which of them are tied. Every other pair of a family is
    a near miss; every second family is the twin of the one before, the same kind of story about somebody else.
    """
    for language in ("en", "ru"):
        families = list(json_lines(LABELS / f"families_{language}.jsonl"))
        for family in families:
            for left, right, allowed in pairs_of_family(family):
                yield "train", row_of(left, right, allowed, language, "families", 0.7)
        rng = random.Random(0)
        for one, other in zip(families[::2], families[1::2], strict=False):
            for _ in range(TWIN_PAIRS):
                left, right = (rng.choice(rng.choice(family["events"])) for family in (one, other))
                yield "train", row_of(left, right, UNRELATED, language, "families", 0.7)


def pairs_of_family(family: dict[str, Any]) -> Iterator[tuple[str, str, frozenset[Relation]]]:
    """The pairs of one family and the relations that its author allows them."""
    events: list[list[str]] = family["events"]
    tied = {(left, right): frozenset({CODES[code]}) for left, right, code in family["links"]}
    tied |= dict.fromkeys(map(tuple, family["maybe"]), NOT_TIED | CAUSED)
    for headlines in events:
        for left, right in combinations(headlines, 2):
            yield left, right, SAME
    for one, other in permutations(range(len(events)), 2):
        if (one, other) in tied:
            for place in range(max(len(events[one]), len(events[other]))):
                left, right = (events[event][place % len(events[event])] for event in (one, other))
                yield left, right, tied[one, other]
        elif one < other and (other, one) not in tied:
            yield events[one][0], events[other][-1], NOT_TIED


OF_BASE = {
    "S": SAME,
    "P": NOT_TIED,
    "N": NOT_TIED,
    "A": NOT_TIED,
    "D": frozenset({Relation.LEFT_RIGHT_REFUTE}),
    "E": NOT_TIED,
    "W": ALL - SAME - CAUSAL,
    "C": CAUSED,
    "X": NOT_TIED,
    "G": NOT_TIED,
}
"""How the headlines of a contrast set are related to its first one.

The same event (S), another place, number or actor (P, N, A), a denial and a denial of something else (D, E), the
opposite (W), an effect and the effect of another cause (C, X), the theme at large (G).
"""

AMBIGUOUS_WEIGHT = 0.3
"""Of pairs with another figure: in a stream that may also be a later count of the same event."""

FOREIGN = (("P", "C"), ("A", "C"), ("N", "C"), ("X", "C"), ("P", "D"), ("A", "D"), ("C", "G"), ("A", "X"))
"""Headlines of a set that have nothing to do with each other either."""


def contrast_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of headlines that look alike and differ in the one thing that makes them two events, or the reverse.

    In a stream what looks alike is nearly always the same event, so a model never learns to look for the other
    place, figure or name (HeadlineCause, sections 3.3 and 3.8).
    """
    for language in ("en", "ru"):
        for told in json_lines(LABELS / f"contrasts_{language}.jsonl"):
            base: str = told["B"]
            again: list[str] = told.get("S", [])
            for left, right in combinations(again, 2):
                yield "train", row_of(left, right, SAME, language, "contrasts", 0.7)
            for key, allowed in OF_BASE.items():
                others = again if key == "S" else [told[key]] if key in told else []
                weight = AMBIGUOUS_WEIGHT if key == "N" else 0.7
                for right in others:
                    for left in [base] if key == "S" else [base, *again]:
                        yield "train", row_of(left, right, allowed, language, "contrasts", weight)
            for one, other in FOREIGN:
                if one in told and other in told:
                    yield "train", row_of(told[one], told[other], NOT_TIED, language, "contrasts", 0.7)


def graded_pairs(data: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs of which somebody says how strongly the one led to the other."""
    yield from story_pairs()
    yield from _event_causes(data / "event_causes")
    yield from _e_care(data / "e_care" / "train.jsonl")


def story_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of events of stories in which every cause has a strength on CRAB's scale (0 to 100).

    A *high* one is a cause, a *medium* one may be called so, everything else is not one. The stories are invented,
    or tell of real affairs of before 2015 (``chronicles``); in ``pools``, of either kind, one happening led to much.
    """
    rng = random.Random(0)
    for file, (corpus, language) in GRADED_STORIES.items():
        for number, story in enumerate(json_lines(LABELS / file)):
            part = "train" if number % 10 else "valid"
            strengths = {(cause, effect): strength for cause, effect, strength in story["causes"]}
            for cause, effect in combinations(range(len(story["events"])), 2):
                graded = strengths.get((cause, effect), 0)
                strength = strength_class(graded)
                if part == "train" or strength is StrengthClass.HIGH or rng.random() < WEAK_SHARE:
                    left, right = story["events"][cause], story["events"][effect]
                    both = (max(NO_STRENGTH, graded / 100), NO_STRENGTH)
                    yield part, PairRow(left, right, BY_STRENGTH[strength], language, corpus, 0.5, both)


def random_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Pairs of the streams drawn by lot, without a word in common: nobody need label them to know they are unrelated.

    Without them a model that has only ever seen near pairs is sure of nonsense about far ones.
    """
    rng = random.Random(0)
    for language in ("en", "ru"):
        titles = [row["title"] for row in articles_to_learn_from(folder, language)]
        for _ in range(CHANCE_PAIRS):
            left, right = rng.sample(titles, 2)
            if not stems(left) & stems(right):
                yield "train", row_of(left, right, UNRELATED, language, "rng", 0.5)


def articles_to_learn_from(folder: Path, language: str) -> Iterator[dict[str, str]]:
    """The articles of a news stream that are not held out."""
    for row in news_stream.read_articles(folder, language):
        if datetime.fromisoformat(row["published"]) < HELD_OUT_FROM:
            yield row


def _headline_cause(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for pair in headline_cause.read_pairs(folder / "pairs.jsonl"):
        row = row_of(pair.left, pair.right, pair.allowed, pair.language, "headline-cause")
        yield headline_cause.part_of_pair(pair), row


def _event_causes(folder: Path) -> Iterator[tuple[str, PairRow]]:
    known: dict[tuple[str, str], tuple[int, bool]] = {}
    for question in event_causes.read_questions(folder / "questions.jsonl"):
        for number, option in enumerate(question.options):
            known[option, question.effect] = (question.topic, number in question.answers)
    for (cause, effect), (topic, right) in known.items():
        part = part_of_story(topic)
        allowed = CAUSED if right else NOT_SAME - CAUSED
        strength = DIRECT_STRENGTH if right else INDIRECT_STRENGTH
        yield part, PairRow(cause, effect, allowed, "en", "event-causes", 0.7, (strength, None))


def _e_care(path: Path) -> Iterator[tuple[str, PairRow]]:
    """Plausible causes of everyday life against implausible ones: strength only, they are no headlines."""
    for question in islice(e_care.read_questions(path), E_CARE_QUESTIONS):
        for hypothesis, strength in ((question.right, DIRECT_STRENGTH), (question.wrong, NO_STRENGTH)):
            pair = (question.premise, hypothesis) if question.asks_for_effect else (hypothesis, question.premise)
            yield "train", PairRow(*pair, ALL, "en", "e-care", 0.3, (strength, None))


def _toloka(folder: Path) -> Iterator[tuple[str, PairRow]]:
    for left, right, same in same_event.read_toloka(folder / "toloka_pairs.jsonl"):
        yield "train", row_of(left, right, SAME if same else NOT_SAME, "ru", "toloka")


def _groups(folder: Path, embed: Callable[[Sequence[str]], np.ndarray[Any, Any]]) -> Iterator[tuple[str, PairRow]]:
    """Same-event pairs of each grouped corpus, and as many that look alike and are not the same."""
    per_group = {"uci": 60, "wikinews": 8, "ecbplus": 20}
    for corpus, headlines in grouped_headlines(folder).items():
        for part in ("train", "valid"):
            members = [headline for headline in headlines if part_of_topic(headline.topic) == part]
            vectors = embed([member.title for member in members])
            for left, right, same in alike_pairs(members, vectors, per_group[corpus]):
                allowed = NOT_TIED if not same else SAME if corpus == "ecbplus" else ALL - UNRELATED - REFUTING
                yield part, PairRow(left.title, right.title, allowed, "en", corpus, 0.5)


def grouped_headlines(folder: Path) -> dict[str, list[GroupedHeadline]]:
    """The English headlines of each corpus that says which of them tell of the same event."""
    return {
        "uci": list(same_event.read_uci(folder / "uci_news_aggregator.jsonl")),
        "wikinews": list(same_event.read_wikinews(folder / "wikinews.jsonl")),
        "ecbplus": list(same_event.read_ecbplus(folder / "ecbplus.jsonl")),
    }


def alike_pairs(
    headlines: Sequence[GroupedHeadline], vectors: np.ndarray[Any, Any], per_group: int
) -> Iterable[tuple[GroupedHeadline, GroupedHeadline, bool]]:
    """Pairs inside a group that share some words at least, and for each a near neighbour outside the group."""
    rng = random.Random(0)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, headline in enumerate(headlines):
        groups[headline.group].append(number)
    similarity = vectors @ vectors.T
    names = np.array([headline.group for headline in headlines])
    for members in groups.values():
        pairs = [(a, b) for a in members for b in members if a < b and 0.15 < similarity[a, b] < 0.98]
        for a, b in rng.sample(pairs, min(per_group, len(pairs))):
            yield headlines[a], headlines[b], True
            others = np.where(names != names[a], similarity[a], -1.0)
            near = int(rng.choice(list(np.argsort(-others)[:8])))
            yield headlines[a], headlines[near], False
