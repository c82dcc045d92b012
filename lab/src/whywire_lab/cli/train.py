"""``whywire train``: makes the embedded weights again from the corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whywire.cli.options import folder_path
from whywire.cli.terminal import PlainConsole
from whywire.errors import InputError, MissingExtraError
from whywire_lab.corpora.crab import SPLITS, STORY

MODELS = ("sentences-en", "sentences-ru", "relations", "pairs", "documents")
"""The embedded models."""

PARTS = ("mentions", "news-filter")
"""Small parts on top of the models; the first part needs a document reader."""

NAMES = (*MODELS, *PARTS)
"""What `all` makes, in this order."""

RECESS_CONFIGURATIONS = ("recess-baseline", "recess-beam", "recess-signal", "recess-augmented")
"""The configurations of the RECESS paper, each the one before it with one addition."""

PAIRWISE = ("crab-score", "crab-classes", "crab-binary")
"""The pairwise tasks of the CRAB paper, on any encoder."""

EFFECTS = "effects"
"""A causal language model that writes what may follow a headline."""

RECIPES = (*NAMES, *RECESS_CONFIGURATIONS, *PAIRWISE, EFFECTS)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("train", epilog="Example: **whywire train pairs --data data --out runs**")(train)


def train(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(RECIPES)}, or `all`.")],
    data: Annotated[
        Path,
        typer.Option(
            help="The folder of corpora; see lab/docs/training.md. For `effects` that folder, whose English causes "
            "are learnt, or a file of JSON lines, {cause, effect}."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            parser=folder_path,
            metavar="FOLDER",
            help="Where to write; each model gets a folder of its name.",
        ),
    ],
    seed: Annotated[int, typer.Option(help="Seed of the first run; the next runs count on from it.")] = 1,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="How many runs to average; by default as many as for the embedded model."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            help="Start from this encoder: a name on the hub such as `FacebookAI/xlm-roberta-large`, or a folder. "
            "By default the small one the embedded model was made from.",
        ),
    ] = None,
    split: Annotated[
        str, typer.Option(help=f"What crab-… hold out to be measured on, by {', '.join(SPLITS)}.")
    ] = STORY,
) -> None:
    """Train a model from the corpora (needs the extra **train**).

    **sentences-en**, **sentences-ru**, **relations**, **pairs** and **documents** are the embedded models. They are
    written as int8 ONNX, and `from_pretrained` reads the folder. **pairs** compares two articles by title and lead,
    in both languages; it is the mean of three runs that each hold out a third of the stories, and `--base` takes
    encoders of the BERT family. **relations** is for titles that somebody picked to compare. **documents** draws the
    events of an article and which event led to which, in both languages; four runs that each hold out a quarter of
    the stories choose its thresholds, and `--base` is as for **pairs**.

    **mentions** are two outputs of the document reader, written into its folder, which must be there: which mentions
    of different articles are of one event, and which are understood without their article.
    **news-filter** tells news from other pages by their titles.

    `all` makes these seven. This takes a day; if it is started again, it goes on after the last finished part.

    **recess-…** are the span extractors of the RECESS paper, to compare with on any encoder: *baseline* takes each
    border of cause, effect and signal by its own probability; *beam* searches for spans that keep the
    rules; *signal* also predicts whether there is a signal at all; *augmented* also trains on altered copies. The
    folder holds torch weights and `scores.json`: fair F1 of each kind of span on held-out rows.

    **crab-…** are the pairwise tasks of the CRAB paper: *score* learns strength from 0 to 100, *classes* its four
    classes, *binary* whether there is a cause at all. Without CRAB, they train on event_causes. `scores.json` holds
    the macro F1 on the pairs held out.

    **effects** teaches a causal language model (**--base**, such as `openai-community/gpt2`) to write what may follow
    a headline, for `whywire predict --with lm`.

    Progress goes to the terminal. Training runs on the processor: on two cores sentences-ru takes some ten minutes,
    the other embedded models hours, a large checkpoint days; **--runs 1** halves these times. **documents** takes
    minutes on a graphics processor, which it uses where torch finds one, and a night without; **pairs** uses one,
    too.
    """
    try:
        from whywire_lab.recipes.crab_pairwise import make_pairwise
        from whywire_lab.recipes.effect_generator import load_effects, train_effects
        from whywire_lab.recipes.embedded_models import make, make_all
        from whywire_lab.recipes.recess_baselines import make_recess_baseline
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "train", package="whywire-lab") from error
    if name not in (*RECIPES, "all"):
        raise InputError(f"there is no recipe {name!r}", hint=f"known are {', '.join(RECIPES)} and all")
    if split not in SPLITS:
        raise InputError(f"there is no split {split!r}", hint=f"known are {', '.join(SPLITS)}")
    if name == EFFECTS:
        if base is None:
            raise InputError(
                "a language model is needed to start from", hint="give one by --base, such as openai-community/gpt2"
            )
        losses = train_effects(base, load_effects(data), out / EFFECTS, seed=seed)
        PlainConsole(soft_wrap=False).print(
            f"held-out loss {losses['before']:.3f} before and {losses['after']:.3f} after, nats a token"
        )
        return
    if name in RECESS_CONFIGURATIONS:
        make_recess_baseline(name, data, out / name, seed=seed, runs=runs, base=base)
        return
    if name in PAIRWISE:
        make_pairwise(name, data, out / name, split=split, seed=seed, runs=runs, base=base)
        return
    if name == "all":
        make_all(NAMES, data, out, seed=seed, runs=runs, base=base)
    else:
        make(name, data, out, seed=seed, runs=runs, base=base)
