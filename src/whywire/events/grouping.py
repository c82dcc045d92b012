"""Groups headlines, then all events of articles, by event; again, if somebody has an opinion on uncertain merges."""

from __future__ import annotations

from dataclasses import dataclass, field

from whywire.events.candidates import Pair
from whywire.events.corrected import CorrectedEvents
from whywire.events.event_groups import ArticleEvents
from whywire.events.headline_events import ScoredHeadlines
from whywire.events.linkage import UncertainMerge


@dataclass
class UncertainMerges:
    """The merges near the threshold.

    Args:
        headlines: of articles, by their headlines.
        items: of events of articles.
    """

    headlines: list[UncertainMerge] = field(default_factory=list)
    items: list[UncertainMerge] = field(default_factory=list)


@dataclass
class PairOpinions:
    """What somebody says of pairs (i < j).

    Args:
        apart: that they are not one event.
        together: that they are one event.
    """

    apart: list[Pair] = field(default_factory=list)
    together: list[Pair] = field(default_factory=list)


@dataclass
class Opinions:
    """What somebody says of uncertain merges.

    Args:
        headlines: of pairs of articles.
        items: of pairs of events of articles.
    """

    headlines: PairOpinions = field(default_factory=PairOpinions)
    items: PairOpinions = field(default_factory=PairOpinions)


@dataclass(frozen=True, eq=False)
class Grouping:
    """All that decides which events of articles are one event.

    Args:
        corrected: what persons have told apart, whatever anybody else says.
    """

    headlines: ScoredHeadlines
    found: ArticleEvents
    corrected: CorrectedEvents

    def groups(self, opinions: Opinions | None = None, uncertain: UncertainMerges | None = None) -> list[list[int]]:
        """The items of each event.

        Args:
            uncertain: receives the merges near the threshold.
        """
        of = opinions or Opinions()
        reports = self.headlines.groups(
            [*self.corrected.headlines_apart, *of.headlines.apart],
            of.headlines.together,
            None if uncertain is None else uncertain.headlines,
        )
        apart = [(self.found.item(one), self.found.item(other)) for one, other in self.corrected.apart]
        return self.found.groups(
            reports,
            apart=[*apart, *of.items.apart],
            together=of.items.together,
            uncertain=None if uncertain is None else uncertain.items,
        )
