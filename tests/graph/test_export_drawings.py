"""DOT in Graphviz and pydot, Mermaid in Mermaid: they draw every title as it is."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import textwrap
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from small_graphs import ODD, small_graphs

from whywire.elements import Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import event_rows, link_rows
from whywire.graph.exports import graph_dot, graph_mermaid
from whywire.graph.exports.drawings import LABEL_WIDTH
from whywire.graph.exports.illegal_characters import xml_text
from whywire.news.article import Article
from whywire.news.language import Language

TITLES = [
    *ODD,
    *("1. first", "- item", "# head", "> quote", "end", "graph TD; a-->b", "$$x^2$$", "<br/>", "%%{init: {}}%%"),
    *("style: “x” ok", "**bold** _it_ ~~s~~", "classDef x fill:#f00;", "fa:fa-car x", "&quot;", "\\", "<TABLE>"),
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def hostile() -> CausalGraph:
    """An event a title, each linked to the next."""
    articles = {title: Article(title, title, url=f"https://odd.example/?q={title}") for title in TITLES}
    events = (Event(title, title, Language.OTHER, None, None, (title,)) for title in TITLES)
    evidence = {title: HeadlineEvidence(title, after, 0.5) for title, after in pairwise(TITLES)}
    links = (
        Link(title, one.target_article, LinkKind.CAUSES, 0.5, 50, Order.UNKNOWN, (one,))
        for title, one in evidence.items()
    )
    return CausalGraph(articles, tuple(events), tuple(links))


def graphviz(text: str, form: str) -> str:
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed")
    done = subprocess.run([program, f"-T{form}"], input=text.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode()


def one_line(text: str) -> str:
    return " ".join(xml_text(text).split())


def test_graphviz_draws_every_title_as_it_is(hostile: CausalGraph) -> None:
    drawn = ElementTree.fromstring(graphviz(graph_dot(hostile), "svg"))
    groups = [group for group in drawn.iter(f"{SVG}g") if group.get("class") == "node"]
    labels = ["".join(f"{text.text or ''}\n" for text in group.iter(f"{SVG}text")) for group in groups]
    expected = [one_line("\n".join(textwrap.wrap(title, LABEL_WIDTH))) for title in TITLES]
    assert sorted(map(one_line, labels)) == sorted(expected)
    addresses = {link.get("{http://www.w3.org/1999/xlink}href") for link in drawn.iter(f"{SVG}a")}
    assert "https://odd.example/?q=He%20said%20%22stop%22" in addresses
    assert "https://odd.example/?q=it%27s%20%3Cb%3E&amp%3B%20&lt%3B" in addresses
    assert len([group for group in drawn.iter(f"{SVG}g") if group.get("class") == "edge"]) == len(hostile.links)


def test_graphviz_shows_the_sentence_and_marks_refuted_and_closed_links(graph: CausalGraph) -> None:
    drawn = graphviz(graph_dot(graph), "svg")
    assert "The embankment gave way because three days of rain had soaked its clay core." in drawn
    assert drawn.count("stroke-dasharray") == sum(link.closed_by is not None for link in graph.links)
    assert drawn.count(">refuted by<") == sum(link.kind is LinkKind.REFUTES for link in graph.links)


@settings(deadline=None, max_examples=15)
@given(small_graphs())
def test_graphviz_reads_back_every_row(graph: CausalGraph) -> None:
    read = json.loads(graphviz(graph_dot(graph), "dot_json"))
    nodes = {node["_gvid"]: json.loads(node["data"]) for node in read.get("objects", [])}
    assert sorted(nodes.values(), key=lambda row: row["id"]) == sorted(event_rows(graph), key=lambda row: row["id"])
    edges = read.get("edges", [])
    rows = {(row["source"], row["target"], row["kind"]): row for row in link_rows(graph)}
    assert {key(row): row for row in (json.loads(edge["data"]) for edge in edges)} == rows
    for edge in edges:
        row = json.loads(edge["data"])
        assert (nodes[edge["tail"]]["id"], nodes[edge["head"]]["id"]) == (row["source"], row["target"])


def key(row: dict[str, str]) -> tuple[str, str, str]:
    return row["source"], row["target"], row["kind"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot's own
def test_pydot_reads_every_row(hostile: CausalGraph) -> None:
    pydot = pytest.importorskip("pydot")
    (read,) = pydot.graph_from_dot_data(graph_dot(hostile))
    nodes = [node for node in read.get_nodes() if node.get("data")]
    edges = read.get_edges()
    assert [unquoted(node.get("data")) for node in nodes] == list(event_rows(hostile))
    assert [unquoted(edge.get("data")) for edge in edges] == list(link_rows(hostile))


def unquoted(text: str) -> object:
    return json.loads(text[1:-1].replace('\\"', '"'))


@pytest.mark.slow
def test_mermaid_draws_every_title_as_it_is(hostile: CausalGraph) -> None:
    mermaid = pytest.importorskip("mermaidx")
    drawn = mermaid.render(graph_mermaid(hostile)).svg()
    labels = re.findall(r"<foreignObject.*?</foreignObject>", drawn, re.DOTALL)
    words = [one_line(html.unescape(re.sub("<[^>]+>", "", label))) for label in labels]
    expected = [letters(title) for title in TITLES]
    assert sorted(letters(label) for label in words if label != "led to 50") == sorted(expected)
    assert words.count("led to 50") == len(hostile.links)


def letters(text: str) -> str:
    """The text without what no one sees, which browsers and Python call by different names."""
    return "".join(letter for letter in one_line(text) if letter.isprintable())


@settings(deadline=None, max_examples=40)
@given(small_graphs())
def test_a_mermaid_drawing_has_nothing_in_it_but_what_it_is_meant_to_have(graph: CausalGraph) -> None:
    head, *lines = graph_mermaid(graph).splitlines()
    assert head == "flowchart LR"
    text = r'"(?:[^\W_]| |#\d+;|<br/>)+"'
    box, click = rf"  n\d+\[{text}\]", r'  click n\d+ href "https?://[\w!#$%&()*+,./:=?@\[\]~-]*"'
    arrow = r'  n\d+ (-->|--x|-\.->|-\.-x)\|"(led to|refuted by) \d+"\| n\d+'
    assert all(re.fullmatch(f"{box}|{arrow}|{click}", line) for line in lines)
    assert sum(re.fullmatch(arrow, line) is not None for line in lines) == len(graph.links)
    assert sum("-.-" in line for line in lines) == sum(link.closed_by is not None for link in graph.links)
