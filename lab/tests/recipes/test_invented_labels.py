"""The files of invented headlines are whole: every line says what its recipe reads, and no headline is empty."""

import json
import re

import pytest

from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.recipes.pair_data import GRADED_STORIES, OF_BASE
from whywire_lab.recipes.picked_data import pairs_of_story
from whywire_lab.recipes.sentence_data import LABELS

LETTER = {"en": re.compile("[A-Za-z]"), "ru": re.compile("[А-Яа-яЁё]")}


def rows(name, language):
    return [json.loads(line) for line in (LABELS / f"{name}_{language}.jsonl").read_text("utf-8").splitlines()]


def check_headlines(headlines, language):
    for headline in headlines:
        assert isinstance(headline, str)
        assert headline == headline.strip()
        assert LETTER[language].search(headline), headline


@pytest.mark.parametrize("language", LETTER)
def test_affairs_are_whole(language):
    for affair in rows("affairs", language):
        assert affair.keys() <= set("BFGPSDX") | {"of"}
        assert affair["F"]
        assert affair["B"] or "of" in affair
        told = [*affair["B"], *affair["F"], *(affair[key] for key in "PSDX" if key in affair)]
        if "G" in affair:
            number, answer = affair["G"]
            assert 0 <= number < len(affair["F"])
            told.append(answer)
        check_headlines(told, language)
        assert "P" in affair or "S" not in affair
        assert re.fullmatch("[0-9a-f]{16}", affair.get("of", "0" * 16))
        for left, right, allowed in pairs_of_story(affair):
            assert left != right
            assert allowed


@pytest.mark.parametrize("language", LETTER)
def test_contrast_sets_are_whole(language):
    for told in rows("contrasts", language):
        assert told.keys() <= {"B", *OF_BASE}
        assert told["S"]
        headlines = [told["B"], *told["S"], *(told[key] for key in told.keys() - {"B", "S"})]
        check_headlines(headlines, language)
        assert len(set(headlines)) == len(headlines)


@pytest.mark.parametrize("language", LETTER)
@pytest.mark.parametrize("name", ["affairs", "contrasts"])
def test_nothing_is_told_twice(name, language):
    lines = (LABELS / f"{name}_{language}.jsonl").read_text("utf-8").splitlines()
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("file", GRADED_STORIES)
def test_graded_stories_are_whole(file):
    for story in json_lines(LABELS / file):
        events = story["events"]
        check_headlines(events, GRADED_STORIES[file][1])
        assert len(set(events)) == len(events)
        ties = [(cause, effect) for cause, effect, _ in story["causes"]]
        assert len(set(ties)) == len(ties)
        assert all(0 <= cause < effect < len(events) for cause, effect in ties)
        assert all(0 < grade <= 100 for _, _, grade in story["causes"])
