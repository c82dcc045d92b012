"""What people answered in a campaign, as the corpora of the papers are released; one file a corpus, both ways."""
