"""The sentence on a story on the page of a build, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.graph.made_up_week import HOSTILE_TITLE, made_up_graph
from tests.graph.opened_pages import opened, story_of

from whywire.graph.passages import Clause, Part, Passage, WrittenSentence

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

WEEK = made_up_graph()
STORY = WEEK.stories()[0]


def clause(part: Part, text: str) -> Clause:
    article = STORY.lead.articles[0]
    title = WEEK.articles[article].title
    return Clause(part, text, Passage(article, "title", (0, len(title)), [[title, ""]]))


@pytest.mark.parametrize("has_sentence", [True, False])
def test_a_sentence_is_text_with_its_sources_and_its_writer(browser: Browser, tmp_path: Path, has_sentence) -> None:
    clauses = (
        clause(Part.HAPPENED, HOSTILE_TITLE),
        clause(Part.FOLLOWED, "it rained"),
        clause(Part.FOLLOWED, "again"),
    )
    sentence = WrittenSentence(STORY.id, STORY.lead.language, "<i>tiny</i>", clauses)
    for pages in opened(browser, WEEK, tmp_path, sentences=[sentence] if has_sentence else []):
        page = pages.open(story_of(WEEK, 0))
        page.wait_for_selector("#story-title")
        assert page.locator(".written").count() == has_sentence
        if has_sentence:
            article = WEEK.articles[STORY.lead.articles[0]]
            assert page.locator(".written q").all_inner_texts() == [one.text for one in clauses]
            assert page.locator(".written").inner_text().count("what followed: ") == 1
            assert "<i>tiny</i>" in page.locator(".written .tag").inner_text()
            assert [link.get_attribute("href") for link in page.locator(".written a").all()] == [article.url] * 3
        assert page.evaluate("window.hacked") is None
