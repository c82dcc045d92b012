"""The documentation site: Sphinx reads the Markdown of the repository as it stands; ``make docs`` builds it.

The source folder is the repository's root, so a link between two pages works on the site and on a forge alike.
Dead links and dead anchors are warnings, and ``make docs`` turns warnings into errors.
"""

import shutil
from importlib.metadata import version as installed_version
from pathlib import Path

from sphinx.application import Sphinx

project = "Whywire"
release = version = installed_version("whywire")
copyright = "the Whywire authors, Apache-2.0"  # noqa: A001  # Sphinx' name
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "examples/README.md",
    "lab/README.md",
    "lab/docs/*.md",
    "lab/src/whywire_lab/labels/README.md",
    "src/whywire/models/weights/*/README.md",
]
exclude_patterns = [".*", ".*/**", "out/**", "runs/**", "build/**", "dist/**"]
html_theme = "furo"
html_title = f"Whywire {release}"
html_copy_source = False
myst_heading_anchors = 4
autodoc_member_order = "groupwise"
autodoc_typehints = "description"

NAVIGATION: dict[str, dict[str, list[str]]] = {
    root_doc: {
        "Use it": [
            "docs/commands",
            "docs/service",
            "docs/pages",
            "docs/annotation",
            "docs/operating",
            "docs/cluster",
            "docs/api",
            "docs/formats",
            "docs/glossary",
            "examples/README",
        ],
        "How good it is": ["docs/results/README", "docs/experiments/README", "lab/docs/training"],
        "Model cards": ["src/whywire/models/weights/*/README"],
        "How it works": [
            "docs/architecture",
            "docs/decisions/README",
            "lab/README",
            "lab/src/whywire_lab/labels/README",
        ],
        "The project": ["CHANGELOG", "CONTRIBUTING", "SECURITY"],
    },
    "docs/decisions/README": {"Decisions": ["[0-9]*"]},
    "docs/results/README": {"Results": ["[a-z]*"]},
    "docs/experiments/README": {"Experiments": ["[a-z]*"]},
}
"""The side bar: chapters and their pages below a page. They are added here, so that the pages stay plain Markdown."""


def _add_navigation(_app: Sphinx, page: str, source: list[str]) -> None:
    for caption, pages in NAVIGATION.get(page, {}).items():
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def _make_index(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.name == "html":
        shutil.copyfile(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    """Connect what stands above to Sphinx."""
    app.connect("source-read", _add_navigation)
    app.connect("build-finished", _make_index)
