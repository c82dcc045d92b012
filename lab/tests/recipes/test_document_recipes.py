"""The recipes of the document reader: what readers copied becomes spans, and spans become candidates."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install torch 'whywire-lab[train]'")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_documents import TEXT, TITLE, tokenizer_of

from whywire.errors import InputError
from whywire.news import Language, split_sentences
from whywire.reading.windows import Window, windows_of
from whywire_lab.recipes.document_net import (
    MAX_SPAN,
    NEGATIVE,
    NUDGE,
    Candidates,
    candidates_of,
    choose_spans,
    in_order,
    pooled,
    sharpened,
)
from whywire_lab.recipes.document_rows import located
from whywire_lab.recipes.reading_batches import take
from whywire_lab.recipes.train_documents import NEAR, UNKNOWN, alike, events_of, near_spans, with_missed

pytestmark = pytest.mark.usefixtures("one_thread")

TOKENS = 30
SEEDS = st.integers(0, 2**32 - 1)


def windows() -> list[Window]:
    return windows_of(TITLE, TEXT, split_sentences(TEXT, Language.ENGLISH), tokenizer_of([TITLE, TEXT]))


def test_a_place_is_found_in_its_window_and_back() -> None:
    start = TEXT.index("The dam failed")
    place = ("text", start, start + len("The dam failed"))
    window, first, last = located(place, windows()) or pytest.fail("not found")
    assert windows()[window].place(first, last) == place


def test_a_place_over_two_sentences_is_in_no_window() -> None:
    start, end = TEXT.index("reservoir"), TEXT.index("failed")
    assert located(("text", start, end), windows()) is None


def scores_of(seed: int, articles: int, windows_each: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores of spans, (windows, TOKENS, MAX_SPAN), and sentences of tokens; spans end within their sentence."""
    rng = np.random.default_rng(seed)
    count = articles * windows_each
    scores = torch.from_numpy(rng.normal(size=(count, TOKENS, MAX_SPAN)).astype(np.float32))
    sentences = torch.from_numpy(rng.integers(0, 2, size=(count, TOKENS)).cumsum(1))
    first = torch.arange(TOKENS)[:, None]
    last = first + torch.arange(MAX_SPAN)
    there = (last < TOKENS) & (sentences[:, last.clamp(max=TOKENS - 1)] == sentences[:, :, None])
    return torch.where(there, scores, NEGATIVE), sentences


