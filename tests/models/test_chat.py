"""A chat model behind an endpoint, as it behaves and as it misbehaves."""

import html
import json
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from urllib.parse import quote

import pytest
from tests.local_server import Reply, answering, says, serving

from whywire.errors import InputError, MissingExtraError, ModelError
from whywire.models.chat import (
    KEY,
    MAX_ANSWER_BYTES,
    MAX_RETRIES,
    MODEL,
    URL,
    AnswerError,
    ChatEndpoint,
    Completion,
    RateLimiter,
    shown_address,
)

QUESTION = [{"role": "user", "content": "Why did the Orvane bridge close? «Мост» 🌉"}]
ANSWER = says("Because of the flood.")
SECRET = 's3cret/+&"#?key'


def endpoint(server, **options):
    return ChatEndpoint(server.url, "tiny-chat", **({"timeout": 5.0} | options))


def said(server, **options):
    return endpoint(server, **options).ask(QUESTION).content


def shown(caught):
    """All that an error and those behind it say, be they caught or not."""
    error, told = caught.value, [caught.value.message]
    while error:
        told += traceback.format_exception_only(error)
        error = error.__cause__ or error.__context__
    return "".join(told)


def test_a_question_is_sent_and_its_answer_comes_back():
    with serving(ANSWER) as server:
        assert endpoint(server, key="s3cret").ask(QUESTION, options={"temperature": 0}) == Completion(
            "Because of the flood."
        )
    ((path, headers, body),) = server.asked
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer s3cret"
    assert body == {"model": "tiny-chat", "messages": QUESTION, "temperature": 0}


def test_nothing_is_sent_that_was_not_given(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    monkeypatch.setenv("OPENAI_ORG_ID", "orvane")
    with serving(ANSWER) as server:
        ChatEndpoint(f"{server.url}/", "tiny-chat").ask(QUESTION)
    ((path, headers, body),) = server.asked
    assert path == "/v1/chat/completions"
    known = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
    assert {name.lower() for name in headers} == known
    assert headers["user-agent"] == "whywire"
    assert set(body) == {"model", "messages"}


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 31, "completion_tokens": 5, "total_tokens": 36}, (31, 5)),
        ({"prompt_tokens": 31}, (31, None)),
        ({"prompt_tokens": "31", "completion_tokens": -1}, (None, None)),
        ({"prompt_tokens": 10**400, "completion_tokens": True}, (None, None)),
        (None, (None, None)),
        ([], (None, None)),
    ],
)
def test_tokens_are_counted_where_the_endpoint_counts(usage, counts):
    with serving(says("Yes.", usage=usage)) as server:
        reply = endpoint(server).ask(QUESTION)
    assert (reply.prompt_tokens, reply.completion_tokens) == counts


@pytest.mark.parametrize("status", [429, 500])
def test_a_busy_endpoint_is_asked_again(status):
    with serving(Reply("busy", status), ANSWER) as server:
        assert said(server) == "Because of the flood."
    assert len(server.asked) == 2


@pytest.mark.parametrize("bad", [Reply(ANSWER.body, cut=20), Reply(wait=0.5)], ids=["cut", "slow"])
def test_what_breaks_off_or_takes_too_long_is_asked_for_again(bad):
    with serving(bad, ANSWER) as server:
        assert said(server, timeout=0.2) == "Because of the flood."
    assert len(server.asked) == 2


def test_it_is_left_alone_as_long_as_it_asks_for():
    with serving(Reply("busy", 429, {"Retry-After": "1"}), ANSWER) as server:
        started = time.monotonic()
        said(server)
    assert time.monotonic() - started >= 1


def test_one_that_stays_broken_is_given_up():
    with serving(Reply("out of memory", 500)) as server, pytest.raises(ModelError, match=r"500 .*: out of memory"):
        said(server)
    assert len(server.asked) == 1 + MAX_RETRIES


