import builtins
import csv
import gzip
import io
import json
import os
import sys
import threading
import tracemalloc
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whywire.errors import InputError, MissingExtraError
from whywire.news import Article, Problem, detect_language, read_news, to_row
from whywire.news.row_files import read_json, read_parquet
from whywire.news.text_files import decode

ROW = {"id": "a", "title": "Storm hits the coast", "text": "It rained.\nAll day.", "language": "en"}
LINE = json.dumps(ROW).encode()


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(*paths):
    found = list(read_news(paths))
    return [item for item in found if isinstance(item, Article)], [
        item for item in found if isinstance(item, Problem)
    ]


def titles(*paths):
    articles, problems = read(*paths)
    assert problems == []
    return [article.title for article in articles]


def test_json_lines(tmp_path):
    path = write(tmp_path / "news.jsonl", LINE + b"\r\n\n  \n" + b'{"title": "Rates fall"}')
    articles, problems = read(path)
    assert [article.title for article in articles] == ["Storm hits the coast", "Rates fall"]
    assert articles[0].text == ROW["text"]
    assert problems == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"title": "Storm"', "broken JSON: Expecting ',' delimiter at column"),
        (b'{"title": "Storm"} {}', "more after the value, at column 19"),
        (b"not json", "broken JSON"),
        (b'{"title": "Storm", "id": NaN}', "NaN is no JSON number"),
        (b'{"title": ' + b"1" * 5000 + b"}", "broken JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"title": "Storm", "id": ' + b"[" * 900 + b"]" * 900 + b"}", "nested too deeply"),
        (b'{"title": "Storm", "id": 1e400}', "1e400 is too large for a number"),
        (b'{"title": "St\xffrm"}', "byte 0xff at character 14 is not UTF-8"),
        (b"\xff\xfb", "byte 0xff at character 1 is not UTF-8"),
        (b"3", "a row must be an object with fields, not int 3"),
        (b"null", "a row must be an object with fields, not null"),
        (b'{"text": "It rained."}', "there is no title"),
        (b'{"title": [1]}', "title must be a string, not a list"),
    ],
)
def test_a_bad_line_spoils_only_itself(tmp_path, line, reason):
    path = write(tmp_path / "news.jsonl", b"\n".join([LINE, line, LINE]))
    articles, [problem] = read(path)
    assert len(articles) == 2
    assert problem.place == f"{path}:2"
    assert reason in problem.reason
    assert not problem.kept
    json.dumps(problem.row, ensure_ascii=False).encode()


def test_a_note_follows_the_article_it_is_about(tmp_path):
    path = write(tmp_path / "news.jsonl", '{"title": "Storm", "published": "soon"}')
    article, note = read_news([path])
    assert article.published is None
    assert note == Problem(f"{path}:1", "unreadable time 'soon'", kept=True)


def test_empty_files(tmp_path):
    for name in ("a.jsonl", "a.json", "a.csv", "a.tsv", "a.jsonl.gz"):
        assert titles(write(tmp_path / name, gzip.compress(b"") if name.endswith("gz") else b"")) == []


def test_a_long_line(tmp_path):
    path = write(tmp_path / "news.jsonl", json.dumps({"title": "Storm", "text": "It rained. " * 500_000}))
    [article], [note] = read(path)
    assert article.text.endswith("rained.")
    assert note.kept


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_that_is_too_long_spoils_only_itself(tmp_path, end):
    long = json.dumps({"title": "Storm", "text": "It rained. " * 30})
    path = write(tmp_path / "news.jsonl", end.join([LINE.decode(), long, LINE.decode(), ""]))
    found = list(read_news(path, longest_line=200))
    assert [type(item) for item in found] == [Article, Problem, Article]
    assert (found[1].place, found[1].reason) == (f"{path}:2", "a line of more than 200 characters")
    assert found[1].row == long[:201]
    assert len(list(read_news(path, longest_line=len(long)))) == 3


