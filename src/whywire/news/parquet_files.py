"""Rows of a Parquet file (needs the extra ``parquet``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whywire.errors import MissingExtraError
from whywire.news.article_rows import FIELDS, SourceRow
from whywire.news.problems import Problem
from whywire.news.text_files import place_of

_BATCH_ROWS = 1024
"""Rows held in memory at a time: a few megabytes of common articles."""


def read_parquet(path: Path) -> Iterator[SourceRow | Problem]:
    """Read a Parquet file; rows have a place by their number, from 1.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        from pyarrow import ArrowException, large_string, string
        from pyarrow.parquet import ParquetFile, read_schema
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error

    number = 0
    try:
        schema = read_schema(path)
        columns = [column for column in schema.names if column in FIELDS]
        if "title" not in columns:
            yield Problem(place_of(path), f"no column 'title', only {', '.join(schema.names)[:200]}")
            return
        texts = [column for column in columns if schema.field(column).type in (string(), large_string())]
        with ParquetFile(path, read_dictionary=texts) as file:  # a text that is stored once is held once
            for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
                for index in range(batch.num_rows):
                    number += 1
                    place = f"{place_of(path)}:{number}"
                    try:
                        value = {column: batch.column(column)[index].as_py() for column in columns}
                    except (KeyError, ValueError, OverflowError) as error:
                        yield Problem(place, f"a value that cannot be read: {error}")
                    else:
                        yield SourceRow(place, value)
    except (ArrowException, OSError) as error:
        yield Problem(f"{place_of(path)}:{number + 1}", f"damaged from here on: {str(error)[:200]}")
