"""Models in the processes of a Ray cluster, or in processes of this machine.

The process that builds or updates does everything but the models' work: a task carries the articles, readings and
known predictions that it needs, and what is new comes back. So a task may be done twice, and any process of the
cluster may be lost. Articles are read in parts, and stories, which decide themselves, are decided in parts; a part is
in one language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from whywire import pipeline
from whywire.elements import Claim
from whywire.engines.cluster import join
from whywire.engines.engine import Decision
from whywire.engines.predictions import PredictionCache
from whywire.events.article_readings import ArticleReading
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.pipeline import LANGUAGES, Decided, Undecided
from whywire.progress import Stages, stop_if_asked
from whywire.second_opinions.questions import Opinion, Questions, SecondReader

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
        work: Undecided,
        stages: Stages,
        known: PredictionCache | None = None,
        reader: SecondReader | None = None,
    ) -> Decision:
        """Decide the events and links of stories; those that processes die of come back with the reason.

        A second reader is asked from this process, which has a chat model's key, its budget and the answers that are
        kept: processes first find out what there is to ask, and then decide with the answers.
        """
        others = [article for article in work.articles if article.language is Language.OTHER]
        unread = pipeline.decide(Undecided(others, [], {}), LanguageModels(), stages)
        events, links, claims = [*unread.events], [*unread.links], [*unread.claims]
        new, lost = PredictionCache(), dict[str, str]()
        for language in LANGUAGES:
            part = _Part(work, language, known or PredictionCache())
            if reader is not None:
                self._ask(part, reader, stages)
            its_claims: list[Claim] = []
            for decided, predictions, counts in self._results("decide", "deciding stories", part, stages):
                events += decided.events
                links += decided.links
                its_claims += decided.claims
                part.new.update(predictions)
                _add(stages, counts)
            claims += sorted(its_claims, key=lambda claim: part.position[claim.article])
            new.update(part.new)
            lost |= part.lost
        return Decision(Decided(events, links, claims), new, lost)

    def _ask(self, part: _Part, reader: SecondReader, stages: Stages) -> None:
        """Ask a second reader about the uncertain merges in stories."""
        asked: list[Questions] = []
        for questions, predictions in self._results("questions", "finding uncertain merges", part, stages):
            asked += questions
            part.new.update(predictions)
        part.opinions = {}
        for questions in asked:
            stop_if_asked()
            part.opinions |= zip(questions.keys(""), reader.opinions(questions), strict=True)

    def _results(self, method: str, stage: str, part: _Part, stages: Stages) -> Iterator[Any]:
        """Yield what a method of the processes answers on stories; stories that end their process are lost."""
        stories = part.stories
        with stages.stage(stage, part.language, sum(map(len, stories))) as advance:
            for done in self._run(method, stories, part.to_decide, len):
                its_articles = [article for story in done.items for article in story]
                if done.reason:
                    part.lost |= {article.id: done.reason for article in its_articles}
                else:
                    yield done.answer
                advance(len(its_articles))


class _Part:
    """The stories in one language, and what becomes known of them.

    Args:
        known: predictions so far.

    Attributes:
        position: of each article among all, by id.
        opinions: of a second reader, by the keys of questions; ``None`` without one.
        new: what was predicted.
        lost: the articles of stories that end their process, by id, with the reason.
    """

    def __init__(self, work: Undecided, language: Language, known: PredictionCache) -> None:
        self.language, self._work, self._known = language, work, known
        self.position = {article.id: at for at, article in enumerate(work.articles)}
        self.opinions: dict[str, Opinion] | None = None
        self.new, self.lost = PredictionCache(), dict[str, str]()

    @property
    def stories(self) -> list[list[Article]]:
        """The articles of each story that is not lost."""
        of_story = {name: at for at, story in enumerate(self._work.stories) for name in story}
        members: defaultdict[int, list[Article]] = defaultdict(list)
        for article in self._work.articles:
            if article.language is self.language and article.id not in self.lost:
                members[of_story[article.id]].append(article)
        return [*members.values()]

    def to_decide(self, stories: Sequence[Sequence[Article]]) -> ToDecide:
        """All that deciding some stories needs."""
        articles = sorted((article for story in stories for article in story), key=lambda one: self.position[one.id])
        readings = {article.id: self._work.readings[article.id] for article in articles}
        about = [one for one in self._work.corrections if not one.articles.isdisjoint(readings)]
        known = PredictionCache()
        for story in stories:
            known.update(self._known.among(self.language, story))
            known.update(self.new.among(self.language, story))
        names = [tuple(article.id for article in story) for story in stories]
        return Undecided(articles, names, readings, about), known, self.opinions


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
