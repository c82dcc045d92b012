"""Conversion of input rows (mappings of fields to values) to articles, and back.

Losing an article is worse than losing a field. So most unusable values are dropped with a note, and the article is
kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from whywire.errors import InputError
from whywire.news.article import Article, InferredFrom, Published
from whywire.news.inferred_days import infer_published
from whywire.news.language import Language, detect_language
from whywire.news.sentences import MAX_SENTENCE_CHARS, split_sentences
from whywire.news.times import is_future, parse_time, render_local_time, render_time
from whywire.news.urls import url_key

FIELDS = ("id", "url", "source", "published", "published_from", "title", "text", "language", "links", "also")
"""The fields of a row; all others are ignored."""

MAX_TEXT_CHARS = 1_000_000
"""The length of a long novel. A longer text is no report and would delay all other articles."""

MAX_TITLE_CHARS = MAX_SENTENCE_CHARS
"""A title is read as one sentence. A longer title is a text in the wrong field, and pages would show all of it."""

_CUT_WINDOW = 10_000
"""Characters before the limit in which to look for the end of a sentence: ten of the longest sentences."""

_ID_DIGITS = 16
"""64 bits: the probability that two of ten million articles share an id is 3 in a million."""

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_UNENCODABLE = re.compile(r"[\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)

_LANGUAGE_NAMES = dict.fromkeys(("en", "eng", "english"), Language.ENGLISH) | dict.fromkeys(
    ("ru", "rus", "russian"), Language.RUSSIAN
)
_LANGUAGE_CODE = re.compile(r"(?!und\b|unk\b)[a-z]{2,3}\b|other$")


class UnusableTime(str):
    """A note on a time that could not be read."""

    __slots__ = ()


def read_row(row: object) -> tuple[Article, tuple[str, ...]]:
    """Turn a row into an article.

    ``title`` is required; every other field may be missing, ``None`` or blank. The title becomes one line
    without invisible characters. The text keeps its length, so that offsets stay valid; only characters that JSON,
    GraphML or HTML cannot contain are replaced, each by one character: control characters by a space, lone surrogates
    and non-characters by U+FFFD. If no time can be read, the day of publication is inferred from the address or the
    head of the text.

    Returns:
        The article, and notes on its fields: an unreadable time, a time in the future (which is kept), a title or a
        text cut at its limit.

    Raises:
        InputError: the row is not an article; the message names the field.
    """
    if not isinstance(row, Mapping):
        raise InputError(f"a row must be an object with fields, not {_type_name(row)}")
    notes: list[str] = []
    title = _title(row, notes)
    text = _text(row, notes)
    url, source = _line(row, "url") or None, _line(row, "source") or None
    language = _language(row, title, text)
    given = _published(row, language, notes)
    article = Article(
        id=_line(row, "id") or _derived_id(url, source, given, title, text),
        title=title,
        text=text,
        language=language,
        url=url,
        source=source,
        published=given or infer_published(url, text, language),
        links=_list(row, "links"),
        also=_list(row, "also"),
    )
    return article, tuple(notes)


def to_row(article: Article) -> dict[str, object]:
    """Turn an article into a row that `read_row` can read; empty fields are left out."""
    fields = {
        "id": article.id,
        "url": article.url,
        "source": article.source,
        "published": render_local_time(article.published) if article.published else None,
        "published_from": published_from(article),
        "title": article.title,
        "text": article.text,
        "language": str(article.language),
        "links": list(article.links),
        "also": list(article.also),
    }
    return {name: value for name, value in fields.items() if value}


def read_published(
    row: Mapping[str, object],
    name: str = "published",
    *,
    language: Language = Language.OTHER,
    notes: list[str] | None = None,
) -> Published | None:
    """Read the time in a field of a row; the field ``…_from`` says what the time was inferred from.

    Args:
        language: the language of the row.
        notes: receives a note on each part of the time that could not be used.

    Raises:
        InputError: the field holds something that is not a time.
    """
    given = parse_time(row.get(name), language, notes)
    source = next((source for source in InferredFrom if source == row.get(f"{name}_from")), None)
    return replace(given, inferred_from=source) if given and source else given


def published_from(article: Article) -> str | None:
    """Return what the article's time was inferred from, as written in rows; ``None`` if its source gave the time."""
    source = article.published and article.published.inferred_from
    return source.value if source else None


