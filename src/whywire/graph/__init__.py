"""The causal graph of the news: queries, structures of causes, reading and writing, exports, the page."""
