"""``whywire annotate``: the way from items to results, in a store and on files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from tests.cli.commands import rows, run
from typer.testing import CliRunner

from whywire.cli.app import app
from whywire.errors import InputError

PAIRS = [
    {
        "id": f"p-{number}",
        "left_title": left,
        "right_title": right,
        "left_published": "2026-03-04T10:00:00Z",
        "right_published": "2026-03-05T10:00:00Z",
    }
    for number, (left, right) in enumerate(
        [("Storm cuts power", "Schools stay closed"), ("=Fire shuts port", "Port is shut"), ("Rain", "Snow")]
    )
]
ITEMS = {
    "relation": PAIRS,
    "grouping": [
        {
            "id": "g-1",
            "headlines": [{"id": f"h{number}", "title": f"Fire, day {number}"} for number in range(4)],
        }
    ],
    "counterfactual": [
        {"id": "s-1", "text": "Had the dam  held, the town would be dry."},
        {"id": "s-2", "text": "The dam broke."},
    ],
    "strength": [{"id": "e-1", "cause": "Fire", "effect": "Smoke", "documents": ["Fire.\nSmoke, too."]}],
    "spans": [{"id": "c-1", "text": "Smoke rose because of fire."}],
    "graph": [{"id": "r-1", "articles": [{"id": "a", "title": "Fire brings smoke", "text": "It burned."}]}],
}
FILLED = {
    "relation": [{"answer": "Left right cause"}, {"answer": "1"}, {"answer": ""}],
    "grouping": [{"answer": "A"}, {"answer": "a"}, {"answer": "B"}, {"answer": ""}],
    "counterfactual": [
        {"answer": "да", "antecedent": "Had the dam held", "consequent": "the town would be dry"},
        {"answer": "no"},
    ],
    "strength": [{"answer": "72,4", "without": "Partly"}],
}
ANSWERS = {
    "relation": [{"relation": "left_right_cause"}, {"relation": "same_event"}],
    "grouping": [{"groups": [["h0", "h1"], ["h2"], ["h3"]]}],
    "counterfactual": [
        {"counterfactual": True, "antecedent": [0, 17], "consequent": [19, 40]},
        {"counterfactual": False},
    ],
    "strength": [{"score": 72, "without": "partly"}],
    "spans": [{"relations": [{"cause": [22, 26], "effect": [0, 10], "signals": [[11, 21]]}]}],
    "graph": [
        {
            "events": [
                {"id": "x", "mentions": [{"article": "a", "field": "title", "span": [0, 4]}], "main": True},
                {"id": "y", "mentions": [{"article": "a", "field": "title", "span": [12, 17]}]},
            ],
            "links": [{"cause": "x", "effect": "y"}],
        }
    ],
}


def write(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def items_of(folder, kind):
    return write(folder / f"{kind}.jsonl", ITEMS[kind])


def fill(text, filled, *, delimiter=","):
    """The sheet as a person saves it: with answers, and with the delimiter of their spreadsheet."""
    table = [*csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))]
    for row, answers in zip(table, filled, strict=True):
        row.update(answers)
    target = io.StringIO()
    saved = csv.DictWriter(target, table[0].keys(), delimiter=delimiter)
    saved.writeheader()
    saved.writerows(table)
    return "\ufeff" + target.getvalue()


@pytest.mark.parametrize("kind", FILLED)
def test_a_sheet_comes_back_as_votes(tmp_path, kind):
    items = items_of(tmp_path, kind)
    sheet = run("annotate", "sheet", items, "--kind", kind)
    assert sheet.startswith("\ufeffitem,"), "so Excel takes it for UTF-8"
    (tmp_path / "filled.csv").write_text(fill(sheet, FILLED[kind], delimiter=";"), encoding="utf-8")
    options = ("--items", items, "--kind", kind, "--person", "Ann")
    votes = rows("annotate", "import", tmp_path / "filled.csv", *options)
    assert [vote["answer"] for vote in votes] == ANSWERS[kind]
    assert {vote["person"] for vote in votes} == {"Ann"}


@pytest.mark.parametrize("kind", ANSWERS)
def test_votes_become_results_on_files(tmp_path, kind):
    items = items_of(tmp_path, kind)
    votes = [
        {"item": item["id"], "person": person, "answer": answer, "at": "2026-03-06T10:00:00Z"}
        for item, answer in zip(ITEMS[kind], ANSWERS[kind], strict=False)
        for person in ("Ann", "Боря")
    ]
    given = (items, write(tmp_path / "votes.jsonl", votes), "--kind", kind)
    results = rows("annotate", "results", *given)
    assert [row["item"] for row in results] == [item["id"] for item in ITEMS[kind]]
    for row, answer in zip(results, ANSWERS[kind], strict=False):
        assert (row["agreed"], row["answers"], row["share"]) == (True, 2, 1.0)
        if kind == "graph":
            assert row["answer"]["links"] == [{"cause": "e1", "effect": "e2"}]
        else:
            assert row["answer"] == answer
    assert rows("annotate", "disputed", *given) == []
    [agreed] = rows("annotate", "agreement", *given, "--json")
    assert agreed["pairwise"] == 1.0
    assert agreed["by_person"] == {"Ann": 1.0, "Боря": 1.0}
    assert [row["name"] for row in rows("annotate", "people", *given, "--json")] == ["Ann", "Боря"]
    assert len(rows("annotate", "results", *given, "--only-agreed")) == len(ANSWERS[kind])
    again = rows("annotate", "votes", *given)
    assert [{**vote, "seconds": 0.0, "counted": True} for vote in votes] == again
    alone = rows("annotate", "results", *given, "--without", "Ann")
    assert {row["answers"] for row in alone} <= {0, 1}


def test_controls_that_are_too_few_to_exclude_anybody_are_named(tmp_path):
    gold = {"role": "control", "gold": {"relation": "same_event"}}
    items = write(tmp_path / "items.jsonl", [*PAIRS, {**PAIRS[-1], "id": "control", **gold}])
    arguments = ["annotate", "create", items, "--title", "Few", "--store", tmp_path / "news.db"]
    told = CliRunner().invoke(app, [*map(str, arguments)])
    assert told.exit_code == 0
    assert "its 1 controls exclude nobody: that takes answers to 5" in told.stderr


def test_a_campaign_in_a_store_from_items_to_results(tmp_path):
    items, store = items_of(tmp_path, "relation"), tmp_path / "news.db"
    options = ("--overlap", 2, "--rules", '{"pass_exam": 0.5}')
    campaign = run("annotate", "create", items, "--title", "Pairs", "--store", store, *options).strip()
    assert campaign in run("annotate", "list", "--store", store)
    [listed] = rows("annotate", "list", "--store", store, "--json")
    assert (listed["items"], listed["rules"]["overlap"], listed["rules"]["pass_exam"]) == (3, 2, 0.5)
    [status] = rows("annotate", "status", "--store", store, "--json")
    assert status == listed | {"left": {"answers": 6, "seconds": 0.0, "pay": 0.0}}
    assert "3 items, 0 of work finished\n0 answers of 0 people\nleft: at most 6 answers" in run(
        "annotate", "status", "--store", store
    )
    assert rows("annotate", "items", "--store", store) == PAIRS
    for person, said in (("Ann", "left_right_cause"), ("Bob", "same_event")):
        votes = [{"item": "p-0", "person": person, "answer": {"relation": said}}]
        told = run("annotate", "import", write(tmp_path / "votes.jsonl", votes), "--store", store)
        assert told == "1 votes read, 1 of them new or changed\n"
    [open_one] = rows("annotate", "disputed", "--store", store, "--campaign", campaign)
    assert (open_one["item"], open_one["answer"]) == ("p-0", None)
    assert open_one["said"] == {"Ann": {"relation": "left_right_cause"}, "Bob": {"relation": "same_event"}}
    assert "do not count" in run("annotate", "withdraw", "Bob", "--store", store)
    assert [vote["counted"] for vote in rows("annotate", "votes", "--store", store)] == [True, False]
    assert "withdrawn" in run("annotate", "people", "--store", store)
    run("annotate", "restore", "Bob", "--store", store)
    run("annotate", "erase", "Ann", "--store", store)
    assert [vote["person"] for vote in rows("annotate", "votes", "--store", store)] == ["Bob"]
    run("annotate", "add", write(tmp_path / "more.jsonl", [PAIRS[0] | {"id": "p-9"}]), "--store", store)
    assert run("annotate", "close", "--store", store) == "closed\n"
    [listed] = rows("annotate", "list", "--store", store, "--json")
    assert (listed["items"], listed["open"]) == (4, False)
    assert run("annotate", "reopen", "--store", store) == "open\n"
    run("annotate", "remove", campaign, "--store", store)
    assert rows("annotate", "list", "--store", store, "--json") == []


REFUSED = {
    "neither files nor a store": (["results"], "name files, or a campaign"),
    "no such file": (["results", "nothing.jsonl"], "nothing.jsonl: no such file"),
    "what is asked is unclear": (
        ["results", "counterfactual.jsonl"],
        r"counterfactual.jsonl:1: what is asked.*--kind",
    ),
    "spans on a sheet": (["sheet", "spans.jsonl", "--kind", "spans"], "spans fit no table"),
    "nobody answered": (["import", "sheet.csv", "--items", "relation.jsonl"], r"sheet.csv:2: .*--person"),
    "an answer of no relation": (["import", "wrong.csv", "--items", "relation.jsonl"], r"wrong.csv:2: .*maybe"),
    "an unknown item": (["results", "relation.jsonl", "unknown.jsonl"], r"unknown.jsonl:1: there is no item 'x'"),
    "an answer twice": (["results", "relation.jsonl", "twice.jsonl"], "Ann answers the item 'p-0' twice"),
    "nobody of this name": (["results", "relation.jsonl", "--without", "Eve"], "nobody is called 'Eve'"),
    "time runs backwards": (["results", "relation.jsonl", "back.jsonl"], r"back.jsonl:1: .*the times rule out"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_errors_say_what_to_do(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    for kind in ("relation", "counterfactual", "spans"):
        items_of(tmp_path, kind)
    (tmp_path / "sheet.csv").write_text("item,answer\np-0,same_event\n")
    (tmp_path / "wrong.csv").write_text("item,answer,person\np-0,maybe,Ann\n")
    vote = {"item": "p-0", "person": "Ann", "answer": {"relation": "same_event"}}
    write(tmp_path / "unknown.jsonl", [vote | {"item": "x"}])
    write(tmp_path / "twice.jsonl", [vote, vote])
    write(tmp_path / "back.jsonl", [vote | {"answer": {"relation": "right_left_cause"}}])
    arguments, message = REFUSED[case]
    said = run("annotate", *arguments, fails=InputError)
    assert re.search(message, said), said


def test_which_campaign_is_meant_is_asked_where_there_are_several(tmp_path):
    items, store = items_of(tmp_path, "relation"), tmp_path / "news.db"
    ids = {run("annotate", "create", items, "--title", "Pairs", "--store", store).strip() for _ in range(2)}
    said = run("annotate", "votes", "--store", store, fails=InputError)
    assert "--campaign" in said
    assert all(one in said for one in ids)


@pytest.mark.model
@pytest.mark.slow
def test_what_to_label_next(tmp_path):
    news = [
        ("Storm cuts power to 40,000 homes in Calder Bay", "2026-03-04T08:00:00Z"),
        ("Power is out in Calder Bay after storm", "2026-03-04T09:00:00Z"),
        ("Calder Bay schools stay closed after power cut", "2026-03-05T08:00:00Z"),
        ("Company denies that storm cut power in Calder Bay", "2026-03-05T09:00:00Z"),
    ]
    articles = [{"id": f"a{n}", "title": title, "published": at} for n, (title, at) in enumerate(news)]
    found = rows("annotate", "next", write(tmp_path / "news.jsonl", articles))
    priorities = [row["priority"] for row in found]
    assert priorities == sorted(priorities, reverse=True)
    assert len({row["id"] for row in found}) == len(found) == 6
    write(tmp_path / "next.jsonl", found)
    assert rows("annotate", "items", tmp_path / "next.jsonl") == found, "they are items of a campaign"
    [likely] = rows("annotate", "next", tmp_path / "news.jsonl", "--refutations", "--limit", 1)
    assert "denies" in likely["left_title"] + likely["right_title"]
    pairs = [
        {"left_title": news[0][0], "right_title": news[1][0], "distance": 0.2, "near": True, "hyperlink": False},
        {"left_title": news[0][0], "right_title": "Rain", "distance": 0.9, "near": False, "hyperlink": False},
    ]
    first, second = rows("annotate", "next", write(tmp_path / "pairs.jsonl", pairs), "--by", "filters")
    assert (first["right_title"], first["priority"], second["priority"]) == (news[1][0], 1.0, 0.0)


@pytest.mark.model
def test_negatives_that_look_causal_alone_or_were_predicted(tmp_path):
    songs, ferries = "Choir of Marden wins prize for old songs", "Museum of Verrin shows paintings of ferries"
    pairs = [
        {"left_title": songs, "right_title": ferries, "prior": 0.1},
        {"left_title": "Toll rises to 31 in Eskdown", "right_title": "Flights halted at Holt Quay", "prior": 0.8},
    ]
    found = rows("annotate", "next", write(tmp_path / "pairs.jsonl", pairs), "--by", "prior")
    assert [(row["right_title"], row["priority"]) for row in found] == [
        ("Flights halted at Holt Quay", 1.0),
        (ferries, 0.0),
    ]
    effect = {"text": "Schools closed across Eskdown after power cut", "probability": 0.6}
    news = [
        {"title": "Storm cuts power to 40,000 homes in Calder Bay", "effects": [effect]},
        {"title": "Schools in Lower Tamsin closed over broken boilers"},
        {"title": songs},
    ]
    first, *others = rows("annotate", "next", write(tmp_path / "news.jsonl", news), "--by", "predicted")
    assert {first["left_title"], first["right_title"]} == {news[0]["title"], news[1]["title"]}
    assert [row["priority"] for row in others] == [0.0, 0.0]
