"""No library that Whywire uses speaks to the network, or leaves anything in the home folder of who runs it."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")

SENDING = "connect,sendto,sendmsg,sendmmsg"
"""The system calls by which anything reaches another machine, a name server among them."""

USES = {
    "bare": (
        "onnxruntime",
        "import onnxruntime; from whywire import SentenceReader;"
        "SentenceReader.from_pretrained('sentences-en').read(['Fuel ran short because of the fire.'])",
    ),
    "grammar": (
        "spacy",
        "from whywire import SentenceReader;"
        "from whywire.sentences.counterfactual.contrapositive import with_contrapositives;"
        "told = ['Had the dam held, the town would not have flooded.'];"
        "with_contrapositives(told, SentenceReader.from_pretrained('sentences-en').read(told))",
    ),
    "times": ("dateparser", "import dateparser; dateparser.parse('3 мая 2020')"),
    "rdf": (
        "rdflib",
        "from whywire import CausalGraph; from whywire.graph.exports import TEXT_FORMATS;"
        "TEXT_FORMATS['turtle'](CausalGraph())",
    ),
    "exchange": ("cassis", "import cassis; cassis.Cas().to_xmi()"),
    "chat": (
        "openai",
        "import httpx2, platformdirs; from whywire.models.chat import ChatEndpoint;"
        "ChatEndpoint('http://127.0.0.1:9/v1', 'tiny'); httpx2.Client().close()",
    ),
    "feeds": (
        "feedparser",
        "import whywire, whywire.feeds.watcher, whywire.feeds.states, whywire.feeds.articles;"
        "import feedparser, listparser, trafilatura, fastwarc, protego;"
        "from whywire.feeds.parsing import read_feed; from whywire.feeds.subscriptions import read_opml;"
        "from whywire.news.web_pages import read_page;"
        'given = b\'<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/"><rss version="2.0"><channel><item><title>x</title>'
        "<link>http://127.0.0.1:9/</link></item></channel></rss>';"
        "read_feed(given, url='http://127.0.0.1:9/'); read_opml(b'<opml><outline xmlUrl=\"http://127.0.0.1:9/\"/></opml>');"
        "read_page(b'<html><head><title>x</title></head><body><article><p>' + b'It rained all day. ' * 20"
        " + b'</p><img src=\"http://127.0.0.1:9/\"></article></body></html>', url='http://127.0.0.1:9/');"
        "from whywire.feeds.client import GuardedClient; GuardedClient()",
    ),
    "service": (
        "fastapi",
        "import whywire.service.app, whywire.service.serving; from whywire.service.settings import Settings;"
        "from whywire.service.app import create_app; create_app(Settings(store='news.db')).openapi()",
    ),
    "client": ("httpx2", "import whywire; whywire.Client('http://127.0.0.1:9').close()"),
    "parquet": ("pyarrow", "import pyarrow.parquet"),
    "bench": (
        "catboost",
        "import catboost, sklearn.linear_model, scipy.stats, sklearn_crfsuite, rapidfuzz, simplemma;"
        "simplemma.lemmatize('ran', 'en')",
    ),
    "train": ("transformers", "import torch, transformers, onnx, sentencepiece"),
}


def trace(tmp_path, *command):
    """What a command sent to the network, and the files it left in the home folder, prepared models left out."""
    home, log = tmp_path / "home", tmp_path / "sent"
    home.mkdir()
    # neither CI, in which the runtime keeps quiet by itself, nor anything that turns it off
    kept = ("PATH", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV")
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "signal=none", "-e", f"trace={SENDING}", "-o", log, *command],
        env={name: os.environ[name] for name in kept if name in os.environ} | {"HOME": str(home)},
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    sent = [line for line in log.read_text().splitlines() if "AF_UNIX" not in line]
    prepared = home / ".cache" / "whywire" / "models"
    return sent, [path for path in home.rglob("*") if path.is_file() and prepared not in path.parents]


@pytest.fixture(scope="module", autouse=True)
def _tracing_works(tmp_path_factory):
    """Skip where processes cannot be traced, and fail where a trace would not show what is sent."""
    folder = tmp_path_factory.mktemp("tracing")
    done = subprocess.run(["strace", "-o", folder / "log", "true"], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"processes cannot be traced here: {done.stderr.decode()}")
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))"
    sent, _ = trace(folder, sys.executable, "-c", code)
    assert len(sent) == 1


@pytest.mark.slow
def test_a_build_sends_nothing_and_leaves_nothing_behind(tmp_path):
    lines = (ROOT / "examples" / "news.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "news.jsonl").write_text("\n".join([*lines[:6], *lines[-6:]]), encoding="utf-8")
    assert trace(tmp_path, sys.executable, "-m", "whywire", "build", "news.jsonl", "--out", "graph") == ([], [])
    assert (tmp_path / "graph" / "report.html").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("extra", USES)
def test_no_library_of_an_extra_does(tmp_path, extra):
    package, code = USES[extra]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    assert trace(tmp_path, sys.executable, "-c", f"import whywire; {code}") == ([], [])


@pytest.mark.slow
def test_a_cluster_on_this_machine_asks_no_other(tmp_path):
    ray = pytest.importorskip("ray")
    code = "import whywire; whywire.RayEngine().close()"
    sent, _ = trace(tmp_path, sys.executable, "-c", code)
    addresses = {name for line in sent for name in re.findall(r'(?:inet_addr\(|AF_INET6, )"([^"]+)"', line)}
    own = {"127.0.0.1", "::1", ray.util.get_node_ip_address()}
    asked = {name.removeprefix("::ffff:") for name in addresses} - own
    assert asked <= {"8.8.8.8"}  # to see which way there is; nothing is sent


def test_who_wants_the_telemetry_of_the_runtime_can_say_so():
    code = "import whywire, os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    for given, used in (({}, "1"), ({"ORT_DISABLE_TELEMETRY": "0"}, "0")):
        environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"} | given
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        assert done.stdout.decode().strip() == used
