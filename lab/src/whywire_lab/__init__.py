"""Research beside Whywire: corpora, the papers' tasks, metrics, and the recipes that train its models."""
