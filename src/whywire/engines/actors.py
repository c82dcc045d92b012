"""Processes of a Ray cluster that keep models loaded, and work that survives their deaths.

A process may die of an article, of too little memory, with its node, or because somebody ends it. Its task is given
to another one. If that happens again, the task is halved until the item stands alone of which processes die; after
``DEATHS`` of them it is given up. So one item costs a few processes and takes nothing else with it, and a node that
is lost costs no item.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, Generic, TypeAlias, TypeVar

from whywire.engines.cluster import answers, is_known
from whywire.engines.engine import LocalEngine
from whywire.engines.predictions import PredictionCache
from whywire.errors import MissingExtraError, WhywireError
from whywire.events.time import event_time
from whywire.language_models import LanguageModels
from whywire.models.pretrained import weights_hashes
from whywire.pipeline import Undecided
from whywire.progress import Stages, stop_if_asked
from whywire.second_opinions.questions import Listing, Opinion
from whywire.sentences.counterfactual import grammar

try:
    import ray
    from ray.exceptions import OutOfMemoryError, RayActorError, RayError, RayTaskError
except ModuleNotFoundError as missing:
    raise MissingExtraError(str(missing.name), "ray") from missing

DEATHS = 3
"""Processes that may die of an item alone before it is given up."""

FAILED_STARTS = 10
"""Processes that may fail to start, one after the other, before that is an error: a cluster that refuses them all
would be asked for ever."""

START_SECONDS = 120.0
"""How long no process may run before that is an error: all processors of the cluster are taken."""

WAIT_SECONDS = 0.1
"""How often the caller is asked whether to stop."""

LOOK_SECONDS = 1.0
"""How often the cluster is asked for its size; nodes may come and go."""

LOST_SECONDS = 20.0
"""How long the head of the cluster may be away. After 60 seconds Ray ends every process of the cluster, and this one
too."""

Item = TypeVar("Item")

ToDecide: TypeAlias = tuple[Undecided, PredictionCache, Mapping[str, Opinion] | None]
"""Stories, known predictions, and what a second reader says of their questions by key; ``None`` without one."""


class ClusterLostError(WhywireError):
    """The head of the cluster is gone, and with it all processes."""

    def __init__(self) -> None:
        super().__init__("the cluster is lost", where="ray", hint="start it again, and then this")


@dataclass(frozen=True)
class Outcome(Generic[Item]):
    """What became of some items.

    Args:
        answer: of the method that they were given to; ``None`` if they were given up.
        reason: why they were given up; empty if they were not.
    """

    items: Sequence[Item]
    answer: Any = None
    reason: str = ""


@dataclass(frozen=True)
class _Task(Generic[Item]):
    items: Sequence[Item]
    deaths: int = 0

    def again(self) -> list[_Task[Item]]:
        """What to do after another process died of it; empty if it is to be given up."""
        deaths = self.deaths + 1
        if deaths == 1 or (len(self.items) == 1 and deaths < DEATHS):
            return [_Task(self.items, deaths)]
        half = len(self.items) // 2
        return [_Task(part, 1) for part in (self.items[:half], self.items[half:]) if half]


class ModelActor:
    """A process with models.

    Arguments and answers are pickled bytes: arrays that Ray unpickles are read-only and hold its shared memory.

    Args:
        load: makes the models.
    """

    def __init__(self, load: Callable[[], LanguageModels]) -> None:
        self._engine = LocalEngine(load())

    def fingerprint(self) -> str:
        """What answers depend on here: versions and weights."""
        return fingerprint()

    def read(self, work: bytes) -> bytes:
        """Read articles."""
        stages = Stages()
        readings, _ = self._engine.read(pickle.loads(work), stages)
        return pickle.dumps((readings, dict(stages.counts)))

    def decide(self, work: bytes) -> bytes:
        """Decide stories."""
        given: ToDecide = pickle.loads(work)
        undecided, known, opinions = given
        stages, reader = Stages(), None if opinions is None else Listing(opinions)
        decision = self._engine.decide(undecided, stages, known, reader)
        return pickle.dumps((decision.decided, decision.new, dict(stages.counts)))

    def questions(self, work: bytes) -> bytes:
        """What a second reader is asked when stories are decided, and the predictions made to know it."""
        given: ToDecide = pickle.loads(work)
        undecided, known, _ = given
        return pickle.dumps(self._engine.questions(undecided, Stages(), known))


class Actors:
    """The processes of a cluster, one for each of its processors, started as tasks need them.

    Args:
        load: makes the models, in each process.
    """

    def __init__(self, load: Callable[[], LanguageModels]) -> None:
        self._load, self._own = load, fingerprint()
        self._class = ray.remote(ModelActor).options(num_cpus=1, max_restarts=0, max_task_retries=0)
        self._idle: list[Any] = []
        self._starting: dict[Any, Any] = {}
        self._running: dict[Any, tuple[Any, _Task[Any]]] = {}
        self._head = ray.get_runtime_context().gcs_address
        self._size = self._most = max(1, int(ray.cluster_resources().get("CPU", 0)))
        self._seen_at = self._looked_at = self._worked_at = time.monotonic()
        self._new: set[Any] = set()
        self._failed_starts = 0

    def run(
        self, method: str, parts: Iterable[Sequence[Item]], work: Callable[[Sequence[Item]], object]
    ) -> Generator[Outcome[Item], None, None]:
        """Give each part to a process; yield what became of its items, in any order.

        Args:
            method: of :class:`ModelActor`.
            work: makes the argument of the method for some items, when a process is free.

        Raises:
            WhywireError: no process can be started, or the cluster is lost.
            Stopped: the caller was asked to stop.
        """
        waiting = deque(_Task(part) for part in parts)
        self._ask_again()
        try:
            while waiting or self._running:
                stop_if_asked()
                self._look()
                self._start(len(waiting) + len(self._running))
                while waiting and self._idle:
                    actor, task = self._idle.pop(), waiting.popleft()
                    answer = getattr(actor, method).remote(pickle.dumps(work(task.items)))
                    self._running[answer] = (actor, task)
                for answer in self._answered():
                    actor, task = self._running.pop(answer)
                    try:
                        value = ray.get(answer)
                    except RayTaskError as error:  # an error of a model, as it would have been raised here
                        self._idle.append(actor)
                        raise error.cause from error
                    except RayError as error:
                        self._lose(actor, error)
                        self._ask_again()
                        again = task.again()
                        waiting.extend(again)
                        if not again:
                            yield Outcome(task.items, reason=_death(_is_memory(error)))
                    else:
                        self._idle.append(actor)
                        yield Outcome(task.items, pickle.loads(value))
        finally:
            for actor, _ in self._running.values():
                self._end(actor)
            self._running.clear()

    def close(self) -> None:
        """End all processes."""
        for actor in [*self._idle, *self._starting.values(), *(actor for actor, _ in self._running.values())]:
            self._end(actor)
        self._idle, self._starting, self._running = [], {}, {}

    @property
    def size(self) -> int:
        """The number of processes that the cluster has room for; at least 1."""
        return min(self._size, self._most)

    @property
    def _count(self) -> int:
        return len(self._idle) + len(self._starting) + len(self._running)

    def _look(self) -> None:
        """Ask for the size of the cluster, unless its head is away: Ray would wait for it, and end this process."""
        now = time.monotonic()
        if not ray.is_initialized():  # else Ray would start a cluster by itself
            raise ClusterLostError
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        if answers(self._head) and is_known():
            size = max(1, int(ray.cluster_resources().get("CPU", 0)))
            self._most, self._size = (size if size > self._size else self._most), size
            self._seen_at = now
        elif now - self._seen_at > LOST_SECONDS:
            raise ClusterLostError

    def _start(self, tasks: int) -> None:
        while self._count < min(tasks, self.size):
            actor = self._class.remote(self._load)
            self._new.add(started := actor.fingerprint.remote())
            self._starting[started] = actor
        if self._idle or self._running:
            self._worked_at = time.monotonic()
        elif time.monotonic() - self._worked_at > START_SECONDS:
            hint = "wait for others to finish, or add nodes; `ray status` shows what is taken"
            raise WhywireError(f"no process could start for {START_SECONDS:g} seconds", where="ray", hint=hint)

    def _ask_again(self) -> None:
        """Have idle processes answer before they get work: one that died meanwhile costs no task a death."""
        self._worked_at = time.monotonic()
        self._starting |= {actor.fingerprint.remote(): actor for actor in self._idle}
        self._idle = []

    def _answered(self) -> list[Any]:
        """The tasks that are done; processes that have started become idle."""
        pending = [*self._running, *self._starting]
        done, _ = ray.wait(pending, num_returns=len(pending), timeout=0, fetch_local=False)
        if not done:
            done, _ = ray.wait(pending, timeout=WAIT_SECONDS, fetch_local=False)
        for started in [one for one in done if one in self._starting]:
            self._started(started, self._starting.pop(started))
        return [one for one in done if one in self._running]

    def _started(self, started: Any, actor: Any) -> None:
        is_new = started in self._new
        self._new.discard(started)
        try:
            theirs = ray.get(started)
        except RayError as error:
            self._lose(actor, error)
            self._failed_starts += is_new
            if self._failed_starts >= FAILED_STARTS and not (self._idle or self._running):
                reason = str(error).strip().splitlines()[-1][:300]
                raise WhywireError(
                    f"{FAILED_STARTS} processes in a row did not start: {reason}",
                    where="ray",
                    hint="is Whywire installed on every node, with the memory for its models, and is token "
                    "authentication (RAY_AUTH_MODE) set here as it is for the cluster?",
                ) from error
            return
        if theirs != self._own:
            self._end(actor)
            hint = "install the same version, models and extras on every node, or graphs would differ"
            raise WhywireError(f"a node has {theirs}, and this machine {self._own}", where="ray", hint=hint)
        self._failed_starts = 0
        self._idle.append(actor)

    def _lose(self, actor: Any, error: RayError) -> None:
        """End a process that died; where memory is short, start fewer from now on."""
        if _is_memory(error):
            self._most = max(1, min(self._most, self._count))
        self._end(actor)

    def _end(self, actor: Any) -> None:
        if ray.is_initialized():
            ray.kill(actor)


@cache
def fingerprint() -> str:
    """What answers depend on: the version of Whywire, the weights, and packages that take part in a reading."""
    parts = weights_hashes() | grammar.versions() | event_time.versions()
    return f"whywire {version('whywire')}, " + ", ".join(
        f"{name} {value[:12]}" for name, value in sorted(parts.items())
    )


def _is_memory(error: RayError) -> bool:
    """Whether Ray ended the process since its node was short of memory."""
    return isinstance(error, OutOfMemoryError) or (isinstance(error, RayActorError) and "OOM" in str(error))


def _death(is_memory: bool) -> str:
    what = "each for want of memory" if is_memory else "so the models cannot read it"
    return f"{DEATHS} processes died of it, {what}"
