"""The page of the API has every route and every field of the description, and nothing else is needed to use it."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from tests.service.pages.conftest import Pages
from tests.service.servers import Running


@pytest.fixture(scope="module")
def description(week: Running) -> dict[str, Any]:
    found: dict[str, Any] = week.get("/v1/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def page(week: Running) -> str:
    return week.get("/api").text


def routes(description: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            yield method, path, route


def section(page: str, anchor: str) -> str:
    """The text of an article of the page."""
    (found,) = re.findall(
        rf'<article class="route" aria-labelledby="{re.escape(anchor)}">(.*?)</article>', page, re.DOTALL
    )
    return html.unescape(found)


def test_every_route_is_there_with_its_parameters_and_answers(description: dict[str, Any], page: str) -> None:
    errors = html.unescape(page[page.index('id="errors"') : page.index('id="rows"')])
    for method, path, route in routes(description):
        told = section(page, "-".join([method, *re.findall(r"\w+", path)]))
        assert f"<code>{method.upper()} {path}</code>" in told
        for parameter in route.get("parameters", ()):
            assert f"<code>{parameter['name']}</code>" in told
            for value in parameter["schema"].get("minimum"), parameter["schema"].get("maximum"):
                assert value is None or str(value) in told
        for status in route["responses"]:
            assert f"<b>{status}</b>" in told + errors
        assert ("Needs no key" in told) == ({} in route["security"])


def objects(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of rows, and those of bodies with what they define, each with its anchor on the page."""
    for name, schema in description["components"]["schemas"].items():
        yield f"row-{name}", schema
    for method, path, route in routes(description):
        anchor = "-".join([method, *re.findall(r"\w+", path)])
        for body in route.get("requestBody", {}).get("content", {}).values():
            for schema in (body["schema"], *body["schema"].get("$defs", {}).values()):
                yield anchor, schema


def test_every_property_of_every_row_and_body_is_there(description: dict[str, Any], page: str) -> None:
    for anchor, schema in objects(description):
        told = section(page, anchor)
        for name, inner in schema.get("properties", {}).items():
            assert f"<code>{name}</code>" in told, f"{anchor} lacks {name}"
            for value in inner.get("enum", ()):
                assert str(value) in told
        for value in schema.get("enum", ()):
            assert str(value) in told


def test_every_link_on_the_page_leads_somewhere(page: str) -> None:
    anchors = re.findall(r'id="([^"]+)"', page)
    assert len(anchors) == len({*anchors})
    assert {*re.findall(r'href="#([^"]+)"', page)} <= {*anchors}


def test_the_commands_can_be_pasted(week: Running, page: str) -> None:
    commands = [html.unescape(one) for one in re.findall(r"<pre tabindex=\"0\">(curl .*?)</pre>", page, re.DOTALL)]
    assert len(commands) > 20
    for command in commands:
        assert week.url in command
        assert shlex.split(command)[0] == "curl"
    asked = next(one for one in commands if one.endswith("/v1/status"))
    done = subprocess.run(shlex.split(asked), capture_output=True, text=True, check=True)
    assert '"articles":' in done.stdout


def test_it_is_found_from_every_page_and_reads_without_scripts(pages: Pages) -> None:
    page = pages.open("/guide", java_script_enabled=False)
    page.locator("footer").get_by_role("link", name="API").click()
    page.locator(".contents").get_by_role("link", name="GET /v1/stories", exact=True).click()
    assert page.url.endswith("/api#get-v1-stories")
    page.locator("#get-v1-stories").wait_for()
    russian = pages.open("/api", locale="ru-RU")
    assert "Параметры" in russian.locator(".route").nth(1).inner_text()
    assert russian.locator(".reference").get_attribute("lang") == "en"
