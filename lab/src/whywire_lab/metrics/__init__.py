"""Scores, written out where no library gives them, and knowing nothing of any model."""
