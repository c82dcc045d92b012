"""The whole way, from articles to a causal graph.

Articles of one language are compared with one another and fall into stories. Every sentence is read once: what it
claims, which words of it mention an event, and how these lie to the mentions of others. The mentions of a story are
grouped into events. Links between events come from the sentences that say so and from headlines in a causal relation,
and what is left standing goes into the graph with its evidence.

Articles are first put into one order (time, then content), so the order they come in changes nothing.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    Evidence,
    HeadlineEvidence,
    JudgedEvidence,
    Link,
    LinkKind,
    MentionKind,
    Order,
    article_sort_key,
    short_hash,
)
from whywire.events.assembling import event_of_mentions, headline_event
from whywire.events.candidates import Times, candidate_pairs
from whywire.events.linkage import Pair, group_events, pairs_left_open
from whywire.events.mentions import FoundMention, mentions_of_sentence
from whywire.events.same_event import LEAST_LIKELY, group_mentions, telling_of
from whywire.events.stories import LEAD_WORDS, group_stories
from whywire.events.time import event_time as event_times
from whywire.events.time.of_mentions import time_of_mentions
from whywire.graph.causal_graph import CausalGraph, sort_by_time
from whywire.graph.to_rows import round_probability, round_strength
from whywire.graph.write_build import versions, write_graph
from whywire.language_models import LanguageModels
from whywire.links.closing import closed, denied_events
from whywire.links.judged import PairJudge, candidates
from whywire.links.order import order_of_events, order_of_link
from whywire.links.refutations import refuted_in
from whywire.links.said import Said, said_links
from whywire.links.shown import is_seen, opinions, pairs_to_ask, tied
from whywire.links.strength import strength
from whywire.links.weighing import LEAST, is_enough, probability_of
from whywire.models.pretrained import weights_hashes
from whywire.news import Article, Language, Problem, Span, split_sentences, without_duplicates
from whywire.news.distinctive_terms import DistinctiveTerms
from whywire.sentences.counterfactual import grammar
from whywire.sentences.counterfactual.reading import with_contrapositives
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import Reading

SAME_EVENT_NEIGHBOURS, SAME_EVENT_FLOOR = 12, 0.1
"""An article is compared with this many others at most, none of them less like it than this.

