"""What the service answers with a page, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from markupsafe import escape
from tests.graph.made_up_week import HOSTILE_TITLE, made_up_graph
from tests.service.pages.conftest import MERGED, SPLIT
from tests.service.servers import Running, running

import whywire.service.pages
from whywire.elements import EvidenceKind, LinkKind, Mention, MentionKind
from whywire.graph.snapshots import as_of as snapshot
from whywire.news import Published
from whywire.service.pages.rendering import web_address
from whywire.service.pages.wording import LANGUAGES, Wording, preferred_language
from whywire.service.settings import Settings
from whywire.store import Store
from whywire.updating import Change, ChangeKind, Changes

ROOM = Path(whywire.service.pages.__file__).parent

PATHS = [
    "/",
    "/?day=all",
    "/?day=2020-01-01",
    "/?day=all&place=Moscow",
    "/?day=all&outlet=Coast+Courier&organisation=UN&q=dam&language=en",
    "/api",
    "/stories/e1",
    "/stories/e1?as_of=2026-03-03",
    "/stories/e1?as_of=2020-01-01",
    "/events/e1",
    "/events/e1/predictions",
    f"/events/{SPLIT}",
    "/why",
    "/why?q=Why+did+the+embankment+give+way%3F",
    "/why?q=embankment",
    "/why?q=Why+did+the+embankment+give+way%3F&as_of=2026-03-03",
    "/changes",
    "/corrections",
    "/bench",
    "/bench?sentence=Fuel+ran+short+because+the+fire+closed+the+refinery.",
    "/bench?left=Storm+cuts+power&right=Schools+close+after+power+cut",
    "/status",
    "/guide",
]
"""Every page, and what else it can look like."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_whole_and_has_no_script_or_style_of_its_own(week: Running, path: str, language: str) -> None:
    answer = week.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    html = answer.text
    assert f'<html lang="{language}"' in html
    assert html.count("<h1") == 1
    assert html.rstrip().endswith("</html>")
    assert not re.search(r"<style|\sstyle=|\son\w+=\"|hx-on|href=\"javascript", html, re.IGNORECASE)
    inline = re.findall(r"<script(?![^>]*\ssrc=)([^>]*)>", html)
    assert all('type="application/json"' in one for one in inline)


def test_text_from_the_news_is_never_markup(week: Running) -> None:
    graph = made_up_graph()
    hostile = next(event for event in graph.events if event.title == HOSTILE_TITLE)
    for path in (f"/events/{hostile.id}", f"/stories/{hostile.story}", "/why?q=queue", "/changes"):
        html = week.get(path).text
        assert "window.hacked" in html or path == "/changes"
        assert "<script>window" not in html
        assert "<img" not in html
        assert 'href="javascript' not in html
    failing = week.get("/feeds").text
    assert "Harbour &lt;b&gt;Post&lt;/b&gt;" in failing


def test_links_lead_out_to_the_web_alone_and_give_nothing_away(week: Running) -> None:
    html = week.get("/events/e1").text
    outward = re.findall(r'<a href="https?://[^>]*>', html)
    assert outward
    assert all('rel="noopener noreferrer"' in link and 'target="_blank"' in link for link in outward)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http:",
        "//elsewhere.example/",
        "https://[",
        "",
        None,
    ],
)
def test_what_is_no_address_of_the_web_gets_no_link(url: str | None) -> None:
    assert web_address(url) is None
    assert web_address("https://news.example/a?b=c&d") == "https://news.example/a?b=c&d"


def test_an_ended_event_leads_to_where_its_mentions_are(week: Running) -> None:
    merged = week.get(f"/events/{MERGED}")
    assert merged.status_code == 303
    assert merged.headers["location"].startswith("/events/e1")
    assert "was merged into it" in week.get(merged.headers["location"]).text
    split = week.get(f"/events/{SPLIT}").text
    assert 'href="/events/e1"' in split
    assert 'href="/events/e2"' in split


def test_an_event_tells_its_history_the_last_first(week: Running) -> None:
    html = week.get("/events/e1").text
    history = html[html.index('<details class="help" id="history">') :]
    assert re.findall(r'class="what-happened">([^<]+)', history) == ["Split", "Merged into it", "First read of"]
    assert f'href="/events/{MERGED}"' in history
    assert "Rain over the dam" in history
    assert 'now in <a href="/events/e1"' not in history.partition("Flood and rain")[2].partition("Split")[2]
    assert 'href="/events/e2"' in history, "a split event is in others, too"
    closed = next(link for link in made_up_graph().links if link.closed_by)
    for end in (closed.source, closed.target):
        assert "Link closed" in week.get(f"/events/{end}").text
    then = week.get("/events/e1?as_of=2026-03-03").text
    assert 'id="history"' not in then, "what was recorded here is not what was published by then"


