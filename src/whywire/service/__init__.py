"""The service: an API under ``/v1``, pages for people, and the worker that keeps the graph up to date."""
