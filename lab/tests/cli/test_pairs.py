"""``whywire pairs``: candidates of articles, filters of given pairs, counts and figures."""

import json

import pytest
import typer
from typer.testing import CliRunner

from whywire.errors import InputError
from whywire_lab.cli import pairs as command

NEWS = [
    {
        "id": "quake",
        "title": "Strong quake shakes coast of Chile",
        "url": "https://www.harbour.example/quake",
        "published": "2026-03-01T06:00:00Z",
    },
    {
        "id": "port",
        "title": "Chile shuts ports after strong quake",
        "url": "https://sea.harbour.example/port",
        "published": "2026-03-01T09:00:00Z",
        "links": ["http://harbour.example/quake?utm_source=feed"],
    },
    {
        "id": "choir",
        "title": "Choir of Oslo wins prize for old songs",
        "url": "https://echo.example/choir",
        "published": "2026-03-02T09:00:00Z",
    },
    {
        "id": "later",
        "title": "Norway honours its choirs",
        "url": "https://echo.example/later",
        "published": "2026-03-19T09:00:00Z",
    },
    {"id": "fire", "title": "На складе в Перми потушили пожар", "published": "2026-03-01"},
    {"id": "store", "title": "После пожара в Перми закрыли рынок", "published": "2026-03-01"},
]

PAIRS = [
    {"id": 7, "left_title": NEWS[0]["title"], "right_title": NEWS[1]["title"], "label": "left_right_cause"},
    {"left_title": NEWS[4]["title"], "right_title": NEWS[5]["title"], "label": "left_right_cause", "has_link": True},
    {"left_title": NEWS[2]["title"], "right_title": NEWS[0]["title"], "label": "no_relationship"},
]


def run(rows, *arguments, tmp_path):
    app = typer.Typer()
    command.register(app)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = CliRunner().invoke(app, [str(path), *map(str, arguments)], env={"COLUMNS": "200"})
    return done, [json.loads(line) for line in done.stdout.splitlines()] if done.exit_code == 0 else []


def test_candidates_are_neighbours_and_linked_articles_of_one_language_and_time(tmp_path):
    done, rows = run(NEWS, tmp_path=tmp_path)
    assert done.exit_code == 0, done.output
    found = {(row["left"], row["right"]): row for row in rows}
    assert {frozenset(pair) for pair in found} == {
        frozenset(pair) for pair in [("quake", "port"), ("quake", "choir"), ("port", "choir"), ("fire", "store")]
    }
    linked = found["quake", "port"]
    assert linked["hyperlink"] is linked["same_site"] is linked["near"] is True
    assert linked["different_places"] is False
    assert linked["left_title"] == NEWS[0]["title"]
    assert linked["right_url"] == NEWS[1]["url"]
    assert linked["distance"] < found["quake", "choir"]["distance"] <= 2
    assert found["quake", "choir"]["different_places"] is True
    assert found["fire", "store"]["different_places"] is False
    assert "all pairs" in done.stderr


def test_filters_narrow_what_is_written_and_not_what_is_counted(tmp_path):
    done, rows = run(NEWS, "--filters", "hyperlink, same_site", "--all", tmp_path=tmp_path)
    assert [(row["left"], row["right"]) for row in rows] == [("quake", "port")]
    lines = [line.split() for line in done.stderr.splitlines()]
    assert ["all", "pairs", "3", "100.00%"] in lines
    assert ["hyperlink", "+", "same_site", "1", "33.33%"] in lines


def test_a_hyperlink_reaches_beyond_the_window(tmp_path):
    late = NEWS[3] | {"links": [NEWS[0]["url"]]}
    _, rows = run([*NEWS[:3], late], "--filters", "hyperlink", "--all", tmp_path=tmp_path)
    assert {frozenset((row["left"], row["right"])) for row in rows} == {
        frozenset(("quake", "port")),
        frozenset(("quake", "later")),
    }


def test_distance_says_what_is_near(tmp_path):
    _, everything = run(NEWS, "--filters", "near", "--distance", "2", tmp_path=tmp_path)
    _, nothing = run(NEWS, "--filters", "near", "--distance", "0", tmp_path=tmp_path)
    assert (len(everything), len(nothing)) == (4, 0)


def test_given_pairs_come_out_in_order_with_what_was_in_them(tmp_path):
    bad = {"left_title": "Ferry late", "right_title": " "}
    done, rows = run([PAIRS[0], PAIRS[1], bad, PAIRS[2]], tmp_path=tmp_path)
    assert done.exit_code == 0, done.output
    assert [row["left_title"] for row in rows] == [
        PAIRS[0]["left_title"],
        PAIRS[1]["left_title"],
        "Ferry late",
        PAIRS[2]["left_title"],
    ]
    assert rows[0]["id"] == 7
    assert rows[0]["label"] == "left_right_cause"
    assert [row.get("hyperlink") for row in rows] == [False, True, None, False]
    assert rows[3]["different_places"] is True
    assert rows[2]["error"].endswith("rows.jsonl:3: right side: the title is empty")
    assert ["all", "pairs", "2", "100.00%", "50.0%"] in [line.split() for line in done.stderr.splitlines()]


