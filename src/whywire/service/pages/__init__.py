"""The pages of the service for people, in English and Russian."""

from whywire.service.pages.routes import router
from whywire.service.pages.unknown_addresses import explain_unknown

__all__ = ["explain_unknown", "router"]
