"""Recipes that make the embedded weights. Needs the extra ``train``; nothing outside the CLI imports it."""
