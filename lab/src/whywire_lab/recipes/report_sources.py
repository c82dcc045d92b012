"""Pairs of reports from all sources of the training part: the streams, published corpora and invented stories.

Where a corpus has texts, a report has a lead; else its title stands alone. No row has an article of a *valid* or
*dev* part: folds (:mod:`whywire_lab.recipes.story_folds`) are made of what is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from whywire.elements import strength_class
from whywire.pairs.relations import Relation
from whywire.pairs.reports import Report, lead_of
from whywire_lab.corpora import event_causes, headline_cause
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.same_event import GroupedHeadline, grouped_headlines
from whywire_lab.corpora.splits import part_of_story, part_of_topic
from whywire_lab.labels.files import LANGUAGES, read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import (
    AnnotatorStylePair,
    ContrastSet,
    FollowUpStory,
    GradedStory,
    HashedPair,
    HeadlineStory,
    InventedPair,
)
from whywire_lab.recipes.corpus_pairs import Embed, e_care_pairs, random_pairs, similar_pairs, training_articles
from whywire_lab.recipes.label_pairs import (
    FOLLOW_UP_WEIGHT,
    GRADED_STORIES,
    GRADED_WEIGHT,
    INVENTED_WEIGHT,
    pairs_of_contrast_set,
    pairs_of_follow_ups,
    pairs_of_headline_story,
)
from whywire_lab.recipes.pair_rows import (
    ALL,
    ALLOWED_BY_STRENGTH,
    CAUSED,
    DIRECT_STRENGTH,
    INDIRECT_STRENGTH,
    NO_STRENGTH,
    NOT_CAUSAL,
    NOT_SAME,
    REFUTING,
    SAME,
    UNRELATED,
    PairRow,
    row_of,
)
from whywire_lab.recipes.report_rows import BOTH, NEIGHBOURS, PICKED, ReportPair, of_titles

STREAM, ANNOTATORS, RANDOM, TOPICS = "stream", "annotators", "random", "topics"
GROUPED = ("uci", "wikinews", "ecbplus")
HEADLINE_CAUSE, PARAPHRASER, TOLOKA = "headline-cause", "paraphraser", "toloka"

PARAPHRASER_LABELS: Mapping[str, frozenset[Relation]] = {
    "paraphrase": SAME,
    "near": SAME | {Relation.OTHER_RELATIONSHIP},
    "different": NOT_SAME,
}
"""What ParaPhraser's three classes say: *near* tells much the same with more or less in it."""

GROUPED_PAIRS = {"uci": 60, "wikinews": 8, "ecbplus": 20}
"""Same-event pairs at most from one group of each corpus that groups headlines."""


def report_pairs(data: Path, embed: Embed | None = None) -> Iterator[ReportPair]:
    """All rows of the training part.

    Args:
        data: the folder of corpora.
        embed: the untrained base encoder, to find similar headlines of two events in the corpora that group
            headlines; without it, these corpora are left out.
    """
    yield from stream_pairs(data / "news_stream")
    yield from _random(data / "news_stream")
    yield from _topics(data / "same_event")
    if embed:
        yield from _grouped(data / "same_event", embed)
    yield from headline_cause_pairs(data / "headline_cause")
    yield from paraphraser_pairs(data / "same_event" / "paraphraser_ru.jsonl")
    yield from toloka_pairs(data / "same_event" / "toloka_pairs.jsonl")
    yield from invented_pairs(data / "news_stream")
    yield from graded_pairs(data)


def stream_pairs(folder: Path, part: str = "train") -> Iterator[ReportPair]:
    """Labelled pairs of a part of the news streams, by either guideline."""
    for language in LANGUAGES:
        articles = articles_by_hash(folder, language)
        reports = {key: _report(article) for key, article in articles.items()}

        def pair(
            left: str, right: str, allowed: frozenset[Relation], source: str, guideline: str,
            *, reports: Mapping[str, Report] = reports, language: str = language,
        ) -> ReportPair:  # fmt: skip
            return ReportPair(reports[left], reports[right], allowed, language, source, frozenset({guideline}))

        for row in read_labels(HashedPair, f"stream_pairs_{language}_{part}"):
            yield pair(row.left, row.right, frozenset({row.relation}), STREAM, NEIGHBOURS)
        for read in read_labels(AnnotatorStylePair, f"stream_pairs_annotator_style_{language}_{part}"):
            yield pair(read.left, read.right, frozenset(read.readings[0]), ANNOTATORS, PICKED)


