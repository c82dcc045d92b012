"""The methods of ``whywire.Client`` for campaigns of annotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from whywire.client.connection import Connection
from whywire.graph.codec import Row
from whywire.output import json_text

ITEMS_AT_ONCE, BYTES_AT_ONCE = 5_000, 1_000_000
"""The most items or votes of one request, and about the most bytes."""


class CampaignMethods:
    """Making campaigns, and reading what people answered. All need a key that may write, but for the list."""

    _service: Connection

    def campaigns(self) -> list[Row]:
        """Rows of all campaigns, the latest first."""
        return list(self._service.get("/v1/campaigns")["items"])

    def campaign(self, campaign_id: str) -> Row:
        """The row of a campaign.

        Raises:
            ServiceError: there is no such campaign.
        """
        return dict(self._service.get(_path(campaign_id)))

    def make_campaign(
        self,
        title: str,
        kind: str,
        items: Iterable[Mapping[str, Any]],
        *,
        language: str = "en",
        rules: Mapping[str, Any] | None = None,
        guide: str = "",
    ) -> Row:
        """Make a campaign; return its row, with its ``id``.

        Args:
            kind: relation, grouping, counterfactual, spans, strength or graph.
            items: rows in the form of the kind.
            rules: those that differ from the usual ones of the kind, such as ``overlap``.
            guide: what is added to the guidelines of the kind.

        Raises:
            ServiceError: a row or a rule cannot be used; the campaign may have some of the items.
        """
        first, *others = [*_in_parts(items)] or [[]]
        given = {"title": title, "kind": kind, "language": language, "rules": dict(rules or {}), "guide": guide}
        row = dict(self._service.post("/v1/campaigns", {**given, "items": first}))
        for part in others:
            row = self.add_items(row["id"], part)
        return row

    def add_items(self, campaign_id: str, items: Iterable[Mapping[str, Any]]) -> Row:
        """Add items to a campaign; return its row."""
        for part in _in_parts(items):
            self._service.post(_path(campaign_id, "items"), {"items": part})
        return self.campaign(campaign_id)

    def change_campaign(self, campaign_id: str, **changes: object) -> Row:
        """Change ``title``, ``guide``, ``rules`` or ``open`` of a campaign; return its row."""
        return dict(self._service.patch(_path(campaign_id), changes))

    def remove_campaign(self, campaign_id: str) -> Row:
        """Remove a campaign with all its items, people and answers; return its row."""
        return dict(self._service.delete(_path(campaign_id)))

    def items(self, campaign_id: str) -> Iterator[Row]:
        """Rows of the items of a campaign, with their gold answers."""
        return self._service.items(_path(campaign_id, "items"))

    def votes(self, campaign_id: str) -> Iterator[Row]:
        """Rows of what everybody answered, by item and person."""
        return self._service.items(_path(campaign_id, "votes"))

    def import_votes(self, campaign_id: str, votes: Iterable[Mapping[str, Any]]) -> int:
        """Send votes that were given elsewhere; return how many are new or changed.

        Args:
            votes: rows with ``item``, ``person``, ``answer``, and perhaps ``seconds`` and ``at``.
        """
        changed = 0
        for part in _in_parts(votes):
            changed += self._service.post(_path(campaign_id, "votes"), {"votes": part})["changed"]
        return changed

    def results(self, campaign_id: str, method: str = "majority") -> list[Row]:
        """What the answers to each item of work say.

        Args:
            method: how labels are decided: majority, dawid-skene or skill.
        """
        return list(self._service.get(_path(campaign_id, "results"), method=method)["items"])

    def people(self, campaign_id: str) -> Row:
        """What each person has done (``items``), and what is left to do (``estimate``)."""
        return dict(self._service.get(_path(campaign_id, "people")))

    def withdraw_answers(self, campaign_id: str, person: str) -> Row:
        """Let the answers of a person count no more."""
        return dict(self._service.post(_path(campaign_id, "people", person, "withdraw"), {}))

    def restore_answers(self, campaign_id: str, person: str) -> Row:
        """Let the answers of a person count again."""
        return dict(self._service.post(_path(campaign_id, "people", person, "restore"), {}))


def _path(*names: str) -> str:
    return "/".join(["/v1/campaigns", *(quote(name, safe="") for name in names)])


def _in_parts(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The rows in parts that fit a request."""
    part: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        bytes_of_row = len(json_text(row).encode())
        if part and (len(part) == ITEMS_AT_ONCE or size + bytes_of_row > BYTES_AT_ONCE):
            yield part
            part, size = [], 0
        part.append(row)
        size += bytes_of_row
    if part:
        yield part
