"""Scores of the sentence models on the dev rows, for ``dev_scores.py``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import numpy as np
from rounded_scores import rounded_error, rounded_score

from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire.sentences.reading import CausalRelation
from whywire_lab.metrics.classification import (
    binary_score,
    overlap,
)
from whywire_lab.metrics.fair_spans import by_label, compare_relations, total
from whywire_lab.recipes.sentence_data import SentenceRow, invented_denials, load_rows, stream_rows


def sentence_scores(data: Path, models: LanguageModels) -> dict[str, object]:
    """Causes, denials and counterfactuals."""
    english = load_rows(data)["dev"]
    news = {language: stream_rows(data, str(language))["dev"] for language in (Language.ENGLISH, Language.RUSSIAN)}
    reader = models.sentences(Language.ENGLISH)
    scores: dict[str, object] = {
        "recess": causal_scores([row for row in english if row.corpus == "recess"], reader),
        "semeval-1": counterfactual_scores([row for row in english if row.corpus == "semeval-1"], reader),
        "semeval-2": part_scores([row for row in english if row.corpus == "semeval-2"], reader),
    }
    for language, rows in news.items():
        reader = models.sentences(language)
        scores[f"denials ({language})"] = denial_scores(invented_denials(str(language))["dev"], reader)
        judged = [row for row in rows if row.denial is not None]
        probabilities = [reading.denial for reading in reader.read([row.text for row in judged])]
        truth = [bool(row.denial) for row in judged]
        scores[f"denials in news ({language})"] = {
            "rows": len(judged),
            **rounded_score(binary_score([probability >= 0.5 for probability in probabilities], truth)),
            **rounded_error(probabilities, truth),
        }
    russian, reader = news[Language.RUSSIAN], models.sentences(Language.RUSSIAN)
    scores["stream-ru sentences"] = causal_scores(russian, reader) | {
        "counterfactual": counterfactual_scores([row for row in russian if row.counterfactual is not None], reader)
    }
    return scores


def causal_scores(rows: Sequence[SentenceRow], reader) -> dict[str, object]:  # type: ignore[no-untyped-def]
    """Which sentences are causal, and the spans of those that are, counted fairly as the published scorer does."""
    readings = reader.read([row.text for row in rows])
    probabilities = [reading.causal for reading in readings]
    truth = [bool(row.causal) for row in rows]
    strict = [
        compare_relations(reading.relations, row.relations or (), strict=True)
        for row, reading in zip(rows, readings, strict=True)
    ]
    marked = [row for row in rows if row.relations]
    return {
        "rows": len(rows),
        **rounded_score(binary_score([probability >= 0.5 for probability in probabilities], truth), "sentence"),
        **rounded_error(probabilities, truth),
        "causal sentences": len(marked),
        **span_scores(marked, reader, "spans", floor=0.5),
        **span_scores(marked, reader, "ranked spans", floor=0),
        "spans f1, strict": round(total(strict).score.f1, 4),
        **relations_error(rows, readings),
    }


def span_scores(rows: Sequence[SentenceRow], reader, name: str, *, floor: float) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """The spans of causal sentences, fairly counted: of the first relations, as many as there are true ones."""
    readings = reader.read([row.text for row in rows], known_causal=True, floor=floor)
    counts = [
        compare_relations(reading.relations, row.relations or ()) for row, reading in zip(rows, readings, strict=True)
    ]
    labels = {f"{name}: {label} f1": round(found.score.f1, 4) for label, found in sorted(by_label(counts).items())}
    return rounded_score(total(counts).score, name) | labels


def relations_error(rows: Sequence[SentenceRow], readings) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """Calibration error of relations' probabilities; one is right if a marked one overlaps it in both arguments."""
    found = [(one, row) for row, reading in zip(rows, readings, strict=True) for one in reading.relations]
    probabilities, right = [one.probability for one, _ in found], [row.asserts(one) for one, row in found]
    return rounded_error(probabilities, right, "relations ece")


def counterfactual_scores(rows: Sequence[SentenceRow], reader) -> dict[str, object]:  # type: ignore[no-untyped-def]
    probabilities = [reading.counterfactual for reading in reader.read([row.text for row in rows])]
    truth = [bool(row.counterfactual) for row in rows]
    found = binary_score([probability >= 0.5 for probability in probabilities], truth)
    return {
        "rows": len(rows),
        "positive": sum(truth),
        **rounded_score(found),
        **rounded_error(probabilities, truth),
    }


def denial_scores(rows: Sequence[SentenceRow], reader) -> dict[str, object]:  # type: ignore[no-untyped-def]
    """Which sentences deny a cause, and where the relations denied turn up: those that overlap in both arguments."""
    readings = reader.read([row.text for row in rows])
    probabilities, truth = [reading.denial for reading in readings], [bool(row.denial) for row in rows]
    denied = [
        (relation, reading)
        for row, reading in zip(rows, readings, strict=True)
        for relation in row.relations or ()
        if relation.denied
    ]
    signs = [
        compare_relations((*reading.relations, *reading.denials), row.relations)
        for row, reading in zip(rows, readings, strict=True)
        if row.relations
    ]
    return {
        "rows": len(rows),
        "positive": sum(truth),
        **rounded_score(binary_score([probability >= 0.5 for probability in probabilities], truth)),
        **rounded_error(probabilities, truth),
        "denied relations": len(denied),
        "found as denied": round(mean(_meets(real, reading.denials) for real, reading in denied), 4),
        "taken for causes": round(mean(_meets(real, reading.relations) for real, reading in denied), 4),
        "causal f1": round(
            binary_score([reading.causal >= 0.5 for reading in readings], [bool(row.causal) for row in rows]).f1, 4
        ),
        **rounded_score(total(signs).score, "spans"),
    }


def _meets(relation: CausalRelation, others: Sequence[CausalRelation]) -> bool:
    return any(map(relation.meets, others))


def part_scores(rows: Sequence[SentenceRow], reader) -> dict[str, object]:  # type: ignore[no-untyped-def]
    """Antecedent and consequent of sentences known to be counterfactual."""
    antecedents, consequents, exact = [], [], []
    readings = reader.read([row.text for row in rows], known_counterfactual=True)
    for row, reading in zip(rows, readings, strict=True):
        assert row.parts is not None
        antecedents.append(overlap(reading.antecedent, row.parts[0]))
        consequents.append(overlap(reading.consequent, row.parts[1]))
        exact.append(reading.antecedent == row.parts[0] and reading.consequent == row.parts[1])
    return {
        "rows": len(rows),
        "antecedent overlap f1": round(float(np.mean(antecedents)), 4),
        "consequent overlap f1": round(float(np.mean(consequents)), 4),
        "both exact": round(float(np.mean(exact)), 4),
    }
