"""From the votes of a campaign to its results: one answer to each item, how far people agree, and what they dispute.

Labels (relations, counterfactual or not) are decided by majority, by Dawid and Skene's model, or by a majority in
which a person weighs as much as they agree with the others; groupings by the graph of agreed pairs; spans by the
consensus of those who marked them; scores by their mean; graphs by what at least half drew. The curator's answer
decides, and does not count as agreement.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from statistics import fmean
from typing import Any

from msgspec import Struct

from whywire.annotation.agreement import ALL, krippendorff_alpha, span_agreement
from whywire.annotation.answers import (
    Answer,
    CounterfactualAnswer,
    GroupingAnswer,
    RelationAnswer,
    Span,
    SpansAnswer,
    StrengthAnswer,
)
from whywire.annotation.campaigns import CURATOR, Rules, Vote
from whywire.annotation.dawid_skene import dawid_skene
from whywire.annotation.graph_votes import merge_graphs
from whywire.annotation.groupings import leave_one_out, merge_groupings
from whywire.annotation.items import CausalSentence, Item, Kind, Role, Timeline, span_overlap
from whywire.annotation.score_votes import decide_score
from whywire.annotation.span_votes import merge_relations
from whywire.annotation.votes import Decision, majority, wawa
from whywire.elements import StrengthClass, strength_class
from whywire.pairs.relations import RELATIONS

LABELLED = (Kind.RELATION, Kind.COUNTERFACTUAL)
"""Kinds whose answers have a label."""


class Method(StrEnum):
    """How labels are decided."""

    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"
    """By the confusion matrix of each person (Dawid and Skene 1979)."""
    SKILL = "skill"
    """By a majority in which a person weighs as much as they agree with the majority."""


class Result(Struct, frozen=True, kw_only=True):
    """What the answers to an item say.

    Args:
        answer: ``None`` without answers, and where labels tie.
        share: how far the answers agree with it, 0 to 1. Labels: their share, or their probability; scores: the share
            in its class; otherwise the mean likeness to it.
        agreed: whether as many answers as the rules ask for have this label, or are like the answer; of scores, that
            no expert is needed. One answer agrees with nothing, unless one is all that the rules ask for.
        answers: how many count.
        curated: whether the curator decided.
        strength_class: of the mean score.
        deviation: the standard deviation of the scores.
        for_expert: whether scores are spread around a bound of two classes.
    """

    item: str
    answer: Answer | None
    share: float
    agreed: bool
    answers: int
    curated: bool = False
    strength_class: StrengthClass | None = None
    deviation: float | None = None
    for_expert: bool = False


class Agreement(Struct, frozen=True, kw_only=True):
    """How far people agree on the items of work.

    Args:
        alpha: Krippendorff's: nominal of labels, interval of scores, of words in spans (the mean over pairs of
            people); ``None`` for groupings and graphs, and where nothing is compared.
        pairwise: the mean likeness of two answers to an item, 0 to 1; ``None`` where no item has two.
        by_item: the same of each item that has two answers.
        by_person: the mean likeness of a person's answers to those of others.
        leave_one_out: of groupings: F1 of each person against the consensus of all others (HLGD, section 3.2).
    """

    alpha: float | None
    pairwise: float | None
    by_item: dict[str, float]
    by_person: dict[str, float]
    leave_one_out: dict[str, float]


def results(
    kind: Kind, rules: Rules, items: Mapping[str, Item], votes: Iterable[Vote], method: Method = Method.MAJORITY
) -> list[Result]:
    """One result for each item of work, in the order of the items.

    Args:
        items: of the campaign, by id.
        votes: those that do not count are left out.
    """
    counted = [vote for vote in votes if vote.counted and vote.item in items]
    curated = {vote.item: vote.answer for vote in counted if vote.person == CURATOR}
    by_item = _by_item(counted)
    labels = _decided(kind, items, counted, method) if kind in LABELLED else {}
    found = []
    for name, item in items.items():
        if item.role is not Role.WORK:
            continue
        answers = list(by_item.get(name, {}).values())
        one = _result(kind, item, answers, labels.get(name), rules)
        if name in curated:
            one = Result(item=name, answer=curated[name], share=1.0, agreed=True, answers=len(answers), curated=True)
        found.append(one)
    return found


def disputed(found: Iterable[Result]) -> list[Result]:
    """The results on which several people do not agree, the most disputed first."""
    open_ones = [one for one in found if one.answers > 1 and not one.agreed]
    return sorted(open_ones, key=lambda one: (not one.for_expert, one.share, one.item))


def agreement(kind: Kind, items: Mapping[str, Item], votes: Iterable[Vote]) -> Agreement:
    """How far people agree on the items of work; the curator is left out."""
    work = {name: item for name, item in items.items() if item.role is Role.WORK}
    given = _by_item(vote for vote in votes if vote.counted and vote.item in work)
    by_item, by_person = {}, defaultdict[str, list[float]](list)
    for name, answers in sorted(given.items()):
        likeness = []
        for one, other in combinations(sorted(answers), 2):
            alike = _alike(work[name], answers[one], answers[other])
            likeness.append(alike)
            by_person[one].append(alike)
            by_person[other].append(alike)
        if likeness:
            by_item[name] = fmean(likeness)
    alpha = _alpha(kind, work, given) if by_item else None
    return Agreement(
        alpha=alpha,
        pairwise=fmean(by_item.values()) if by_item else None,
        by_item=by_item,
        by_person={person: fmean(own) for person, own in sorted(by_person.items())},
        leave_one_out=_leave_one_out(work, given) if kind is Kind.GROUPING else {},
    )


def _by_item(votes: Iterable[Vote]) -> dict[str, dict[str, Answer]]:
    """The answers by item and person, without the curator's."""
    found = defaultdict[str, dict[str, Answer]](dict)
    for vote in sorted(votes, key=lambda vote: (vote.item, vote.person)):
        if vote.person != CURATOR:
            found[vote.item][vote.person] = vote.answer
    return dict(found)


