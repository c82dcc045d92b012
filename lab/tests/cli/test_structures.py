"""``structures`` on folders that ``whywire build`` wrote."""

import json

from tests.cli.commands import rows, run
from tests.cli.conftest import refinery, refinery_news, week

from whywire.errors import InputError
from whywire.graph.build_folder import read_graph
from whywire.graph.chains import chains
from whywire.graph.frames import frames

__all__ = ["refinery", "refinery_news", "week"]


def test_structures_are_the_frame_of_every_event_and_the_chains_with_their_members(week):
    graph = read_graph(week)
    found = rows("structures", week)
    framed = [row for row in found if row["structure"] == "frame"]
    assert {row["events"][0]["id"]: row["kind"] for row in framed} == frames(graph)
    (minister,) = [row for row in framed if row["events"][0]["id"] == "e7"]
    assert [(link["source"], link["strength"], link["class"]) for link in minister["links"]] == [
        ("e6", 63, "medium"),
        ("e2", 38, "low"),
    ]
    assert [
        (row["kind"], *(event["id"] for event in row["events"])) for row in found if row["structure"] == "chain"
    ] == [(chain.kind, *chain.events) for chain in chains(graph)]
    mediation = next(row for row in found if [event["id"] for event in row["events"]] == ["e2", "e6", "e7"])
    assert mediation["kind"] == "mediation"
    assert mediation["events"][2]["title"].startswith("Water minister resigns")
    assert [(link["source"], link["target"]) for link in (*mediation["links"], *mediation["across"])] == [
        ("e2", "e6"),
        ("e6", "e7"),
        ("e2", "e7"),
    ]


def test_structures_of_a_build_are_narrowed_and_written_like_other_answers(refinery, week, tmp_path):
    everything, strong = rows("structures", refinery), rows("structures", refinery, "--at-least", 97)
    assert any(row["structure"] == "chain" for row in everything)
    assert len(everything) > len(strong) >= len(read_graph(refinery).events)
    assert all(link["strength"] >= 97 for row in strong for link in row["links"])
    assert len(rows("structures", week, "--as-of", "2026-03-04")) < len(rows("structures", week))
    assert run("structures", refinery, "--out", tmp_path / "structures.jsonl") == ""
    written = (tmp_path / "structures.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in written] == everything


def test_what_is_no_build_is_refused(tmp_path):
    assert "not a folder that `whywire build` wrote" in run("structures", tmp_path, fails=InputError)
