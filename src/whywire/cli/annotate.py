"""``whywire annotate``: people label news, with a browser or on sheets, for models of one's own."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from whywire.annotation.items import Kind, Role
from whywire.annotation.priorities import USUAL, Reason
from whywire.api.annotation import json_rows
from whywire.api.campaigns import annotate as open_campaigns
from whywire.api.news_input import to_article
from whywire.api.next_pairs import CandidatePair, candidate_of, candidates_among, next_pairs
from whywire.api.predicted_pairs import effects_of
from whywire.cli import annotate_labels
from whywire.cli.annotate_labels import CAMPAIGN, estimate_text
from whywire.cli.json_lines import open_out, write_rows
from whywire.cli.options import FILE, JSON, OUT, STORE_OPTION
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.news import Language

IN_STORE = Annotated[str, STORE_OPTION]
NAME = Annotated[str, typer.Argument(help="The name of a person, as `people` shows it.")]

annotate = typer.Typer(
    name="annotate",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Let people label news: pairs of headlines, timelines, counterfactuals, spans, strength, whole graphs.

    A campaign is kept in a store and asked in the browser by `serve`; everything else works on files, too.
    Six kinds of items: **relation**, **grouping**, **counterfactual**, **spans**, **strength**, **graph**.
    """,
    epilog="Example: **whywire annotate create items.jsonl --title 'Pairs of March' --store news.db**",
)


@annotate.command("create", epilog="Example: **whywire annotate create items.jsonl --title 'March' --store news.db**")
def create(
    items: FILE,
    title: Annotated[str, typer.Option(help="What people see.")],
    store: IN_STORE,
    kind: Annotated[Kind | None, typer.Option(help="What the items ask, where their fields do not say.")] = None,
    language: Annotated[Language, typer.Option(help="Of the news: en or ru.")] = Language.ENGLISH,
    overlap: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="People who answer each item: 10 for relation, 3 grouping, 5 counterfactual, 2 spans, "
            "7 strength, 2 graph.",
        ),
    ] = None,
    agreed: Annotated[
        float | None, typer.Option(min=0, max=1, help="Ask nobody else once this share of all answers is the same.")
    ] = None,
    control_rate: Annotated[
        float | None, typer.Option("--control-rate", min=0, max=1, help="The share of control items in the work.")
    ] = None,
    pay: Annotated[float | None, typer.Option(min=0, help="For an item, for the estimate.")] = None,
    rules: Annotated[
        str,
        typer.Option(
            metavar="JSON", help="Other rules: pass_training, pass_exam, pass_controls, fewest_controls, seconds."
        ),
    ] = "{}",
    guide: Annotated[
        Path | None, typer.Option(help="A text file that is added to the guidelines of the kind.")
    ] = None,
) -> None:
    """Make a campaign in a store from a file of items, and print its id.

    Items of the role *training* and *exam* come first and need a **gold** answer; *control* items are mixed into the
    work. Who falls below the rules is not asked further. `whywire serve` then shows the campaign at /annotate.
    """
    given = {"overlap": overlap, "agreed": agreed, "control_rate": control_rate, "pay": pay}
    with open_campaigns(store) as campaigns:
        made = campaigns.make(
            items,
            title,
            kind=kind,
            language=language,
            rules=_object(rules) | {name: value for name, value in given.items() if value is not None},
            guide=guide.read_text(encoding="utf-8") if guide else "",
        )
        controls = sum(item.role is Role.CONTROL for item in campaigns.labels(made.id).items.values())
    typer.echo(made.id)
    console = PlainConsole(stderr=True)
    console.print(f"`whywire serve` shows it at /annotate/{made.id}")
    if 0 < controls < made.rules.fewest_controls:
        console.print(
            f"its {controls} controls exclude nobody: that takes answers to {made.rules.fewest_controls}"
            " (fewest_controls in --rules)"
        )


