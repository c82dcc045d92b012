"""What the tests share with those of Whywire."""

from tests.conftest import ROOT, example, folder_once, pytest_collection_modifyitems

__all__ = ["ROOT", "example", "folder_once", "pytest_collection_modifyitems"]
