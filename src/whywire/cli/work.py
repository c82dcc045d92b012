"""``whywire work``: a worker of a store as a process of its own."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.text import Text

from whywire.cli.options import (
    ADDRESS,
    ENGINE,
    READER,
    EngineName,
    opened_engine,
    with_second_reader,
)
from whywire.cli.serve import DEFAULT_STORE, STORE
from whywire.cli.stores import show_update
from whywire.cli.terminal import BarProgress, PlainConsole


@with_second_reader
def work(
    store: STORE = DEFAULT_STORE,
    once: Annotated[
        bool, typer.Option("--once", help="Stop when nothing waits, and print what changed; feeds are not watched.")
    ] = False,
    engine: ENGINE = EngineName.LOCAL,
    address: ADDRESS = None,
    reader: READER = None,
) -> None:
    """Take the articles that wait in a store into its graph, as a process of its own.

    Run it beside `serve --no-worker`, so that pages stay quick while much is read; several may share a database. The
    database has what is to be done and who does it: what a worker had that was killed, another one does, and nothing
    is done twice. On PostgreSQL one worker decides while others read. It watches the feeds of the store if no other
    process does. Logs are JSON lines on standard error. After SIGTERM or Ctrl-C it gives back what it has and stops.

    Example: whywire work --store postgresql://localhost/news --engine ray
    """
    from whywire.service.telemetry import log_to, logger
    from whywire.service.working import work as work_on_store

    started = time.perf_counter()
    if not once:
        log_to()
        if reader is not None:
            reader.say = logger.warning
    with opened_engine(engine, address) as models, BarProgress() as progress:
        done = work_on_store(store, once=once, models=models, second_reader=reader, progress=progress)
    if done is not None:
        show_update(done, Text(f"done ({time.perf_counter() - started:.0f} s)"))
    elif once:
        PlainConsole(stderr=True).print("stopped; what was not done waits in the store")
