"""Published corpora: for each, where it is, its licence, and how its rows become ours."""
