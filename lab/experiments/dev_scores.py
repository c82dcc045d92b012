"""Measure the embedded models on the dev rows: no model was trained, stopped or calibrated on them.

python lab/experiments/dev_scores.py --data DATA > scores.json
python lab/experiments/dev_scores.py --data DATA --models seed1 seed2 seed3 > seeds.json
python lab/experiments/dev_scores.py --data DATA --only pairs > pairs.json
python lab/experiments/dev_scores.py --tables scores.json
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from whywire.language_models import LanguageModels
from whywire.links.judges.choosing import direct_causes
from whywire.news import Article, Language, Published, read_row
from whywire.pairs.model import HeadlineModel
from whywire.pairs.relations import (
    RELATIONS,
    RELATIONS_OF,
    Causality,
    Relation,
    as_three,
    column,
    decide_three,
    most_likely,
)
from whywire.pipeline import group
from whywire.sentences.reading import CausalRelation
from whywire_lab.corpora import event_causes
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_story, part_of_topic
from whywire_lab.metrics.classification import (
    accuracy,
    binary_score,
    calibration_error,
    macro_f1,
    overlap,
    pairwise_score,
    roc_auc,
)
from whywire_lab.metrics.fair_spans import by_label, compare_relations, total
from whywire_lab.recipes.annotator_style import ReadPair, annotator_style_pairs
from whywire_lab.recipes.calibration import RELATION_SHARES
from whywire_lab.recipes.corpus_pairs import load_pairs
from whywire_lab.recipes.pair_rows import UNRELATED, PairRow
from whywire_lab.recipes.sentence_data import SentenceRow, invented_denials, load_rows, stream_rows
from whywire_lab.tasks.record import provenance

PARTS = SENTENCES, PAIRS, GROUPING = "sentences", "pairs", "grouping"

LEFT_RIGHT, RIGHT_LEFT = column(Relation.LEFT_RIGHT_CAUSE), column(Relation.RIGHT_LEFT_CAUSE)


def main() -> None:
    """Print one JSON object: under ``scores`` a table for each task, beside it what they were measured with."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path, help="the folder of corpora")
    source.add_argument("--tables", type=Path, help="print the tables of pairs in such a JSON, as in the cards")
    parser.add_argument(
        "--models",
        type=Path,
        nargs="+",
        help="what `whywire train all` wrote, to measure in place of the embedded models; of several such folders, "
        "each number's mean and deviation",
    )
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, help="measure these")
    arguments = parser.parse_args()
    if arguments.tables:
        print(pair_tables(json.loads(arguments.tables.read_text(encoding="utf-8"))["scores"]))
        return
    found = [all_scores(arguments.data, models_in(folder), arguments.only) for folder in arguments.models or [None]]
    scores = found[0] if len(found) == 1 else mean_and_deviation(found)
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def models_in(folder: Path | None) -> LanguageModels:
    """The models in a folder, each by its name, and the embedded ones where it has none."""
    own = folder.glob("*/model.onnx*") if folder else ()
    return LanguageModels({path.parent.name: str(path.parent) for path in own})


def mean_and_deviation(values: Sequence[Any]) -> Any:
    """Of results of one shape, number by number: the mean and the standard deviation of the sample."""
    if isinstance(values[0], dict):
        return {key: mean_and_deviation([value[key] for value in values]) for key in values[0]}
    if isinstance(values[0], list):
        return [mean_and_deviation(found) for found in zip(*values, strict=True)]
    return [round(mean(values), 4), round(stdev(values), 4)]


