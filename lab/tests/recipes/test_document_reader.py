"""The document reader: windows, spans, groups and pooled links; what readers copied becomes spans."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from whywire.errors import InputError
from whywire_lab.recipes.document_net import MAX_SPAN, NEGATIVE, choose_spans, pooled
from whywire_lab.recipes.document_rows import WINDOW, located, windows_of
from whywire_lab.recipes.drawn_graphs import Thresholds, cluster, draw
from whywire_lab.recipes.reading_batches import take

TITLE = "Dam fails after storm"
TEXT = "A storm filled the reservoir. The dam failed at night.\nTwo villages were flooded."


def tokenizer() -> Tokenizer:
    words = Tokenizer(WordLevel({"<s>": 0, "</s>": 1, "<unk>": 2}, unk_token="<unk>"))
    words.pre_tokenizer = WhitespaceSplit()
    return words


def test_a_place_is_found_in_its_window_and_back() -> None:
    windows = windows_of(TITLE, TEXT, "en", tokenizer())
    start = TEXT.index("The dam failed")
    window, first, last = located(("text", start, start + len("The dam failed")), windows) or pytest.fail("not found")
    left, right = windows[window].places[first], windows[window].places[last]
    assert left is not None
    assert right is not None
    assert TEXT[left[1] : right[2]] == "The dam failed"


def test_long_articles_open_every_window_with_the_title_and_hold_each_sentence_once() -> None:
    text = " ".join(f"Sentence number {number} tells of event {number}." for number in range(300))
    windows = windows_of(TITLE, text, "en", tokenizer())
    assert len(windows) > 1
    assert all(len(window.ids) <= WINDOW for window in windows)
    sentences = [number for window in windows for number in sorted({s for s in window.sentences if s > 0})]
    assert sentences == list(range(1, 301))
    assert [0 in window.sentences for window in windows] == [True] + [False] * (len(windows) - 1)


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_chosen_spans_overlap_by_half_of_their_union_at_most(seed: int, count: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(40, MAX_SPAN)).astype(np.float32)
    scores[:, 12:] = NEGATIVE
    spans = choose_spans(scores, count)
    assert 0 < len(spans) <= count
    assert spans[0][2] == scores.max()
    for number, (first, last, _) in enumerate(spans):
        assert last - first < 12
        for start, end, _ in spans[:number]:
            shared = min(last, end) - max(first, start) + 1
            assert shared <= 0.5 * (max(last, end) - min(first, start) + 1)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_groups_are_a_partition(seed: int, count: int) -> None:
    logits = np.random.default_rng(seed).normal(size=(count, count))
    groups = cluster(logits + logits.T, 0.0)
    assert sorted(place for group in groups for place in group) == list(range(count))


def test_groups_join_what_is_alike_and_nothing_else() -> None:
    logits = np.full((4, 4), -3.0)
    logits[0, 2] = logits[2, 0] = 4
    assert cluster(logits, 0.0) == [[0, 2], [1], [3]]


def test_links_of_events_are_sums_over_their_mentions() -> None:
    scores = torch.tensor([[[0.0, 1.0, 2.0], [0.5, 0.0, -1.0], [0.0, 3.0, 0.0]]])
    membership = torch.tensor([[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])
    result = pooled(scores, membership)
    assert result[0, 0, 1].item() == pytest.approx(np.log(np.exp(1) + np.exp(3)), abs=1e-5)
    assert result[0, 1, 0].item() == pytest.approx(np.log(np.exp(0.5) + np.exp(-1)), abs=1e-5)


def test_drawing_keeps_one_direction_of_a_link() -> None:
    row = {
        "places": [["text", 0, 5], ["text", 10, 20], ["text", 30, 40]],
        "event": [4.0, 4.0, -6.0],
        "same": [[0, -5, -5], [-5, 0, -5], [-5, -5, 0]],
        "links": [[0, 2.0, 3.0], [1.0, 0, 3.0], [3.0, 3.0, 0]],
    }
    drawn, probabilities = draw(row, Thresholds(event=0.5, same=0.5, link=0.2))
    assert drawn.events == [[("text", 0, 5)], [("text", 10, 20)]]
    assert set(probabilities) == {(0, 1)}


def article() -> dict[str, str]:
    return {"url": "https://news.example/dam", "title": TITLE, "text": TEXT, "language": "en"}


def test_copied_words_become_spans_whatever_their_spaces() -> None:
    drawn = {
        "events": [
            {"id": "e1", "words": "A  storm filled the reservoir", "sentence": 1, "status": "fact"},
            {
                "id": "e2", "words": "The dam failed", "sentence": 2, "status": "fact",
                "again": [{"words": "Dam fails", "sentence": 0}],
            },
        ],
        "links": [{"cause": "e1", "effect": "e2", "how": "implied", "sure": True}],
    }  # fmt: skip
    row = take(drawn, article())
    words = [[article()[name][start:end] for name, start, end in event["mentions"]] for event in row["events"]]
    assert words == [["A storm filled the reservoir"], ["The dam failed", "Dam fails"]]
    assert row["links"] == [{"cause": 0, "effect": 1, "how": "implied", "sure": True}]


def test_words_of_another_sentence_are_refused() -> None:
    drawn = {"events": [{"id": "e1", "words": "The dam failed", "sentence": 1, "status": "fact"}], "links": []}
    with pytest.raises(InputError, match="dam failed"):
        take(drawn, article())
