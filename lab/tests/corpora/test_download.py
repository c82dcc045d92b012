"""Getting files and corpora, from a real server on this machine."""

import gc
import gzip
import hashlib
import io
import json
import socket
import tarfile
import threading
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.local_server import Reply, serving_pages

from whywire.errors import InputError, OutputError
from whywire_lab.corpora.archives import open_archive, unpack
from whywire_lab.corpora.catalogue import Corpus, Download
from whywire_lab.corpora.download import DownloadError, fetch, get
from whywire_lab.corpora.originals import ecbplus_rows, uci_rows
from whywire_lab.corpora.same_event import read_ecbplus, read_uci

BODY = "Плотина выдержала.\n".encode() * 10_000


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")


def zipped(files):
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


def tarred(files, mode="w:gz"):
    """A tar of files; text in place of bytes is where a link points to."""
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return body.getvalue()


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def refused(page, tmp_path, *, error=DownloadError, **options):
    """What is said when a page is not taken; nothing may be left behind."""
    with serving_pages({"/file": page}) as site, pytest.raises(error) as told:
        fetch(f"{site.url}/file", tmp_path / "file", **options)
    assert everything_in(tmp_path) == []
    assert str(told.value).startswith(site.url)
    return str(told.value)


# one address


@pytest.mark.parametrize("says_length", [True, False])
def test_a_file_comes_whole(tmp_path, says_length):
    told = []

    def start(name, size):
        told.append((name, size))
        return told.append

    with serving_pages({"/a/file.txt": Reply(BODY, says_length=says_length)}) as site:
        fetch(f"{site.url}/a/file.txt", tmp_path / "new" / "file.txt", progress=start)
    assert (tmp_path / "new" / "file.txt").read_bytes() == BODY
    assert told[0] == ("file.txt", len(BODY) if says_length else 0)
    assert sum(told[1:]) == len(BODY)
    assert everything_in(tmp_path) == ["new/file.txt"]


