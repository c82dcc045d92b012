"""WARC files: their pages as articles, what is wrong with them as problems with places, in little memory."""

import gzip
import tracemalloc

import pytest

from whywire.news import Article, read_news

pytest.importorskip("fastwarc")
pytest.importorskip("trafilatura")

TEXT = (
    "The dam above Ellery gave way on Tuesday after nine days of rain.",
    "Engineers said that a blocked spillway had raised the water by four metres.",
)


def page(title="Dam gives way above Ellery", head="", words=TEXT):
    paragraphs = "".join(f"<p>{words}</p>" for words in words)
    return (
        f"<html><head><title>{title} - Harbour Post</title>{head}</head><body><nav><a href='/'>Home</a></nav>"
        f"<article><h1>{title}</h1>{paragraphs}</article><footer>© Harbour Post 2019</footer></body></html>"
    ).encode()


def record(content, url="https://www.harbour.example/dam", status="200 OK", kind="response", headers="", warc=""):
    body = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n{headers}\r\n".encode() + content
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-03-09T10:00:00Z\r\n{warc}"
        "WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def read(path, content):
    path.write_bytes(content)
    found = list(read_news(path))
    articles = [one for one in found if isinstance(one, Article)]
    return articles, [one for one in found if not isinstance(one, Article)]


@pytest.mark.parametrize("packed", [False, True])
def test_pages_are_articles(tmp_path, packed):
    time = '<meta property="article:published_time" content="2026-03-04T10:00:00+03:00">'
    records = [record(page(head=time)), record(page("Second"), url="https://b.example/2")]
    content = b"".join(map(gzip.compress, records) if packed else records)
    path = tmp_path / ("news.warc.gz" if packed else "news.warc")
    (first, second), [] = read(path, content)
    assert first.title == "Dam gives way above Ellery"
    assert first.text == "\n".join(TEXT)
    assert (first.url, first.source) == ("https://www.harbour.example/dam", "harbour.example")
    assert first.published.at.isoformat() == "2026-03-04T07:00:00+00:00"
    assert second.published is None, "a page without a time gets neither that of the crawl nor one of its footer"
    assert second.place == f"{path}:2"


def test_a_day_of_the_page_is_one_that_is_inferred(tmp_path):
    [article], [] = read(tmp_path / "a.warc", record(page(head='<meta name="date" content="2026-03-04">')))
    assert article.published.day_only
    assert article.published.inferred_from == "page"


def test_a_time_of_the_page_that_cannot_be_read_is_noted(tmp_path):
    head = '<meta property="article:published_time" content="on the day after">'
    [article], [problem] = read(tmp_path / "a.warc", record(page(head=head)))
    assert article.published is None
    assert problem.kept
    assert problem.place == article.place
    assert problem.reason == "unreadable time 'on the day after'"


def test_records_of_other_kinds_are_passed_over(tmp_path):
    others = [
        record(page(), kind="request"),
        record(page(), status="404 Not Found"),
        record(page(), status="301 Moved"),
    ]
    [article], [] = read(tmp_path / "a.warc", b"".join([*others, record(page())]))
    assert article.place.endswith(":4")


def test_payloads_packed_by_the_server(tmp_path):
    packed = record(gzip.compress(page()), headers="Content-Encoding: gzip\r\n")
    [article], [] = read(tmp_path / "a.warc", packed)
    assert article.text == "\n".join(TEXT)


def test_bad_records_have_their_places(tmp_path):
    path = tmp_path / "a.warc"
    huge = record(gzip.compress(b" " * (11 * 2**20)), url="https://a.example/h", headers="Content-Encoding: gzip\r\n")
    cut = record(page(), url="https://a.example/c", warc="WARC-Truncated: length\r\n")
    articles, problems = read(path, huge + record(b"<p>x", url="https://a.example/x") + cut + b"no record\r\n\r\n")
    assert [one.url for one in articles] == ["https://a.example/c"]
    assert {(one.place, one.kept) for one in problems} == {
        (f"{path}:1", False),
        (f"{path}:2", False),
        (f"{path}:3", True),
        (f"{path}:3", False),
    }
    reasons = " ".join(one.reason for one in problems)
    assert "more than 10 MB" in reasons
    assert "no text of an article" in reasons
    assert "the crawler cut this page: length" in reasons
    assert "nothing after it is read" in reasons


@pytest.mark.parametrize("content", [b"", b"no such file\n" * 9])
def test_a_file_that_is_none(tmp_path, content):
    [], [problem] = read(tmp_path / "a.warc", content)
    assert problem.place == str(tmp_path / "a.warc")


def test_memory_is_bounded_by_a_few_pages(tmp_path):
    path = tmp_path / "a.warc.gz"
    filler = b"<!--" + b"x" * 2**20 + b"-->"
    with path.open("wb") as file:
        for number in range(64):
            file.write(gzip.compress(record(page() + filler, url=f"https://a.example/{number}")))
    next(iter(read_news(path)))  # what is imported at the first page is not of this file
    tracemalloc.start()
    count = sum(isinstance(found, Article) for found in read_news(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 64
    assert peak < 32 * 2**20
