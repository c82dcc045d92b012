"""Updates of a graph by articles that come: one by one or in batches, in any order, late or twice."""

from whywire.updating.changes import Change, ChangeKind, Changes, LinkKey, link_key
from whywire.updating.finished import OPEN_DAYS
from whywire.updating.model_answers import ModelAnswers, text_key
from whywire.updating.state import State
from whywire.updating.update import is_time_to_settle, update

__all__ = [
    "OPEN_DAYS",
    "Change",
    "ChangeKind",
    "Changes",
    "LinkKey",
    "ModelAnswers",
    "State",
    "is_time_to_settle",
    "link_key",
    "text_key",
    "update",
]
