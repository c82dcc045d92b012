"""The pages of the service for people, in English and Russian."""

from whywire.service.pages.routes import router

__all__ = ["router"]
