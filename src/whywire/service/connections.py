"""Connections that are closed when a request does not begin in time: the server itself waits without end."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a limit on the time from the first byte of a request's head, or from the connection, to its last.

    What comes after the head is timed by the guards, which can answer.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:  # in the middle of a head
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None:
            seconds: float = self.config.app.state.context.settings.limits.seconds_between_chunks  # type: ignore[union-attr]
            self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
