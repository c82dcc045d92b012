"""Requests to a service: addresses, keys, errors, pages and streams, in one place."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from whywire.errors import InputError, MissingExtraError, WhywireError
from whywire.graph.codec import Row

if TYPE_CHECKING:
    import httpx2

MAX_ATTEMPTS = 4
"""The most requests to a service that is busy."""

MAX_PAUSE = 60.0
"""The longest wait in seconds, even if the service asks for a longer one."""

PAGE = 200
"""Items of a page."""

BUSY = (429, 503)
"""Statuses after which a request is sent again."""


class ServiceError(WhywireError):
    """A service refused a request, or did not answer.

    Args:
        status: the HTTP status; ``None`` if no answer came.
        errors: what is wrong with each field or row, as ``{"where": …, "reason": …}``.
        request_id: the id of the request in the log of the service.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        errors: Iterable[Mapping[str, str]] = (),
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.status, self.errors, self.request_id = status, tuple(errors), request_id


class Connection:
    """A service at an address.

    Args:
        url: without the ``/v1``.
        key: a key of the service.
        timeout: seconds that the service may be silent.
    """

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        try:
            import httpx2
        except ModuleNotFoundError as missing:
            raise MissingExtraError("httpx2", "client") from missing
        if not url.startswith(("http://", "https://")):
            raise InputError("the address of a service begins with http:// or https://", where=url)
        self.url = url.rstrip("/")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.Client(
            base_url=self.url, headers=headers, timeout=timeout, follow_redirects=True, trust_env=False
        )
        self._failures = (httpx2.TransportError, httpx2.DecodingError)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, /, **params: object) -> Any:
        """The JSON at a path; parameters that are ``None`` are left out."""
        return self._json(self._answer("GET", path, **params))

    def text(self, path: str, **params: object) -> str:
        """The text at a path."""
        return self._answer("GET", path, **params).content.decode("utf-8", "replace")

    def post(self, path: str, row: object) -> Any:
        """Send a JSON value; return the JSON of the answer."""
        return self._json(self._answer("POST", path, row))

    def put(self, path: str, row: object) -> Any:
        """Put a JSON value at a path; return the JSON of the answer."""
        return self._json(self._answer("PUT", path, row))

    def patch(self, path: str, row: object) -> Any:
        """Change what is at a path by a JSON value; return the JSON of the answer."""
        return self._json(self._answer("PATCH", path, row))

    def delete(self, path: str) -> Any:
        """Delete what is at a path; return the JSON of the answer."""
        return self._json(self._answer("DELETE", path))

    def ask(self, path: str, rows: Iterable[Row], at_once: int, **more: object) -> Iterator[Row]:
        """Send rows to a question, ``at_once`` in a request; yield them with their answers.

        Raises:
            InputError: a row cannot be used.
        """
        items = list(rows)
        for start in range(0, len(items), at_once):
            answers = self.post(path, {"items": items[start : start + at_once], **more})
            for number, row in enumerate(answers["items"], start):
                if "error" in row:
                    raise InputError(str(row["error"]), where=f"item {number}")
                yield row

    def items(self, path: str, **params: object) -> Iterator[Row]:
        """All items of a list, page by page."""
        cursor: str | None = None
        while True:
            page = self.get(path, **{"limit": PAGE, **params}, after=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def send_lines(self, path: str, lines: Iterable[bytes]) -> Iterator[Row]:
        """Send JSON lines as they are made; yield the lines that answer them."""
        headers = {"content-type": "application/x-ndjson"}
        with self._stream("POST", path, content=iter(lines), headers=headers, timeout=None) as answer:
            for line in answer.iter_lines():
                if line:
                    yield json.loads(line)

    def events(self, path: str, last: int | None) -> Iterator[Row]:
        """The data of server-sent events, without end: a stream that breaks off is resumed after its last event."""
        pause = 1.0
        while True:
            headers = {} if last is None else {"last-event-id": str(last)}
            try:
                with self._stream("GET", path, headers=headers) as answer:
                    for line in answer.iter_lines():
                        if line.startswith("data:"):
                            row = json.loads(line[5:])
                            last, pause = row["id"], 1.0
                            yield row
            except ServiceError as error:
                if error.status is not None and error.status not in BUSY:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)

    def _answer(self, method: str, path: str, row: object = None, /, **params: object) -> httpx2.Response:
        """Send a request, and again while the service is busy; return the answer."""
        given: Any = {name: value for name, value in params.items() if value is not None}
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                answer = self._http.request(method, path, params=given, json=row)
            except self._failures as error:
                raise self._unreachable(error) from error
            if answer.status_code not in BUSY or attempt == MAX_ATTEMPTS:
                break
            asked = answer.headers.get("retry-after", "")
            time.sleep(min(float(asked) if asked.isdecimal() else 1.0, MAX_PAUSE))
        if answer.status_code >= 300:
            raise self._refused(answer)
        return answer

    @contextmanager
    def _stream(self, method: str, path: str, **options: Any) -> Iterator[httpx2.Response]:
        try:
            with self._http.stream(method, path, **options) as answer:
                if answer.status_code >= 300:
                    answer.read()
                    raise self._refused(answer)
                yield answer
        except self._failures as error:
            raise self._unreachable(error) from error

    def _json(self, answer: httpx2.Response) -> Any:
        try:
            return answer.json()
        except ValueError as error:
            raise ServiceError("the answer is not one of Whywire", where=self.url) from error

    def _unreachable(self, error: Exception) -> ServiceError:
        what = str(error) or type(error).__name__
        return ServiceError(
            f"the service does not answer: {what}", where=self.url, hint="is `whywire serve` running?"
        )

    def _refused(self, answer: httpx2.Response) -> ServiceError:
        try:
            row = answer.json()
            errors = list(map(dict, row["errors"]))
            reasons = "; ".join(f"{wrong['where']}: {wrong['reason']}" for wrong in errors)
            return ServiceError(
                str(row["detail"]),
                where=self.url,
                hint=reasons or None,
                status=answer.status_code,
                errors=errors,
                request_id=str(row["request_id"]),
            )
        except (ValueError, LookupError, TypeError):
            message = f"HTTP {answer.status_code}, and the answer is not one of Whywire"
            return ServiceError(message, where=self.url, status=answer.status_code)
