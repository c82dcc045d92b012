"""A PostgreSQL server in a temporary folder: started for tests, reached by a socket, removed afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where distributions put the programs of the server, the latest version first."""

ACCOUNT = "postgres"
"""The server refuses to run as root; the packages of distributions make this account for it."""


class PostgreSQL:
    """A running server.

    Args:
        folder: holds its data and its socket.
        programs: the folder of ``initdb``, ``pg_ctl``, ``pg_dump``.
    """

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self._numbers = count(1)

    def url(self, database: str) -> str:
        return f"postgresql://{ACCOUNT}@/{database}?host={self.folder}"

    def make_database(self, template: str | None = None) -> str:
        """The url of a new database: an empty one, or a copy of one that nobody has open."""
        name = f"news_{os.getpid()}_{next(self._numbers)}"
        copied = ["-T", template.split("/")[3].split("?")[0]] if template else []
        self.run("createdb", "-h", str(self.folder), "-U", ACCOUNT, *copied, name)
        return self.url(name)

    def run(self, program: str, *arguments: str) -> str:
        return _run(self.programs / program, *arguments)

    def start(self) -> None:
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_connections=60 -c fsync=off"
        )
        log = self.folder / "log"
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", settings, "-l", str(log), "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")


def why_not() -> str | None:
    """Why no server can be started here; ``None`` if one can."""
    if not PLACES:
        return "no PostgreSQL server is installed"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(ACCOUNT)
        except KeyError:
            return f"PostgreSQL does not run as root, and there is no account {ACCOUNT!r}"
    return None


@contextmanager
def running_server() -> Iterator[PostgreSQL]:
    """A server with no databases of ours yet; it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short, for the path of a socket has at most 107 bytes
    server = PostgreSQL(folder, PLACES[0])
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, ACCOUNT)
        server.run(
            "initdb", "-D", str(folder / "data"), "-U", ACCOUNT, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
        )
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *arguments: str) -> str:
    command = [str(program), *arguments]
    if os.geteuid() == 0:
        command = ["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--clear-groups", *command]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd="/",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{program.name} failed: {done.stdout}")
    return done.stdout
