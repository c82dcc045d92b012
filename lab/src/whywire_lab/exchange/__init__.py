"""Conversion of causal relations in sentences to and from the formats of annotation tools and corpora."""
