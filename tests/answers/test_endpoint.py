"""A chat model behind an endpoint, as it behaves and as it misbehaves."""

import time

import pytest
from tests.answers.chat_server import Reply, says, serving

from whywire.answers.endpoint import KEY, MODEL, TRIES, URL, AnswerError, ChatEndpoint, headlines_of
from whywire.errors import InputError, ModelError

TITLE = "Gas leak closes tunnel under Calder Bay"
EFFECTS = ["Ferries add crossings as tunnel stays shut", "Tunnel operator faces inquiry"]


def endpoint(server, **options):
    return ChatEndpoint(server.url, "tiny-chat", **({"pause": 0.01, "timeout": 5.0} | options))


def test_it_sends_the_headline_and_gives_the_headlines_back():
    with serving(says(EFFECTS)) as server:
        assert endpoint(server, key="s3cret").effects(TITLE, 5) == EFFECTS
    ((path, headers, body),) = server.asked
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer s3cret"
    assert body["model"] == "tiny-chat"
    assert TITLE in body["messages"][-1]["content"]


def test_without_a_key_none_is_sent_and_never_more_than_asked_for_comes_back():
    with serving(says(EFFECTS)) as server:
        assert ChatEndpoint(f"{server.url}/", "tiny-chat").effects(TITLE, 1) == EFFECTS[:1]
    assert "Authorization" not in server.asked[0][1]
    assert server.asked[0][0] == "/v1/chat/completions"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again(status):
    with serving(Reply("busy", status), Reply("busy", status), says(EFFECTS)) as server:
        assert endpoint(server).effects(TITLE, 5) == EFFECTS
    assert len(server.asked) == 3


def test_it_is_left_alone_as_long_as_it_asks_for():
    with serving(Reply("busy", 429, {"Retry-After": "1"}), says(EFFECTS)) as server:
        started = time.monotonic()
        assert endpoint(server).effects(TITLE, 5) == EFFECTS
    assert time.monotonic() - started >= 1


def test_one_that_stays_broken_is_given_up():
    with serving(Reply("out of memory", 500)) as server, pytest.raises(ModelError, match=r"500 .*: out of memory"):
        endpoint(server).effects(TITLE, 5)
    assert len(server.asked) == TRIES


def test_a_refusal_is_told_at_once_and_without_the_key():
    refusing = serving(Reply("no such model", 404))
    with refusing as server, pytest.raises(ModelError, match=r"404 .*: no such model") as caught:
        endpoint(server, key="s3cret").effects(TITLE, 5)
    assert len(server.asked) == 1
    assert "s3cret" not in str(caught.value) + repr(endpoint(server, key="s3cret"))


def test_a_slow_endpoint_is_not_waited_for():
    with serving(Reply(wait=1.0)) as server, pytest.raises(ModelError, match=r"no answer within 0\.1 seconds"):
        endpoint(server, timeout=0.1).effects(TITLE, 5)


def test_nobody_there_is_told():
    with serving(says(EFFECTS)) as server:
        gone = endpoint(server)
    with pytest.raises(ModelError, match=r"cannot be reached.*WHYWIRE_CHAT_URL"):
        gone.effects(TITLE, 5)


def test_an_answer_that_breaks_off_is_told():
    with serving(Reply(says(EFFECTS).body, cut=20)) as server, pytest.raises(ModelError, match="broke off"):
        endpoint(server).effects(TITLE, 5)


def test_the_key_does_not_follow_to_another_address():
    with (
        serving(says(EFFECTS)) as other,
        serving(Reply(status=302, headers={"Location": f"{other.url}/elsewhere"})) as server,
    ):
        endpoint(server, key="s3cret").effects(TITLE, 5)
    assert [path for path, _, _ in other.asked] == ["/v1/elsewhere"]
    assert "Authorization" not in other.asked[0][1]


@pytest.mark.parametrize("body", ["", "{", "[]", '{"choices": []}', '{"error": "x"}', "null"])
def test_what_is_no_chat_completion_is_told(body):
    with serving(Reply(body)) as server, pytest.raises(AnswerError, match="no chat completion"):
        endpoint(server).effects(TITLE, 5)


def test_a_model_that_says_nothing_is_told():
    silent = serving(Reply('{"choices": [{"message": {"content": null}}]}'))
    with silent as server, pytest.raises(AnswerError, match="without words"):
        endpoint(server).effects(TITLE, 5)


@pytest.mark.parametrize(
    "content",
    [
        '["Ferries add crossings", "Tunnel ope',  # cut short
        "1. Ferries add crossings",
        '{"headlines": ["Ferries add crossings"]}',
        '"Ferries add crossings"',
        '["Ferries add crossings", 7]',
        '["Ferries add crossings", " "]',
        '["Ferries add crossings"] Hope this helps!',
        "",
        "[" * 100_000,
    ],
)
def test_only_a_list_of_headlines_is_one(content):
    with pytest.raises(AnswerError, match="no JSON list of headlines"):
        headlines_of(content)


@pytest.mark.parametrize("content", ['["A  falls\\n", "B rises", "A falls"]', '```json\n["A falls", "B rises"]\n```'])
def test_a_list_is_read_plain_or_fenced(content):
    assert headlines_of(content) == ["A falls", "B rises"]


def test_no_headlines_is_an_answer():
    assert headlines_of("[]") == []


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
    ["file:///etc/passwd", "localhost:11434/v1", "ftp://host/v1", "http:///v1", "http://[", "http://host:port/v1"],
)
def test_headlines_go_to_no_strange_address(url):
    with pytest.raises(InputError, match="no address"):
        ChatEndpoint(url, "tiny")
