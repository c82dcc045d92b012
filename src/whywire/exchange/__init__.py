"""Causal relations of sentences, to and from the files of other tools."""
