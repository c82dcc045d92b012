"""Reports with a wrong year do not decide which day the pages show."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from tests.graph.made_up_week import made_up_graph
from tests.service.servers import Running, running

from whywire.news import parse_time
from whywire.service.settings import Settings
from whywire.store import Store
from whywire.updating import Changes

FUTURE = "2099-01-01T09:00:00Z"


def today() -> date:
    return datetime.now(UTC).date()


def send(service: Running, *articles: tuple[str, str]) -> None:
    key = service.key("write")
    for title, published in articles:
        assert service.post("/v1/articles", json={"title": title, "published": published}, headers=key).is_success
    service.settle()


def shown_day(service: Running, told: Iterable[date] = ()) -> tuple[date, set[date]]:
    """The day of the home page, and the latest of those told of; two of these if midnight passes meanwhile."""
    before = today()
    page = service.get("/").text
    [day] = re.findall(r'name="day" value="([^"]+)"', page)
    return date.fromisoformat(day), {
        max((day for day in told if day <= now), default=now) for now in (before, today())
    }


@pytest.mark.parametrize("days", [[-3, 30_000], [-2, 1], [-400, -390, 2], [-1, 0]])
def test_the_home_page_shows_the_latest_day_that_is_not_to_come(service: Running, days: list[int]) -> None:
    told = [today() + timedelta(days=day) for day in days]
    send(service, *((f"Storm number {day} shuts the port", f"{day}") for day in told))
    shown, latest = shown_day(service, told)
    assert shown in latest


def test_a_store_of_only_wrong_years_shows_today(service: Running) -> None:
    send(service, ("Музей готовит выставку карт", FUTURE))
    shown, latest = shown_day(service)
    assert shown in latest


def test_a_report_of_a_wrong_year_does_not_stretch_the_days_of_a_story(tmp_path, fake_models) -> None:
    graph = made_up_graph()
    story = max(graph.stories(), key=lambda one: len(one.events))
    wrong = story.lead.articles[-1]
    articles = [
        replace(one, published=parse_time(FUTURE)) if one.id == wrong else one for one in graph.articles.values()
    ]
    changes = Changes(articles=tuple(articles), events=graph.events, links=graph.links, claims=graph.claims)
    path = tmp_path / "news.db"
    with Store.open(path) as store:
        store.commit(changes, decided_at=0)
    with running(Settings(store=path, port=0, works=False), fake_models) as service:
        for address in (f"/stories/{story.id}", f"/events/{story.lead.id}"):
            page = service.get(address)
            (last,) = re.findall(r'data-last="(\d{4})', page.text)
            assert int(last) <= today().year + 1
