"""``whywire bench``: measures the embedded models on published tasks, beside baselines and published results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from whywire.cli.options import file_path
from whywire.cli.score import CACHE
from whywire.cli.terminal import BarProgress
from whywire.errors import InputError, MissingExtraError
from whywire.models.chat import ChatEndpoint
from whywire.models.completion_cache import CachedChatModel, CompletionCache, default_cache_folder
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of
from whywire.output import open_output
from whywire_lab.cli.bench_tables import show
from whywire_lab.tasks.crab import PAIRS as CRAB
from whywire_lab.tasks.crab_chat import PROMPTS_FILE, systems
from whywire_lab.tasks.hlgd import PAIRS as HLGD
from whywire_lab.tasks.hlgd import Floats, HeadlinesAndTexts, Pairs, SameEventByChallenge, generator_swap
from whywire_lab.tasks.record import provenance
from whywire_lab.tasks.run import TASKS, Result, run, score_submission

HEADLINE_PROMPT = "\nHeadline:"
"""Stands between text and headline for a language model that was not trained to write headlines."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("bench", epilog="Example: **whywire bench recess-2 --data data --out recess-2.json**")(bench)


def bench(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}.")],
    data: Annotated[
        Path,
        typer.Option(
            help="The folder of corpora (with `semeval2020_task5`, `causal_news_corpus_v2`, `hlgd`, "
            "`headline_cause`, `crab`, `event_causes`), "
            "or one of these."
        ),
    ],
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="An embedded model, or a folder that `whywire train` wrote; the task's own without it. Given "
            "several times, for runs with several seeds, it adds their mean and deviation.",
        ),
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            help="`dev` or `test`: the release's file of that name. Without a published dev file it is the tenth of "
            "the training file that no embedded model was trained on."
        ),
    ] = "dev",
    baselines: Annotated[
        bool,
        typer.Option(" /--no-baselines", help="Leave out the baselines, which are trained first."),
    ] = True,
    generator: Annotated[
        str | None,
        typer.Option(
            help="hlgd: also measure *Headline Generator Swap* by this causal language model, a folder or a name on "
            "the hub (extra **train**)."
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(help='hlgd: what the articles say, a line `{"url": …, "text": …}` each; --generator needs it.'),
    ] = None,
    chat: Annotated[
        bool,
        typer.Option(
            "--chat",
            help="crab: also ask the chat model that WHYWIRE_CHAT_URL, WHYWIRE_CHAT_MODEL and WHYWIRE_CHAT_KEY name, "
            "as `score` does; events and documents are sent there.",
        ),
    ] = False,
    prompts: Annotated[
        Path | None,
        typer.Option(
            help="For --chat: `prompts.json` of CRAB's authors, to ask in the paper's words, too; by default that "
            "beside the pairs, if it is there."
        ),
    ] = None,
    cache: CACHE = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            parser=file_path,
            metavar="FILE",
            help="Write all scores as JSON, with data, split, versions, weights, date, machine and command.",
        ),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Write the model's answers in the task's own submission format.")
    ] = None,
    score: Annotated[
        Path | None, typer.Option(help="Score this submission, made elsewhere, and run nothing.")
    ] = None,
) -> None:
    """Measure a model on a published task, as its paper does.

    **semeval2020-1**: is a sentence counterfactual? **semeval2020-2**: where are antecedent and consequent?
    **recess-1**: is a sentence causal? **recess-2**: where are cause, effect and signal? **hlgd**: do two headlines
    report one event, by their words, with their dates, with all fields? **hlgd-groups**: which headlines of a
    timeline do? **headline-cause** and **headline-cause-ru**: which of three and of seven relations
    have two headlines? **crab**: how strongly did one event of a story lead to another? **event-causes**: which of
    four events caused another directly?
    **crab-events**: which main events do the documents of a story tell of?

    Scores are in per cent (Matthews' correlation times 100). recess-2's F1 is the published scorer's, which looks at
    causal sentences only and at no more relations than there are; *strict F1* counts every sentence, each relation
    too many as wrong, and only relations that the model finds without knowing that the sentence is causal. crab is
    measured on all pairs, or on those that one of its paper's splits holds out (**--split** `date`, `story` or
    `random`). A chat model is asked once for each answer, and what cannot be read counts as wrong.

    Submissions: `sentenceID,pred_label` or `sentenceID,antecedent_startid,…` (ends inclusive, -1 for none) as CSV for
    semeval2020; a line `{"index": 0, "prediction": …}` a sentence for recess, with 0 or 1, or a list of texts marked
    with `<ARG0>`, `<ARG1>` and `<SIG0>`; a line `{"headline": 0.93, "time": 0.81}` a pair for hlgd, the
    probabilities of one event; a line `{"group": "12"}` a report for hlgd-groups; a line `{"index": 0,
    "probabilities": […]}` a pair for headline-cause, of the seven relations; a line `{"index": 0, "strength": 73}` a
    pair for crab, 0 to 100, perhaps with `class`, `causal` and, of the cause it chose among four, `chosen`; a line
    `{"index": 0, "events": […]}` a story for crab-events; a line `{"index": 0, "answer": "B,D"}` a question for
    event-causes, perhaps with four `strengths`. They answer the rows of the split in the order of its file. A
    recess-2 file marks relations as if every sentence were causal; scored again, all it marks counts as the system's
    own decision.
    """
    if task not in TASKS:
        raise InputError(f"there is no task {task!r}", hint=f"known are {', '.join(TASKS)}")
    if score and predictions:
        raise InputError(
            "--score runs no model, so there are no --predictions to write", hint="leave out one of them"
        )
    if (generator or texts) and task != HLGD.name:
        raise InputError("--generator and --texts go with hlgd", hint="leave them out")
    if generator and not texts:
        raise InputError("--generator needs the articles", hint="give them by --texts")
    if (chat or prompts) and task != CRAB.name:
        raise InputError("--chat and --prompts go with crab", hint="leave them out")
    if score:
        show(_keep(score_submission(task, data, score, split=split), out, None))
        return
    asked = replace(HLGD, texts=_texts(texts)) if texts else TASKS[task]
    if not predictions and not asked.load(data, split).labelled:
        raise InputError(
            f"the labels of the {split} split are not published", hint="write a submission: --predictions FILE"
        )
    extra_systems: dict[str, Callable[[Any, Any], list[Any]]] = {}
    if generator:
        extra_systems[f"generator swap, {generator}"] = _swap(generator)
    if chat:
        extra_systems |= _chat(asked.folder_in(data), prompts, cache)
    kept: list[Result] = []
    try:
        with BarProgress() as progress:
            result = run(
                asked,
                data,
                split=split,
                models=models or (),
                baselines=baselines,
                extra_systems=extra_systems,
                keep=lambda result: kept.append(_keep(result, out, predictions)),
                progress=progress.start,
            )
        kept.append(_keep(result, out, predictions))
    finally:  # also where a system fails: what was measured before is kept
        if kept:
            show(kept[-1])


