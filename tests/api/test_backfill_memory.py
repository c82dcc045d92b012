"""The memory of a backfill does not grow with the news; made-up rows, a few a day."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest

from whywire import backfill
from whywire.news.row_files import read_parquet
from whywire.store import Store

COUNT = 60
GROWS_BY = 1.3
"""Four times the news may take so much more: caches of what is common fill up."""


def row(number):
    time = datetime(2020, 1, 1, 9, tzinfo=UTC) + timedelta(hours=8 * number)
    words = f"mayor{number} opened{number} harbour{number}"
    text = f"Boats{number} came because {words}. " + f"Nobody{number} was there. " * 3
    return {
        "id": f"a{number}",
        "title": f"The {words}",
        "text": text,
        "published": time.isoformat(),
        "language": "en",
    }


@pytest.mark.slow
def test_four_times_the_news_takes_no_more_memory(tmp_path, fake_models, monkeypatch):
    monkeypatch.setattr("whywire.store.worker.KEPT", timedelta(days=2))
    peaks = []
    for count in (COUNT // 4, COUNT, 4 * COUNT):  # the first fills caches
        path, store = tmp_path / f"{count}.jsonl", tmp_path / f"{count}.db"
        path.write_text("".join(json.dumps(row(number)) + "\n" for number in range(count)), encoding="utf-8")
        tracemalloc.start()
        done = backfill(path, store, partitions=tmp_path / f"{count}", models=fake_models)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert done.changes["article added"] == count
    assert peaks[2] < GROWS_BY * peaks[1], peaks


def test_reading_files_takes_no_more_memory_for_more_rows(tmp_path, monkeypatch):
    from whywire.api.backfill import _read_files
    from whywire.progress import NoProgress

    monkeypatch.setattr("whywire.api.backfill.READ_ROWS", 20)
    peaks = []
    for count in (100, 100, 400):
        path = tmp_path / "news.jsonl"
        rows = (row(number) | {"text": f"{number} boats sank. " * 500} for number in range(count))
        path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
        with Store.open(tmp_path / f"{len(peaks)}.db", models="rules") as store:
            tracemalloc.start()
            _read_files([path], store, None, 10_000, NoProgress())
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert store.waiting() == count
    assert peaks[2] < GROWS_BY * peaks[1], peaks


def test_a_group_of_rows_of_parquet_is_not_held_whole(tmp_path, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("whywire.news.row_files._SMALL_COLUMN", 2**20)
    most = []
    for count in (2_000, 8_000):
        rows = [{"title": f"Storm {number}", "text": f"{number} boats sank. " * 60} for number in range(count)]
        table = pyarrow.Table.from_pylist(rows)
        parquet.write_table(table, tmp_path / "news.parquet", compression="none", use_dictionary=False)
        del rows, table
        before, peak = pyarrow.total_allocated_bytes(), 0
        for _ in read_parquet(tmp_path / "news.parquet"):
            peak = max(peak, pyarrow.total_allocated_bytes() - before)
        most.append(peak)
    assert most[1] < GROWS_BY * most[0], most
