"""Render the pages of docs/results from the records of measurements and a template a page.

    python .ci/results.py            write the pages
    python .ci/results.py --check    fail where a page is not what its template and the records give

A record is what ``whywire bench --out`` and its like write: scores, and under ``source`` *measured*, or *transcribed*
where the numbers were copied from notes of an earlier run. Templates are Jinja2 and see the functions below.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PAGES = Path(__file__).resolve().parent.parent / "docs" / "results"
TEMPLATES, RECORDS = PAGES / "templates", PAGES / "records"
ENDING = ".md.jinja"
DASH = "–"
HASH_DIGITS = 8
"""Of each hash a page shows; the records hold sixteen."""


def main() -> int:
    """Write all pages, or return 1 where one is out of date."""
    stale = [path for path, text in render() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(PAGES.parent.parent)} is not what the records give: run `make results`")
        return int(bool(stale))
    for path, text in render():
        path.write_text(text, encoding="utf-8")
    return 0


def render() -> Iterator[tuple[Path, str]]:
    """Each page's path and its text."""
    pages = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # Markdown
    )
    pages.globals |= {"record": record, "pct": pct, "bench": bench, "kinds": kinds, "table": table, "source": source}
    for template in sorted(TEMPLATES.glob(f"*{ENDING}")):
        page = PAGES / (template.name.removesuffix(ENDING) + ".md")
        yield page, pages.get_template(template.name).render()


def record(name: str) -> dict[str, Any]:
    """A record by the name of its file."""
    found: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def pct(value: float | None, digits: int = 1) -> str:
    """A share in per cent, a half rounded up: a float's binary tail decides nothing."""
    if value is None:
        return DASH
    return str((100 * Decimal(str(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def bench(name: str, *scores: str) -> str:
    """The table of a benchmark: ours, the baselines, what was published, and which of that cannot be compared."""
    found = record(name)
    lines = [(system["name"], "", system["scores"]) for system in found["systems"]]
    lines += [(f"*{row['name']}* ({row['source']})", row["split"], row["scores"]) for row in found["published"]]
    own = f"{found['split']}, {found['rows']:,} rows"
    cells = [
        [line, split or own, *(pct(own_scores.get(score)) for score in scores)] for line, split, own_scores in lines
    ]
    cells[0] = [f"**{cell}**" for cell in cells[0]]
    table = markdown(["system", "rows", *scores], cells)
    apart = [f"*{row['name']}* ({row['incomparable']})" for row in found["published"] if row.get("incomparable")]
    return f"{table}\n\nCannot be compared with ours: {'; '.join(apart)}." if apart else table


def kinds(name: str) -> str:
    """The scores of a benchmark's systems on kinds of rows."""
    found = record(name)
    names = list(found["systems"][0]["kinds"])
    cells = [[system["name"], *(pct(system["kinds"].get(kind)) for kind in names)] for system in found["systems"]]
    return markdown(["", *names], cells)


def table(name: str, which: str) -> str:
    """One of the tables of a record that holds tables, as written there."""
    found = record(name)["tables"][which]
    return markdown(found["columns"], found["rows"])


def markdown(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def source(name: str, *models: str) -> str:
    """Where the numbers of a record come from: command, version, weights of these models, day, machine."""
    found = record(name)
    weights = ", ".join(f"{model} `{found['weights'][model][:HASH_DIGITS]}`" for model in models)
    how = "Measured" if found["source"] == "measured" else "**Transcribed** from notes of a run"
    parts = [
        f"{how} on {found['date']}",
        f"Whywire {found['version']}",
        *([f"weights {weights}"] if weights else []),
        found["machine"],
        f"[record](records/{name}.json)",
    ]
    text = f"- {'; '.join(parts)}."
    command = f" `{found['command']}`" if found.get("command") else ""
    note = f" {found['note']}" if found.get("note") else ""
    return text + command + note


if __name__ == "__main__":
    sys.exit(main())
