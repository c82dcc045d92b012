"""Feeds watched from end to end: each article once, with its page or without, and none lost whatever fails."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from tests.feeds.sites import PARAGRAPHS, item, page, reply, rss

from whywire.feeds.states import FeedState, StatesInMemory, Subscription
from whywire.feeds.watcher import BATCH, Watcher
from whywire.news import Language


class Watch:
    """A watcher of a site without pauses, run as often as a test likes."""

    def __init__(self, *urls, sink=None, **options):
        self.urls = urls
        self.articles, self.versions, self.looks = [], [], []
        self.states = StatesInMemory()
        self.sink = sink or self.articles.extend
        self.options = {
            "versions": self.versions.extend,
            "allow_private": True,
            "delay": 0.0,
            "seconds": 5.0,
        } | options

    def once(self, **options):
        """Look once at all feeds, as if all were due."""
        for state in self.states.load():
            self.states.save(due(state))
        self.run(once=True, **options)
        return self

    def run(self, **options):
        watcher = Watcher(
            lambda: map(Subscription, self.urls), self.sink, self.states, on_look=self.looks.append, **self.options
        )
        watcher.run(**options)

    @property
    def titles(self):
        return [article.title for article in self.articles]

    @property
    def problems(self):
        return [problem for look in self.looks for problem in look.problems]

    def state(self, url=None):
        return next(state for state in self.states.load() if url in (None, state.url))


def due(state):
    values = {name: getattr(state, name) for name in FeedState.__dataclass_fields__}
    return FeedState(**values | {"next_fetch": datetime.now(UTC) - timedelta(1)})


def feed(site, *titles, path="/rss", **headers):
    """Publish a feed of reports, newest first, and their pages."""
    for title in titles:
        site[f"/{title}"] = reply(page(title), Content_Type="text/html")
    site[path] = reply(rss(item(f"/{title}", title) for title in reversed(titles)), **headers)
    return site.url + path


def test_articles_come_once_with_the_text_of_their_pages(site):
    watch = Watch(feed(site, "Storm", "Flood")).once()
    assert watch.titles == ["Storm", "Flood"], "oldest first"
    storm = watch.articles[0]
    assert storm.text == "\n".join(PARAGRAPHS)
    assert (storm.url, storm.source, storm.language) == (f"{site.url}/Storm", "127.0.0.1", Language.ENGLISH)
    assert watch.looks[0].articles == 2
    feed(site, "Storm", "Flood", "Slide")
    watch.once().once()
    assert watch.titles == ["Storm", "Flood", "Slide"]
    assert site.asked.count("/Storm") == 1, "a page is fetched once"


def test_a_feed_that_is_not_due_is_not_asked_for(site):
    watch = Watch(feed(site, "Storm"))
    watch.run(once=True)
    watch.run(once=True)
    assert site.asked.count("/rss") == 1


def test_the_time_is_the_feeds_else_the_pages(site):
    time_of_page = '<meta property="article:published_time" content="2026-03-01T08:00:00+00:00">'
    for path in ("/1", "/2", "/3", "/4"):
        site[path] = reply(page("Storm", time_of_page if path != "/3" else ""))
    in_feed = ("Wed, 04 Mar 2026 10:00:00 +0300", "", "", "Mon, 04 Mar 2199 10:00:00 GMT")
    dates = [f"<pubDate>{time}</pubDate>" for time in in_feed]
    site["/rss"] = reply(rss(item(f"/{number}", "Storm", date) for number, date in enumerate(dates, start=1)))
    watch = Watch(site.url + "/rss").once()
    times = {one.url[-1]: one.published and one.published.at.isoformat() for one in watch.articles}
    assert times == {
        "1": "2026-03-04T07:00:00+00:00",
        "2": "2026-03-01T08:00:00+00:00",
        "3": None,
        "4": "2026-03-01T08:00:00+00:00",
    }
    assert "in the future" in watch.problems[0].reason


@pytest.mark.parametrize(
    "answer",
    [
        reply(status="404 Not Found"),
        reply(status="503 Busy", Retry_After="0"),
        reply("<html></html>"),
        reply(b"%PDF-1.7", Content_Type="application/pdf"),
        reply(status="302 Found", Location="http://169.254.169.254/"),
        reply(b"x", length=10**9),
        b"",
    ],
)
def test_an_entry_whose_page_fails_comes_with_its_summary(site, answer):
    url = feed(site, "Storm")
    site["/Storm"] = answer
    watch = Watch(url).once()
    [article] = watch.articles
    assert (article.title, article.text) == ("Storm", "It broke.")
    [problem] = watch.problems
    assert problem.kept
    assert problem.place == f"{site.url}/Storm"
    watch.once()
    assert len(watch.articles) == 1


def test_without_text_no_page_is_fetched(site):
    watch = Watch(feed(site, "Storm"), text=False).once()
    assert watch.articles[0].text == "It broke."
    assert "/Storm" not in site.asked


def test_an_entry_without_a_headline_gets_one(site):
    notes = [
        "<item><description>A pier burnt. Nobody was hurt.</description><guid>1</guid></item>",
        "<item><guid>2</guid></item>",
    ]
    site["/rss"] = reply(rss(notes))
    watch = Watch(site.url + "/rss").once()
    assert watch.titles == ["A pier burnt."]
    assert site.asked == ["/robots.txt", "/rss"], "an id is no address"
    [problem] = watch.problems
    assert "there is no title" in problem.reason
    assert not problem.kept
    assert len(watch.once().articles) == 1


def test_conditional_requests(site):
    url = feed(site, "Storm", ETag='"1"', Last_Modified="Wed, 04 Mar 2026 10:00:00 GMT")
    watch = Watch(url).once()
    site["/rss"] = reply(status="304 Not Modified", Cache_Control="public, max-age=7200")
    watch.once()
    assert site.headers[-1]["if-none-match"] == '"1"'
    assert site.headers[-1]["if-modified-since"] == "Wed, 04 Mar 2026 10:00:00 GMT"
    state = watch.state()
    assert (state.failures, state.etag) == (0, '"1"')
    assert state.next_fetch > datetime.now(UTC) + timedelta(seconds=7100)


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
@pytest.mark.parametrize("wish", ["5000", "date"])
def test_a_busy_server_is_left_alone_as_long_as_it_wishes(site, status, wish):
    at = datetime.now(UTC) + timedelta(seconds=5000)
    site["/rss"] = reply(
        status=status, Retry_After=wish if wish != "date" else at.strftime("%a, %d %b %Y %H:%M:%S GMT")
    )
    state = Watch(site.url + "/rss").once().state()
    assert state.next_fetch >= at - timedelta(seconds=5)
    assert state.last_error.startswith(f"the server answers {status[:3]}")


def test_a_feed_that_is_gone(site):
    site["/rss"] = reply(status="410 Gone")
    watch = Watch(site.url + "/rss").once().once()
    assert watch.state().ended
    assert site.asked.count("/rss") == 1


def test_a_permanent_redirect_is_remembered(site):
    feed(site, "Storm", path="/new")
    site["/old"] = reply(status="301 Moved Permanently", Location="/new")
    watch = Watch(site.url + "/old").once().once()
    assert site.asked.count("/old") == 1
    assert watch.titles == ["Storm"]
    assert (watch.state().url, watch.state().address) == (f"{site.url}/old", f"{site.url}/new")


def test_a_redirect_to_something_else_is_not(site):
    site["/old"] = reply(status="301 Moved Permanently", Location="/parked")
    site["/parked"] = reply(page("This domain is for sale"))
    state = Watch(site.url + "/old").once().state()
    assert state.address == f"{site.url}/old"
    assert "names no feed" in state.last_error


def test_the_page_of_a_site_names_its_feed(site):
    feed(site, "Storm")
    link = '<link rel="alternate" type="application/rss+xml" href="/rss">'
    site["/"] = reply(page("Harbour Post", link), Content_Type="text/html")
    watch = Watch(site.url + "/").once()
    assert watch.titles == ["Storm"]
    assert watch.state().address == f"{site.url}/rss"


def test_a_page_that_names_itself_ends(site):
    site["/"] = reply(page("Post", '<link rel="alternate" type="application/rss+xml" href="/">'))
    assert "names something else as its feed" in Watch(site.url + "/").once().state().last_error


def sitemap(site, path, title):
    fields = f"<news:publication_date>2026-03-04</news:publication_date><news:title>{title}</news:title>"
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    site[path] = reply(
        f"<urlset {spaces}><url><loc>{site.url}/{title}</loc><news:news>{fields}</news:news></url></urlset>"
    )


def test_an_index_of_sitemaps(site):
    sitemap(site, "/1.xml", "Storm")
    sitemap(site, "/2.xml", "Flood")
    places = "".join(f"<sitemap><loc>{site.url}/{number}.xml</loc></sitemap>" for number in (1, 2, 3))
    site["/index.xml"] = reply(f"<sitemapindex>{places}</sitemapindex>", ETag='"1"')
    watch = Watch(site.url + "/index.xml", text=False).once()
    assert sorted(watch.titles) == ["Flood", "Storm"]
    assert "3.xml: the server answers 404" in watch.problems[0].reason
    sitemap(site, "/1.xml", "Slide")
    assert watch.once().titles[2:] == ["Slide"], "a sitemap changes while its index stays the same"


def test_what_robots_txt_forbids(site):
    url = feed(site, "Storm", "Secret")
    site["/robots.txt"] = reply("User-agent: *\nDisallow: /Secret\n")
    watch = Watch(url).once()
    assert watch.titles == ["Storm", "Secret"]
    assert "robots.txt forbids it" in watch.problems[0].reason
    assert "/Secret" not in site.asked
    site["/robots.txt"] = reply("User-agent: *\nDisallow: /\n")
    assert "robots.txt forbids it" in Watch(url).once().state().last_error


def test_an_article_of_two_feeds_comes_once(site):
    urls = feed(site, "Storm", "Flood", path="/a"), feed(site, "Flood", "Slide", path="/b")
    watch = Watch(*urls).once().once()
    assert sorted(watch.titles) == ["Flood", "Slide", "Storm"]
    assert site.asked.count("/Flood") == 1
    again = Watch(*urls)
    again.states = watch.states
    assert again.once().articles == []


def test_a_bad_feed_holds_up_no_other(site):
    site["/bomb"] = reply('<!DOCTYPE rss [<!ENTITY a "b">]><rss>&a;</rss>')
    site["/endless"] = lambda headers: (b"HTTP/1.1 200 OK\r\n\r\n", *([bytes(2**20)] * 60))
    site["/silent"] = lambda headers: (time.sleep(0.2) or b"" for _ in range(50))
    names = ("bomb", "endless", "silent", "missing")
    watch = Watch(*(f"{site.url}/{name}" for name in names), feed(site, "Storm"), "http://127.0.0.1:9/", seconds=2.0)
    watch.once()
    assert watch.titles == ["Storm"]
    errors = {state.url.rpartition("/")[2]: state.last_error for state in watch.states.load()}
    assert "entities" in errors["bomb"]
    assert "longer than 20 MB" in errors["endless"]
    assert "within 2 seconds" in errors["silent"]
    assert "404" in errors["missing"]
    assert errors["rss"] == ""


@pytest.mark.slow
def test_a_feed_of_ten_thousand_entries(site):
    site["/rss"] = reply(rss(item(f"/{number}", f"Report {number}") for number in range(10_000)))
    watch = Watch(site.url + "/rss", text=False).once()
    assert len(set(watch.titles)) == 10_000
    assert watch.once().looks[-1].articles == 0


def corrected(run, mill="Молния подожгла мельницу"):
    """A feed whose links change with each run, and one of whose entries is corrected in the second."""
    return rss(
        [
            item("/same", mill, "<guid isPermaLink='false'>g1</guid>"),
            item(
                f"/fuel?utm_source=rss&amp;utm_campaign=run{run}",
                "Fuel runs short",
                "<guid isPermaLink='false'>fuel-1</guid>",
            ),
            item(f"/{run}-slug", "Drivers queue at filling stations", "<guid isPermaLink='false'>queue-1</guid>"),
        ]
    )


@pytest.mark.parametrize("text", [True, False])
def test_links_that_change_bring_no_entry_again_and_a_correction_comes_once_as_a_version(site, text):
    for path in ("/same", "/fuel?utm_source=rss&utm_campaign=run1", "/1-slug"):
        site[path] = reply(page("Of the page"), Content_Type="text/html")
    site["/rss"] = reply(corrected(1))
    watch = Watch(site.url + "/rss", text=text).once()
    site["/rss"] = reply(corrected(2, mill="Исправление: мельницу подожгла искра"))
    watch.once().once()
    assert len(watch.articles) == 3
    [version] = watch.versions
    assert version.title == "Исправление: мельницу подожгла искра"
    assert version.id == next(one.id for one in watch.articles if one.url.endswith("/same"))
    assert site.asked.count("/same") == 2 * text


def test_feeds_that_word_an_entry_differently_do_not_correct_each_other(site):
    for number in (1, 2):
        site[f"/{number}"] = reply(
            rss([item("/fire", f"Fire, as feed {number} says", f"<guid isPermaLink='false'>g{number}</guid>")])
        )
    watch = Watch(site.url + "/1", site.url + "/2", text=False).once().once()
    assert (len(watch.articles), watch.versions) == (1, [])
    for number in (1, 2):
        site[f"/{number}"] = reply(
            rss([item("/fire", "Correction: no fire", f"<guid isPermaLink='false'>g{number}</guid>")])
        )
    watch.once().once()
    assert [one.title for one in watch.versions] == ["Correction: no fire"]


class FullError(Exception):
    """What a sink raises."""


def test_what_the_sink_could_not_take_comes_again(site):
    titles = [f"Report {number:02}".replace(" ", "") for number in range(BATCH + 5)]
    taken = []

    def sink(articles):
        if taken:
            raise FullError
        taken.extend(articles)

    watch = Watch(feed(site, *titles, ETag='"1"'), sink=sink)
    with pytest.raises(FullError):
        watch.once()
    assert len(taken) == BATCH
    assert watch.state().etag == "", "what was not handed over must come again"
    watch.sink = watch.articles.extend
    watch.once()
    assert [one.title for one in taken] + watch.titles == titles


def test_it_stops_when_told_and_goes_on_where_it_was(site):
    titles = [f"Report{number:02}" for number in range(2 * BATCH)]
    stop, taken = threading.Event(), []

    def sink(articles):
        taken.extend(articles)
        stop.set()

    watch = Watch(feed(site, *titles), sink=sink, text=False)
    site["/slow"] = lambda headers: (time.sleep(0.1) or b"" for _ in range(10))
    watch.urls = (*watch.urls, site.url + "/slow")
    watch.run(stop=stop)
    assert BATCH <= len(taken) <= 2 * BATCH
    watch.sink = taken.extend
    watch.once()
    assert [one.title for one in taken] == titles


def test_it_looks_again_when_a_feed_is_due(site):
    stop = threading.Event()
    url = feed(site, "Storm")
    watch = Watch(url)

    def sink(articles):
        watch.articles.extend(articles)
        if len(watch.articles) == 1:
            feed(site, "Storm", "Flood")
        else:
            stop.set()

    class Impatient(StatesInMemory):
        """Finds every feed due the next second."""

        def load(self):
            return [due(state) for state in super().load()]

    watch.states, watch.sink = Impatient(), sink
    watch.run(once=True)
    watch.run(stop=stop)
    assert watch.titles == ["Storm", "Flood"]


def test_feeds_that_come_and_go_while_a_watcher_runs(site):
    hung = threading.Event()

    def hang():
        hung.wait(60)
        yield b""

    one, other = feed(site, "Storm"), feed(site, "Flood", path="/other")
    site["/slow"] = lambda headers: hang()
    watch = Watch(seconds=60.0)
    wanted = [Subscription(one)]
    watcher = Watcher(lambda: [*wanted], watch.sink, watch.states, on_look=watch.looks.append, **watch.options)
    stop = threading.Event()
    thread = threading.Thread(target=watcher.run, kwargs={"stop": stop})
    thread.start()
    try:
        until(lambda: watch.titles == ["Storm"])
        wanted[:] = [Subscription(other)]
        until(lambda: watch.titles == ["Storm", "Flood"])
        wanted[:] = [Subscription(site.url + "/slow")]
        until(lambda: "/slow" in site.asked)
        wanted[:] = [
            Subscription(one, asked=datetime.now(UTC) - timedelta(minutes=2)),
            Subscription(other, paused=True),
        ]
        until(lambda: watcher.states.keys() == {one, other})
        wanted[:] = [Subscription(one, asked=watch.state(one).last_look + timedelta(microseconds=1))]
        time.sleep(2.5)
        assert site.asked.count("/rss") == 1, "not twice a minute"
        assert watch.state(one).articles == 1
        assert {state.url for state in watch.states.load()} == {one, other}, "a look that is given up leaves nothing"
    finally:
        stop.set()
        hung.set()
        thread.join(30)
    assert not thread.is_alive()


def until(done, seconds=30):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)
