from lab.experiments.peers.graphs import graph_of, places_of, scores, turned
from lab.experiments.peers.recorded_chat import LONGEST, asked

from whywire_lab.metrics.reader_graphs import Drawn

ARTICLE = {
    "title": "Refinery fire shuts port",
    "text": "A fire broke out at the refinery on Monday. The port of Lorne was shut. Ships waited outside.",
}


def words_at(name):
    return [ARTICLE[field][start:end] for field, start, end in places_of(name, ARTICLE)]


def test_a_name_stands_wherever_its_words_stand():
    assert words_at("FIRE") == ["fire", "fire"]
    assert words_at("the  Port, of Lorne") == ["The port of Lorne"]


def test_a_name_told_otherwise_stands_where_most_of_its_words_are():
    assert words_at("Port Of Lorne Shut Down") == ["port of Lorne was shut"]
    assert words_at("earthquake in Chile") == []
    assert words_at("—") == []


GOLD = Drawn([[("text", 0, 16)], [("text", 44, 71)]], {(0, 1): "said"})


def test_a_link_the_wrong_way_round_counts_but_not_as_directed():
    names = {"events": ["A fire broke out", "The port of Lorne was shut", "Ships"], "failed": ""}
    right = graph_of(names | {"links": [["A fire broke out", "The port of Lorne was shut"]]}, ARTICLE)
    wrong = graph_of(names | {"links": [["The port of Lorne was shut", "A fire broke out"]]}, ARTICLE)
    other = graph_of(names | {"links": [["Ships", "A fire broke out"], ["Ships", "nowhere"]]}, ARTICLE)
    assert [[*turned(drawn, GOLD).links] for drawn in (right, wrong, other)] == [[(0, 1)], [(0, 1)], [(2, 0)]]
    found = [scores({"a": GOLD}, {"a": drawn}) for drawn in (right, wrong, other)]
    assert [row["F1"] for row in found] == [100, 100, 0]
    assert [row["F1, directed"] for row in found] == [100, 0, 0]
    assert [row["edges"] for row in found] == [1, 1, 1]


def test_a_question_gets_an_end_and_the_schema_in_its_place():
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    sent = asked({"messages": [], "max_tokens": 16_384, "stream": True, "stop": None, "response_format": form})
    assert sent == {
        "messages": [],
        "max_tokens": LONGEST,
        "stream": False,
        "response_format": {"type": "json_object", "schema": {"type": "object"}},
    }
    assert asked({"max_completion_tokens": 5})["max_tokens"] == 5
