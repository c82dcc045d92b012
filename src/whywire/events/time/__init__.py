"""When an event happened, by the words that tell of it."""