def test_a_long_history_is_cut(tmp_path, fake_models) -> None:
    event = made_up_graph().events[0]
    articles = tuple(made_up_graph().articles[name] for name in event.articles)
    grown = {"title": "Now", "title before": "Before", "articles": 3, "articles before": 2, "story before": None}
    histories = [
        {"title": "<b>First", "story": None},
        *({"title": event.title, "story": event.id, **grown, "title before": str(number)} for number in range(60)),
        {"title": event.title, "articles": 2, "articles before": 3, "planned before": True},
        {"title": event.title},
    ]
    kinds = [ChangeKind.EVENT_ADDED] + [ChangeKind.EVENT_CHANGED] * (len(histories) - 1)
    told = tuple(Change(kind, event.id, details=details) for kind, details in zip(kinds, histories, strict=True))
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.commit(Changes(articles=articles, events=(event,), history=told), decided_at=0)
    with running(Settings(store=path, port=0, works=False), fake_models) as one:
        html = one.get(f"/events/{event.id}").text
        listed = one.get("/v1/changes", params={"event": event.id, "limit": 1000}).json()["items"]
        assert one.get("/v1/changes", params={"event": "x" * 601}).status_code == 422
    assert "The latest 50\u00a0changes" in html
    labels = re.findall(r'class="what-happened">([^<]+)', html)
    assert labels[:3] == [
        "Other mentions or times",
        "Fewer reports, Planned or no longer planned",
        "More reports, Another title, Another story",
    ]
    assert len(labels) == 50
    assert len(listed) == len(histories)


def test_a_story_of_another_name_leads_to_its_event(week: Running) -> None:
    answer = week.get("/stories/e2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/stories/e1")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/events/nothing", 404),
        ("/stories/nothing", 404),
        ("/events/nothing/predictions", 404),
        ("/static/nothing.js", 404),
        ("/?day=yesterday", 400),
        ("/?day=0001-01-01", 400),
        ("/?day=9999-12-31", 400),
        ("/?language=klingon", 400),
        ("/?after=x", 400),
        ("/changes?since=x", 400),
        ("/changes?after=x", 400),
        ("/changes?after=99999999999999999999999", 400),
        ("/stories/e1?as_of=x", 400),
        ("/why?q=rain&as_of=x", 400),
        ("/why?as_of=9999-12-31", 400),
        ("/stories/e1?min_strength=x", 400),
        ("/stories/e1?evidence=rumour", 400),
    ],
)
def test_what_cannot_be_shown_is_a_page_that_says_so(week: Running, path: str, status: int) -> None:
    answer = week.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1" in answer.text


def test_a_story_is_shown_as_known_on_a_day(week: Running) -> None:
    then, now = week.get("/stories/e1?as_of=2026-03-03").text, week.get("/stories/e1").text
    assert "As known at the end of 3" in then
    assert then.count('class="timeline-row') < now.count('class="timeline-row')


def test_filters_hide_links_without_a_script(week: Running) -> None:
    def shown(query: str) -> int:
        items = re.findall(r"<li( hidden)? data-strength", week.get(f"/stories/e1{query}").text)
        return items.count("")

    assert shown("") == len(made_up_graph().stories()[0].links)
    assert 0 < shown("?min_strength=60") < shown("")
    assert 0 < shown("?evidence=said") < shown("")
    assert shown("?evidence=said&evidence=shown") >= shown("?evidence=said")
    assert 0 < shown("?evidence=implied") == shown("?evidence=judged"), "the old name is still understood"


def test_a_question_that_asks_nothing_is_explained(week: Running) -> None:
    assert "asks for no cause" in week.get("/why?q=How+many+people+live+here%3F").text
    assert "Nothing in the news has these words" in week.get("/why?q=zzzz+qqqq").text
    assert "too long" in week.get("/why?q=" + "why+" * 200).text
    assert "too long" in week.get("/bench?sentence=" + "why+" * 800).text
    assert "Fill in both" in week.get("/bench?left=one").text


