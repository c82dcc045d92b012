"""Readers of published corpora, a catalogue of where they are published and under which licence, and downloads."""
