"""Links events: by what articles say or imply, and by what headlines show.

A false link is worse than a missed one: a reader who follows one wrong arrow doubts them all. So each kind of
evidence has its own least probability (:mod:`whywire.links.strength`), of two opposite links only the more probable
is kept, and of a circle of links the least probable goes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from whywire.elements import ClaimKind, Evidence, HeadlineEvidence, Link, LinkKind, Order, round_probability
from whywire.events.candidates import Pair
from whywire.events.event_groups import EventTable
from whywire.language_models import LanguageModels
from whywire.links.candidates import link_candidates
from whywire.links.denied import with_denials
from whywire.links.order import order_of_link
from whywire.links.refutations import plain_relation, refuted_in
from whywire.links.retractions import Retractions
from whywire.links.shown import has_cause_of_its_own, is_denied_plainly, relation_scores, shows_contradiction
from whywire.links.strength import MIN_PROBABILITY, is_sufficient, link_probability, mean_strength
from whywire.links.told import ToldEvidence, told_evidence
from whywire.news import Article, Language
from whywire.pairs.model import PairModel
from whywire.pairs.reports import report_of
from whywire.progress import Stages

LinkNumbers = tuple[int, int, LinkKind]
"""What identifies a link of a table: the numbers of its source and its target, and its kind."""


@dataclass(frozen=True, slots=True)
class _LinkCase:
    """The evidence for a link in headlines and articles.

    Args:
        source: index of the event that may have come first.
        target: index of the other.
        headlines: the pairs of headlines that show the link, most probable first: the indices of the two articles,
            that of the source first, and the probability. Empty if none was scored or none shows the relation.
    """

    source: int
    target: int
    kind: LinkKind
    headlines: tuple[tuple[int, int, float], ...]
    told: ToldEvidence


def link_events(
    table: EventTable,
    language: Language,
    vectors: NDArray[np.float32],
    models: LanguageModels,
    stages: Stages,
    *,
    hidden: Set[LinkNumbers] = frozenset(),
) -> list[Link]:
    """Link the events of articles of one language.

    Args:
        vectors: (articles, size), unit length.
        hidden: links that a person hid; all else is decided as if nothing told or showed them.

    Returns:
        Links in no particular order; of two opposite links of one kind, only the more probable is kept.
    """
    model = models.pairs(language)
    with stages.stage("linking events", language):
        outlets = {article.id: article.outlet for article in table.articles}
        told = told_evidence(table, outlets)
        asked = link_candidates(table, vectors, model, told)
    kept = _supported_links(table, language, asked, told, model, stages, hidden)
    kept = list(with_denials(without_circles(kept), table))
    grouped = {event.event.id: event for event in table.events}

    def words(event: str) -> list[tuple[str, str]]:
        return [
            (mention.mention.article, mention.words) for mention in grouped[event].mentions if not mention.is_headline
        ]

    retractions = Retractions.of(kept, lambda name: grouped[name].event, words)
    return [retractions.close(link) for link in kept]


def _supported_links(
    table: EventTable,
    language: Language,
    asked: Mapping[Pair, Sequence[Pair]],
    told: Mapping[Pair, ToldEvidence],
    model: PairModel,
    stages: Stages,
    hidden: Set[LinkNumbers],
) -> list[Link]:
    """The links that are told or shown; of two opposite links of one kind, only the more probable is kept.

    Args:
        asked: for pairs of events, by their indices, the pairs of articles whose headlines are to be scored.
        told: for pairs of events, the evidence in articles.
        hidden: links that are left out.
    """
    articles = table.articles
    pairs = sorted({pair for group in asked.values() for pair in group})
    with stages.stage("relating events", language, len(pairs)) as advance:
        reports = {number: report_of(articles[number]) for pair in pairs for number in pair}
        answers = model.relation_probabilities([(reports[i], reports[j]) for i, j in pairs], advance)
        relations = {
            (i, j): answer if (plain := plain_relation(articles[i], articles[j])) is None else plain
            for (i, j), answer in zip(pairs, answers, strict=True)
        }
    stages.counts["event pairs"] += len(asked)
    stages.counts["headline pairs"] += len(pairs)
    cases = [
        case for case in _cases(table, asked, relations, told) if (case.source, case.target, case.kind) not in hidden
    ]
    direct = _directness(cases, articles, language, model, stages)
    links = {}
    for number, case in enumerate(cases):
        link = _link(case, direct.get(number), table)
        if link is not None:
            links[link.source, link.target, link.kind] = link
    return [link for link in links.values() if not _opposite_is_likelier(link, links)]


def _causes_in_headlines(table: EventTable) -> dict[str, list[str]]:
    """The words that name causes in the headline of an article, by its id."""
    causes: defaultdict[str, list[str]] = defaultdict(list)
    for claim in table.claims:
        if claim.ends and claim.claim.kind is ClaimKind.CAUSAL and claim.claim.field == "title":
            causes[claim.claim.article].append(claim.ends[0].words)
    return causes


def _cases(
    table: EventTable,
    asked: Mapping[Pair, Sequence[Pair]],
    relations: Mapping[Pair, NDArray[np.float64]],
    told: Mapping[Pair, ToldEvidence],
) -> Iterator[_LinkCase]:
    """The links with sufficient evidence in headlines or articles, each once; refutations first.

    What a report refutes did not lead to it, so headlines that show a refutation show no cause.
    """
    articles = table.articles
    likely_scores = [
        score
        for score in relation_scores(asked, relations, [grouped.event for grouped in table.events])
        if score.probability >= MIN_PROBABILITY[HeadlineEvidence]
        or (score.kind is LinkKind.REFUTES and is_denied_plainly(score, articles))
    ]
    refuted: set[Pair] = set()
    for score in likely_scores:
        if score.kind is LinkKind.REFUTES and shows_contradiction(score, articles):
            refuted.add((score.source, score.target))
            yield _LinkCase(score.source, score.target, LinkKind.REFUTES, score.pairs, ToldEvidence())
    named_causes = _causes_in_headlines(table)
    shown = {
        (score.source, score.target): score.pairs
        for score in likely_scores
        if score.kind is LinkKind.CAUSES
        and (score.source, score.target) not in refuted
        and not any(
            has_cause_of_its_own(articles[effect], named_causes.get(articles[effect].id, ()), articles[cause])
            for cause, effect, _ in score.pairs
        )
    }
    likely = [pair for pair, evidence in told.items() if is_sufficient(evidence.pieces)]
    for pair in dict.fromkeys((*shown, *likely)):
        yield _LinkCase(*pair, LinkKind.CAUSES, shown.get(pair, ()), told.get(pair, ToldEvidence()))


def _directness(
    cases: Sequence[_LinkCase], articles: Sequence[Article], language: Language, model: PairModel, stages: Stages
) -> dict[int, float]:
    """The mean strength (0 to 100) of the headline pairs of causal cases, by the index of the case."""
    pairs = [
        (number, (articles[source].title, articles[target].title))
        for number, case in enumerate(cases)
        if case.kind is LinkKind.CAUSES
        for source, target, _ in case.headlines
    ]
    with stages.stage("judging causes", language, len(pairs)) as advance:
        strengths = model.strengths([pair for _, pair in pairs], advance)
    stages.counts["judged pairs"] += len(pairs)
    of_case: dict[int, list[float]] = defaultdict(list)
    for (number, _), strength_of_pair in zip(pairs, strengths.tolist(), strict=True):
        of_case[number].append(strength_of_pair)
    return {number: sum(judged) / len(judged) for number, judged in of_case.items()}


def _link(
    case: _LinkCase,
    judged: float | None,
    table: EventTable,
) -> Link | None:
    """The link of a case; ``None`` if the times forbid it.

    Args:
        judged: strength as a direct cause by the headlines, 0 to 100; ``None`` if none show it.
    """
    headlines = []
    for left, right, likely in case.headlines:
        ends = table.articles[left], table.articles[right]
        refutes = case.kind is LinkKind.REFUTES
        contradicts = refuted_in(*ends) if refutes else None
        headlines.append(HeadlineEvidence(ends[0].id, ends[1].id, likely, contradicts))
    source, target = table.events[case.source].event, table.events[case.target].event
    evidence = [*case.told.pieces, *headlines]
    probability = link_probability(evidence, [*case.told.outlets, *("" for _ in headlines)])
    scores = [(piece.probability, score) for piece, score in zip(case.told.pieces, case.told.strengths, strict=True)]
    if judged is not None:
        scores.append((fmean(piece.probability for piece in headlines), judged))
    link = Link(
        source=source.id,
        target=target.id,
        kind=case.kind,
        probability=probability,
        strength=100 * probability if case.kind is LinkKind.REFUTES else mean_strength(scores),
        order=Order.UNKNOWN,
        evidence=tuple(sorted(evidence, key=_strongest_first)),
    )
    order = order_of_link(link, source, target)
    return replace(link, order=order) if order else None


def _opposite_is_likelier(link: Link, links: Mapping[tuple[str, str, LinkKind], Link]) -> bool:
    """Whether the opposite link is more probable: of two events that seem to have led to each other, one did."""
    opposite = links.get((link.target, link.source, link.kind))
    return opposite is not None and (opposite.probability, opposite.source) > (link.probability, link.source)


def without_circles(links: Iterable[Link]) -> list[Link]:
    """The links without those that close a circle of more probable ones: nothing is a cause of itself."""
    kept: list[Link] = []
    effects: defaultdict[str, set[str]] = defaultdict(set)

    def leads_to(source: str, target: str) -> bool:
        seen, left = {source}, [source]
        while left:
            for effect in effects[left.pop()]:
                if effect == target:
                    return True
                if effect not in seen:
                    seen.add(effect)
                    left.append(effect)
        return False

    for link in sorted(links, key=lambda link: (-round_probability(link.probability), link.source, link.target)):
        if link.kind is LinkKind.CAUSES:
            if leads_to(link.target, link.source):
                continue
            effects[link.source].add(link.target)
        kept.append(link)
    return kept


def _strongest_first(item: Evidence) -> tuple[float, str]:
    return -round_probability(item.probability), repr(item)  # as rounded, so that files read back sort the same
