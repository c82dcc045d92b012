"""List the rooms, their lines and their imports; fail where an import leads upward or in a circle.

A room is a folder or a file right under ``src/whywire``. ``FLOORS`` lists them from the ground up: a room imports
only rooms of lower floors. Inside of a room its files import each other in no circle.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {"whywire": ROOT / "src", "whywire_lab": ROOT / "lab" / "src"}

FLOORS = (
    ("errors", "progress"),
    ("isolation",),
    ("output", "news", "models"),
    ("elements", "feeds"),
    ("correction",),
    ("sentences", "reading"),
    ("pairs",),
    ("language_models",),
    ("events",),
    ("links", "annotation"),
    ("graph",),
    ("answers", "second_opinions"),
    ("pipeline",),
    ("engines",),
    ("building", "updating"),
    ("store",),
    ("api",),
    ("client", "service"),
    ("cli",),
    ("__init__", "__main__"),
)
"""The rooms of Whywire, from the ground up."""


def modules() -> dict[str, Path]:
    """The files of both distributions by their dotted names."""
    found = {}
    for folder in SOURCES.values():
        for path in sorted(folder.rglob("*.py")):
            name = ".".join(path.relative_to(folder).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports, wherever in it, but for those only a checker of types reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in known:
                    yield name
                elif node.module in known:
                    yield node.module


def room(module: str) -> str:
    """The room of a module."""
    package, *inner = module.split(".")
    if package == "whywire_lab":
        return "lab"
    return inner[0] if inner else "__init__"


def main() -> int:
    """Print the rooms and say what is wrong with their imports; return how many things are."""
    known = modules()
    shape = nx.DiGraph(
        (name, other) for name, path in known.items() for other in imports(path, known) if other != name
    )
    lines = Counter[str]()
    for name, path in known.items():
        lines[room(name)] += len(path.read_text(encoding="utf-8").splitlines())
    floor_of = {name: number for number, names in enumerate(FLOORS, 1) for name in names} | {"lab": len(FLOORS) + 1}
    arrows = {(room(a), room(b)) for a, b in shape.edges if room(a) != room(b)}
    for name in sorted(lines, key=lambda name: (-floor_of.get(name, 0), name)):
        below = ", ".join(sorted(target for source, target in arrows if source == name))
        print(f"{floor_of.get(name, '?'):>2}  {name:16}{lines[name]:>7,}  {below}")
    product = sum(count for name, count in lines.items() if name != "lab")
    print(f"{len(lines)} rooms, {len(arrows)} arrows; Whywire {product:,} lines, the lab {lines['lab']:,}")
    wrong = [f"{name} stands on no floor" for name in sorted(set(lines) - set(floor_of))]
    wrong += [
        f"{a} imports {b}, which leads up"
        for a, b in sorted(shape.edges)
        if room(a) != room(b) and floor_of.get(room(b), 0) >= floor_of.get(room(a), 0)
    ]
    wrong += [
        "a circle: " + " → ".join(circle)
        for circle in map(sorted, nx.strongly_connected_components(shape))
        if len(circle) > 1
    ]
    for line in wrong:
        print(line)
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