def all_scores(data: Path, models: LanguageModels, only: Sequence[str]) -> dict[str, object]:
    """The scores of every task, by the name of its rows."""
    scores: dict[str, object] = {}
    if SENTENCES in only:
        scores |= sentence_scores(data, models)
    if PAIRS in only:
        scores |= relation_scores(data, models)
    if GROUPING in only:
        scores["grouping"] = grouping_scores(data / "same_event", models)
        scores["grouping of the example"] = example_scores(models)
    return scores


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
            **_rounded(binary_score([probability >= 0.5 for probability in probabilities], truth)),
            "ece": round(calibration_error(probabilities, truth), 4),
        }
    russian, reader = news[Language.RUSSIAN], models.sentences(Language.RUSSIAN)
    scores["stream-ru sentences"] = causal_scores(russian, reader) | {
        "counterfactual": counterfactual_scores([row for row in russian if row.counterfactual is not None], reader)
    }
    return scores


def relation_scores(data: Path, models: LanguageModels) -> dict[str, object]:
    """Relations of headlines, and direct causes among four events."""
    pairs = load_pairs(data)["dev"]
    scores: dict[str, object] = {}
    for language in (Language.ENGLISH, Language.RUSSIAN):
        model = models.headlines(language)
        for corpus in sorted({row.corpus for row in pairs if row.language == language}):
            rows = [row for row in pairs if row.language == language and row.corpus == corpus]
            scores[f"{corpus} pairs ({language})"] = pair_scores(rows, model)
            if corpus == "stream":
                truth = [next(iter(row.allowed)) for row in rows]
                scores[f"picked from the stream ({language})"] = picked_scores(
                    [(row.left, row.right) for row in rows], truth, [1.0] * len(rows), model
                )
                crowd = annotator_style_pairs(data / "news_stream", str(language), "dev")
                scores[f"in the annotators' manner ({language})"] = agreed_scores(crowd, rows, model)
    scores["event-causes choice"] = choice_scores(
        data / "event_causes" / "questions.jsonl", models.headlines(Language.ENGLISH)
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
        **_rounded(binary_score([probability >= 0.5 for probability in probabilities], truth), "sentence"),
        "ece": round(calibration_error(probabilities, truth), 4),
        "causal sentences": len(marked),
        **span_scores(marked, reader, "spans", floor=0.5),
        **span_scores(marked, reader, "ranked spans", floor=0),
        "spans f1, strict": round(total(strict).score.f1, 4),
        "relations ece": round(relations_error(rows, readings), 4),
    }


def span_scores(rows: Sequence[SentenceRow], reader, name: str, *, floor: float) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """The spans of causal sentences, fairly counted: of the first relations, as many as there are true ones."""
    readings = reader.read([row.text for row in rows], known_causal=True, floor=floor)
    counts = [
        compare_relations(reading.relations, row.relations or ()) for row, reading in zip(rows, readings, strict=True)
    ]
    labels = {f"{name}: {label} f1": round(found.score.f1, 4) for label, found in sorted(by_label(counts).items())}
    return _rounded(total(counts).score, name) | labels


def relations_error(rows: Sequence[SentenceRow], readings) -> float:  # type: ignore[no-untyped-def]
    """Calibration error of relations' probabilities; one is right if a marked one overlaps it in both arguments."""
    found = [(one, row) for row, reading in zip(rows, readings, strict=True) for one in reading.relations]
    return calibration_error([one.probability for one, _ in found], [row.asserts(one) for one, row in found])


