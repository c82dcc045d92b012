"""Commands, run in this process."""

import json

from typer.testing import CliRunner

from whywire.cli.app import app


def run(*arguments, fails=None, stdin=None, **environment):
    """What a command writes to standard output; with ``fails`` the message of the error of that kind it ends in.

    An environment variable that is ``None`` is not there.
    """
    settings = {"COLUMNS": "200", "NO_COLOR": "1"} | environment
    done = CliRunner().invoke(app, list(map(str, arguments)), env=settings, input=stdin)
    if fails:
        assert isinstance(done.exception, fails), done.output
        return str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def rows(*arguments, **options):
    """The JSON lines that a command writes."""
    return [json.loads(line) for line in run(*arguments, **options).splitlines()]
