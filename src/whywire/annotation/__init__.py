"""Annotation: people label news for models of their own, as the papers' authors had theirs labelled."""
