"""The table of corpora: what it says holds together, and its files lie where our readers look."""

from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest

from whywire_lab.corpora.catalogue import CORPORA
from whywire_lab.corpora.headline_cause import DEV, FULL, SIMPLE, TEST, TRAIN, find_release
from whywire_lab.corpora.hlgd import SPLITS, pairs_file
from whywire_lab.tasks.run import TASKS


@pytest.fixture
def data(tmp_path):
    """A folder with all files of all corpora, empty."""
    for corpus in CORPORA.values():
        for file in corpus.files:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).touch()
    return tmp_path


@pytest.mark.parametrize("name", CORPORA)
def test_an_entry_says_all_that_a_person_needs(name):
    corpus = CORPORA[name]
    assert all((corpus.name == name, corpus.what, corpus.paper, corpus.licence, corpus.folder))
    assert corpus.downloads or corpus.note
    addresses = [corpus.page, *(download.address for download in corpus.downloads)]
    assert all(urlsplit(address).scheme == "https" and urlsplit(address).hostname for address in addresses)


def test_no_two_downloads_give_one_file_and_none_lies_outside():
    files = [file for corpus in CORPORA.values() for file in corpus.files]
    assert len(files) == len(set(files))
    for path in map(PurePosixPath, files):
        assert not path.is_absolute()
        assert ".." not in path.parts


def test_a_download_is_a_file_some_members_or_rows():
    for download in (download for corpus in CORPORA.values() for download in corpus.downloads):
        assert not (download.members and download.rows)
        assert len(download.files) == (len(download.members) or 1)
        assert download.sha256 is None or len(bytes.fromhex(download.sha256)) == 32


def test_missing_files_are_named(data):
    corpus = CORPORA["hlgd"]
    assert corpus.missing(data) == ()
    (data / "hlgd" / "dev.json").unlink()
    assert corpus.missing(data) == ("hlgd/dev.json",)
    assert corpus.missing(data / "nowhere") == corpus.files


@pytest.mark.parametrize("task", sorted(TASKS.keys() - {"hlgd", "hlgd-groups"}))
def test_benchmarks_find_their_files(data, task):
    folder, files = TASKS[task].folder, TASKS[task].files
    assert all((data / folder / file).is_file() for file in files("train"))


def test_the_pairs_of_hlgd_are_found_by_split(data):
    assert [pairs_file(data / "hlgd", split).name for split in SPLITS.values()] == [
        "train.json",
        "dev.json",
        "test.json",
    ]


@pytest.mark.parametrize("labels", [SIMPLE, FULL])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_release_of_headline_cause_is_found(data, language, labels):
    found = [find_release(data / "headline_cause", language, labels, split) for split in (TRAIN, DEV, TEST)]
    assert [path.stem for path in found] == ["train", "val", "test"]
