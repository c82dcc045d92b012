"""Rows of a file from a place on, of whole files and of damaged ones."""

import gzip
import json
import random

import pytest
from tests.news.test_warc_files import page, record

from whywire import backfill
from whywire.news.sources import list_files, read_rows
from whywire.store import Store

ROWS = [{"title": f"Council approves budget {number}", "text": "Traffic grew. " * 20} for number in range(40)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def warc_cut_in_the_middle():
    """Pages, one of which is cut and one of which has no text; behind the cut others follow."""
    pages = [page(f"Report {number}") for number in range(6)]
    pages[1] = b"<html></html>"
    parts = [gzip.compress(record(one, url=f"https://a.example/{number}")) for number, one in enumerate(pages)]
    return b"".join([*parts[:3], parts[3][: len(parts[3]) // 2], *parts[4:]])


def parquet(folder):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pyarrow.Table.from_pylist(ROWS), folder / "whole.parquet", row_group_size=7)
    content = (folder / "whole.parquet").read_bytes()
    (folder / "whole.parquet").unlink()
    return content


MAKERS = {
    "bad.jsonl": lambda _: LINES[:200] + b"{broken\n" + LINES,
    "cut.jsonl.gz": lambda _: gzip.compress(LINES, mtime=0)[:-30],
    "whole.csv": lambda _: b"title,text\n" + b"".join(b"%d,rain\n" % number for number in range(9)) + b"a,b,c\n",
    "cut.json": lambda _: json.dumps(ROWS).encode()[:-20],
    "whole.parquet": parquet,
    "cut.parquet": lambda folder: parquet(folder)[:-100],
    "cut.warc.gz": lambda _: warc_cut_in_the_middle(),
    "notes.txt": lambda _: b"no news",
}


@pytest.fixture(params=MAKERS)
def file(request, tmp_path):
    if "warc" in request.param:
        pytest.importorskip("fastwarc")
        pytest.importorskip("trafilatura")
    path = tmp_path / request.param
    path.write_bytes(MAKERS[request.param](tmp_path))
    return path


def test_what_is_skipped_is_what_comes_first(file):
    rows = [*read_rows(file)]
    assert rows
    for skip in {0, 1, len(rows), *random.Random(0).sample(range(len(rows)), min(4, len(rows)))}:
        assert [*read_rows(file, skip=skip)] == rows[skip:]
    assert [*read_rows(file, skip=len(rows) + 5)] == []


def test_a_backfill_takes_what_is_whole_and_names_what_is_not(tmp_path, fake_models):
    pytest.importorskip("fastwarc")
    pytest.importorskip("trafilatura")
    (tmp_path / "news").mkdir()
    for name in ("cut.jsonl.gz", "cut.parquet", "cut.warc.gz"):
        (tmp_path / "news" / name).write_bytes(MAKERS[name](tmp_path))
    for _ in range(2):  # the second time nothing is read again, and nothing is listed twice
        done = backfill(tmp_path / "news", tmp_path / "news.db", models=fake_models)
        with Store.open(tmp_path / "news.db", read_only=True) as store:
            reasons = [(problem.place.rpartition("/")[2], problem.reason) for problem in store.rejected()]
            titles = {article.title for article in store.graph().articles.values()}
        assert {f"Report {number}" for number in (0, 2, 4, 5)} <= titles
        assert {row["title"] for row in ROWS[:10]} <= titles
        assert [place for place, _ in reasons if place.startswith("cut.jsonl.gz")]
        assert [reason for place, reason in reasons if place.startswith("cut.parquet")] == [
            next(reason for place, reason in reasons if "damaged from here on" in reason)
        ]
        of_warc = [(place, reason.partition(" ")[0]) for place, reason in reasons if place.startswith("cut.warc")]
        assert of_warc == [("cut.warc.gz:2", "no"), ("cut.warc.gz:4", "damaged")]
        assert done.rejected == len(reasons) == 4


def test_a_pipe_and_standard_input_are_files_too():
    assert list_files("-") == ["-"]
