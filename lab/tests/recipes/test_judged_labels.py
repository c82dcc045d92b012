"""The pairs that readers judged: every line says where both mentions stand and what was read."""

import re

import pytest

from whywire_lab.recipes.sentence_data import LABELS

LINE = re.compile(r"[0-9a-f]{16}\t(?:title|text):\d+-\d+\t(?:title|text):\d+-\d+\t\d+\t[rdbsw][yn](?: [rdbsw][yn])?")


@pytest.mark.parametrize(("name", "pairs"), [("judged_en.tsv", 1273), ("judged_ru.tsv", 405)])
def test_every_line_names_an_article_two_places_a_story_and_one_reading_or_two(name, pairs):
    lines = (LABELS / name).read_text(encoding="ascii").splitlines()
    assert len(lines) == len({line.rsplit("\t", 2)[0] for line in lines}) == pairs
    assert not [line for line in lines if not LINE.fullmatch(line)]
