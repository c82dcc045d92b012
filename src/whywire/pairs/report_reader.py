"""Reads reports one by one: the vectors of each report, and the states of the tokens of its title.

Pairs of reports are compared by these readings (:mod:`whywire.pairs.comparing`), as in PreTTR (MacAvaney et al.
2020): the lower layers of the encoder, where most of the work is, run once for each report, not for each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.models import OnnxModel
from whywire.models.encoder import Batch, Text
from whywire.models.recent import Recent
from whywire.pairs.reports import Report
from whywire.progress import Advance

STATES, VECTOR = "states", "vector"

KEPT_REPORTS = 8192
"""Reports whose readings are cached."""

REPORT_BYTES = 20_000
"""Bytes of an ordinary report in the cache. The longest titles take four times as much, so fewer are cached."""


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A report as the encoder read it.

    Args:
        states: (tokens of the title, size), half precision, with the lead as context.
        title: (size,), the unit vector of the title.
        whole: (size,), the unit vector of title and lead; that of the title where there is no lead.
        has_lead: whether there is a lead.
    """

    states: NDArray[np.float16]
    title: NDArray[np.float32]
    whole: NDArray[np.float32]
    has_lead: bool

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return self.states.nbytes + self.title.nbytes + self.whole.nbytes

    @property
    def vector(self) -> NDArray[np.float32]:
        """The unit vector (2 × size,) of the report: its cosine with another is the mean of the two cosines."""
        joined: NDArray[np.float32] = np.concatenate([self.title, self.whole]) / np.sqrt(np.float32(2))
        return joined


class ReportReader:
    """Reads reports, and caches the readings of those used last.

    Args:
        model: has the outputs ``states``, a row a token, and ``vector``, a row a text.
        kept: most reports that are cached.
    """

    def __init__(self, model: OnnxModel, *, kept: int = KEPT_REPORTS) -> None:
        self.model = model
        self._recent = Recent(kept, _size)

    @property
    def size(self) -> int:
        """The size of the vector of a text."""
        outputs = {output.name: output for output in self.model.session.get_outputs()}
        return int(outputs[VECTOR].shape[-1])

    def read(self, reports: Iterable[Report], advance: Advance | None = None) -> dict[Report, ReadReport]:
        """Read each report once: its title alone, and the title with the lead where there is one."""
        wanted = list(dict.fromkeys(reports))
        found = self._recent.found(wanted)
        new = [report for report in wanted if report not in found]
        if advance:
            advance(len(found))
        for report, read in self._read_new(new):
            found[report] = read
            if advance:
                advance(1)
        self._recent.keep({report: found[report] for report in wanted})
        return found

    def _read_new(self, reports: Sequence[Report]) -> Iterator[tuple[Report, ReadReport]]:
        texts: list[Text] = []
        for report in reports:
            texts.append(report.title)
            if report.lead:
                texts.append((report.title, report.lead))
        rows = _rows(self.model.run(texts, [STATES, VECTOR]))
        for report in reports:
            states, title = next(rows)
            whole = title
            if report.lead:
                states, whole = next(rows)
            yield report, ReadReport(states, title, whole, bool(report.lead))


def _size(report: Report, read: ReadReport) -> float:
    return max(1, (len(report.title) + len(report.lead) + read.nbytes) / REPORT_BYTES)


def _rows(batches: Iterable[Batch]) -> Iterator[tuple[NDArray[np.float16], NDArray[np.float32]]]:
    """For each text, the states of the tokens of the title, and the vector."""
    for batch in batches:
        for encoding, states, vector in zip(
            batch.encodings, batch.outputs[STATES], batch.outputs[VECTOR], strict=True
        ):
            of_title = sum(not type_id for type_id in encoding.type_ids)
            yield states[:of_title].astype(np.float16), vector