def test_a_refusal_is_reported_at_once_and_without_the_key():
    refusing = serving(Reply("no such model", 404))
    with refusing as server, pytest.raises(ModelError, match=r"404 .*: no such model") as caught:
        said(server, key="s3cret")
    assert len(server.asked) == 1
    assert "s3cret" not in str(caught.value) + repr(endpoint(server, key="s3cret"))


def test_a_slow_endpoint_is_not_waited_for():
    with serving(Reply(wait=1.0)) as server, pytest.raises(ModelError, match=r"no answer within 0\.1 seconds"):
        said(server, timeout=0.1)


def test_nobody_there_is_reported():
    with serving(ANSWER) as server:
        gone = endpoint(server)
    with pytest.raises(ModelError, match=r"cannot be reached.*WHYWIRE_CHAT_URL"):
        gone.ask(QUESTION)


def test_an_answer_that_keeps_breaking_off_is_reported():
    with serving(Reply(ANSWER.body, cut=20)) as server, pytest.raises(ModelError, match="broke off"):
        said(server)


@pytest.mark.parametrize("key", ["s3cret\n", "\ts3cret\r\n"])
def test_space_around_the_key_does_not_count(key):
    with serving(ANSWER) as server:
        said(server, key=key)
    assert server.asked[0][1]["authorization"] == "Bearer s3cret"


def test_a_key_of_nothing_but_space_is_none():
    with serving(ANSWER) as server:
        said(server, key=" \n")
    assert "authorization" not in server.asked[0][1]


@pytest.mark.parametrize("key", ["Bearer s3cret", "s3cret\nX: y", "s3crét", "s3cret\x00s"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key):
    with pytest.raises(InputError, match=f"{KEY}.*key alone") as caught:
        ChatEndpoint("http://localhost:1/v1", "tiny", key)
    assert "s3c" not in shown(caught)


ECHOES = [
    SECRET,
    quote(SECRET),
    quote(SECRET, safe="").lower(),
    json.dumps(SECRET),
    html.escape(SECRET),
    "".join(f"%{ord(character):02X}" for character in SECRET),
]


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize(
    "place",
    [
        lambda echo: Reply(f"Incorrect API key provided: {echo}.", 401),
        lambda echo: Reply("", 403, reason=f"no {echo} here"),
        lambda echo: Reply(f'{{"error": "{echo} is wrong"}}'),
        lambda echo: Reply(status=302, headers={"Location": f"/login/{echo}"}),
    ],
    ids=["refusal", "reason", "answer", "redirect"],
)
def test_a_key_that_the_endpoint_says_is_not_shown(echo, place):
    with serving(place(echo)) as server, pytest.raises(ModelError) as caught:
        said(server, key=SECRET)
    assert "***" in caught.value.message
    assert not [word for word in (echo, SECRET, echo[:4], echo[-5:-1]) if word in shown(caught)]


def test_a_key_in_what_is_no_http_is_not_shown():
    class Garbling(BaseHTTPRequestHandler):
        def do_POST(self):
            self.wfile.write(f"{SECRET} is wrong\r\n\r\n".encode())

        def log_message(self, *_):
            pass

    with answering(Garbling) as url, pytest.raises(ModelError, match=r"broke off: .*\*\*\* is wrong") as caught:
        ChatEndpoint(url, "tiny", SECRET).ask(QUESTION)
    assert "s3c" not in shown(caught)


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize(
    "body",
    [
        "x" * 75 + SECRET + "x" * 80,
        " " * 77 + SECRET * 2,
        " " * 4090 + SECRET * 2,
        " " * (4096 + 12 * len(SECRET) - 6) + SECRET * 2,
        f"{SECRET} " * 10_000,
    ],
    ids=range(5),
)
def test_no_part_of_the_key_is_shown_where_words_are_cut(body, status):
    with serving(Reply(body, status)) as server, pytest.raises(ModelError) as caught:
        said(server, key=SECRET)
    assert not [part for start in range(len(SECRET) - 2) if (part := SECRET[start : start + 3]) in shown(caught)]


@pytest.mark.parametrize("status", [301, 307])
def test_nothing_is_sent_on_to_another_address(status):
    with (
        serving(ANSWER) as other,
        serving(Reply(status=status, headers={"Location": f"{other.url}/elsewhere?token=t0psecret"})) as server,
        pytest.raises(ModelError, match=rf"{status} .*: it points to {other.url}/elsewhere, where") as caught,
    ):
        said(server, key="s3cret")
    assert len(server.asked) == 1
    assert not other.asked
    assert "t0psecret" not in shown(caught)


@pytest.mark.parametrize(
    "location",
    [
        "http://[bad",
        "file:///etc/passwd",
        "\x1b[2J",
        "",
    ],
)
def test_a_redirect_to_a_strange_address_is_a_refusal(location):
    redirecting = serving(Reply(status=302, headers={"Location": location}))
    with redirecting as server, pytest.raises(ModelError, match="answers 302") as caught:
        said(server)
    assert "\x1b" not in shown(caught)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("no\x1b[2J\x07\u202eway\x9b", 400),
        Reply("", 400, reason="no\x1b[2J\x07way\x9b"),
        Reply("no\x1b[2J\x07\u202eway\x9b"),
    ],
    ids=["body", "reason", "answer"],
)
def test_control_characters_are_seen_and_not_obeyed(reply):
    with serving(reply) as server, pytest.raises(ModelError, match=r"no\\x1b\[2J\\x07") as caught:
        said(server)
    assert not [word for word in ("\x1b", "\x07", "\x9b", "\u202e") if word in shown(caught)]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"choices": []}',
        '{"error": "x"}',
        "[" * 100_000,
        ANSWER.body[:-1] + f', "usage": {"9" * 5000}}}',
    ],
    ids=lambda body: body[-20:],
)
def test_what_is_no_chat_completion_is_reported(body):
    with serving(Reply(body)) as server, pytest.raises(AnswerError, match="no chat completion"):
        said(server)


