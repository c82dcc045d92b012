"""Folders that ``whywire build`` wrote."""

import json
import signal

import pytest
from tests.cli.commands import run
from tests.conftest import ROOT
from tests.graph.made_up_week import made_up_graph

from whywire.building import Build

DRUG = [
    {
        "id": "d1",
        "published": "2026-03-04T08:00:00Z",
        "source": "Harbour Post",
        "title": "Regulator approves Veltrazin for river fever",
        "text": "The medicines agency of Castra approved Veltrazin for river fever on Tuesday. "
        "Hospitals in Castra stopped using older drugs because Veltrazin shortened the fever by four days.",
    },
    {
        "id": "d2",
        "published": "2026-03-04T09:00:00Z",
        "source": "Coast Courier",
        "title": "Castra agency clears Veltrazin to treat river fever",
        "text": "The approval of Veltrazin led to a rush on pharmacies in Port Ellery. "
        "Veltrazin was first made against swamp flu.",
    },
    {
        "id": "d3",
        "published": "2026-03-05T09:00:00Z",
        "source": "Valley Gazette",
        "title": "Pharmacies in Port Ellery run out of Veltrazin",
        "text": "Pharmacies in Port Ellery ran out of Veltrazin because the maker had sent only two thousand doses. "
        "Thieves who stole Veltrazin from a pharmacy caused a protest outside the ministry of health.",
    },
    {
        "id": "d4",
        "published": "2026-03-06T09:00:00Z",
        "source": "Harbour Post",
        "title": "Maker of Veltrazin doubles production after shortage",
        "text": "Lorne Pharma doubled production of Veltrazin after the shortage of the river fever drug. "
        "Shares of Lorne Pharma rose by nine per cent because it will sell more Veltrazin.",
    },
    {
        "id": "d5",
        "published": "2026-03-06T10:00:00Z",
        "source": "Coast Courier",
        "title": "Crane collapses at shipyard in Meridian",
        "text": "A crane collapsed at the Meridian shipyard because strong wind had loosened its brakes. "
        "Two workers were injured.",
    },
    {
        "id": "d6",
        "published": "2026-03-06T11:00:00Z",
        "source": "Valley Gazette",
        "title": "River fever patients wait for Veltrazin in Castra",
        "text": "Patients with river fever wait for Veltrazin in the hospitals of Castra, doctors said on Friday.",
    },
]


def built(folder_once, name, lines):
    """The folder that a build of these rows writes, beside the rows."""

    def build(place):
        (place / "news.jsonl").write_text("\n".join(lines), encoding="utf-8")
        run("build", place / "news.jsonl", "--out", place / "graph")

    return folder_once(name, build) / "graph"


@pytest.fixture(scope="session")
def week(tmp_path_factory):
    """The made-up week, as a build writes it."""
    folder = tmp_path_factory.mktemp("week")
    Build(made_up_graph()).write(folder, title="Week", inputs=["week.jsonl"])
    return folder


@pytest.fixture(scope="session")
def refinery_news():
    """A part of the bundled example: the rows on one fire."""
    lines = (ROOT / "examples" / "news.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "Marrow Point" in line]


@pytest.fixture(scope="session")
def refinery(folder_once, refinery_news):
    """The fire, built by the models."""
    return built(folder_once, "refinery", refinery_news)


@pytest.fixture(scope="session")
def first_day(folder_once, refinery_news):
    """What was known of the fire at first, built by the models, and a row that could not be read."""
    return built(folder_once, "first-day", [*refinery_news[:8], '{"title": 7}'])


@pytest.fixture(scope="session")
def drug(folder_once):
    """News of a drug that many events name, built by the models."""
    return built(folder_once, "drug", map(json.dumps, DRUG))


@pytest.fixture
def interruptible():
    """Programs started meanwhile obey SIGINT, also where the tests were started to ignore it, as by ``nohup … &``."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
