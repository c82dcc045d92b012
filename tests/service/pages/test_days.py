"""Reports with a wrong year do not decide which day the pages show."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.graph.made_up_week import made_up_graph
from tests.service.servers import Running, running

from whywire.news import parse_time
from whywire.service.settings import Settings
from whywire.store import Store
from whywire.updating import Changes

NOW = datetime.now(UTC)
FUTURE = "2099-01-01T09:00:00Z"


def send(service: Running, *articles: tuple[str, str]) -> None:
    key = service.key("write")
    for title, published in articles:
        assert service.post("/v1/articles", json={"title": title, "published": published}, headers=key).is_success
    service.settle()


@pytest.mark.parametrize(
    ("days", "shown"),
    [
        ([-3, 30_000], -3),
        ([-2, 1], -2),
        ([-400, -390, 2], -390),
        ([-1, 0], 0),
    ],
)
def test_the_home_page_shows_the_latest_day_that_is_not_to_come(
    service: Running, days: list[int], shown: int
) -> None:
    send(service, *((f"Storm number {day} shuts the port", f"{(NOW + timedelta(days=day)).date()}") for day in days))
    day = (NOW + timedelta(days=shown)).date()
    assert f'name="day" value="{day}"' in service.get("/").text


def test_a_store_of_only_wrong_years_shows_today(service: Running) -> None:
    send(service, ("Музей готовит выставку карт", FUTURE))
    assert f'name="day" value="{datetime.now(UTC).date()}"' in service.get("/").text


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
            assert int(last) <= NOW.year + 1
