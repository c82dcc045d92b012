"""A small reverse proxy that publishes a service below a path, and tells what it was asked for besides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from tests.local_server import answering


@dataclass
class ReverseProxy:
    """Where it listens, with the path; and the paths that it was asked for besides."""

    url: str = ""
    outside: list[str] = field(default_factory=list)


@contextmanager
def publishing(service: str, path: str, *, strips: bool, says: bool) -> Iterator[ReverseProxy]:
    """Publish a service below a path of a site that has nothing else.

    Args:
        service: its address.
        path: such as ``/news``.
        strips: it takes the path off before it asks the service.
        says: it names the path in ``X-Forwarded-Prefix``.
    """
    proxy = ReverseProxy()
    host = urlsplit(service).netloc

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not (self.path == path or self.path.startswith((f"{path}/", f"{path}?"))):
                proxy.outside.append(self.path)
                self.send_error(404)
                return
            inner = self.path.removeprefix(path) or "/" if strips else self.path
            headers = dict(self.headers) | ({"X-Forwarded-Prefix": path} if says else {})
            upstream = HTTPConnection(host, timeout=60)
            try:
                upstream.request(self.command, inner, headers=headers | {"Connection": "close"})
                answer = upstream.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "date"):
                        self.send_header(name, value)
                self.end_headers()
                while part := answer.read1(2**16):
                    self.wfile.write(part)
                    self.wfile.flush()
            except OSError:
                pass  # whoever asked went away
            finally:
                upstream.close()
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as address:
        proxy.url = address + path
        yield proxy