def test_a_question_is_answered_from_what_was_published_by_a_day(week: Running) -> None:
    graph = made_up_graph()
    for question in ("Why did the embankment give way?", "crane", "Why did the islands run short?", "queue port"):
        now = week.get("/why", params={"q": question}).text
        assert "As known at the end of" not in now
        for day in ("2026-02-20", "2026-03-02", "2026-03-05", "2026-03-09", "2026-03-12", "2030-01-01"):
            then = week.get("/why", params={"q": question, "as_of": day}).text
            known = snapshot(graph, datetime.fromisoformat(f"{day}T23:59:59Z"))
            titles = {article.title for article in graph.articles.values()}
            late = titles - {article.title for article in known.articles.values()}
            main = then[then.index("<main") :].replace(escape(question), "")
            assert [title for title in late if str(escape(title)) in main] == []
            ids = {event.id for event in known.events}
            assert {*re.findall(r'href="/events/([^"]+)"', main)} <= ids
            assert ("As known at the end of" in then) == (day < "2026-03-12")


def test_the_day_of_a_question_can_be_chosen_and_left_again(week: Running) -> None:
    html = week.get("/why?q=Why+%22rain%22+%26+x%3F&as_of=2026-03-05").text
    assert '<input type="hidden" name="q" value="Why &#34;rain&#34; &amp; x?">' in html
    assert 'name="as_of" value="2026-03-05"' in html
    assert 'href="/why?q=Why%20%22rain%22%20%26%20x%3F"' in html
    assert 'name="as_of"' not in week.get("/why").text
    assert 'name="as_of" value="2026-03-12"' in week.get("/why?q=rain&as_of=2040-01-01").text


def test_an_event_is_not_found_by_what_was_published_later(tmp_path, fake_models) -> None:
    graph = made_up_graph()
    first = next(event for event in graph.events if len(event.articles) > 1 and event.mentions)
    early, late = (graph.articles[name] for name in first.articles[:2])
    assert early.published
    early = replace(early, title="Something burns", published=Published(datetime(2026, 3, 1, 9, tzinfo=UTC)))
    late = replace(late, title="Zeppelin was it", published=Published(datetime(2026, 3, 4, 9, tzinfo=UTC)))
    mentions = tuple(Mention(one.id, "title", (0, len(one.title)), MentionKind.HEADLINE) for one in (early, late))
    event = replace(
        first,
        title=early.title,
        articles=(early.id, late.id),
        mentions=mentions,
        first_seen=early.published,
        last_seen=late.published,
        when=None,
        story=None,
    )
    added = (Change(ChangeKind.EVENT_ADDED, event.id, details={"title": event.title}),)
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.commit(Changes(articles=(early, late), events=(event,), history=added), decided_at=0)
    with running(Settings(store=path, port=0, works=False), fake_models) as one:
        assert f"/events/{event.id}" in one.get("/why?q=zeppelin").text
        assert f"/events/{event.id}" not in one.get("/why?q=zeppelin&as_of=2026-03-02").text
        assert f"/events/{event.id}" in one.get("/why?q=burns&as_of=2026-03-02").text


def test_a_quiet_day_shows_the_week_before_as_well(week: Running) -> None:
    html = week.get("/?day=2026-03-12").text
    assert html.index("Crane topples") < html.index("In the week before") < html.index("Embankment above")


def test_a_story_without_times_is_shown(tmp_path, fake_models) -> None:
    graph = made_up_graph()
    story = graph.stories()[0]
    articles = {name for event in story.events for name in event.articles}
    links = tuple(replace(link, closed_by=None) for link in story.links[:1])
    ends = {links[0].source, links[0].target}
    timeless = Changes(
        articles=tuple(replace(graph.articles[name], published=None) for name in sorted(articles)),
        events=tuple(replace(one, first_seen=None, last_seen=None) for one in story.events if one.id in ends),
        claims=tuple(one for one in graph.claims if one.event in ends),
        links=links,
        history=(Change(ChangeKind.EVENT_ADDED, links[0].source),),
    )
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.commit(timeless, decided_at=0)
    with running(Settings(store=path, port=0, works=False), fake_models) as one:
        for address in (
            f"/stories/{story.id}",
            f"/stories/{story.id}?as_of=2026-03-03",
            f"/events/{links[0].source}",
            "/",
        ):
            answer = one.get(address)
            assert answer.status_code == 200, address
        assert "time unknown" in one.get(f"/stories/{story.id}").text


def test_the_bench_names_the_relation_that_the_service_gives(week: Running) -> None:
    for left, right in (("Orm dies at 80", "Orm is alive, agent says"), ("Blast in Peru", "Chile denies blast")):
        row = week.post("/v1/relate", json={"items": [{"left_title": left, "right_title": right}]}).json()
        html = week.get("/bench", params={"left": left, "right": right}).text
        assert f'<p class="answer">{Wording("en").text("relation " + row["items"][0]["label"])}</p>' in html


