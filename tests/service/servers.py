"""The real server on a free port of this machine, for as long as a test needs it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from tests.fake_models import FakeLanguageModels

from whywire.service.app import create_app
from whywire.service.context import Context
from whywire.service.keys import Keys
from whywire.service.serving import Server, listen, run_server, url_of
from whywire.service.settings import Settings


@dataclass
class Running:
    """A service that answers.

    Args:
        web: a client of it.
        context: its inside, to wait for the worker or to look into the store.
    """

    url: str
    web: httpx2.Client
    context: Context
    server: Server

    def key(self, *scopes: str) -> dict[str, str]:
        """The header of a new key with these scopes."""
        made = Keys(self.context.store).make("a test", scopes)
        return {"authorization": f"Bearer {made.token}"}

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.web.get(path, **options)

    def settle(self, seconds: float = 60) -> None:
        """Wait until no article and no correction waits."""
        end = time.monotonic() + seconds
        while self.context.store.waiting() or self.context.store.waiting_correction():
            assert time.monotonic() < end, "the worker is too slow"
            time.sleep(0.02)

    def post(self, path: str, **options: Any) -> httpx2.Response:
        return self.web.post(path, **options)


@contextmanager
def running(settings: Settings, models: FakeLanguageModels) -> Iterator[Running]:
    """Serve from a thread; stop as on a signal."""
    app = create_app(settings, models=models)
    opened = listen(settings)
    server = Server(app, settings)
    thread = threading.Thread(target=run_server, args=(server, opened))
    thread.start()
    try:
        with httpx2.Client(base_url=url_of(opened), timeout=30) as web:
            while not server.started and thread.is_alive():
                thread.join(0.01)
            assert server.started
            yield Running(url_of(opened), web, app.state.context, server)
    finally:
        server.should_exit = True
        thread.join(60)
        opened.close()
        assert not thread.is_alive()
