"""Links events: by what sentences say and headlines show, else by what a model judges likely.

Which error is worse? A false link: a reader who follows one wrong arrow doubts them all. So each kind of evidence has
its own least probability (:mod:`whywire.links.strength`), and of two opposite links only the more probable is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whywire.elements import ClaimKind, Evidence, HeadlineEvidence, Link, LinkKind, Order, round_probability
from whywire.events.candidates import Pair
from whywire.events.event_groups import EventTable, GroupedClaim
from whywire.language_models import LanguageModels
from whywire.links.candidates import link_candidates
from whywire.links.denied import with_denials
from whywire.links.judged import judged_links
from whywire.links.mention_pair_model import MentionPairModel
from whywire.links.order import order_of_link
from whywire.links.refutations import plain_relation, refuted_in
from whywire.links.retractions import Retractions
from whywire.links.said import SaidEvidence, said_evidence
from whywire.links.shown import has_cause_of_its_own, is_denied_plainly, relation_scores, shows_contradiction
from whywire.links.strength import MIN_PROBABILITY, is_sufficient, link_probability, strength
from whywire.news import Article, Language
from whywire.pairs.model import PairModel
from whywire.pairs.reports import report_of
from whywire.progress import Stages


@dataclass(frozen=True, slots=True)
class _LinkCase:
    """The evidence for a link in headlines and sentences.

    Args:
        source: index of the event that may have come first. target: index of the other. headlines: the pairs of
        headlines that show the link, most probable first: the indices of the two articles, that
            of the source first, and the probability. Empty if none was scored or none shows the relation.
    """

    source: int
    target: int
    kind: LinkKind
    headlines: tuple[tuple[int, int, float], ...]
    said: SaidEvidence


def link_events(
    table: EventTable, language: Language, vectors: NDArray[np.float32], models: LanguageModels, stages: Stages
) -> list[Link]:
    """Link the events of articles of one language.

    Args:
        vectors: (articles, size), unit length.

    Returns:
        Links in no particular order; of two opposite ones of a kind only the more probable.
    """
    model = models.pairs(language)
    with stages.stage("linking events", language):
        outlets = {article.id: _outlet(article) for article in table.articles}
        said = said_evidence(_claims_between_events(table), outlets)
        asked = link_candidates(table, vectors, model, said)
    kept, supported = _supported_links(table, language, asked, said, model, stages)
    if pair_model := MentionPairModel.from_folder(models.sentences(language).model.folder):
        kept += judged_links(table, supported, pair_model, model, language, stages)
    kept = list(with_denials(kept, table))
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
    said: Mapping[Pair, SaidEvidence],
    model: PairModel,
    stages: Stages,
) -> tuple[list[Link], set[Pair]]:
    """The links that are said or shown.

    Args:
        asked: for pairs of events, by their indices, the pairs of articles whose headlines are to be scored.
        said: for pairs of events, the evidence in sentences.

    Returns:
        The links, of two opposite ones of a kind only the more probable; and the pairs of events with sufficient
        evidence, even if the times forbid the link.
    """
    articles = table.articles
    pairs = sorted({pair for group in asked.values() for pair in group})
    with stages.stage("relating events", language, len(pairs)) as advance:
        reports = {number: report_of(articles[number]) for pair in pairs for number in pair}
        answers = model.relation_probabilities([(reports[i], reports[j]) for i, j in pairs], advance)
        relations = {
            (i, j): answer if (plain := plain_relation(articles[i].title, articles[j].title)) is None else plain
            for (i, j), answer in zip(pairs, answers, strict=True)
        }
    stages.counts["event pairs"] += len(asked)
    stages.counts["headline pairs"] += len(pairs)
    cases = list(_cases(table, asked, relations, said))
    direct = _directness(cases, articles, language, model, stages)
    links = {}
    for number, case in enumerate(cases):
        link = _link(case, direct.get(number), table)
        if link is not None:
            links[link.source, link.target, link.kind] = link
    kept = [link for link in links.values() if not _opposite_is_likelier(link, links)]
    return kept, {(case.source, case.target) for case in cases}


def _claims_between_events(table: EventTable) -> list[tuple[GroupedClaim, int, int]]:
    """The causal claims whose cause and effect are events, with the indices of these events."""
    return [
        (claim, table.event_of[claim.ends[0]], table.event_of[claim.ends[1]])
        for claim in table.claims
        if claim.ends and claim.claim.kind is ClaimKind.CAUSAL
    ]


def _outlet(article: Article) -> str:
    """The outlet of an article; one without a source is its own."""
    return article.source or article.id


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
    said: Mapping[Pair, SaidEvidence],
) -> Iterator[_LinkCase]:
    """The links with sufficient evidence in headlines or sentences, each once; refutations first.

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
            yield _LinkCase(score.source, score.target, LinkKind.REFUTES, score.pairs, SaidEvidence())
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
    likely = [pair for pair, evidence in said.items() if is_sufficient(evidence.claims)]
    for pair in dict.fromkeys((*shown, *likely)):
        yield _LinkCase(*pair, LinkKind.CAUSES, shown.get(pair, ()), said.get(pair, SaidEvidence()))


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
        judged: strength as a direct cause, 0 to 100; ``None`` if no headlines show it, then the probability is used.
    """
    evidence: list[Evidence] = list(case.said.claims)
    showing: set[str] = set()
    for left, right, likely in case.headlines:
        ends = table.articles[left], table.articles[right]
        refutes = case.kind is LinkKind.REFUTES
        contradicts = refuted_in(ends[0].title, ends[1].title) if refutes else None
        evidence.append(HeadlineEvidence(ends[0].id, ends[1].id, likely, contradicts))
        if likely >= MIN_PROBABILITY[HeadlineEvidence]:
            showing |= {_outlet(end) for end in ends}
    source, target = table.events[case.source].event, table.events[case.target].event
    title_match = 1.0 if case.headlines else max(table.claim_match[claim.claim] for claim in case.said.claims)
    probability = link_probability(evidence) * title_match
    directness = 100 * probability if judged is None else judged
    link = Link(
        source=source.id,
        target=target.id,
        kind=case.kind,
        probability=probability,
        strength=strength(probability, directness, max(case.said.outlets, len(showing))),
        order=Order.UNKNOWN,
        evidence=tuple(sorted(evidence, key=_strongest_first)),
        judged=judged,
    )
    order = order_of_link(link, source, target)
    return replace(link, order=order) if order else None


def _opposite_is_likelier(link: Link, links: Mapping[tuple[str, str, LinkKind], Link]) -> bool:
    """Whether the opposite link is more probable: of two events that seem to have led to each other, one did."""
    opposite = links.get((link.target, link.source, link.kind))
    return opposite is not None and (opposite.probability, opposite.source) > (link.probability, link.source)


def _strongest_first(item: Evidence) -> tuple[float, str]:
    return -round_probability(item.probability), repr(item)  # as rounded, so that files read back sort the same
