"""A build depends on its articles alone: neither on their order nor, for one story, on the other stories."""

import random

import pytest

from whywire import build

FILES = [
    *("articles.jsonl", "claims.jsonl", "events.jsonl", "links.jsonl", "rejected.jsonl"),
    *("graph.graphml", "graph.json", "report.html"),
]


@pytest.fixture(scope="module")
def whole(example, fake_models):
    """The build of the bundled example."""
    return build(example, models=fake_models)


def test_a_story_alone_is_decided_as_among_all_others(whole, fake_models):
    graph = whole.graph
    stories = graph.stories()
    largest = sorted(stories, key=lambda story: (-len(story.events), story.id))[:4]
    for story in (*largest, *random.Random(1).sample(stories, 4)):
        names = {name for event in story.events for name in event.articles}
        alone = build([graph.articles[name] for name in names], models=fake_models).graph
        assert {*alone.events} == {event for event in graph.events if names.issuperset(event.articles)}
        assert {*alone.events} >= {*story.events}
        assert {*alone.links} == {*story.links}
        assert {*alone.claims} == {claim for claim in graph.claims if claim.article in names}


def test_stories_of_two_builds_are_those_of_one_build_of_both(example, whole, fake_models):
    story_of = {name: event.story or event.id for event in whole.graph.events for name in event.articles}
    stories = [*dict.fromkeys(story_of[name] for name in sorted(story_of))]
    halves = [{name for name, story in story_of.items() if story in stories[half::2]} for half in (0, 1)]
    parts = [build([one for one in example if one.id in half], models=fake_models).graph for half in halves]
    assert {event for part in parts for event in part.events} == {*whole.graph.events}
    assert {link for part in parts for link in part.links} == {*whole.graph.links}


def test_shuffled_articles_give_the_same_bytes(example, whole, fake_models, tmp_path):
    again = build(random.Random(2).sample(example, len(example)), models=fake_models)
    for name, result in (("one", whole), ("two", again)):
        result.write(tmp_path / name, title="Test", inputs=["news.jsonl"])
    one, two = ({name: (tmp_path / folder / name).read_bytes() for name in FILES} for folder in ("one", "two"))
    assert one == two
