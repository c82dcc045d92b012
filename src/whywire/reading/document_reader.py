"""The document reader: one pass over an article gives its events, their mentions, and their links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel, from_pretrained
from whywire.models.encoder import in_threads
from whywire.news.article import Article
from whywire.news.sentences import split_sentences
from whywire.progress import Advance, stop_if_asked
from whywire.reading.boundaries import tidied
from whywire.reading.drawing import DrawnGraph, Logits, Thresholds, draw
from whywire.reading.windows import Place, Window, windows_of

KIND = "documents"

MOST_WINDOWS = 8
"""Windows of an article that are read: about 2,500 words. No events are found in the text after them."""

LEAST_TOKENS = 8
"""A shorter window is filled up to this many tokens: the model chooses among a fixed number of spans."""

BATCH_ARTICLES = 4
"""Articles handed to a thread at a time."""

OUTPUTS = ("window", "first", "last", "event", "main", "status", "same", "links", "alone", "vector")


class DocumentReader:
    """Draws the causal graphs of articles as a careful reader would."""

    def __init__(self, model: OnnxModel) -> None:
        self.model = model
        self.thresholds = Thresholds(**model.config["thresholds"])

    @classmethod
    def from_pretrained(cls, name: str | Path = "documents") -> DocumentReader:
        """Load the embedded model, or one from a folder.

        Raises:
            ModelError: there is no such model, or it cannot be read.
        """
        return cls(from_pretrained(name, kind=KIND))

    def read(self, articles: Sequence[Article], advance: Advance | None = None) -> list[DrawnGraph]:
        """Draw the graph of each article.

        Each article goes through the model alone, so that its graph does not depend on the others; articles with the
        same words, which outlets have from an agency, share one graph.

        Args:
            advance: called with the number of articles just read.

        Raises:
            Stopped: the caller was asked to stop (:func:`whywire.progress.stopping_when`).
        """
        words = [(article.title, article.text, article.language) for article in articles]
        distinct = dict(zip(words, articles, strict=True))
        graphs: list[DrawnGraph] = []
        for part in self._parts([*distinct.values()]):
            graphs += part
            if advance:
                advance(len(part))
        if advance:
            advance(len(articles) - len(distinct))
        drawn = dict(zip(distinct, graphs, strict=True))
        return [drawn[one] for one in words]

    def _parts(self, articles: Sequence[Article]) -> Iterator[list[DrawnGraph]]:
        parts = [articles[at : at + BATCH_ARTICLES] for at in range(0, len(articles), BATCH_ARTICLES)]
        if len(parts) <= 1:
            yield from map(self._read, parts)
            return
        self.model.session  # noqa: B018 - opened before several threads would
        yield from in_threads(self._read, parts, self.model.threads)

    def _read(self, articles: Sequence[Article]) -> list[DrawnGraph]:
        graphs = []
        for article in articles:
            stop_if_asked()
            calibration = self.model.config["calibration"]
            graphs.append(draw(self.logits(article), self.thresholds, calibration))
        return graphs

    def logits(self, article: Article) -> Logits:
        """What the model says of the candidates of an article."""
        sentences = split_sentences(article.text, article.language)
        windows = windows_of(article.title, article.text, sentences, self.model.tokenizer)
        windows, beyond = windows[:MOST_WINDOWS], windows[MOST_WINDOWS:]
        first = next((number for number in beyond[0].sentences if number > 0), 0) if beyond else 0
        unread = len(article.text) - sentences[first - 1][0] if first else 0
        answers = dict(zip(OUTPUTS, self.model.session.run(OUTPUTS, feed_of(windows)), strict=True))
        sentence_of: dict[int, int] = {}
        best: dict[Place, int] = {}  # two candidates may end as the same words
        for at in np.flatnonzero(answers["window"] >= 0).tolist():
            window, first = windows[int(answers["window"][at])], int(answers["first"][at])
            name, start, end = window.place(first, int(answers["last"][at]))
            text = getattr(article, name)
            if not any(map(str.isalnum, text[start:end])):
                continue  # punctuation names no event
            place = (name, *tidied(text, (start, end)))
            sentence_of[at] = window.sentences[first]
            if place not in best or answers["event"][at] > answers["event"][best[place]]:
                best[place] = at
        places = {at: place for place, at in best.items()}
        chosen = sorted(places)
        pairs = np.ix_(chosen, chosen)
        return Logits(
            places=[places[at] for at in chosen],
            sentences=[sentence_of[at] for at in chosen],
            event=answers["event"][chosen],
            main=answers["main"][chosen],
            status=answers["status"][chosen],
            same=answers["same"][pairs],
            links=answers["links"][pairs],
            alone=answers["alone"][chosen],
            vectors=answers["vector"][chosen],
            unread=unread,
        )


def feed_of(windows: Sequence[Window]) -> dict[str, NDArray[np.int64]]:
    """The inputs of the model, (windows, tokens) each: ``ids``, ``mask`` and ``sentences``."""
    tokens = max(LEAST_TOKENS, *(len(window.ids) for window in windows))
    ids, mask, sentences = (np.full((len(windows), tokens), value, dtype=np.int64) for value in (0, 0, -1))
    for row, window in enumerate(windows):
        count = len(window.ids)
        ids[row, :count], mask[row, :count], sentences[row, :count] = window.ids, 1, window.sentences
    return {"ids": ids, "mask": mask, "sentences": sentences}
