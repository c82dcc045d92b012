"""A web server on this machine that gives out what a test tells it to."""

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.local_server import answering


@dataclass
class Page:
    """What stands under a path; with ``cut`` the connection ends so many bytes too early."""

    body: bytes = b""
    status: int = 200
    headers: dict = field(default_factory=dict)
    cut: int = 0
    says_length: bool = True
    silent: threading.Event | None = None


class Site:
    """The pages by path, and the paths that were asked for."""

    def __init__(self, pages):
        self.pages = pages
        self.asked = []
        self.url = ""


@contextmanager
def serving(pages):
    """A site at ``url`` with these pages; bytes alone are a page, too."""
    site = Site({path: page if isinstance(page, Page) else Page(page) for path, page in pages.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            site.asked.append(self.path)
            page = site.pages.get(self.path, Page(b"not here", status=404))
            if page.silent:
                page.silent.wait(30)
            try:
                self.send_response(page.status)
                length = {"Content-Length": str(len(page.body))} if page.says_length else {}
                for name, value in (length | page.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page.body[: len(page.body) - page.cut])
            except OSError:
                pass  # whoever asked has gone

        def log_message(self, *_):
            pass

    with answering(Handler) as url:
        site.url = url
        yield site
