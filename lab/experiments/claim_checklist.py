"""Print how the embedded models do on the checklist of claims (``whywire_lab.tasks.claim_checklist``).

python lab/experiments/claim_checklist.py [--list]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

from whywire_lab.tasks.claim_checklist import EXPECTED, FILES, outcomes


def main() -> None:
    """Print, for each language and test, how often each outcome came."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print each row that fails")
    listed = parser.parse_args().list
    for language in FILES:
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for row, ends, outcome in outcomes(language):
            found[row["test"]][outcome] += 1
            if listed and outcome != EXPECTED[row["test"]]:
                print(f"{row['kind']}: {outcome}: {row['text']} {ends}")
        for test, counts in found.items():
            print(language, test, dict(counts.most_common()))


if __name__ == "__main__":
    main()
