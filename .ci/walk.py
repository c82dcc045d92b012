"""Follow two articles of one story to a link, through a build and through an update, and print the way.

A stop is the first call of a function from another file. Calls inside a file do not count: its reader has it open. A
return is a stop in a file that was left before, so the reader must open it again. Only the rooms that decide what a
graph holds (``DECIDING``) are counted; what they take from lower rooms is clear by its name. The models are the
rule-based ones of the tests.

    python .ci/walk.py            # both ways, file by file
    python .ci/walk.py --brief    # the number of stops and returns
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "whywire"
PREFIX = str(SOURCES)
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.fake_models import FakeLanguageModels  # noqa: E402

from whywire.building import build  # noqa: E402
from whywire.news import read_row  # noqa: E402
from whywire.updating import State, update  # noqa: E402

DECIDING = ("pipeline", "updating", "events", "links", "graph")
"""The rooms in which stops are counted."""

MAX_RETURNS = 10
"""Returns on the way of a build, at most."""

NEWS = [
    read_row(
        {
            "title": title,
            "text": f"Shops closed early across the valley because a heavy storm cut power lines near Tarn{end}.",
            "published": f"2026-03-02T{hour}:00Z",
        }
    )[0]
    for title, end, hour in (
        ("Heavy storm cuts power lines near Tarn", "", "08"),
        ("Power lines near Tarn cut by heavy storm", " on Monday", "20"),
    )
]

Stop = tuple[str, list[str]]
"""A file of the product, and functions of it in the order in which they are called first."""


def walk(work: Callable[[], object]) -> list[Stop]:
    """The stops on the way of some work."""
    stops: list[Stop] = []
    seen = set()

    def enter(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        path = Path(code.co_filename)
        if event != "call" or code in seen or code.co_name.startswith("<") or not path.is_relative_to(SOURCES):
            return
        seen.add(code)
        file = path.relative_to(SOURCES)
        caller = frame.f_back
        while caller and (caller.f_code.co_name.startswith("<") or not caller.f_code.co_filename.startswith(PREFIX)):
            caller = caller.f_back
        if file.with_suffix("").parts[0] not in DECIDING or (caller and caller.f_code.co_filename == str(path)):
            return
        if not stops or stops[-1][0] != file.as_posix():
            stops.append((file.as_posix(), []))
        stops[-1][1].append(code.co_qualname)

    sys.setprofile(enter)
    try:
        work()
    finally:
        sys.setprofile(None)
    return stops


def returns(stops: list[Stop]) -> list[int]:
    """The indices of the stops in files that had been left before."""
    files = [file for file, _ in stops]
    return [number for number, file in enumerate(files) if file in files[:number]]


def show(name: str, stops: list[Stop], *, brief: bool) -> None:
    """Print a way."""
    back = returns(stops)
    print(f"{name}: {len(stops)} stops in {len({file for file, _ in stops})} files, {len(back)} returns")
    if not brief:
        for number, (file, functions) in enumerate(stops):
            print(f"  {'↩' if number in back else ' '} {file}: {', '.join(functions)}")


def main() -> int:
    """Print both ways; fail where a build returns too often, or an update goes through fewer files than a build."""
    brief = "--brief" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        models = FakeLanguageModels(Path(folder))
        built = walk(lambda: build(NEWS, models=models))
        state = State()
        updated = walk(lambda: update(state, NEWS, models=models))
        assert build(NEWS, models=models).graph.links, "the articles of this script must give a link"
    show("build", built, brief=brief)
    show("update", updated, brief=brief)
    return int(len(returns(built)) > MAX_RETURNS)


if __name__ == "__main__":
    sys.exit(main())
