"""``whywire export`` as a person runs it."""

from __future__ import annotations

import csv
import json
from functools import partial
from pathlib import Path

import networkx as nx
import pytest
from tests.cli.commands import run as run_command

from whywire import Article, build
from whywire.errors import InputError
from whywire.graph.build_folder import read_graph

NEWS = [
    Article("1", "Storm floods the Calder Bay substation", "Rain fell all night. The substation flooded."),
    Article("2", "Power cut in Calder Bay after substation floods", "Officials blamed the flood for the outage."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("graph")
    build(NEWS).write(made, title="Test", inputs=["news.jsonl"])
    return made


run = partial(run_command, "export")


def test_json_and_graphml_are_those_of_the_build(folder: Path) -> None:
    assert run(folder, "--to", "json") == (folder / "graph.json").read_text(encoding="utf-8")
    assert run(folder, "--to", "graphml") == (folder / "graph.graphml").read_text(encoding="utf-8")


def test_a_file_is_written_where_it_is_asked_for(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.json"
    assert run(folder, "--to", "cytoscape", "--out", out) == ""
    assert len(nx.cytoscape_graph(json.loads(out.read_text(encoding="utf-8")))) == len(read_graph(folder).events)


def test_csv_is_a_folder_of_two_tables(folder: Path, tmp_path: Path) -> None:
    run(folder, "--to", "csv", "--out", tmp_path / "tables")
    with (tmp_path / "tables" / "nodes.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [event.id for event in read_graph(folder).events]
    assert (tmp_path / "tables" / "edges.csv").read_bytes().startswith(b"\xef\xbb\xbfsource,target,kind,")
    run(folder, "--to", "csv", "--raw", "--out", tmp_path / "raw")
    assert (tmp_path / "raw" / "nodes.csv").read_bytes().startswith(b"id,title,")
    with pytest.raises(InputError, match="--out"):
        run(folder, "--to", "csv")


def test_weak_links_are_left_out(folder: Path) -> None:
    links = json.loads(run(folder, "--to", "json"))["links"]
    strong = json.loads(run(folder, "--to", "json", "--at-least", 100))["links"]
    assert len(links) == len(read_graph(folder).links)
    assert strong == [link for link in links if link["strength"] >= 100]


def test_what_was_known_at_a_time_and_what_one_outlet_alone_says_are_exported(week: Path) -> None:
    told = {"--as-of": "2026-03-04T12:00Z", "--source": "Coast Courier"}
    for option, value in told.items():
        links = json.loads(run(week, "--to", "json", option, value))["links"]
        assert 0 < len(links) < len(read_graph(week).links)
    events = {node["id"] for node in json.loads(run(week, "--to", "json", "--as-of", told["--as-of"]))["nodes"]}
    assert events < {event.id for event in read_graph(week).events}
    with pytest.raises(InputError, match=r"outlets: .*Coast Courier"):
        run(week, "--to", "dot", "--source", "Nobody")


def test_what_is_no_build_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder that `whywire build` wrote"):
        run(tmp_path, "--to", "dot")
