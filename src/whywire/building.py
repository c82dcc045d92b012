"""Builds the causal graph of articles, and writes it into a folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whywire.correction import Correction
from whywire.engines import Models, engine_of, left_out
from whywire.events.time import event_time
from whywire.graph.build_folder import TITLE, sizes, versions, write_graph
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.passages import WrittenSentence
from whywire.models.pretrained import weights_hashes
from whywire.news import Article, Problem, without_duplicates
from whywire.pipeline import Undecided, find_stories, graph_of, notes_on_length
from whywire.progress import Progress, Stages
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.writing import write_sentences
from whywire.sentences.counterfactual import grammar


@dataclass
class Build:
    """A finished build.

    Args:
        problems: articles left out because another has the same id or url, and notes on articles that are too long to
            look for events in all of their text.
        counts: numbers of articles, events, links and so on, and of the texts and pairs that models read.
        seconds: wall-clock time of each stage.
        sentences: on stories, written by a chat model if one was given.
    """

    graph: CausalGraph
    problems: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    sentences: list[WrittenSentence] = field(default_factory=list)

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
            problems: problems of the input, for ``rejected.jsonl``; the build adds its own problems.

        Raises:
            OutputError: the folder cannot be written.
        """
        all_problems = [*problems, *self.problems]
        run = {
            "versions": versions(),
            "extras": {"grammar": grammar.versions(), "times": event_time.versions()},
            "models": weights_hashes(),
            "inputs": list(inputs),
            "counts": self.counts
            | {
                "rejected": sum(not problem.kept for problem in all_problems),
                "kept with a note": sum(problem.kept for problem in all_problems),
            },
            "seconds": {stage: round(seconds, 2) for stage, seconds in self.seconds.items()},
        }
        write_graph(
            self.graph,
            Path(folder),
            title=title,
            run=run,
            summary=self.counts,
            problems=all_problems,
            sentences=self.sentences,
        )


def build(
    articles: Iterable[Article],
    *,
    corrections: Iterable[Correction] = (),
    models: Models | None = None,
    adviser: Adviser | None = None,
    progress: Progress | None = None,
) -> Build:
    """Build the causal graph of these articles.

    Articles neither in English nor in Russian are kept, each as an event of its own; no model reads them.

    Args:
        corrections: corrections by persons; a correction that was taken back has no effect.
        models: the embedded ones, in this process, by default.
        adviser: a chat model that is asked about what is uncertain, and with what is left of its budget writes a
            sentence on each story.
    """
    kept, problems = without_duplicates(articles)
    engine, stages = engine_of(models), Stages(progress)
    readings, unreadable = engine.read(kept, stages)
    problems += left_out(kept, unreadable)
    kept = [article for article in kept if article.id not in unreadable]
    in_force = [correction for correction in corrections if correction.taken_back is None]
    work = Undecided(kept, find_stories(kept, readings, stages), readings, in_force)
    decision = engine.decide(work.checked(adviser, stages), stages, reader=adviser)
    problems += left_out(kept, decision.lost)
    kept = [article for article in kept if article.id not in decision.lost]
    decided = decision.decided
    graph = graph_of(kept, decided.events, decided.links, decided.claims)
    stages.counts |= sizes(graph)
    sentences = write_sentences(graph, adviser, stages) if adviser is not None else []
    return Build(graph, [*problems, *notes_on_length(kept, readings)], stages.counts, stages.seconds, sentences)