def union(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """How many tokens two spans share, and how many are in either."""
    shared = min(one[1], other[1]) - max(one[0], other[0]) + 1
    return max(0, shared), one[1] - one[0] + other[1] - other[0] + 2 - max(0, shared)


@given(SEEDS, st.integers(1, 30))
def test_chosen_spans_overlap_better_ones_by_half_of_their_union_at_most(seed: int, count: int) -> None:
    scores, _ = scores_of(seed, articles=1)
    first, last, values = choose_spans(scores, count)
    for window in range(len(scores)):
        found = [
            (int(a), int(b), float(value))
            for a, b, value in zip(first[window], last[window], values[window], strict=True)
            if value > NEGATIVE / 2
        ]
        assert 0 < len(found) <= count
        assert found[0][2] == scores[window].max()
        assert [value for *_, value in found] == sorted((value for *_, value in found), reverse=True)
        for number, (start, end, value) in enumerate(found):
            assert scores[window, start, end - start] == value
            for better in found[:number]:
                shared, either = union((start, end), better[:2])
                assert 2 * shared <= either


def test_a_window_without_spans_has_no_candidates() -> None:
    scores, sentences = scores_of(0, articles=1)
    scores[1] = NEGATIVE
    found = candidates_of(scores, sentences, 1, 8)
    assert set(found.window[found.window >= 0].tolist()) == {0}


@given(SEEDS)
def test_candidates_stand_in_the_order_of_the_text_and_know_their_sentence(seed: int) -> None:
    scores, sentences = scores_of(seed, articles=2)
    found = candidates_of(scores, sentences, 2, 8)
    for article in range(2):
        there = [int(window) for window in found.window[article] if window >= 0]
        keys = list(zip(there, found.first[article].tolist(), found.last[article].tolist(), strict=False))
        assert keys == sorted(keys)
        for at, (window, first, last) in enumerate(keys):
            row = 2 * article + window
            assert sentences[row, first] == sentences[row, last] == found.sentence[article, at]


def spans_of(found: Candidates) -> list[set[tuple[int, int, int]]]:
    """Window, first and last token of the candidates of each article."""
    columns = torch.stack([found.window, found.first, found.last], -1).tolist()
    return [{(window, first, last) for window, first, last in rows if window >= 0} for rows in columns]


@given(SEEDS, st.integers(0, 6))
@settings(max_examples=50)
def test_every_mention_of_a_reader_is_like_a_candidate_afterwards(seed: int, count: int) -> None:
    scores, sentences = scores_of(seed, articles=2)
    rng = np.random.default_rng(seed)
    table, of_tokens = [[[UNKNOWN] * 4 for _ in range(7)] for _ in range(2)], sentences.tolist()
    for article in range(2):
        for number in range(count):
            window, first = int(rng.integers(2)), int(rng.integers(TOKENS))
            row = of_tokens[2 * article + window]
            last = rng.choice([at for at in range(first, TOKENS) if row[at] == row[first]])
            table[article][number] = [window, first, int(last), number]
    mentions = torch.tensor(table)
    found = candidates_of(scores, sentences, 2, 4)
    filled = with_missed(found, mentions, scores, sentences)
    same, _ = alike(filled, mentions)
    assert same.any(1)[mentions[..., 0] >= 0].all()
    assert all(before <= after for before, after in zip(spans_of(found), spans_of(filled), strict=True))
    assert (events_of(filled, mentions) >= 0).equal(same.any(2))


@pytest.mark.parametrize(
    ("span", "expected"), [((10, 13), True), ((10, 25), True), ((10, 26), False), ((12, 15), True), ((13, 16), False)]
)
def test_spans_are_alike_that_share_half_of_the_shorter(span: tuple[int, int], expected: bool) -> None:
    found = Candidates(*(torch.tensor([[value]]) for value in (0, *span, 0)), torch.zeros(1, 1))
    same, _ = alike(found, torch.tensor([[[0, 10, 13, 0]]]))
    assert same.item() is expected
    other_window, _ = alike(found, torch.tensor([[[1, 10, 13, 0]]]))
    assert not other_window.item()


@given(SEEDS)
def test_sharpened_spans_stay_near_their_candidates(seed: int) -> None:
    scores, sentences = scores_of(seed, articles=2)
    found = candidates_of(scores, sentences, 2, 6)
    sharp, _ = scores_of(seed + 1, articles=2)
    sharp = torch.where(scores > NEGATIVE / 2, torch.randn(sharp.shape), NEGATIVE)
    first, last = sharpened(found, sharp)
    for article, at in (found.window >= 0).nonzero().tolist():
        old = int(found.first[article, at]), int(found.last[article, at])
        new = int(first[article, at]), int(last[article, at])
        assert all(abs(a - b) <= NUDGE for a, b in zip(old, new, strict=True))
        shared, either = union(old, new)
        assert 2 * shared >= either
        row = 2 * article + int(found.window[article, at])
        assert sharp[row, new[0], new[1] - new[0]] >= sharp[row, old[0], old[1] - old[0]]
        assert sentences[row, new[0]] == sentences[row, new[1]] == sentences[row, old[0]]


@given(st.integers(1, MAX_SPAN))
@settings(max_examples=MAX_SPAN)
def test_near_spans_are_all_that_share_enough_of_the_union(size: int) -> None:
    found = {(int(start), int(length)): share for start, length, share in near_spans(size)}
    assert len(found) == len(near_spans(size))
    assert found[0, size - 1] == 1
    expected = {}
    for start in range(-MAX_SPAN, size):
        for length in range(MAX_SPAN):
            shared, either = union((0, size - 1), (start, start + length))
            if shared / either >= NEAR:
                expected[start, length] = shared / either
    assert found == pytest.approx(expected)


def test_candidates_without_a_place_come_last() -> None:
    columns = (torch.tensor([[1, -1, 0]]), torch.tensor([[3, -1, 7]]), torch.tensor([[4, -1, 9]]))
    found = in_order(Candidates(*columns, torch.zeros(1, 3), torch.zeros(1, 3)), trim=False)
    assert found.window.tolist() == [[0, 1, -1]]
    assert in_order(found).window.tolist() == [[0, 1]]


def test_links_of_events_are_sums_over_their_mentions() -> None:
    scores = torch.tensor([[[0.0, 1.0, 2.0], [0.5, 0.0, -1.0], [0.0, 3.0, 0.0]]])
    membership = torch.tensor([[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])
    result = pooled(scores, membership)
    assert result[0, 0, 1].item() == pytest.approx(np.log(np.exp(1) + np.exp(3)), abs=1e-5)
    assert result[0, 1, 0].item() == pytest.approx(np.log(np.exp(0.5) + np.exp(-1)), abs=1e-5)


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
