"""The examples of the public functions run, on a part of the bundled news."""

import doctest
import inspect
import shutil

import pytest

import whywire

EXAMPLES = {
    name: [example.source for example in doctest.DocTestParser().get_examples(inspect.getdoc(getattr(whywire, name)))]
    for name in whywire.__all__
    if ">>>" in (inspect.getdoc(getattr(whywire, name)) or "")
}


NEED_A_SERVER = {
    "Client",
    "RayEngine",
    "backup",
    "chat_judge",
    "restore",
    "second_reader",
    "serve",
    "verify_webhook",
    "watch",
    "work",
}
"""Their examples name a service, an endpoint, a database, a cluster, a received request or feeds."""


@pytest.fixture
def folder(refinery, first_day, tmp_path, monkeypatch):
    """Where the files that the examples name are."""
    for name, place in (("graph", refinery), ("monday", first_day), ("tuesday", refinery)):
        shutil.copytree(place, tmp_path / name)
    for name in ("news.jsonl", "headlines.jsonl", "monday.jsonl", "today.jsonl"):
        shutil.copy(refinery.parent / "news.jsonl", tmp_path / name)
    (tmp_path / "read.jsonl").write_text('{"text": "Fuel ran short.", "relations": []}\n', encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(
        '{"id": "p", "left_title": "Fire", "right_title": "Smoke"}\n', encoding="utf-8"
    )
    (tmp_path / "votes.jsonl").write_text(
        '{"item": "p", "person": "Bob", "answer": {"relation": "same_event"}}\n', encoding="utf-8"
    )
    (tmp_path / "archive").mkdir()
    shutil.copy(refinery.parent / "news.jsonl", tmp_path / "archive" / "2026.jsonl")
    (tmp_path / "sheet.csv").write_text("item,answer\np,left_right_cause\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with whywire.Store.open("news.db"):
        pass


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - NEED_A_SERVER))
def test_the_example_of_a_function_runs(folder, name):
    if any('"turtle"' in source for source in EXAMPLES[name]):
        pytest.importorskip("rdflib")
    names = {"whywire": whywire, "Store": whywire.Store, "articles": []}
    for source in EXAMPLES[name]:
        exec(compile(source, name, "single"), names)
