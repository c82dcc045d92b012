"""Events: the mentions of them in articles, which of these tell of the same event, and the stories they make."""
