"""Rows for the pair models from the label files made for this project (``labels/README.md``)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from pathlib import Path

from whywire.elements import StrengthClass, strength_class
from whywire.pairs.relations import Relation
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.labels.files import LANGUAGES, PARTS, read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import (
    ContrastSet,
    FollowUpStory,
    GradedStory,
    HashedPair,
    HeadlineStory,
    InventedPair,
)
from whywire_lab.recipes.pair_rows import (
    ALL,
    ALLOWED_BY_STRENGTH,
    CAUSAL,
    CAUSED,
    NO_STRENGTH,
    NOT_CAUSAL,
    SAME,
    UNRELATED,
    PairRow,
    row_of,
)

GRADED_STORIES = {
    "graded_stories_invented_en": ("graded-stories", "en"),
    "graded_stories_historical_en": ("graded-stories", "en"),
    "graded_stories_main_event_en": ("main-event-stories", "en"),
    "graded_stories_invented_ru": ("graded-stories", "ru"),
}
"""Label files of stories with graded causes: the corpus name of their rows, and their language."""

WEAK_SHARE = 0.4
"""Share of a held-out story's pairs without a strong cause that calibration sees.

There are six of them to one strong cause, more than among pairs that are asked about.
"""

STORIES_BETWEEN = 6
"""Pairs of headlines drawn between two stories of one kind."""

INVENTED_WEIGHT, GRADED_WEIGHT, FOLLOW_UP_WEIGHT = 0.7, 0.5, 0.8
"""Weights of rows from invented headline stories and contrast sets, of graded stories, and of follow-ups."""

AMBIGUOUS_WEIGHT = 0.3
"""Weight of contrast pairs with another number: in a stream it may be a later count of the same event."""

CONTRAST_RELATIONS: Mapping[str, frozenset[Relation]] = {
    "same_event": SAME,
    "other_place": NOT_CAUSAL,
    "other_number": NOT_CAUSAL,
    "other_actor": NOT_CAUSAL,
    "denial": frozenset({Relation.LEFT_RIGHT_REFUTE}),
    "other_denial": NOT_CAUSAL,
    "opposite": ALL - SAME - CAUSAL,
    "effect": CAUSED,
    "other_effect": NOT_CAUSAL,
    "same_topic": NOT_CAUSAL,
}
"""The relations that may hold between the first headline of a contrast set and each of the others."""

UNRELATED_CONTRASTS = (
    ("other_place", "effect"),
    ("other_actor", "effect"),
    ("other_number", "effect"),
    ("other_effect", "effect"),
    ("other_place", "denial"),
    ("other_actor", "denial"),
    ("effect", "same_topic"),
    ("other_actor", "other_effect"),
)
"""Headlines of a contrast set that are no causes of each other either."""


def stream_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Labelled pairs of the news streams, each with its part.

    ``train`` takes articles up to noon of the second day and the other parts later ones, so no pair crosses over.

    Args:
        folder: of the news streams.
    """
    for language in LANGUAGES:
        articles = articles_by_hash(folder, language)
        for part in PARTS:
            for row in read_labels(HashedPair, f"stream_pairs_{language}_{part}"):
                left, right = articles[row.left]["title"], articles[row.right]["title"]
                yield part, row_of(left, right, frozenset({row.relation}), language, "stream")


def topic_pairs(folder: Path) -> Iterator[tuple[str, PairRow]]:
    """Labelled pairs of UCI and Wikinews headlines, from other years than the streams, each with its part.

    The groups of these corpora say only that two headlines are of one story; a model trained on that alone spreads
    its probability over every relation that two headlines of a story may have.

    Args:
        folder: of the corpora that group headlines.
    """
    corpora = grouped_headlines(folder)
    headlines = {
        short_hash(headline.title): headline for name in ("uci", "wikinews") for headline in reversed(corpora[name])
    }
    for row in read_labels(HashedPair, "topic_pairs_en"):
        left, right = headlines[row.left], headlines[row.right]
        parts = {part_of_topic(left.topic), part_of_topic(right.topic)}
        if len(parts) == 1:
            yield parts.pop(), row_of(left.title, right.title, frozenset({row.relation}), "en", "topics")


def invented_pairs() -> Iterator[tuple[str, PairRow]]:
    """Invented pairs, for relations that are rare in a stream."""
    for language in LANGUAGES:
        for row in read_labels(InventedPair, f"invented_pairs_{language}"):
            yield "train", row_of(row.left, row.right, frozenset({row.relation}), language, "invented")


