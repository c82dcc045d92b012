"""Watching news feeds: fetching them politely, reading their articles, remembering what was seen."""
