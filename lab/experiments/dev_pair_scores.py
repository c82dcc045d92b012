"""Scores of the headline models on the dev pairs, for ``dev_scores.py``, and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from rounded_scores import rounded_error, rounded_score
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from whywire.language_models import LanguageModels
from whywire.links.judges.choosing import direct_causes
from whywire.news import Language
from whywire.pairs.model import PairModel
from whywire.pairs.relations import (
    RELATIONS,
    Causality,
    Relation,
    as_three,
    class_of,
    column,
    decide_three,
    most_likely,
)
from whywire.pairs.reports import Report
from whywire_lab.corpora import event_causes
from whywire_lab.corpora.splits import part_of_story
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.metrics.classification import (
    accuracy,
    binary_score,
    macro_f1,
    roc_auc,
)
from whywire_lab.recipes.annotator_style import ReadPair, annotator_style_pairs
from whywire_lab.recipes.calibration import RELATION_SHARES
from whywire_lab.recipes.corpus_pairs import load_pairs
from whywire_lab.recipes.pair_rows import UNRELATED, PairRow

LEFT_RIGHT, RIGHT_LEFT = column(Relation.LEFT_RIGHT_CAUSE), column(Relation.RIGHT_LEFT_CAUSE)


def relation_scores(data: Path, models: LanguageModels) -> dict[str, object]:
    """Relations of headlines, and direct causes among four events."""
    pairs = load_pairs(data)["dev"]
    scores: dict[str, object] = {}
    for language in (Language.ENGLISH, Language.RUSSIAN):
        model = models.pairs(language)
        for corpus in sorted({row.corpus for row in pairs if row.language == language}):
            rows = [row for row in pairs if row.language == language and row.corpus == corpus]
            scores[f"{corpus} pairs ({language})"] = pair_scores(rows, model)
            if corpus == "stream":
                reports = stream_reports(data / "news_stream", str(language))
                scores[f"stream with leads pairs ({language})"] = pair_scores(rows, model, reports)
                truth = [next(iter(row.allowed)) for row in rows]
                scores[f"picked from the stream ({language})"] = selected_scores(
                    [(row.left, row.right) for row in rows], truth, [1.0] * len(rows), model
                )
                annotated = annotator_style_pairs(data / "news_stream", str(language), "dev")
                scores[f"in the annotators' manner ({language})"] = agreed_scores(annotated, rows, model)
    scores["event-causes choice"] = choice_scores(
        data / "event_causes" / "questions.jsonl", models.pairs(Language.ENGLISH)
    )
    return scores


COLUMNS = {
    "pairs": ("rows",),
    "same event F1": ("same event", "f1"),
    "same event AUC": ("same event auc",),
    "same event ECE": ("same event ece",),
    "causal F1": ("causal", "f1"),
    "causality AUC": ("causality auc",),
    "3 classes macro F1": ("3 classes macro f1",),
    "7 classes accuracy": ("7 classes accuracy",),
}
"""The columns of a table of pairs, and where their numbers are."""


def pair_tables(scores: Mapping[str, Any]) -> str:
    """One table a language, in Markdown: a row for the pairs of each corpus."""
    tables = []
    for language in (Language.ENGLISH, Language.RUSSIAN):
        ending = f" pairs ({language})"
        lines = [f"| dev rows of | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
        for name in (name for name in scores if name.endswith(ending)):
            cells = [_cell(scores[name], path) for path in COLUMNS.values()]
            lines.append(f"| {name.removesuffix(ending)} | {' | '.join(cells)} |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def _cell(value: Any, path: Sequence[str]) -> str:
    for key in path:
        value = value.get(key, {})
    return "–" if value == {} else str(value) if isinstance(value, int) else f"{100 * value:.1f}"


def stream_reports(folder: Path, language: str) -> dict[str, Report]:
    """The report of each title of a news stream."""
    articles = articles_by_hash(folder, language).values()
    return {article["title"]: Report.of(article["title"], article["text"]) for article in articles}


def pair_scores(
    rows: Sequence[PairRow], model: PairModel, reports: Mapping[str, Report] = MappingProxyType({})
) -> dict[str, object]:
    """The relations of pairs: by `relate` for the selected pairs of HeadlineCause, else as a build asks.

    Args:
        reports: what is read in place of a title, by titles; else titles alone are read.
    """
    pairs = [tuple(reports.get(title, Report(title)) for title in (row.left, row.right)) for row in rows]
    picked = rows[0].corpus == "headline-cause"
    table = model.relate(pairs) if picked else model.relation_probabilities(pairs)
    probabilities = model.same_event_probabilities(pairs)
    same = [row.allowed == {Relation.SAME_EVENT} for row in rows]
    result: dict[str, object] = {"rows": len(rows)}
    if any(same) and not all(same):
        result |= {"same event": rounded_score(binary_score(probabilities >= 0.5, same))}
        result |= rounded_error(probabilities, same, "same event ece")
        result["same event auc"] = round(roc_auc(probabilities, same), 4)
    known = [number for number, row in enumerate(rows) if len(row.allowed) == 1]
    causal = [
        bool(row.allowed & {Relation.LEFT_RIGHT_CAUSE, Relation.RIGHT_LEFT_CAUSE}) and len(row.allowed) == 1
        for row in rows
    ]
    if any(causal) and not all(causal):
        caused = table[:, LEFT_RIGHT] + table[:, RIGHT_LEFT]
        result["causality auc"] = round(roc_auc(caused, causal), 4)
        result |= rounded_error(caused, causal, "causality ece")
        result["causal"] = rounded_score(binary_score(caused >= 0.5, causal))
    if len(known) == len(rows):
        truth = [next(iter(row.allowed)) for row in rows]
        estimate = [most_likely(row) for row in table]
        result["3 classes macro f1"] = round(
            macro_f1([decide_three(as_three(row)) for row in table], [class_of(relation) for relation in truth]), 4
        )
        right = [g == t for g, t in zip(estimate, truth, strict=True)]
        result["7 classes accuracy"] = round(float(np.mean(right)), 4)
        result |= rounded_error(table.max(axis=1), right, "7 classes ece")
        result["by class"] = {
            str(name): [
                sum(t == name for t in truth),
                round(binary_score([g == name for g in estimate], [t == name for t in truth]).f1, 3),
            ]
            for name in RELATIONS
        }
    return result


def selected_scores(
    pairs: Sequence[tuple[str, str]], truth: Sequence[Relation], counts: Sequence[float], model: PairModel
) -> dict[str, float]:
    """Three classes, rows weighted to the assumed shares of the relations among selected pairs.

    Args:
        counts: the weight of each row within its relation.
    """
    weights = np.array(counts)
    for relation, share in zip(RELATIONS, RELATION_SHARES, strict=True):
        own = np.array([relation == named for named in truth])
        weights[own] *= share / max(weights[own].sum(), 1e-9)
    probabilities = [as_three(row) for row in model.relate(pairs)]
    estimate, real = [decide_three(row) for row in probabilities], [class_of(relation) for relation in truth]
    causal, score = [name is not Causality.NONE for name in real], [1 - none for none, *_ in probabilities]
    return {
        "accuracy": round(float(accuracy_score(real, estimate, sample_weight=weights)), 4),
        "macro f1": round(float(f1_score(real, estimate, average="macro", sample_weight=weights)), 4),
        "causality auc": round(float(roc_auc_score(causal, score, sample_weight=weights)), 4),
        **rounded_error(score, causal, "causality ece", weights=weights),
    }


def agreed_scores(annotated: Sequence[ReadPair], stream: Sequence[PairRow], model: PairModel) -> dict[str, object]:
    """Scores of `relate` on pairs whose two annotators agree on the three classes, and of one annotator by the other.

    A story that many pairs report counts once.

    Args:
        annotated: pairs that two annotators labelled.
        stream: its unrelated pairs that are not in ``annotated`` are added.
    """
    first_choices = [[reading[0] for reading in row.readings] for row in annotated]
    ceiling = macro_f1(*([class_of(choices[place]) for choices in first_choices] for place in (0, 1)))
    rows = [
        ((row.left, row.right), choices[0], row.stories)
        for row, choices in zip(annotated, first_choices, strict=True)
        if len({class_of(relation) for relation in choices}) == 1
    ]
    asked = {(row.left, row.right) for row in annotated}
    rows += [
        (pair, Relation.NO_RELATIONSHIP, frozenset(pair))
        for pair in ((row.left, row.right) for row in stream if row.allowed == UNRELATED)
        if pair not in asked
    ]
    pairs, truth, stories = zip(*rows, strict=True)
    counts = Counter(zip(stories, truth, strict=True))
    causal = [
        story for relation, story in zip(truth, stories, strict=True) if class_of(relation) is not Causality.NONE
    ]
    return {
        "rows": len(rows),
        "causal": len(causal),
        "stories of them": len(set(causal)),
        "one annotator against the other: 3 classes macro f1": round(ceiling, 4),
    } | selected_scores(pairs, truth, [1 / counts[key] for key in zip(stories, truth, strict=True)], model)


def choice_scores(path: Path, model: PairModel) -> dict[str, object]:
    """Direct causes among four events, on topics held out: the strongest, and the set that `whywire choose` takes."""
    questions = [question for question in event_causes.read_questions(path) if part_of_story(question.topic) == "dev"]
    pairs = [(option, question.effect) for question in questions for option in question.options]
    strengths = model.strengths(pairs).reshape(-1, 4)
    direct = [number in question.answers for question in questions for number in range(4)]
    top = [int(np.argmax(row)) in question.answers for row, question in zip(strengths, questions, strict=True)]
    chosen = [direct_causes(row) for row in strengths.tolist()]
    taken = [number in options for options in chosen for number in range(4)]
    return {
        "rows": len(questions),
        "top option": round(float(np.mean(top)), 4),
        "exact set": round(accuracy(chosen, [question.answers for question in questions]), 4),
        "macro f1": round(macro_f1(taken, direct), 4),
        **rounded_error(strengths.ravel() / 100, direct),
    }
