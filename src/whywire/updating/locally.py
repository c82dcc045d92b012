"""Decides what a few articles change, by what is near them alone, with the functions that decide everything.

Which error is worse? A wrong decision that stays. So everything is decided again from time to time
(:func:`whywire.updating.update.settle`), and in between only what a new article touches:

- headlines: the groups of the headlines that probably report the same event as a new one;
- stories: a new article joins the story with which its mean similarity is highest and at least the cut of the last
  time everything was decided; stories that it connects become one;
- mentions: the events with a mention that may be coreferent with a new one;
- links: those of the events that changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.elements import (
    Claim,
    Event,
    JudgedEvidence,
    Link,
    sort_by_time,
)
from whywire.events.candidates import Times, second_pass_pairs
from whywire.events.components import SAME_EVENT_THRESHOLD, Pair
from whywire.events.distinct import told_by_report
from whywire.events.event_groups import (
    EventGroups,
    denied_ends,
    events_of_mentions,
    naming,
    pairs_apart,
    told_by_mentions,
)
from whywire.events.headline_events import MAX_SECOND_PASS_PAIRS, partition_headlines
from whywire.events.linkage import with_prior
from whywire.events.mention_groups import MENTION_PRIOR, group_mentions
from whywire.events.mention_groups import MIN_PROBABILITY as MIN_MENTION_PROBABILITY
from whywire.events.mentions import FoundMention
from whywire.events.scorer import HEADLINE_PRIOR, MAX_NEIGHBOURS, MIN_PROBABILITY
from whywire.links.candidates import MAX_NEIGHBOURS as MAX_NEAR_EVENTS
from whywire.links.candidates import MIN_SIMILARITY, pairs_to_ask
from whywire.links.denied import with_denials
from whywire.links.judged import judged_links
from whywire.links.linking import evidence_of_claims, supported_links
from whywire.links.mention_pair_model import MentionPairModel
from whywire.news import Language
from whywire.progress import Stages
from whywire.updating.changes import LinkKey
from whywire.updating.comparing import Decided, with_kept_ids
from whywire.updating.known_answers import KnowingModels
from whywire.updating.language_news import LanguageNews
from whywire.updating.stable_ids import unused_id

NEAR_ARTICLES = 256
"""Articles by whose similarity the stories are found that a new article may join."""

NEAR_STORIES = 8
"""Stories with which the mean similarity of a new article is computed."""

MIN_MEAN_PROBABILITY = 0.8 * SAME_EVENT_THRESHOLD
"""The mean probability of *same event* with its mentions from which a new mention touches an event."""

HEADLINES_PER_EVENT = 4
"""Headlines examined for each near event that is wanted."""

SAMPLE = 16
"""Articles of a story that are compared to decide whether two stories are one; of more, as many spread evenly."""


@dataclass(frozen=True)
class Region:
    """What was decided anew.

    Args:
        events: those of the stories that changed, with ids that stay; and events elsewhere that are linked now.
        ended: events that are no more, with those that hold their mentions now.
        claims: of the articles of these stories.
        links: all links of the events that changed, and all judged links of the articles that were judged again.
        replaced: the ids of events all of whose links are in ``links``.
        rejudged: the ids of articles all of whose judged links are in ``links``.
    """

    events: list[Event]
    ended: Mapping[str, tuple[str, ...]]
    claims: list[Claim]
    links: list[Link]
    replaced: set[str]
    rejudged: set[str]


class LocalDecision:
    """Decides what new articles of one language change.

    Args:
        news: with the new articles added.
        new: their numbers.
        events: all events so far, by id.
        used: ids that events have or had, and ids of stories of other articles.
        links_of: the links of an event so far, by its id.
        cut: the mean similarity from which articles are of one story.
    """

    def __init__(
        self,
        news: LanguageNews,
        new: Sequence[int],
        events: Mapping[str, Event],
        used: tuple[Container[str], Container[str]],
        links_of: Mapping[str, Mapping[LinkKey, Link]],
        cut: float,
        language: Language,
        models: KnowingModels,
        stages: Stages,
    ) -> None:
        self._news, self._new, self._events, self._used, self._links_of = news, set(new), events, used, links_of
        self._cut, self._language, self._models, self._stages = cut, language, models, stages
        self._pair_model, self._reader = models.pairs(language), models.sentences(language)

    def decide(self) -> Region:
        """Decide headlines, then stories, mentions and links."""
        headlines = self._headline_groups()
        stories = self._stories(headlines)
        decided: list[Event] = []
        before: list[Event] = []
        for story in stories:
            items, touched = self._touched_mentions(story, headlines)
            decided += self._group(items, headlines)
            before += touched
        kept, ended = with_kept_ids(Decided(decided, [], []), before, *self._used)
        changed = {event.id for event in kept.events if not self._is_known(event)}
        groups, number_of = self._groups(stories, kept.events)
        own = [*groups.events]
        rejudged = self._rejudged(changed | {*ended})
        links = self._links(groups, number_of, {number_of[name] for name in changed}, ended, rejudged)
        return Region(
            events=self._with_stories(stories, own, groups.events[len(own) :], links),
            ended=ended,
            claims=groups.claims,
            links=links,
            replaced=changed | {*ended},
            rejudged={self._news.articles[number].id for number in rejudged},
        )

    def _is_known(self, event: Event) -> bool:
        before = self._events.get(event.id)
        return before is not None and before.mentions == event.mentions

    # headlines

    def _headline_groups(self) -> list[list[int]]:
        """The groups of headlines that hold a new one, or were touched by one; the rest stay as they are."""
        news, model = self._news, self._pair_model
        probabilities = self._score(self._near_headlines())
        touched = {*self._new}
        for (i, j), probability in probabilities.items():
            if with_prior(np.array(probability), HEADLINE_PRIOR) >= SAME_EVENT_THRESHOLD:
                touched |= {i, j}
        region = sorted({member for number in touched for member in self._same_headline_event(number)})
        place = {number: at for at, number in enumerate(region)}
        inside = [(i, j) for i in region for j in region if i < j]
        known = self._known(inside) | {pair: one for pair, one in probabilities.items() if {*pair} <= {*region}}
        local = {(place[i], place[j]): one for (i, j), one in known.items()}
        more = second_pass_pairs(len(region), local, max_pairs=MAX_SECOND_PASS_PAIRS)
        wanted = [(region[i], region[j]) for i, j in more if region[i] in self._new or region[j] in self._new]
        local |= {(place[i], place[j]): one for (i, j), one in self._score(wanted).items()}
        times = Times([news.articles[number].published for number in region])
        told = [told_by_report(news.articles[number]) for number in region]
        found = partition_headlines(local, news.vectors[region], model.same_event_by_cosine, told=told, times=times)
        return [[region[at] for at in group] for group in found]

    def _near_headlines(self) -> list[Pair]:
        """The pairs of a new headline with its nearest neighbours, and with those whose neighbour it is."""
        news, floor = self._news, self._pair_model.cosine_for(MIN_PROBABILITY)
        everything, new = np.arange(len(news)), np.array(sorted(self._new))
        cosines = news.vectors[new] @ news.vectors.T
        cosines[news.times.outside(new, everything) | (new[:, None] == everything)] = -np.inf
        reach = np.maximum(news.nearest(), floor)
        pairs: set[Pair] = set()
        for number, row in zip(new.tolist(), cosines, strict=True):
            keep = min(MAX_NEIGHBOURS, len(news))
            nearest = np.argpartition(-row, keep - 1)[:keep]
            for other in (*nearest[row[nearest] >= floor].tolist(), *np.flatnonzero(row >= reach).tolist()):
                pairs.add((min(number, other), max(number, other)))
        return sorted(pairs)

    def _score(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        if not pairs:
            return {}
        reports, vectors = self._news.reports, self._news.vectors
        asked = [(reports[i], reports[j]) for i, j in pairs]
        left, right = np.array(pairs).T
        cosines = (vectors[left] * vectors[right]).sum(axis=1)
        with self._stages.stage("relating headlines", self._language, len(pairs)) as advance:
            found = self._pair_model.same_event_probabilities(asked, cosines, advance)
        return dict(zip(pairs, found.tolist(), strict=True))

    def _known(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        """The probabilities of the pairs that were scored before."""
        reports, known = self._news.reports, self._models.knows_comparison
        return self._score([(i, j) for i, j in pairs if known(self._language, (reports[i], reports[j]))])

    def _same_headline_event(self, number: int) -> list[int]:
        """The articles whose headline reported the same event so far."""
        if number in self._new:
            return [number]
        event = self._events[self._news.event_of[number][0]]
        return [article for article, at in self._news.places(event) if at == 0]

    # stories

    def _stories(self, headlines: Sequence[Sequence[int]]) -> list[list[int]]:
        """The stories that changed: the numbers of the articles of each."""
        story: dict[int, frozenset[int]] = {}

        def story_of(number: int) -> frozenset[int]:
            if number in story:
                return story[number]
            name = self._news.story_of[number]
            return frozenset(self._news.members[name]) if name is not None else frozenset([number])

        def unite(*stories: frozenset[int]) -> None:
            united = frozenset().union(*stories)
            story.update(dict.fromkeys(united, united))

        with self._stages.stage("finding stories", self._language):
            for number in sorted(self._new):
                unite(frozenset([number]), *self._near_stories(number, story_of))
            for group in headlines:
                if {*group} != {*self._same_headline_event(group[0])}:
                    unite(*(story_of(number) for number in group))
        return sorted(map(sorted, {*story.values()}))

    def _near_stories(self, number: int, story_of: Callable[[int], frozenset[int]]) -> list[frozenset[int]]:
        """The stories that an article joins: the most similar one, and those that are one with it then."""
        news, others = self._news, np.arange(number)
        if not number:
            return []
        similarity = news.similarity(number)
        if number > NEAR_ARTICLES:
            cosines = news.vectors[:number] @ news.vectors[number]
            cosines[news.times.outside(np.array([number]), others)[0]] = -np.inf
            others = np.argpartition(-cosines, NEAR_ARTICLES)[:NEAR_ARTICLES]
        values = similarity(others)
        near: list[frozenset[int]] = []
        for place in np.argsort(-values, kind="stable"):
            if values[place] < self._cut or len(near) == NEAR_STORIES:
                break
            story = story_of(int(others[place]))
            if story not in near:
                near.append(story)
        means = [(float(similarity(np.array(sorted(story))).mean()), story) for story in near]
        means = sorted((one for one in means if one[0] >= self._cut), key=lambda one: (-one[0], min(one[1])))
        joined = [story for _, story in means[:1]]
        for _, story in means[1:]:
            if self._mean_similarity(joined[0], story) >= self._cut:
                joined.append(story)
        return joined

    def _mean_similarity(self, one: Collection[int], other: Collection[int]) -> float:
        columns = np.array(_spread(sorted(other)))
        return float(np.mean([self._news.similarity(number)(columns) for number in _spread(sorted(one))]))

    # mentions

    def _touched_mentions(
        self, story: Sequence[int], headlines: Sequence[Sequence[int]]
    ) -> tuple[list[tuple[int, int]], list[Event]]:
        """The mentions of a story that are grouped anew, and the events they are of so far."""
        news = self._news
        joining = self._joining(story)
        staying = sorted({*story} - {*joining})
        items = {(number, at) for number in joining for at in range(len(news.mentions[number]))}
        names = {news.event_of[number][at] for number, at in items if news.event_of[number][at]}
        regrouped = {number for group in headlines for number in group}
        names |= {news.event_of[number][0] for number in regrouped.intersection(staying)}
        names |= self._near_events_of(joining, staying)
        before = [self._events[name] for name in sorted(names)]
        items |= {place for event in before for place in news.places(event)}
        return sorted(items), before

    def _near_events_of(self, joining: Sequence[int], staying: Sequence[int]) -> set[str]:
        """The events that a mention of an article that joins a story may be of: those of articles that were in it."""
        if not staying or not joining:
            return set()
        news, estimate = self._news, self._reader.same_event_by_cosine
        old = sorted((name, number, at) for number in staying for at, name in enumerate(news.event_of[number]))
        vectors = np.stack([news.vectors_of[number][at] for _, number, at in old])
        new = np.concatenate([news.vectors_of[number] for number in joining])
        homes = np.repeat(np.array(joining), [len(news.mentions[number]) for number in joining])
        probabilities = with_prior(estimate(new @ vectors.T), MENTION_PRIOR)
        probabilities[news.times.outside(homes, np.array([number for _, number, _ in old]))] = 0.0
        starts = [at for at, (name, _, _) in enumerate(old) if at == 0 or name != old[at - 1][0]]
        sizes = np.diff([*starts, len(old)])
        means = np.add.reduceat(probabilities, starts, axis=1) / sizes
        return {old[starts[at]][0] for at in np.flatnonzero((means >= MIN_MEAN_PROBABILITY).any(axis=0))}

    def _joining(self, story: Sequence[int]) -> list[int]:
        """The new articles of a story, and those of all but the largest of the stories it is made of."""
        parts: defaultdict[object, list[int]] = defaultdict(list)
        for number in story:
            parts[self._news.story_of[number] or number].append(number)
        old = [part for part in parts.values() if part[0] not in self._new]
        largest = max(old, key=lambda part: (len(part), -part[0]), default=[])
        return sorted({*story} - {*largest})

    def _group(self, items: Sequence[tuple[int, int]], headlines: Sequence[Sequence[int]]) -> list[Event]:
        news = self._news
        place = {item: at for at, item in enumerate(items)}
        mentions = [news.mentions[number][at] for number, at in items]
        grouped = {number for group in headlines for number in group}
        same: defaultdict[str, list[int]] = defaultdict(list)
        for (number, at), index in place.items():
            if at == 0 and number not in grouped:
                same[news.event_of[number][0]].append(index)
        inside = [[place[number, 0] for number in group] for group in headlines if (group[0], 0) in place]
        homes = {number for number, _ in items}
        claims = [
            (one, (place[number, one.ends[0]], place[number, one.ends[1]]), place.get((number, 0)))
            for number in homes
            for one in news.claims[number]
            if one.ends and (number, one.ends[0]) in place and (number, one.ends[1]) in place
        ]
        with self._stages.stage("grouping mentions", self._language):
            groups = group_mentions(
                np.stack([one.vector for one in mentions]),
                [[*range(len(items))]],
                [news.articles[number].published for number, _ in items],
                self._reader.same_event_by_cosine,
                self._reader.cosine_for(MIN_MENTION_PROBABILITY),
                told=told_by_mentions(
                    mentions,
                    {number: news.mentions[number][0] for number in homes},
                    news.articles,
                    self._reader,
                    denied={end for one, ends, _ in claims for end in denied_ends(one, ends)},
                ),
                headlines=[*inside, *same.values()],
                apart=[pair for one, ends, headline in claims for pair in pairs_apart(one, ends, headline)],
            )
        found = [[mentions[at] for at in group] for group in groups]
        known = [self._known_event(group) for group in found]
        new = events_of_mentions(
            [group for group, event in zip(found, known, strict=True) if event is None],
            news.articles,
            self._language,
            self._stages,
        )
        return [event for event in known if event is not None] + new

    def _known_event(self, group: Sequence[FoundMention]) -> Event | None:
        """The event of these mentions, if they were one before."""
        first = group[0]
        at = self._news.mentions[first.article_index].index(first)
        event = self._events.get(self._news.event_of[first.article_index][at])
        return event if event and {*event.mentions} == {one.mention for one in group} else None

    def _groups(
        self, stories: Sequence[Sequence[int]], decided: Sequence[Event]
    ) -> tuple[EventGroups, dict[str, int]]:
        """All events of stories, those decided anew and the others; and the index of each by its id."""
        news = self._news
        numbers = [number for story in stories for number in story]
        name_of: dict[tuple[int, int], str] = {place: event.id for event in decided for place in news.places(event)}
        events = {event.id: event for event in decided}
        for number in numbers:
            for at, name in enumerate(news.event_of[number]):
                if (number, at) not in name_of:
                    name_of[number, at] = name
                    events.setdefault(name, self._events[name])
        number_of = {name: index for index, name in enumerate(events)}
        mentions: list[FoundMention] = []
        event_of: list[int] = []
        ends: dict[str, Pair] = {}
        worth: dict[str, float] = {}
        claims: list[Claim] = []
        for number in numbers:
            first = len(mentions)
            mentions += news.mentions[number]
            event_of += [number_of[name_of[number, at]] for at in range(len(news.mentions[number]))]
            headline = name_of[number, 0]
            for one in news.claims[number]:
                claims.append(replace(one.claim, event=headline))
                worth[one.claim.id] = one.worth
                if one.ends:
                    ends[one.claim.id] = (first + one.ends[0], first + one.ends[1])
        headlines: list[list[int]] = [[] for _ in events]
        for number in numbers:
            headlines[number_of[name_of[number, 0]]].append(number)
        all_events = list(events.values())
        groups = EventGroups(
            events=all_events,
            stories=[list(story) for story in stories],
            headlines=headlines,
            claims=claims,
            mentions=mentions,
            event_of=event_of,
            naming=naming(all_events, mentions, event_of, self._reader),
            claim_ends=ends,
            claim_worth=worth,
        )
        return groups, number_of

    # links

    def _rejudged(self, replaced: Collection[str]) -> set[int]:
        """The articles whose judged links are decided anew: new ones, and those whose judged links are replaced."""
        found = {*self._new}
        for name in replaced:
            for link in self._links_of.get(name, {}).values():
                for one in link.evidence:
                    if isinstance(one, JudgedEvidence):
                        found.add(self._news.number[one.cause.article])
        return found

    def _links(
        self,
        groups: EventGroups,
        number_of: Mapping[str, int],
        changed: Set[int],
        ended: Mapping[str, Sequence[str]],
        rejudged: Collection[int],
    ) -> list[Link]:
        """The links of the changed events, and the judged links of the articles that are judged again."""
        articles, model = self._news.articles, self._pair_model
        with self._stages.stage("linking events", self._language):
            own = [articles[number] for story in groups.stories for number in story]
            said = evidence_of_claims(own, groups, changed)
            near = self._near_events(groups, number_of, changed, ended)
            asked = pairs_to_ask(
                groups.headlines, near, said, articles, self._news.vectors, model, self._news.shared_title_stems
            )
        found, known = supported_links(articles, self._language, groups, asked, said, model, self._stages)
        if pair_model := _pair_model(self._reader.model.folder):
            known |= self._links_that_stay(groups, number_of, changed)
            found += judged_links(groups, known, pair_model, model, self._language, self._stages, rejudged)
        return list(with_denials(found, groups))

    def _links_that_stay(self, groups: EventGroups, number_of: Mapping[str, int], changed: Set[int]) -> set[Pair]:
        """The pairs of unchanged events with a link that is said or shown."""
        links = (link for event in groups.events for link in self._links_of.get(event.id, {}).values())
        pairs = (
            (number_of[link.source], number_of[link.target])
            for link in links
            if link.source in number_of
            and link.target in number_of
            and not isinstance(link.evidence[0], JudgedEvidence)
        )
        return {pair for pair in pairs if changed.isdisjoint(pair)}

    def _near_events(
        self,
        groups: EventGroups,
        number_of: Mapping[str, int],
        changed: Set[int],
        ended: Mapping[str, Sequence[str]],
    ) -> list[Pair]:
        """The pairs (i < j) of a changed event with those whose headlines are nearest, or that it was linked with.

        Events of other stories are added to the groups, after those that are there.
        """
        news, floor = self._news, self._pair_model.cosine_for(MIN_SIMILARITY)
        index = dict(number_of)
        own = {number: groups.events[at].id for at, numbers in enumerate(groups.headlines) for number in numbers}
        pairs: set[Pair] = set()

        def place(name: str) -> int:
            if name not in index:
                index[name] = len(groups.events)
                groups.events.append(self._events[name])
                groups.headlines.append([number for number, at in news.places(self._events[name]) if at == 0])
            return index[name]

        for at, name in self._linked_before(groups, changed, ended):
            if groups.headlines[at] and groups.headlines[place(name)] and at != index[name]:
                pairs.add((min(at, index[name]), max(at, index[name])))
        for at in sorted(changed):
            if not groups.headlines[at]:
                continue
            centre = _centre(news.vectors, groups.headlines[at])
            cosines = news.vectors @ centre
            reach = min(HEADLINES_PER_EVENT * MAX_NEAR_EVENTS, len(cosines))
            nearest = np.argpartition(-cosines, reach - 1)[:reach].tolist()
            names = {own.get(number) or news.event_of[number][0] for number in nearest} - {groups.events[at].id}
            others = np.array(sorted(place(name) for name in sorted(names)), dtype=np.int64)
            clock = Times([groups.events[other].first_seen for other in (at, *others)])
            apart = clock.outside(np.zeros(1, dtype=np.int64), np.arange(1, len(others) + 1))[0]
            found = [float(_centre(news.vectors, groups.headlines[other]) @ centre) for other in others]
            ranked = sorted((-cosine, int(other)) for cosine, other in zip(found, others, strict=True))
            far = {int(other) for other, is_apart in zip(others, apart, strict=True) if is_apart}
            near = [other for cosine, other in ranked if -cosine >= floor and other not in far]
            pairs |= {(min(at, other), max(at, other)) for other in near[:MAX_NEAR_EVENTS]}
        return sorted(pairs)

    def _linked_before(
        self, groups: EventGroups, changed: Set[int], ended: Mapping[str, Sequence[str]]
    ) -> set[tuple[int, str]]:
        """The changed events with the present ids of those that they, or what they are made of, were linked with."""
        made_of: defaultdict[str, list[str]] = defaultdict(list)
        for name, into in ended.items():
            for one in into:
                made_of[one].append(name)
        found = set()
        for at in changed:
            for name in (groups.events[at].id, *made_of[groups.events[at].id]):
                for link in self._links_of.get(name, {}).values():
                    other = link.target if link.source == name else link.source
                    found |= {(at, now) for now in ended.get(other, (other,))}
        return found

    def _with_stories(
        self,
        stories: Sequence[Sequence[int]],
        own: Sequence[Event],
        elsewhere: Iterable[Event],
        links: Sequence[Link],
    ) -> list[Event]:
        """The events with the ids of their stories.

        A story keeps the id it had; of several that became one, that of the largest. A new one has the id of its
        earliest event. Of a story with one article only the linked events belong to it.

        Args:
            own: the events of these stories.
            elsewhere: events of other stories; those that are linked now, and are in no story, are returned too.
        """
        news = self._news
        linked = {end for link in links for end in (link.source, link.target)}
        story_at = {news.articles[number].id: at for at, story in enumerate(stories) for number in story}
        inside: list[list[Event]] = [[] for _ in stories]
        for event in sort_by_time(own):
            inside[story_at[event.articles[0]]].append(event)
        found: list[Event] = []
        for story, events in zip(stories, inside, strict=True):
            belonging = {
                event.id for event in events if len(story) > 1 or event.id in linked or self._has_story(event)
            }
            name = self._story_name(story, events, belonging)
            found += [replace(event, story=name if event.id in belonging else None) for event in events]
        return found + [replace(one, story=one.id) for one in elsewhere if one.id in linked and one.story is None]

    def _has_story(self, event: Event) -> bool:
        before = self._events.get(event.id)
        return before is not None and before.story is not None

    def _story_name(self, story: Sequence[int], events: Sequence[Event], belonging: Collection[str]) -> str | None:
        names = [name for number in story if (name := self._news.story_of[number])]
        names = names or [one.story for event in events if (one := self._events.get(event.id)) and one.story]
        if names:
            return max(sorted({*names}), key=names.count)
        earliest = next((event.id for event in events if event.id in belonging), None)
        return earliest and unused_id(earliest, self._news.members, self._used[1])


@cache
def _pair_model(folder: Path) -> MentionPairModel | None:
    return MentionPairModel.from_folder(folder)


def _spread(numbers: Sequence[int]) -> list[int]:
    if len(numbers) <= SAMPLE:
        return list(numbers)
    return [numbers[place] for place in np.linspace(0, len(numbers) - 1, SAMPLE).astype(int)]


def _centre(vectors: NDArray[np.float32], members: Sequence[int]) -> NDArray[np.float32]:
    centre: NDArray[np.float32] = vectors[list(members)].mean(axis=0)
    return centre / np.linalg.norm(centre)