def _label(answer: Any) -> Hashable:
    """The relation, or whether it is counterfactual."""
    return answer.relation if isinstance(answer, RelationAnswer) else answer.counterfactual


def _decided(
    kind: Kind, items: Mapping[str, Item], votes: Sequence[Vote], method: Method
) -> Mapping[str, Decision[Hashable]]:
    """The label of each item with votes; items whose answer is known teach the model how people err."""
    labels = [(vote.item, vote.person, _label(vote.answer)) for vote in votes if vote.person != CURATOR]
    if not labels:
        return {}
    match method:
        case Method.MAJORITY:
            return majority(labels)
        case Method.SKILL:
            return wawa(labels)
        case Method.DAWID_SKENE:
            known = {name: _label(item.right) for name, item in items.items() if item.right is not None}
            every = list(RELATIONS) if kind is Kind.RELATION else [False, True]
            return dawid_skene(labels, every, known=known).decisions()


def _result(kind: Kind, item: Item, answers: Sequence[Any], label: Decision[Hashable] | None, rules: Rules) -> Result:
    if not answers:
        return Result(item=item.id, answer=None, share=0.0, agreed=False, answers=0)
    enough = len(answers) >= min(2, rules.overlap)
    if kind is Kind.STRENGTH:
        decision = decide_score([answer.score for answer in answers])
        without = Counter(answer.without for answer in answers if answer.without is not None)
        in_class = [strength_class(answer.score) is decision.strength_class for answer in answers]
        return Result(
            item=item.id,
            answer=StrengthAnswer(round(decision.mean), _most(without)),
            share=fmean(in_class),
            agreed=enough and not decision.needs_expert,
            answers=len(answers),
            strength_class=decision.strength_class,
            deviation=decision.deviation,
            for_expert=decision.needs_expert,
        )
    if label is not None:
        answer, share = _labelled(answers, label.label), label.share
        said = fmean(_label(own) == label.label for own in answers)
        agreed = enough and said >= rules.agreed
    else:
        answer = _MERGED[kind](item, answers)
        share = fmean(_alike(item, own, answer) for own in answers)
        agreed = enough and share >= rules.agreed
    return Result(item=item.id, answer=answer, share=share, agreed=agreed, answers=len(answers))


def _labelled(answers: Sequence[Any], label: Hashable) -> Answer | None:
    """The answer with a label; a counterfactual has the parts that those who found it one come nearest to."""
    same = [answer for answer in answers if _label(answer) == label]
    if not same or isinstance(same[0], RelationAnswer):
        return same[0] if same else None
    return CounterfactualAnswer(
        bool(label),
        _central([answer.antecedent for answer in same]),
        _central([answer.consequent for answer in same]),
    )


