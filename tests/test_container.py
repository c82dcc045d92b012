"""The container files name what there is: extras, files, options; and nothing else goes into the image."""

import json
import re
import tomllib
from fnmatch import fnmatch

import pytest
from typer.main import get_command

from tests.conftest import ROOT
from whywire.cli.app import app

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COPIED = [
    source
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    for source in sources.split()
]


def options(words):
    """The options of a command line that starts with a command of the program."""
    known = {name for parameter in get_command(app).commands[words[0]].params for name in parameter.opts}
    given = {word.partition("=")[0] for word in words[1:] if word.startswith("--")}
    return given, known


def test_the_image_has_extras_that_there_are():
    [extras] = re.findall(r'install .*"\.\[(.+)\]"', DOCKERFILE)
    assert (
        set(extras.split(","))
        == {"service", "feeds", "postgres"}
        <= PROJECT["project"]["optional-dependencies"].keys()
    )


def test_the_build_gets_what_the_wheel_needs_and_no_more():
    project, wheel = PROJECT["project"], PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", project["readme"], *project["license-files"], *wheel["force-include"], "src"}
    assert set(COPIED) == needed
    assert all((ROOT / name).exists() for name in needed)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == needed
    assert not [name for name in needed for line in ignored[1:] if not line.startswith("!") and fnmatch(name, line)]


def test_both_stages_have_one_python_that_the_project_takes():
    [version] = set(re.findall(r"^FROM python:(\S+)-slim", DOCKERFILE, re.MULTILINE))
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert [int(part) for part in version.split(".")] >= [int(part) for part in least.split(".")]


def test_the_image_is_rootless_and_serves():
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", last, re.MULTILINE)
    assert not re.search(r"\b(apt|apt-get|pip)\b", last)
    [command] = re.findall(r"^CMD (\[.+\])$", last, re.MULTILINE)
    given, known = options(json.loads(command))
    assert given <= known
    compile(re.search(r"urlopen.*\)", last)[0], "HEALTHCHECK", "exec")


def test_the_composition_gives_options_that_there_are():
    yaml = pytest.importorskip("yaml")
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = composed["services"]
    given, known = options(services["whywire"]["command"])
    assert given <= known
    [store] = [parameter for parameter in get_command(app).commands["serve"].params if "--store" in parameter.opts]
    assert store.envvar in services["whywire"]["environment"]
    assert store.envvar in DOCKERFILE
    named = {
        volume.partition(":")[0] for one in services.values() for volume in one["volumes"] if isinstance(volume, str)
    }
    assert named == composed["volumes"].keys()
    assert services["whywire"]["depends_on"].keys() == {"database"} < services.keys()
