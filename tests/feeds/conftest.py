"""What tests of feeds need: the libraries of the extra, and a site."""

import pytest
from tests.feeds.sites import serving_site

for package in ("httpx2", "feedparser", "listparser", "protego", "trafilatura"):
    pytest.importorskip(package, reason="the extra feeds is not installed")


@pytest.fixture
def site():
    with serving_site() as site:
        yield site
