"""Keys of the API: made and shown once, kept as hashes.

A key is ``ww_PREFIX_SECRET``. It is looked up by its prefix; the hash of the whole is compared in constant time. The
secret has 256 random bits, so a fast hash is as good as a slow one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from whywire.errors import InputError
from whywire.store import ApiKey, Store

MARK = "ww"
PREFIX_BYTES, SECRET_BYTES = 6, 32
MAX_KEY_CHARS = 200


class Scope(StrEnum):
    """What a key allows; each scope includes those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key and its secret token, which cannot be looked up later."""

    key: ApiKey
    token: str


class Keys:
    """The keys of a store; open it with :func:`keys`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def make(self, name: str, scopes: Collection[Scope | str] = (Scope.READ, Scope.WRITE)) -> NewKey:
        """Make a key.

        Args:
            name: who or what uses it, for the list.
            scopes: what it allows: ``read``, ``write``, ``admin``.

        Raises:
            InputError: the name is blank, or a scope is unknown.
        """
        name = " ".join(name.split())
        if not name:
            raise InputError("a key needs a name", hint="such as the program that will use it")
        wanted, hint = set(map(str, scopes)), f"known are {', '.join(Scope)}"
        if unknown := sorted(wanted - set(Scope)):
            raise InputError(f"there is no scope {unknown[0]!r}", hint=hint)
        if not wanted:
            raise InputError("a key needs a scope", hint=hint)
        prefix, secret = secrets.token_hex(PREFIX_BYTES), secrets.token_urlsafe(SECRET_BYTES)
        token = f"{MARK}_{prefix}_{secret}"
        ordered = tuple(scope.value for scope in Scope if scope in wanted)
        key = ApiKey(prefix, name, prefix, hashed(token), ordered, datetime.now(UTC))
        self._store.add_key(key)
        return NewKey(key, token)

    def list(self) -> list[ApiKey]:
        """Return all keys, revoked ones included, oldest first."""
        return self._store.keys()

    def revoke(self, id: str) -> ApiKey:  # noqa: A002
        """Revoke a key: requests with it are refused from now on.

        Raises:
            InputError: there is no such key, or it is already revoked.
        """
        if not self._store.revoke_key(id, datetime.now(UTC)):
            in_force = [key.id for key in self.list() if key.revoked is None]
            hint = f"in force are {', '.join(in_force)}" if in_force else "no key is in force"
            raise InputError("no key in force has this id", where=id, hint=hint)
        return next(key for key in self.list() if key.id == id)


def keys(store: str | Path, *, read_only: bool = False) -> Keys:
    """Open the keys of a store, to make, list and revoke them.

    >>> with whywire.keys("whywire.db") as keys:
    ...     token = keys.make("the feed reader", ["write"]).token

    Args:
        store: a path, or an address such as ``postgresql://…``; a missing file is created.
        read_only: keys can only be listed; nothing is created or changed.

    Raises:
        InputError: the address cannot be used, or the store is of an unknown version.
        MissingExtraError: the extra *service* is not installed.
    """
    return Keys(Store.open(store, read_only=read_only))


def hashed(token: str) -> str:
    """Return the hash of a token, which is all that the store keeps of it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def find_key(store: Store, token: str) -> ApiKey | None:
    """Return the key in force with this token; ``None`` if there is none."""
    mark, _, rest = token[:MAX_KEY_CHARS].partition("_")
    prefix = rest.partition("_")[0]
    if mark != MARK or len(prefix) != 2 * PREFIX_BYTES or not prefix.isalnum() or not prefix.isascii():
        return None
    key = store.find_key(prefix)
    same = hmac.compare_digest(hashed(token), key.hash if key else hashed(""))
    return key if key and same and key.revoked is None else None


def allows(key: ApiKey, wanted: Scope) -> bool:
    """Return whether one of the key's scopes is at least as wide as the wanted one."""
    order = list(Scope)
    return any(order.index(Scope(scope)) >= order.index(wanted) for scope in key.scopes)