def test_a_model_that_says_nothing_is_reported():
    silent = serving(Reply('{"choices": [{"message": {"content": null}}]}'))
    with silent as server, pytest.raises(AnswerError, match="without words"):
        said(server)


def test_a_long_answer_is_read_and_an_endless_one_is_not():
    words = "because " * (MAX_ANSWER_BYTES // 8 - 1000)
    with serving(says(words)) as server:
        assert said(server) == words
    with serving(says(words + "because " * 1000)) as server, pytest.raises(AnswerError, match="longer than 16 MB"):
        said(server)


def test_an_answer_that_drips_is_not_waited_for():
    dripping = Reply(says("Because. " * 100).body, drip=0.02)
    with serving(dripping, ANSWER) as server:
        started = time.monotonic()
        assert said(server, timeout=0.05) == "Because of the flood."
    assert time.monotonic() - started < 10
    assert len(server.asked) == 2


def test_requests_keep_their_pace_whoever_sends_them():
    limiter = RateLimiter(per_minute=600)
    started = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: limiter.wait(), range(5)))
    assert 0.4 <= time.monotonic() - started < 3


def test_an_endpoint_keeps_its_pace():
    with serving(ANSWER) as server:
        patient = endpoint(server, rate_limiter=RateLimiter(per_minute=300))
        started = time.monotonic()
        for _ in range(3):
            patient.ask(QUESTION)
    assert time.monotonic() - started >= 0.4


