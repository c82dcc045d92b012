"""Benchmarks: published tasks measured as their papers measure them, with baselines beside our model."""
