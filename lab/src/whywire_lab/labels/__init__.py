"""Annotations made for this project, as JSON Lines; README.md beside this file describes each file."""