def counterfactual_scores(rows: Sequence[SentenceRow], reader) -> dict[str, object]:  # type: ignore[no-untyped-def]
    probabilities = [reading.counterfactual for reading in reader.read([row.text for row in rows])]
    truth = [bool(row.counterfactual) for row in rows]
    found = binary_score([probability >= 0.5 for probability in probabilities], truth)
    return {
        "rows": len(rows),
        "positive": sum(truth),
        **_rounded(found),
        "ece": round(calibration_error(probabilities, truth), 4),
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
        **_rounded(binary_score([probability >= 0.5 for probability in probabilities], truth)),
        "ece": round(calibration_error(probabilities, truth), 4),
        "denied relations": len(denied),
        "found as denied": round(mean(_meets(real, reading.denials) for real, reading in denied), 4),
        "taken for causes": round(mean(_meets(real, reading.relations) for real, reading in denied), 4),
        "causal f1": round(
            binary_score([reading.causal >= 0.5 for reading in readings], [bool(row.causal) for row in rows]).f1, 4
        ),
        **_rounded(total(signs).score, "spans"),
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


def pair_scores(rows: Sequence[PairRow], model: HeadlineModel) -> dict[str, object]:
    """The relation of pairs: as a build asks about neighbours in a stream, as `relate` about what somebody picked."""
    pairs = [(row.left, row.right) for row in rows]
    picked = rows[0].corpus == "headline-cause"
    if picked:
        relations, table = model.relate_both_ways(pairs)
    else:
        relations = table = model.relation_probabilities(pairs)
    probabilities = model.same_event(relations, model.similarity(pairs))
    same = [row.allowed == {Relation.SAME_EVENT} for row in rows]
    result: dict[str, object] = {"rows": len(rows)}
    if any(same) and not all(same):
        result |= {"same event": _rounded(binary_score(probabilities >= 0.5, same))}
        result["same event ece"] = round(calibration_error(probabilities, same), 4)
        result["same event auc"] = round(roc_auc(probabilities, same), 4)
    known = [number for number, row in enumerate(rows) if len(row.allowed) == 1]
    causal = [
        bool(row.allowed & {Relation.LEFT_RIGHT_CAUSE, Relation.RIGHT_LEFT_CAUSE}) and len(row.allowed) == 1
        for row in rows
    ]
    if any(causal) and not all(causal):
        caused = table[:, LEFT_RIGHT] + table[:, RIGHT_LEFT]
        result["causality auc"] = round(roc_auc(caused, causal), 4)
        result["causality ece"] = round(calibration_error(caused, causal), 4)
        result["causal"] = _rounded(binary_score(caused >= 0.5, causal))
    if len(known) == len(rows):
        truth = [next(iter(row.allowed)) for row in rows]
        estimate = [most_likely(row) for row in table]
        result["3 classes macro f1"] = round(
            macro_f1([decide_three(as_three(row)) for row in table], [three_of(relation) for relation in truth]), 4
        )
        right = [g == t for g, t in zip(estimate, truth, strict=True)]
        result["7 classes accuracy"] = round(float(np.mean(right)), 4)
        result["7 classes ece"] = round(calibration_error(table.max(axis=1), right), 4)
        result["by class"] = {
            str(name): [
                sum(t == name for t in truth),
                round(binary_score([g == name for g in estimate], [t == name for t in truth]).f1, 3),
            ]
            for name in RELATIONS
        }
    return result


def three_of(relation: Relation) -> Causality:
    """Of HeadlineCause's three classes; a refutation counts as a cause there."""
    return next(name for name, relations in RELATIONS_OF.items() if relation in relations)


def picked_scores(
    pairs: Sequence[tuple[str, str]], truth: Sequence[Relation], counts: Sequence[float], model: HeadlineModel
) -> dict[str, float]:
    """Three classes, the rows weighed so that relations are as frequent as among pairs that somebody picked.

    Args:
        counts: what a row counts beside the others of its relation.
    """
    weights = np.array(counts)
    for relation, share in zip(RELATIONS, RELATION_SHARES, strict=True):
        own = np.array([relation == named for named in truth])
        weights[own] *= share / max(weights[own].sum(), 1e-9)
    probabilities = [as_three(row) for row in model.relate(pairs)]
    estimate, real = [decide_three(row) for row in probabilities], [three_of(relation) for relation in truth]
    causal, score = [name is not Causality.NONE for name in real], [1 - none for none, *_ in probabilities]
    return {
        "accuracy": round(float(accuracy_score(real, estimate, sample_weight=weights)), 4),
        "macro f1": round(float(f1_score(real, estimate, average="macro", sample_weight=weights)), 4),
        "causality auc": round(float(roc_auc_score(causal, score, sample_weight=weights)), 4),
        "causality ece": round(calibration_error(score, causal, weights=weights), 4),
    }


def agreed_scores(crowd: Sequence[ReadPair], stream: Sequence[PairRow], model: HeadlineModel) -> dict[str, object]:
    """How `relate` does where two annotators agree on the three classes, and how each of them does by the other.

    A story that many pairs report counts once.

    Args:
        crowd: pairs that two annotators labelled.
        stream: of these, unrelated pairs that nobody was asked about again stand beside the others.
    """
    likeliest = [[reading[0] for reading in row.readings] for row in crowd]
    ceiling = macro_f1(*([three_of(said[place]) for said in likeliest] for place in (0, 1)))
    rows = [
        ((row.left, row.right), said[0], row.stories)
        for row, said in zip(crowd, likeliest, strict=True)
        if len({three_of(relation) for relation in said}) == 1
    ]
    asked = {(row.left, row.right) for row in crowd}
    rows += [
        (pair, Relation.NO_RELATIONSHIP, frozenset(pair))
        for pair in ((row.left, row.right) for row in stream if row.allowed == UNRELATED)
        if pair not in asked
    ]
    pairs, truth, stories = zip(*rows, strict=True)
    counts = Counter(zip(stories, truth, strict=True))
    causal = [
        story for relation, story in zip(truth, stories, strict=True) if three_of(relation) is not Causality.NONE
    ]
    return {
        "rows": len(rows),
        "causal": len(causal),
        "stories of them": len(set(causal)),
        "one annotator against the other: 3 classes macro f1": round(ceiling, 4),
    } | picked_scores(pairs, truth, [1 / counts[key] for key in zip(stories, truth, strict=True)], model)


def choice_scores(path: Path, model: HeadlineModel) -> dict[str, object]:
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
        "ece": round(calibration_error(strengths.ravel() / 100, direct), 4),
    }


