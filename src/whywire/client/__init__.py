"""A client of a service, of the same shape as ``import whywire``."""
