"""Schemathesis against the real server: what the description of the API says holds, whatever is sent."""

import subprocess
import sys

import pytest
from tests.service.servers import running

from whywire.service.settings import Settings

pytest.importorskip("schemathesis", reason="schemathesis is not installed (extra dev)")

pytestmark = pytest.mark.slow

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,unsupported_method,use_after_free,ignored_auth,missing_required_header"
)
EXAMPLES = 12
"""Of each route; the phase `coverage` has many more of its own."""

NOT_ASKED = ("/v1/changes/stream", "/v1/articles/bulk")
"""The one does not end; the body of the other is of a type that schemathesis cannot make."""


@pytest.fixture
def generous(tmp_path, fake_models, example):
    """A service with a few articles that nobody is too fast for."""
    with running(Settings(store=tmp_path / "news.db", port=0, requests_per_minute=1e9), fake_models) as one:
        one.context.store.accept(example[:12])
        one.settle()
        yield one


def test_the_description_holds_whatever_is_sent(generous, tmp_path):
    exclude = [word for path in NOT_ASKED for word in ("--exclude-path", path)]
    key = generous.key("admin")["authorization"]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{generous.url}/v1/openapi.json"),
            *("--header", f"Authorization: {key}", *exclude, "--checks", CHECKS),
            *("--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing", "--seed", "1"),
            *(
                "--request-timeout",
                "30",
                "--suppress-health-check",
                "all",
                "--no-color",
                "--generation-database",
                "none",
            ),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