def grouping_scores(folder: Path, models: LanguageModels) -> dict[str, object]:
    """Grouping of whole corpora as `whywire group` does it, on the topics held out; only UCI has times."""
    result: dict[str, object] = {}
    for corpus, headlines in grouped_headlines(folder).items():
        rows = [headline for headline in headlines if part_of_topic(headline.topic) == "dev"]
        articles = [
            Article(
                id=str(number),
                title=row.title,
                text=row.lead,
                language=Language.ENGLISH,
                published=row.published and Published(row.published),
            )
            for number, row in enumerate(rows)
        ]
        found = group(articles, models=models)
        true = [row.group for row in rows]
        result[corpus] = {
            "headlines": len(rows),
            "true groups": len(set(true)),
            "stories found": len(set(found.stories)),
            **_rounded(pairwise_score(found.stories, true)),
            "events found": len(set(found.events)),
            **_rounded(pairwise_score(found.events, true), "events"),
        }
    return result


def example_scores(models: LanguageModels) -> dict[str, object]:
    """Grouping of the bundled example, which no model was trained on."""
    folder = Path(__file__).parents[2] / "examples"
    articles: list[Article] = [
        read_row(json.loads(line))[0] for line in (folder / "news.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    gold = {
        article: event["name"]
        for event in json.loads((folder / "gold.json").read_text(encoding="utf-8"))["events"]
        for article in event["articles"]
    }
    result: dict[str, object] = {}
    for language in (Language.ENGLISH, Language.RUSSIAN):
        own = [article for article in articles if article.language is language]
        events = [gold[article.id] for article in own]
        stories = [name.split("-")[0] for name in events]
        found = group(own, models=models)
        result[str(language)] = {
            "true stories": len(set(stories)),
            **_rounded(pairwise_score(found.stories, stories)),
            **_rounded(pairwise_score(found.events, events), "events"),
        }
    return result


def _rounded(found, name: str = "") -> dict[str, float]:  # type: ignore[no-untyped-def]
    prefix = f"{name} " if name else ""
    return {
        f"{prefix}precision": round(found.precision, 4),
        f"{prefix}recall": round(found.recall, 4),
        f"{prefix}f1": round(found.f1, 4),
    }


if __name__ == "__main__":
    main()
