"""Label Studio's JSON: tasks out, with results as predictions, and the annotations of an export in.

Relations, counterfactuals, causal spans and strengths. The labelling interface that the tasks need is
:func:`label_config`, which is written beside them. In ``data`` stands the item without gold answer and hint. Offsets
are counted in characters; early versions of Label Studio counted UTF-16 units, which the words beside the offsets
show.

A signal is attached to a relation by arrows to its cause and to its effect (``cause``, ``effect``); a signal in
pieces is a region for each.

Lost in this format: gold answers, hints, roles; who answered what, on the way out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from whywire.annotation.answers import CounterfactualAnswer, RelationAnswer, StrengthAnswer
from whywire.annotation.items import Kind
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.article import Span
from whywire.pairs.relations import RELATIONS
from whywire_lab.exchange.drawn_annotations import (
    SIGNAL,
    Arrow,
    DrawnSpan,
    attach_signals,
    span_labels,
    valid_relations,
)
from whywire_lab.exchange.labelled_items import Collector, LabelledItems, item_row, kind_of
from whywire_lab.exchange.offsets import spans_with_words
from whywire_lab.exchange.sentence_items import causal_relation, relation_row
from whywire_lab.exchange.tables import Row, read_rows

KINDS = (Kind.RELATION, Kind.COUNTERFACTUAL, Kind.SPANS, Kind.STRENGTH)

CAUSES, ARROWS_OF_SIGNALS = "causes", ("cause", "effect")
"""Labels of arrows."""

_HIDDEN = ("gold", "hint", "role", "priority")

_PAIR = '<Header value="1"/><Text name="text" value="${}"/><Header value="2"/><Text name="other" value="${}"/>'
_CHOICES = '<Choices name="{}" toName="text" choice="single-radio"{}>{}</Choices>'
_LABELS = '<Labels name="label" toName="text">{}</Labels><Text name="text" value="$text"/>'


def label_config(kind: Kind) -> str:
    """The labelling interface for items of a kind, as XML.

    Raises:
        InputError: Label Studio has none for this kind.
    """
    if kind is Kind.RELATION:
        inside = _PAIR.format("left_title", "right_title") + _choices("relation", RELATIONS)
    elif kind is Kind.COUNTERFACTUAL:
        inside = _labels("Antecedent", "Consequent") + _choices("counterfactual", ("yes", "no"))
    elif kind is Kind.SPANS:
        arrows = "".join(f'<Relation value="{name}"/>' for name in (CAUSES, *ARROWS_OF_SIGNALS))
        inside = f"<Relations>{arrows}</Relations>" + _labels("Cause", "Effect", "CauseEffect", SIGNAL)
    elif kind is Kind.STRENGTH:
        inside = _PAIR.format("cause", "effect") + (
            '<List name="documents" value="$documents"/>'
            '<Number name="score" toName="text" min="0" max="100" step="1" required="true"/>'
        )
        inside += _choices("without", ("no", "partly", "yes"), required=False)
    else:
        raise InputError(f"Label Studio has no form for {kind.value}", hint=f"it has for {', '.join(KINDS)}")
    return f"<View>{inside}</View>\n"


def to_label_studio(data: LabelledItems, person: str | None = None) -> str:
    """A list of tasks; the answers of one person, else the results, are predictions, from which annotators start.

    Raises:
        InputError: Label Studio has no form for this kind.
    """
    label_config(data.kind)
    answers = data.answers(person) if person or data.results else {}
    tasks = []
    for item in data.items:
        row = {name: value for name, value in item_row(item).items() if name not in _HIDDEN}
        if data.kind is Kind.STRENGTH:
            row["documents"] = [{"id": number, "body": text} for number, text in enumerate(row.get("documents", ()))]
        task: Row = {"data": row}
        if item.id in answers:
            task["predictions"] = [
                {"model_version": person or "results", "result": result_of(item, answers[item.id])}
            ]
        tasks.append(task)
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def read_label_studio(path: Path, kind: Kind | None = None) -> LabelledItems:
    """Read an export (*JSON*, not *JSON-MIN*); a cancelled annotation is no answer.

    Args:
        kind: of the items; by default seen from the data, which does not tell counterfactuals from causal spans: then
            from the answers.

    Raises:
        InputError: the kind cannot be seen.
    """
    rows = list(read_rows(path))
    tasks = [row for row in rows if not isinstance(row, Problem)]
    collector = Collector(kind or _kind_of([row for _, row in tasks], str(path)))
    collector.problems += [row for row in rows if isinstance(row, Problem)]
    label_config(collector.kind)
    for place, task in tasks:
        with collector.row(place, task):
            _read_task(collector, task, place)
    return collector.done()


def result_of(item: Any, answer: Any) -> list[Row]:
    """An answer as the ``result`` of an annotation."""
    regions: list[Row] = []

    def choose(name: str, choice: str) -> None:
        regions.append(_region(name, "choices", {"choices": [choice]}))

    def mark(span: Span, label: str) -> str:
        value = {"start": span[0], "end": span[1], "text": item.text[slice(*span)], "labels": [label]}
        regions.append(_region("label", "labels", value) | {"id": f"r{len(regions) + 1}"})
        return str(regions[-1]["id"])

    if isinstance(answer, RelationAnswer):
        choose("relation", answer.relation)
    elif isinstance(answer, StrengthAnswer):
        regions.append(_region("score", "number", {"number": answer.score}))
        if answer.without:
            choose("without", answer.without)
    elif isinstance(answer, CounterfactualAnswer):
        choose("counterfactual", "yes" if answer.counterfactual else "no")
        for label, span in (("Antecedent", answer.antecedent), ("Consequent", answer.consequent)):
            if span:
                mark(span, label)
    else:
        relations = [causal_relation(relation) for relation in answer.relations]
        arguments = {span: mark(span, label) for span, label in span_labels(relations).items()}
        for relation in relations:
            cause, effect = arguments[relation.cause], arguments[relation.effect]
            regions.append(_arrow(cause, effect, CAUSES))
            for piece in relation.signals:
                signal = mark(piece, SIGNAL)
                regions += [
                    _arrow(signal, end, role) for end, role in zip((cause, effect), ARROWS_OF_SIGNALS, strict=True)
                ]
    return regions


def _read_task(collector: Collector, task: Mapping[str, Any], place: str) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        raise InputError("the task has no data")
    fields = collector.kind.item_type.__struct_fields__
    row = {name: value for name, value in data.items() if name in fields and name not in _HIDDEN}
    if isinstance(row.get("documents"), list):
        row["documents"] = [one.get("body") if isinstance(one, dict) else one for one in row["documents"]]
    item = collector.add_item({"id": str(task.get("id", "")), **row})
    annotations = task.get("annotations", task.get("completions"))
    if not isinstance(annotations, list):
        return
    for annotation in annotations:
        where = f"{place}, annotation {annotation.get('id') if isinstance(annotation, dict) else annotation}"
        with collector.row(where, annotation):
            if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
                raise InputError("the annotation has no result")
            if annotation.get("was_cancelled"):
                continue
            answer = _ANSWERS[collector.kind](item, annotation["result"], collector.problems, where)
            seconds = annotation.get("lead_time")
            collector.add_vote(
                {
                    "item": item.id,
                    "person": _person(annotation.get("completed_by")),
                    "answer": answer,
                    "at": _time(annotation.get("created_at")),
                    "seconds": seconds if isinstance(seconds, int | float) and seconds > 0 else 0.0,
                }
            )


def _relation_answer(item: Any, result: Sequence[Any], problems: list[Problem], place: str) -> Row:  # noqa: ARG001
    return {"relation": _chosen(result, "relation")}


def _strength_answer(item: Any, result: Sequence[Any], problems: list[Problem], place: str) -> Row:  # noqa: ARG001
    numbers = [one["value"].get("number") for one in _of_type(result, "number")]
    if len(numbers) != 1:
        raise InputError(f"the annotation has {len(numbers)} numbers, not one")
    without = _chosen(result, "without", needed=False)
    return {"score": numbers[0]} | ({"without": without} if without else {})


def _counterfactual_answer(item: Any, result: Sequence[Any], problems: list[Problem], place: str) -> Row:  # noqa: ARG001
    chosen = _chosen(result, "counterfactual")
    if chosen not in ("yes", "no"):
        raise InputError(f"counterfactual must be yes or no, not {chosen!r}")
    answer: Row = {"counterfactual": chosen == "yes"}
    for _, label, span in _regions(item.text, result):
        part = label.lower()
        if part not in ("antecedent", "consequent"):
            raise InputError(f"the label {label!r} is neither Antecedent nor Consequent")
        if part in answer:
            raise InputError(f"two regions are labelled {label}")
        answer[part] = span
    return answer


def _spans_answer(item: Any, result: Sequence[Any], problems: list[Problem], place: str) -> Row:
    spans = [DrawnSpan(name, label, (span,)) for name, label, span in _regions(item.text, result)]
    arrows = []
    for number, one in enumerate(one for one in result if isinstance(one, dict) and one.get("type") == "relation"):
        ends = str(one.get("from_id")), str(one.get("to_id"))
        labels = one.get("labels") or [None]
        role = labels[0] if labels[0] in ARROWS_OF_SIGNALS else None
        arrows.append(Arrow(f"arrow {number + 1}", *(ends[::-1] if one.get("direction") == "left" else ends), role))
    relations, invalid = valid_relations(item.text, spans, attach_signals(arrows, spans))
    problems += [annotation.problem(place) for annotation in invalid]
    return {"relations": [relation_row(relation) for relation in relations]}


_ANSWERS: Mapping[Kind, Callable[[Any, Sequence[Any], list[Problem], str], Row]] = {
    Kind.RELATION: _relation_answer,
    Kind.STRENGTH: _strength_answer,
    Kind.COUNTERFACTUAL: _counterfactual_answer,
    Kind.SPANS: _spans_answer,
}


def _regions(text: str, result: Sequence[Any]) -> list[tuple[str, str, Span]]:
    """Id, label and characters of each marked region."""
    names, marked = [], []
    for one in _of_type(result, "labels"):
        value = one["value"]
        start, end, labels = value.get("start"), value.get("end"), value.get("labels")
        if type(start) is not int or type(end) is not int or not isinstance(labels, list) or len(labels) != 1:
            raise InputError("a region needs start, end and one label")
        words = value.get("text")
        names.append((str(one.get("id")), str(labels[0])))
        marked.append(((start, end), words if isinstance(words, str) else text[start:end]))
    return [(*name, span) for name, span in zip(names, spans_with_words(text, marked), strict=True)]


def _of_type(result: Sequence[Any], name: str) -> list[Row]:
    return [
        one
        for one in result
        if isinstance(one, dict) and one.get("type") == name and isinstance(one.get("value"), dict)
    ]


def _chosen(result: Sequence[Any], name: str, *, needed: bool = True) -> str | None:
    for one in _of_type(result, "choices"):
        choices = one["value"].get("choices")
        if one.get("from_name") == name and isinstance(choices, list) and len(choices) == 1:
            return str(choices[0])
    if needed:
        raise InputError(f"the annotation has no choice of {name}")
    return None


def _person(completed_by: object) -> str:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    if completed_by is None:
        raise InputError("the annotation does not say who made it (completed_by)")
    return str(completed_by)


def _time(said: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(said) if isinstance(said, str) else None
    except ValueError:
        return None
    return at if at and at.tzinfo else None


def _kind_of(tasks: Sequence[Row], where: str) -> Kind:
    marks: list[Row] = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
    for task in tasks:
        for field in ("annotations", "predictions"):
            for annotation in task.get(field) or ():
                for one in annotation.get("result") or () if isinstance(annotation, dict) else ():
                    if isinstance(one, dict) and one.get("from_name") == "counterfactual":
                        return Kind.COUNTERFACTUAL
                    if isinstance(one, dict) and one.get("type") in ("labels", "relation"):
                        marks.append({"relations": one})
    return kind_of(marks, where, KINDS)


def _region(name: str, type_: str, value: Row) -> Row:
    return {"from_name": name, "to_name": "text", "type": type_, "value": value}


def _arrow(source: str, target: str, label: str) -> Row:
    return {"type": "relation", "from_id": source, "to_id": target, "direction": "right", "labels": [label]}


def _choices(name: str, values: Sequence[str], *, required: bool = True) -> str:
    options = "".join(f'<Choice value="{value}"/>' for value in values)
    return _CHOICES.format(name, ' required="true"' if required else "", options)


def _labels(*names: str) -> str:
    return _LABELS.format("".join(f'<Label value="{name}"/>' for name in names))