def test_a_line_without_end_takes_no_memory(tmp_path):
    path = tmp_path / "news.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(256):
            file.write(b"a" * 2**20)
    tracemalloc.start()
    [problem] = read_news(path, longest_line=2**20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert problem.reason == "a line of more than 1,048,576 characters"
    assert peak < 32 * 2**20


@pytest.mark.parametrize("suffix", [".csv", ".json"])
@pytest.mark.parametrize(
    "begin", ["", "title,text\nStorm,It rained.\n", 'title\n"', "[", '["', '[{"title": "Storm"}, ']
)
def test_no_kind_of_text_takes_more_memory_than_its_longest_line(tmp_path, suffix, begin):
    path = tmp_path / f"news{suffix}.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(begin.encode())
        for _ in range(64):
            file.write(b"a" * 2**20)
    detect_language("Storm")  # its model is no memory of the file's
    tracemalloc.start()
    found = list(read_news(path, longest_line=2**20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(found[-1], Problem)
    assert peak < 24 * 2**20


def test_rows_of_a_table_after_a_line_that_is_too_long(tmp_path):
    path = write(tmp_path / "news.csv", f"title,text\nStorm,{'rain ' * 100}\nFlood,It rose.\nSlide,a,b\n")
    before = csv.field_size_limit()
    long, flood, cells = read_news(path, longest_line=200)
    assert csv.field_size_limit() == before, "it is one for all of the process"
    assert (long.place, long.reason) == (f"{path}:2", "a line of more than 200 characters")
    assert flood.title == "Flood"
    assert cells.place == f"{path}:4"


@settings(max_examples=50)
@given(
    values=st.lists(
        st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=30), st.lists(st.integers()))
    ),
    piece=st.integers(1, 20),
    space=st.sampled_from(["", " ", "\n"]),
)
def test_a_list_is_read_the_same_however_it_falls_into_pieces(values, piece, space):
    text = f"[{space}" + f"{space},{space}".join(json.dumps(value, ensure_ascii=False) for value in values) + "]"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("whywire.news.row_files._READ_AT_ONCE", piece)
        found = list(read_json(decode(io.BytesIO(text.encode("utf-8"))), "list"))
    assert [row.value for row in found] == values
    lines = [1 + text[: _start(text, number)].count("\n") for number in range(len(values))]
    assert [row.place for row in found] == [f"list:{line}" for line in lines]


def _start(text, number):
    """Where a value of a list stands."""
    at, decoder = 1, json.JSONDecoder()
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \n,"))
        if not number:
            return at
        at, number = decoder.raw_decode(text, at)[1], number - 1


def test_a_pipe_with_a_name_holds_json_lines(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(LINE + b"\nbroken",))
    writer.start()
    article, problem = read_news(pipe)
    writer.join()
    assert article.title == ROW["title"]
    assert problem.place == f"{pipe}:2"


def test_an_article_knows_where_it_was_read(tmp_path):
    path = write(tmp_path / "news.jsonl", b"\n" + LINE)
    [article] = read_news(path)
    assert article.place == f"{path}:2"


@pytest.mark.parametrize(
    "content",
    [
        "[\n" + LINE.decode() + ",\n" + LINE.decode() + "\n]\n",
        LINE.decode() + "\n" + LINE.decode(),
    ],
)
def test_json_files_hold_a_list_or_lines(tmp_path, content):
    assert titles(write(tmp_path / "news.json", content)) == [ROW["title"]] * 2


def test_a_json_file_may_hold_one_article(tmp_path):
    assert titles(write(tmp_path / "news.json", "\n" + json.dumps(ROW, indent=2) + "\n")) == [ROW["title"]]


def test_a_bad_row_of_a_list_has_its_line(tmp_path):
    path = write(tmp_path / "news.json", b"[" + LINE + b",\n3,\n" + LINE + b'] {"title": "Late"}')
    articles, problems = read(path)
    assert len(articles) == 2
    assert [problem.place for problem in problems] == [f"{path}:2", f"{path}:3"]


def test_a_cut_list_gives_its_rows_and_a_problem(tmp_path):
    path = write(tmp_path / "news.json", b"[\n" + LINE + b",\n" + LINE[:-5])
    articles, [problem] = read(path)
    assert len(articles) == 1
    assert problem.place == f"{path}:3"
    articles, [problem] = read(write(path, b"[" + LINE + b",\n"))
    assert len(articles) == 1
    assert "closing bracket" in problem.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv(tmp_path, encoding, delimiter):
    header, rates = "Title;PUBLISHED ;text;Note\n", "\nRates fall;;;x\n"
    table = header + 'Шторм;2020-05-02;"Шёл ""сильный""\nдождь; весь день.";\n' + rates
    path = write(tmp_path / "news.csv", table.replace(";", delimiter).encode(encoding))
    articles, problems = read(path)
    assert [article.title for article in articles] == ["Шторм", "Rates fall"]
    assert articles[0].text == f'Шёл "сильный"\nдождь{delimiter} весь день.'
    assert problems == []


def test_bad_csv_rows_have_the_line_they_begin_on(tmp_path):
    rows = [
        b"title,text",
        b'One,"two',
        b'lines"',
        b"Too,many,cells",
        b"Bad,\xff",
        b",no title",
        b"Two,",
        b'x,"open',
        b"y,z",
    ]
    path = write(tmp_path / "news.csv", b"\n".join(rows))
    articles, problems = read(path)
    assert [article.title for article in articles] == ["One", "Two"]
    assert [problem.place for problem in problems] == [f"{path}:{line}" for line in (4, 5, 6, 8)]
    reasons = ["3 cells in a row, 2 in", "byte 0xff", "there is no title", "broken CSV"]
    assert all(reason in problem.reason for reason, problem in zip(reasons, problems, strict=True))


def test_a_large_csv_field(tmp_path):
    path = write(tmp_path / "news.csv", "title,text\nStorm," + "rain " * 100_000)
    assert titles(path) == ["Storm"]


def test_a_table_without_titles(tmp_path):
    [], [problem] = read(write(tmp_path / "news.csv", "headline,body\nStorm,It rained.\n"))
    assert "no column 'title', only headline, body" in problem.reason


@pytest.mark.parametrize("name", ["news.jsonl.gz", "news.ndjson.gz", "news.JSON.GZ", "news.csv.gz", "news.tsv.gz"])
def test_packed_text(tmp_path, name):
    content = b"title\nStorm\n" if "sv" in name else b'{"title": "Storm"}\n'
    assert titles(write(tmp_path / name, gzip.compress(content))) == ["Storm"]


def test_a_cut_gz_gives_the_rows_before_the_damage(tmp_path):
    rows = [json.dumps({"title": f"Storm {number}", "text": hex(hash(str(number)))}) for number in range(5000)]
    packed = gzip.compress("\n".join(rows).encode())
    path = write(tmp_path / "news.jsonl.gz", packed[: len(packed) // 2])
    articles, [problem] = read(path)
    assert 1000 < len(articles) < 4000
    assert problem.place == f"{path}:{len(articles)}"
    assert "damaged after this" in problem.reason


def test_a_gz_that_is_none(tmp_path):
    [], [problem] = read(write(tmp_path / "news.jsonl.gz", LINE))
    assert "damaged" in problem.reason


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table(
        {
            "id": [1.0, None, 3.0],
            "title": ["Storm", "Rates fall", None],
            "published": pyarrow.array([datetime(2020, 5, 2, 10), None, None], pyarrow.timestamp("us")),
            "links": [["u1"], [], None],
            "other": [1, 2, 3],
        }
    )
    path = tmp_path / "news.parquet"
    parquet.write_table(table, path)
    articles, [problem] = read(path)
    assert [to_row(article).get("published") for article in articles] == ["2020-05-02T10:00:00Z", None]
    assert (articles[0].id, articles[0].links) == ("1", ("u1",))
    assert (problem.place, problem.reason) == (f"{path}:3", "there is no title")


def test_a_text_that_a_parquet_file_stores_once_is_not_held_once_a_row(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 300, pyarrow.int32()), ["Наводнение. " * 2**16])
    table = pyarrow.table({"title": [f"Dam {number} holds" for number in range(300)], "text": text})
    parquet.write_table(table, tmp_path / "news.parquet", compression="zstd", store_schema=False)
    before, most = pyarrow.total_allocated_bytes(), 0
    for row in read_parquet(tmp_path / "news.parquet"):
        assert row.value["text"].startswith("Наводнение")
        most = max(most, pyarrow.total_allocated_bytes() - before)
    assert most < 50 * 2**20


def test_bad_parquet_files(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "news.parquet"
    parquet.write_table(pyarrow.table({"headline": ["Storm"]}), path)
    assert "no column 'title'" in read(path)[1][0].reason
    far = pyarrow.array([10**15, 10**15], pyarrow.timestamp("ms"))
    parquet.write_table(pyarrow.table({"title": ["Storm", "Rates"], "published": far}), path)
    assert len(read(path)[1]) == 2
    assert "damaged" in read(write(path, b"PAR1 this is no such file"))[1][0].reason


def test_parquet_needs_its_extra(tmp_path, monkeypatch):
    real_import = builtins.__import__

    def without_pyarrow(name, *args, **kwargs):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(MissingExtraError, match="parquet"):
        read(write(tmp_path / "news.parquet", b""))


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    write(tmp_path / "c.jsonl", '{"title": "Third"}')
    write(tmp_path / "b" / "1.csv", "title\nSecond")
    write(tmp_path / "a.json", '[{"title": "First"}]')
    write(tmp_path / ".git" / "x.jsonl", '{"title": "Hidden"}')
    write(tmp_path / "notes.txt", "Not news")
    articles, [problem] = read(tmp_path)
    assert [article.title for article in articles] == ["First", "Second", "Third"]
    assert problem.place == str(tmp_path / "notes.txt")


def test_unusable_paths_are_refused_at_once(tmp_path):
    write(tmp_path / "notes.txt", "Not news")
    for path, message in [
        (tmp_path / "missing.jsonl", "no such file"),
        (tmp_path / "notes.txt", r"not a kind of file.*\.jsonl"),
        (tmp_path, "a folder without news"),
    ]:
        with pytest.raises(InputError, match=message):
            read_news([path])


def test_a_file_that_cannot_be_opened(tmp_path, monkeypatch):
    path = write(tmp_path / "news.jsonl", LINE)
    monkeypatch.setattr("whywire.news.sources.open_bytes", lambda _: (_ for _ in ()).throw(InputError("no")))
    with pytest.raises(InputError):
        read(path)


@pytest.mark.parametrize("buffered", [True, False])
def test_standard_input(monkeypatch, buffered):
    stream = io.BytesIO(LINE + b"\nbroken")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stream) if buffered else stream))
    [article], [problem] = read("-")
    assert article.id == "a"
    assert problem.place == "standard input:2"


FRAGMENTS = st.sampled_from([LINE, b"[", b"]", b",", b'"', b"\n", b"\xff", b"title"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    st.sampled_from(["jsonl", "json", "csv", "tsv", "jsonl.gz", "parquet"]),
    st.binary(max_size=200) | st.lists(FRAGMENTS).map(b"".join),
)
def test_any_bytes_are_read_without_a_crash(tmp_path, suffix, content):
    for found in read_news(write(tmp_path / f"news.{suffix}", content)):
        assert isinstance(found, Article | Problem)
