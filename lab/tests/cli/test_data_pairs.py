"""``whywire data pairs``: what annotators said becomes a release that the benchmarks read."""

import json
from datetime import date, timedelta
from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from lab.tests.corpora.test_hlgd import timelines
from tests.cli.commands import run as run_command
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError
from whywire_lab.corpora.headline_cause import LABELS, read_split
from whywire_lab.corpora.pair_releases import headline_cause_rows, hlgd_rows
from whywire_lab.tasks.headline_cause import ENGLISH
from whywire_lab.tasks.hlgd import PAIRS

run = partial(run_command, "data", "pairs")
START = 1_700_000_000
EVENTS = ("Fire closes the {} ferry", "{} ferry shut by fire", "Mayor of {} resigns", "{} mayor quits")


def timeline(town, days):
    rows = []
    for number, title in enumerate(EVENTS):
        day = date(2019, 3, 1) + timedelta(days + number // 2)
        groups = {f"annot_{annotator}_group": number // 2 for annotator in range(1, 6)}
        rows.append({"headline": title.format(town), "date": day.isoformat(), **groups, "global_group": number // 2})
    return rows


def labelled(number, label, *, backwards=False):
    times = (START + 3600 * number, START + 3600 * number + 600)
    left, right = reversed(times) if backwards else times
    titles = {"left_title": f"Rain {number}", "right_title": f"Flood {number}"}
    return {**titles, "left_timestamp": left, "right_timestamp": right, "label": label, "id": f"en_tg_{number}"}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_timelines_become_pairs_and_those_that_end_last_are_held_out(tmp_path):
    towns = [(name, 30 * number) for number, name in enumerate(["Arle", "Borr", "Cusk", "Dorn", "Elm", "Fenn"])]
    files = [write(tmp_path / f"{town}.jsonl", timeline(town, days)) for town, days in towns[::-1]]
    run("hlgd", *files, "--to", tmp_path / "made")
    found = PAIRS.load(tmp_path / "made", "test")
    assert {row.timeline for row in found.rows} == {"Fenn"}
    assert {row.timeline for row in found.train()} == {"Arle", "Borr", "Cusk", "Dorn"}
    assert {row.timeline for row in PAIRS.load(tmp_path / "made").rows} == {"Elm"}
    assert [row.same for row in found.rows].count(True) == 2


@given(timelines())
def test_no_timeline_is_in_two_cuts_and_none_of_training_ends_after_one_held_out(reports):
    rows = hlgd_rows(reports)
    cuts = {row["timeline"]: row["cut"] for row in rows}
    assert all(cuts[row["timeline"]] == row["cut"] for row in rows)
    last = {report.timeline: report.report.day for report in sorted(reports, key=lambda report: report.report.day)}
    held_out = [last[name] for name, cut in cuts.items() if cut == "testing"]
    assert all(last[name] <= day for day in held_out for name, cut in cuts.items() if cut == "training")


def test_labelled_pairs_are_split_by_time_and_none_runs_against_the_clock(tmp_path):
    rows = [labelled(number, 3) for number in range(20)] + [labelled(30, 3, backwards=True), labelled(31, 1)]
    path = write(tmp_path / "labelled.jsonl", rows[::-1])
    made = tmp_path / "headline_cause"
    done = CliRunner().invoke(app, ["data", "pairs", "full", str(path), "--to", str(made)])
    assert done.exit_code == 0, done.output
    assert "against the clock: en_tg_30\n" in done.stderr
    assert "21 pairs (16 train, 2 val, 3 test)" in done.stderr
    parts = {split: list(read_split(made, "en", "full", split)) for split in ("train", "dev", "test")}
    assert [row.id for row in parts["test"]] == ["en_tg_18", "en_tg_19", "en_tg_31"]
    latest = max(row.right_published.at for row in parts["train"])
    assert all(latest < row.left_published.at for split in ("dev", "test") for row in parts[split])
    assert len(ENGLISH.load(tmp_path, "test").rows) == 3


def test_what_is_no_kind_of_pairs_is_refused(tmp_path):
    path = write(tmp_path / "labelled.jsonl", [labelled(1, 3)])
    assert "known are hlgd, simple, full; en, ru" in run("pairs", path, "--to", tmp_path, fails=InputError)
    assert "from 0 to 2, not 3" in run("simple", path, "--to", tmp_path / "made", fails=InputError)
    assert not (tmp_path / "made").exists()


@given(st.lists(st.integers(0, 6), max_size=12))
def test_a_written_pair_is_read_as_it_was(labels):
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = write(Path(folder) / "en_full_train.jsonl", [labelled(*numbered) for numbered in enumerate(labels)])
        pairs = list(read_split(Path(folder), "en", "full", "train"))
        parts, dropped = headline_cause_rows(pairs, "full")
        again = [row for rows in parts.values() for row in rows]
        write(path, again)
        read = {pair.id: pair for pair in read_split(Path(folder), "en", "full", "train")}
    assert [read[pair.id] for pair in pairs if pair.id in read] == [pair for pair in pairs if pair not in dropped]
    assert len(LABELS["full"]) == 7
