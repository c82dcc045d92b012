"""The bytes of each format as they stand in a file, and the command that writes them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lab.tests.exchange.made_up import EXAMPLES
from tests.golden import check_text

from whywire_lab.exchange.bio import to_bio
from whywire_lab.exchange.brat import ANNOTATION_CONF, to_brat
from whywire_lab.exchange.cnc_csv import to_cnc_csv
from whywire_lab.exchange.formats import detect_format, read_annotations, write_annotations
from whywire_lab.exchange.jsonl import to_jsonl
from whywire_lab.exchange.squad import to_squad

GOLDEN = Path(__file__).parent / "golden"


def test_each_format_is_written_as_it_always_was():
    check_text(to_jsonl(EXAMPLES), GOLDEN / "examples.jsonl")
    check_text(to_cnc_csv(EXAMPLES), GOLDEN / "examples.csv")
    check_text(to_bio(EXAMPLES), GOLDEN / "examples.bio")
    check_text(to_squad(EXAMPLES), GOLDEN / "examples.json")
    check_text(to_brat(EXAMPLES[0]), GOLDEN / "brat/chain-1.ann")
    check_text(to_brat(EXAMPLES[1]), GOLDEN / "brat/паводок%2F2.ann")
    check_text(ANNOTATION_CONF, GOLDEN / "brat/annotation.conf")


def test_webanno_is_written_as_it_always_was():
    pytest.importorskip("cassis")
    from whywire_lab.exchange.webanno import to_webanno

    xmi, types = to_webanno(EXAMPLES)
    check_text(xmi.decode(), GOLDEN / "examples.xmi")
    check_text(types.decode(), GOLDEN / "TypeSystem.xml")


@pytest.mark.parametrize("name", ["examples.jsonl", "examples.csv", "examples.bio", "brat", "examples.xmi"])
def test_each_golden_file_is_read(name):
    if name.endswith("xmi"):
        pytest.importorskip("cassis")
    read = read_annotations(str(GOLDEN / name))
    assert read.problems == ()
    assert sorted(read.sentences, key=lambda one: one.id) == sorted(EXAMPLES, key=lambda one: one.id)


def test_formats_are_detected_by_the_ending(tmp_path):
    names = ["a.jsonl", "b.CSV", "c.ann", "d.conll", "e.xmi", "f.zip", "g.json", "h.jsonl.gz", str(tmp_path), "new/"]
    assert [detect_format(name) for name in names] == [
        "jsonl", "arg", "brat", "bio", "webanno", "webanno", "squad", "jsonl", "brat", "brat",
    ]  # fmt: skip


def convert(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "whywire", "convert", *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


def test_the_command_converts_there_and_back(tmp_path):
    done = convert(GOLDEN / "examples.jsonl", f"{tmp_path}/brat/")
    assert done.returncode == 0, done.stderr
    done = convert(tmp_path / "brat", "-", "--to", "jsonl")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert {row["id"] for row in rows} == {one.id for one in EXAMPLES}
    assert "3 sentences with 5 relations" in done.stderr.decode()


def test_the_command_reads_pipes_and_names_what_it_cannot_use():
    done = convert("-", "-", "--from", "jsonl", "--to", "bio", stdin='{"text": "All well."}\n{"id": 2}\n')
    assert done.returncode == 0
    assert "standard input:2: there is no text" in done.stderr.decode()
    assert done.stdout.decode().startswith("# sent_id = 1\n")
    done = convert("-", "-", "--from", "jsonl", "--to", "bio", "--strict", stdin='{"text": "All well."}\n{"id": 2}\n')
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.jsonl", "out.bio"], "nowhere.jsonl"),
        (["-", "out.bio"], "does not show the format"),
        (["-", "out.bio", "--from", "xml"], "there is no format 'xml'"),
        (["-", "out.bio", "--from", "squad"], "squad holds questions"),
        (["-", "out.bio", "--from", "jsonl"], "there is no sentence"),
        ([str(GOLDEN / "brat"), "out.ann"], "holds one sentence, not 3"),
    ],
)
def test_unusable_input_is_status_2(arguments, words, tmp_path):
    arguments = [str(tmp_path / one) if one.startswith("out") else one for one in arguments]
    done = convert(*arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_help_teaches_the_formats():
    shown = convert("--help").stdout.decode()
    for word in ("jsonl", "brat", "webanno", "squad", "<ARG0>", "Example"):
        assert word in shown


def test_a_refused_sentence_leaves_no_output(tmp_path):
    from whywire.errors import InputError
    from whywire_lab.exchange.annotated_sentences import AnnotatedSentence

    with pytest.raises(InputError):
        write_annotations([AnnotatedSentence("1", "\ud800")], str(tmp_path / "out.csv"))
    assert list(tmp_path.iterdir()) == []
