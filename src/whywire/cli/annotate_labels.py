"""The commands of ``whywire annotate`` that read what people answered, from files or from a campaign of a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from whywire.annotation.campaigns import Estimate
from whywire.annotation.items import Kind
from whywire.annotation.results import Method
from whywire.annotation.rows import agreement_row, person_row, result_row, vote_row
from whywire.api.annotation import Labels, read_items, read_labels, read_votes
from whywire.api.annotation import sheet as make_sheet
from whywire.api.campaigns import annotate as open_campaigns
from whywire.cli.json_lines import open_out, write_rows
from whywire.cli.options import JSON, OUT, STORE_OPTION
from whywire.cli.terminal import PlainConsole
from whywire.errors import InputError

FILES = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ITEMS VOTES...]",
        help="A file of items, and files of votes: JSON lines, or sheets that were filled in (.csv).",
    ),
]
ITEMS = Annotated[str | None, typer.Argument(metavar="[ITEMS]", help="A file of items, JSON lines; or `-`.")]
STORE_OR_NONE = Annotated[str | None, STORE_OPTION]
CAMPAIGN = Annotated[
    str | None, typer.Option("--campaign", metavar="ID", help="A campaign of the store; needed if it has several.")
]
KIND = Annotated[Kind | None, typer.Option("--kind", help="What the items ask, where their fields do not say.")]
PERSON = Annotated[
    str | None, typer.Option("--person", help="Who filled in the sheets, where they have no column *person*.")
]
WITHOUT = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="NAME", help="Leave this person's answers out; may be given several times."),
]
METHOD = Annotated[
    Method,
    typer.Option(
        help="How labels are decided: by *majority*, by the confusion matrix of each person (*dawid-skene*), or by a "
        "majority in which people weigh as much as they agree with it (*skill*)."
    ),
]
AGREED = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="The share of answers that must agree; that of the campaign, or 0.7."),
]


def load(
    files: Sequence[str] | None,
    store: str | None,
    campaign: str | None,
    kind: Kind | None,
    person: str | None = None,
    without: Sequence[str] | None = None,
    agreed: float | None = None,
) -> Labels:
    """The labels that the options of a command name.

    Raises:
        InputError: there are files and a store, or neither; or they cannot be used.
    """
    if bool(files) == (store is not None):
        hint = "such as items.jsonl and votes.jsonl, or --store news.db"
        raise InputError("name files, or a campaign of a store", hint=hint)
    if store is not None:
        with open_campaigns(store, create=False, read_only=True) as campaigns:
            labels = campaigns.labels(campaign)
    else:
        items, *votes = files or []
        labels = read_labels(items, votes, kind=kind, person=person)
    if agreed is not None:
        rules = msgspec.structs.replace(labels.rules, agreed=agreed)
        labels = Labels(labels.kind, rules, labels.items, labels.votes, labels.people)
    return labels.without(without) if without else labels


def items(
    file: ITEMS = None, store: STORE_OR_NONE = None, campaign: CAMPAIGN = None, kind: KIND = None, out: OUT = None
) -> None:
    """Write the items of a campaign as JSON lines, with their gold answers; or check a file of items.

    Example: whywire annotate items --store news.db -o items.jsonl
    """
    labels = load([file] if file else None, store, campaign, kind)
    with open_out(out) as target:
        write_rows((msgspec.to_builtins(item) for item in labels.items.values()), target)


def sheet(
    file: ITEMS = None, store: STORE_OR_NONE = None, campaign: CAMPAIGN = None, kind: KIND = None, out: OUT = None
) -> None:
    """Write a sheet for people without a browser: CSV that spreadsheets open, with a column *answer* to be filled in.

    For **relation** the answer is one of *choices*, or its number 0 to 6; for **grouping** the name of a group, the
    same for headlines of one event, and empty for a headline that is alone; for **counterfactual** yes or no, with
    the words of *antecedent* and *consequent* copied from the sentence; for **strength** a number from 0 to 100.
    Spans and graphs fit no table. `import` and `results` read the sheet when it comes back.

    Example: whywire annotate sheet items.jsonl -o sheet.csv
    """
    labels = load([file] if file else None, store, campaign, kind)
    text = make_sheet(labels.kind, labels.items.values())
    with open_out(out) as target:
        target.write(text.replace("\r\n", "\n"))


def import_votes(
    files: Annotated[
        list[str], typer.Argument(metavar="VOTES...", help="JSON lines, or sheets that were filled in.")
    ],
    items: Annotated[
        str | None, typer.Option("--items", help="The items, if the votes are of no store: they are written out.")
    ] = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    out: OUT = None,
) -> None:
    """Take in votes that were given elsewhere, all of them or none; or turn sheets into JSON lines.

    A row of votes has **item**, **person**, **answer**, and perhaps *seconds* and *at*. A vote replaces an earlier
    import of the same person on the same item; an answer that was given in the browser is never replaced, and a row
    with *counted*: false is left out. The answer of the person *curator* decides.

    Example: whywire annotate import sheet.csv --person Ann --store news.db
    """
    if (items is None) == (store is None):
        raise InputError("where do the votes belong? name --store, or --items")
    if items is not None:
        at = datetime.now(UTC)
        of_kind, known = read_items(items, kind)
        votes = [vote for file in files for vote in read_votes(file, of_kind, known, person=person, at=at)]
        with open_out(out) as target:
            write_rows(map(vote_row, votes), target)
        return
    with open_campaigns(str(store), create=False) as campaigns:
        read, changed = campaigns.import_votes(files, campaign, person=person)
    PlainConsole().print(f"{read:,} votes read, {changed:,} of them new or changed")


def votes(
    files: FILES = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    out: OUT = None,
) -> None:
    """Write what everybody answered as JSON lines: *item*, *person*, *answer*, *seconds*, *at*, *counted*.

    Example: whywire annotate votes --store news.db -o votes.jsonl
    """
    labels = load(files, store, campaign, kind, person)
    with open_out(out) as target:
        write_rows(map(vote_row, labels.votes), target)


def results(
    files: FILES = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    without: WITHOUT = None,
    agreed: AGREED = None,
    method: METHOD = Method.MAJORITY,
    only_agreed: Annotated[
        bool, typer.Option("--only-agreed", help="Leave out what people do not agree on.")
    ] = False,
    out: OUT = None,
) -> None:
    """Make one answer of several: a JSON line for each item of work.

    Labels are decided by **--method**; groupings by the graph of pairs that most put together; spans by the consensus
    of those who marked them; scores by their mean; graphs by what at least half drew. *share* says how far the
    answers agree, *agreed* whether that is enough; *answer* is null without answers, and where labels tie.

    Example: whywire annotate results items.jsonl votes.jsonl --method dawid-skene
    """
    found = load(files, store, campaign, kind, person, without, agreed).results(method)
    with open_out(out) as target:
        write_rows((result_row(one) for one in found if one.agreed or not only_agreed), target)


def disputed(
    files: FILES = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    without: WITHOUT = None,
    agreed: AGREED = None,
    method: METHOD = Method.MAJORITY,
    out: OUT = None,
) -> None:
    """List what people do not agree on, the most disputed first, with the answers of each.

    Scores come first that are spread around a bound of two classes: they are for an expert (*for_expert*).

    Example: whywire annotate disputed items.jsonl votes.jsonl
    """
    labels = load(files, store, campaign, kind, person, without, agreed)
    found = labels.disputed(method)
    said: dict[str, dict[str, object]] = {one.item: {} for one in found}
    for vote in labels.votes:
        if vote.counted and vote.item in said:
            said[vote.item][vote.person] = msgspec.to_builtins(vote.answer)
    with open_out(out) as target:
        write_rows((result_row(one) | {"said": said[one.item]} for one in found), target)


def agreement(
    files: FILES = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    without: WITHOUT = None,
    as_json: JSON = False,
) -> None:
    """Measure how far people agree on the items of work.

    Krippendorff's alpha: nominal of labels, interval of scores, of words in spans. The likeness of two answers, from
    0 to 1, is given on average, by item (with **--json**) and by person; for groupings also each person against the
    consensus of all others.

    Example: whywire annotate agreement items.jsonl votes.jsonl
    """
    found = load(files, store, campaign, kind, person, without).agreement
    row = agreement_row(found)
    if as_json:
        write_rows([row])
        return
    console = PlainConsole()
    if found.pairwise is None:
        console.print("no item has answers of two people")
        return
    if found.alpha is not None:
        console.print(f"Krippendorff's alpha {found.alpha:.3f}")
    console.print(f"likeness of two answers {found.pairwise:.3f}, over {len(found.by_item):,} items")
    for name, value in found.by_person.items():
        alone = f", against the others' consensus {found.leave_one_out[name]:.3f}" if found.leave_one_out else ""
        console.print(f"  {name}: {value:.3f}{alone}")


def people(
    files: FILES = None,
    store: STORE_OR_NONE = None,
    campaign: CAMPAIGN = None,
    kind: KIND = None,
    person: PERSON = None,
    as_json: JSON = False,
) -> None:
    """Show what each person has done: stage, right answers, work, seconds for an item, agreement; and what is left.

    Example: whywire annotate people --store news.db
    """
    labels = load(files, store, campaign, kind, person)
    reports = labels.report_people()
    if as_json:
        write_rows(map(person_row, reports))
        return
    table = Table("person", "stage", "training", "exam", "controls", "work", "seconds", "agreement", box=None)
    for one in reports:
        known = [f"{one.right[role]}/{one.given[role]}" for role in one.given]
        agrees = "" if one.agreement is None else f"{one.agreement:.2f}"
        stage = "withdrawn" if one.excluded else one.stage.value
        table.add_row(one.name, stage, *known, str(one.worked), f"{one.seconds:.0f}", agrees)
    console = PlainConsole(soft_wrap=False)
    console.print(table)
    console.print(estimate_text(labels.estimate()))


def estimate_text(left: Estimate) -> str:
    """What is left to do, in words."""
    pay = f", pay {left.pay:,.2f}" if left.pay else ""
    return f"left: at most {left.answers:,} answers, {left.seconds / 3600:.1f} hours{pay}"