def test_a_redirect_on_the_web_is_followed(tmp_path):
    with serving_pages({"/file": BODY, "/old": Reply(status=302, headers={"Location": "/file"})}) as site:
        fetch(f"{site.url}/old", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/file", "data:,words", "http://"])
def test_a_redirect_to_anything_else_is_not(tmp_path, target):
    assert "302" in refused(Reply(status=302, headers={"Location": target}), tmp_path)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_redirect_that_cannot_be_parsed_is_not(tmp_path):
    assert "Invalid IPv6 URL" in refused(Reply(status=302, headers={"Location": "http://[/file"}), tmp_path)
    gc.collect()  # urllib leaves the socket of such an answer to the collector


@pytest.mark.parametrize(
    "address", ["file:///etc/hostname", "ftp://127.0.0.1/x", "/etc/hostname", "https:///x", "http://[/x", ""]
)
def test_only_addresses_of_the_web_are_asked(tmp_path, address):
    with pytest.raises(InputError, match="not a web address"):
        fetch(address, tmp_path / "file")
    assert everything_in(tmp_path) == []


def test_what_stays_away_breaks_off_or_is_too_much_is_refused(tmp_path):
    assert "404" in refused(Reply(status=404), tmp_path)
    assert f"after {len(BODY) - 7:,} of {len(BODY):,} bytes" in refused(Reply(BODY, cut=7), tmp_path)
    chunked = Reply(b"5\r\nwords\r\n9\r\nwo", says_length=False, headers={"Transfer-Encoding": "chunked"})
    refused(chunked, tmp_path)
    too_much = {"most": len(BODY) - 1}
    assert "more than" in refused(Reply(BODY), tmp_path, **too_much)
    assert "more than" in refused(Reply(BODY, says_length=False), tmp_path, **too_much)


def test_a_silent_server_is_left(tmp_path):
    enough = threading.Event()
    try:
        assert "no answer within 0.2 seconds" in refused(Reply(silent=enough), tmp_path, silence=0.2)
    finally:
        enough.set()


def test_a_server_that_is_not_there_is_named(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
        with pytest.raises(DownloadError, match="cannot be reached"):
            fetch(address, tmp_path / "file")


def test_something_else_than_was_published_is_refused_and_keeps_what_is_there(tmp_path):
    right = hashlib.sha256(BODY).hexdigest()
    path = tmp_path / "file"
    with serving_pages({"/file": BODY, "/other": b"words"}) as site:
        fetch(f"{site.url}/file", path, sha256=right.upper())
        with pytest.raises(DownloadError, match="not what was published"):
            fetch(f"{site.url}/other", path, sha256=right)
    assert path.read_bytes() == BODY
    assert everything_in(tmp_path) == ["file"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with serving_pages({"/file": BODY}) as site, pytest.raises(OutputError, match="taken"):
        fetch(f"{site.url}/file", tmp_path / "taken" / "file")


# archives


@pytest.mark.parametrize("packed", [zipped, tarred, lambda files: tarred(files, "w")])
def test_only_the_members_wanted_are_unpacked(tmp_path, packed):
    (tmp_path / "it").write_bytes(packed({"top/a/rows.csv": BODY, "top/b.csv": b"b", "__MACOSX/._rows.csv": b"x"}))
    unpack(tmp_path / "it", {"a/rows.csv": tmp_path / "one", "b.csv": tmp_path / "two"})
    assert (tmp_path / "one").read_bytes() == BODY
    assert everything_in(tmp_path) == ["it", "one", "two"]


def test_an_uncompressed_tar_that_ends_in_a_zip_is_a_tar(tmp_path):
    (tmp_path / "it").write_bytes(tarred({"rows.csv": b"tar", "more.zip": zipped({"rows.csv": b"zip"})}, "w"))
    unpack(tmp_path / "it", {"rows.csv": tmp_path / "rows"})
    assert (tmp_path / "rows").read_bytes() == b"tar"


@pytest.mark.parametrize("packed", [zipped, tarred])
@pytest.mark.parametrize("name", ["../rows.csv", "/rows.csv", "a/../../rows.csv", "C:\\rows.csv", "..\\rows.csv"])
def test_an_archive_with_a_path_that_leads_out_is_refused(tmp_path, packed, name):
    (tmp_path / "it").write_bytes(packed({"good.csv": b"good", name: b"bad"}))
    with pytest.raises(InputError, match="leads out of its folder"):
        unpack(tmp_path / "it", {"good.csv": tmp_path / "good"})
    assert everything_in(tmp_path) == ["it"]


def test_a_link_is_no_member(tmp_path):
    linked = zipfile.ZipInfo("rows.csv")
    linked.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr(linked, "/etc/hostname")
    (tmp_path / "tar").write_bytes(tarred({"rows.csv": "/etc/hostname"}))
    for name in ("zip", "tar"):
        with pytest.raises(InputError, match=r"there is no rows\.csv"):
            unpack(tmp_path / name, {"rows.csv": tmp_path / "rows"})


def test_two_members_of_one_name_are_not_estimated_at(tmp_path):
    (tmp_path / "it").write_bytes(zipped({"a/rows.csv": b"a", "b/rows.csv": b"b"}))
    with pytest.raises(InputError, match="may both be"):
        unpack(tmp_path / "it", {"rows.csv": tmp_path / "rows"})


@pytest.mark.parametrize("packed", [zipped, tarred])
def test_an_archive_that_would_fill_the_disk_is_refused_unread(tmp_path, packed):
    (tmp_path / "it").write_bytes(packed({"a": bytes(600), "b": bytes(600)}))
    with pytest.raises(InputError, match="more than 1,199 bytes"), open_archive(tmp_path / "it", most=1_199):
        pytest.fail("it was opened")
    with open_archive(tmp_path / "it", most=1_200) as members:
        assert set(members) == {"a", "b"}


@pytest.mark.parametrize("body", [b"words", b"", gzip.compress(b"words", mtime=0)])
def test_what_is_no_archive_is_named(tmp_path, body):
    (tmp_path / "it").write_bytes(body)
    with pytest.raises(InputError, match="no zip or tar archive"):
        unpack(tmp_path / "it", {"rows.csv": tmp_path / "rows"})


def test_a_zip_whose_directory_would_begin_before_it_is_broken(tmp_path):
    body = bytearray(zipped({"rows.csv": BODY}))
    body[-6] ^= 1  # in the last record, the place where the directory begins
    (tmp_path / "it").write_bytes(body)
    with pytest.raises(InputError, match="the archive is broken"):
        unpack(tmp_path / "it", {"rows.csv": tmp_path / "rows"})


@given(st.sampled_from([zipped, tarred]), st.data())
def test_an_archive_damaged_anywhere_gives_an_error_of_ours_or_its_content(tmp_path_factory, packed, data):
    folder = tmp_path_factory.mktemp("damaged")
    body = bytearray(packed({"rows.csv": bytes(range(256)) * 4}))
    place = data.draw(st.integers(0, len(body) - 1))
    if data.draw(st.booleans()):
        body = body[:place]
    else:
        body[place] ^= data.draw(st.integers(1, 255))
    (folder / "it").write_bytes(body)
    try:
        unpack(folder / "it", {"rows.csv": folder / "rows"})
    except InputError:
        return
    assert len((folder / "rows").read_bytes()) == 1024


# corpora


def corpus(*downloads, folder="own"):
    return Corpus("own", "rows", "Nobody 2026", "CC0", "https://own.example", folder, downloads)


def test_a_corpus_comes_into_its_folder_once(tmp_path):
    pages = {"/train.csv": b"train", "/all.zip": zipped({"top/dev.csv": b"dev", "top/test.csv": b"test"})}
    with serving_pages(pages) as site:
        own = corpus(
            Download(f"{site.url}/train.csv", ("en/train.csv",)),
            Download(f"{site.url}/all.zip", ("dev.csv", "more/held_out.csv"), members=("dev.csv", "test.csv")),
        )
        files = ("own/en/train.csv", "own/dev.csv", "own/more/held_out.csv")
        assert own.missing(tmp_path) == files
        assert get(own, tmp_path) == files
        assert everything_in(tmp_path) == sorted(files)
        assert (tmp_path / "own" / "more" / "held_out.csv").read_bytes() == b"test"

        (tmp_path / "own" / "dev.csv").write_bytes(b"mine")
        (tmp_path / "own" / "more" / "held_out.csv").unlink()
        site.asked.clear()
        assert get(own, tmp_path) == ("own/more/held_out.csv",)
        assert site.paths == ["/all.zip"]
        assert (tmp_path / "own" / "dev.csv").read_bytes() == b"mine"

        assert get(own, tmp_path) == ()
        assert get(own, tmp_path, force=True) == files
        assert (tmp_path / "own" / "dev.csv").read_bytes() == b"dev"


def test_what_fails_says_what_a_person_can_do_and_keeps_what_came_before(tmp_path):
    with serving_pages({"/train.csv": b"train", "/all.zip": zipped({"other.csv": b""})}) as site:
        whole, broken = f"{site.url}/train.csv", f"{site.url}/all.zip"
        own = corpus(Download(whole, ("train.csv",)), Download(broken, ("dev.csv",), members=("dev.csv",)))
        with pytest.raises(DownloadError) as told:
            get(own, tmp_path)
    by_hand = f"get it by hand from https://own.example and put dev.csv into {tmp_path / 'own'}"
    said = f"{broken}: all.zip: there is no dev.csv in the archive (try again later, or {by_hand})"
    assert str(told.value) == said
    assert everything_in(tmp_path) == ["own/train.csv"]


def test_a_corpus_to_be_had_by_hand_says_so(tmp_path):
    with pytest.raises(InputError, match=r"https://own\.example: own cannot be fetched"):
        get(corpus(), tmp_path)


UCI = [
    ["1", 'Ferry "Aurora" aground off Calder Bay', "http://a.example/1", "Harbour Post", "b", "dX1", "a.example"],
    ["2", "Паром сел на мель", "http://b.example/2?x=1", "", "t", "dX2", "b.example"],
]


def test_the_news_aggregators_table_becomes_rows_that_we_read(tmp_path):
    table = "".join("\t".join([*row, str(1394470370698 + number)]) + "\n" for number, row in enumerate(UCI))
    with serving_pages({"/news.zip": zipped({"2pageSessions.csv": b"", "newsCorpora.csv": table.encode()})}) as site:
        own = corpus(Download(f"{site.url}/news.zip", ("uci.jsonl",), rows=uci_rows), folder="same_event")
        get(own, tmp_path)
    first, second = read_uci(tmp_path / "same_event" / "uci.jsonl")
    assert (first.title, first.group, second.title) == (UCI[0][1], "uci-dX1", UCI[1][1])
    assert first.published.isoformat(timespec="milliseconds") == "2014-03-10T16:52:50.698+00:00"
    row = json.loads((tmp_path / "same_event" / "uci.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert {name: row[name] for name in ("url", "publisher", "category", "source")} == {
        "url": "http://a.example/1",
        "publisher": "Harbour Post",
        "category": "b",
        "source": "a.example",
    }


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"1\ttwo columns", "must have 8 columns"),
        ("\t".join([*UCI[0], "noon"]).encode(), "must have 8 columns"),
        ("Мель".encode("cp1251"), "not UTF-8"),
    ],
)
def test_a_broken_table_is_named_by_its_line(tmp_path, bad, why):
    good = "\t".join([*UCI[0], "1394470370698"]).encode()
    pages = {"/news.zip": zipped({"newsCorpora.csv": good + b"\n" + bad + b"\n"})}
    with serving_pages(pages) as site, pytest.raises(DownloadError, match=rf"newsCorpora\.csv:2: .*{why}"):
        get(corpus(Download(f"{site.url}/news.zip", ("uci.jsonl",), rows=uci_rows)), tmp_path)
    assert everything_in(tmp_path) == []


def document(*sentences):
    words = [(number, word) for number, sentence in enumerate(sentences) for word in sentence.split()]
    tokens = (
        f'<token t_id="{place}" sentence="{number}" number="0">{word}</token>'
        for place, (number, word) in enumerate(words, 1)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><Document doc_name="x">{"".join(tokens)}<Markables/></Document>'


def test_ecbplus_documents_become_rows_that_we_read(tmp_path):
    files = {
        "ECB+/.DS_Store": b"x",
        "ECB+/7/7_10ecb.xml": document("The old dam at Orvane burst on Monday .", "No one in town was hurt ."),
        "ECB+/7/7_2ecbplus.xml": document("http://b.example/2", "A dam near Calder broke this week , too ."),
        "__MACOSX/ECB+/7/._7_10ecb.xml": b"x",
    }
    with serving_pages({"/ECB%2B.zip": zipped(files)}) as site:
        get(corpus(Download(f"{site.url}/ECB%2B.zip", ("ecb.jsonl",), rows=ecbplus_rows)), tmp_path)
    lines = (tmp_path / "own" / "ecb.jsonl").read_text(encoding="utf-8").splitlines()
    assert [(row["topic"], row["event"], row["document"]) for row in map(json.loads, lines)] == [
        (7, "7ecb", "7_10ecb"),
        (7, "7ecbplus", "7_2ecbplus"),
    ]
    first, second = read_ecbplus(tmp_path / "own" / "ecb.jsonl")
    assert first.title == "The old dam at Orvane burst on Monday."
    assert first.lead == "No one in town was hurt."
    assert second.title == "A dam near Calder broke this week, too."


@pytest.mark.parametrize(
    "files", [{"other.xml": b""}, {"7_1ecb.xml": b"<Document>"}, {"7_1ecb.xml": b"<x><token/></x>"}]
)
def test_what_is_no_ecbplus_is_named(tmp_path, files):
    with serving_pages({"/ecb.zip": zipped(files)}) as site, pytest.raises(DownloadError, match=r"ECB\+"):
        get(corpus(Download(f"{site.url}/ecb.zip", ("ecb.jsonl",), rows=ecbplus_rows)), tmp_path)
    assert everything_in(tmp_path) == []
