"""``whywire serve`` and ``keys``: the service of a store, and the keys of its API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer
from rich.text import Text

from whywire.cli.json_lines import write_rows
from whywire.cli.options import JSON, READER, with_second_reader
from whywire.cli.terminal import PlainConsole

STORE = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="WHYWIRE_STORE",
        metavar="STORE",
        help="A file of SQLite, or *postgresql://host/name* (extra **postgres**); a missing file is made.",
    ),
]
DEFAULT_STORE = "whywire.db"


@with_second_reader
def serve(
    store: STORE = DEFAULT_STORE,
    host: Annotated[
        str, typer.Option(help="The address to listen on; the default is reached from this machine only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    feeds: Annotated[
        list[str] | None,
        typer.Option(
            help="Watch these feeds as well: an address, an OPML file, or a list of addresses (extra **feeds**); "
            "may be given several times."
        ),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Watch also feeds on this machine and in private networks.")
    ] = False,
    private_webhooks: Annotated[
        bool,
        typer.Option("--private-webhooks", help="Send webhooks also to this machine and private networks."),
    ] = False,
    example: Annotated[bool, typer.Option("--example", help="Put the bundled example into the store.")] = False,
    closed: Annotated[
        bool, typer.Option("--closed", help="Require a key for reading as well; writing always needs one.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer requests for this host name only; may be given several times. The default address answers "
            "the names of this machine only.",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SITE",
            help="A site whose pages may call the API from a browser, such as `https://desk.example`; may be given "
            "several times.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy that is trusted to name the address of a client, and the path below which it publishes the "
            "service; may be given several times.",
        ),
    ] = None,
    root_path: Annotated[
        str,
        typer.Option(metavar="PATH", help="The path below which a proxy publishes the service, such as `/news`."),
    ] = "",
    per_minute: Annotated[
        float, typer.Option(min=1, help="The most requests a minute with one key, or from one address without a key.")
    ] = 3000.0,
    no_worker: Annotated[
        bool,
        typer.Option(
            "--no-worker",
            help="Leave taking articles into the graph, and the feeds of the store, to other processes.",
        ),
    ] = False,
    reader: READER = None,
) -> None:
    """Serve a graph that grows: articles come in by API or from feeds, and pages and an API show the graph.

    It can start in an empty folder. Articles are kept in the **store** as soon as they come, and a worker takes them
    into the graph. Several processes may serve one PostgreSQL database. Everybody who reaches the address may read;
    writing needs a key (`whywire keys make`). The API is described at `/v1/openapi.json`. Health is at `/healthz`,
    readiness at `/readyz`, metrics for Prometheus at `/metrics`; logs are JSON lines on standard error. After
    SIGTERM or Ctrl-C it answers the requests in flight and stops.

    Example: whywire serve --example
    """
    from whywire.service.serving import serve as serve_store
    from whywire.service.settings import Settings
    from whywire.service.telemetry import log_to, logger

    settings = Settings(
        open_reading=not closed,
        allowed_hosts=tuple(allow_host or ()),
        cors_origins=tuple(allow_origin or ()),
        trusted_proxies=tuple(proxy or ()),
        root_path=root_path,
        private_feeds=allow_private,
        private_webhooks=private_webhooks,
        works=not no_worker,
        requests_per_minute=per_minute,
        second_reader=reader,
    )

    def say(url: str) -> None:
        PlainConsole(stderr=True).print(Text.assemble("serving ", (store, "bold"), " at ", (url, "bold")))

    log_to()
    if reader is not None:
        reader.say = logger.warning
    serve_store(store, host=host, port=port, feeds=feeds or (), example=example, settings=settings, on_ready=say)


keys = typer.Typer(
    name="keys",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Make, list and revoke the keys of a service.

    A request that writes has a key in its header: `Authorization: Bearer ww_…`. The scope **read** allows reading
    from a closed service, **write** also sending articles, **admin** everything. The store has only hashes of keys.
    """,
    epilog="Example: **whywire keys make 'feed reader' --scope write**",
)


@keys.command("make", epilog="Example: **whywire keys make 'feed reader' --scope write**")
def make(
    name: Annotated[str, typer.Argument(help="Who uses it; shown by `list`.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="What it allows: `read`, `write`, `admin`; may be given several times. By default read and write."
        ),
    ] = None,
    store: STORE = DEFAULT_STORE,
) -> None:
    """Make a key, and print it: it cannot be looked up later."""
    from whywire.service.keys import keys as open_keys

    with open_keys(store) as service_keys:
        made = service_keys.make(name, scope or ("read", "write"))
    typer.echo(made.token)
    scopes = ", ".join(made.key.scopes)
    PlainConsole(stderr=True).print(f"the key {made.key.id} of {made.key.name!r} may {scopes}; it is shown only once")


@keys.command("list", epilog="Example: **whywire keys list**")
def list_keys(store: STORE = DEFAULT_STORE, as_json: JSON = False) -> None:
    """List the keys, including revoked ones."""
    from whywire.service.keys import keys as open_keys
    from whywire.service.rows import key_row

    with open_keys(store, read_only=True) as service_keys:
        listed = service_keys.list()
    if as_json:
        write_rows(map(key_row, listed))
        return
    console = PlainConsole()
    for key in listed:
        state = f"revoked {_minute(key.revoked)}" if key.revoked else "in force"
        used = f"last used {_minute(key.last_used)}" if key.last_used else "never used"
        scopes = ", ".join(key.scopes)
        console.print(Text(f"{key.id}  {key.name}  {scopes}  made {_minute(key.made)}, {used}, {state}"))
    if not listed:
        PlainConsole(stderr=True).print("there is no key")


@keys.command("revoke", epilog="Example: **whywire keys revoke 5f0c6e1a9b3d**")
def revoke(
    key: Annotated[str, typer.Argument(help="The id of a key, as `list` shows it.")], store: STORE = DEFAULT_STORE
) -> None:
    """Revoke a key: requests with it are refused from now on."""
    from whywire.service.keys import keys as open_keys

    with open_keys(store) as service_keys:
        revoked = service_keys.revoke(key)
    PlainConsole(stderr=True).print(f"the key {revoked.id} of {revoked.name!r} is revoked")


def _minute(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