def _chat(folder: Path, prompts: Path | None, cache: Path | None) -> Mapping[str, Callable[[Any, Any], list[Any]]]:
    """The chat model as systems: by our words, and by those of CRAB's authors where they are at hand."""
    model = CachedChatModel(ChatEndpoint.from_environment(), CompletionCache(cache or default_cache_folder()))
    beside = folder / PROMPTS_FILE
    return systems(model, prompts or (beside if beside.is_file() else None))


def _keep(result: Result, out: Path | None, predictions: Path | None) -> Result:
    """Write the result so far."""
    if predictions:
        _write(predictions, result.submission)
    if out:
        _write(out, json.dumps(result.as_json() | provenance(), ensure_ascii=False, indent=2) + "\n")
    return result


def _swap(generator: str) -> Callable[[Pairs, Pairs], list[SameEventByChallenge]]:
    """The baseline *Headline Generator Swap* with a causal language model."""
    try:
        from whywire_lab.recipes.generator_swap import HeadlineAndText, HeadlineGenerator, swap_scores
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "train", package="whywire-lab") from error
    model = HeadlineGenerator.from_pretrained(generator, between=HEADLINE_PROMPT)

    def swap(left: HeadlinesAndTexts, right: HeadlinesAndTexts) -> Floats:
        return swap_scores(
            model, [HeadlineAndText(*article) for article in left], [HeadlineAndText(*article) for article in right]
        )

    return generator_swap(swap)


def _texts(path: Path) -> dict[str, str]:
    """The articles' texts, by URL."""
    found = {}
    with open_bytes(path) as stream, decode(stream) as lines:
        for row in read_json_lines(lines, place_of(path)):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            url, text = (row.value.get(name) if isinstance(row.value, dict) else None for name in ("url", "text"))
            if not (isinstance(url, str) and isinstance(text, str)):
                raise InputError("not an object with a url and a text", where=row.place)
            found[url] = text
    return found


def _write(path: Path, text: str) -> None:
    with open_output(path) as target:
        target.write(text)
