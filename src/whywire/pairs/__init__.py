"""The relation of two headlines: same event, cause, refutation, other or none; and causal strength."""
