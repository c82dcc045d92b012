"""Who says how strongly one event led to another: the embedded model, a chat model, or several together."""
