"""Fake models that take their time, and that some articles kill, as a broken library or too little memory would."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fake_models import FakeDocuments, FakeLanguageModels

from whywire.errors import ModelError
from whywire.pairs.model import PairModel
from whywire.pairs.reports import AskedPair, reports_of
from whywire.reading.document_reader import DocumentReader


class DangerousModels(FakeLanguageModels):
    """A process dies that reads "poison" in a title, or compares a title with "venom".

    Args:
        folder: gets a file named for each process that loads them.
        seconds: how long an article takes to read.
    """

    def __init__(self, folder: str | None = None, seconds: float = 0.0) -> None:
        super().__init__()
        self._seconds = seconds
        if folder is not None:
            Path(folder, str(os.getpid())).touch()

    def _documents(self) -> DocumentReader:
        return DangerousDocuments(self._seconds)

    def _pairs(self, language: Any) -> PairModel:
        return DangerousPairs(*super()._pairs(language).parts)


class DangerousDocuments(FakeDocuments):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def logits(self, article):
        time.sleep(self._seconds)
        if "poison" in article.title:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().logits(article)


class DangerousPairs(PairModel):
    def compared_probabilities(self, pairs: Sequence[AskedPair], advance=None):
        if any("venom" in left.title for left, _ in reports_of(pairs)):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().compared_probabilities(pairs, advance)


class BrokenModels(FakeLanguageModels):
    """Models that cannot be used."""

    def _documents(self) -> DocumentReader:
        raise ModelError("it is broken", where="documents")


class RefusingModels(FakeLanguageModels):
    """Models that no process can load."""

    def __init__(self) -> None:
        raise RuntimeError("the weights are missing")
