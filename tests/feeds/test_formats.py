"""Documents of feeds in every format, well-formed or not, hostile or not."""

import codecs
import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.feeds.sites import item, page, rss

from whywire.errors import InputError, WhywireError
from whywire.feeds.articles import to_article
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument, one_line, plain_text
from whywire.feeds.parsing import LARGEST_FEED, MAX_ENTRIES, read_feed
from whywire.isolation import Isolated
from whywire.news import Language, render_time

URL = "https://harbour.example/feeds/all.xml"
NEWS = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
)
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour Post</title><entry>
<title type="html">Dam &amp;amp; bridge &lt;b&gt;gone&lt;/b&gt;</title><id>tag:1</id><link href="../dam"/>
<updated>2026-03-05T00:30:00+03:00</updated><published>2026-03-04T10:00:00+03:00</published>
<summary>Short.</summary>
<content type="html">&lt;p&gt;It broke.&lt;/p&gt;&lt;p&gt;Nobody was hurt.&lt;/p&gt;</content>
</entry></feed>"""


def read(content, content_type="", url=URL) -> FeedDocument:
    content = content if isinstance(content, bytes) else content.encode()
    return FeedDocument.from_json(json.loads(json.dumps(read_feed(content, content_type=content_type, url=url))))


def sitemap(*places, name="urlset"):
    return f'<?xml version="1.0" encoding="UTF-8"?><{name} {NEWS}>{"".join(places)}</{name}>'


def news(loc, title, date="2026-03-04T10:00:00Z"):
    head = "<news:publication><news:name>Harbour Post</news:name><news:language>en</news:language></news:publication>"
    time = f"<news:publication_date>{date}</news:publication_date>"
    return f"<url><loc>{loc}</loc><news:news>{head}{time}<news:title>{title}</news:title></news:news></url>"


def test_rss():
    more = "<description>&lt;p&gt;It&#39;s gone.&lt;/p&gt;</description><guid>7</guid>"
    document = read(
        rss(
            [item("/dam?a=1&amp;b=2", "Dam  gives\nway", f"{more}<pubDate>Wed, 04 Mar 2026 10:00:00 +0300</pubDate>")]
        )
    )
    assert (document.kind, document.title, document.ttl, document.notes) == (
        DocumentKind.FEED,
        "Harbour Post",
        None,
        (),
    )
    [entry] = document.entries
    assert entry == Entry(
        "Dam gives way",
        "It's gone.",
        "https://harbour.example/dam?a=1&b=2",
        entry.guid,
        "Wed, 04 Mar 2026 10:00:00 +0300",
    )


@pytest.mark.parametrize(
    ("said", "published"),
    [
        ("Wed, 04 Mar 2026 10:00:00 MSK", "2026-03-04T07:00:00Z"),
        ("Wed,04 Mar 2026 10:00:00 +03", "2026-03-04T07:00:00Z"),
        ("Wed, 04 Mar 2026 00:00:00 +0300", "2026-03-04"),
        ("Wed, 04 Mar 2026 10:00:00 XYZ", "2026-03-04"),
        ("Wed Mar  4 07:00:00 2026", "2026-03-04T07:00:00Z"),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
    ],
)
def test_times_of_feeds_are_read_as_those_of_rows(said, published):
    [entry] = read(rss([item("/dam", "Dam gives way", f"<pubDate>{said}</pubDate>")])).entries
    article, notes = to_article(entry, "key", None, URL, datetime(2026, 3, 5, tzinfo=UTC))
    assert (article.published and render_time(article.published)) == published
    assert bool(notes) == ("XYZ" in said or published is None)


def test_the_language_of_a_feed_and_of_an_entry():
    rss_feed = rss([item("/dam", "Протест в София")]).replace("<channel>", "<channel><language>bg</language>")
    atom = ATOM.replace("<entry>", '<entry xml:lang="bg">').replace("<feed ", '<feed xml:lang="ru" ')
    json_feed = json.dumps(
        {"version": "https://jsonfeed.org/version/1.1", "language": "bg", "items": [{"title": "A"}]}
    )
    for content in (rss_feed, atom, json_feed, sitemap(news("/dam", "A").replace(">en<", ">bg<"))):
        assert [entry.language for entry in read(content).entries] == ["bg"]
    for code, language in (("bg", Language.OTHER), ("ru", Language.RUSSIAN)):
        entry = Entry("Протест в София", link=URL, language=code)
        assert to_article(entry, "key", None, URL, datetime(2026, 3, 5, tzinfo=UTC))[0].language is language


def test_atom():
    [entry] = read(ATOM).entries
    assert entry.title == "Dam & bridge gone"
    assert entry.text == "It broke.\nNobody was hurt."
    assert (entry.link, entry.guid) == ("https://harbour.example/dam", "tag:1")
    assert entry.published == "2026-03-04T10:00:00+03:00", "not the time of the update"


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Rates &lt; 5 % &amp; falling", "Rates < 5 % & falling"),
        ("<![CDATA[Tom &amp; Co <i>win</i>]]>", "Tom & Co win"),
        ("A &amp;lt;b&amp;gt; tag", "A <b> tag"),
        ("<![CDATA[Bang<script>alert(1)</script>!]]>", "Bang!"),
        ("&#1044;&#1072;&#1084;&#1073;&#1072;", "Дамба"),
    ],
)
def test_titles_become_plain_text(title, words):
    assert read(rss([item("/1", title)])).entries[0].title == words


@pytest.mark.parametrize(
    ("head", "seconds"),
    [
        ("<ttl>60</ttl>", 3600.0),
        ("<ttl>soon</ttl>", None),
        ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 21_600.0),
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600.0),
        ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 3600.0),
    ],
)
def test_how_long_a_feed_stays_as_it_is(head, seconds):
    text = rss([item("/1")], head).replace("<rss ", '<rss xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" ')
    assert read(text).ttl == seconds


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "http://[", "data:text/html,x", "mailto:a@b.example", "file:///x"]
)
def test_only_addresses_of_the_web_are_links(link):
    feeds = rss([item(link)]), json.dumps({"items": [{"url": link, "title": "x"}]}), sitemap(news(link, "x"))
    for text in feeds:
        assert read(text).entries[0].link == ""


def test_json_feed():
    items = [
        {"id": 7, "url": "dam", "title": "Dam", "content_html": "<p>It <b>broke</b>.</p>", "summary": "Short."},
        {"id": "8", "external_url": "https://b.example/8", "content_text": "A note.", "date_published": "2026-03-04"},
        "no item",
        {"title": None, "url": 3},
    ]
    document = read(json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "Post", "items": items}))
    assert document.entries == (
        Entry("Dam", "It broke.", "https://harbour.example/feeds/dam", "7"),
        Entry("", "A note.", "https://b.example/8", "8", "2026-03-04"),
        Entry(""),
    )
    assert document.notes == ("1 items are no objects",)


def test_a_news_sitemap():
    document = read(
        sitemap(news("https://a.example/1", "Dam &amp; bridge"), "<url><loc>https://a.example/</loc></url>")
    )
    assert document.entries == (Entry("Dam & bridge", "", "https://a.example/1", "", "2026-03-04T10:00:00Z", "en"),)


def test_an_index_of_sitemaps_newest_first():
    places = (
        "<sitemap><loc>/old.xml</loc><lastmod>2026-03-01</lastmod></sitemap>",
        "<sitemap><loc>/new.xml</loc><lastmod>2026-03-04</lastmod></sitemap>",
    )
    document = read(sitemap(*places, name="sitemapindex"))
    assert document.kind is DocumentKind.INDEX
    assert document.addresses == ("https://harbour.example/new.xml", "https://harbour.example/old.xml")


def test_a_sitemap_packed_with_gzip():
    packed = gzip.compress(sitemap(news("https://a.example/1", "Dam")).encode())
    assert read(packed, "application/x-gzip").entries[0].title == "Dam"
    with pytest.raises(InputError, match="20 MB"):
        read(gzip.compress(bytes(LARGEST_FEED + 2)))


def test_a_page_names_its_feeds():
    link = '<link rel="alternate" type="application/rss+xml" href="/rss?a=1&amp;b=2">'
    document = read(
        f"<!DOCTYPE html>\n<!-- hello --><html><head>{link}{link}</head><body>x</body></html>", "text/html"
    )
    assert (document.kind, document.addresses) == (DocumentKind.PAGE, ("https://harbour.example/rss?a=1&b=2",))
    with pytest.raises(InputError, match="names no feed"):
        read(page())


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "koi8-r", "utf-16"])
def test_encodings_that_are_declared(encoding):
    text = rss([item("/1", "Дамба прорвана")]).replace('"1.0"', f'"1.0" encoding="{encoding}"')
    assert read(text.encode(encoding)).entries[0].title == "Дамба прорвана"


def test_an_encoding_that_is_declared_wrongly():
    text = rss([item("/1", "Дамба прорвана, вода поднялась на четыре метра")])
    for content, content_type in [
        (text.encode(), "text/xml; charset=iso-8859-1"),
        (text.replace('"1.0"', '"1.0" encoding="us-ascii"').encode(), "text/xml"),
        (text.encode("cp1251"), "application/rss+xml; charset=windows-1251"),
        (codecs.BOM_UTF8 + text.encode(), "text/html; charset=koi8-r"),
    ]:
        assert read(content, content_type).entries[0].title.startswith("Дамба прорвана")


def test_what_is_broken_is_read_as_far_as_possible():
    whole = rss([item(f"/{number}", f"Report {number}") for number in range(9)])
    document = read(whole[:600])
    assert [entry.title for entry in document.entries][:3] == ["Report 0", "Report 1", "Report 2"]
    assert "not well-formed" in document.notes[0]
    document = read(rss([item("/1", "Fish & chips"), item("/2", "Second")]))
    assert [entry.title for entry in document.entries] == ["Fish & chips", "Second"]
    document = read(sitemap(news("https://a.example/1", "Dam"), news("https://a.example/2", "Two"))[:-40])
    assert document.entries[0].title == "Dam"
    assert "not well-formed" in document.notes[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"just words", "neither a feed nor a sitemap"),
        (b"{", "broken JSON"),
        (b'{"items": 3}', "no JSON Feed"),
        (b'{"a":' * 100_000, "broken JSON"),
        (b"\x1f\x8b\x08broken", "gzip"),
        (b"<rss/>garbage", None),
        (b"%PDF-1.7 \xff\xfe\x00", "neither"),
        (sitemap("<url><loc>https://a.example/</loc></url>").encode(), "no headlines"),
        (b"<urlset><url>", "not well-formed"),
        (b"<opml><body/></opml>", "neither"),
    ],
)
def test_documents_that_are_no_feed(content, reason):
    if reason is None:
        assert read(content).entries == ()
        return
    with pytest.raises(InputError, match=reason):
        read(content)


LAUGHS = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
ENTITIES = {
    "billion laughs": f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>',
    "one large one": f'<!DOCTYPE x [<!ENTITY l9 "{"ha" * 100_000}">]>',
    "a file": '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
    "an address": '<!DOCTYPE x [<!ENTITY l9 SYSTEM "http://127.0.0.1:9/">]>',
    "a parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/"> %p;]>',
    "behind an instruction": '<?x <y ?><!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY l9 "&l0;">]>',
}


@pytest.mark.parametrize(
    ("kind", "document", "encoding"),
    [
        *((kind, "rss", "utf-8") for kind in ENTITIES),
        *(("billion laughs", document, "utf-8") for document in ("atom", "urlset", "sitemapindex")),
        *(("a file", "atom", encoding) for encoding in ("utf-16", "utf-16-be")),
    ],
)
def test_entities_are_not_expanded(kind, document, encoding):
    body = {
        "rss": rss([item("/1", "&l9;" * 100)]),
        "atom": ATOM.replace("Short.", "&l9;" * 100),
        "urlset": sitemap(news("/1", "&l9;" * 100)),
        "sitemapindex": sitemap("<sitemap><loc>&l9;</loc></sitemap>", name="sitemapindex"),
    }[document]
    body = body.partition("?>")[2] if body.startswith("<?xml") else body
    text = f'<?xml version="1.0" encoding="{encoding}"?>{ENTITIES[kind]}{body}'
    with pytest.raises(InputError, match="declares entities"):
        read(text.encode(encoding))


def test_an_external_definition_is_not_loaded():
    doctype = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://127.0.0.1:9/rss-0.91.dtd">'
    text = rss([item("/1", "Caf&eacute; closed")]).replace("<rss", f"{doctype}<rss")
    assert read(text).entries[0].title == "Café closed"


def test_a_feed_of_very_many_entries():
    document = read(rss([item(f"/{number}", f"Report {number}") for number in range(MAX_ENTRIES + 5)]))
    assert len(document.entries) == MAX_ENTRIES
    assert document.entries[0].title == "Report 0"
    assert "only the first 10,000 of 10,005" in document.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        rss([item("/1", "<b>" * 200_000)]),
        rss([item("/1", f"<![CDATA[{'<div>' * 200_000}]]>")]),
        "<rss>" * 200_000,
        f"<!--{'-' * 1_000_000}",
        f"<{'a ' * 500_000}",
        rss([item("/1", "<![CDATA[" + "<" * 300_000 + "]]>")]),
        rss([item("/1", "<![CDATA[" + "&" * 300_000 + "]]>")]),
        rss([], "<x " + " ".join(f'a{number}="1"' for number in range(100_000)) + "/>"),
        "<urlset>" + "<url>" * 300_000,
        "<html>" + "<link rel=alternate>" * 100_000,
    ],
    ids=range(10),
)
def test_hostile_documents_end_in_time(hostile):
    with Isolated(read_feed, seconds=6) as reading:
        try:
            FeedDocument.from_json(reading(hostile.encode(), url=URL))
        except WhywireError as error:
            assert str(error)  # noqa: PT017 either a document or an error; what must not happen is to hang


@given(st.text(max_size=300))
def test_any_text_becomes_plain_text(text):
    line = one_line(text)
    assert "\n" not in line
    assert line == line.strip()


@given(st.lists(st.text(alphabet="abc <>&;#1\"'/дж", max_size=20), max_size=5))
def test_escaped_words_come_back_and_are_no_markup(words):
    import html

    text = " ".join(" ".join(words).split())
    assert plain_text(f"<p>{html.escape(text)}</p>") == text


def test_blocks_become_lines():
    markup = "<h2>A</h2><p>One <a href='x'>two</a>.<br>Three</p><ul><li>x<li>y</ul><!-- no --><style>p{}</style>tail"
    assert plain_text(markup) == "A\nOne two.\nThree\nx\ny\ntail"


@given(st.binary(max_size=300) | st.sampled_from([ATOM, rss([item("/1")]), sitemap(news("/1", "x"))]).map(str.encode))
def test_any_bytes_are_a_document_or_an_error(content):
    for cut in (len(content), len(content) // 2, len(content) // 3):
        try:
            assert isinstance(read(content[:cut]), FeedDocument)
        except InputError as error:
            assert error.message  # noqa: PT017
