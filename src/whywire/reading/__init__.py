"""What an article tells: its events, and which event led to which."""
