"""``whywire data`` as a person runs it, with a server on this machine in place of the authors' own."""

from functools import partial

import pytest
from tests.cli.commands import run as run_command
from tests.local_server import serving_pages

from whywire.errors import InputError
from whywire_lab.corpora import catalogue
from whywire_lab.corpora.catalogue import CORPORA, Corpus, Download
from whywire_lab.corpora.download import DownloadError

run = partial(run_command, "data", no_proxy="*")


@pytest.fixture
def site(monkeypatch):
    """A site with the two files of a corpus ``own``, which the table names."""
    with serving_pages({"/train.csv": b"train", "/dev.csv": b"dev"}) as site:
        downloads = tuple(Download(f"{site.url}/{name}.csv", (f"{name}.csv",)) for name in ("train", "dev"))
        own = Corpus("own", "rows of our own", "Nobody 2026", "CC0", "https://own.example", "own_rows", downloads)
        monkeypatch.setitem(catalogue.CORPORA, "own", own)
        yield site


def cells(shown, name):
    return next(line for line in shown.splitlines() if line.split()[:1] == [name])


def test_the_list_says_what_each_is_and_which_are_here(site, tmp_path):
    folder = tmp_path / "data"
    shown = run("list", "--data", folder)
    assert all(cells(shown, name).rstrip().endswith("no") for name, corpus in CORPORA.items() if corpus.downloads)
    assert cells(shown, "crab").rstrip().endswith("by hand")
    assert "rows of our own" in cells(shown, "own")
    assert "CC0" in cells(shown, "own")
    assert CORPORA["crab"].note in shown
    assert CORPORA["crab"].page in shown

    run("get", "own", "--to", folder)
    assert cells(run("list", "--data", folder), "own").rstrip().endswith("yes")
    (folder / "own_rows" / "dev.csv").unlink()
    assert cells(run("list", "--data", folder), "own").rstrip().endswith("1 of 2 files")


def test_a_corpus_is_got_once_and_again_on_demand(site, tmp_path):
    assert run("get", "own", "own", "--to", tmp_path).splitlines() == [
        f"own: 2 of 2 files fetched ({tmp_path / 'own_rows'}); CC0; Nobody 2026"
    ]
    train = tmp_path / "own_rows" / "train.csv"
    assert train.read_bytes() == b"train"
    assert site.paths == ["/train.csv", "/dev.csv"]

    train.write_bytes(b"mine")
    assert "own: is there already" in run("get", "own", "--to", tmp_path)
    assert train.read_bytes() == b"mine"
    run("get", "own", "--to", tmp_path, "--force")
    assert train.read_bytes() == b"train"


def test_nothing_is_fetched_where_a_name_is_unknown(site, tmp_path):
    assert "there is no corpus 'owl' (known are headline_cause, " in run("get", "own", "owl", fails=InputError)
    assert site.paths == []


def test_what_cannot_be_fetched_says_what_to_do(site, tmp_path):
    said = run("get", "crab", "--to", tmp_path, fails=InputError)
    assert CORPORA["crab"].page in said
    assert "by hand" in said
    del site.pages["/dev.csv"]
    said = run("get", "own", "--to", tmp_path, fails=DownloadError)
    assert "404" in said
    assert f"by hand from https://own.example and put dev.csv into {tmp_path / 'own_rows'}" in said
    assert (tmp_path / "own_rows" / "train.csv").read_bytes() == b"train"


def test_help_shows_how():
    assert "whywire data list" in run("list", "--help")
    assert "whywire data get hlgd" in run("get", "--help")