def headline_story_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of headlines of invented stories: same event, cause, and near misses.

    Every second story is of the same kind as the one before, about other people: pairs between them are unrelated.
    """
    for language in LANGUAGES:
        stories = read_labels(HeadlineStory, f"invented_headline_stories_{language}")
        for story in stories:
            for left, right, allowed in pairs_of_headline_story(story):
                yield "train", row_of(left, right, allowed, language, "headline-stories", INVENTED_WEIGHT)
        rng = random.Random(0)
        for one, other in zip(stories[::2], stories[1::2], strict=False):
            for _ in range(STORIES_BETWEEN):
                left, right = (rng.choice(rng.choice(story.events)) for story in (one, other))
                yield "train", row_of(left, right, UNRELATED, language, "headline-stories", INVENTED_WEIGHT)


def pairs_of_headline_story(story: HeadlineStory) -> Iterator[tuple[str, str, frozenset[Relation]]]:
    """The pairs of headlines of one story and the relations that may hold between them."""
    events = story.events
    allowed = {(link.left, link.right): frozenset({link.relation}) for link in story.links}
    allowed |= {(pair.cause, pair.effect): NOT_CAUSAL | CAUSED for pair in story.possible_causes}
    for headlines in events:
        for left, right in combinations(headlines, 2):
            yield left, right, SAME
    for one, other in permutations(range(len(events)), 2):
        if (one, other) in allowed:
            for place in range(max(len(events[one]), len(events[other]))):
                left, right = (events[event][place % len(events[event])] for event in (one, other))
                yield left, right, allowed[one, other]
        elif one < other and (other, one) not in allowed:
            yield events[one][0], events[other][-1], NOT_CAUSAL


def contrast_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of contrast sets: headlines that look alike and are two events because of one detail, or the reverse.

    In a stream headlines that look alike nearly always tell of one event, so a model trained on that alone never
    learns to look for another place, number or name (HeadlineCause, sections 3.3 and 3.8).
    """
    for language in LANGUAGES:
        for contrast_set in read_labels(ContrastSet, f"invented_contrast_sets_{language}"):
            for left, right, allowed, weight in pairs_of_contrast_set(contrast_set):
                yield "train", row_of(left, right, allowed, language, "contrast-sets", weight)


def pairs_of_contrast_set(own: ContrastSet) -> Iterator[tuple[str, str, frozenset[Relation], float]]:
    """The pairs of one contrast set, the relations that may hold between them, and their weights."""
    for left, right in combinations(own.same_event, 2):
        yield left, right, SAME, INVENTED_WEIGHT
    for right in own.same_event:
        yield own.headline, right, CONTRAST_RELATIONS["same_event"], INVENTED_WEIGHT
    others = {name: getattr(own, name) for name in CONTRAST_RELATIONS if name != "same_event"}
    for name, right in others.items():
        weight = AMBIGUOUS_WEIGHT if name == "other_number" else INVENTED_WEIGHT
        if right:
            for left in (own.headline, *own.same_event):
                yield left, right, CONTRAST_RELATIONS[name], weight
    for one, other in UNRELATED_CONTRASTS:
        if others[one] and others[other]:
            yield others[one], others[other], NOT_CAUSAL, INVENTED_WEIGHT


def graded_story_pairs() -> Iterator[tuple[str, PairRow]]:
    """Pairs of events of stories whose causes have a strength on CRAB's scale (0 to 100), each with its part.

    A *high* strength is a cause, a *medium* one may be called so, everything else is not one.
    """
    rng = random.Random(0)
    for name, (corpus, language) in GRADED_STORIES.items():
        for number, story in enumerate(read_labels(GradedStory, name)):
            part = "train" if number % 10 else "valid"
            strengths = {(own.cause, own.effect): own.strength for own in story.causes}
            for cause, effect in combinations(range(len(story.events)), 2):
                graded = strengths.get((cause, effect), 0)
                strength = strength_class(graded)
                if part == "train" or strength is StrengthClass.HIGH or rng.random() < WEAK_SHARE:
                    left, right = story.events[cause], story.events[effect]
                    both = (max(NO_STRENGTH, graded / 100), NO_STRENGTH)
                    allowed = ALLOWED_BY_STRENGTH[strength]
                    yield part, PairRow(left, right, allowed, language, corpus, GRADED_WEIGHT, both)


def follow_up_pairs(folder: Path) -> Iterator[PairRow]:
    """Pairs of a first report, what led to it, what it led to, and headlines that only look related; no strengths.

    Args:
        folder: of the news streams: some stories are invented around one of their headlines.
    """
    for language in LANGUAGES:
        articles = articles_by_hash(folder, language)
        for story in read_labels(FollowUpStory, f"invented_follow_ups_{language}"):
            real = [articles[story.article]["title"]] if story.article else []
            for left, right, allowed in pairs_of_follow_ups(story, [*real, *story.reports]):
                yield PairRow(left, right, allowed, language, "follow-ups", FOLLOW_UP_WEIGHT)


def pairs_of_follow_ups(story: FollowUpStory, reports: list[str]) -> Iterator[tuple[str, str, frozenset[Relation]]]:
    """The pairs of one story and the relations that may hold between them.

    Args:
        reports: all wordings of the first report.
    """
    later = story.follow_ups
    caused = [(report, follow_up) for report in reports for follow_up in later]
    not_causal = list(combinations(later, 2))
    not_causal += [(story.look_alike, headline) for headline in (*reports, *later) if story.look_alike]
    possible = []
    if effect := story.follow_up_effect:
        caused.append((later[effect.follow_up], effect.headline))
        not_causal += [(own, effect.headline) for place, own in enumerate(later) if place != effect.follow_up]
        possible += [(report, effect.headline) for report in reports]
    if story.cause:
        caused += [(story.cause, report) for report in reports]
        possible += [(story.cause, follow_up) for follow_up in later]
        if story.other_effect:
            caused.append((story.cause, story.other_effect))
            not_causal += [(story.other_effect, headline) for headline in (*reports, later[0])]
    refuted = [(report, story.denial) for report in reports if story.denial]
    for pairs, allowed in (
        (combinations(reports, 2), SAME),
        (caused, CAUSED),
        (not_causal, NOT_CAUSAL),
        (possible, frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.OTHER_RELATIONSHIP})),
        (refuted, frozenset({Relation.LEFT_RIGHT_REFUTE})),
    ):
        for left, right in pairs:
            yield left, right, allowed
