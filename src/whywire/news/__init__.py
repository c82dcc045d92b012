"""News articles: where they are read from, their times and places, their language, their sentences."""

from whywire.news.article import Article, Problem, Published, Span
from whywire.news.article_rows import read_row, to_row
from whywire.news.duplicates import without_duplicates
from whywire.news.language import Language, detect_language
from whywire.news.sentences import split_sentences
from whywire.news.sources import read_news
from whywire.news.times import parse_time, render_time

__all__ = [
    "Article",
    "Language",
    "Problem",
    "Published",
    "Span",
    "detect_language",
    "parse_time",
    "read_news",
    "read_row",
    "render_time",
    "split_sentences",
    "to_row",
    "without_duplicates",
]
