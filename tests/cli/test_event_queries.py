"""``why EVENT``, ``effects`` and ``chain`` on folders that ``whywire build`` wrote."""

import json

import pytest
from tests.cli.commands import rows as json_rows
from tests.cli.commands import run
from typer.testing import CliRunner

from whywire.cli import queries
from whywire.cli.app import app
from whywire.errors import InputError

INQUIRY, MINISTER = "Regional assembly opens an inquiry", "Water minister resigns"


def rows(*arguments):
    return json_rows(*arguments, "--json")


def test_a_person_sees_what_led_to_an_event_with_frame_credit_and_evidence(week):
    shown = run("why", "e7", "--news", week).splitlines()
    assert shown[0].startswith(MINISTER)
    assert shown[0].endswith("2026-03-08T17:45:00Z · e7 · frame: direct")
    assert shown[1].startswith(f"1. {INQUIRY} into the Orlen dam  63 (medium)")
    assert "https://coast.example/e6-1" in shown[2]
    assert any(line.strip().startswith(f"credit 20, the rest by way of: {INQUIRY}") for line in shown)
    assert shown[-1].startswith("goes back to: Three days of rain soak the Orlen valley  63 (medium)")
    assert "[effect: The embankment gave way] because [cause: three days of rain" in run("why", "e2", "--news", week)


def test_a_program_gets_events_frame_credit_and_the_link_as_the_build_wrote_it(week):
    inquiry, breach = rows("why", "minister resigns", "--news", week)
    assert (inquiry["effect"]["id"], inquiry["frame"], inquiry["cause"]["id"]) == ("e7", "direct", "e6")
    assert (inquiry["credit"], inquiry["through"]) == (63, None)
    assert (breach["credit"], breach["through"]) == (19.8, "e6")
    links = [json.loads(line) for line in (week / "links.jsonl").read_text(encoding="utf-8").splitlines()]
    assert inquiry["link"] in links


def test_effects_are_shown_and_where_there_are_none_it_says_so(week):
    assert [row["effect"]["id"] for row in rows("effects", "e2", "--news", week)] == ["e3", "e4", "e6", "e10", "e7"]
    assert [row["effect"]["id"] for row in rows("effects", "e2", "--news", week, "--limit", 2)] == ["e3", "e4"]
    assert "and 3 more" in run("effects", "e2", "--news", week, "--limit", 2)
    (row,) = rows("effects", "e7", "--news", week)
    assert (row["cause"]["id"], row["effect"], row["link"]) == ("e7", None, None)
    assert queries.NO_EFFECT in run("effects", "e7", "--news", week)
    (row,) = rows("why", "e1", "--news", week)
    assert (row["cause"], row["effect"]["id"], row["frame"]) == (None, "e1", "none")
    assert queries.NO_CAUSE in run("why", "e1", "--news", week)


def test_a_chain_goes_step_by_step_and_the_strongest_comes_first(week):
    first, second = rows("chain", "rain soak the Orlen valley", "minister", "--news", week)
    assert [[event["id"] for event in row["events"]] for row in (first, second)] == [
        ["e1", "e2", "e6", "e7"],
        ["e1", "e2", "e7"],
    ]
    assert (first["strength"], second["strength"]) == (63, 38)
    assert [link["source"] for link in first["links"]] == ["e1", "e2", "e6"]
    assert "   → Embankment above Lower Orlen gives way  92 (high)" in run("chain", "e1", "e7", "--news", week)
    (none,) = rows("chain", "e7", "e1", "--news", week)
    assert ([event["id"] for event in none["events"]], none["links"], none["strength"]) == (["e7", "e1"], [], None)
    assert "nothing in the news leads from" in run("chain", "e7", "e1", "--news", week)


def test_roots_are_shown_with_the_way_from_there(week):
    (way,) = rows("why", "e7", "--news", week, "--roots")
    assert way == rows("chain", "e1", "e7", "--news", week)[0]
    assert run("why", "e7", "--news", week, "--roots") == run("chain", "e1", "e7", "--news", week, "--limit", 1)
    assert [row["events"][0]["id"] for row in rows("why", "e7", "--news", week, "--roots", "--at-least", 70)] == [
        "e7"
    ]
    assert run("why", "e1", "--news", week, "--roots").strip() == queries.NO_CAUSE
    assert "is for an event" in run("why", "Why did it rain?", "--news", week, "--roots", fails=InputError)


def test_thresholds_times_and_outlets_narrow_what_is_asked(week):
    assert [row["cause"]["id"] for row in rows("why", "e7", "--news", week, "--at-least", 50)] == ["e6"]
    (open_then,) = rows("why", "e12", "--news", week, "--as-of", "2026-03-04T12:00Z")
    assert open_then["link"]["closed_by"] is None
    (closed,) = rows("why", "e12", "--news", week, "--as-of", "2026-03-04")
    assert (closed["link"]["closed_by"], closed["credit"], closed["frame"]) == ("e11", None, "none")
    assert "refuted: Upper dam is sound" in run("why", "e12", "--news", week)
    assert "overtaken: Upper dam is sound" in run("why", "e10", "--news", week)
    assert [row["effect"] for row in rows("effects", "e2", "--news", week, "--source", "Valley Gazette")] == [None]
    assert len(rows("effects", "e2", "--news", week, "--source", "Coast Courier")) == 5


