"""Corrections by persons in a store: applied by workers, kept through everything that comes, taken back."""
