"""Scores of a model of report pairs on held-out rows, source by source."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from whywire.pairs.relations import CAUSALITIES, RELATIONS, RELATIONS_OF, Relation, as_three, column, decide_three
from whywire_lab.metrics.classification import accuracy, binary_score, macro_f1, roc_auc
from whywire_lab.recipes.pair_rows import CAUSAL, NOT_SAME, REFUTING, SAME
from whywire_lab.recipes.relation_priors import PRIORS, probabilities
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED, ReportPair
from whywire_lab.recipes.report_sources import (
    ANNOTATORS,
    GROUPED,
    HEADLINE_CAUSE,
    PARAPHRASER,
    STREAM,
    TOLOKA,
    TOPICS,
)

MEASURED: Mapping[str, int] = {
    STREAM: 700,
    ANNOTATORS: 800,
    TOPICS: 400,
    "uci": 200,
    "wikinews": 200,
    "ecbplus": 400,
    HEADLINE_CAUSE: 1000,
    PARAPHRASER: 1500,
    TOLOKA: 1000,
    "contrast-sets": 300,
    "follow-ups": 300,
    "event-causes": 400,
}
"""Rows at most, of each language of a source, that are measured; the draw is the same every time."""

Logits = NDArray[np.float64]


def measured_rows(rows: Iterable[ReportPair]) -> list[ReportPair]:
    """A random part of the rows of every source that is measured, the same for the same rows."""
    groups: dict[tuple[str, str], list[ReportPair]] = defaultdict(list)
    for row in rows:
        if row.source in MEASURED:
            groups[row.source, row.language].append(row)
    chosen: list[ReportPair] = []
    for (source, _), members in sorted(groups.items()):
        chosen += random.Random(0).sample(members, min(MEASURED[source], len(members)))
    return chosen


def scores(
    rows: Sequence[ReportPair],
    relations: Mapping[str, Logits],
    strength: Logits,
    cosines: Logits,
    *,
    temperatures: Mapping[str, float] | None = None,
) -> dict[str, dict[str, float]]:
    """By source and language, its scores in per cent, and the number of rows.

    Args:
        relations: by guideline, the logits (rows, 7), free of a prior.
        strength: logits (rows, 2).
        cosines: (rows, 2), of titles and of whole reports; their mean is the floor that the model is to beat.
        temperatures: by guideline; 1 by default.
    """
    found: dict[str, dict[str, float]] = {}
    for name in sorted({(row.source, row.language) for row in rows}):
        places = [place for place, row in enumerate(rows) if (row.source, row.language) == name]
        members = [rows[place] for place in places]
        source, language = name
        guideline = NEIGHBOURS if source in (STREAM, TOPICS, *GROUPED) else PICKED
        temperature = (temperatures or {}).get(guideline, 1.0)
        logits = relations[guideline][places].astype(np.float64)
        table = probabilities(logits, PRIORS[guideline], temperature)
        own: dict[str, float] = {"rows": len(members)}
        own |= _same_event(members, table, cosines[places].mean(1))
        if source in (STREAM, ANNOTATORS, HEADLINE_CAUSE, "follow-ups"):
            own |= _causality(members, table)
        if source == PARAPHRASER:
            own |= _paraphrases(members, table)
        if source == "event-causes":
            truth = [row.allowed <= CAUSAL for row in members]
            own |= {"strength AUC": _auc(strength[places, 0], truth)}
        found[f"{source} {language}"] = {key: round(value, 4) for key, value in own.items()}
    return found


def _same_event(rows: Sequence[ReportPair], table: Logits, cosines: Logits) -> dict[str, float]:
    """AUC and average precision of *same event* and F1 at one half, on the rows that say it or deny it.

    UCI and Wikinews group by story: there a pair of one group counts as the same.
    """
    grouped = {"uci", "wikinews"} & {row.source for row in rows}
    known = [place for place, row in enumerate(rows) if grouped or row.allowed == SAME or row.allowed <= NOT_SAME]
    truth = [Relation.SAME_EVENT in rows[place].allowed for place in known]
    if len(set(truth)) < 2:
        return {}
    estimate = table[known, column(Relation.SAME_EVENT)]
    score = binary_score(estimate >= 0.5, truth)
    return {
        "same AUC": _auc(estimate, truth),
        "cosine AUC": _auc(cosines[known], truth),
        "same AP": 100 * float(average_precision_score(truth, estimate)),
        "same F1": 100 * score.f1,
        "same precision": 100 * score.precision,
        "same recall": 100 * score.recall,
    }


def _causality(rows: Sequence[ReportPair], table: Logits) -> dict[str, float]:
    """Three classes and causality, on the rows whose relations are all of one class."""
    classes = {
        place: name for place, row in enumerate(rows) for name in CAUSALITIES if row.allowed <= RELATIONS_OF[name]
    }
    places, truth = list(classes), list(classes.values())
    three = [as_three(table[place]) for place in places]
    predicted = [decide_three(row) for row in three]
    causal = [name is not CAUSALITIES[0] for name in truth]
    directed = [place for place, row in enumerate(rows) if row.allowed <= CAUSAL | REFUTING]
    columns = [RELATIONS.index(relation) for relation in RELATIONS if relation in CAUSAL]
    result = {
        "three-class accuracy": 100 * accuracy(predicted, truth),
        "three-class macro F1": 100 * macro_f1(predicted, truth),
    }
    if len(set(causal)) == 2:
        result["causality AUC"] = _auc(np.array([1 - row[0] for row in three]), causal)
        same = [table[place, column(Relation.SAME_EVENT)] >= 0.5 for place in directed]
        result["causes called same event"] = 100 * float(np.mean(same)) if same else 0.0
        right = [place for place in directed if rows[place].allowed <= CAUSAL and len(rows[place].allowed) == 1]
        ways = [
            table[place, columns[0]] > table[place, columns[1]]
            if Relation.LEFT_RIGHT_CAUSE in rows[place].allowed
            else table[place, columns[1]] > table[place, columns[0]]
            for place in right
        ]
        result["direction accuracy"] = 100 * float(np.mean(ways)) if ways else 0.0
    return result


def _paraphrases(rows: Sequence[ReportPair], table: Logits) -> dict[str, float]:
    """Paraphrases against pairs that are only near ones."""
    known = [place for place, row in enumerate(rows) if Relation.SAME_EVENT in row.allowed]
    truth = [rows[place].allowed == SAME for place in known]
    return {"paraphrase-near AUC": _auc(table[known, column(Relation.SAME_EVENT)], truth)}


def _auc(estimate: NDArray[np.float64], truth: Sequence[bool]) -> float:
    return 100 * float(roc_auc(estimate, np.array(truth))) if len(set(truth)) == 2 else 0.0
