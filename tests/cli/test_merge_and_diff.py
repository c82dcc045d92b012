"""``merge`` and ``diff`` on folders that ``whywire build`` wrote."""

import json
import shutil

from tests.cli.commands import rows, run

from whywire.cli.diff import UNCHANGED
from whywire.errors import InputError
from whywire.graph.build_folder import ARTICLES_FILE, CLAIMS_FILE, EVENTS_FILE, LINKS_FILE, read_graph
from whywire.graph.diffing import diff as compare
from whywire.graph.merging import merge


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def test_a_build_merged_with_itself_or_with_nothing_is_the_same_build(refinery, tmp_path):
    for parts in ([refinery], [refinery, refinery]):
        run("merge", *parts, "--out", tmp_path / "merged")
        for name in (
            ARTICLES_FILE,
            EVENTS_FILE,
            LINKS_FILE,
            CLAIMS_FILE,
            "graph.json",
            "graph.graphml",
            "rejected.jsonl",
        ):
            assert (tmp_path / "merged" / name).read_bytes() == (refinery / name).read_bytes(), name


def test_what_is_merged_reads_like_a_build(first_day, week, tmp_path):
    merged = tmp_path / "merged"
    shown = run("merge", first_day, week, "--out", merged, "--title", "All of it")
    parts = read_graph(first_day), read_graph(week)
    assert not compare(merge(*parts), read_graph(merged))
    assert f"tell of {len(parts[0].events) + len(parts[1].events)} events" in shown
    assert {path.name for path in merged.iterdir()} == {path.name for path in first_day.iterdir()}
    assert "All of it" in (merged / "report.html").read_text(encoding="utf-8")
    assert lines(merged, "rejected.jsonl") == lines(first_day, "rejected.jsonl") != []
    told = json.loads((merged / "run.json").read_text(encoding="utf-8"))
    assert (told["inputs"], told["counts"]["links"]) == (
        [str(first_day), str(week)],
        len(parts[0].links) + len(parts[1].links),
    )
    assert "models" not in told


def test_every_command_that_takes_a_build_takes_what_was_merged(refinery, week, tmp_path):
    merged = tmp_path / "merged"
    run("merge", refinery, week, "--out", merged)
    assert rows("chain", "e1", "e7", "--news", merged, "--json") == rows(
        "chain", "e1", "e7", "--news", week, "--json"
    )
    assert rows("effects", "e2", "--news", merged, "--json") == rows("effects", "e2", "--news", week, "--json")
    assert rows("why", "Why did the embankment give way?", "--news", merged, "--json")[0]["answer"]
    assert run("export", merged, "--to", "json") == (merged / "graph.json").read_text(encoding="utf-8")
    (tmp_path / "asked.jsonl").write_text(
        '{"title": "Refinery fire stops fuel deliveries", "published": "2030-05-01"}\n', encoding="utf-8"
    )
    asked = "predict", tmp_path / "asked.jsonl", "--graph"
    assert [[one["text"] for one in row["effects"]] for row in rows(*asked, merged)] == [
        [one["text"] for one in row["effects"]] for row in rows(*asked, refinery)
    ]
    assert run("diff", merged, merged).strip() == UNCHANGED


def test_builds_may_be_merged_into_one_of_them(first_day, refinery, tmp_path):
    grown = shutil.copytree(first_day, tmp_path / "grown")
    run("merge", grown, refinery, "--out", grown)
    assert not compare(merge(read_graph(first_day), read_graph(refinery)), read_graph(grown))


def test_a_program_can_follow_a_diff_from_one_build_to_the_next(first_day, refinery):
    found = rows("diff", first_day, refinery, "--json")
    assert {(row["of"], row["change"]) for row in found} >= {("event", "new"), ("event", "changed"), ("link", "new")}
    for of, name in (("event", EVENTS_FILE), ("link", LINKS_FILE)):
        own = [row for row in found if row["of"] == of]
        kept = [row for row in lines(first_day, name) if row not in [one["before"] for one in own]]
        after = [*kept, *(row["after"] for row in own if row["after"])]
        assert sorted(map(json.dumps, after)) == sorted(map(json.dumps, lines(refinery, name)))
        assert all(
            (row["before"] is None, row["after"] is None) == (row["change"] == "new", row["change"] == "gone")
            for row in own
        )
    back = rows("diff", refinery, first_day, "--json")
    assert sum(row["change"] == "gone" for row in back) == sum(row["change"] == "new" for row in found)
    assert rows("diff", refinery, refinery, "--json") == []


def test_a_person_sees_what_came_went_and_changed(week, tmp_path):
    after = shutil.copytree(week, tmp_path / "after")
    links = lines(week, LINKS_FILE)
    weaker = links[1] | {"strength": 12.5, "evidence": links[1]["evidence"][:-1] or links[1]["evidence"]}
    (after / LINKS_FILE).write_text("".join(json.dumps(row) + "\n" for row in [weaker, *links[2:]]), encoding="utf-8")
    titles = {row["id"]: row["title"] for row in lines(week, EVENTS_FILE)}
    shown = run("diff", week, after).splitlines()
    assert shown[0] == "links: 0 new, 1 gone, 1 changed"
    gone, changed = shown[1], shown[2]
    assert gone.startswith(f"- {titles[links[0]['source']]} led to {titles[links[0]['target']]}  ")
    assert changed.startswith(f"~ {titles[weaker['source']]} ")
    assert changed.endswith("  12 (none), probability 0.90")
    assert f"     strength: {links[1]['strength']} → 12.5" in shown
    assert run("diff", after, week).splitlines()[1].startswith("+ ")


def test_what_is_no_build_is_refused_and_nothing_is_written(refinery, tmp_path):
    (tmp_path / "empty").mkdir()
    for command in (["merge", refinery, tmp_path / "empty", "--out", tmp_path / "out"], ["diff", refinery, tmp_path]):
        assert "not a folder that `whywire build` wrote" in run(*command, fails=InputError)
    assert not (tmp_path / "out").exists()