@annotate.command("add", epilog="Example: **whywire annotate add more.jsonl --store news.db**")
def add(items: FILE, store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Add items to a campaign."""
    with open_campaigns(store, create=False) as campaigns:
        added = campaigns.add(items, campaign)
    PlainConsole().print(f"{added:,} items added")


@annotate.command("list", epilog="Example: **whywire annotate list --store news.db**")
def list_campaigns(store: IN_STORE, as_json: JSON = False) -> None:
    """List the campaigns of a store, the latest first, and how far they are."""
    from whywire.service.campaign_rows import campaign_row

    with open_campaigns(store, create=False, read_only=True) as campaigns:
        rows = [*map(campaign_row, campaigns.list())]
    if as_json:
        write_rows(rows)
        return
    console = PlainConsole()
    for row in rows:
        state = "" if row["open"] else ", closed"
        done = f"{row['items']:,} items, {row['finished']:,} of work finished"
        done += f", {row['answers']:,} answers, {row['people']:,} people"
        console.print(Text(f"{row['id']}  {row['kind']}  {row['title']}: {done}{state}"))
    if not rows:
        PlainConsole(stderr=True).print("there is no campaign; `whywire annotate create` makes one")


@annotate.command("status", epilog="Example: **whywire annotate status --store news.db**")
def status(store: IN_STORE, campaign: CAMPAIGN = None, as_json: JSON = False) -> None:
    """Show how far a campaign is, by which rules, and what is left to do."""
    from whywire.service.campaign_rows import campaign_row

    with open_campaigns(store, create=False, read_only=True) as campaigns:
        row = campaign_row(campaigns.find(campaign))
        left = campaigns.labels(row["id"]).estimate()
    if as_json:
        write_rows([row | {"left": msgspec.to_builtins(left)}])
        return
    console = PlainConsole()
    console.print(Text(f"{row['title']} ({row['kind']}, {'open' if row['open'] else 'closed'})"))
    console.print(f"{row['items']:,} items, {row['finished']:,} of work finished")
    console.print(f"{row['answers']:,} answers of {row['people']:,} people")
    console.print(estimate_text(left))
    console.print("rules: " + ", ".join(f"{name} {value:g}" for name, value in row["rules"].items()))


@annotate.command("close", epilog="Example: **whywire annotate close --store news.db**")
def close(store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Give out no more items; what people are answering now is still taken."""
    _open(store, campaign, is_open=False)


@annotate.command("reopen", epilog="Example: **whywire annotate reopen --store news.db**")
def reopen(store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Give out items again."""
    _open(store, campaign, is_open=True)


@annotate.command("remove", epilog="Example: **whywire annotate remove t-4be81c8a4f0c --store news.db**")
def remove(
    campaign: Annotated[str, typer.Argument(help="The id of a campaign, as `list` shows it.")], store: IN_STORE
) -> None:
    """Remove a campaign with all its items, people and answers; export them first with `items` and `votes`."""
    with open_campaigns(store, create=False) as campaigns:
        campaigns.remove(campaign)
    PlainConsole().print("removed")


@annotate.command("withdraw", epilog="Example: **whywire annotate withdraw Ann --store news.db**")
def withdraw(name: NAME, store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Let the answers of a person count no more; others are asked in their place. For files there is `--without`."""
    with open_campaigns(store, create=False) as campaigns:
        campaigns.withdraw(name, campaign)
    PlainConsole().print(Text(f"the answers of {name} do not count"))


@annotate.command("restore", epilog="Example: **whywire annotate restore Ann --store news.db**")
def restore(name: NAME, store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Let the answers of a person count again."""
    with open_campaigns(store, create=False) as campaigns:
        campaigns.restore(name, campaign)
    PlainConsole().print(Text(f"the answers of {name} count"))


@annotate.command("erase", epilog="Example: **whywire annotate erase Ann --store news.db**")
def erase(name: NAME, store: IN_STORE, campaign: CAMPAIGN = None) -> None:
    """Erase a person and all their answers, for good. Backups that were made before still have them."""
    with open_campaigns(store, create=False) as campaigns:
        campaigns.erase(name, campaign)
    PlainConsole().print(Text(f"{name} is erased"))


def next_items(
    file: Annotated[
        str, typer.Argument(metavar="PAIRS", help="Rows of `whywire pairs`, or of articles, JSON lines; or `-`.")
    ],
    by: Annotated[
        list[Reason] | None,
        typer.Option(
            "--by", help="Only for this reason; may be given several times. All but refutations by default."
        ),
    ] = None,
    only_refutations: Annotated[
        bool, typer.Option("--refutations", help="The most probable refutations first, of which so few are found.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="The most items to write.")] = 1000,
    out: OUT = None,
) -> None:
    """Say what to label next: pairs of headlines as items of the kind relation, the most useful first.

    Pairs are ranked by each of these reasons, and a pair is as urgent as its best rank: *filters* of HeadlineCause
    that keep it (as `whywire pairs` says), *uncertainty* of the pair model, *disagreement* of the pair model with the
    grouping of all headlines, and three kinds of pairs of which the model sees no relation: *hard-negatives*,
    headlines that are alike; *prior*, headlines that each look causal alone (`whywire pairs --prior`); *predicted*, a
    headline and a later one like the **effects** that `whywire predict` added to it. The *priority* is the share of
    the other pairs that are less urgent.

    Example: whywire pairs news.jsonl | whywire annotate next - -o items.jsonl
    """
    if by and only_refutations:
        raise InputError("--refutations is a reason of its own", hint="give it without --by")
    reasons = [Reason.REFUTATIONS] if only_refutations else by or USUAL
    models = LanguageModels()
    with BarProgress() as progress:
        candidates = _candidates(file, models, progress)
        found = next_pairs(candidates, reasons, models=models, progress=progress)[:limit]
    with open_out(out) as target:
        write_rows((msgspec.to_builtins(one.item) for one in found), target)
    counts = Counter(one.reason for one in found)
    named = ", ".join(f"{count:,} for {reason.value}" for reason, count in counts.most_common())
    PlainConsole(stderr=True).print(f"{len(found):,} of {len(candidates):,} pairs: {named or 'none'}")


for command, name in (
    (annotate_labels.items, "items"),
    (annotate_labels.sheet, "sheet"),
    (annotate_labels.import_votes, "import"),
    (annotate_labels.votes, "votes"),
    (annotate_labels.results, "results"),
    (annotate_labels.disputed, "disputed"),
    (annotate_labels.agreement, "agreement"),
    (annotate_labels.people, "people"),
    (next_items, "next"),
):
    _text, _, _example = inspect.cleandoc(command.__doc__ or "").rpartition("\n\nExample: ")
    annotate.command(name, help=_text, epilog=f"Example: **{_example}**")(command)


def _candidates(file: str, models: LanguageModels, progress: BarProgress) -> list[CandidatePair]:
    """The pairs of a file of pairs, or of articles.

    Raises:
        InputError: a row cannot be used.
    """
    pairs, articles, effects = [], [], []
    for place, row in json_rows(file):
        try:
            if isinstance(row, dict) and "left_title" in row:
                pairs.append(candidate_of(row))
            else:
                articles.append(to_article(row))
                effects.append(effects_of(row) if isinstance(row, dict) else [])
        except InputError as error:
            raise InputError(error.message, where=place, hint="rows of `whywire pairs`, or of articles") from None
    if pairs and articles:
        raise InputError("some rows are pairs and some are articles", where=file, hint="give them one after another")
    return pairs or candidates_among(articles, effects, models=models, progress=progress)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise InputError(f"--rules is no JSON object: {text[:80]}", hint="""such as '{"pass_exam": 0.9}'""")
    return value


def _open(store: str, campaign: str | None, *, is_open: bool) -> None:
    with open_campaigns(store, create=False) as campaigns:
        campaigns.open(campaign, is_open=is_open)
    PlainConsole().print("open" if is_open else "closed")
