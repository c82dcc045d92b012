"""The service: an API under ``/v1``, pages for people, and the worker that keeps the graph up to date."""

from importlib.util import find_spec

from whywire.errors import MissingExtraError

for _package in ("fastapi", "jinja2", "prometheus_client", "sqlalchemy", "uvicorn"):
    if find_spec(_package) is None:
        raise MissingExtraError(_package, "service")
