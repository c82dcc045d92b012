"""Folders that ``whywire build`` wrote."""

import pytest
from tests.cli.commands import run
from tests.conftest import ROOT
from tests.graph.made_up_week import made_up_graph

from whywire.build_files import write_build
from whywire.pipeline import Build


@pytest.fixture(scope="session")
def week(tmp_path_factory):
    """The made-up week, as a build writes it."""
    folder = tmp_path_factory.mktemp("week")
    write_build(Build(made_up_graph()), folder, title="Week", inputs=["week.jsonl"])
    return folder


@pytest.fixture(scope="session")
def refinery_news():
    """A part of the bundled example: the rows on one fire."""
    lines = (ROOT / "examples" / "news.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "Marrow Point" in line]


@pytest.fixture(scope="session")
def refinery(tmp_path_factory, refinery_news):
    """The fire, built by the models."""
    place = tmp_path_factory.mktemp("refinery")
    (place / "news.jsonl").write_text("\n".join(refinery_news), encoding="utf-8")
    run("build", place / "news.jsonl", "--out", place / "graph")
    return place / "graph"


@pytest.fixture(scope="session")
def first_day(tmp_path_factory, refinery_news):
    """What was known of the fire at first, built by the models, and a row that could not be read."""
    place = tmp_path_factory.mktemp("first_day")
    (place / "news.jsonl").write_text("\n".join([*refinery_news[:8], '{"title": 7}']), encoding="utf-8")
    run("build", place / "news.jsonl", "--out", place / "graph")
    return place / "graph"
