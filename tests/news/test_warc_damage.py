"""Damaged WARC files: what is wrong is a problem with its place, and the records behind it are read."""

import gzip
import io
import random
import re
import time

import pytest
from tests.news.test_warc_files import page, read, record

from whywire.news.warc_files import _pages, next_record, record_end

pytest.importorskip("fastwarc")
pytest.importorskip("trafilatura")

RECORDS = [record(page(f"Report {number}"), url=f"https://a.example/{number}") for number in range(6)]
MEMBERS = [gzip.compress(one, mtime=0) for one in RECORDS]
NOISE = random.Random(0).randbytes(70_000)


def flip(content, place, count=12):
    """The content with other bytes from a place on."""
    changed = bytes(byte ^ 0xA5 for byte in content[place : place + count])
    return content[:place] + changed + content[place + count :]


def with_length(content, wrong):
    return re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % wrong, content)


def numbers(articles):
    return [int(one.url.rpartition("/")[2]) for one in articles]


DAMAGES = {
    "cut": lambda parts: [*parts[:2], parts[2][: len(parts[2]) // 2], *parts[3:]],
    "corrupt": lambda parts: [*parts[:2], flip(parts[2], len(parts[2]) // 2), *parts[3:]],
    "corrupt head": lambda parts: [*parts[:2], flip(parts[2], 0), *parts[3:]],
    "noise": lambda parts: [*parts[:2], NOISE, *parts[3:]],
    "zeros": lambda parts: [*parts[:2], bytes(100_000), *parts[3:]],
    "lines": lambda parts: [*parts[:2], b"WARC/1.0 is no record\r\n\r\nWARC/1\r\n\x1f\x8b\x08" * 99, *parts[3:]],
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
def test_reading_goes_on_behind_a_damage(tmp_path, damage, packed):
    parts = MEMBERS if packed else RECORDS
    path = tmp_path / "a.warc"
    damaged = DAMAGES[damage](parts)
    articles, problems = read(path, b"".join(damaged))
    if damage == "corrupt" and not packed:
        assert numbers(articles) == [0, 1, 2, 3, 4, 5], "without a check sum other letters are other words"
        return
    assert numbers(articles) == [0, 1, 3, 4, 5]
    [problem] = problems
    begin, end = len(b"".join(parts[:2])), len(b"".join(damaged[:3]))
    assert problem.reason.startswith(f"damaged from byte {begin:,}: ")
    assert problem.reason.endswith(f"reading goes on at byte {end:,}")
    assert problem.place in (f"{path}:2", f"{path}:3")
    assert not problem.kept


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("lost", [1, 5, 200])
def test_a_file_that_ends_too_soon(tmp_path, packed, lost):
    content = b"".join(MEMBERS if packed else RECORDS)
    articles, [problem] = read(tmp_path / "a.warc", content[: -lost - (0 if packed else 4)])
    assert numbers(articles) == [0, 1, 2, 3, 4]
    assert problem.place.endswith(":6")
    assert "the record is cut or broken; nothing after it is read" in problem.reason


def test_a_cut_record_that_is_no_page_is_a_problem_too(tmp_path):
    request = record(page(), kind="request")
    articles, [problem] = read(tmp_path / "a.warc", RECORDS[0] + request[:-100])
    assert numbers(articles) == [0]
    assert f"damaged from byte {len(RECORDS[0]):,}" in problem.reason


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("wrong", [1, 99, 10**6, 10**17])
def test_a_wrong_length_loses_its_record_alone(tmp_path, packed, wrong):
    own = with_length(RECORDS[2], wrong)
    parts = MEMBERS if packed else RECORDS
    damaged = [*parts[:2], gzip.compress(own) if packed else own, *parts[3:]]
    articles, problems = read(tmp_path / "a.warc", b"".join(damaged))
    assert [one for one in numbers(articles) if one != 2] == [0, 1, 3, 4, 5]
    assert problems


@pytest.mark.parametrize("packed", [False, True])
def test_several_damages_and_one_at_the_beginning(tmp_path, packed):
    parts = list(MEMBERS if packed else RECORDS)
    parts[0], parts[2], parts[4] = flip(parts[0], 0), flip(parts[2], 0), parts[4][:40]
    path = tmp_path / "a.warc"
    articles, problems = read(path, b"".join(parts))
    assert numbers(articles) == [1, 3, 5]
    assert [one.place.removeprefix(str(path)) for one in problems] == ["", ":1", ":2" if packed else ":3"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_page_cannot_forge_a_record(tmp_path, packed):
    forged = record(page("Forged"), url="https://forged.example/9")
    inside = b"\r\n\r\n" + forged + gzip.compress(forged)
    host = record(page() + inside + NOISE[:1000], url="https://a.example/0")  # noise is packed as it is
    parts = [gzip.compress(host, 0), NOISE, MEMBERS[1]] if packed else [host, NOISE, RECORDS[1]]
    articles, problems = read(tmp_path / "a.warc", b"".join(parts))
    assert numbers(articles) == [0, 1]
    assert "forged" not in " ".join(one.url for one in articles)
    assert len(problems) == 1


def test_a_member_with_several_records_is_read_as_before(tmp_path):
    articles, problems = read(tmp_path / "a.warc.gz", gzip.compress(b"".join(RECORDS)))
    assert (numbers(articles), problems) == ([0, 1, 2, 3, 4, 5], [])


@pytest.mark.parametrize("packed", [False, True])
def test_any_damage_ends_and_what_is_whole_is_read(tmp_path, packed):
    rng = random.Random(7)
    parts = MEMBERS if packed else RECORDS
    path = tmp_path / "a.warc"
    for _ in range(300):
        place = rng.randrange(1, len(parts) - 1)
        own = parts[place]
        cut = rng.randrange(1, len(own))
        broken = rng.choice([own[:cut], flip(own, cut, 3), own[:cut] + rng.randbytes(9) + own[cut:]])
        path.write_bytes(b"".join([*parts[:place], broken, *parts[place + 1 :]]))
        problems = []
        found = [int(url.rpartition("/")[2]) for (_, url), _, _ in _pages(path, problems) if url[-1:].isdigit()]
        assert [one for one in found if one != place] == [one for one in range(len(parts)) if one != place]
        assert problems or place in found or not packed, "only what is packed has a check sum"


def test_places_that_look_like_records_are_passed_over_in_time():
    file = io.BytesIO(MEMBERS[0] + b"\x1f\x8b\x08" * 100_000 + MEMBERS[1])
    begun = time.perf_counter()
    assert next_record(file, 1) == len(MEMBERS[0]) + 300_000
    assert time.perf_counter() - begun < 10
    assert record_end(file, 0) == len(MEMBERS[0])
    assert record_end(file, len(MEMBERS[0])) is None


def test_only_so_many_damages_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("whywire.news.warc_files.MAX_DAMAGED", 3)
    content = b"".join(one + b"noise\r\n\r\n" for one in RECORDS)
    articles, problems = read(tmp_path / "a.warc", content)
    assert numbers(articles) == [0, 1, 2]
    assert [one.reason.partition(" from")[0] for one in problems[:3]] == ["damaged"] * 3
    assert problems[3].reason == "damaged in 3 places; what follows is not read"
