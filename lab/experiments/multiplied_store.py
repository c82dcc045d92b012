"""Multiply a small store to a large one without running models: for measuring search, pages and updates at a size.

    whywire update news.jsonl --store base.db
    python lab/experiments/multiplied_store.py base.db --store large.db --articles 100000 --days 160

Writes the rows of the base as often as is needed, into a new store on either database; the same command goes on with
one that was stopped. The last copy is the base
itself; the others are earlier, spread evenly over ``--days``. In each of them

- ids are its own, and times are earlier;
- words of all texts are replaced by others of the same length, so that every offset stays true: a word that one
  article in twenty has stays itself, a rarer one becomes one of up to 400 variants, with the letters moved on.
  Variants follow the law of Zipf, so the vocabulary grows with the articles as one of real news does, and the
  commonest terms grow in proportion to the articles;
- the vectors by which stories are found have their elements in another order, the same for the whole copy: articles
  of a copy are as similar as those of the base, articles of different copies are unlike.

So the new store has the base's numbers of events, links and claims an article, and its sizes of stories: a real store
of this size would have more articles a story. Pairs that the pair model has judged are not copied. The replaced words
mean nothing, and the answers of the model on them are those of the base. Indexes hold what a real store's would hold.
"""

from __future__ import annotations

import argparse
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from sqlalchemy import Boolean, Connection, Table, select, update

from whywire.engines import text_key
from whywire.graph.codec import Row
from whywire.store import Store, schema
from whywire.store.queries import all_events
from whywire.store.rows import article_of
from whywire.store.schema import NO_TIME, metadata
from whywire.store.search import headline_rows, mentioned, term_rows

VARIANTS = 400
"""The most words that a rare word becomes in copies; the first is the word itself."""

ALPHABETS = ("bcdfghjklmnpqrstvwxz", "aeiouy", "бвгджзйклмнпрстфхцчшщ", "аеёиоуыэюя", "0123456789")
"""Letters that stand for each other."""

TIMES = {"published", "first_seen", "last_seen"}
"""Columns that move with a copy."""

NOT_COPIED = {"head", "arrivals", "api_keys", "feed_states", "pair_answers"}

OWN = "\x00"
"""Follows each id in the rows that copies are made of."""

_WORD = re.compile(r"[^\W_]+")


