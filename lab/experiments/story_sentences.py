"""What a chat model makes of the passages of stories, and how much of it is shown.

    python lab/experiments/story_sentences.py NEWS... [--seconds 1200] [--server PID] [--drafts FILE]

Each file of news is built without the chat model. That of WHYWIRE_CHAT_URL and WHYWIRE_CHAT_MODEL is asked for a
draft on each story that has evidence, until it has answered for so many seconds. Printed are counts: of stories,
passages, clauses that it wrote, those that are their passage shortened and so may be shown, those that are a whole
passage, and sentences that are left. FILE gets each draft with its passages, to be read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from whywire import build, second_reader
from whywire.graph.story_evidence import StoryPassage, story_evidence
from whywire.second_opinions.grounding import shortened
from whywire.second_opinions.writing import DraftClause, draft_request, sentence_of
from whywire_lab.processor_time import process_seconds

BUDGET = "5m"
"""Tokens: enough for any run."""


def main() -> None:
    """Ask for drafts and print what came of them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news", nargs="+")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--server", type=int, help="the process of the chat model")
    parser.add_argument("--drafts", type=Path, help="write drafts here")
    arguments = parser.parse_args()
    adviser, counts, drafts = second_reader(BUDGET), Counter[str](), []
    used, asking = process_seconds(arguments.server) if arguments.server else 0.0, 0.0
    for news in arguments.news:
        graph = build(news).graph
        for story in graph.stories():
            counts["stories"] += 1
            evidence = story_evidence(graph, story)
            counts["with evidence"] += bool(evidence)
            if not evidence or asking > arguments.seconds:
                continue
            counts["asked about"] += 1
            began = time.monotonic()
            draft = adviser.ask(draft_request(evidence))
            asking += time.monotonic() - began
            if draft is None:
                continue
            counts["drafts"] += 1
            counts["passages"] += len(evidence)
            judged = [fate(clause, evidence) for clause in draft.clauses]
            counts.update(judged)
            sentence = sentence_of(story, evidence, draft, adviser.model)
            counts["sentences"] += sentence is not None
            drafts.append(
                {
                    "story": story.title,
                    "passages": [one.passage.text for one in evidence],
                    "clauses": [
                        [clause.passage, clause.clause, of] for clause, of in zip(draft.clauses, judged, strict=True)
                    ],
                    "sentence": sentence and [clause.text for clause in sentence.clauses],
                }
            )
    if arguments.drafts:
        rows = (json.dumps(row, ensure_ascii=False) + "\n" for row in drafts)
        arguments.drafts.write_text("".join(rows), encoding="utf-8")
    took = process_seconds(arguments.server) - used if arguments.server else None
    print(json.dumps({"model": adviser.model, "tally": str(adviser.tally), "server, s": took} | counts, indent=2))


def fate(clause: DraftClause, evidence: Sequence[StoryPassage]) -> str:
    """What becomes of a clause of a draft."""
    if not 0 < clause.passage <= len(evidence):
        return "clauses of no passage"
    source = evidence[clause.passage - 1]
    if shortened(clause.clause, source.passage.text, source.about) is None:
        return "clauses that are dropped"
    whole = clause.clause.strip(" .") == source.passage.text.strip(" .")
    return "clauses that are a whole passage" if whole else "clauses that are a passage shortened"


if __name__ == "__main__":
    main()
