"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

logger = logging.getLogger("whywire.service")

_STANDARD = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Writes a record as JSON: time, level, logger, message, and whatever fields the caller added."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        row: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        row |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info:
            row["error"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=True, default=str)


def log_to(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Send the logs of the service, of the server and of the feeds to a stream; return the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in ("whywire", "uvicorn"):
        own = logging.getLogger(name)
        own.handlers[:] = [handler]
        own.setLevel(level)
        own.propagate = False
    logging.getLogger("uvicorn.access").disabled = True  # the service writes its own line, with the request id
    return handler
