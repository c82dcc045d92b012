"""``whywire keys``: who may write to a service, and read from one that is closed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from whywire.cli.console import PlainConsole
from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON
from whywire.cli.serve import DEFAULT_STORE, STORE

if TYPE_CHECKING:
    from whywire.store import ApiKey

keys = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(
        keys,
        name="keys",
        help="Make, list and revoke the keys of a service.\n\n"
        "A request that writes has one in its header: `Authorization: Bearer ww_…`. The scope **read** allows to "
        "read where the service is closed, **write** to send articles, **admin** everything. Only hashes are kept in "
        "the store.",
        epilog="Example: **whywire keys make 'feed reader' --scope write**",
    )


@keys.command("make", epilog="Example: **whywire keys make 'feed reader' --scope write**")
def make(
    name: Annotated[str, typer.Argument(help="Whose it is, for the list.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help="What it allows: `read`, `write`, `admin`; may be given several times. Read and write."),
    ] = None,
    store: STORE = DEFAULT_STORE,
) -> None:
    """Make a key, and print it: nobody can look it up later."""
    from whywire.service.keys import keys as keys_of

    with keys_of(store) as own:
        made = own.make(name, scope or ("read", "write"))
    typer.echo(made.token)
    scopes = ", ".join(made.key.scopes)
    PlainConsole(stderr=True).print(f"the key {made.key.id} of {made.key.name!r} may {scopes}; it is shown only once")


@keys.command("list", epilog="Example: **whywire keys list**")
def list_keys(store: STORE = DEFAULT_STORE, as_json: JSON = False) -> None:
    """List the keys, those that were revoked among them."""
    from whywire.service.keys import keys as keys_of
    from whywire.service.rows import key_row

    with keys_of(store, read_only=True) as own:
        found = own.list()
    if as_json:
        write_rows(key_row(key) for key in found)
        return
    console = PlainConsole()
    for key in found:
        console.print(_line(key))
    if not found:
        PlainConsole(stderr=True).print("there is no key")


@keys.command("revoke", epilog="Example: **whywire keys revoke 5f0c6e1a9b3d**")
def revoke(
    key: Annotated[str, typer.Argument(help="The id of a key, as `list` shows it.")], store: STORE = DEFAULT_STORE
) -> None:
    """Revoke a key: from now on no request with it is answered."""
    from whywire.service.keys import keys as keys_of

    with keys_of(store) as own:
        revoked = own.revoke(key)
    PlainConsole(stderr=True).print(f"the key {revoked.id} of {revoked.name!r} is revoked")


def _line(key: ApiKey) -> Text:
    state = f"revoked {_day(key.revoked)}" if key.revoked else "in force"
    used = f"last used {_day(key.last_used)}" if key.last_used else "never used"
    return Text(f"{key.id}  {key.name}  {', '.join(key.scopes)}  made {_day(key.made)}, {used}, {state}")


def _day(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
