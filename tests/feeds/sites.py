"""A site on this machine that answers with whatever bytes a test wants, and remembers what it was asked."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from tests.local_server import answering

Answer = bytes | Iterable[bytes] | Callable[[dict], bytes | Iterable[bytes]]
"""A whole response with its status line: at once, in pieces, or made from the headers of the request."""

PARAGRAPHS = (
    "The dam above Ellery gave way on Tuesday after nine days of rain, the water authority said.",
    "Engineers said that a blocked spillway had raised the water by four metres in a single night.",
)


def reply(body: bytes | str = b"", status: str = "200 OK", *, length: int | None = None, **headers: object) -> bytes:
    """A response; an underscore in the name of a header stands for a hyphen."""
    content = body.encode() if isinstance(body, str) else body
    fields = {"Content-Length": len(content) if length is None else length, "Connection": "close"}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + content


def rss(items: Iterable[str], head: str = "") -> str:
    """A feed of these items."""
    content = f"<title>Harbour Post</title>{head}{''.join(items)}"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{content}</channel></rss>'


def item(link: str, title: str = "Dam gives way", more: str = "<description>It broke.</description>") -> str:
    """An entry of a feed."""
    return f"<item><title>{title}</title><link>{link}</link>{more}</item>"


def page(title: str = "Dam gives way above Ellery", head: str = "") -> str:
    """The page of an article."""
    text = "".join(f"<p>{words}</p>" for words in PARAGRAPHS)
    body = f"<body><article><h1>{title}</h1>{text}</article></body>"
    return f"<html><head><title>{title}</title>{head}</head>{body}</html>"


class Site:
    """What a site answers by path, and what it was asked: paths, and the headers of each request."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.headers: list[dict] = []

    def __setitem__(self, path: str, answer: Answer) -> None:
        self.answers[path] = answer

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextmanager
def serving_site() -> Iterator[Site]:
    """A site on loopback; it has no robots.txt unless a test gives it one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            site.headers.append(headers)
            answer = site.answers.get(self.path, reply("not here", "404 Not Found"))
            answer = answer(headers) if callable(answer) else answer
            self.close_connection = True
            try:
                for piece in [answer] if isinstance(answer, bytes) else answer:
                    self.wfile.write(piece)
                    self.wfile.flush()
            except OSError:
                pass  # whoever asked did not wait

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as url:
        site = Site(url)
        yield site
