"""Whywire keeps a causal graph of the news, with evidence on every edge."""
