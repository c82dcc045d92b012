"""The command, the API and the page answer *why* alike."""

from html import unescape
from urllib.parse import quote

import pytest
from tests.cli.commands import rows
from tests.cli.conftest import DRUG

import whywire
from whywire import LanguageModels

for package in ("fastapi", "httpx2", "sqlalchemy"):
    pytest.importorskip(package, reason="the extra service is not installed")

from tests.service.servers import running  # noqa: E402

from whywire.service.settings import Settings  # noqa: E402
from whywire.store import subgraphs  # noqa: E402

ASKED = (
    "Why did pharmacies run out of Veltrazin?",
    "Почему закрыли порт?",
    "Pharmacies in Port Ellery run out of Veltrazin",
    "Veltrazin",
)
"""A question with an answer and one without, the title of an event, and an entity that several events name."""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("drug") / "news.db"
    whywire.build(DRUG, store=path)
    return path


@pytest.fixture(scope="module")
def service(store):
    with running(Settings(store=store, port=0, works=False), LanguageModels()) as service:
        yield service


@pytest.mark.parametrize("most", [subgraphs.MAX_WHOLE, 0], ids=["small", "as if it were large"])
@pytest.mark.parametrize("asked", ASKED)
def test_the_three_answer_alike(asked, most, store, service, monkeypatch):
    by_command = rows("why", asked, "--news", store, "--json", "--limit", 8)
    monkeypatch.setattr(subgraphs, "MAX_WHOLE", most)
    assert rows("why", asked, "--news", store, "--json", "--limit", 8) == by_command
    assert service.get(f"/v1/why?question={quote(asked)}&limit=8").json()["items"] == by_command
    page = unescape(service.get(f"/why?q={quote(asked)}").text)
    for row in by_command:
        for shown in (row.get("answer"), row.get("denied"), row.get("cause") and row["cause"]["title"]):
            assert shown is None or shown in page
