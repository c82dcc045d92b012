"""Sentences: what each claims as cause, effect and signal, and what it only imagines."""
