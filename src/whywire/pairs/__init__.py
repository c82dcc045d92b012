"""The relation of two headlines: same event, cause, refutation, another one, or none; and causal strength."""