Similarity is the probability, by the embeddings alone, that two headlines tell of one event.
"""

SECOND_LOOK = 16
"""With so many more at most, of those that may be in its group by what the first look found."""

LINK_NEIGHBOURS, LINK_FLOOR = 10, 0.02
"""The same for events that may be linked: what an event led to is told in other words than the event."""

TITLE = "What led to what"
"""The heading of a page that is given none."""

MIN_WORDS = 4
"""A sentence of fewer words has no room for a cause and an effect."""


class Progress(Protocol):
    """Told how far a build has come."""

    def start(self, stage: str, total: int) -> Callable[[float], object]:
        """A stage begins that has ``total`` steps; returns what is to be called with the steps just done."""


class NoProgress:
    """Progress for those who do not want to hear of it."""

    def start(self, stage: str, total: int) -> Callable[[float], object]:  # noqa: ARG002
        """Ignore everything."""
        return lambda steps: None  # noqa: ARG005


@dataclass
class Build:
    """A finished build.

    Args:
        problems: articles left out because another had the same id or url.
        counts: how many of what; among them the passes of each model.
        seconds: wall-clock time a stage.
    """

    graph: CausalGraph
    problems: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def write(
        self,
        folder: str | Path,
        *,
        title: str = TITLE,
        inputs: Sequence[str] = (),
        problems: Sequence[Problem] = (),
    ) -> None:
        """Write every file of the build into a folder, all of them or none (docs/formats.md).

        Args:
            title: the heading of the page.
            inputs: where the news was read from, for ``run.json``.
            problems: what was wrong with the input, for ``rejected.jsonl``, besides what the build left out.

        Raises:
            OutputError: the folder cannot be written.
        """
        found = [*problems, *self.problems]
        run = {
            "versions": versions(),
            "extras": {"grammar": grammar.versions(), "times": event_times.versions()},
            "models": weights_hashes(),
            "inputs": list(inputs),
            "counts": self.counts
            | {
                "rejected": sum(not problem.kept for problem in found),
                "kept with a note": sum(problem.kept for problem in found),
            },
            "seconds": {stage: round(seconds, 2) for stage, seconds in self.seconds.items()},
        }
        write_graph(self.graph, Path(folder), title=title, run=run, summary=self.counts, problems=found)


def build(
    articles: Iterable[Article], *, models: LanguageModels | None = None, progress: Progress | None = None
) -> Build:
    """Build the causal graph of these articles.

    Articles neither in English nor in Russian are kept, each as an event of its own; no model reads them.
    """
    kept, problems = without_duplicates(articles)
    work = Steps(models or LanguageModels(), progress or NoProgress())
    events: list[Event] = []
    claims: list[Claim] = []
    links: list[Link] = []
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in kept if article.language is language]
        if own:
            headlines = work.headlines(own, language)
            read = work.read(own, language)
            grouped = work.group(own, language, headlines, read)
            claims += grouped.claims
            own_links = work.link(own, language, headlines, grouped)
            links += own_links
            events += _in_stories(grouped, own, own_links)
    for article in kept:
        if article.language is Language.OTHER:
            events.append(headline_event(article))
    links.sort(key=lambda link: (-round_strength(link.strength), link.source, link.target, link.kind))
    work.counts |= {"articles": len(kept), "events": len(events), "links": len(links), "claims": len(claims)}
    graph = CausalGraph(
        articles={article.id: article for article in kept},
        events=sort_by_time(events),
        links=tuple(links),
        claims=tuple(claims),
    )
    return Build(graph, problems, work.counts, work.seconds)


@dataclass(frozen=True)
class Groups:
    """The event and the story of each article, in the order of the articles.

    Articles with one event are in one story.

    Args:
        events: ids; two articles have the same exactly when their headlines are taken to tell of one happening.
        stories: ids; two articles have the same exactly when they are taken to be of one story, an event with all
            that was written on it.
    """

    events: list[str]
    stories: list[str]


def group(
    articles: Sequence[Article], *, models: LanguageModels | None = None, progress: Progress | None = None
) -> Groups:
    """Find out which articles tell of one event, and which are of one story, as :func:`build` does.

    How much belongs to a story depends on the articles. Each event and story is named for its first article.
    """
    work = Steps(models or LanguageModels(), progress or NoProgress())
    order = sorted(range(len(articles)), key=lambda number: article_sort_key(articles[number]))
    events = [headline_event(article).id for article in articles]
    stories = list(events)
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [number for number in order if articles[number].language is language]
        if own:
            members = [articles[number] for number in own]
            headlines = work.headlines(members, language)
            wide = _joined(work.affairs(members, language, headlines.vectors), headlines.groups)
            for ids, groups in ((events, headlines.groups), (stories, wide)):
                for places in groups:
                    for place in places:
                        ids[own[place]] = headline_event(members[places[0]]).id
    return Groups(events, stories)


@dataclass(frozen=True)
class Headlines:
    """The headlines of one language, compared with one another.

    Args:
        vectors: (articles, size), of the headlines.
        groups: the numbers of the articles of each event, by the headlines alone.
    """

    vectors: NDArray[np.float32]
    groups: list[list[int]]


@dataclass(frozen=True)
class Readings:
    """What the sentences of articles of one language say.

    Args:
        mentions: in the order of articles and sentences; not all of them tell of an event.
        claims: with the numbers of the mentions that are cause and effect, ``None`` where there are none, and the
            probability of being worth a link. A claim names the event of its article once that is known.
    """

    mentions: list[FoundMention]
    claims: list[tuple[Claim, Pair | None, float]]


@dataclass(frozen=True)
class Grouped:
    """The events of articles of one language.

    Args:
        stories: the numbers of the articles of each.
        headlines: for each event, the numbers of the articles whose headline mentions it.
        mentions: those that the events are made of.
        event_of: (mentions,), the number of the event of each.
        telling: (mentions,), how likely each tells of what names its event.
        ends: of a claim both sides of which are events, by its id: the places of these mentions.
        edge: the probability that a claim is worth a link, by its id.
    """

    events: list[Event]
    stories: list[list[int]]
    headlines: list[list[int]]
    claims: list[Claim]
    mentions: list[FoundMention]
    event_of: list[int]
    telling: NDArray[np.float64]
    ends: dict[str, Pair]
    edge: dict[str, float]

    def told(self, kind: ClaimKind) -> list[tuple[Claim, int, int]]:
        """The claims of a kind both sides of which are events, with the numbers of these."""
        return [
            (claim, self.event_of[cause], self.event_of[effect])
            for claim in self.claims
            if claim.kind is kind and claim.id in self.ends
            for cause, effect in [self.ends[claim.id]]
        ]

    def tells(self, evidence: Evidence) -> float:
        """How likely a piece of evidence speaks of what names the two events; headlines do."""
        if not isinstance(evidence, ClaimEvidence):
            return 1.0
        cause, effect = self.ends[evidence.claim]
        return float(self.telling[cause] * self.telling[effect])

    def mentions_of_stories(self) -> list[tuple[list[int], dict[Pair, float]]]:
        """The places of the mentions of each story, and what is claimed of them.

        That is the probability that a causal claim is worth a link, by where its cause and effect are in the story.
        """
        stories = _by_story(self.stories, self.mentions)
        where = {place: (story, at) for story, places in enumerate(stories) for at, place in enumerate(places)}
        claimed: list[dict[Pair, float]] = [{} for _ in stories]
        for claim in self.claims:
            if claim.kind is ClaimKind.CAUSAL and claim.id in self.ends:
                (story, cause), (_, effect) = (where[end] for end in self.ends[claim.id])
                best = claimed[story].get((cause, effect), 0.0)
                claimed[story][cause, effect] = max(best, self.edge[claim.id])
        return list(zip(stories, claimed, strict=True))


class Steps:
    """One build under way: the models, who is told of it, and what it took."""

    def __init__(self, models: LanguageModels, progress: Progress) -> None:
        self.models = models
        self.progress = progress
        self.counts: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str, language: Language, total: int) -> Iterator[Callable[[float], object]]:
        """Time a stage and report it."""
        started = time.perf_counter()
        yield self.progress.start(f"{name} ({language})", total)
        self.seconds[name] += time.perf_counter() - started

    def affairs(
        self, articles: Sequence[Article], language: Language, titles: NDArray[np.float32] | None = None
    ) -> list[list[int]]:
        """The numbers of the articles of each story.

        Args:
            titles: (articles, size), the vectors of the headlines where they are known.
        """
        model = self.models.headlines(language)
        leads = [" ".join(article.text.split()[:LEAD_WORDS]) for article in articles]
        told = [number for number, lead in enumerate(leads) if lead]
        with self.stage("embedding leads", language, len(told) + len(articles) * (titles is None)) as advance:
            if titles is None:
                titles = model.embed([article.title for article in articles], advance)
            vectors = titles.copy()
            vectors[told] += model.embed([leads[number] for number in told], advance)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with self.stage("finding stories", language, 0):
            texts = [f"{article.title} {article.text}" for article in articles]
            return group_stories(vectors, texts, [article.published for article in articles])

    def headlines(self, articles: Sequence[Article], language: Language) -> Headlines:
        """Compare the headlines, and find out which tell of the same event."""
        model = self.models.headlines(language)
        titles = [article.title for article in articles]
        times = [article.published for article in articles]
        with self.stage("embedding headlines", language, len(titles)) as advance:
            vectors = model.embed(titles, advance)
        with self.stage("comparing headlines", language, 0):
            floor = model.cosine_for(SAME_EVENT_FLOOR)
            pairs = candidate_pairs(vectors, times, neighbours=SAME_EVENT_NEIGHBOURS, floor=floor)
        same = self._same_event(pairs, titles, vectors, language)
        second = pairs_left_open(len(titles), same, each=SECOND_LOOK)
        same |= self._same_event(second, titles, vectors, language)
        with self.stage("grouping", language, 0):
            groups = group_events(same, vectors, model.same_event_by_cosine, clock=Times(times))
        return Headlines(vectors, groups)

    def _same_event(
        self,
        pairs: Sequence[tuple[int, int]],
        titles: Sequence[str],
        vectors: NDArray[np.float32],
        language: Language,
    ) -> dict[tuple[int, int], float]:
        """The probability that the two headlines of each pair tell of the same event."""
        model = self.models.headlines(language)
        with self.stage("relating headlines", language, len(pairs)) as advance:
            answers = model.ask([(titles[i], titles[j]) for i, j in pairs], advance)
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            same = model.same_event(answers, (vectors[left] * vectors[right]).sum(axis=1))
        self.counts["headline pairs"] += len(pairs)
        return dict(zip(pairs, same.tolist(), strict=True))

    def read(self, articles: Sequence[Article], language: Language) -> Readings:
        """Read every sentence of titles and texts once, and note what it claims and what it mentions."""
        with self.stage("splitting sentences", language, 0):
            places = [
                (home, name, number, span)
                for home, article in enumerate(articles)
                for number, (name, span) in enumerate(_sentences(article))
            ]
            texts = [getattr(articles[home], name)[start:end] for home, name, _, (start, end) in places]
            worth = [
                name == "title" or len(text.split()) >= MIN_WORDS
                for (_, name, _, _), text in zip(places, texts, strict=True)
            ]
            unique = list(dict.fromkeys(text for text, is_worth in zip(texts, worth, strict=True) if is_worth))
        with self.stage("reading sentences", language, len(unique)) as advance:
            found = self.models.sentences(language).read(unique, advance, mentions=True)
        with self.stage("turning counterfactuals", language, 0):
            if language is Language.ENGLISH:
                found = with_contrapositives(unique, found)
            readings = dict(zip(unique, found, strict=True))
        self.counts["sentences"] += len(texts)
        self.counts["sentences read"] += len(unique)
        mentions: list[FoundMention] = []
        claims: list[tuple[Claim, Pair | None, float]] = []
        for (home, name, number, span), text, is_worth in zip(places, texts, worth, strict=True):
            if is_worth:
                article, reading = articles[home], readings[text]
                own = list(mentions_of_sentence(article, home, name, number, span, reading))
                places_of = {(one.mention.span, one.mention.kind): len(mentions) + at for at, one in enumerate(own)}
                mentions += own
                edges = [relation.edge or 0.0 for relation in (*reading.relations, *reading.denials)]
                for at, claim in enumerate(_claims(reading, article, name, span, text)):
                    ends = None
                    if (
                        claim.kind is not ClaimKind.COUNTERFACTUAL
                        and not claim.derived
                        and claim.cause
                        and claim.effect
                    ):
                        ends = places_of[claim.cause, MentionKind.CAUSE], places_of[claim.effect, MentionKind.EFFECT]
                    claims.append((claim, ends, edges[at] if ends else 0.0))
        return Readings(mentions, claims)

    def group(self, articles: Sequence[Article], language: Language, headlines: Headlines, read: Readings) -> Grouped:
        """Put articles into stories, and the mentions of each story into events."""
        stories = _joined(self.affairs(articles, language, headlines.vectors), headlines.groups)
        with self.stage("grouping mentions", language, 0):
            kept, alias = _distinct(read)
            mentions = [read.mentions[number] for number in kept]
            place = {number: at for at, number in enumerate(kept)}
            headline_of = {one.home: at for at, one in enumerate(mentions) if one.is_headline}
            ends = {
                claim.id: (place[alias[ends[0]]], place[alias[ends[1]]])
                for claim, ends, _ in read.claims
                if ends and alias[ends[0]] in place and alias[ends[1]] in place
            }
            reader = self.models.sentences(language)
            groups = group_mentions(
                np.stack([one.vector for one in mentions]),
                _by_story(stories, mentions),
                [articles[one.home].published for one in mentions],
                reader.same_event_by_cosine,
                reader.cosine_for(LEAST_LIKELY),
                headlines=[[headline_of[home] for home in group] for group in headlines.groups],
                apart={(min(pair), max(pair)) for pair in ends.values() if pair[0] != pair[1]},
            )
        events = [event_of_mentions([mentions[at] for at in group], articles) for group in groups]
        number_of = dict(sorted((at, number) for number, group in enumerate(groups) for at in group))
        home_event = {home: events[number_of[at]].id for home, at in headline_of.items()}
        home_of = {article.id: number for number, article in enumerate(articles)}
        claims = [replace(claim, event=home_event[home_of[claim.article]]) for claim, _, _ in read.claims]
        headline_numbers = [[mentions[at].home for at in group if mentions[at].is_headline] for group in groups]
        with self.stage("finding times", language, 0):
            if event_times.versions():
                times = [time_of_mentions([mentions[at] for at in group], articles) for group in groups]
                events = [replace(event, when=when) for event, when in zip(events, times, strict=True)]
        edge = {claim.id: probability for claim, _, probability in read.claims}
        self.counts["mentions"] += len(mentions)
        event_of = list(number_of.values())
        telling = _telling(events, mentions, event_of, reader)
        return Grouped(events, stories, headline_numbers, claims, mentions, event_of, telling, ends, edge)

    def link(
        self, articles: Sequence[Article], language: Language, headlines: Headlines, grouped: Grouped
    ) -> list[Link]:
        """Link the events: by what sentences say, by what headlines show, else by what is judged likely."""
        outlets = {article.id: article.source or article.id for article in articles}
        with self.stage("linking events", language, 0):
            said = said_links(grouped.told(ClaimKind.CAUSAL), grouped.told(ClaimKind.DENIAL), grouped.edge, outlets)
            asked = self._to_ask(articles, language, headlines, grouped, said)
            pairs = sorted({pair for group in asked.values() for pair in group})
        titles = [article.title for article in articles]
        with self.stage("relating events", language, len(pairs)) as advance:
            answers = self.models.headlines(language).ask([(titles[i], titles[j]) for i, j in pairs], advance)
            relations = dict(zip(pairs, answers, strict=True))
        self.counts["event pairs"] += len(asked)
        self.counts["headline pairs"] += len(pairs)
        cases = list(_cases(grouped.events, asked, relations, said, titles))
        direct = self._directness(cases, titles, language)
        links = {}
        for number, case in enumerate(cases):
            link = _link(case, direct.get(number), articles, grouped, outlets)
            if link is not None:
                links[link.source, link.target, link.kind] = link
        kept = [link for link in links.values() if not _against(link, links)]
        known = {(case.source, case.target) for case in cases}
        kept += self._judge(language, grouped, known)
        denied = denied_events(kept, {event.id: event for event in grouped.events}.__getitem__)
        return [closed(link, denied) for link in kept]

    def _to_ask(
        self,
        articles: Sequence[Article],
        language: Language,
        headlines: Headlines,
        grouped: Grouped,
        said: Iterable[Pair],
    ) -> dict[Pair, list[Pair]]:
        """For pairs (i < j) of events with headlines that may be linked, the pairs of headlines to ask about."""
        model = self.models.headlines(language)
        titled = [number for number, own in enumerate(grouped.headlines) if own]
        if not titled:
            return {}
        titles = [article.title for article in articles]
        telling = DistinctiveTerms(titles)
        vectors = headlines.vectors
        centres = np.stack([vectors[grouped.headlines[number]].mean(axis=0) for number in titled])
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        times = [grouped.events[number].first_seen for number in titled]
        near = candidate_pairs(centres, times, neighbours=LINK_NEIGHBOURS, floor=model.cosine_for(LINK_FLOOR))
        named = {(min(pair), max(pair)) for pair in said if all(grouped.headlines[number] for number in pair)}
        medoids = {number: _medoid(grouped.headlines[number], vectors) for number in titled}

        def have_a_tie(i: int, j: int) -> bool:
            similarity = model.same_event_by_cosine(vectors[i] @ vectors[j])
            return tied(telling.shared(titles[i], titles[j]), float(similarity))

        asked = {}
        for a, b in sorted({*((titled[i], titled[j]) for i, j in near), *named}):
            pairs = pairs_to_ask((grouped.headlines[a], grouped.headlines[b]), (medoids[a], medoids[b]), vectors)
            if (a, b) in named or any(have_a_tie(i, j) for i, j in pairs):
                asked[a, b] = pairs
        return asked

    def _judge(self, language: Language, grouped: Grouped, known: Collection[Pair]) -> list[Link]:
        """The links that nobody says and no headlines show, between events of one article not known to have any."""
        judge = PairJudge.from_folder(self.models.sentences(language).model.folder)
        if judge is None:
            return []
        events, mentions = grouped.events, grouped.mentions

        def possible(source: int, target: int) -> bool:
            apart = (source, target) not in known and (target, source) not in known
            return apart and order_of_events(events[source], events[target]) is not None

        with self.stage("choosing causes", language, 0):
            chosen = candidates(
                judge,
                grouped.mentions_of_stories(),
                mentions,
                grouped.event_of,
                possible,
            )
        words = [tuple(" ".join(mentions[end].words.split()) for end in (one.cause, one.effect)) for one in chosen]
        with self.stage("judging causes", language, 2 * len(words)) as advance:
            strengths = self.models.headlines(language).strengths
            forward = strengths([(cause, effect) for cause, effect in words], advance)
            backward = strengths([(effect, cause) for cause, effect in words], advance)
        self.counts["judged pairs"] += 2 * len(words)
        probabilities = judge.probability(np.array([one.odds for one in chosen]), forward, backward)
        links = []
        for one, likely, judged in zip(chosen, probabilities.tolist(), forward.tolist(), strict=True):
            evidence = JudgedEvidence(mentions[one.cause].mention, mentions[one.effect].mention, likely)
            probability = likely * float(grouped.telling[one.cause] * grouped.telling[one.effect])
            order = order_of_events(events[one.source], events[one.target])
            if order and is_enough([evidence]):
                link = Link(
                    events[one.source].id,
                    events[one.target].id,
                    LinkKind.CAUSES,
                    probability,
                    strength(probability, judged, 1),
                    order,
                    (evidence,),
                    judged=judged,
                )
                links.append(link)
        return links

    def _directness(self, cases: Sequence[_Case], titles: Sequence[str], language: Language) -> dict[int, float]:
        """How strong the headlines show each cause to be, 0 to 100; of those that headlines show as causes."""
        pairs = [
            (number, (titles[source], titles[target]))
            for number, case in enumerate(cases)
            if case.kind is LinkKind.CAUSES
            for source, target, _ in case.headlines
        ]
        with self.stage("judging causes", language, len(pairs)) as advance:
            strengths = self.models.headlines(language).strengths([pair for _, pair in pairs], advance)
        self.counts["judged pairs"] += len(pairs)
        told: dict[int, list[float]] = defaultdict(list)
        for (number, _), judgement in zip(pairs, strengths.tolist(), strict=True):
            told[number].append(judgement)
        return {number: sum(own) / len(own) for number, own in told.items()}


@dataclass(frozen=True, slots=True)
class _Case:
    """What speaks for a link.

    Args:
        source: number of the event that may have come first.
        target: number of the other.
        headlines: the article numbers of each pair of headlines that shows it, source side first, with its
            probability; best first, none where they were not asked or show none.
    """

    source: int
    target: int
    kind: LinkKind
    headlines: tuple[tuple[int, int, float], ...]
    said: Said


def _cases(
    events: Sequence[Event],
    asked: Mapping[Pair, Sequence[Pair]],
    relations: Mapping[Pair, NDArray[np.float64]],
    said: Mapping[Pair, Said],
    titles: Sequence[str],
) -> Iterator[_Case]:
    """All that headlines show and sentences say with enough probability, each link once."""
    shown: dict[Pair, tuple[tuple[int, int, float], ...]] = {}
    for opinion in opinions(asked, relations, events):
        if opinion.probability < LEAST[HeadlineEvidence]:
            continue
        if opinion.kind is LinkKind.CAUSES:
            shown[opinion.source, opinion.target] = opinion.pairs
        elif is_seen(opinion, titles):
            yield _Case(opinion.source, opinion.target, LinkKind.REFUTES, opinion.pairs, Said())
    likely = [pair for pair, one in said.items() if is_enough(one.voices)]
    for pair in dict.fromkeys((*shown, *likely)):
        yield _Case(*pair, LinkKind.CAUSES, shown.get(pair, ()), said.get(pair, Said()))


def _link(
    case: _Case,
    judged: float | None,
    articles: Sequence[Article],
    grouped: Grouped,
    outlets: Mapping[str, str],
) -> Link | None:
    """The link that a case makes; ``None`` where the times forbid it.

    Args:
        judged: how strong a cause it is, 0 to 100; ``None`` where it is none, and as strong as it is probable.
    """
    evidence: list[Evidence] = list(case.said.voices)
    tellers: set[str] = set()
    for left, right, likely in case.headlines:
        refutes = case.kind is LinkKind.REFUTES
        ends = articles[left].title, articles[right].title
        contradicts = refuted_in(*ends) if refutes else None
        evidence.append(HeadlineEvidence(articles[left].id, articles[right].id, likely, contradicts))
        if likely >= LEAST[HeadlineEvidence]:
            tellers |= {outlets[articles[left].id], outlets[articles[right].id]}
    source, target = grouped.events[case.source], grouped.events[case.target]
    probability = probability_of(evidence) * max(map(grouped.tells, evidence))
    link = Link(
        source=source.id,
        target=target.id,
        kind=case.kind,
        probability=probability,
        strength=strength(
            probability, 100 * probability if judged is None else judged, max(case.said.outlets, len(tellers))
        ),
        order=Order.UNKNOWN,
        evidence=tuple(sorted(evidence, key=_strongest_first)),
        denied_by=tuple(sorted(case.said.denied_by, key=_strongest_first)),
        judged=judged,
    )
    order = order_of_link(link, source, target)
    return replace(link, order=order) if order else None


def _against(link: Link, links: Mapping[tuple[str, str, LinkKind], Link]) -> bool:
    """Whether the opposite is likelier: of two events each of which is said to have led to the other, one did."""
    opposite = links.get((link.target, link.source, link.kind))
    return opposite is not None and (opposite.probability, opposite.source) > (link.probability, link.source)


def _medoid(members: Sequence[int], vectors: NDArray[np.float32]) -> int:
    """The member nearest to all the others."""
    own = vectors[list(members)]
    return members[int(np.argmax((own @ own.T).sum(axis=1)))]


def _joined(stories: Iterable[Sequence[int]], groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """The stories, with those joined that share an event by the headlines."""
    shape = nx.Graph()
    for members in (*stories, *groups):
        nx.add_path(shape, members)
    return sorted(sorted(members) for members in nx.connected_components(shape))


def _telling(
    events: Sequence[Event], mentions: Sequence[FoundMention], event_of: Sequence[int], reader: SentenceReader
) -> NDArray[np.float64]:
    """How likely each mention tells of what names its event, (mentions,)."""
    namers = {event.mentions[event.named_by] for event in events}
    names = {number: one.vector for one, number in zip(mentions, event_of, strict=True) if one.mention in namers}
    cosines = [float(one.vector @ names[number]) for one, number in zip(mentions, event_of, strict=True)]
    return telling_of(np.array(cosines, dtype=np.float32), reader.same_event_by_cosine)


def _by_story(stories: Sequence[Sequence[int]], mentions: Sequence[FoundMention]) -> list[list[int]]:
    """The places of the mentions of each story."""
    story_of = {article: number for number, story in enumerate(stories) for article in story}
    places: list[list[int]] = [[] for _ in stories]
    for place, one in enumerate(mentions):
        places[story_of[one.home]].append(place)
    return places


def _distinct(read: Readings) -> tuple[list[int], dict[int, int]]:
    """The mentions that are events, or that a claim worth a link rests on; each place in an article once.

    Returns:
        Those numbers, and from the number of any mention to that of the first at its place.
    """
    first: dict[tuple[str, str, Span], int] = {}
    alias = {}
    for number, one in enumerate(read.mentions):
        alias[number] = first.setdefault((one.mention.article, one.mention.field, one.mention.span), number)
    needed = {alias[end] for _, ends, edge in read.claims if ends and edge >= LEAST[ClaimEvidence] for end in ends}
    kept = [
        number
        for number in sorted(set(alias.values()))
        if read.mentions[number].is_headline or read.mentions[number].is_event or number in needed
    ]
    return kept, alias


def _in_stories(grouped: Grouped, articles: Sequence[Article], links: Iterable[Link]) -> list[Event]:
    """The events with the stories they are part of, each named for its first event.

    Where a story has one article, only those of its events are in it that are linked: all the others are alone.
    """
    story_of = {articles[number].id: at for at, story in enumerate(grouped.stories) for number in story}
    linked = {end for link in links for end in (link.source, link.target)}
    first: dict[int, str] = {}
    inside: dict[str, int] = {}
    for event in sort_by_time(grouped.events):
        at = story_of[event.articles[0]]
        if len(grouped.stories[at]) > 1 or event.id in linked:
            inside[event.id] = at
            first.setdefault(at, event.id)
    return [
        replace(event, story=first[inside[event.id]]) if event.id in inside else event for event in grouped.events
    ]


def _sentences(article: Article) -> Iterator[tuple[str, Span]]:
    """The title, then the sentences of the text: the field each stands in, and where."""
    yield "title", (0, len(article.title))
    for span in split_sentences(article.text, article.language):
        yield "text", span


def _strongest_first(item: Evidence) -> tuple[float, str]:
    return -round_probability(item.probability), repr(item)  # as rounded, so that files read back sort the same


def _claims(reading: Reading, article: Article, name: str, sentence: Span, quote: str) -> Iterator[Claim]:
    """The claims of one sentence, with spans moved from the sentence into the field; relations first, then denials.

    What a sentence only imagines is no cause that happened: a counterfactual makes no causal claim of its own, but
    its contrapositive is one.
    """
    start = sentence[0]

    def moved(span: tuple[int, int] | None) -> tuple[int, int] | None:
        return None if span is None else (start + span[0], start + span[1])

    def claim(kind: ClaimKind, probability: float, **said: object) -> Claim:
        identity = short_hash(article.id, name, str(start), kind, repr(sorted(said.items())))
        return Claim(f"c-{identity}", kind, article.id, "", name, sentence, quote, probability, **said)  # type: ignore[arg-type]

    if reading.antecedent is not None:
        yield claim(
            ClaimKind.COUNTERFACTUAL,
            reading.counterfactual,
            antecedent=moved(reading.antecedent),
            consequent=moved(reading.consequent),
        )
        if reading.contrapositive:
            yield claim(
                ClaimKind.CAUSAL,
                reading.counterfactual,
                cause=moved(reading.antecedent),
                effect=moved(reading.consequent),
                derived=reading.contrapositive,
            )
        return
    for relation in (*reading.relations, *reading.denials):
        yield claim(
            ClaimKind.DENIAL if relation.denied else ClaimKind.CAUSAL,
            relation.probability,
            cause=moved(relation.cause),
            effect=moved(relation.effect),
            signals=tuple(moved(signal) for signal in relation.signals),
        )
