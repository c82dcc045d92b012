"""A folder of corpora in the releases' formats, with sentences of our own."""

import csv
from pathlib import Path

import pytest

PLACES = ["north", "south", "east", "west"]
THINGS = ["bridge", "school", "harbour", "market", "tunnel", "station", "library", "stadium", "airport", "mill"]


def write(path: Path, rows: list[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def recess(folder: Path, split: str, places: list[str]) -> None:
    labels, grouped = [], []
    for number, (place, thing) in enumerate((place, thing) for place in places for thing in THINGS):
        document = f"{split}_{number:02}"
        plain = f"The {thing} in the {place} was open on Monday ."
        marked = (
            f"<ARG1>The {thing} in the {place} shut</ARG1> <SIG0>because</SIG0> <ARG0>heavy rain flooded it</ARG0> ."
        )
        implicit = f"<ARG0>Heavy rain flooded the {thing}</ARG0> and <ARG1>the {place} lost its power</ARG1> ."
        for sentence, relations in enumerate(([], [marked], [implicit])):
            text = relations[0] if relations else plain
            for tag in ("ARG0", "ARG1", "SIG0"):
                text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
            labels.append({"index": f"{document}_{sentence}", "text": text, "label": len(relations)})
            grouped.append(
                {
                    "corpus": "cnc",
                    "doc_id": document,
                    "index": f"cnc_{document}_{sentence}_0",
                    "text": text,
                    "causal_text_w_pairs": repr(relations),
                    "num_rs": len(relations),
                }
            )
    write(folder / f"{split}_subtask1.csv", labels)
    write(folder / f"{split}_subtask2_grouped.csv", grouped)


def counterfactuals(folder: Path, split: str, places: list[str]) -> None:
    labels, parts = [], []
    for number, (thing, place) in enumerate((thing, place) for thing in THINGS for place in places):
        text = f"The {thing} in the {place} would have stood if the rain had stopped."
        start = text.index("if")
        labels += [
            {"sentenceID": f"1{number}", "gold_label": 1, "sentence": text},
            {"sentenceID": f"2{number}", "gold_label": 0, "sentence": f"The {thing} in the {place} stood all day."},
        ]
        parts.append(
            {
                "sentenceID": f"3{number}",
                "sentence": text,
                "antecedent": text[start:-1],
                "consequent": text[: start - 1],
                "antecedent_startid": start,
                "antecedent_endid": len(text) - 2,
                "consequent_startid": 0,
                "consequent_endid": start - 2,
            }
        )
    write(folder / f"subtask1_{split}.csv", labels)
    write(folder / f"subtask2_{split}.csv", parts)


@pytest.fixture(scope="session")
def corpora(tmp_path_factory) -> Path:
    """Both corpora with a training file and a published test file."""
    data = tmp_path_factory.mktemp("data")
    for folder, make in (("causal_news_corpus_v2", recess), ("semeval2020_task5", counterfactuals)):
        (data / folder).mkdir()
        make(data / folder, "train", PLACES[:3])
        make(data / folder, "test", PLACES[3:])
    return data
