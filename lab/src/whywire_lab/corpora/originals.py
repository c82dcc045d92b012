"""Converts the published files of two corpora to the JSON Lines that ``same_event`` reads.

UCI's News Aggregator is one table without a header, ECB+ an XML file a document.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import IO
from xml.etree import ElementTree

from whywire.errors import InputError
from whywire_lab.corpora.archives import Members

Row = Mapping[str, object]

UCI_TABLE = "newsCorpora.csv"
UCI_COLUMNS = ("id", "title", "url", "publisher", "category", "story", "source", "published_ms")

ECB_DOCUMENT = re.compile(r"(?:.*/)?((\d+)_\d+(ecb|ecbplus))\.xml")
"""``ECB+/1/1_10ecbplus.xml``: topic, number, and which of the topic's two events it tells of."""


def uci_rows(members: Members) -> Iterator[Row]:
    """The table's rows: tabs between the columns, no quoting, Unix time in milliseconds.

    Raises:
        InputError: the table is not there, or a row is not UTF-8, has more or fewer columns, or no time.
    """
    for name, opened in members.items():
        if name.rsplit("/", 1)[-1] == UCI_TABLE:
            with opened() as file:
                for number, line in enumerate(file, 1):
                    yield _uci_row(line, f"{name}:{number}")
            return
    raise InputError(f"there is no {UCI_TABLE} in the archive")


def ecbplus_rows(members: Members) -> Iterator[Row]:
    """The documents, each with its sentences as tokens with spaces between.

    Raises:
        InputError: there is no document, or one is not the XML it should be.
    """
    documents = 0
    for name, opened in members.items():
        if match := ECB_DOCUMENT.fullmatch(name):
            document, topic, kind = match.groups()
            documents += 1
            with opened() as file:
                sentences = _ecb_sentences(file, name)
            yield {"topic": int(topic), "event": f"{topic}{kind}", "document": document, "sentences": sentences}
    if not documents:
        raise InputError("there is no document of ECB+ in the archive")


def _uci_row(line: bytes, place: str) -> Row:
    try:
        fields = line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise InputError("the line is not UTF-8", where=place) from error
    if len(fields) != len(UCI_COLUMNS) or not fields[-1].isdecimal():
        raise InputError(f"a row must have {len(UCI_COLUMNS)} columns, the last one a time", where=place)
    row = dict(zip(UCI_COLUMNS, fields, strict=True))
    del row["id"]  # the number of the line
    return row | {"published_ms": int(row["published_ms"])}


def _ecb_sentences(file: IO[bytes], place: str) -> list[str]:
    sentences: dict[int, list[tuple[int, str]]] = defaultdict(list)
    try:
        for token in ElementTree.parse(file).iter("token"):  # noqa: S314 - expat itself limits what entities blow up to
            sentences[int(token.attrib["sentence"])].append((int(token.attrib["t_id"]), token.text or ""))
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise InputError(f"this is no document of ECB+: {error}", where=place) from error
    return [" ".join(word for _, word in sorted(tokens)) for _, tokens in sorted(sentences.items())]
