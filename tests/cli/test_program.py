"""What holds for every command: its panel, its help, its public function, its section in the documents."""

import inspect
import os
import re
import subprocess
import sys
from importlib import metadata

import pytest
from tests.cli.commands import run
from tests.conftest import ROOT
from typer.main import get_command

import whywire
from whywire.cli.app import LAB, LAB_PANEL, PANELS, app

COMMANDS = tuple(name for names in PANELS.values() for name in names)

WITHOUT_LAB = """
import importlib.metadata as metadata
metadata.entry_points = lambda **asked: metadata.EntryPoints()
from whywire.cli.app import main
main()
"""
"""Runs the program as where whywire-lab is not installed."""


@pytest.fixture(scope="module")
def listed():
    """The commands that the help lists, by panel."""
    panels, panel = {}, None
    for line in run("--help").splitlines():
        if found := re.match(r"╭─ (.+?) ─+╮", line):
            panel = panels.setdefault(found[1], [])
        elif (found := re.match(r"│ ([a-z]+) ", line)) and panel is not None:
            panel.append(found[1])
    return panels


def section(page, name):
    """What a page says under the heading of a command."""
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def without_lab(*arguments):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_LAB, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


def test_the_help_lists_every_command_in_its_panel_once(listed):
    assert {panel: tuple(listed[panel]) for panel in PANELS} == PANELS
    assert sorted(listed[LAB_PANEL]) == sorted(LAB)
    assert list(listed) == ["Options", *PANELS, LAB_PANEL]


def test_there_is_no_command_outside_the_panels():
    assert set(get_command(app).commands) == {*COMMANDS, *LAB}


@pytest.mark.parametrize("name", [*COMMANDS, *LAB])
def test_the_help_of_a_command_says_what_it_does_and_ends_in_an_example(name):
    shown = run(name, "--help")
    assert len(get_command(app).commands[name].get_short_help_str(200)) > 20
    example = shown.split("Example:")[1]
    assert f"whywire {name}" in example


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_mirrors_a_documented_public_function(name):
    function = getattr(whywire, name)
    assert name in whywire.__all__
    documented = inspect.getdoc(function)
    assert re.search(rf"^>>> .*whywire\.{name}\(", documented, re.MULTILINE)
    assert "Raises:" in documented


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_section_with_an_example_in_the_tour(name):
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"whywire {name} " in section(page, name)


@pytest.mark.parametrize("name", LAB)
def test_a_command_of_the_lab_has_a_section_with_an_example(name):
    page = (ROOT / "lab" / "README.md").read_text(encoding="utf-8")
    assert f"whywire {name} " in section(page, name)


def test_the_lab_adds_the_commands_that_the_program_knows_of():
    assert metadata.entry_points(group="whywire.commands").names == set(LAB)


@pytest.mark.parametrize("typed", ["bench --help", "bench hlgd --data data", "data list"])
def test_without_the_lab_its_commands_say_what_to_install(typed):
    name, *rest = typed.split()
    done = without_lab(name, *rest)
    assert done.returncode == 1
    assert f"'{name}' is a command of whywire-lab" in done.stderr
    assert "pip install whywire-lab" in done.stderr


def test_without_the_lab_its_commands_are_not_listed():
    done = without_lab("--help")
    assert done.returncode == 0
    assert "build" in done.stdout
    assert not any(re.search(rf"│ {name} ", done.stdout) for name in LAB)


@pytest.mark.parametrize(
    ("shell", "typed", "offered"),
    [
        ("bash", "whywire ti", {"timeline"}),
        ("bash", "whywire export --t", {"--to"}),
        ("bash", "whywire score --judge e", {"embedded", "ensemble"}),
        ("zsh", "whywire score --judge e", {"embedded", "ensemble"}),
        ("fish", "whywire score --judge e", {"embedded", "ensemble"}),
    ],
)
def test_a_shell_completes_commands_options_and_values(shell, typed, offered):
    asked = {
        "bash": {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": typed},
        "fish": {"_TYPER_COMPLETE_ARGS": typed, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv = ['whywire']; from whywire.__main__ import main; main()"],
        capture_output=True,
        text=True,
        env=os.environ | asked | {"_WHYWIRE_COMPLETE": f"complete_{shell}"},
        check=False,
    )
    found = set(re.findall(r"-*\w[\w-]+", done.stdout.removeprefix("_arguments")))
    assert found == offered, done.stdout + done.stderr
