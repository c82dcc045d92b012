"""When an event happened, by the words of its mentions."""
