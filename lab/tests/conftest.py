"""What the tests share with those of Whywire."""

from tests.conftest import ROOT, example, pytest_collection_modifyitems

__all__ = ["ROOT", "example", "pytest_collection_modifyitems"]
