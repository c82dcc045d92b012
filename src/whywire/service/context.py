"""What the routes and pages of a running service share: its settings, the store, the models, the metrics."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

from whywire.language_models import LanguageModels
from whywire.service.metrics import Metrics
from whywire.service.passes import Passes
from whywire.service.settings import Settings


class Context:
    """A running service.

    Args:
        models: the embedded ones by default.

    Attributes:
        store: open while the service runs.
        passes: where work that keeps a processor busy is done; never call a model on the event loop.
    """

    store: Any

    def __init__(self, settings: Settings, models: LanguageModels | None = None) -> None:
        self.settings = settings
        self.models = models or LanguageModels()
        self.metrics = Metrics()
        self.passes = Passes(settings.limits.passes, settings.limits.waiting, self.metrics)
        self.ready = False

    def open(self) -> None:
        """Open the store."""
        self.ready = True

    def stop(self) -> None:
        """Take no more work; called when the service is asked to stop, before requests in flight end."""
        self.ready = False

    def close(self) -> None:
        """Finish the work at hand and close the store."""
        self.passes.close()


def context_of(request: Request) -> Context:
    """The service that answers a request."""
    context: Context = request.app.state.context
    return context


Service = Annotated[Context, Depends(context_of)]
"""A parameter of a route: the service that answers."""