def _line(row: Mapping[str, object], field: str) -> str:
    """Read a field as one line; empty if it is missing."""
    value = row.get(field)
    if field == "id" and isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        # data frames turn a column of integers into floats if a value is missing
        value = str(int(value) if isinstance(value, float) and value.is_integer() else value)
    return _clean_line(_string(value, field))


def _string(value: object, field: str) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if not isinstance(value, str):
        raise InputError(f"{field} must be a string, not {_type_name(value)}")
    return value


def _clean_line(value: str) -> str:
    return " ".join(_UNENCODABLE.sub("\ufffd", _INVISIBLE.sub("", value)).split())


def _title(row: Mapping[str, object], notes: list[str]) -> str:
    title = _line(row, "title")
    if not title:
        raise InputError("the title is empty" if row.get("title") else "there is no title")
    if len(title) > MAX_TITLE_CHARS:
        notes.append(f"the title of {len(title):,} characters was cut to {MAX_TITLE_CHARS:,}")
    return title[:MAX_TITLE_CHARS].rstrip()


def _text(row: Mapping[str, object], notes: list[str]) -> str:
    text = _string(row.get("text"), "text")
    if len(text) > MAX_TEXT_CHARS:
        notes.append(f"the text of {len(text):,} characters was cut to less than {MAX_TEXT_CHARS:,}")
        text = text[:MAX_TEXT_CHARS]
        begin = MAX_TEXT_CHARS - _CUT_WINDOW
        sentences = split_sentences(text[begin:], Language.ENGLISH)
        if len(sentences) > 1:
            text = text[: begin + sentences[-2][1]]
    return _UNENCODABLE.sub("\ufffd", _UNPRINTABLE.sub(" ", text))


def _published(row: Mapping[str, object], language: Language, notes: list[str]) -> Published | None:
    try:
        given = read_published(row, language=language, notes=notes)
    except InputError as error:
        notes.append(UnusableTime(error.message))
        return None
    if given and is_future(given, datetime.now(UTC)):
        notes.append(f"a time in the future: {render_time(given)}")
    return given


def _language(row: Mapping[str, object], title: str, text: str) -> Language:
    """Return the language that the row declares, or detect it if the row declares none."""
    code = _line(row, "language").lower().replace("_", "-")
    if language := _LANGUAGE_NAMES.get(code.split("-")[0]):
        return language
    return Language.OTHER if _LANGUAGE_CODE.match(code) else detect_language(f"{title}\n{text}")


def _list(row: Mapping[str, object], field: str) -> tuple[str, ...]:
    """Read a field that is a list of strings. In a CSV file the list is one string, split at whitespace."""
    value = row.get(field)
    if value is None or isinstance(value, str | float):
        value = _string(value, field).split()
    if not isinstance(value, list | tuple):
        raise InputError(f"{field} must be a list of strings, not {_type_name(value)}")
    return tuple(dict.fromkeys(filter(None, (_clean_line(_string(item, field)) for item in value))))


def _derived_id(url: str | None, source: str | None, published: Published | None, title: str, text: str) -> str:
    time = render_time(published) if published else None
    identity = json.dumps([url_key(url)] if url else [source, time, title, text])
    return hashlib.sha256(identity.encode()).hexdigest()[:_ID_DIGITS]


def _type_name(value: object) -> str:
    return {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}.get(
        type(value), f"{type(value).__name__} {str(value)[:40]}"
    )
