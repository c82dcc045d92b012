"""The memory of a backfill does not grow with the news; made-up rows, a few a month."""

from __future__ import annotations

import gc
import json
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest

from whywire import backfill
from whywire.news.row_files import read_parquet
from whywire.store import Store

COUNT = 30
GROWS_BY = 1.3
"""Four times the news may take so much more, for lists of names and the like."""


def row(number):
    """A few articles come on two days, and others like them each month, so that neither regions nor caches grow."""
    burst, place = divmod(number, 6)
    time = datetime(2000, 1, 1, 9, tzinfo=UTC) + timedelta(days=30 * burst, hours=8 * place)
    words = f"mayor{place} opened{place} harbour{place}"
    text = f"Boats{place} came because {words}. " + f"Nobody{place} was there. " * 3 + f"It was number {number}."
    return {
        "id": f"a{number}",
        "title": f"The {words}",
        "text": text,
        "published": time.isoformat(),
        "language": "en",
    }


class Held:
    """The most memory that is held after an update, without garbage, in bytes."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, stage, total):
        return self.look if stage == "taking in articles" else lambda steps: None

    def look(self, steps):
        gc.collect()
        self.most = max(self.most, tracemalloc.get_traced_memory()[0])


@pytest.mark.slow
def test_four_times_the_news_takes_no_more_memory(tmp_path, fake_models, monkeypatch):
    monkeypatch.setattr("whywire.store.worker.KEPT", timedelta(days=2))
    most = []
    for count in (4 * COUNT, COUNT, 4 * COUNT):  # the first fills caches
        path, run = tmp_path / f"{count}.jsonl", f"run {len(most)}"
        path.write_text("".join(json.dumps(row(number)) + "\n" for number in range(count)), encoding="utf-8")
        store, parts, held = tmp_path / f"{run}.db", tmp_path / run, Held()
        tracemalloc.start()
        done = backfill(path, store, partitions=parts, models=fake_models, progress=held)
        tracemalloc.stop()
        most.append(held.most)
        assert done.changes["article added"] == count
    assert most[2] < GROWS_BY * most[1], most


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
