"""A web server on this machine for as long as a test needs it: pages by their paths, or a chat endpoint's replies."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


@dataclass
class Reply:
    """What is answered to one request.

    Args:
        wait: seconds before the answer begins.
        silent: no answer before this is set, 30 seconds at most.
        cut: the connection ends so many bytes too early.
        drip: seconds after each byte.
        says_length: whether the length is in the headers.
    """

    body: str | bytes = ""
    status: int = 200
    headers: dict = field(default_factory=dict)
    wait: float = 0.0
    silent: threading.Event | None = None
    cut: int = 0
    drip: float = 0.0
    reason: str | None = None
    says_length: bool = True


class Asked(NamedTuple):
    """One request; the body is that of a POST, read as JSON."""

    path: str
    headers: dict
    body: dict


Answering = Callable[[dict], Reply]


class Server:
    """Where a server listens, what it was asked, and what it gives: pages by path, or replies in their order."""

    def __init__(self, url: str, pages: dict[str, Reply], replies: list[Reply | Answering]) -> None:
        self.url = url
        self.pages = pages
        self.replies = replies
        self.asked: list[Asked] = []

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for."""
        return [one.path for one in self.asked]


def says(content: object, **more: object) -> Reply:
    """A chat completion whose words are JSON, or a string as it is; with ``usage``, if given."""
    words = content if isinstance(content, str) else json.dumps(content)
    return Reply(json.dumps({"choices": [{"message": {"role": "assistant", "content": words}}]} | more))


@contextmanager
def serving(*replies: Reply | Answering) -> Iterator[Server]:
    """A chat endpoint that gives these replies one after the other, and the last one again and again.

    A reply may be a function of the request.
    """
    with _serving("/v1", {}, list(replies)) as server:
        yield server


@contextmanager
def serving_pages(pages: Mapping[str, Reply | bytes]) -> Iterator[Server]:
    """A site with these pages by their paths; bytes alone are a page, too."""
    replies = {path: page if isinstance(page, Reply) else Reply(page) for path, page in pages.items()}
    with _serving("", replies, []) as server:
        yield server


@contextmanager
def _serving(below: str, pages: dict[str, Reply], replies: list[Reply | Answering]) -> Iterator[Server]:
    def reply_to(path: str, asked: dict) -> Reply:
        if not replies:
            return pages.get(path, Reply("not here", status=404))
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        return reply if isinstance(reply, Reply) else reply(asked)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def do_GET(self) -> None:
            self.answer({})

        def answer(self, asked: dict) -> None:
            server.asked.append(Asked(self.path, dict(self.headers), asked))
            reply = reply_to(self.path, asked)
            time.sleep(reply.wait)
            if reply.silent:
                reply.silent.wait(30)
            content = reply.body.encode() if isinstance(reply.body, str) else reply.body
            length = {"Content-Length": str(len(content))} if reply.says_length else {}
            try:
                self.send_response(reply.status, reply.reason)
                for name, value in (length | reply.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                content = content[: len(content) - reply.cut]
                step = 1 if reply.drip else len(content) or 1
                for start in range(0, len(content), step):
                    self.wfile.write(content[start : start + step])
                    time.sleep(reply.drip)
            except OSError:
                pass  # whoever asked did not wait

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as url:
        server = Server(url + below, pages, replies)
        yield server


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address at which requests go to this handler."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
