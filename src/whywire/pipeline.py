"""The whole way, from articles to a causal graph.

Articles of one language are compared with one another: their headlines are embedded, near ones inside four days
are related by the pair model, and those that tell of the same event are grouped. Every sentence is read once.
Events that lie near each other are asked for cause and refutation, claims whose cause and effect are events of
the graph speak for links too, and what is left standing goes into the graph with its evidence.

Articles are first put into one order (time, then content), so the order they come in changes nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.graph.causal_graph import CausalGraph, in_order_of_time
from whywire.graph.closing import closed, denied_events
from whywire.graph.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    Evidence,
    HeadlineEvidence,
    Link,
    LinkKind,
    first_and_last,
    order_of_reports,
)
from whywire.headlines.affairs import LEAD_WORDS, group_affairs
from whywire.headlines.candidates import Times, candidate_pairs
from whywire.headlines.denials import may_refute
from whywire.headlines.grouping import group_events, pairs_left_open
from whywire.headlines.linking import Opinion, opinions, order_of, pairs_to_ask, tied
from whywire.headlines.words import TellingWords
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Problem, split_sentences, without_duplicates
from whywire.sentences.counterfactuals import with_contrapositives
from whywire.sentences.reading import Reading
from whywire.stories.communities import beginning, communities
from whywire.stories.matching import match_claims, worth_embedding
from whywire.stories.strength import LINKED, combined, strength

SAME_EVENT_NEIGHBOURS, SAME_EVENT_FLOOR = 12, 0.1
"""An article is compared with this many others at most, none of them less like it than this.

