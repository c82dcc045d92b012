"""From sentences to the story: which events a claim speaks of, and how strong a link is."""
