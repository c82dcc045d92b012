"""A service whose database goes away for a while: it says so, and goes on when the database is back."""

import time

import pytest
from tests.service.servers import running
from tests.store.postgresql import running_server, why_not

from whywire.service.settings import Settings


@pytest.mark.slow
@pytest.mark.skipif(why_not() is not None, reason=f"{why_not()}")
def test_readiness_goes_red_and_green_with_the_database_and_nothing_is_lost(fake_models, example_lines):
    with (
        running_server() as database,
        running(Settings(store=database.make_database(), port=0), fake_models) as service,
    ):
        key = service.key("write")
        assert service.get("/readyz").status_code == 200
        bulk = {"content": example_lines, "headers": {**key, "content-type": "application/x-ndjson"}}
        rows = service.post("/v1/articles/bulk", **bulk).text.splitlines()
        database.stop()
        try:
            for path in ("/readyz", "/v1/status", "/v1/events", "/metrics", "/"):
                answer = service.get(path)
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "5"), path
                assert "postgresql" not in answer.text
            assert service.post("/v1/articles", json={"title": "Dam holds"}, headers=key).status_code == 503
            assert service.get("/healthz").status_code == 200
        finally:
            database.start()
        end = time.monotonic() + 30
        while service.get("/readyz").status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.1)
        service.settle(120)
        assert service.get("/v1/status").json()["articles"] == len(rows)
        assert service.context.store.check() == []
