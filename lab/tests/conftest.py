"""What the tests share with those of Whywire."""

from tests.conftest import ROOT, example

__all__ = ["ROOT", "example"]