def _central(spans: Sequence[Span | None]) -> Span | None:
    """The span that the others come nearest to; ``None`` if more than half marked none."""
    marked = sorted(span for span in spans if span is not None)
    if 2 * len(marked) < len(spans) or not marked:
        return None
    return max(marked, key=lambda span: sum(span_overlap(span, other) for other in marked))


def _merged_groupings(item: Timeline, answers: Sequence[GroupingAnswer]) -> GroupingAnswer:
    names = [headline.id for headline in item.headlines]
    merged: dict[int, list[str]] = {}
    for name, group in zip(names, merge_groupings([_groups_of(names, answer) for answer in answers]), strict=True):
        merged.setdefault(group, []).append(name)
    return GroupingAnswer(list(merged.values()))


def _groups_of(names: Sequence[str], answer: GroupingAnswer) -> list[int]:
    group_of = {name: number for number, group in enumerate(answer.groups) for name in group}
    return [group_of[name] for name in names]


def _merged_spans(_: Item, answers: Sequence[SpansAnswer]) -> SpansAnswer:
    merged = merge_relations([answer.relations for answer in answers])
    splits = Counter(offset for answer in answers for offset in set(answer.splits))
    return SpansAnswer(
        sorted(
            (one.relation for one in merged if 2 * one.votes > len(answers)), key=lambda one: (one.cause, one.effect)
        ),
        sorted(offset for offset, count in splits.items() if 2 * count > len(answers)),
    )


_MERGED: Mapping[Kind, Callable[[Any, Sequence[Any]], Answer]] = {
    Kind.GROUPING: _merged_groupings,
    Kind.SPANS: _merged_spans,
    Kind.GRAPH: lambda _, answers: merge_graphs(answers),
}


def _alike(item: Item, one: Any, other: Any) -> float:
    """How much two answers have in common, whichever is taken for right; 0 to 1."""
    return (item.score(one, other) + item.score(other, one)) / 2


def _alpha(kind: Kind, items: Mapping[str, Item], given: Mapping[str, Mapping[str, Any]]) -> float | None:
    people = sorted({person for answers in given.values() for person in answers})
    names = sorted(given)
    if kind is Kind.SPANS:
        return _span_alpha(items, given, people)
    if kind is Kind.STRENGTH:
        scores = [
            [given[name][person].score if person in given[name] else None for name in names] for person in people
        ]
        return _number(krippendorff_alpha(scores, "interval"))
    if kind in LABELLED:
        labels = [
            [_label(given[name][person]) if person in given[name] else None for name in names] for person in people
        ]
        return _number(krippendorff_alpha(labels))
    return None


def _span_alpha(
    items: Mapping[str, Item], given: Mapping[str, Mapping[str, SpansAnswer]], people: Sequence[str]
) -> float | None:
    """The mean of the alphas of all two people who marked the same sentences."""
    alphas = []
    for one, other in combinations(people, 2):
        both = [name for name in sorted(given) if {one, other} <= given[name].keys()]
        texts = [item.text for name in both if isinstance(item := items[name], CausalSentence)]
        relations = ([given[name][person].relations for name in both] for person in (one, other))
        alpha = _number(span_agreement(texts, *relations).alpha[ALL])
        if alpha is not None:
            alphas.append(alpha)
    return fmean(alphas) if alphas else None


def _leave_one_out(items: Mapping[str, Item], given: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    scores = defaultdict[str, list[float]](list)
    for name, answers in given.items():
        item = items[name]
        if len(answers) > 1 and isinstance(item, Timeline):
            names = [headline.id for headline in item.headlines]
            people = sorted(answers)
            found = leave_one_out([_groups_of(names, answers[person]) for person in people])
            for person, score in zip(people, found, strict=True):
                scores[person].append(score)
    return {person: fmean(own) for person, own in sorted(scores.items())}


def _most(counted: Counter[Any]) -> Any:
    """The value that is most frequent; ``None`` where several tie."""
    (first, most), (_, second) = [*counted.most_common(2), (None, 0), (None, 0)][:2]
    return first if most > second else None


def _number(alpha: float) -> float | None:
    """``None`` for no number."""
    return None if alpha != alpha else alpha
