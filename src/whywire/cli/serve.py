"""``whywire serve``: an API, pages, and a worker that takes articles into the graph."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whywire.cli.console import PlainConsole

STORE = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="WHYWIRE_STORE",
        metavar="URL",
        help="A file, made where it is missing, or `postgresql://…` (extra **postgres**).",
    ),
]
DEFAULT_STORE = "whywire.db"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("serve", epilog="Example: **whywire serve --example** and open the address it prints.")(serve)


def serve(
    store: STORE = DEFAULT_STORE,
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine reaches the default.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    feeds: Annotated[
        list[str] | None,
        typer.Option(
            help="Watch these feeds meanwhile: an address, a file of OPML, or a list of addresses (extra **feeds**); "
            "may be given several times."
        ),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Watch feeds on this machine and in private networks, too.")
    ] = False,
    example: Annotated[bool, typer.Option("--example", help="Put the bundled example into the store.")] = False,
    closed: Annotated[
        bool, typer.Option("--closed", help="Reading needs a key as well; writing always does.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A host name that is served, as browsers send it; may be given several times. On the default "
            "address only names of this machine are.",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="SITE", help="A site whose pages may call the API, such as `https://desk.example`."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy whose word on a client's address, and on the path "
            "below which it publishes the service, is believed.",
        ),
    ] = None,
    root_path: Annotated[
        str,
        typer.Option(metavar="PATH", help="The path below which a proxy publishes the service, such as `/news`."),
    ] = "",
    per_minute: Annotated[
        float, typer.Option(min=1, help="The most requests a minute of one key, or of one address without a key.")
    ] = 3000.0,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave the articles that come in to other processes.")
    ] = False,
) -> None:
    """Serve a graph that grows: articles in by API or feeds; pages, answers and an API out.

    An empty folder is enough. What comes in is kept in the **store** at once, and a worker takes it into the graph.
    Several processes may serve one PostgreSQL. Reading is open to whom the address reaches; writing needs a key
    (*whywire keys make*). The API is described at `/v1/openapi.json`. Health is at `/healthz`, readiness at
    `/readyz`, metrics for Prometheus at `/metrics`; logs are JSON lines on standard error. SIGTERM or Ctrl-C stops
    it after requests in flight are answered.
    """
    from whywire.service.serving import serve as serve_store
    from whywire.service.settings import Settings
    from whywire.service.telemetry import log_to

    settings = Settings(
        open_reading=not closed,
        allowed_hosts=tuple(allow_host or ()),
        cors_origins=tuple(allow_origin or ()),
        trusted_proxies=tuple(proxy or ()),
        root_path=root_path,
        private_feeds=allow_private,
        works=not no_worker,
        requests_per_minute=per_minute,
    )

    def say(url: str) -> None:
        PlainConsole(stderr=True).print(Text.assemble("serving ", (store, "bold"), " at ", (url, "bold")))

    log_to()
    serve_store(store, host=host, port=port, feeds=feeds or (), example=example, settings=settings, on_ready=say)