def _report(article: Mapping[str, str]) -> Report:
    return Report.of(article["title"], article["text"])


def _random(folder: Path) -> Iterator[ReportPair]:
    """Random pairs of the streams without a common word stem, with their leads."""
    reports = {
        language: {article["title"]: _report(article) for article in training_articles(folder, language)}
        for language in LANGUAGES
    }
    for _, row in random_pairs(folder):
        known = reports[row.language]
        yield ReportPair(known[row.left], known[row.right], UNRELATED, row.language, RANDOM, weight=row.weight)


def _topics(folder: Path) -> Iterator[ReportPair]:
    headlines = _by_hash(folder)
    for row in read_labels(HashedPair, "topic_pairs_en"):
        left, right = headlines[row.left], headlines[row.right]
        if part_of_topic(left.topic) == part_of_topic(right.topic) == "train":
            yield ReportPair(
                _grouped_report(left), _grouped_report(right), frozenset({row.relation}), "en", TOPICS,
                frozenset({NEIGHBOURS}), story=left.topic,
            )  # fmt: skip


def _by_hash(folder: Path) -> dict[str, GroupedHeadline]:
    corpora = grouped_headlines(folder)
    return {
        short_hash(headline.title): headline for name in ("uci", "wikinews") for headline in reversed(corpora[name])
    }


def _grouped_report(headline: GroupedHeadline) -> Report:
    return Report.of(headline.title, headline.lead)


def _grouped(folder: Path, embed: Embed) -> Iterator[ReportPair]:
    """Same-event pairs of each grouped corpus, and as many similar headlines of two events.

    What UCI and Wikinews group is at least related; only ECB+ says *same event*.
    """
    for corpus, headlines in grouped_headlines(folder).items():
        members = [headline for headline in headlines if part_of_topic(headline.topic) == "train"]
        vectors = embed([member.title for member in members])
        for left, right, same in similar_pairs(members, vectors, GROUPED_PAIRS[corpus]):
            allowed = NOT_CAUSAL if not same else SAME if corpus == "ecbplus" else ALL - UNRELATED - REFUTING
            yield ReportPair(
                _grouped_report(left), _grouped_report(right), allowed, "en", corpus, weight=0.5, story=left.topic
            )


def headline_cause_pairs(folder: Path) -> Iterator[ReportPair]:
    """HeadlineCause's gold pairs that were never kept to measure on."""
    for pair in headline_cause.read_pairs(folder / "pairs.jsonl"):
        if headline_cause.part_of_pair(pair) == headline_cause.TRAIN:
            yield ReportPair(
                Report(pair.left),
                Report(pair.right),
                pair.allowed,
                pair.language,
                HEADLINE_CAUSE,
                frozenset({PICKED}),
            )


def paraphraser_pairs(path: Path) -> Iterator[ReportPair]:
    """ParaPhraser's pairs of Russian headlines of one day, judged by people."""
    if path.is_file():
        for row in json_lines(path):
            yield ReportPair(
                Report(row["first_title"]),
                Report(row["second_title"]),
                PARAPHRASER_LABELS[row["label"]],
                "ru",
                PARAPHRASER,
            )


def toloka_pairs(path: Path) -> Iterator[ReportPair]:
    """Russian pairs judged on Toloka."""
    for row in json_lines(path):
        left, right = (
            Report(row[f"{side}_title"], lead_of(row.get(f"{side}_text", ""), row[f"{side}_title"]))
            for side in ("first", "second")
        )
        yield ReportPair(left, right, SAME if row["label"] == "OK" else NOT_SAME, "ru", TOLOKA)


