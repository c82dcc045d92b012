"""``whywire.annotate``: the campaigns of a store in which people label news."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from whywire.annotation.campaigns import Campaign, Vote, rules_of
from whywire.annotation.items import Item, Kind
from whywire.api.annotation import Labels, labels_of, read_items, read_votes
from whywire.api.stores import open_store
from whywire.errors import InputError
from whywire.news import Language

if TYPE_CHECKING:
    from whywire.store import ListedCampaign, Store


class Campaigns:
    """The campaigns of a store; open it with :func:`annotate`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def list(self) -> Sequence[ListedCampaign]:
        """All campaigns, the latest first, with how far they are."""
        return self._store.campaigns()

    def find(self, campaign: str | None = None) -> ListedCampaign:
        """A campaign, and how far it is.

        Args:
            campaign: its id; may be left out if the store has only one, here and below.

        Raises:
            InputError: there is no such campaign, or it is not clear which one is meant.
        """
        known = {listed.campaign.id: listed for listed in self.list()}
        if campaign is None and len(known) == 1:
            return next(iter(known.values()))
        hint = f"name one with --campaign: {', '.join(known)}" if known else "`whywire annotate create` makes one"
        if campaign is None and known:
            raise InputError(f"which of {len(known)} campaigns is meant?", where=self._store.name, hint=hint)
        if campaign not in known:
            missing = "there is no campaign" + (f" {campaign}" if campaign else "")
            raise InputError(missing, where=self._store.name, hint=hint)
        return known[campaign]

    def make(
        self,
        items: str | Path | Iterable[Item],
        title: str,
        *,
        kind: Kind | str | None = None,
        language: Language | str = Language.ENGLISH,
        rules: Mapping[str, Any] | None = None,
        guide: str = "",
    ) -> Campaign:
        """Make a campaign.

        Args:
            items: a file of JSON lines, or items.
            title: what people see.
            kind: of the items; by default what their fields say.
            language: English or Russian.
            rules: those that differ from the usual ones of the kind, such as ``overlap``.
            guide: what is added to the guidelines of the kind.

        Raises:
            InputError: an item or a rule cannot be used, or there are too many.
        """
        if Language(language) is Language.OTHER:
            raise InputError("campaigns are in English or Russian", hint="the language is en or ru")
        of_kind, known = _items(items, kind)
        made = Campaign(
            id=f"t-{secrets.token_hex(6)}",
            title=" ".join(title.split()),
            kind=of_kind,
            language=Language(language).value,
            made=datetime.now(UTC),
            rules=rules_of(of_kind, rules or {}),
            guide=guide,
            seed=secrets.randbelow(2**31),
        )
        self._store.add_campaign(made, known)
        return made

    def add(self, items: str | Path | Iterable[Item], campaign: str | None = None) -> int:
        """Add items to a campaign; return how many.

        Raises:
            InputError: an item cannot be used, or there are too many; or it is not clear which campaign is meant.
        """
        found = self.find(campaign).campaign
        _, more = _items(items, found.kind)
        self._store.add_items(found.id, more)
        return len(more)

    def open(self, campaign: str | None = None, *, is_open: bool = True) -> None:
        """Give out items, or no more; what people are answering now is taken anyway.

        Raises:
            InputError: it is not clear which campaign is meant.
        """
        self._store.change_campaign(msgspec.structs.replace(self.find(campaign).campaign, open=is_open))

    def remove(self, campaign: str) -> None:
        """Remove a campaign with all its items, people and answers.

        Raises:
            InputError: there is no such campaign.
        """
        self._store.remove_campaign(self.find(campaign).campaign.id)

    def labels(self, campaign: str | None = None) -> Labels:
        """The items of a campaign, and what people answered.

        Raises:
            InputError: it is not clear which campaign is meant.
        """
        return labels_of(self._store, self.find(campaign).campaign.id)

    def import_votes(
        self,
        votes: str | Path | Iterable[str | Path | Vote],
        campaign: str | None = None,
        *,
        person: str | None = None,
    ) -> tuple[int, int]:
        """Take votes that were given elsewhere, all or none; return how many were read, and are new or changed.

        Args:
            votes: files of JSON lines, sheets that were filled in, or votes.
            person: who filled the sheets in, where they do not say.

        Raises:
            InputError: a vote cannot be used, or would change an answer given in the browser.
        """
        found, at = self.find(campaign).campaign, datetime.now(UTC)
        known = self._store.items(found.id)
        given: list[Vote] = []
        for one in [votes] if isinstance(votes, str | Path) else votes:
            given += [one] if isinstance(one, Vote) else read_votes(one, found.kind, known, person=person, at=at)
        return len(given), self._store.import_votes(found.id, given)

    def withdraw(self, person: str, campaign: str | None = None) -> None:
        """Let the answers of a person count no more; others are asked in their place.

        Raises:
            InputError: there is no such person.
        """
        self._exclude(person, campaign, excluded=True)

    def restore(self, person: str, campaign: str | None = None) -> None:
        """Let the answers of a person count again.

        Raises:
            InputError: there is no such person.
        """
        self._exclude(person, campaign, excluded=False)

    def erase(self, person: str, campaign: str | None = None) -> None:
        """Erase a person and all their answers; backups that were made before still have them.

        Raises:
            InputError: there is no such person.
        """
        if not self._store.erase_annotator(self.find(campaign).campaign.id, person):
            raise self._nobody(person)

    def _exclude(self, person: str, campaign: str | None, *, excluded: bool) -> None:
        if not self._store.exclude_annotator(self.find(campaign).campaign.id, person, excluded=excluded):
            raise self._nobody(person)

    def _nobody(self, person: str) -> InputError:
        hint = "`whywire annotate people` lists them"
        return InputError(f"nobody is called {person}", where=self._store.name, hint=hint)


def annotate(store: str | Path, *, create: bool = True, read_only: bool = False) -> Campaigns:
    """Open the campaigns of a store, in which people label news; needs the extra *service*.

    >>> with whywire.annotate("news.db") as campaigns:
    ...     campaigns.make("items.jsonl", "Pairs of March", rules={"overlap": 5})
    ...     # people answer at /annotate of `whywire serve`
    ...     for result in campaigns.labels().results("dawid-skene"):
    ...         print(result.item, result.answer, result.share)

    Args:
        store: a path, or an address such as ``postgresql://…``.
        create: make a missing store; otherwise a missing store is an error.
        read_only: create and change nothing.

    Raises:
        InputError: there is no store, it is of an unknown version, or the address is not that of a store.
        MissingExtraError: the extra *service* is not installed.
    """
    return Campaigns(open_store(store, create=create, read_only=read_only))


def _items(items: str | Path | Iterable[Item], kind: Kind | str | None) -> tuple[Kind, list[Item]]:
    if isinstance(items, str | Path):
        of_kind, known = read_items(items, kind)
        return of_kind, list(known.values())
    given = list(items)
    kinds = {one for one in Kind for item in given if type(item) is one.item_type} | ({Kind(kind)} if kind else set())
    if len(kinds) != 1:
        raise InputError("the items of a campaign are of one kind", hint=f"known are {', '.join(Kind)}")
    return kinds.pop(), given
