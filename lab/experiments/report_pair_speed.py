"""How many reports and pairs a second the embedded pair model reads on one core.

    python lab/experiments/report_pair_speed.py --data DATA

Texts are neighbours of the streams' training part, one at a time as in a build, the fastest of five rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from whywire.models import OnnxModel
from whywire.models.pretrained import WEIGHTS
from whywire.pairs.comparing import PairComparer
from whywire.pairs.report_reader import ReportReader
from whywire_lab.recipes.report_sources import stream_pairs

ROUNDS, PAIRS = 5, 200


def main() -> None:
    """Print reports with leads, titles, and pairs a second, by language, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    folder = WEIGHTS / "pairs"
    model, comparer = OnnxModel(folder, threads=1), PairComparer(folder, threads=1)
    rows = list(stream_pairs(options.data / "news_stream"))
    found: dict[str, dict[str, float]] = {}
    for language in ("en", "ru"):
        own = [row for row in rows if row.language == language]
        own = own[:: len(own) // PAIRS]
        reports = list(dict.fromkeys(report for row in own for report in (row.left, row.right)))
        read = ReportReader(model).read(reports)
        pairs = [(read[row.left], read[row.right]) for row in own]
        found[language] = {
            "reports": _pace(len(reports), lambda reports=reports: ReportReader(model).read(reports)),
            "titles": _pace(len(reports), lambda bare=[one.bare for one in reports]: ReportReader(model).read(bare)),
            "pairs": _pace(len(pairs), lambda pairs=pairs: comparer.compare(pairs)),
        }
    print(json.dumps(found, indent=2))


def _pace(count: int, work: Callable[[], object]) -> float:
    """Of so many things a second, in the fastest round."""
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return round(count / min(spent), 1)


if __name__ == "__main__":
    main()
