"""Joining a cluster of Ray, and what Ray does on the way that nobody asked for."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from whywire.errors import WhywireError
from whywire.models.encoder import usable_cores

STORE_BYTES = 256 * 2**20
"""Shared memory of a cluster on this machine; a part takes a few megabytes."""

ANSWER_SECONDS = 2.0
"""How long the head of a cluster may take to accept a connection."""


def join(address: str | None) -> bool:
    """Join a cluster, or start one on this machine; return whether this process is to leave it in the end.

    Args:
        address: as for :class:`~whywire.engines.ray_engine.RayEngine`.

    Raises:
        WhywireError: there is no cluster, or it refuses this process.
    """
    import ray

    if ray.is_initialized():
        return False
    hint = "`ray status` on a node shows whether the cluster runs; token authentication must be set here as there"
    if address is not None and address != "auto" and not answers(address):  # Ray would try for two minutes
        raise WhywireError("nothing answers at this address of a cluster", where=address, hint=hint)
    on_stop = signal.getsignal(signal.SIGTERM)
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {
            "address": "local",
            "num_cpus": usable_cores(),
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
        }
    try:
        with offline():
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
    except Exception as error:  # of a dozen kinds
        reason = " ".join(str(error).split())[:300]
        raise WhywireError(f"cannot join the cluster: {reason}", where=address, hint=hint) from error
    if on_stop is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, on_stop)  # Ray's own ends the process in the middle of its work
    return True


def answers(address: str) -> bool:
    """Whether something listens at ``host:port``."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS):
            return True
    except (OSError, ValueError):
        return False


def is_known() -> bool:
    """Whether the head that answers is that of the cluster that was joined.

    One that was started anew refuses this question. Most other questions Ray answers by ending the process.
    """
    from ray.exceptions import RayError
    from ray.experimental import internal_kv

    try:
        internal_kv._internal_kv_exists(b"whywire")
    except RayError:
        return False
    return True


@contextmanager
def offline() -> Iterator[None]:
    """Let processes of Ray that are started meanwhile fetch nothing.

    A head asks services of clouds whether it runs there, and reports that it is not to report: telemetry that is
    turned off is not silent. A proxy that does not exist keeps it in.
    """
    before = {name: os.environ.get(name) for name in ("HTTP_PROXY", "HTTPS_PROXY")}
    os.environ |= dict.fromkeys(before, "http://127.0.0.1:9")
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
