"""The causal graph of the news: what it is made of, how it is asked, written out and shown."""
