"""Invented items of each kind of task, with what a careful person answers."""

from typing import Any

TIMES = "2026-03-02T08:00:00Z", "2026-03-03T09:30:00Z"


def pair(name: str, left: str, right: str, **more: Any) -> dict[str, Any]:
    """Two headlines a day apart."""
    titles = {"left_title": left, "right_title": right}
    return {"id": name, **titles, "left_published": TIMES[0], "right_published": TIMES[1], **more}


CAUSES, SAME, NOT_RELATED = ({"relation": one} for one in ("left_right_cause", "same_event", "no_relationship"))

PAIRS = [
    pair(
        "t1",
        "Storm fells power lines at Vell",
        "Ferries of Vell stay in port",
        role="training",
        gold=CAUSES,
        hint="The ferries are electric.",
    ),
    pair("x1", "Bakery burns in Orlen", "Fire destroys bakery in Orlen", role="exam", gold=SAME),
    pair("w1", "Lorry hits bridge at Sund", "Bridge at Sund closed"),
    pair("w2", "Orlen elects a mayor", "Whale seen off Sund"),
]
"""A whole way: training, exam, and two items of work; and a control beside them (:data:`CONTROL`)."""

CONTROL = pair("c1", "River rises over its banks at Tarn", "Tarn evacuates low streets", role="control", gold=CAUSES)

TIMELINE = {
    "id": "g1",
    "title": "The dam of Ostra",
    "headlines": [
        {
            "id": "h3",
            "title": "Engineers of Ostra dam charged",
            "published": "2026-03-05T07:00:00Z",
            "source": "Post",
        },
        {"id": "h1", "title": "Dam at Ostra gives way", "published": "2026-03-02T08:00:00Z", "source": "Courier"},
        {"id": "h2", "title": "Ostra valley flooded as dam bursts", "published": "2026-03-02T09:00:00Z"},
        {"id": "h4", "title": "What we know about Ostra", "published": "2026-03-06T09:00:00Z"},
    ],
}

COUNTERFACTUAL = {"id": "k1", "text": "🚒👩‍🚒 Had the alarm worked, the guards would have left in time."}
"""With emoji that are two and more units of UTF-16."""

CAUSAL = {
    "id": "s1",
    "text": "Bread was so dear 😟 that people queued, because the harvest was poor. Mills stood still.",
}

STRENGTH = {
    "id": "e1",
    "cause": "Rain falls on Ostra for a week.",
    "effect": "The dam of Ostra gives way.",
    "documents": [
        "It had rained in Ostra for a week.\n\nOn Monday the old dam, which had cracks, gave way.",
        "Nobody had mended the cracks in the dam of Ostra, an engineer said.",
    ],
}

ARTICLE = {
    "id": "a1",
    "title": "Ferry replaces bridge at Sund 🛳️",
    "text": "A lorry hit the bridge at Sund on Monday. The bridge was closed, so the town runs a ferry. "
    "A new bridge would be better, the mayor thinks.",
    "published": "2026-03-03T10:00:00Z",
}


def words_of(text: str, words: str) -> list[int]:
    """The span of some words of a text."""
    start = text.index(words)
    return [start, start + len(words)]


def event(name: str, words: str, **more: Any) -> dict[str, Any]:
    """An event of the article."""
    mention = {"article": ARTICLE["id"], "field": "text", "span": words_of(ARTICLE["text"], words)}
    return {"id": name, "mentions": [mention], **more}


READING = {
    "id": "r1",
    "articles": [ARTICLE],
    "drawn": {
        "events": [event("e1", "A lorry hit the bridge at Sund"), event("e2", "The bridge was closed")],
        "links": [],
    },
}

ITEMS = {
    "relation": PAIRS,
    "grouping": [TIMELINE],
    "counterfactual": [COUNTERFACTUAL],
    "spans": [CAUSAL],
    "strength": [STRENGTH],
    "graph": [READING],
}
