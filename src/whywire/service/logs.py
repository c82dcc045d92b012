"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter
from datetime import UTC, datetime
from typing import TextIO

logger = logging.getLogger("whywire.service")

MAX_LINES, MAX_WARNINGS = 6000, 300
"""Lines a minute of one logger and level; warnings and errors may have a traceback."""

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


class LineLimit(logging.Filter):
    """Lets so many lines a minute of each logger and level through, and says in the next how many it left out."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0
        self._lines: Counter[tuple[str, int]] = Counter()
        self._left_out: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        minute = int(record.created // 60)
        if minute != self._minute:
            self._minute = minute
            self._lines.clear()
        kind = (record.name, record.levelno)
        self._lines[kind] += 1
        if self._lines[kind] > (MAX_LINES if record.levelno < logging.WARNING else MAX_WARNINGS):
            self._left_out[kind] += 1
            return False
        if left_out := self._left_out.pop(kind, 0):
            record.left_out = left_out
        return True


def log_to(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Send the logs of the service, of the server and of the feeds to a stream; return the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(LineLimit())
    for name in ("whywire", "uvicorn", "asyncio"):
        own = logging.getLogger(name)
        own.handlers[:] = [handler]
        own.setLevel(level)
        own.propagate = False
    logging.getLogger("uvicorn.access").disabled = True  # the service writes its own line, with the request id
    return handler
