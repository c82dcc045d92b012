"""What is true of the bundled example."""

import json
from pathlib import Path


def read_gold(path: Path) -> tuple[dict[str, str], set[tuple[str, str, str]]]:
    """The event of each article, and the links as (source, target, kind)."""
    gold = json.loads(path.read_text(encoding="utf-8"))
    events = {article: event["name"] for event in gold["events"] for article in event["articles"]}
    return events, {(link["source"], link["target"], link["kind"]) for link in gold["links"]}
