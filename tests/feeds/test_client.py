"""The client against a server that does everything badly, and against names that point where they should not."""

import asyncio
import gzip
import shutil
import ssl
import subprocess
import threading
import time
import tracemalloc
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.feeds.sites import reply

from whywire.feeds.client import MAX_REDIRECTS, FetchError, ForbiddenAddressError, GuardedClient, Response

MEGABYTE = 2**20


def get(url, *, allow_private=True, seconds=10.0, largest=MEGABYTE, resolve=None, **options) -> Response:
    """What a new client fetches."""

    async def fetch():
        resolver = {"resolve": resolve} if resolve else {}
        async with GuardedClient(allow_private=allow_private, seconds=seconds, **resolver) as client:
            return await client.get(url, largest=largest, **options)

    return asyncio.run(fetch())


def resolving(*answers):
    """A resolver that gives these answers one after the other."""
    left = list(answers)

    async def resolve(host, port):
        return left.pop(0)

    return resolve


def test_a_document_with_its_headers(site):
    site["/feed"] = reply("a feed", ETag='"1"', Content_Type="application/rss+xml")
    response = get(f"{site.url}/feed#part", headers={"If-None-Match": '"0"'})
    assert (response.status, response.content, response.moved_to) == (200, b"a feed", None)
    assert (response.headers["etag"], response.content_type) == ('"1"', "application/rss+xml")
    assert site.asked == ["/feed"]
    assert site.headers[0]["if-none-match"] == '"0"'
    assert site.headers[0]["user-agent"].startswith("whywire/")


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"),
        *("0.0.0.0", "0", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "127.0.0.1."),
        *("169.254.169.254", "[fe80::1]", "①②⑦.⓪.⓪.①", "%31%32%37.0.0.1"),
    ],
)
def test_this_machine_is_not_reached_however_it_is_written(site, host):
    site["/"] = reply("secret")
    with pytest.raises(FetchError):
        get(f"http://{host}:{site.port}/", allow_private=False)
    assert site.asked == []


def test_the_refusal_says_what_to_do(site):
    with pytest.raises(ForbiddenAddressError, match=r"127\.0\.0\.1 is a private address .*--allow-private"):
        get(site.url, allow_private=False)


def test_one_forbidden_address_refuses_the_name(site):
    site["/"] = reply("secret")
    for addresses in (["127.0.0.1", "169.254.169.254"], ["169.254.169.254", "127.0.0.1"], ["127.0.0.1", "fe80::1%2"]):
        with pytest.raises(ForbiddenAddressError):
            get(f"http://feed.example:{site.port}/", resolve=resolving(addresses))
    assert site.asked == []


def test_the_connection_goes_to_the_address_that_was_judged(site):
    site["/"] = reply("feed")
    asked = resolving(["127.0.0.1"], ["169.254.169.254"])  # it has another address when asked again

    async def twice():
        async with GuardedClient(allow_private=True, resolve=asked) as client:
            first = await client.get(f"http://feed.example:{site.port}/", largest=MEGABYTE)
            with pytest.raises(ForbiddenAddressError):
                await client.get(f"http://feed.example:{site.port}/", largest=MEGABYTE)
            return first

    assert asyncio.run(twice()).content == b"feed"
    assert site.headers[0]["host"] == f"feed.example:{site.port}"
    assert len(site.asked) == 1


def test_of_several_addresses_one_that_answers_is_taken(site):
    site["/"] = reply("feed")
    url = f"http://feed.example:{site.port}/"
    assert get(url, resolve=resolving(["127.0.0.9", "127.0.0.1"])).content == b"feed"
    with pytest.raises(FetchError, match="has no address"):
        get(url, resolve=resolving([]))


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest", "//169.254.169.254/", "http://[fe80::1]/"])
def test_a_redirect_leads_to_no_forbidden_address(site, target):
    site["/"] = reply(status="302 Found", Location=target)
    with pytest.raises(ForbiddenAddressError):
        get(site.url)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://a.example/", "data:,x", "javascript:1"])
def test_only_the_web_is_asked(site, target):
    site["/"] = reply(status="301 Moved", Location=target)
    for url in (site.url, target):
        with pytest.raises(FetchError, match="not a web address"):
            get(url)


@pytest.mark.parametrize("url", ["http://me:secret@a.example/", "http://", "", "no", "http://a:99999/"])
def test_addresses_that_are_none(url):
    with pytest.raises(FetchError) as caught:
        get(url)
    assert "secret" not in str(caught.value)


def test_redirects_are_followed_and_permanent_ones_told(site):
    site["/old"] = reply(status="301 Moved Permanently", Location="/new")
    site["/new"] = reply(status="308 Permanent Redirect", Location="today")
    site["/today"] = reply(status="307 Temporary Redirect", Location=f"{site.url}/end")
    site["/end"] = reply("feed")
    response = get(f"{site.url}/old")
    assert (response.content, response.url) == (b"feed", f"{site.url}/end")
    assert response.moved_to == f"{site.url}/today", "up to the first one that is not permanent"


def test_redirects_have_an_end(site):
    site["/"] = reply(status="302 Found", Location="/")
    with pytest.raises(FetchError, match="redirects"):
        get(site.url + "/")
    assert len(site.asked) == MAX_REDIRECTS + 1


def test_no_cookie_is_kept(site):
    site["/a"] = reply(status="302 Found", Location="/b", Set_Cookie="id=1; Path=/")
    site["/b"] = reply("b")
    get(f"{site.url}/a")
    assert "cookie" not in site.headers[1]


def test_no_proxy_is_asked(site, monkeypatch):
    site["/"] = reply("feed")
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(site.url).content == b"feed"


ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n"


