"""Labels in the annotators' style come with titles, readings and stories."""

import json

import pytest

from whywire.pairs.relations import Relation
from whywire_lab.labels import files
from whywire_lab.labels.keys import short_hash
from whywire_lab.recipes import annotator_style

PARTS = ("train", "valid", "dev")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_pair_comes_with_its_titles_its_readings_and_its_stories(language, monkeypatch, tmp_path):
    def article(name, group):
        return {"url": f"https://example.org/{name}", "title": name.upper(), "system_group": group, "text": "",
                "source": "example.org", "published": "2031-01-01T00:00:00+00:00"}  # fmt: skip

    articles = [article("a", "x"), article("b", "y"), article("c", "y")]
    a, b, c = (short_hash(row["url"]) for row in articles)
    same, other, cause, back = "same_event", "other_relationship", "left_right_cause", "right_left_cause"
    labels = {
        "train": {"left": a, "right": b, "readings": [[cause, other]]},
        "valid": {"left": b, "right": c, "readings": [[same], [same, other]]},
        "dev": {"left": a, "right": c, "readings": [[back, same], [other]]},
    }
    read = files.read_labels
    monkeypatch.setattr(annotator_style, "read_labels", lambda kind, name: read(kind, name, tmp_path))
    (tmp_path / f"{language}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in articles))
    for part, row in labels.items():
        name = f"stream_pairs_annotator_style_{language}_{part}.jsonl"
        (tmp_path / name).write_text(json.dumps(row) + "\n")
    (first,), (second,), (third,) = (
        annotator_style.annotator_style_pairs(tmp_path, language, part) for part in PARTS
    )
    assert (first.left, first.right) == ("A", "B")
    assert first.readings == ((Relation.LEFT_RIGHT_CAUSE, Relation.OTHER_RELATIONSHIP),)
    assert second.readings == ((Relation.SAME_EVENT,), (Relation.SAME_EVENT, Relation.OTHER_RELATIONSHIP))
    assert second.stories == {"y"}
    assert (third.left, third.right) == ("A", "C")
    assert third.readings == ((Relation.RIGHT_LEFT_CAUSE, Relation.SAME_EVENT), (Relation.OTHER_RELATIONSHIP,))
    assert third.stories == {"x", "y"}
