"""The commands that the lab adds to the program."""