def test_links_are_kept_by_what_they_rest_on(week):
    def effects(*kinds):
        options = [part for kind in kinds for part in ("--evidence", kind)]
        return [row["effect"] and row["effect"]["id"] for row in rows("effects", "e1", "--news", week, *options)]

    assert effects("said") == effects("said", "shown") == ["e2"]
    assert effects("implied") == ["e9"]
    assert set(effects("said", "implied")) == set(effects()) == {"e2", "e9"}
    told = run("effects", "e1", "--news", week, "--evidence", "implied")
    assert "the article implies it" in told


def test_a_question_too_is_answered_as_of_a_time(week):
    question = "Why did the embankment give way?"
    (now,) = rows("why", question, "--news", week)
    assert now["answer"] == "three days of rain had soaked its clay core"
    (then,) = rows("why", question, "--news", week, "--as-of", "2026-03-02")
    assert then["answer"] is None


def test_what_cannot_be_asked_is_refused_and_says_what_can(week):
    assert "more words of a headline" in run("why", "bank failure", "--news", week, fails=InputError)
    assert "asks neither" in run("why", "Who won?", "--news", week, fails=InputError)
    assert "Coast Courier" in run("effects", "e2", "--news", week, "--source", "Nobody", fails=InputError)
    assert "by 2020-01-01" in run("effects", "e2", "--news", week, "--as-of", "2020-01-01", fails=InputError)
    assert "unreadable time" in run("effects", "e2", "--news", week, "--as-of", "soon", fails=InputError)
    assert "is for an event" in run("why", "Why did it rain?", "--news", week, "--roots", fails=InputError)


def test_two_folders_are_asked_as_one(week, refinery):
    assert rows("effects", "e2", "--news", week, "--news", refinery) == rows("effects", "e2", "--news", week)


def test_a_build_of_the_example_answers(refinery):
    links = [json.loads(line) for line in (refinery / "links.jsonl").read_text(encoding="utf-8").splitlines()]
    link = next(link for link in links if link["kind"] == "causes" and not link["closed_by"])
    ends = link["source"], link["target"]
    assert link in [row["link"] for row in rows("why", link["target"], "--news", refinery, "--limit", 99)]
    assert link in [row["link"] for row in rows("effects", link["source"], "--news", refinery, "--limit", 99)]
    assert [link] in [row["links"] for row in rows("chain", *ends, "--news", refinery, "--limit", 99)]
    title = rows("effects", link["source"], "--news", refinery)[0]["cause"]["title"]
    assert rows("effects", title.upper(), "--news", refinery)[0]["cause"]["id"] == link["source"]
    assert rows("why", "Why did the refinery shut?", "--news", refinery)


def ids(found, end):
    return {row[end]["id"] for row in found}


@pytest.mark.parametrize(("command", "own"), [("effects", "cause"), ("why", "effect")])
def test_words_that_name_a_thing_are_answered_for_all_events_that_name_it(drug, command, own):
    found = rows(command, "Veltrazin", "--news", drug, "--limit", 99)
    assert len(ids(found, own)) > 1
    assert all("Veltrazin" in row[own]["title"] for row in found)
    weights = [round(row["link"]["strength"] * row["link"]["probability"], 6) for row in found]
    assert weights == sorted(weights, reverse=True)
    for event in ids(found, own):
        own_rows = rows(command, event, "--news", drug, "--limit", 99)
        assert own_rows == [row for row in found if row[own]["id"] == event]
    assert rows(command, "Veltrazin", "--news", drug, "--limit", 1) == found[:1]


def test_that_words_name_a_thing_is_said_and_whose_each_answer_is(drug):
    done = CliRunner().invoke(app, ["effects", "Veltrazin", "--news", str(drug)], env={"COLUMNS": "300"})
    assert "“Veltrazin” is named by " in done.stderr
    assert "answering for all of them" in done.stderr
    assert "named by" not in done.stdout
    for row in rows("effects", "Veltrazin", "--news", drug):
        assert f"caused by: {row['cause']['title']}  {row['cause']['id']}" in done.stdout
    told = CliRunner().invoke(app, ["why", "Veltrazin", "--json", "--news", str(drug)])
    assert "“Veltrazin” is named by " in told.stderr
    assert all(json.loads(line) for line in told.stdout.splitlines())


def test_a_title_an_id_or_words_of_one_event_still_ask_for_that_one(drug):
    title = "Pharmacies in Port Ellery run out of Veltrazin"
    found = rows("why", title, "--news", drug)
    (event,) = ids(found, "effect")
    assert found[0]["effect"]["title"] == title
    assert rows("why", event, "--news", drug) == found
    assert rows("why", "pharmacies run out of Veltrazin", "--news", drug) == found
    assert "is named by" not in CliRunner().invoke(app, ["why", title, "--news", str(drug)]).stderr


def test_chains_and_roots_begin_and_end_at_any_event_that_names_the_thing(drug):
    named = ids(rows("effects", "Veltrazin", "--news", drug, "--limit", 99), "cause")
    for words in ("protest outside the ministry", "shares of Lorne Pharma"):
        (way,) = rows("chain", "Veltrazin", words, "--news", drug)
        assert way["events"][0]["id"] in named
        assert words.split()[0] in way["events"][-1]["title"].lower()
        assert [link["source"] for link in way["links"]] == [event["id"] for event in way["events"][:-1]]
    (none,) = rows("chain", "crane", "Veltrazin", "--news", drug)
    assert none["links"] == []
    assert "to “Veltrazin”" in run("chain", "crane", "Veltrazin", "--news", drug)
    roots = rows("why", "Veltrazin", "--roots", "--news", drug, "--limit", 99)
    assert roots
    assert {way["links"][-1]["target"] for way in roots} <= ids(rows("why", "Veltrazin", "--news", drug), "effect")
