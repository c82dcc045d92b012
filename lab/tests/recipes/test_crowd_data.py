"""The labels in the annotators' manner are whole, and keep out of one another's parts."""

import json
import re
from itertools import combinations

import pytest

from whywire_lab.recipes import crowd_data
from whywire_lab.recipes.pair_data import CODES
from whywire_lab.recipes.sentence_data import LABELS, url_key

PARTS = ("train", "valid", "dev")


def lines(language, part):
    return [tuple(line.split("\t")) for line in (LABELS / f"crowd_{language}_{part}.tsv").read_text().splitlines()]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_labels_are_whole_and_a_pair_stands_in_one_part(language):
    letters = "".join(CODES)
    pairs = {}
    for part in PARTS:
        for left, right, *said in lines(language, part):
            assert re.fullmatch("[0-9a-f]{16}", left)
            assert re.fullmatch("[0-9a-f]{16}", right)
            assert len(said) == (1 if part == "train" else 2)
            assert all(1 <= len(set(one)) == len(one) <= 2 and set(one) <= set(letters) for one in said)
            pairs.setdefault(part, set()).add(frozenset({left, right}))
    for one, other in combinations(PARTS, 2):
        assert not pairs[one] & pairs[other]


def test_no_article_of_the_training_part_is_measured_on():
    for language in ("en", "ru"):
        learnt = {url for left, right, *_ in lines(language, "train") for url in (left, right)}
        measured = {url for left, right, *_ in lines(language, "dev") for url in (left, right)}
        assert not learnt & measured


def test_a_pair_comes_with_its_titles_both_readings_and_its_affair(monkeypatch, tmp_path):
    def article(name, group):
        return {"url": f"https://example.org/{name}", "title": name.upper(), "system_group": group, "text": "",
                "source": "example.org", "published": "2031-01-01T00:00:00+00:00"}  # fmt: skip

    articles = [article("a", "x"), article("b", "y"), article("c", "y")]
    a, b, c = (url_key(row["url"]) for row in articles)
    labels = {"train": [(a, b, "CO")], "valid": [(b, c, "S", "SO")], "dev": [(a, c, "cS", "O")]}
    monkeypatch.setattr(crowd_data, "LABELS", tmp_path)
    for language in ("en", "ru"):
        (tmp_path / f"{language}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in articles))
        for part, rows in labels.items():
            (tmp_path / f"crowd_{language}_{part}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    for language in ("en", "ru"):
        (row,), (other,), (twice,) = (crowd_data.crowd_pairs(tmp_path, language, part) for part in PARTS)
        assert (row.left, row.right, row.said) == ("A", "B", ((CODES["C"], CODES["O"]),))
        assert other.said == ((CODES["S"],), (CODES["S"], CODES["O"]))
        assert other.affair == {"y"}
        assert (twice.left, twice.right) == ("A", "C")
        assert twice.said == ((CODES["c"], CODES["S"]), (CODES["O"],))
        assert twice.affair == {"x", "y"}
