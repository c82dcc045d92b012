"""A small corpus in CRAB's format: four stories of our own, each told by two documents."""

import json
from itertools import combinations
from pathlib import Path

STORIES = {"Arle": 2019, "Borr": 2020, "Cusk": 2022, "Dorn": 2023}
"""Where each story is set, and its year."""

EVENTS = (
    "Heavy rain fell on {} for three days",
    "The river burst its banks at {}",
    "The only bridge of {} collapsed",
    "Hundreds of people fled their homes in {}",
    "The bakery of {} won a prize",
    "The mayor of {} resigned over the flood",
)
STRENGTHS = {(0, 1): 95, (1, 2): 90, (1, 3): 85, (0, 3): 60, (0, 2): 70, (1, 5): 55, (2, 5): 40, (3, 5): 30}
"""How strongly one led to another; 5 where nothing is said."""

DOCUMENTS = (
    "{} Valley News: it rained, the river rose and the bridge is gone.",
    "From our correspondent in {}: people fled, the mayor went and the bakery baked.",
)
FIRST_DOCUMENT = frozenset({0, 1, 2})


def rows() -> list[dict[str, object]]:
    """One row a pair, under the names of the authors' programs."""
    made = []
    for place, year in STORIES.items():
        for a, b in combinations(range(len(EVENTS)), 2):
            score = STRENGTHS.get((a, b), 5)
            documents = [DOCUMENTS[0 if event in FIRST_DOCUMENT else 1].format(place) for event in (a, b)]
            made.append(
                {
                    "event_a": EVENTS[a].format(place),
                    "event_b": EVENTS[b].format(place),
                    "article_a": documents[0],
                    "article_b": documents[1],
                    "causal_score": score,
                    "scores": [max(0, score - 4), score, min(100, score + 4)],
                    "story": f"Flood of {place}",
                    "date_a": f"{year}-05-02",
                    "date_b": f"{year}-05-04",
                    "setting": "in-doc" if documents[0] == documents[1] else "cross-doc",
                }
            )
    return made


def write_lines(path: Path, written: list[dict[str, object]]) -> Path:
    """An object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in written), encoding="utf-8")
    return path
