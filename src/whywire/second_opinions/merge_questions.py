"""Which merges of events are uncertain, and what a second reader's answers make of them.

A merge is uncertain if the mean probability of *same event* between its two groups is near the threshold, whether
they were merged or not. The question is about one event of either group, the first that is understood alone. A yes
puts the two groups together, a no keeps them apart, and everything else is grouped anew around that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from whywire.events.candidates import Pair
from whywire.events.event_groups import ArticleEvents
from whywire.events.grouping import Opinions, UncertainMerges
from whywire.events.linkage import SAME_EVENT_THRESHOLD, UncertainMerge
from whywire.events.mentions import MentionCandidate
from whywire.second_opinions.questions import Opinion, Verdict

MOST_QUESTIONS = 16
"""Most questions that are asked about the merges that an article is the last to take part in."""


@dataclass(frozen=True)
class MergeQuestion:
    """Whether two events of articles are one.

    Args:
        merge: of items, or of articles.
        of_headlines: the merge is of articles, by their headlines.
        left, right: the mentions that stand for the two groups.
        items: of these mentions.
    """

    merge: UncertainMerge
    of_headlines: bool
    left: MentionCandidate
    right: MentionCandidate
    items: Pair


def merge_questions(found: ArticleEvents, uncertain: UncertainMerges) -> list[MergeQuestion]:
    """The questions about uncertain merges, those of headlines first."""
    questions = []
    for merges, of_headlines in ((uncertain.headlines, True), (uncertain.items, False)):
        for merge in merges:
            sides = ([found.first[at] if of_headlines else at for at in side] for side in (merge.left, merge.right))
            left, right = (_representative(found, side) for side in sides)
            mentions = found.items[left].best, found.items[right].best
            questions.append(MergeQuestion(merge, of_headlines, *mentions, (left, right)))
    return questions


def opinions_of(answered: Iterable[tuple[MergeQuestion, Opinion]]) -> Opinions:
    """What the answers to questions say of pairs."""
    opinions = Opinions()
    for question, opinion in answered:
        of = opinions.headlines if question.of_headlines else opinions.items
        merge = question.merge
        pairs = [(min(pair), max(pair)) for pair in product(merge.left, merge.right)]
        if opinion.verdict is Verdict.YES:
            of.together += pairs
        elif opinion.verdict is Verdict.NO:
            of.apart += pairs
    return opinions


def requests(questions: Iterable[MergeQuestion], order: Sequence[str]) -> Iterator[list[MergeQuestion]]:
    """Yield the questions that belong together, the nearest first: those whose later article is one and the same.

    So a story that grows asks about its new articles, and what was asked about the earlier ones stays the same.

    Args:
        order: ids of articles, in order of time.
    """
    place = {name: number for number, name in enumerate(order)}
    by_last: defaultdict[int, list[MergeQuestion]] = defaultdict(list)
    for question in questions:
        by_last[max(place[side.article.id] for side in (question.left, question.right))].append(question)
    for _, group in sorted(by_last.items()):
        yield sorted(group, key=lambda one: (abs(one.merge.similarity - SAME_EVENT_THRESHOLD), one.items))


def checked_items(
    groups: Iterable[Sequence[int]], answered: Iterable[tuple[MergeQuestion, Opinion]]
) -> dict[int, str]:
    """By item, the second reader whose answer the groups follow."""
    group_of = {item: number for number, group in enumerate(groups) for item in group}
    checked: dict[int, str] = {}
    for question, opinion in answered:
        left, right = question.items
        is_merged = opinion.verdict is Verdict.YES
        if opinion.verdict is not Verdict.UNSURE and (group_of[left] == group_of[right]) == is_merged:
            checked |= {left: opinion.model, right: opinion.model}
    return checked


def _representative(found: ArticleEvents, items: Sequence[int]) -> int:
    """The first item that is understood alone, else the first."""
    return next((at for at in items if found.items[at].best.can_name), items[0])
