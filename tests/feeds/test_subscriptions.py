"""Lists of feeds: OPML, text, and addresses as they are."""

import pytest

from whywire.errors import InputError
from whywire.feeds.subscriptions import read_subscriptions

OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Мои ленты</title></head><body>
<outline text="Harbour"><outline type="rss" text="All" xmlUrl="https://harbour.example/rss?a=1&amp;b=2"/></outline>
<outline type="rss" text="Twice" xmlUrl="https://harbour.example/rss?a=1&amp;b=2"/>
<outline type="rss" text="Лента" xmlUrl="https://лента.example/новости"/>
<outline type="include" text="More" url="https://b.example/more.opml"/>
<outline type="rss" text="A file" xmlUrl="file:///etc/passwd"/>
</body></opml>"""


def test_opml(tmp_path):
    path = tmp_path / "feeds.opml"
    path.write_text(OPML, encoding="utf-8")
    urls, problems = read_subscriptions([path])
    assert urls == ["https://harbour.example/rss?a=1&b=2", "https://лента.example/новости"]
    assert [problem.place for problem in problems] == [str(path)] * 2
    assert {problem.row for problem in problems} == {"https://b.example/more.opml", "file:///etc/passwd"}


def test_an_address_a_line_and_addresses_as_they_are(tmp_path):
    path = tmp_path / "feeds.txt"
    path.write_text("# mine\nhttps://a.example/rss\n\n  HTTPS://b.example/#x \nnonsense\n", encoding="utf-8")
    urls, [problem] = read_subscriptions(["https://a.example/rss", path, "http://c.example/"])
    assert urls == ["https://a.example/rss", "HTTPS://b.example/#x", "http://c.example/"]
    assert problem.place == f"{path}:5"


@pytest.mark.parametrize(
    "content",
    [
        b'<!DOCTYPE opml [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><opml><body><outline xmlUrl="&b;"/></body></opml>',
        b'<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]><opml><outline xmlUrl="&a;"/></opml>',
    ],
)
def test_entities_of_opml_are_not_expanded(tmp_path, content):
    path = tmp_path / "feeds.opml"
    path.write_bytes(content)
    urls, problems = read_subscriptions([path])
    assert urls == []
    assert problems
    assert not any("root:" in str(problem.row) or "haha" in str(problem.row) for problem in problems)


@pytest.mark.parametrize("content", [b"<opml>" * 10_000, b"<", b"<\xff\xfe", b"<opml><body>"])
def test_broken_opml_names_no_feed(tmp_path, content):
    path = tmp_path / "feeds.opml"
    path.write_bytes(content)
    try:
        urls, problems = read_subscriptions([path])
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert urls == []
        assert problems


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"feeds\.opml: cannot be opened"):
        read_subscriptions([tmp_path / "feeds.opml"])
