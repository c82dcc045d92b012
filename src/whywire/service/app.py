"""The ASGI application: routes, pages and guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware

from whywire.language_models import LanguageModels
from whywire.service import problems
from whywire.service.context import Context
from whywire.service.guards import Guards, HeadRequests, Proxies
from whywire.service.keys import Scope
from whywire.service.pages import explain_unknown
from whywire.service.pages import router as pages
from whywire.service.rows import COMPONENTS
from whywire.service.settings import Settings
from whywire.service.v1 import router as v1
from whywire.service.v1.operations import probes

DESCRIPTION = """Articles in; events, links with their evidence, stories, claims and answers out.

Rows are those of the commands. Every list has `items` and `next`, a cursor for the next page. Every error is
`application/problem+json` of one shape. Writing needs a key: `Authorization: Bearer …`.
"""


def create_app(settings: Settings, *, models: LanguageModels | None = None) -> FastAPI:
    """Return the application; it opens its store at start-up.

    Args:
        models: loaded models; the embedded ones by default.
    """
    context = Context(settings, models)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await anyio.to_thread.run_sync(context.open)
        context.notifier.start()
        try:
            yield
        finally:
            await context.notifier.close()
            await anyio.to_thread.run_sync(context.close)

    app = FastAPI(
        title="Whywire",
        version=version("whywire"),
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,  # the usual pages load their scripts from elsewhere
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.context = context
    _describe(app, settings)
    problems.add_handlers(app, unknown=explain_unknown)
    app.include_router(v1)
    app.include_router(probes)
    app.include_router(pages)
    app.add_middleware(HeadRequests)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=[
                *("authorization", "content-type", "last-event-id", "if-none-match", "x-request-id", "x-annotator")
            ],
            expose_headers=["etag", "link", "retry-after", "x-request-id"],
        )
    app.add_middleware(Guards, context=context)
    app.add_middleware(Proxies, settings=settings)
    return app


def _describe(app: FastAPI, settings: Settings) -> None:
    """Add the schemas of rows and errors to the OpenAPI description, and mark the routes that need no key."""

    def description() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            schemas = schema.setdefault("components", {}).setdefault("schemas", {})
            schemas |= {**COMPONENTS, "Problem": problems.PROBLEM_SCHEMA}
            for methods in schema["paths"].values() if settings.open_reading else ():
                for route in methods.values():
                    if route.get("security") == [{Scope.READ.value: []}]:
                        route["security"].append({})  # or no key
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = description  # type: ignore[method-assign]