def invented_pairs(streams: Path) -> Iterator[ReportPair]:
    """Invented pairs, headline stories, contrast sets, and follow-ups of invented or real reports."""
    for language in LANGUAGES:
        for number, one in enumerate(read_labels(InventedPair, f"invented_pairs_{language}")):
            row = row_of(one.left, one.right, frozenset({one.relation}), language, "")
            yield of_titles(row, "invented", story=f"invented-{language}-{number}")
        for number, story in enumerate(read_labels(HeadlineStory, f"invented_headline_stories_{language}")):
            for left, right, allowed in pairs_of_headline_story(story):
                row = row_of(left, right, allowed, language, "", INVENTED_WEIGHT)
                yield of_titles(row, "headline-stories", story=f"stories-{language}-{number}")
        for number, contrasts in enumerate(read_labels(ContrastSet, f"invented_contrast_sets_{language}")):
            for left, right, allowed, weight in pairs_of_contrast_set(contrasts):
                row = row_of(left, right, allowed, language, "", weight)
                yield of_titles(row, "contrast-sets", story=f"contrasts-{language}-{number}")
        yield from _follow_ups(streams, language)


def _follow_ups(streams: Path, language: str) -> Iterator[ReportPair]:
    articles = articles_by_hash(streams, language)
    for number, story in enumerate(read_labels(FollowUpStory, f"invented_follow_ups_{language}")):
        real = [_report(articles[story.article])] if story.article else []
        known = {report.title: report for report in real}
        for left, right, allowed in pairs_of_follow_ups(story, [*known, *story.reports]):
            yield ReportPair(
                known.get(left, Report(left)), known.get(right, Report(right)), allowed, language, "follow-ups",
                frozenset({PICKED}), FOLLOW_UP_WEIGHT, story=f"follow-ups-{language}-{number}",
            )  # fmt: skip


def graded_pairs(data: Path) -> Iterator[ReportPair]:
    """Pairs with a strength of cause: graded stories, event_causes and e-CARE."""
    for name, (source, language) in GRADED_STORIES.items():
        for number, story in enumerate(read_labels(GradedStory, name)):
            if number % 10:  # the others are *valid*
                strengths = {(own.cause, own.effect): own.strength for own in story.causes}
                for row in _graded_rows(story.events, strengths, language):
                    yield of_titles(row, source, guidelines=frozenset({PICKED}), story=f"{name}-{number}")
    known: dict[tuple[str, str], tuple[int, bool]] = {}
    for question in event_causes.read_questions(data / "event_causes" / "questions.jsonl"):
        for number, option in enumerate(question.options):
            if not option.startswith(event_causes.NO_EVENT):
                known[option, question.effect] = (question.topic, number in question.answers)
    for (cause, effect), (topic, right) in known.items():
        if part_of_story(topic) == "train":
            allowed = CAUSED if right else NOT_SAME - CAUSED
            strength = DIRECT_STRENGTH if right else INDIRECT_STRENGTH
            row = PairRow(cause, effect, allowed, "en", "", 0.7, (strength, None))
            yield of_titles(row, "event-causes", guidelines=frozenset({PICKED}), story=f"causes-{topic}")
    for number, (_, row) in enumerate(e_care_pairs(data / "e_care" / "train.jsonl")):
        yield of_titles(row, "e-care", guidelines=BOTH, story=f"e-care-{number // 2}")


def _graded_rows(
    events: tuple[str, ...] | list[str], strengths: Mapping[tuple[int, int], float], language: str
) -> Iterator[PairRow]:
    for effect in range(len(events)):
        for cause in range(effect):
            graded = strengths.get((cause, effect), 0)
            both = (max(NO_STRENGTH, graded / 100), NO_STRENGTH)
            allowed = ALLOWED_BY_STRENGTH[strength_class(graded)]
            yield PairRow(events[cause], events[effect], allowed, language, "", GRADED_WEIGHT, both)
