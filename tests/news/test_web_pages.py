"""Web pages: headline, text and time, whatever their encoding; hostile ones end in time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.errors import InputError, WhywireError
from whywire.isolation import Isolated
from whywire.news.web_pages import LARGEST_PAGE, read_page

pytest.importorskip("trafilatura")

ENGLISH = (
    "The dam above Ellery gave way on Tuesday after nine days of rain.",
    "Nobody was hurt, the mayor said, since the valley had been cleared.",
)
RUSSIAN = (
    "Дамба выше посёлка Эллери прорвана во вторник после девяти дней дождя.",
    "Никто не пострадал, сообщил глава посёлка, жителей вывезли накануне.",
)


def page(paragraphs=ENGLISH, title="Dam gives way", head=""):
    text = "".join(f"<p>{words}</p>" for words in paragraphs)
    body = f"<body><article><h1>{title}</h1>{text}</article></body>"
    return f"<html><head><title>{title}</title>{head}</head>{body}</html>"


def test_headline_and_text():
    assert read_page(page().encode()) == {"title": "Dam gives way", "text": "\n".join(ENGLISH)}


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "koi8-r", "utf-16"])
@pytest.mark.parametrize("declared", ["header", "page"])
def test_encodings(encoding, declared):
    head = f'<meta charset="{encoding}">' if declared == "page" else ""
    content_type = f"text/html; charset={encoding}" if declared == "header" else "text/html"
    found = read_page(page(RUSSIAN, "Дамба прорвана", head).encode(encoding), content_type=content_type)
    assert found == {"title": "Дамба прорвана", "text": "\n".join(RUSSIAN)}


PUBLISHED = '<meta property="article:published_time" content="{}">'
MODIFIED = '<meta property="article:modified_time" content="2026-03-20T10:00:00+03:00">'
PARSELY = "<meta name='parsely-page' content='{}'>"
LINKED_DATA = '<script type="application/ld+json">{}</script>'
REPORT = '{{"@type": "{}", "headline": "{}", "datePublished": "{}"{}}}'
COMMENT = ', "comment": [{"@type": "Comment", "datePublished": "2026-03-09T10:00:00Z"}]'


def report(published, kind="NewsArticle", headline="Dam gives way", more=""):
    return REPORT.format(kind, headline, published, more)


@pytest.mark.parametrize(
    ("head", "time"),
    [
        (PUBLISHED.format("2026-03-04T10:00:00+03:00"), ("2026-03-04T10:00:00+03:00", None)),
        (PUBLISHED.format("Wed, 04 Mar 2026 10:00:00 MSK"), ("2026-03-04T10:00:00+03:00", None)),
        (PUBLISHED.format("2026-03-04T10:00:00"), ("2026-03-04", "page")),
        (PUBLISHED.format("2026-03-04"), ("2026-03-04", "page")),
        (PUBLISHED.format("garbage"), ("garbage", None)),
        (PUBLISHED.format(" "), (None, None)),
        (PUBLISHED.format("garbage") + LINKED_DATA.format(report("2026-03-04")), ("2026-03-04", "page")),
        (MODIFIED, (None, None)),
        (MODIFIED + PUBLISHED.format("2026-03-04T10:00:00Z"), ("2026-03-04T10:00:00Z", None)),
        ('<meta name="date" content="2026-03-04T10:00:00Z">', ("2026-03-04", "page")),
        (LINKED_DATA.format(report("2026-03-04")), ("2026-03-04", "page")),
        (LINKED_DATA.format(report("2026-03-04T10:00:00Z", more=COMMENT)), ("2026-03-04T10:00:00Z", None)),
        (LINKED_DATA.format(f'{{"@graph": [{report("2026-03-04T10:00:00Z")}]}}'), ("2026-03-04T10:00:00Z", None)),
        (
            LINKED_DATA.format(f"[{report('2020-01-02', headline='Old dam')}, {report('2026-03-04T10:00:00Z')}]"),
            ("2026-03-04T10:00:00Z", None),
        ),
        (
            LINKED_DATA.format(f"[{report('2020-01-02', headline='Old dam')}, {report('2021-01-02', headline='')}]"),
            (None, None),
        ),
        (LINKED_DATA.format(report("2026-03-04", "https://schema.org/NewsArticle")), ("2026-03-04", "page")),
        (LINKED_DATA.format(f"//<![CDATA[\n{report('2026-03-04')}\n//]]>"), ("2026-03-04", "page")),
        ('<meta name="citation_publication_date" content="2026-03-04">', ("2026-03-04", "page")),
        ('<meta name="DC.date" content="2026-03-04T10:00:00+03:00">', ("2026-03-04T10:00:00+03:00", None)),
        ('<meta name="dcterms.created" content="2026-03-04T10:00:00">', ("2026-03-04", "page")),
        (PUBLISHED.format("1772607600"), ("2026-03-04T07:00:00Z", None)),
        (
            PARSELY.format('{"title": "Dam", "pub_date": "2026-03-04T10:00:00+03:00"}'),
            ("2026-03-04T10:00:00+03:00", None),
        ),
        (PARSELY.format('{"pub_date": 4}'), (None, None)),
        (PARSELY.format('{"pub_date":'), (None, None)),
        (LINKED_DATA.format(report("2026-03-04", "Comment")), (None, None)),
        (LINKED_DATA.format('{"@type": "NewsArticle", "dateModified": "2026-03-04"}'), (None, None)),
        ("", (None, None)),
    ],
)
@pytest.mark.parametrize("url", ["https://a.example/dam", "https://a.example/2026/03/13/dam"])
def test_metadata_of_publication(head, time, url):
    found = read_page(page(head=head).encode(), url=url)
    assert (found.get("published"), found.get("published_from")) == time


TIME = '<time datetime="2026-03-05T10:00:00Z">5 March</time>'
EXACT = ("2026-03-04T10:00:00+03:00", None)


def page_of(body):
    """A page with this body, in which ``{time}``, ``{title}`` and ``{text}`` are filled in."""
    text = "".join(f"<p>{words} {words}</p>" for words in ENGLISH)
    body = body.format(time=TIME, title="Dam gives way", text=text)
    return read_page(f"<html><head><title>Dam gives way</title></head><body>{body}</body></html>".encode())


@pytest.mark.parametrize(
    "body",
    [
        "<header>{time}<h1>{title}</h1></header>{text}",
        "<h1>{title}</h1><p>By Ann Hale, {time}</p>{text}",
        '<div class="with-comments"><h1>{title}</h1><div class="meta">{time}</div>{text}</div>',
        "<header><h1><a>Harbour Post</a></h1></header><h1>{title}</h1>{time}{text}",
    ],
)
def test_a_time_beside_the_headline_is_the_day(body):
    found = page_of(f"<article>{body}</article>")
    assert (found["published"], found["published_from"]) == ("2026-03-05", "page")


@pytest.mark.parametrize(
    ("body", "time"),
    [
        ('<article><h1>{title}</h1>{text}<time pubdate datetime="{time}">x</time></article>', EXACT),
        (
            '<header><time class="published" datetime="{time}">x</time></header>{report}',
            EXACT,
        ),
        (
            '<article class="hentry"><h1>{title}</h1>{text}<abbr class="published" title="{time}">x</abbr></article>',
            EXACT,
        ),
        (
            '<div class="h-entry"><h1>{title}</h1>{text}<time class="dt-published" datetime="{time}">x</time></div>',
            EXACT,
        ),
        ('<time class="entry-date published updated" datetime="{time}">x</time><h1>{title}</h1>{text}', EXACT),
        (
            '<div>Published <time datetime="{time}">x</time> · Updated {other}</div>{report}',
            EXACT,
        ),
        ('<h1>{title}</h1>{text}<p>Опубликовано: <time datetime="{time}">x</time></p>', EXACT),
        ('<h1>{title}</h1>{text}<span class="date-published">4 March 2026, 10:00</span>', ("2026-03-04", "page")),
    ],
)
def test_a_time_that_is_marked_as_that_of_publication_counts_wherever_it_stands(body, time):
    body = body.replace("{report}", "<article><h1>{title}</h1>{text}</article>").replace("{other}", TIME)
    found = page_of(body.replace("{time}", "2026-03-04T10:00:00+03:00"))
    assert (found["published"], found.get("published_from")) == time


@pytest.mark.parametrize(
    "body",
    [
        '<h1>{title}</h1>{text}<article><h2>Mill shuts</h2><time pubdate datetime="2026-03-05">x</time></article>',
        '<h1>{title}</h1>{text}<div class="hentry"><time class="published" datetime="2026-03-05">x</time></div>',
        '<h1>{title}</h1>{text}<ol class="comments"><li><time class="published" datetime="2026-03-05">x</time></ol>',
        '<h1>{title}</h1>{text}<p>Updated <time class="published" datetime="2026-03-05">x</time></p>',
        '<h1>{title}</h1>{text}<time pubdate datetime="2026-03-05">x</time><time pubdate datetime="2020-01-02"/>',
        '<h1>{title}</h1>{text}<time class="unpublished" datetime="2026-03-05">x</time>',
        '<h1>{title}</h1>{text}<div class="post status-publish"><p>The dam of 5 March 2026.</p></div>',
    ],
)
def test_a_mark_of_publication_on_anything_else_is_not_that_of_the_report(body):
    assert "published" not in page_of(body)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>{title}</h1>{text}<aside><h2>Related</h2>{time}</aside>",
        "<h1>{title}</h1><aside>{time}</aside>{text}",
        '<h1>{title}</h1>{text}<section id="comments">{time} I agree.</section>',
        '<h1>{title}</h1><div class="related-news">{time}</div>{text}',
        '<h1>{title}</h1>{text}<div itemprop="datePublished" class="comment-time">2026-03-05</div>',
        '<h1>{title}</h1>{text}<div itemscope itemtype="https://schema.org/Article"><b itemprop="headline">Mill</b>'
        '<i itemprop="datePublished" content="2026-03-05T10:00:00Z">5 March</i></div>',
        '<h1>{title}</h1>{text}<article><h2>Mill shuts</h2><a href="/mill">{time}</a></article>',
        "<h1>{title}</h1>{text}{time}",
        "<h1>{title}</h1>{text}<footer>{time}</footer>",
        "<h1>{title}</h1><p>Updated: {time}</p>{text}",
        "<h1>{title}</h1><span>Last modified</span> {time}{text}",
        "<nav>{time}</nav><h1>{title}</h1>{text}",
        "<section>{time}</section><h1>{title}</h1>{text}",
    ],
)
def test_a_time_of_anything_else_is_not_that_of_the_report(body):
    assert "published" not in page_of(body)


@pytest.mark.parametrize(
    ("paragraphs", "lang", "language"),
    [
        (RUSSIAN, "ru-RU", "ru"),
        (RUSSIAN, "en", "ru"),
        (ENGLISH, "ru", "en"),
        (ENGLISH, "en", "en"),
        (ENGLISH, "", None),
    ],
)
def test_the_language_that_a_page_declares_is_asked_with_its_words(paragraphs, lang, language):
    content = page(paragraphs, "Dam").replace("<html>", f'<html lang="{lang}">')
    assert read_page(content.encode()).get("language") == language


def test_a_day_in_the_text_is_not_that_of_the_report():
    words = "The dam was built in 1998 and inspected on 4 March 2019, the water authority said."
    assert "published" not in read_page(page([words, *ENGLISH]).encode(), url="https://a.example/dam")


@pytest.mark.parametrize("content", [b"", b"<html></html>", b"%PDF-1.7", b"\0" * 999, b'{"a": 1}', b"<p>x"])
def test_pages_without_a_text(content):
    with pytest.raises(InputError, match="no text of an article"):
        read_page(content)


HOSTILE = [
    "<div>" * 300_000,
    "<p>" + "<b><i>" * 200_000,
    "<table>" * 50_000,
    f"<html><head><title>{'x' * 2_000_000}</title></head><body><p>{ENGLISH[0]}</p></body></html>",
    page(head=f'<meta name="date" content="{"1" * 1_000_000}">'),
    page(head=f"<time>{'2026-' * 200_000}</time>"),
    page([f"{number}/{number}/2026 " * 5 for number in range(50_000)]),
    page(["a" * LARGEST_PAGE]),
    "<!DOCTYPE html [" + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)) + "]><p>&a9;</p>",
    page(head='<script type="application/ld+json">' + '{"a":' * 100_000 + "</script>"),
]


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_pages_end_in_time_and_the_next_one_is_read(hostile):
    with Isolated(read_page, seconds=6) as reading:
        try:
            assert "text" in reading(hostile.encode())
        except WhywireError as error:
            assert str(error)  # noqa: PT017
        assert reading(page().encode())["title"] == "Dam gives way"


@settings(max_examples=30)
@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_bytes_are_a_page_or_an_error(content, content_type):
    try:
        assert "text" in read_page(content, content_type=content_type)
    except InputError as error:
        assert error.message  # noqa: PT017
