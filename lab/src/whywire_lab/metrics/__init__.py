"""Metrics over answers and gold labels; they import no model."""
