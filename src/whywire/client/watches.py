"""The methods of ``whywire.Client`` for watches: topics that are followed, and their webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from whywire.client.connection import Connection
from whywire.graph.codec import Row


class WatchMethods:
    """What a client does with watches.

    >>> made = news.add_watch("place", "Texas", webhook="https://desk.example/hooks/texas")
    ... made["secret"]  # for whywire.verify_webhook; shown only now
    """

    _service: Connection

    def watches(self) -> Iterator[Row]:
        """Rows of all watches, the latest first."""
        return self._service.items("/v1/watches")

    def watch(self, watch_id: str) -> Row:
        """The row of a watch.

        Raises:
            ServiceError: there is no such watch.
        """
        return dict(self._service.get(_path(watch_id)))

    def add_watch(self, kind: str, value: str, *, name: str | None = None, webhook: str | None = None) -> Row:
        """Follow a topic from now on; return its row, with the ``secret`` of its webhook.

        Args:
            kind: words, place or story.
            value: the words, the place, or the id of the story.
            name: what readers call it; by default its topic.
            webhook: the address of https to which changes are posted.

        Raises:
            ServiceError: there is no such place or story, or the webhook may not be used.
        """
        return dict(
            self._service.post("/v1/watches", {"kind": kind, "value": value, "name": name, "webhook": webhook})
        )

    def change_watch(self, watch_id: str, **changes: object) -> Row:
        """Change ``name``, ``webhook`` or ``paused`` of a watch; return its row.

        A webhook that is set, also to the same address, has a new ``secret``, which is in this row only.
        """
        return dict(self._service.patch(_path(watch_id), changes))

    def remove_watch(self, watch_id: str) -> Row:
        """Follow a topic no longer; return the row of the watch."""
        return dict(self._service.delete(_path(watch_id)))

    def test_watch(self, watch_id: str) -> Row:
        """Send a message without changes to the webhook once; return whether it was ``taken``, and the ``reason``."""
        return dict(self._service.post(f"{_path(watch_id)}/test", {}))


def _path(watch_id: str) -> str:
    return f"/v1/watches/{quote(watch_id, safe='')}"