def test_a_body_without_an_end(site):
    site["/"] = lambda _: (ENDLESS, *repeat(bytes(2**16), 2000))
    with pytest.raises(FetchError, match="longer than 1 MB"):
        get(site.url)


def test_a_length_beyond_the_limit_is_not_waited_for(site):
    site["/"] = reply(b"x", length=10**12)
    with pytest.raises(FetchError, match="longer than"):
        get(site.url)


def slowly(pieces, seconds=0.05):
    for piece in pieces:
        yield piece
        time.sleep(seconds)


@pytest.mark.parametrize(
    "pieces",
    [
        (ENDLESS, *repeat(b"x", 200)),  # each byte comes in time, the whole does not
        (b"HTTP/1.1 200 OK\r\n", *repeat(b"X-Header: y\r\n", 200)),
        tuple(repeat(b"HTTP/1.1 100 Continue\r\n\r\n", 200)),
    ],
)
def test_the_time_of_all_of_it_is_limited(site, pieces):
    site["/"] = lambda _: slowly(pieces)
    with pytest.raises(FetchError, match=r"within 0\.5 seconds"):
        get(site.url, seconds=0.5)


def test_redirects_share_one_time(site):
    site["/"] = lambda _: slowly([b"", reply(status="302 Found", Location="/")], seconds=0.2)
    with pytest.raises(FetchError, match=r"within 0\.5 seconds"):
        get(site.url + "/", seconds=0.5)


def test_so_is_the_time_of_the_name(site):
    async def resolve(host, port):
        await asyncio.sleep(30)
        return ["127.0.0.1"]

    with pytest.raises(FetchError, match="within"):
        get(site.url, seconds=0.3, resolve=resolve)


BOMB = bytes(64 * MEGABYTE)


def packed_raw(content):
    packing = zlib.compressobj(9, wbits=-15)
    return packing.compress(content) + packing.flush()


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw deflate", "br"])
def test_what_unpacks_to_too_much(site, coding):
    if coding == "br":
        packed = pytest.importorskip("brotli").compress(BOMB)
    else:
        packed = {"gzip": gzip.compress, "deflate": zlib.compress, "raw deflate": packed_raw}[coding](BOMB)
    site["/"] = reply(packed, Content_Encoding=coding.split()[-1])
    tracemalloc.start()
    with pytest.raises(FetchError, match=r"compressed size|longer than"):
        get(site.url, largest=32 * MEGABYTE)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 24 * MEGABYTE


@pytest.mark.parametrize("coding", ["gzip, gzip", "compress", "gzip, br", "zstd"])
def test_packings_that_were_not_asked_for(site, coding):
    site["/"] = reply(gzip.compress(gzip.compress(b"x")), Content_Encoding=coding)
    with pytest.raises(FetchError, match="was not requested"):
        get(site.url)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "identity"])
def test_packed_documents_are_read(site, coding):
    content = b"news " * 10_000
    packing = {"gzip": gzip.compress, "deflate": zlib.compress, "identity": bytes}
    packed = packing[coding](content) if coding in packing else pytest.importorskip("brotli").compress(content)
    site["/"] = reply(packed, Content_Encoding=coding)
    assert get(site.url).content == content


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"\x1f\x8b\x08\0garbage" * 9, Content_Encoding="gzip"),
        reply(b"short", length=500),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"y" * 200_000 + b"\r\n\r\nbody",
        b"HTTP/1.1 200 OK\r\n" + b"X-Many: y\r\n" * 20_000 + b"\r\nbody",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nbody",
        b"HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nbody",
        b"HTTP/9.9 what\r\n\r\n",
        b"SSH-2.0-OpenSSH\r\n",
        b"\0" * 1000,
        b"",
    ],
)
def test_answers_that_are_none(site, answer):
    site["/"] = answer
    with pytest.raises(FetchError):
        get(site.url)


HEADERS = st.sampled_from(
    """Content-Length: 5|Content-Length: x|Transfer-Encoding: chunked|Transfer-Encoding: gzip, chunked
    Content-Encoding: gzip|Content-Encoding: deflate|Content-Encoding: br|Connection: upgrade|Upgrade: h2c|X|: x
    Location: http://[|Location: //\0|Location: http://xn--a/|Location: /%ff|Location: http://a:b/
    Set-Cookie: a=b; expires=x|Content-Type: text/html; charset=ÿ""".replace("\n    ", "|").split("|")
)
STATUSES = st.sampled_from(
    ["200 OK", "301 Moved", "304", "101 Switching", "103 Early", "204 No", "999 ?", "0", "x", ""]
)


def test_whatever_a_server_answers_is_a_response_or_an_error(site):
    @settings(max_examples=100)
    @given(STATUSES, st.lists(HEADERS, max_size=4), st.binary(max_size=40))
    def answers(status, headers, body):
        head = "".join(f"{header}\r\n" for header in headers)
        site["/"] = f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body
        try:
            assert isinstance(get(site.url + "/", seconds=1.0), Response)
        except FetchError as error:
            assert str(error)  # noqa: PT017

    answers()


def test_nobody_there(site):
    url = site.url
    site.asked.clear()
    with pytest.raises(FetchError, match="no connection"):
        get("http://127.0.0.1:9/")
    assert get(url).status == 404


def test_a_body_is_read_only_of_a_document(site):
    site["/"] = lambda _: (b"HTTP/1.1 500 Oh\r\n\r\n", *repeat(bytes(2**16), 2000))
    response = get(site.url)
    assert (response.status, response.content) == (500, b"")


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_certificates_are_verified(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    subprocess.run([*made.split(), *names], check=True, capture_output=True)
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *_: None
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        with pytest.raises(FetchError, match="certificate"):
            get(f"https://localhost:{server.server_address[1]}/")
        server.shutdown()
        thread.join()
    assert asked == []
