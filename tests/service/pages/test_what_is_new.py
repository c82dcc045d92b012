"""What changed by story, and what is new since a reader's last visit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from whywire.elements import LinkKind
from whywire.service.pages.changes import by_story
from whywire.service.pages.stories import BETWEEN_VISITS, Visit
from whywire.store import Store
from whywire.updating import ChangeKind

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def history(example_store):
    """The stories of the bundled example as they changed, and all changes."""
    with Store.open(example_store, create=False, read_only=True) as store:
        recorded = store.changes(limit=10_000)
        return by_story(store, recorded), recorded, store.stories(limit=100).items


def test_every_change_is_in_one_story(history):
    stories, recorded, _ = history
    listed = [one.id for story in stories for of_kind in story.changes.values() for one in of_kind]
    assert sorted(listed) == [one.id for one in recorded]


def test_a_story_counts_its_reports_and_new_causes(history):
    stories, recorded, summaries = history
    by_id = {story.id: story for story in stories}
    assert [story.at for story in stories] == sorted((story.at for story in stories), reverse=True)
    for summary in summaries:
        story = by_id[summary.id]
        added = story.changes.get(ChangeKind.LINK_ADDED, [])
        causes = [one for one in added if one.change.link_kind is LinkKind.CAUSES]
        assert story.title == summary.title
        assert story.reports <= summary.articles, "some only mention its events"
        assert story.counts.get("new cause", 0) == len(causes)
        assert story.counts.get("new refutation", 0) == len(added) - len(causes)
        assert story.strongest is (causes[0] if causes else None)
    came = [one for one in recorded if one.change.kind is ChangeKind.ARTICLE_ADDED]
    assert sum(story.reports for story in stories) == len(came) > 0
    assert sum(story.counts.get("new cause", 0) for story in stories) > 0


def test_the_first_visit_has_nothing_new_and_a_later_one_what_came_since():
    first = Visit.of("", 10, NOON)
    assert first.before is None
    again = Visit.of(first.cookie, 12, NOON + timedelta(minutes=5))
    assert again.before == 10, "still the first visit: nothing came before it that is new"
    later = Visit.of(again.cookie, 20, NOON + timedelta(minutes=5, seconds=BETWEEN_VISITS + 1))
    assert later.before == 12


@pytest.mark.parametrize("cookie", ["x", "1-2", "1-2-3-4", "-1-2-3", "1-2-" + "9" * 30, "1;2;3"])
def test_a_cookie_that_is_no_visit_is_a_first_visit(cookie):
    assert Visit.of(cookie, 7, NOON) == Visit(None, 7, NOON)


def test_a_card_names_the_strongest_cause_and_what_is_new(pages):
    page = pages.open("/?day=all")
    card = page.locator(".story-card", has=page.get_by_role("link", name="Embankment"))
    assert "led to" in card.locator(".why").inner_text()
    assert page.locator(".story-card .news").count() == 0
    (cookie,) = [one for one in page.context.cookies() if one["name"] == "visit"]
    page.context.add_cookies([{**cookie, "value": "0-0-1"}])
    page.reload()
    assert "New since your last visit" in card.locator(".news").inner_text()
    assert "refutation" in card.locator(".news").inner_text()


def test_changes_are_listed_story_by_story(pages):
    page = pages.open("/changes?since=2020-01-01")
    line = page.locator("#changed-stories > li", has=page.get_by_role("link", name="Embankment")).first
    assert "Links closed by a refutation: 1" in line.inner_text()
    line.locator("summary").first.click()
    line.get_by_role("heading", name="Events split").wait_for()
