"""The pages of the service for people, in English and Russian."""

from whywire.service.pages.rendering import explain_unknown
from whywire.service.pages.routes import router

__all__ = ["explain_unknown", "router"]
