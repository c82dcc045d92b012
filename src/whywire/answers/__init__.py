"""Questions to a graph: why something happened, which event a few words name, what may follow a headline."""
