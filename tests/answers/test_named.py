"""Which event is meant by a few words."""

import pytest
from tests.graph.made_up_week import made_up_graph

from whywire.answers.named import find_events
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels


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
        assert find_events(made_up_graph(), words, LanguageModels())[0].id == event
    else:
        with pytest.raises(InputError, match="more words of a headline"):
            find_events(made_up_graph(), words, LanguageModels())


def test_in_a_graph_without_events_none_is_found():
    with pytest.raises(InputError):
        find_events(CausalGraph(), "anything", LanguageModels())
