"""Made-up sentences marked as RECESS marks them, what was predicted for each, and the scores worked out by hand.

Nothing of it happened. The files have the columns and the names of those that the published scorer reads.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from whywire_lab.metrics.recess import ALL, SEVERAL


@dataclass(frozen=True)
class Row:
    """A sentence with its true relations and those predicted; without marks, none is."""

    text: str
    truth: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()


NOT_CAUSAL = [
    # Not counted, for it is not causal; strictly, a cause and an effect too many.
    Row(
        "The council met on Tuesday .",
        predicted=("<ARG0>The council</ARG0> <ARG1>met on Tuesday</ARG1> .",),
    ),
    Row("Her uncle keeps bees ."),
]

CAUSAL = [
    # As it should be: a cause and an effect hit.
    Row(
        "Angered by the fare rise , riders blocked the tram depot .",
        ("<ARG0>Angered by the fare rise</ARG0> , <ARG1>riders blocked the tram depot</ARG1> .",),
        ("<ARG0>Angered by the fare rise</ARG0> , <ARG1>riders blocked the tram depot</ARG1> .",),
    ),
    # An effect in two pieces: each is near; a cause that is a word too long: near.
    Row(
        "Two mills closed and 300 weavers lost their jobs in the slump .",
        ("<ARG1>Two mills closed and 300 weavers lost their jobs</ARG1> in <ARG0>the slump</ARG0> .",),
        ("<ARG1>Two mills closed</ARG1> <ARG1>and 300 weavers lost their jobs</ARG1> <ARG0>in the slump</ARG0> .",),
    ),
    # An effect hit, a cause missed, a signal too many.
    Row(
        "Nurses held a vigil against the closure of the Merrow ward .",
        ("<ARG1>Nurses held a vigil</ARG1> <ARG0>against the closure of the Merrow ward</ARG0> .",),
        ("<ARG1>Nurses held a vigil</ARG1> <SIG0>against</SIG0> the closure of the Merrow ward .",),
    ),
    # A cause, an effect and the signal inside it hit.
    Row(
        "The landslide forced a detour of nine miles .",
        ("<ARG0>The landslide</ARG0> <ARG1><SIG0>forced</SIG0> a detour of nine miles</ARG1> .",),
        ("<ARG0>The landslide</ARG0> <ARG1><SIG0>forced</SIG0> a detour of nine miles</ARG1> .",),
    ),
    # A cause and an effect hit, a signal near. The second relation is not counted; strictly, a cause too many.
    Row(
        "The frost left at least six orchards bare .",
        ("<ARG0>The frost</ARG0> <ARG1><SIG0>left</SIG0> at least six orchards bare</ARG1> .",),
        (
            "<ARG0>The frost</ARG0> <ARG1><SIG0>left at</SIG0> least six orchards bare</ARG1> .",
            "<ARG0>The frost</ARG0> left at least six orchards bare .",
        ),
    ),
    # The cause taken for an effect: near; the effect missed. The second relation is right, but it is not counted;
    # strictly, a cause and an effect too many.
    Row(
        "Heavy snow closed the pass road .",
        ("<ARG0>Heavy snow</ARG0> <ARG1>closed the pass road</ARG1> .",),
        (
            "<ARG1>Heavy snow</ARG1> closed the pass road .",
            "<ARG0>Heavy snow</ARG0> <ARG1>closed the pass road</ARG1> .",
        ),
    ),
    # An effect hit, a cause and a signal missed.
    Row(
        "Cellars were flooded following the storm .",
        ("<ARG1>Cellars were flooded</ARG1> <SIG0>following</SIG0> <ARG0>the storm</ARG0> .",),
        ("<ARG1>Cellars were flooded</ARG1> following the storm .",),
    ),
]

WITH_SEVERAL_RELATIONS = [
    # Two relations, predicted the other way round: two causes and two effects hit, a signal too many.
    Row(
        "Traffic stopped when farmers marched against a levy agreed in spring .",
        (
            "<ARG1>Traffic stopped</ARG1> when <ARG0>farmers marched</ARG0> against a levy agreed in spring .",
            "Traffic stopped when <ARG1>farmers marched</ARG1> <ARG0>against a levy agreed in spring</ARG0> .",
        ),
        (
            "Traffic stopped when <ARG1>farmers marched</ARG1> "
            "<ARG0><SIG0>against</SIG0> a levy agreed in spring</ARG0> .",
            "<ARG1>Traffic stopped</ARG1> when <ARG0>farmers marched</ARG0> against a levy agreed in spring .",
        ),
    ),
    # Three relations: the third hit whole, of the first the cause hit and the effect near, of the second both missed.
    Row(
        "The strike emptied the shelves , empty shelves raised prices and high prices angered shoppers .",
        (
            "<ARG0>The strike</ARG0> <ARG1>emptied the shelves</ARG1> , empty shelves raised prices and high prices "
            "angered shoppers .",
            "The strike emptied the shelves , <ARG0>empty shelves</ARG0> <ARG1>raised prices</ARG1> and high prices "
            "angered shoppers .",
            "The strike emptied the shelves , empty shelves raised prices and <ARG0>high prices</ARG0> "
            "<ARG1>angered shoppers</ARG1> .",
        ),
        (
            "The strike emptied the shelves , empty shelves raised prices and <ARG0>high prices</ARG0> "
            "<ARG1>angered shoppers</ARG1> .",
            "<ARG0>The strike</ARG0> <ARG1>emptied the</ARG1> shelves , empty shelves raised prices and high prices "
            "angered shoppers .",
        ),
    ),
]

SAMPLE_ROWS = [NOT_CAUSAL[0], *CAUSAL, NOT_CAUSAL[1], *WITH_SEVERAL_RELATIONS]

# A near miss is half a span too many and half a span missed, so with h hits, n near, s too many and m missed
#
#     recall = h / (h + n/2 + m)    precision = h / (h + n/2 + s)    F1 = 2h / (2h + n + s + m)
#
# In the order of the rows, those that are not causal left out:
#
#              hits                       near                       too many    missed
#     cause    1 . . 1 1 . . 2 2  = 7     . 1 . . . 1 . . .  = 2     0           . . 1 . . . 1 . 1  = 3
#     effect   1 . 1 1 1 . 1 2 1  = 8     . 2 . . . . . . 1  = 3     0           . . . . . 1 . . 1  = 2
#     signal   . . . 1 . . . . .  = 1     . . . . 1 . . . .  = 1     2           . . . . . . 1 . .  = 1
#     all                          16                          6     2                                6
#
# and of the last two rows alone
#
#     cause    2 2  = 4                   0                          0           . 1  = 1
#     effect   2 1  = 3                   . 1  = 1                   0           . 1  = 1
#     signal   0                          0                          1           0
#     all             7                          1                   1                  2
SCORES = {
    ALL: {
        "Recall": 16 / (16 + 3 + 6),
        "Precision": 16 / (16 + 3 + 2),
        "F1": 32 / (32 + 6 + 2 + 6),
        "Cause_Recall": 7 / (7 + 1 + 3),
        "Cause_Precision": 7 / (7 + 1),
        "Cause_F1": 14 / (14 + 2 + 3),
        "Effect_Recall": 8 / (8 + 1.5 + 2),
        "Effect_Precision": 8 / (8 + 1.5),
        "Effect_F1": 16 / (16 + 3 + 2),
        "Signal_Recall": 1 / (1 + 0.5 + 1),
        "Signal_Precision": 1 / (1 + 0.5 + 2),
        "Signal_F1": 2 / (2 + 1 + 2 + 1),
    },
    SEVERAL: {
        "Recall": 7 / (7 + 0.5 + 2),
        "Precision": 7 / (7 + 0.5 + 1),
        "F1": 14 / (14 + 1 + 1 + 2),
        "Cause_Recall": 4 / (4 + 1),
        "Cause_Precision": 1.0,
        "Cause_F1": 8 / (8 + 1),
        "Effect_Recall": 3 / (3 + 0.5 + 1),
        "Effect_Precision": 3 / (3 + 0.5),
        "Effect_F1": 6 / (6 + 1 + 1),
        "Signal_Recall": 0.0,
        "Signal_Precision": 0.0,
        "Signal_F1": 0.0,
    },
}

# Strictly, three causes and two effects more are too many: of the first row, of the frost and of the snow.
STRICT_SCORES = SCORES[ALL] | {
    "Precision": 16 / (16 + 3 + 7),
    "F1": 32 / (32 + 6 + 7 + 6),
    "Cause_Precision": 7 / (7 + 1 + 3),
    "Cause_F1": 14 / (14 + 2 + 3 + 3),
    "Effect_Precision": 8 / (8 + 1.5 + 2),
    "Effect_F1": 16 / (16 + 3 + 2 + 2),
}


def write_sample(folder: Path) -> tuple[Path, Path]:
    """Write ``truth.csv`` and ``submission.json``, the lines of the latter from last to first."""
    truth, submission = folder / "truth.csv", folder / "submission.json"
    with truth.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["corpus", "doc_id", "sent_id", "eg_id", "index", "text", "causal_text_w_pairs", "num_rs"])
        for number, row in enumerate(SAMPLE_ROWS):
            marked = repr(list(row.truth))
            table.writerow(["made_up", f"a_{number}", 0, 0, f"made_up_{number}", row.text, marked, len(row.truth)])
    lines = [
        json.dumps({"index": number, "prediction": list(row.predicted) or [row.text]})
        for number, row in enumerate(SAMPLE_ROWS)
    ]
    submission.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    return truth, submission
