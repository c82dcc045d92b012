"""Keeps news and its causal graph in a database: SQLite by default, PostgreSQL for a server."""

from whywire.errors import MissingExtraError

try:
    from whywire.store.records import (
        Accepted,
        Action,
        Annotator,
        AnswerRefusedError,
        ApiKey,
        Arrival,
        Asked,
        CorrectionState,
        Counts,
        Facet,
        FacetKind,
        Feed,
        Lease,
        LeaseLostError,
        ListedCampaign,
        ListedCorrection,
        NoItem,
        Outcome,
        Page,
        RecordedChange,
        StaleStateError,
        StoreAwayError,
        StoryFilter,
        StorySummary,
        Topic,
        TopicChange,
        TopicKind,
        Watch,
    )
    from whywire.store.states import StoredState
    from whywire.store.store import Store
    from whywire.store.worker import Worker
except ModuleNotFoundError as missing:
    if (missing.name or "").split(".")[0] not in ("sqlalchemy", "alembic"):
        raise
    raise MissingExtraError(str(missing.name), "service") from missing

__all__ = [
    "Accepted",
    "Action",
    "Annotator",
    "AnswerRefusedError",
    "ApiKey",
    "Arrival",
    "Asked",
    "CorrectionState",
    "Counts",
    "Facet",
    "FacetKind",
    "Feed",
    "Lease",
    "LeaseLostError",
    "ListedCampaign",
    "ListedCorrection",
    "NoItem",
    "Outcome",
    "Page",
    "RecordedChange",
    "StaleStateError",
    "Store",
    "StoreAwayError",
    "StoredState",
    "StoryFilter",
    "StorySummary",
    "Topic",
    "TopicChange",
    "TopicKind",
    "Watch",
    "Worker",
]
