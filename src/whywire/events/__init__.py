"""Mentions of events in articles, the events and stories they are grouped into, and timelines."""
