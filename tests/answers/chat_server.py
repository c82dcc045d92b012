"""A chat endpoint on this machine that answers what a test tells it to."""

import json
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.local_server import answering


@dataclass
class Reply:
    """One answer; with ``cut`` the connection ends so many bytes too early, with ``drip`` each byte takes so long."""

    body: str = ""
    status: int = 200
    headers: dict = field(default_factory=dict)
    wait: float = 0.0
    cut: int = 0
    drip: float = 0.0
    reason: str | None = None


def says(content: object, **more: object) -> Reply:
    """A chat completion whose words are JSON, or a string as it is; with ``usage``, if given."""
    words = content if isinstance(content, str) else json.dumps(content)
    return Reply(json.dumps({"choices": [{"message": {"role": "assistant", "content": words}}]} | more))


class Server:
    """What was asked, and what is still to be answered; the last answer is given again and again."""

    def __init__(self, replies: list[Reply]) -> None:
        self.replies = replies
        self.asked: list[tuple[str, dict, dict]] = []
        self.url = ""

    def next_reply(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def serving(*replies: Reply):
    """A server at ``url`` that gives these answers one after the other."""
    server = Server(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.asked.append((self.path, dict(self.headers), json.loads(body)))
            self.reply()

        def do_GET(self):
            server.asked.append((self.path, dict(self.headers), {}))
            self.reply()

        def reply(self):
            reply = server.next_reply()
            time.sleep(reply.wait)
            content = reply.body.encode()
            try:
                self.send_response(reply.status, reply.reason)
                for name, value in ({"Content-Length": str(len(content))} | reply.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                content = content[: len(content) - reply.cut]
                step = 1 if reply.drip else len(content) or 1
                for start in range(0, len(content), step):
                    self.wfile.write(content[start : start + step])
                    time.sleep(reply.drip)
            except OSError:
                pass  # whoever asked did not wait

        def log_message(self, *_):
            pass

    with answering(Handler) as url:
        server.url = f"{url}/v1"
        yield server
