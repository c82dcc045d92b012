"""People label in a real browser: each kind of task, by keyboard, mouse and touch; with connections that are lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.fake_models import FakeLanguageModels
from tests.service.pages.annotation_items import (
    ARTICLE,
    CAUSAL,
    CAUSES,
    CONTROL,
    COUNTERFACTUAL,
    ITEMS,
    NOT_RELATED,
    PAIRS,
    SAME,
    words_of,
)
from tests.service.pages.conftest import PHONE, Pages
from tests.service.pages.test_pages import grave_violations
from tests.service.servers import Running, running

from whywire.service.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TOUCH = {"size": PHONE, "has_touch": True, "is_mobile": True}


@pytest.fixture
def desk(browser: Browser, service: Running) -> Iterator[Pages]:
    """Pages of a service; a test fails if the browser complains."""
    opened = Pages(browser, service)
    yield opened
    for context in browser.contexts:
        context.close()
    assert opened.complaints == []


@pytest.fixture
def campaign(service: Running) -> Callable[..., str]:
    """Makes a campaign of a kind; returns its id."""

    def make(kind: str, items: list[dict[str, Any]] | None = None, **rules: Any) -> str:
        given = {"title": f"Desk of {kind}", "kind": kind, "language": "en", "items": items or ITEMS[kind]}
        made = service.post("/v1/campaigns", json={**given, "rules": rules}, headers=service.key("write"))
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    return make


def join(desk: Pages, campaign: str, name: str = "Ann", **options: Any) -> Page:
    """Open the guidelines, join by a name, and go to the work."""
    page = desk.open(f"/annotate/{campaign}", **options)
    page.locator("#name").fill(name)
    page.keyboard.press("Enter")
    page.locator("#start").click()
    page.locator("#controls").wait_for()
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def send(page: Page) -> None:
    """Send with the keyboard, and wait until something else is shown."""
    shown = page.locator("#stage").inner_text()
    page.keyboard.press("Control+Enter")
    page.wait_for_function("shown => document.getElementById('stage').textContent !== shown", arg=shown)


def answers(service: Running, campaign: str) -> dict[tuple[str, str], Any]:
    """All answers by item and person."""
    rows = service.get(f"/v1/campaigns/{campaign}/votes?limit=500", headers=service.key("write")).json()["items"]
    return {(row["item"], row["person"]): row["answer"] for row in rows}


def owner(desk: Pages, path: str, **options: Any) -> Page:
    """Open a page and type a key into it."""
    page = desk.open(path, **options)
    page.get_by_label("Key").fill(desk.service.key("write")["authorization"].removeprefix("Bearer "))
    page.locator("#owned").wait_for()
    return page


def fits(page: Page) -> None:
    """Nothing is wider than the window, and no reader is kept out."""
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert grave_violations(page) == []


def test_the_way_of_a_person_from_training_to_work_by_the_keyboard_alone(
    desk: Pages, campaign: Callable[..., str]
) -> None:
    pairs = campaign("relation", [*PAIRS, CONTROL], overlap=2, control_rate=1.0)
    page = desk.open(f"/annotate/{pairs}")
    page.get_by_role("heading", name="Guidelines").wait_for()
    fits(page)
    page.locator("#name").focus()
    page.keyboard.type("Ann")
    press(page, "Enter")
    page.locator("#start").wait_for()
    press(page, "Enter")  # the focus is there
    page.get_by_text("Training · item 1").wait_for()
    assert page.get_by_role("radio", name="The second led to the first").is_disabled()
    assert page.get_by_text("ruled out: the second report came later").count() == 2
    press(page, "5", "2", "Enter")
    page.get_by_role("heading", name="Not quite").wait_for()
    assert "The ferries are electric." in page.locator(".verdict").inner_text()
    assert "The first led to the second" in page.locator(".verdict").inner_text()
    page.wait_for_timeout(50)
    press(page, "Enter")
    page.get_by_role("heading", name="You are not asked further").wait_for()

    page = join(desk, pairs, "Ben")
    press(page, "4", "Enter")
    page.get_by_role("heading", name="Right").wait_for()
    press(page, "Enter")
    page.get_by_text("Exam · item 2").wait_for()
    press(page, "2", "Enter")
    page.get_by_text("Work · item 3").wait_for()
    fits(page)
    for number in (3, 4, 5):
        page.get_by_text(f"Work · item {number}").wait_for()
        press(page, "4" if "bridge" in page.locator("#task").inner_text() or number == 3 else "1", "Enter")
    page.get_by_role("heading", name="All is answered").wait_for()
    given = answers(desk.service, pairs)
    assert given["t1", "Ann"] == SAME
    assert {item: answer for (item, person), answer in given.items() if person == "Ben"} == {
        "t1": CAUSES,
        "x1": SAME,
        "c1": CAUSES,
        "w1": CAUSES,
        "w2": NOT_RELATED,
    }


def test_a_timeline_is_grouped_headline_by_headline(desk: Pages, campaign: Callable[..., str]) -> None:
    timeline = campaign("grouping")
    page = join(desk, timeline)
    assert "Dam at Ostra gives way" in page.locator(".current").inner_text()
    press(page, "n", "n", "z", "1", "1")
    page.get_by_role("button", name="Move: Engineers of Ostra dam charged").click()
    assert "Engineers" in page.locator(".current").inner_text()
    assert page.locator("#send").is_disabled()
    press(page, "n", "v")
    assert page.locator(".groups > li").last.get_by_role("button").first.is_disabled()
    fits(page)
    send(page)
    assert answers(desk.service, timeline)["g1", "Ann"] == {"groups": [["h3"], ["h1", "h2"], ["h4"]]}


def test_the_parts_of_a_counterfactual_are_tapped_on_a_phone_and_count_code_points(
    desk: Pages, campaign: Callable[..., str]
) -> None:
    sentences = campaign("counterfactual")
    page = join(desk, sentences, **TOUCH)
    page.locator("#task").get_by_text("Counterfactual", exact=True).tap()
    for role, first, last in (("Antecedent", "Had", "worked"), ("Consequent", "the", "time")):
        page.get_by_role("option", name=first, exact=True).last.tap()
        page.get_by_role("option", name=last, exact=True).tap()
        page.get_by_role("button", name=role, exact=True).tap()
    fits(page)
    page.get_by_role("button", name="Send").tap()
    page.get_by_role("heading", name="All is answered").wait_for()
    text = COUNTERFACTUAL["text"]
    assert answers(desk.service, sentences)["k1", "Ann"] == {
        "counterfactual": True,
        "antecedent": words_of(text, "Had the alarm worked"),
        "consequent": words_of(text, "the guards would have left in time"),
    }


def test_causes_effects_and_signals_in_pieces_are_marked_by_the_keyboard(
    desk: Pages, campaign: Callable[..., str]
) -> None:
    text = CAUSAL["text"]
    spans = campaign("spans")
    page = join(desk, spans)
    words = page.get_by_role("option").all_inner_texts()

    def mark(first: str, last: str, key: str) -> None:
        press(page, "Home", *["ArrowRight"] * words.index(first))
        press(page, *["Shift+ArrowRight"] * (words.index(last) - words.index(first)), key)

    mark("Bread", "dear", "c")
    mark("people", "queued", "e")
    mark("so", "so", "s")
    mark("that", "that", "s")
    page.get_by_role("group", name="Five tests").get_by_role("checkbox").first.check()
    page.get_by_role("listbox").focus()
    press(page, "r")
    mark("the", "poor", "c")
    mark("Bread", "dear", "e")
    mark("Mills", "Mills", "k")
    press(page, "0")
    assert page.locator(".relations > li").count() == 0
    press(page, "z")
    assert page.locator(".relations > li").count() == 2
    fits(page)
    send(page)
    assert answers(desk.service, spans)["s1", "Ann"] == {
        "relations": [
            {
                "cause": words_of(text, "Bread was so dear"),
                "effect": words_of(text, "people queued"),
                "signals": [words_of(text, "so"), words_of(text, "that")],
            },
            {"cause": words_of(text, "the harvest was poor"), "effect": words_of(text, "Bread was so dear")},
        ],
        "splits": [text.index("Mills")],
    }


def test_the_strength_of_a_cause_is_chosen_on_a_phone_in_russian(desk: Pages, campaign: Callable[..., str]) -> None:
    pairs = campaign("strength")
    page = join(desk, pairs, "Аня", locale="ru-RU", scheme="dark", **TOUCH)
    assert "Nobody had mended the cracks" in page.locator("#task").inner_text()
    page.get_by_text("Отчасти или иначе").tap()
    assert page.get_by_role("button", name="Отправить").is_disabled()
    page.get_by_label("Сила числом").fill("64")
    assert "64 · средняя" in page.locator("#task output").inner_text()
    fits(page)
    page.get_by_role("button", name="Отправить").tap()
    page.get_by_role("heading", name="Всё отвечено").wait_for()
    assert answers(desk.service, pairs)["e1", "Аня"] == {"score": 64, "without": "partly"}


def test_a_graph_is_corrected_with_the_mouse_and_by_keys(desk: Pages, campaign: Callable[..., str]) -> None:
    graphs = campaign("graph")
    page = join(desk, graphs)
    assert page.locator("[data-event]").count() == 2  # what was drawn already
    first, last = (page.locator(".sentence").nth(1).get_by_role("option", name=word) for word in ("town", "ferry"))
    first.hover()
    page.mouse.down()
    last.hover()
    page.mouse.up()
    press(page, "e", "m")
    page.get_by_role("option", name="Ferry", exact=True).click()
    page.keyboard.press("Shift+ArrowRight")
    press(page, "a", "1", "l", "j", "ArrowDown", "Enter", "h")  # link 1 → 2, implied
    assert page.locator(":focus").inner_text() == "2 The bridge was closed"
    grip = page.get_by_role("button", name="Link from: The bridge was closed")
    grip.hover()
    page.mouse.down()
    page.locator("[data-event]").nth(2).hover()
    page.mouse.up()
    assert page.locator("path.arc").count() == 2
    fits(page)
    send(page)
    (answer,) = answers(desk.service, graphs).values()
    town = answer["events"][2]
    assert town["main"]
    assert [mention["span"] for mention in town["mentions"]] == [
        words_of(ARTICLE["text"], "town runs a ferry"),
        words_of(ARTICLE["title"], "Ferry replaces"),
    ]
    assert [(link["cause"], link["effect"], link.get("how", "said")) for link in answer["links"]] == [
        ("e1", "e2", "implied"),
        ("e2", "e3", "said"),
    ]


def test_a_lost_connection_loses_no_label(desk: Pages, campaign: Callable[..., str]) -> None:
    pairs = campaign("relation", PAIRS[2:], overlap=2)
    page = join(desk, pairs)
    first = page.locator("#task").inner_text()
    press(page, "3")
    page.reload()  # marks of an item that was not sent stay
    assert page.get_by_role("radio", name="Otherwise related").is_checked()
    send(page)
    page.get_by_text("Work · item 2").wait_for()
    page.context.set_offline(True)
    press(page, "1", "Enter")
    page.get_by_text("1 answer waits to be sent.").wait_for()
    press(page, "b", "z", "2")
    assert page.get_by_role("radio", name="One event").is_checked()
    press(page, "Enter")
    page.get_by_role("heading", name="Not sent yet").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name="All is answered").wait_for()
    assert not page.locator("#waits").is_visible()
    given = [answer["relation"] for answer in answers(desk.service, pairs).values()]
    bridge_first = "bridge" in first
    assert given == (["other_relationship", "same_event"] if bridge_first else ["same_event", "other_relationship"])
    assert any("ERR_INTERNET_DISCONNECTED" in one for one in desk.complaints)
    desk.complaints.clear()  # the browser reports the lost connection, too


def test_what_is_not_sent_outlives_the_page(desk: Pages, campaign: Callable[..., str]) -> None:
    pairs = campaign("relation", PAIRS[2:], overlap=2)
    page = join(desk, pairs)
    page.route("**/answers/*", lambda route: route.abort())  # the service is away, the page can still be loaded
    press(page, "1", "Enter")
    page.get_by_text("1 answer waits to be sent.").wait_for()
    page.close()
    page = page.context.new_page()
    page.goto(f"{desk.service.url}/annotate/{pairs}/work")
    page.get_by_text("Work · item 2").wait_for()
    assert list(answers(desk.service, pairs).values()) == [NOT_RELATED]
    desk.complaints.clear()


def test_two_people_at_once_have_their_own_answers_and_one_goes_on_elsewhere(
    desk: Pages, campaign: Callable[..., str]
) -> None:
    pairs = campaign("relation", PAIRS[2:], overlap=2)
    ann, ben = join(desk, pairs, "Ann"), join(desk, pairs, "Ben")
    press(ann, "1")
    press(ben, "2")
    send(ann)
    send(ben)
    press(ann, "1", "Enter")
    press(ben, "2", "Enter")
    for page in (ann, ben):
        page.get_by_role("heading", name="All is answered").wait_for()
    given = answers(desk.service, pairs)
    assert len(given) == 4
    assert all(given[item, "Ann"] == NOT_RELATED and given[item, "Ben"] == SAME for item in ("w1", "w2"))
    ann.goto(f"{desk.service.url}/annotate/{pairs}")
    link = ann.locator("#personal-link").input_value()
    elsewhere = desk.open(link.removeprefix(desk.service.url), size=PHONE)
    assert elsewhere.locator("#person-name").inner_text() == "Ann"
    assert "wa_" not in elsewhere.url
    elsewhere.get_by_text("Your labels", exact=True).click()
    with elsewhere.expect_download() as saved:
        elsewhere.get_by_role("button", name="Save all my labels").click()
    rows = [json.loads(line) for line in Path(saved.value.path()).read_text().splitlines()]
    assert [row["answer"] for row in rows] == [NOT_RELATED, NOT_RELATED]
    fits(elsewhere)
    elsewhere.get_by_role("checkbox", name="Erase me").check()
    elsewhere.get_by_role("button", name="Erase").click()
    elsewhere.get_by_text("You and your labels are erased.").wait_for()
    assert {person for _, person in answers(desk.service, pairs)} == {"Ben"}


def test_an_owner_makes_a_campaign_from_a_file_looks_at_people_and_decides(desk: Pages, tmp_path: Path) -> None:
    service = desk.service
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(one) + "\n" for one in PAIRS[2:]))
    page = desk.open("/annotate")
    page.get_by_text("There is no campaign yet.").wait_for()
    page.get_by_text("New campaign").click()
    page.get_by_label("Key").fill(service.key("write")["authorization"].removeprefix("Bearer "))
    page.get_by_label("Title").fill("Pairs of March")
    page.get_by_label("File of items").set_input_files(items)
    page.get_by_label("People an item").fill("2")
    fits(page)
    page.get_by_role("button", name="Make the campaign").click()
    page.get_by_role("heading", name="Pairs of March").wait_for()
    pairs = page.url.rpartition("/")[2]
    for person, relation in (("Ann", CAUSES), ("Ben", SAME)):
        votes = [{"item": item, "person": person, "answer": relation, "seconds": 9} for item in ("w1", "w2")]
        path = f"/v1/campaigns/{pairs}/votes"
        assert service.post(path, json={"votes": votes}, headers=service.key("write")).status_code == 200

    page = owner(desk, f"/annotate/{pairs}/results")
    page.get_by_text("0 of 2 items are agreed on.").wait_for()
    fits(page)
    page.get_by_role("button", name="Withdraw: Ben").click()
    page.get_by_role("button", name="Restore: Ben").wait_for()
    assert "at most" in page.locator("#estimate").inner_text()
    page.get_by_role("button", name="Restore: Ben").click()
    page.get_by_role("button", name="Withdraw: Ben").wait_for()
    page.get_by_text("Change the campaign").click()
    fits(page)
    page.get_by_role("button", name="Close the campaign").click()
    page.locator("button", has_text="Open the campaign").wait_for(state="attached")
    page.get_by_text("Change the campaign").click()
    page.get_by_role("button", name="Open the campaign").click()
    page.locator("button", has_text="Close the campaign").wait_for(state="attached")
    page.get_by_role("link", name="w1").click()
    page.locator("#sides").get_by_text("Ann").wait_for()
    fits(page)
    page.get_by_role("button", name="Begin from this: Ben").click()
    page.get_by_role("button", name="Decide").click()
    page.get_by_text("Decided.").wait_for()
    page.get_by_role("link", name="Results").click()
    page.get_by_text("1 of 2 items are agreed on.").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the results").click()
    rows = {row["item"]: row for row in map(json.loads, Path(saved.value.path()).read_text().splitlines())}
    assert rows["w1"]["answer"] == SAME
    assert rows["w1"]["curated"]


def test_the_guidelines_of_each_kind_have_examples_in_both_languages(
    service: Running, campaign: Callable[..., str]
) -> None:
    for kind in ITEMS:
        made = campaign(kind)
        english, russian = (
            service.get(f"/annotate/{made}", headers={"accept-language": language}).text for language in ("en", "ru")
        )
        assert ">Example" in english
        assert ">Пример" in russian
        assert english.count("<dt>") == russian.count("<dt>") > 2


def test_in_a_closed_service_the_browser_asks_for_a_key_and_people_answer(
    browser: Browser, tmp_path: Path, fake_models: FakeLanguageModels
) -> None:
    with running(
        Settings(store=tmp_path / "news.db", port=0, works=False, open_reading=False), fake_models
    ) as closed:
        given = {"title": "Pairs", "kind": "relation", "language": "en", "items": PAIRS[2:]}
        made = closed.post("/v1/campaigns", json=given, headers=closed.key("write")).json()["id"]
        key = closed.key("read")["authorization"].removeprefix("Bearer ")
        page = join(Pages(browser, closed), made, http_credentials={"username": "anyone", "password": key})
        press(page, "1")
        send(page)
        assert list(answers(closed, made).values()) == [NOT_RELATED]
        page.context.close()


def test_an_unknown_campaign_is_said_to_be_none(service: Running) -> None:
    for page in ("", "/work", "/results", "/curate/a"):
        answer = service.get(f"/annotate/t-none{page}", headers={"accept": "text/html"})
        assert answer.status_code == 404
