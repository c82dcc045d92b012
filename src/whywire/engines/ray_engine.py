"""Models in the processes of a Ray cluster, or in processes of this machine.

The process that builds or updates does everything but the models' work: a task carries the articles, readings and
known predictions that it needs, and what is new comes back. So a task may be done twice, and any process of the
cluster may be lost. Articles are read in parts, and stories, which decide themselves, are decided in parts; a part is
in one language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from whywire import pipeline
from whywire.correction import Correction
from whywire.elements import Claim
from whywire.engines.cluster import join
from whywire.engines.engine import Decision
from whywire.engines.predictions import CachedModels, PredictionCache
from whywire.events.article_index import Story
from whywire.events.article_readings import ArticleReading
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.pipeline import LANGUAGES, Decided
from whywire.progress import Stages
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.advising import with_checked_links

PARTS_OF_PROCESS = 4
"""Parts of the work for each process, so that all are busy until the end."""

LARGEST_PART = 16
"""Most articles of a part, unless one story has more: seconds of work, which is lost with a process."""

if TYPE_CHECKING:
    from whywire.engines.actors import Actors, Outcome, ToDecide

Item = TypeVar("Item")
Weight: TypeAlias = Callable[[Item], int]


class RayEngine:
    """Reads articles and decides stories in processes of a Ray cluster; needs the extra *ray*.

    >>> with whywire.RayEngine("10.0.0.1:6379") as engine:
    ...     graph = whywire.build("news.jsonl", models=engine).graph

    The graph is that of a build without it. Every node needs the same version of Whywire, with the same extras.

    Args:
        address: of the cluster, ``host:port``, or ``auto`` for the one that runs on this machine; without it,
            processes are started on this machine, one for each core.
        load: makes the models in each process; the embedded ones by default.

    Raises:
        WhywireError: there is no cluster at the address.
        MissingExtraError: Ray is not installed.
    """

    isolates = True

    def __init__(self, address: str | None = None, *, load: Callable[[], LanguageModels] = LanguageModels) -> None:
        self._address, self._load = address, load
        self._joined = False
        self._actors: Actors | None = None
        self._join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, and leave the cluster."""
        if self._actors is not None:
            self._actors.close()
        self._leave()

    @property
    def processes(self) -> int:
        """How many parts of the work are done at a time."""
        return self._join().size

    def _join(self) -> Actors:
        """The processes of the cluster; a cluster that was lost is joined again."""
        from whywire.engines.actors import Actors

        if self._actors is None:
            self._joined = join(self._address)
            self._actors = Actors(self._load)
        return self._actors

    def _leave(self) -> None:
        import ray

        self._actors = None
        if self._joined:
            ray.shutdown()

    def _run(
        self, method: str, items: Sequence[Item], work: Callable[[Sequence[Item]], object], weight: Weight[Item]
    ) -> Iterator[Outcome[Item]]:
        """Give items to the processes, in parts."""
        from whywire.engines.actors import ClusterLostError

        actors = self._join()
        try:
            yield from actors.run(method, _parts(items, actors.size, weight), work)
        except ClusterLostError:
            self._leave()
            raise

    def read(self, articles: Sequence[Article], stages: Stages) -> tuple[dict[str, ArticleReading], dict[str, str]]:
        """Read the articles in English or Russian; those that processes die of come back with the reason."""
        readings: dict[str, ArticleReading] = {}
        lost: dict[str, str] = {}
        for language in LANGUAGES:
            in_language = [article for article in articles if article.language is language]
            with stages.stage("reading articles", language, len(in_language)) as advance:
                for done in self._run("read", in_language, list, lambda _: 1):
                    if done.reason:
                        lost |= {article.id: done.reason for article in done.items}
                    else:
                        theirs, counts = done.answer
                        readings |= {article.id: theirs[article.id].bound_to(article) for article in done.items}
                        _add(stages, counts)
                    advance(len(done.items))
        return readings, lost

    def decide(
        self,
        articles: Sequence[Article],
        stories: Iterable[Story],
        readings: Mapping[str, ArticleReading],
        stages: Stages,
        corrections: Collection[Correction] = (),
        known: PredictionCache | None = None,
        adviser: Adviser | None = None,
    ) -> Decision:
        """Decide the events and links of stories; those that processes die of come back with the reason.

        A chat model is asked from this process, which has its key, its budget and the answers that are kept. Then
        stories are decided here once more, by what the processes predicted.
        """
        known, stories = known or PredictionCache(), [*stories]
        if adviser is None:
            return self._decide(articles, stories, readings, stages, corrections, known)
        checked = with_checked_links(articles, readings, adviser, stages)
        decision = self._decide(articles, stories, checked, stages, corrections, known)
        models = CachedModels(self._load(), known)
        models.new.update(decision.new)
        own = Stages()
        decided = pipeline.decide(
            [article for article in articles if article.id not in decision.lost],
            [story for story in stories if decision.lost.keys().isdisjoint(story)],
            readings,
            models,
            own,
            corrections,
            adviser,
        )
        stages.counts["merges asked about"] += own.counts["merges asked about"]
        return Decision(decided, models.new, decision.lost)

    def _decide(
        self,
        articles: Sequence[Article],
        stories: Iterable[Story],
        readings: Mapping[str, ArticleReading],
        stages: Stages,
        corrections: Collection[Correction],
        known: PredictionCache,
    ) -> Decision:
        others = [article for article in articles if article.language is Language.OTHER]
        unread = pipeline.decide(others, [], {}, LanguageModels(), stages)
        events, links, claims = [*unread.events], [*unread.links], [*unread.claims]
        new, lost = PredictionCache(), dict[str, str]()
        position = {article.id: at for at, article in enumerate(articles)}
        of_story = {name: at for at, story in enumerate(stories) for name in story}
        for language in LANGUAGES:
            members: defaultdict[int, list[Article]] = defaultdict(list)
            for article in articles:
                if article.language is language:
                    members[of_story[article.id]].append(article)
            work = partial(_to_decide, language, readings, corrections, known, position)
            its_claims: list[Claim] = []
            with stages.stage("deciding stories", language, sum(map(len, members.values()))) as advance:
                for done in self._run("decide", [*members.values()], work, len):
                    its_articles = [article for story in done.items for article in story]
                    if done.reason:
                        lost |= {article.id: done.reason for article in its_articles}
                    else:
                        decided, predictions, counts = done.answer
                        events += decided.events
                        links += decided.links
                        its_claims += decided.claims
                        new.update(predictions)
                        _add(stages, counts)
                    advance(len(its_articles))
            claims += sorted(its_claims, key=lambda claim: position[claim.article])
        return Decision(Decided(events, links, claims), new, lost)


