"""Which event is meant by a few words."""

import pytest
from tests.graph.made_up_week import made_up_graph

from whywire.answers.event_lookup import events_named, look_up
from whywire.elements import Event
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Article, Language


@pytest.mark.parametrize(
    ("words", "event"),
    [
        ("e7", "e7"),
        ("DAM BREACH  floods Lower Orlen", "e2"),
        ("crane collapse", "e13"),
        ("breach", "e2"),
        ("insulin flown to the islands", "e18"),
        ("the closure of schools until Monday", "e5"),
        ("плавильный цех встал", "e21"),
        ("отпуск рабочих цеха", "e25"),
        ("air", "e18"),
        ("Ил", None),
        ("bank failure in Meridian", None),
        ("", None),
    ],
)
def test_an_event_is_found_by_id_headline_or_words_near_one(words, event):
    if event:
        assert events_named(made_up_graph(), words, LanguageModels())[0].id == event
    else:
        with pytest.raises(InputError, match="more words of a headline"):
            events_named(made_up_graph(), words, LanguageModels())


def test_in_a_graph_without_events_none_is_found():
    with pytest.raises(InputError):
        events_named(CausalGraph(), "anything", LanguageModels())


def graph_of(titles, stories):
    """A graph with an event a title, each in the story whose name stands at its place; a dot is none."""
    articles = {str(number): Article(str(number), title) for number, title in enumerate(titles)}
    events = (
        Event(
            f"e{number}",
            title,
            Language.ENGLISH,
            None,
            None,
            (str(number),),
            None if name == "." else f"e{stories.index(name)}",
        )
        for number, (title, name) in enumerate(zip(titles, stories, strict=True))
    )
    return CausalGraph(articles, tuple(events))


DRUG = [
    "Regulator approves Veltrazin for river fever",
    "Pharmacies in Port Ellery run out of Veltrazin",
    "Maker of Veltrazin doubles its production",
    "Veltrazin patent dispute goes to court",
]


@pytest.mark.parametrize(
    ("titles", "stories", "words", "meant"),
    [
        (DRUG, "aaa.", "Veltrazin", ["e0", "e1", "e2"]),
        (DRUG, "aaab", "  veltrazin ", ["e0", "e1", "e2"]),
        (DRUG, "aab.", "Veltrazin", ["e0"]),
        (DRUG, "aabb", "Veltrazin", ["e0"]),
        (DRUG, "....", "Veltrazin", ["e0"]),
        (DRUG, "aaaa", "Veltrazin patent dispute", ["e3"]),
        ([*DRUG[:3], "Veltrazin"], "aaaa", "Veltrazin", ["e3"]),
        ([*DRUG[:3], "Regulator clears Veltrazin"], "aaaa", "regulator Veltrazin", ["e0"]),
        ([f"Mayor says {what} closed dam" for what in ("Veltra", "Ellery", "Castra")], "aaa", "closed dam", ["e0"]),
        (
            [f"Mayor says {what} shut dams" for what in ("Veltra", "Ellery", "Castra")],
            "aaa",
            "dams",
            ["e0", "e1", "e2"],
        ),
    ],
)
def test_words_of_many_events_of_one_story_name_a_thing_unless_they_tell_of_one_event(titles, stories, words, meant):
    found = look_up(graph_of(titles, stories), words, LanguageModels())
    assert [event.id for event in found.events] == meant
    assert found.is_entity is (len(meant) > 1)
    assert not {event.id for event in found.others} & set(meant)
