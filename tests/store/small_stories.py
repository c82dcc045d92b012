"""Three small stories, and a way to put such stories into a store without models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whywire.elements import Event, Mention, MentionKind
from whywire.news import Article, Language, parse_time
from whywire.store import Store
from whywire.updating import Change, ChangeKind, Changes

Rows = Sequence[tuple[str, str, str | None]]
"""Titles, outlets and times of the reports of a story."""

NEWS: dict[str, Rows] = {
    "quake": [
        ("Quake shakes Moscow suburb", "Harbour Post", "2026-03-04"),
        ("Rescuers search after quake, UN offers help", "Calder Echo", "2026-03-05"),
    ],
    "толчки": [
        ("Толчки в Москве: ООН предлагает помощь", "Вести бухты", "2026-03-04"),
        ("Спасатели ищут людей после толчков", "Harbour Post", "2026-03-04"),
    ],
    "strike": [
        ("Strike shuts port of Houston", "Calder Echo", "2026-03-06"),
        ("Port talks end, Calder Dockers Union goes on with strike", "Calder Echo", "2026-03-06"),
        ("Shops run short", "Texan Mail", "2026-03-07"),
    ],
}
LEADS = {"Shops run short": "Goods ran out as the Calder Dockers Union held on."}


def told(story: str, rows: Rows) -> tuple[list[Article], list[Event]]:
    """Articles, each the only report of an event, all in one story."""
    articles, events = [], []
    for number, (title, outlet, day) in enumerate(rows):
        name = f"{story}-{number}"
        language = Language.RUSSIAN if "о" in title else Language.ENGLISH
        time = parse_time(day) if day else None
        articles.append(Article(name, title, LEADS.get(title, ""), language, source=outlet, published=time))
        mention = Mention(name, "title", (0, len(title)), MentionKind.HEADLINE)
        events.append(Event(f"e-{name}", title, language, time, time, (name,), f"e-{story}-0", (mention,)))
    return articles, events


def take_in(store: Store, stories: Mapping[str, Rows]) -> None:
    """Commit stories, each in an update of its own."""
    for story, rows in stories.items():
        articles, events = told(story, rows)
        history = tuple(Change(ChangeKind.ARTICLE_ADDED, article.id) for article in articles)
        changes = Changes(articles=tuple(articles), events=tuple(events), history=history)
        store.commit(changes, decided_at=store.last_change())
