"""Words with their places, and labels on them: what the baselines see of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from whywire.news.article import Span

OUTSIDE = "O"

Labelled = tuple[str, Span]


def tags_of(words: Sequence[Span], labelled: Sequence[Labelled]) -> list[str]:
    """``B-label`` on the first word of a span, ``I-label`` on the others, ``O`` elsewhere; spans do not overlap."""
    tags = [OUTSIDE] * len(words)
    for label, (start, end) in labelled:
        inside = [number for number, word in enumerate(words) if word[0] < end and start < word[1]]
        for number in inside:
            tags[number] = f"{'B' if number == inside[0] else 'I'}-{label}"
    return tags


def spans_of(words: Sequence[Span], tags: Sequence[str]) -> list[Labelled]:
    """The spans that tags stand for; an ``I`` without its ``B`` begins one."""
    spans: list[Labelled] = []
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


def longest(spans: Sequence[Labelled], label: str) -> Span | None:
    """The longest span of a label, the first of several."""
    own = [span for name, span in spans if name == label]
    return max(own, key=lambda span: span[1] - span[0], default=None)
