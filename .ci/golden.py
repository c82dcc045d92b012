"""Write the golden files of the tests again, where a change of format is meant; `git diff` shows what changed."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.exchange.made_up import EXAMPLES  # noqa: E402
from tests.graph.made_up_week import made_up_graph  # noqa: E402

from whywire.exchange.formats import write_annotations  # noqa: E402
from whywire.graph.to_rows import claim_rows, event_rows, link_rows  # noqa: E402
from whywire.output import json_text  # noqa: E402


def main() -> None:
    """Write the rows of the made-up week, and the made-up sentences in every format."""
    graph, folder = made_up_graph(), ROOT / "tests" / "graph" / "golden"
    for name, rows in (("events", event_rows), ("links", link_rows), ("claims", claim_rows)):
        text = "".join(json_text(row) + "\n" for row in rows(graph))
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
    folder = ROOT / "tests" / "exchange" / "golden"
    for name in ("examples.jsonl", "examples.csv", "examples.bio", "examples.json", "examples.xmi", "brat"):
        write_annotations(EXAMPLES, str(folder / name))


if __name__ == "__main__":
    main()
