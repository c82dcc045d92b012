"""``whywire.verify_webhook``: whether a message came from a service of Whywire, by the scheme of Standard Webhooks.

The signature is an HMAC-SHA256, with the secret as its key, of ``id.timestamp.body``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

from whywire.errors import InputError

PREFIX = "whsec_"
SECRET_BYTES = 32

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
"""The headers of a signed message."""

VERSION = "v1"
"""The version of a signature: symmetric."""

TOLERANCE = 300.0
"""Seconds by which the time of a message may differ from that of the receiver."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, tolerance: float = TOLERANCE
) -> dict[str, Any]:
    """Check the signature and the time of a message of a webhook, and return the message.

    A message may come again, with the same ``webhook-id``: remember the last ids, or the last change.

    >>> message = whywire.verify_webhook(secret, request.headers, request.body)
    >>> for change in message["data"]["changes"]:
    ...     print(change["kind"], change["details"])

    Args:
        secret: as it was shown when the webhook was set: ``whsec_…``.
        headers: of the request; their names may be written in any case.
        body: of the request, as it was received, not parsed and written again.
        tolerance: seconds by which the time of the message may differ from now: an older one may be a copy that
            somebody recorded.

    Returns:
        ``type`` (``watch.changes`` or ``watch.test``), ``timestamp`` and ``data``.

    Raises:
        InputError: a header is missing, the message was signed with another secret or changed, it is too old, or the
            secret is not one.
    """
    given = {name.lower(): value for name, value in headers.items()}
    if missing := [name for name in (ID, TIMESTAMP, SIGNATURE) if name not in given]:
        raise InputError(f"the message is not signed: there is no header {missing[0]}")
    content = body.encode() if isinstance(body, str) else body
    timestamp = given[TIMESTAMP]
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16):
        raise InputError("the time of the message is not a number of seconds")
    expected = sign(secret, given[ID], int(timestamp), content)
    signatures = given[SIGNATURE].split()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
        raise InputError("the message was signed with another secret, or changed on its way")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise InputError(f"the message is more than {tolerance:g} seconds old", hint="is the clock right?")
    message: dict[str, Any] = json.loads(content)
    return message


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message.

    Args:
        timestamp: seconds since 1970.

    Raises:
        InputError: the secret is not one.
    """
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("not a secret of a webhook", hint=f"it begins with {PREFIX}") from error
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return f"{VERSION},{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def make_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