Likeness is the chance, by the embeddings alone, that two headlines tell of one event.
"""

SECOND_LOOK = 16
"""With so many more at most, of those that may be in its group by what the first look found."""

LINK_NEIGHBOURS, LINK_FLOOR = 10, 0.02
"""The same for events that may be linked: what an event led to is told in other words than the event."""

MIN_WORDS = 4
"""A sentence of fewer words has no room for a cause and an effect."""


class Progress(Protocol):
    """Told how far a build has come."""

    def start(self, stage: str, total: int) -> Callable[[float], object]:
        """A stage begins that has ``total`` steps; returns what is to be called with the steps just done."""


class Silent:
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


def build(
    articles: Iterable[Article], *, models: LanguageModels | None = None, progress: Progress | None = None
) -> Build:
    """Build the causal graph of these articles.

    Articles neither in English nor in Russian are kept, each as an event of its own; no model reads them.
    """
    kept, problems = without_duplicates(articles)
    work = _Work(models or LanguageModels(), progress or Silent())
    events: list[Event] = []
    claims: list[Claim] = []
    links: list[Link] = []
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in kept if article.language is language]
        if own:
            found = work.group(own, language)
            own_claims = work.read(own, language, found)
            own_links, related = work.link(own, language, found, own_claims)
            links += own_links
            events += work.tell(own, language, found, own_links, related)
            claims += own_claims
    for article in kept:
        if article.language is Language.OTHER:
            events.append(_event([article], article))
    links.sort(key=lambda link: (-link.strength, link.source, link.target, link.kind))
    work.counts |= {"articles": len(kept), "events": len(events), "links": len(links), "claims": len(claims)}
    graph = CausalGraph(
        articles={article.id: article for article in kept},
        events=in_order_of_time(events),
        links=tuple(links),
        claims=tuple(claims),
    )
    return Build(graph, problems, work.counts, work.seconds)


def group(
    articles: Sequence[Article],
    *,
    narrow: bool = False,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """The id of the event that each article tells of, in the order of the articles.

    Two articles have the same id exactly when they are taken to tell of the same event. How much belongs to one
    depends on the articles: it is an affair, an event with all that was written on it.

    Args:
        narrow: keep to single happenings, as :func:`build` does, in which a cause is not one with its effect.
    """
    work = _Work(models or LanguageModels(), progress or Silent())
    order = sorted(range(len(articles)), key=lambda number: order_of_reports(articles[number]))
    ids: dict[int, str] = {}
    for language in Language:
        own = [number for number in order if articles[number].language is language]
        if language is Language.OTHER:
            ids |= {number: _event_id(articles[number]) for number in own}
        elif own:
            members = [articles[number] for number in own]
            groups = work.group(members, language).members if narrow else work.affairs(members, language)
            for places in groups:
                ids |= dict.fromkeys((own[place] for place in places), _event_id(members[places[0]]))
    return [ids[number] for number in range(len(articles))]


@dataclass(frozen=True)
class _Grouped:
    """Articles of one language and the events they fall into.

    Args:
        vectors: (articles, size), of the headlines.
        event_of: for each article, the number of its event.
        members: for each event, the numbers of its articles.
        middles: for each event, the number of the article that lends it the title.
    """

    events: list[Event]
    vectors: NDArray[np.float32]
    event_of: NDArray[np.int64]
    members: list[list[int]]
    middles: list[int]


class _Work:
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

    def affairs(self, articles: Sequence[Article], language: Language) -> list[list[int]]:
        """The numbers of the articles of each affair."""
        model = self.models.headlines(language)
        leads = [" ".join(article.text.split()[:LEAD_WORDS]) for article in articles]
        with self.stage("embedding headlines", language, 2 * len(articles)) as advance:
            vectors = model.embed([article.title for article in articles], advance)
            told = [number for number, lead in enumerate(leads) if lead]
            vectors[told] += model.embed([leads[number] for number in told], advance)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            advance(len(articles) - len(told))
        with self.stage("grouping", language, 0):
            texts = [f"{article.title} {article.text}" for article in articles]
            return group_affairs(vectors, texts, [article.published for article in articles])

    def group(self, articles: Sequence[Article], language: Language) -> _Grouped:
        """Put the articles, which are in order of time, into events."""
        model = self.models.headlines(language)
        titles = [article.title for article in articles]
        times = [article.published for article in articles]
        with self.stage("embedding headlines", language, len(titles)) as advance:
            vectors = model.embed(titles, advance)
        with self.stage("comparing headlines", language, 0) as advance:
            floor = model.cosine_for(SAME_EVENT_FLOOR)
            pairs = candidate_pairs(vectors, times, neighbours=SAME_EVENT_NEIGHBOURS, floor=floor)
        chances = self._same_event(pairs, titles, vectors, language)
        second = pairs_left_open(len(titles), chances, each=SECOND_LOOK)
        chances |= self._same_event(second, titles, vectors, language)
        with self.stage("grouping", language, 0):
            members = group_events(chances, vectors, model.same_event_by_cosine, clock=Times(times))
            event_of = np.empty(len(articles), dtype=np.int64)
            middles = []
            for number, group in enumerate(members):
                event_of[group] = number
                middles.append(group[int(np.argmax((vectors[group] @ vectors[group].T).sum(axis=1)))])
            events = [
                _event([articles[place] for place in group], articles[middle])
                for group, middle in zip(members, middles, strict=True)
            ]
        return _Grouped(events, vectors, event_of, members, middles)

    def _same_event(
        self,
        pairs: Sequence[tuple[int, int]],
        titles: Sequence[str],
        vectors: NDArray[np.float32],
        language: Language,
    ) -> dict[tuple[int, int], float]:
        """The chance that the two headlines of each pair tell of the same event."""
        model = self.models.headlines(language)
        with self.stage("relating headlines", language, len(pairs)) as advance:
            answers = model.ask([(titles[i], titles[j]) for i, j in pairs], advance)
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            same = model.same_event(answers, (vectors[left] * vectors[right]).sum(axis=1))
        self.counts["headline pairs"] += len(pairs)
        return dict(zip(pairs, same.tolist(), strict=True))

    def read(self, articles: Sequence[Article], language: Language, grouped: _Grouped) -> list[Claim]:
        """Read every sentence of titles and texts once, and note what it claims."""
        with self.stage("splitting sentences", language, 0):
            places = [
                (number, name, span)
                for number, article in enumerate(articles)
                for name, spans in (
                    ("title", [(0, len(article.title))]),
                    ("text", split_sentences(article.text, language)),
                )
                for span in spans
            ]
            texts = [getattr(articles[number], name)[start:end] for number, name, (start, end) in places]
            unique = list(dict.fromkeys(text for text in texts if len(text.split()) >= MIN_WORDS))
        with self.stage("reading sentences", language, len(unique)) as advance:
            found = self.models.sentences(language).read(unique, advance)
        with self.stage("turning counterfactuals", language, 0):
            if language is Language.ENGLISH:
                found = with_contrapositives(unique, found)
            readings = dict(zip(unique, found, strict=True))
        self.counts["sentences"] += len(texts)
        self.counts["sentences read"] += len(unique)
        claims: list[Claim] = []
        for (number, name, span), text in zip(places, texts, strict=True):
            if reading := readings.get(text):
                event = grouped.events[grouped.event_of[number]]
                claims += _claims(reading, articles[number], event, name, span, text)
        return claims

    def link(
        self, articles: Sequence[Article], language: Language, grouped: _Grouped, claims: Sequence[Claim]
    ) -> tuple[list[Link], dict[tuple[int, int], float]]:
        """Link the events: ask the pair model about neighbours, and the claims about the events they name.

        Returns:
            The links, and how likely the events of each pair that was asked about have any relationship.
        """
        model = self.models.headlines(language)
        titles = [article.title for article in articles]
        times = [event.first_seen for event in grouped.events]
        telling = TellingWords(titles)
        matches = self._matches(articles, language, grouped, claims, telling)
        with self.stage("linking events", language, 0):
            centres = np.stack([grouped.vectors[group].mean(axis=0) for group in grouped.members])
            centres /= np.linalg.norm(centres, axis=1, keepdims=True)
            near = candidate_pairs(centres, times, neighbours=LINK_NEIGHBOURS, floor=model.cosine_for(LINK_FLOOR))
            named = {
                (min(pair), max(pair))
                for pair, told in matches.items()
                if any(claims[number].kind is ClaimKind.CAUSAL for number, _ in told)
            }
            candidates = {
                (a, b): pairs_to_ask(
                    (grouped.members[a], grouped.members[b]),
                    (grouped.middles[a], grouped.middles[b]),
                    grouped.vectors,
                )
                for a, b in sorted({*near, *named})
            }

            def have_a_tie(i: int, j: int) -> bool:
                likeness = model.same_event_by_cosine(grouped.vectors[i] @ grouped.vectors[j])
                return tied(telling.shared(titles[i], titles[j]), float(likeness))

            asked = {
                events: pairs
                for events, pairs in candidates.items()
                if events in named or any(have_a_tie(i, j) for i, j in pairs)
            }
            pairs = sorted({pair for group in asked.values() for pair in group})
        with self.stage("relating events", language, len(pairs)) as advance:
            found = model.ask([(titles[i], titles[j]) for i, j in pairs], advance)
            relations = dict(zip(pairs, found, strict=True))
        self.counts["event pairs"] += len(asked)
        self.counts["headline pairs"] += len(pairs)
        with self.stage("linking events", language, 0):
            standing: list[_Case] = []
            related: dict[tuple[int, int], float] = {}
            outlets = {article.id: article.source or article.id for article in articles}
            for opinion in opinions(asked, relations, times):
                related[min(opinion.source, opinion.target), max(opinion.source, opinion.target)] = opinion.related
                if opinion.kind is LinkKind.REFUTES and not any(
                    may_refute(titles[source], titles[target]) for source, target, _ in opinion.pairs
                ):
                    continue
                told = matches.get((opinion.source, opinion.target), []) if opinion.kind is LinkKind.CAUSES else []
                case = _weigh(opinion, [(claims[number], likeness) for number, likeness in told], articles, outlets)
                if case.probability >= LINKED:
                    standing.append(case)
        judged = self._judged(standing, titles, language)
        links = [_link(case, judged.get(number), articles, grouped.events) for number, case in enumerate(standing)]
        denied = denied_events(links, {event.id: event for event in grouped.events}.__getitem__)
        return [closed(link, denied) for link in links], related

    def _judged(self, cases: Sequence[_Case], titles: Sequence[str], language: Language) -> dict[int, float]:
        """How strong the headlines show each cause to be, 0 to 100; what only refutes is not asked about."""
        pairs = [
            (number, (titles[source], titles[target]))
            for number, case in enumerate(cases)
            if case.opinion.kind is LinkKind.CAUSES
            for source, target, _ in case.opinion.pairs
        ]
        with self.stage("judging causes", language, len(pairs)) as advance:
            strengths = self.models.headlines(language).strengths([pair for _, pair in pairs], advance)
        self.counts["judged pairs"] += len(pairs)
        told: dict[int, list[float]] = defaultdict(list)
        for (number, _), judgement in zip(pairs, strengths.tolist(), strict=True):
            told[number].append(judgement)
        return {number: sum(own) / len(own) for number, own in told.items()}

    def tell(
        self,
        articles: Sequence[Article],
        language: Language,
        grouped: _Grouped,
        links: Sequence[Link],
        related: Mapping[tuple[int, int], float],
    ) -> list[Event]:
        """The events with the stories they are part of; a story is named for its first event."""
        with self.stage("telling stories", language, 0):
            number_of = {event.id: number for number, event in enumerate(grouped.events)}
            linked: dict[tuple[int, int], float] = defaultdict(float)
            for link in links:
                ends = sorted((number_of[link.source], number_of[link.target]))
                linked[ends[0], ends[1]] = max(linked[ends[0], ends[1]], link.strength)
            events = list(grouped.events)
            beginnings = [beginning(articles[middle]) for middle in grouped.middles]
            for story in communities(beginnings, related, linked):
                if len(story) > 1:
                    first = in_order_of_time(events[number] for number in story)[0]
                    for number in story:
                        events[number] = replace(events[number], story=first.id)
        return events

    def _matches(
        self,
        articles: Sequence[Article],
        language: Language,
        grouped: _Grouped,
        claims: Sequence[Claim],
        telling: TellingWords,
    ) -> dict[tuple[int, int], list[tuple[int, float]]]:
        """For a pair of event numbers, the numbers of the claims that say or deny that the one led to the other.

        Each comes with its likeness. Only what a sentence says itself counts, not what follows from it.
        """
        with self.stage("matching claims", language, 0):
            sides = [
                [
                    (number, claim.words(span))
                    for number, claim in enumerate(claims)
                    if (span := getattr(claim, side)) and not claim.derived
                ]
                for side in ("cause", "effect")
            ]
            worth = [worth_embedding([words for _, words in side], telling) for side in sides]
            kept = [place for place in range(len(sides[0])) if worth[0][place] and worth[1][place]]
            numbers = [sides[0][place][0] for place in kept]
            words = [[side[place][1] for place in kept] for side in sides]
            unique = {text: place for place, text in enumerate(dict.fromkeys(words[0] + words[1]))}
        with self.stage("embedding claims", language, len(unique)) as advance:
            vectors = self.models.headlines(language).embed(list(unique), advance)
        self.counts["spans"] += len(unique)
        found: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
        if not numbers:
            return found
        with self.stage("matching claims", language, 0):
            place_of = {article.id: place for place, article in enumerate(articles)}
            homes = [place_of[claims[number].article] for number in numbers]
            causes, effects = (vectors[[unique[text] for text in side]] for side in words)
            clock = Times([article.published for article in articles])
            guess = self.models.headlines(language).same_event_by_cosine
            for match in match_claims((causes, effects), homes, grouped.vectors, grouped.event_of, clock, guess):
                if order_of(grouped.events[match.source].first_seen, grouped.events[match.target].first_seen):
                    found[match.source, match.target].append((numbers[match.claim], match.likeness))
        return found


@dataclass(frozen=True, slots=True)
class _Case:
    """What speaks for a link, and against it.

    Args:
        probability: what headlines and claims add up to.
        told_by: the outlets that tell of it.
    """

    opinion: Opinion
    probability: float
    voices: Sequence[ClaimEvidence]
    against: Sequence[ClaimEvidence]
    told_by: Set[str]


def _weigh(
    opinion: Opinion, said: Sequence[tuple[Claim, float]], articles: Sequence[Article], outlets: Mapping[str, str]
) -> _Case:
    """Add the claims about two events to what their headlines say.

    A claim is believed as far as the headlines see any relationship between the two events at all: its words may
    be near those of an event without meaning it.

    Args:
        said: the claims that speak for the link or against it, and how near their words are to the two events.
        outlets: who published an article, by its id.
    """
    voices: dict[str, ClaimEvidence] = {}
    against: list[ClaimEvidence] = []
    told_by: set[str] = set()
    for claim, likeness in said:
        item = ClaimEvidence(claim.id, claim.probability * likeness * opinion.related)
        if claim.kind is ClaimKind.DENIAL:
            against.append(item)
            continue
        if claim.quote not in voices or item.probability > voices[claim.quote].probability:
            voices[claim.quote] = item
        told_by.add(outlets[claim.article])
    for source, target, chance in opinion.pairs:
        if chance >= LINKED:
            told_by |= {outlets[articles[source].id], outlets[articles[target].id]}
    probability = combined(opinion.probability, (item.probability for item in voices.values()))
    return _Case(opinion, probability, list(voices.values()), against, told_by)


def _link(case: _Case, judged: float | None, articles: Sequence[Article], events: Sequence[Event]) -> Link:
    """The link that a case makes.

    Args:
        judged: how strong a cause it is, 0 to 100; ``None`` where it is none, and as strong as it is probable.
    """
    opinion, probability = case.opinion, case.probability
    evidence: list[Evidence] = list(case.voices)
    for source, target, chance in opinion.pairs:
        evidence.append(HeadlineEvidence(articles[source].id, articles[target].id, chance))
    return Link(
        source=events[opinion.source].id,
        target=events[opinion.target].id,
        kind=opinion.kind,
        probability=probability,
        strength=strength(probability, 100 * probability if judged is None else judged, len(case.told_by)),
        order=opinion.order,
        evidence=tuple(sorted(evidence, key=_strongest_first)),
        denied_by=tuple(sorted(case.against, key=_strongest_first)),
        judged=judged,
    )


def _strongest_first(item: Evidence) -> tuple[float, str]:
    return -item.probability, repr(item)


def _claims(
    reading: Reading, article: Article, event: Event, name: str, sentence: tuple[int, int], quote: str
) -> Iterator[Claim]:
    """The claims of one sentence, with spans moved from the sentence into the field.

    What a sentence only imagines is no cause that happened: a counterfactual makes no causal claim of its own, but
    its contrapositive is one.
    """
    start = sentence[0]

    def moved(span: tuple[int, int] | None) -> tuple[int, int] | None:
        return None if span is None else (start + span[0], start + span[1])

    def claim(kind: ClaimKind, probability: float, **said: object) -> Claim:
        identity = digest(article.id, name, str(start), kind, repr(sorted(said.items())))
        return Claim(f"c-{identity}", kind, article.id, event.id, name, sentence, quote, probability, **said)  # type: ignore[arg-type]

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


def _event(articles: Sequence[Article], middle: Article) -> Event:
    """The event that articles in order of time tell of."""
    first_seen, last_seen = first_and_last(article.published for article in articles)
    return Event(
        id=_event_id(articles[0]),
        title=middle.title,
        language=middle.language,
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(article.id for article in articles),
    )


def _event_id(first: Article) -> str:
    """An event is named for its first article, so it keeps its id as it grows."""
    return f"e-{digest(first.id)}"


def digest(*parts: str) -> str:
    """Twelve hexadecimal digits that stand for these strings."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
