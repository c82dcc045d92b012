"""The command line: each command mirrors one public call."""
