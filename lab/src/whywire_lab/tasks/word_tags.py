"""LabelledSpan spans as BIO tags of words, and back."""

from __future__ import annotations

from collections.abc import Sequence

from whywire.news.article import Span

OUTSIDE = "O"

LabelledSpan = tuple[str, Span]
"""A label, and the half-open character offsets it stands on."""


def bio_tags(words: Sequence[Span], labelled: Sequence[LabelledSpan]) -> list[str]:
    """The BIO tag of each word: ``B-label`` on a span's first word, ``I-label`` on its others, ``O`` elsewhere."""
    tags = [OUTSIDE] * len(words)
    for label, (start, end) in labelled:
        inside = [number for number, word in enumerate(words) if word[0] < end and start < word[1]]
        for number in inside:
            tags[number] = f"{'B' if number == inside[0] else 'I'}-{label}"
    return tags


def spans_from_tags(words: Sequence[Span], tags: Sequence[str]) -> list[LabelledSpan]:
    """The labelled spans of BIO tags; an ``I`` without its ``B`` begins a span."""
    spans: list[LabelledSpan] = []
    before = OUTSIDE
    for word, tag in zip(words, tags, strict=True):
        label = tag[2:]
        if tag != OUTSIDE:
            if tag.startswith("I-") and before[2:] == label:
                spans[-1] = (label, (spans[-1][1][0], word[1]))
            else:
                spans.append((label, word))
        before = tag
    return spans


def longest(spans: Sequence[LabelledSpan], label: str) -> Span | None:
    """The longest span with that label; the first of equally long ones; ``None`` without any."""
    own = [span for name, span in spans if name == label]
    return max(own, key=lambda span: span[1] - span[0], default=None)
