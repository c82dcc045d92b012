"""Headlines: which tell of the same event, and which event led to or refutes which."""
