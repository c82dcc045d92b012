"""Answers to why-questions, found in what the news claims."""
