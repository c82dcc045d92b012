"""What an article tells: its events, and which led to which."""