def test_an_empty_store_says_what_to_do_next(service: Running) -> None:
    html = service.get("/").text
    assert "No news yet" in html
    for path in ("/changes", "/status", "/why?q=storm", "/bench", "/guide"):
        assert service.get(path).status_code == 200


def test_pages_need_a_key_where_reading_does(week_store, fake_models) -> None:
    with running(Settings(store=week_store, port=0, works=False, open_reading=False), fake_models) as closed:
        answer = closed.get("/")
        assert answer.status_code == 401
        assert "Basic" in answer.headers["www-authenticate"]
        assert closed.get("/static/style.css").status_code == 200


def test_settings_are_kept_and_lead_nowhere_else(week: Running) -> None:
    answer = week.get("/settings?language=ru&theme=dark&back=/status")
    assert (answer.status_code, answer.headers["location"]) == (303, "/status")
    cookies = " ".join(answer.headers.get_list("set-cookie"))
    assert "language=ru" in cookies
    assert "theme=dark" in cookies
    html = week.get("/status", headers={"cookie": "language=ru; theme=dark"}).text
    assert '<html lang="ru" data-theme="dark">' in html
    assert '<html lang="en">' in week.get("/status", headers={"cookie": 'language=x; theme="><script>'}).text
    for back in ("//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example", "/\t/x", ""):
        assert week.get("/settings", params={"back": back}).headers["location"] == "/"
    week.web.cookies.clear()


def test_static_files_may_be_kept_for_good(week: Running) -> None:
    for address in set(re.findall(r'(?:href|src)="(/static/[^"]+)"', week.get("/stories/e1").text)):
        answer = week.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert week.get("/static/style.css?v=old").headers["cache-control"] == "no-cache"


def test_both_languages_have_all_words() -> None:
    english, russian = (Wording(name).texts for name in LANGUAGES)
    assert english.keys() == russian.keys()
    assert english["nouns"].keys() == russian["nouns"].keys()
    assert len(english["guide"]) == len(russian["guide"])
    for name, words in english.items():
        if isinstance(words, str):
            assert set(re.findall(r"{\w+}", words)) == set(re.findall(r"{\w+}", russian[name])), name


def test_every_word_is_used_and_every_use_has_words() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in [*ROOM.rglob("*.html"), *ROOM.rglob("*.py")])
    texts = Wording("en").texts
    named = set(re.findall(r"""\bt(?:ext)?\(\s*["']([a-z0-9 ]+)["']\s*[,)]""", sources))
    assert named <= texts.keys()
    composed = set(re.findall(r"""["']([a-z ]+ )["'] ~""", sources))
    plain = set(re.findall(r"""["']([a-z0-9 ]+)["']""", sources))
    by_name = (*composed, *EvidenceKind, *LinkKind)
    unused = [name for name in texts if name not in plain and not name.startswith(by_name)]
    assert unused == []


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("de,en;q=0.7,ru;q=0.3", "en"),
        ("en;q=0.1,ru", "ru"),
        ("", "en"),
        ("ru;q=0", "en"),
        ("ru;q=x", "en"),
        ("fr", "en"),
    ],
)
def test_the_browser_chooses_the_language(accepted: str, language: str) -> None:
    assert preferred_language(accepted) == language


def test_russian_counts_take_the_form_of_their_number() -> None:
    words = Wording("ru")
    counted = [words.count("story", number).replace("\u00a0", " ") for number in (1, 2, 5, 11, 21, 104, 1112)]
    assert counted == ["1 сюжет", "2 сюжета", "5 сюжетов", "11 сюжетов", "21 сюжет", "104 сюжета", "1 112 сюжетов"]


def test_words_find_their_story_first_then_what_led_to_it_then_events(week: Running) -> None:
    html = week.get("/why?q=embankment").text
    places = [html.index(f'id="{name}-title"') for name in ("stories", "causes", "found")]
    assert places == sorted(places)


def test_a_card_names_no_counts_of_the_machine(week: Running) -> None:
    cards = re.findall(r'<article class="story-card">.*?</article>', week.get("/?day=all").text, re.DOTALL)
    assert cards
    assert all(re.search(r"\d+\sarticles?\b", card) for card in cards)
    assert not any(re.search(r"\d+\s(events|links)\b", card) for card in cards)