def main() -> None:
    """Multiply a store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="a store of some hundred articles")
    parser.add_argument("--store", required=True, help="the new store")
    parser.add_argument("--articles", type=int, required=True)
    parser.add_argument("--days", type=float, default=160, help="over which the copies are spread")
    parser.add_argument("--without-readings", action="store_true", help="a store that is only read needs none")
    arguments = parser.parse_args()
    with Store.open(arguments.base, read_only=True) as base, Store.open(arguments.store) as target:
        with base.reading() as connection:
            original = Original.read(connection, with_readings=not arguments.without_readings)
        copies = -(-arguments.articles // len(original.articles))
        for number in range(target.counts().articles // len(original.articles), copies):
            earlier = (copies - 1 - number) * timedelta(days=arguments.days) / copies
            copy = Copy(original, number, earlier, is_base=number == copies - 1)
            with target.writing() as connection:
                for table in metadata.sorted_tables:
                    write(connection, table, copy.rows(table))
                last = (number + 1) * original.last_change
                connection.execute(update(schema.head).values(last_change=last, models=base.models))
        print(target.counts())


def write(connection: Connection, table: Table, rows: list[Row]) -> None:
    """Insert rows whose values are those of the driver, in the order of the key."""
    if rows:
        names = [column.name for column in sorted(table.columns, key=lambda column: not column.primary_key)]
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        quoted = ", ".join(f'"{name}"' for name in names)
        statement = f"INSERT INTO {table.name} ({quoted}) VALUES ({', '.join([mark] * len(names))})"
        if table is schema.readings:  # a text of common words only is the same in every copy
            statement += " ON CONFLICT DO NOTHING"
        flags = {column.name for column in table.columns if isinstance(column.type, Boolean)}  # numbers in SQLite
        values = sorted(tuple(row[name] for name in names) for row in rows)
        if flags:
            values = [
                tuple(bool(value) if name in flags else value for name, value in zip(names, one, strict=True))
                for one in values
            ]
        connection.exec_driver_sql(statement, values)


@dataclass(frozen=True)
class Original:
    """What is multiplied.

    Args:
        rows: of each table, as the driver reads them, with ``OWN`` after each id.
        articles: rows by id.
        words: the title of each event, and the words of its mentions.
        holders: how many articles have each word.
    """

    rows: Mapping[str, list[Row]]
    articles: Mapping[str, Row]
    words: Mapping[str, tuple[str, str]]
    holders: Counter[str]
    last_change: int

    @classmethod
    def read(cls, connection: Connection, *, with_readings: bool) -> Original:
        """Read a store."""
        tables = {
            table.name: [dict(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table.name}").mappings()]
            for table in metadata.sorted_tables
            if table.name not in NOT_COPIED
        }
        if not with_readings:
            del tables["readings"]
        ids = {row["id"] for name in ("articles", "events", "claims", "copies") for row in tables[name]}
        ids |= {row["story"] for row in tables["events"]} | {row["region"] for row in tables["articles"]}
        quoted = re.compile(r'"([^"\\]+)"')

        def marked(value: Any) -> Any:
            if not isinstance(value, str):
                return value
            if value in ids:
                return value + OWN
            if value[:1] in ("[", "{"):  # JSON
                return quoted.sub(lambda found: f'"{found[1]}{OWN}"' if found[1] in ids else found[0], value)
            return value

        articles = {row.id: dict(row._mapping) for row in connection.execute(select(schema.articles))}
        texts = {name: SimpleNamespace(**row) for name, row in articles.items()}
        holders: Counter[str] = Counter()
        for row in articles.values():
            holders.update({*_WORD.findall(f"{row['title']} {row['text']}".lower())})
        return cls(
            {
                name: [{column: marked(value) for column, value in row.items()} for row in rows]
                for name, rows in tables.items()
            },
            articles,
            {event.id: (event.title, mentioned(event, texts)) for event in all_events(connection)},
            holders,
            connection.execute(select(schema.head.c.last_change)).scalar_one(),
        )


class Copy:
    """One copy of a store's rows.

    Args:
        number: from 0.
        earlier: by how much its times are earlier.
        is_base: it is the base itself, with later numbers only.
    """

    def __init__(self, original: Original, number: int, earlier: timedelta, *, is_base: bool) -> None:
        self._original, self._number, self._is_base = original, number, is_base
        self._earlier = earlier // timedelta(microseconds=1)
        self._own = "" if is_base else f".{number}"
        size = next(len(row["vector"]) for row in original.articles.values() if row["vector"])
        self._order = np.random.default_rng(number).permutation(size)
        self._word = cache(self._other_word)
        self._texts = {
            name: {"title": self._text(row["title"]), "text": self._text(row["text"])}
            for name, row in original.articles.items()
        }
        self._keys = {
            name: text_key(article_of(SimpleNamespace(**row | self._texts[name])))
            for name, row in original.articles.items()
        }

    def rows(self, table: Table) -> list[Row]:
        """The rows of a table, as the driver takes them."""
        match table.name:
            case "terms":
                return [
                    row
                    for event, words in self._original.words.items()
                    for row in term_rows(event + self._own, *map(self._text, words))
                ]
            case "headline_terms":
                return [
                    row
                    for name, texts in self._texts.items()
                    for row in headline_rows(name + self._own, texts["title"])
                ]
            case "readings":
                new = {row["text_key"]: self._keys[name] for name, row in self._original.articles.items()}
                rows = self._original.rows.get("readings", [])
                return [row | {"text_key": new[row["text_key"]]} for row in rows if row["text_key"] in new]
        return [self._row(table.name, row) for row in self._original.rows.get(table.name, ())]

    def _row(self, table: str, row: Row) -> Row:
        changed = {
            name: value.replace(OWN, self._own) if isinstance(value, str) else value for name, value in row.items()
        }
        for name in TIMES & row.keys():
            if row[name] != NO_TIME:
                changed[name] = row[name] - self._earlier
        for name in ("changed", "ended"):
            if row.get(name) is not None:
                changed[name] = row[name] + self._number * self._original.last_change
        if "number" in row:
            changed["number"] = row["number"] + self._number * self._original.last_change
        match table:
            case "articles":
                name = row["id"].removesuffix(OWN)
                changed |= self._texts[name] | {"text_key": self._keys[name]}
                if not self._is_base:
                    vector = row["vector"] and np.frombuffer(row["vector"], dtype=np.int8)[self._order].tobytes()
                    changed |= {"vector": vector, "url": None, "url_hash": None}
            case "events" | "stories":
                changed["title"] = self._text(row["title"])
            case "claims":
                texts = self._texts[row["article"].removesuffix(OWN)]
                changed["quote"] = texts[row["field"]][row["start"] : row["end"]]
            case "changes":
                changed["id"] = row["id"] + self._number * self._original.last_change
        return changed

    def _text(self, text: str) -> str:
        return text if self._is_base else _WORD.sub(lambda found: self._word(found[0]), text)

    def _other_word(self, word: str) -> str:
        """The word of this copy in place of a word of the base, of the same length."""
        lowered = word.lower()
        share = self._original.holders[lowered] / len(self._original.articles)
        most = max(1, round(VARIANTS * (1 - share) ** 200))  # a word that one article in a hundred has: 54 variants
        chance = zlib.crc32(f"{lowered} {self._number}".encode()) / 2**32
        variant = int(most**chance) - 1  # log-uniform: the probability falls as 1 / rank
        return word.translate(moved_on(variant)) if variant and not self._is_base else word


@cache
def moved_on(variant: int) -> dict[int, str]:
    """A table that moves letters and digits on within their alphabets."""
    table = {}
    for kind, letters in enumerate(ALPHABETS):
        step = 1 + variant * (kind + 1) % (len(letters) - 1)
        for place, letter in enumerate(letters):
            other = letters[(place + step) % len(letters)]
            table |= {ord(letter): other, ord(letter.upper()): other.upper()}
    return table


if __name__ == "__main__":
    main()