def _to_decide(
    language: Language,
    readings: Mapping[str, ArticleReading],
    corrections: Iterable[Correction],
    known: PredictionCache,
    position: Mapping[str, int],
    stories: Sequence[Sequence[Article]],
) -> ToDecide:
    """All that deciding some stories needs.

    Args:
        position: of each article among all, by id.
    """
    articles = sorted((article for story in stories for article in story), key=lambda one: position[one.id])
    its_readings = {article.id: readings[article.id] for article in articles}
    about = [one for one in corrections if not one.articles.isdisjoint(its_readings)]
    its_known = PredictionCache()
    for story in stories:
        its_known.update(known.among(language, story))
    return articles, [tuple(article.id for article in story) for story in stories], its_readings, about, its_known


def _parts(items: Sequence[Item], processes: int, weight: Weight[Item]) -> Iterator[Sequence[Item]]:
    """Divide items into parts of about equal weight, the heaviest first."""
    total = sum(map(weight, items))
    size = max(1, min(LARGEST_PART, -(-total // (PARTS_OF_PROCESS * processes))))
    part: list[Item] = []
    for item in sorted(items, key=weight, reverse=True):
        part.append(item)
        if sum(map(weight, part)) >= size:
            yield part
            part = []
    if part:
        yield part


def _add(stages: Stages, counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        stages.counts[name] += count
