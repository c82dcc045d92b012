"""What the public functions take, and what they say of what they cannot take."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.graph.made_up_week import made_up_graph

import whywire
from whywire import Article, InputError
from whywire.api.news_input import load_news
from whywire.api.question_rows import headlines_of

ROW = {"id": "a", "title": "Storm cuts power to Calder Bay", "published": "2026-03-04T08:00:00Z"}


def test_news_is_paths_rows_and_articles_in_their_order(tmp_path):
    first, last = tmp_path / "first.jsonl", tmp_path / "last.jsonl"
    first.write_text(json.dumps(ROW), encoding="utf-8")
    last.write_text(json.dumps(ROW | {"id": "d"}), encoding="utf-8")
    articles, problems = load_news([first, ROW | {"id": "b"}, Article("c", "Power is back"), str(last)])
    assert [article.id for article in articles] == ["a", "b", "c", "d"]
    assert not problems


@pytest.mark.parametrize("one", [ROW, Article("a", "Power is back")])
def test_a_single_item_needs_no_list(one):
    assert [article.id for article in load_news(one)[0]] == ["a"]


def test_a_row_that_is_no_article_is_a_problem_with_its_place_and_strict_raises():
    articles, problems = load_news([ROW, {"title": ""}])
    assert len(articles) == 1
    assert [(problem.place, problem.reason) for problem in problems] == [("item 2", "there is no title")]
    with pytest.raises(InputError, match="item 2: there is no title"):
        load_news([ROW, {"title": ""}], strict=True)


@pytest.mark.parametrize("published", ["soon", "2026-13-45", 7, "31 июня 2026"])
def test_a_time_that_cannot_be_read_is_an_error_where_answers_turn_on_it(published, tmp_path):
    wrong = ROW | {"id": "b", "published": published}
    (tmp_path / "news.jsonl").write_text("\n".join(map(json.dumps, (ROW, wrong))), encoding="utf-8")
    for place, ask in (
        ("published: ", lambda: whywire.relate([(ROW, wrong)])),
        ("published: ", lambda: whywire.EventStream().add([ROW, wrong])),
        ("item 2: published: ", lambda: whywire.group([ROW, wrong])),
        (r"news\.jsonl:2: published: ", lambda: whywire.group(tmp_path / "news.jsonl")),
    ):
        with pytest.raises(InputError, match=f"{place}.*time"):
            ask()
    (left, right) = ({f"{side}_{name}": value for name, value in ROW.items()} for side in ("left", "right"))
    with pytest.raises(InputError, match=r"right_published: .*time"):
        headlines_of(left | right | {"right_published": published})
    assert [article.published for article in load_news([wrong])[0]] == [None], "a build keeps it, with a note"


def test_a_build_lists_what_could_not_be_read():
    built = whywire.build([{"title": "Gericht hebt Urteil auf", "language": "de"}, {"title": 7}])
    assert len(built.graph.events) == 1
    assert [problem.place for problem in built.problems] == ["item 2"]


def test_news_of_which_nothing_can_be_read_is_an_error_and_says_why():
    with pytest.raises(InputError, match=r"no article could be read.*item 1"):
        whywire.build([{"title": 7}])


def test_opening_news_with_bad_rows_warns():
    with pytest.warns(UserWarning, match="1 rows left out, the first: item 2"):
        whywire.open_graph([{"title": "Gericht hebt Urteil auf", "language": "de"}, {"title": 7}])


def test_a_graph_opens_as_itself_and_narrowed():
    graph = made_up_graph()
    assert whywire.open_graph(graph) is graph
    strongest = max(link.strength for link in graph.links)
    assert {link.strength for link in whywire.open_graph(graph, at_least=strongest).links} == {strongest}
    said = whywire.open_graph(graph, evidence=["said"])
    assert all("said" in {one.kind for one in link.evidence} for link in said.links)
    implied = whywire.open_graph(graph, evidence=["implied"])
    assert 0 < len(implied.links) < len(graph.links)
    assert whywire.open_graph(graph, evidence=["judged"]).links == implied.links, "its name in version 0.2"
    with pytest.raises(InputError, match="unreadable time"):
        whywire.open_graph(graph, as_of="soon")
    with pytest.raises(InputError, match="no article is by 'Nobody'"):
        whywire.open_graph(graph, outlet="Nobody")
    with pytest.raises(InputError, match="no article is known"):
        whywire.open_graph(graph, as_of="1999-01-01")


def test_a_merged_graph_has_the_events_of_both_and_can_be_written(tmp_path):
    graph = made_up_graph()
    merged = whywire.merge(graph, graph, out=tmp_path / "both")
    assert {event.id for event in merged.events} == {event.id for event in graph.events}
    assert not whywire.diff(merged, tmp_path / "both")
    with pytest.raises(InputError, match="no graph to merge"):
        whywire.merge()


def test_export_returns_a_text_or_writes_a_file_and_csv_needs_a_folder(tmp_path):
    graph = made_up_graph()
    text = whywire.export(graph, "dot")
    assert whywire.export(graph, "dot", tmp_path / "graph.dot") is None
    assert (tmp_path / "graph.dot").read_text(encoding="utf-8") == text
    whywire.export(graph, "csv", tmp_path / "tables")
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["edges.csv", "nodes.csv"]
    with pytest.raises(InputError, match="goes into a folder"):
        whywire.export(graph, "csv")
    with pytest.raises(InputError, match="no format 'pdf'"):
        whywire.export(graph, "pdf")


def test_a_prediction_needs_a_past_or_a_writer():
    with pytest.raises(InputError, match="past"):
        whywire.predict(["Storm shuts port"])


def test_headlines_in_other_languages_open_events_of_their_own():
    day = datetime(2026, 3, 4, tzinfo=UTC)
    article = Article("a", "Gericht hebt Urteil auf", language=whywire.Language.OTHER)
    placed = whywire.EventStream().add([article, replace(article, id="b", published=whywire.Published(day))])
    assert [(one.event, one.step) for one in placed] == [("a", "opened"), ("b", "opened")]