def test_the_environment_names_the_endpoint():
    environment = {URL: "http://localhost:1/v1", MODEL: "tiny", KEY: "s3cret"}
    assert ChatEndpoint.from_environment(None, environment) == ChatEndpoint("http://localhost:1/v1", "tiny", "s3cret")
    assert ChatEndpoint.from_environment("other", environment).model == "other"
    for missing in (URL, MODEL):
        rest = {name: value for name, value in environment.items() if name != missing}
        with pytest.raises(InputError, match=f"{missing} is not set"):
            ChatEndpoint.from_environment(None, rest)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "localhost:11434/v1",
        "http:///v1",
        "http://[",
        "http://host:port/v1",
        "http://host:65536/v1",
        "http://a..b/v1",
        f"http://{'я' * 64}.example/v1",
        "http://[::1%é]:1/v1",
        "http://h%0d%0aX:1/v1",
        "http://host\\other/v1",
        "http://my host/v1",
        "http://host/v1\n",
        "http://host/\x1b[2J",
        "http://host/\udcff",
    ],
)
def test_words_go_to_no_strange_address(url):
    with pytest.raises(InputError, match="not an address") as caught:
        ChatEndpoint(url, "tiny")
    assert not [word for word in ("\x1b", "\x00", "\u202e", "\udcff") if word in shown(caught)]


@pytest.mark.parametrize(
    "url",
    [
        "http://user:t0psecret@127.0.0.1:1/v1",
        "http://user:t0ps?t0psecret@127.0.0.1:1/v1",
        "http://user:t0psecret@[bad",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_shown(url):
    with pytest.raises(InputError, match=KEY) as caught:
        ChatEndpoint(url, "tiny")
    assert "t0ps" not in shown(caught)
    assert shown_address(url) == "***"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("?api-version=1", "/v1/chat/completions?api-version=1"),
        ("/?api-version=1&q=%2F/?", "/v1/chat/completions?api-version=1&q=%2F/?"),
        ("/?q=é#part", "/v1/chat/completions?q=%C3%A9"),
        ("/é%20/", "/v1/%C3%A9%20/chat/completions"),
    ],
)
def test_path_and_query_of_the_address_are_kept(written, asked):
    with serving(ANSWER) as server:
        ChatEndpoint(server.url + written, "tiny").ask(QUESTION)
    assert server.asked[0][0] == asked


@pytest.mark.parametrize("echo", ["{path}", "api_key is t0psec/ret", "api_key is t0psec%2fret", ""])
def test_the_query_of_the_address_is_not_shown(echo):
    query = "?api_key=t0psec%2Fret&v=1"
    with serving(Reply(echo.format(path=f"/v1/chat/completions{query}"), 404)) as server:
        asking = ChatEndpoint(f"{server.url}{query}#t0psecret", "tiny")
        with pytest.raises(ModelError, match=f"^{server.url}: ") as caught:
            asking.ask(QUESTION)
    assert "t0ps" not in shown(caught) + repr(asking)
    assert server.url in repr(asking)


def test_the_query_of_what_is_no_address_is_not_shown():
    with pytest.raises(InputError, match="not an address") as caught:
        ChatEndpoint("localhost:1/v1?api_key=t0psecret", "tiny")
    assert "t0ps" not in shown(caught)


def test_a_host_beyond_ascii_is_asked_for_by_its_name_in_ascii(monkeypatch):
    with serving(ANSWER) as server:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.delenv("no_proxy", raising=False)
        assert ChatEndpoint("http://bücher.example/v1", "tiny").ask(QUESTION).content == "Because of the flood."
    assert server.asked[0][0] == "http://xn--bcher-kva.example/v1/chat/completions"


@pytest.mark.parametrize("proxy", ["http://user:t0psecret@[bad", "gopher://user:t0psecret@127.0.0.1:1"])
def test_a_proxy_of_no_use_is_reported_and_its_password_not_shown(monkeypatch, proxy):
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(ModelError, match="cannot be") as caught:
        ChatEndpoint("http://model.example/v1", "tiny").ask(QUESTION)
    assert "t0ps" not in shown(caught)


@pytest.mark.parametrize("host", ["bücher.invalid", ".".join(["a" * 60] * 9)])
def test_a_host_that_cannot_be_found_is_reported(host):
    with pytest.raises(ModelError, match="cannot be") as caught:
        ChatEndpoint(f"http://{host}:1/v1?api_key=t0psecret", "tiny").ask(QUESTION)
    assert "t0ps" not in shown(caught)


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"whywire\[chat\]"):
        ChatEndpoint("http://localhost:1/v1", "tiny")
