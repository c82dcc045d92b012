"""The documentation names what there is: every command has its section, every decision is in the index."""

import re

import whywire
from tests.conftest import ROOT
from whywire.cli.app import PANELS


def test_every_command_has_a_section_in_the_tour():
    sections = re.findall(r"^## ([a-z]+)$", (ROOT / "docs" / "commands.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == [name for names in PANELS.values() for name in names]


def test_the_index_lists_every_decision():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[a-z-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_the_page_of_each_section_is_linked_from_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert {name for name in pages if f"docs/{name}" not in readme} == set()


def test_every_public_name_has_its_place_in_the_reference():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\.\. auto(?:function|class|exception):: (\w+)$", text, re.MULTILINE)) == sorted(
        whywire.__all__
    )


def test_the_files_that_pages_name_are_there():
    roots = [
        ROOT,
        *(ROOT / name for name in ("src/whywire", "lab", "lab/src/whywire_lab", "lab/src/whywire_lab/corpora")),
    ]
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    named = {
        name for page in pages for name in re.findall(r"`([a-z_./]*(?:\.py|/))`", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert {name for name in named if not any((root / name).exists() for root in roots)} == set()
