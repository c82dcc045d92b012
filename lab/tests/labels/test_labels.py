"""Every label file is described and valid; a wrong row is named by file and line."""

import json
import re
from collections import Counter
from itertools import combinations

import msgspec
import pytest

from whywire.errors import InputError
from whywire_lab.labels import rows
from whywire_lab.labels.files import FILES, FOLDER, LANGUAGES, PARTS, read_labels

LETTER = {"en": re.compile("[A-Za-z]"), "ru": re.compile("[А-Яа-яЁё]")}


@pytest.fixture(scope="module")
def labels():
    return {name: read_labels(row_type, name) for name, row_type in FILES.items()}


def test_every_file_in_the_folder_is_a_known_one():
    assert {path.name for path in FOLDER.iterdir() if path.suffix not in (".py", ".md", "")} == {
        f"{name}.jsonl" for name in FILES
    }


def test_the_readme_describes_every_file_with_its_rows_and_fields(labels):
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    described = {
        name: int(count.replace(",", ""))
        for name, count in re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", text, re.MULTILINE)
    }
    assert described == {name: len(own) for name, own in labels.items()}
    for row_type in set(FILES.values()):
        assert f"### {row_type.__name__}" in text
        section = text.partition(f"### {row_type.__name__}\n")[2].partition("\n#")[0]
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(row_type.__struct_fields__)


def test_every_file_is_written_one_way_and_says_nothing_twice():
    for name in FILES:
        lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert lines == [json.dumps(json.loads(line), ensure_ascii=False) for line in lines], name
        repeated = [line for line, count in Counter(lines).items() if count > 1]
        assert not repeated or name.startswith("stream_claims"), (name, repeated[:3])


HASH = "0123456789abcdef"
WRONG = [
    (rows.HashedPair, {"left": HASH, "right": HASH, "relation": "causes"}, "relation"),
    (rows.HashedPair, {"left": HASH, "right": "https://example.org", "relation": "same_event"}, "right"),
    (rows.HashedPair, {"left": HASH, "right": HASH}, "relation"),
    (rows.HashedPair, {"left": HASH, "right": HASH, "relation": "same_event", "by": "me"}, "by"),
    (rows.AnnotatorStylePair, {"left": HASH, "right": HASH, "readings": [["same_event"] * 2]}, "twice"),
    (rows.InventedPair, {"left": " a", "right": "b", "relation": "same_event"}, "left"),
    (rows.GradedStory, {"events": ["a", "b"], "causes": [{"cause": 0, "effect": 1, "strength": 101}]}, "strength"),
    (rows.GradedStory, {"events": ["a", "b"], "causes": [{"cause": 1, "effect": 0, "strength": 50}]}, "before"),
    (rows.FollowUpStory, {"reports": [], "follow_ups": ["b"]}, "report"),
    (rows.ContrastSet, {"headline": "a", "same_event": ["a"]}, "twice"),
    (rows.CounterfactualSentence, {"text": "abc", "antecedent": [0, 4], "consequent": None}, "behind"),
    (rows.CounterfactualSentence, {"text": "abc", "antecedent": [2, 2], "consequent": None}, "before"),
]


@pytest.mark.parametrize(("row_type", "wrong", "reason"), WRONG)
def test_a_wrong_row_is_named_by_file_line_and_reason(row_type, wrong, reason, tmp_path):
    right = read_labels(row_type, next(name for name, own in FILES.items() if own is row_type))[0]
    (tmp_path / "made_up.jsonl").write_bytes(msgspec.json.encode(right) + b"\n" + json.dumps(wrong).encode() + b"\n")
    with pytest.raises(InputError, match=reason) as raised:
        read_labels(row_type, "made_up", tmp_path)
    assert str(raised.value.where).endswith("made_up.jsonl:2")


def headlines(row):
    if isinstance(row, rows.HeadlineStory):
        return [headline for event in row.events for headline in event]
    if isinstance(row, rows.GradedStory):
        return row.events
    if isinstance(row, rows.InventedPair):
        return [row.left, row.right]
    if isinstance(row, rows.FollowUpStory):
        effect = [row.follow_up_effect.headline] if row.follow_up_effect else []
        named = [row.cause, row.other_effect, row.denial, row.look_alike]
        return [*row.reports, *row.follow_ups, *effect, *filter(None, named)]
    if isinstance(row, rows.ContrastSet):
        return [row.headline, *row.same_event, *filter(None, (getattr(row, name) for name in rows.CONTRASTS))]
    return []


@pytest.mark.parametrize("language", LANGUAGES)
def test_headlines_are_written_in_the_language_of_their_file(labels, language):
    for name, own in labels.items():
        if f"_{language}" in name:
            assert all(LETTER[language].search(headline) for row in own for headline in headlines(row)), name


@pytest.mark.parametrize("stem", ["stream_pairs", "stream_pairs_annotator_style"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pair_stands_in_one_part_and_no_article_of_train_is_measured_on(labels, stem, language):
    parts = [labels[f"{stem}_{language}_{part}"] for part in PARTS]
    pairs = [{frozenset({row.left, row.right}) for row in own} for own in parts]
    articles = [{key for pair in own for key in pair} for own in pairs]
    assert all(not one & other for one, other in combinations(pairs, 2))
    assert not articles[0] & articles[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_title_stands_in_one_part(labels, language):
    train, dev = ({row.article for row in labels[f"stream_titles_{language}_{part}"]} for part in ("train", "dev"))
    assert not train & dev


@pytest.mark.parametrize("language", LANGUAGES)
def test_pairs_in_the_annotators_style_have_one_reading_in_train_and_two_elsewhere(labels, language):
    for part in PARTS:
        own = labels[f"stream_pairs_annotator_style_{language}_{part}"]
        assert {len(row.readings) for row in own} == {1 if part == "train" else 2}
