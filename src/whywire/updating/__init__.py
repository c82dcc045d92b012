"""Updates of a graph with articles that come one by one or in batches, in any order, even late or twice."""

from whywire.updating.changes import Change, ChangeKind, Changes, LinkKey, link_key
from whywire.updating.state import State
from whywire.updating.update import renew, update

__all__ = [
    "Change",
    "ChangeKind",
    "Changes",
    "LinkKey",
    "State",
    "link_key",
    "renew",
    "update",
]