def test_its_own_output_is_input(tmp_path):
    _, first = run(NEWS, "--filters", "hyperlink", tmp_path=tmp_path)
    _, second = run(first, tmp_path=tmp_path)
    assert second == first


def test_figures_are_drawn_for_each_language(tmp_path):
    pytest.importorskip("matplotlib")
    done, _ = run(PAIRS, "--figure", tmp_path / "figures", tmp_path=tmp_path)
    assert done.exit_code == 0, done.output
    names = [f"{what}-{language}" for what in ("causal", "pairs") for language in ("en", "ru")]
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == sorted(
        f"{name}.{kind}" for name in names for kind in ("png", "svg")
    )


@pytest.mark.parametrize(("labels", "causal"), [("simple", "100.0%"), ("full", "0.0%")])
def test_numbers_are_read_as_the_task_means_them(labels, causal, tmp_path):
    done, _ = run([PAIRS[0] | {"label": 2}], "--labels", labels, tmp_path=tmp_path)
    assert ["all", "pairs", "1", "100.00%", causal] in [line.split() for line in done.stderr.splitlines()]


def test_a_label_of_another_kind_is_an_error_of_its_row(tmp_path):
    _, rows = run([PAIRS[0], PAIRS[0] | {"label": 3}, PAIRS[0] | {"label": True}], tmp_path=tmp_path)
    assert "the label 3 is none of --labels names" in rows[1]["error"]
    assert "the label True" in rows[2]["error"]


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (NEWS, ["--filters", "hyperlinks"], "no filter 'hyperlinks'"),
        (NEWS, ["--labels", "letters"], "no labels of the kind 'letters'"),
        ([NEWS[0], PAIRS[0]], [], "holds both articles and pairs"),
        ([{"url": "x"}], ["--strict"], "there is no title"),
    ],
)
def test_wrong_usage_says_what_to_do(rows, arguments, message, tmp_path):
    done, _ = run(rows, *arguments, tmp_path=tmp_path)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)


def test_what_is_no_article_is_named_and_the_rest_is_used(tmp_path):
    done, rows = run(
        [*NEWS, {"url": "x"}, {"title": "Haven öppnar igen i Göteborg efter en lång vinter"}], tmp_path=tmp_path
    )
    assert len(rows) == 4
    assert "rows.jsonl:7: there is no title" in done.stderr
    assert "1 articles in other languages" in done.stderr


PLACES = ["Calder Bay", "Marden", "Holt Quay", "Port Anselm", "Verrin", "Lower Tamsin", "Eskdown", "Quarrel Isle"]


def labelled_pairs():
    """Pairs of which a causal one has a toll on its right, and of three others one."""
    return [
        {
            "left_title": f"Gale number {number} reaches {PLACES[number // 4 % 8]}",
            "right_title": f"{'Toll' if number % 4 < 2 else 'Choir of'} {number} in {PLACES[number // 4 % 8]}",
            "label": "left_right_cause" if number % 4 == 0 else "no_relationship",
        }
        for number in range(160)
    ]


def test_the_prior_says_how_causal_a_pair_looks_whichever_side_is_left(tmp_path):
    learnt = tmp_path / "labelled.jsonl"
    learnt.write_text("".join(json.dumps(row) + "\n" for row in labelled_pairs()))
    toll, songs = "Toll 900 in Marden", "Choir of 900 in Marden"
    titles = [(toll, f"{toll} again"), (f"{toll} again", toll), (toll, songs), (songs, f"{songs} again")]
    asked = [{"left_title": left, "right_title": right} for left, right in titles]
    done, rows = run(asked, "--prior", learnt, tmp_path=tmp_path)
    assert done.exit_code == 0, done.output
    both, turned, mixed, neither = (row["prior"] for row in rows)
    assert 1 > both == turned > mixed > 0
    assert both > neither


def test_balanced_negatives_look_as_causal_as_the_positives(tmp_path):
    done, rows = run(labelled_pairs(), "--balanced", tmp_path=tmp_path)
    assert done.exit_code == 0, done.output
    causal = [row["label"] == "left_right_cause" for row in rows]
    assert 2 * sum(causal) == len(rows) > 40
    assert sum(row["right_title"].startswith("Toll") for row in rows) > 0.9 * len(rows)
    assert all(0 < row["prior"] < 1 for row in rows)
    said = " ".join(done.stderr.split())
    before, after = (float(said.split(f" right {when}")[0].split()[-1]) for when in ("before", "after"))
    assert before > 0.7 > after


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--balanced"], "no pair has a label"),
        (["--prior", "{}"], "no pair has a label"),
        (["--prior", "{}", "--balanced"], "a prior of its own"),
    ],
)
def test_a_prior_needs_labels(arguments, message, tmp_path):
    done, _ = run(
        [{"left_title": "Ferry late", "right_title": "Port shut"}],
        *[one.format(tmp_path / "rows.jsonl") for one in arguments],
        tmp_path=tmp_path,
    )
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
