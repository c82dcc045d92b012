"""The public functions, one a command: plain inputs in, typed results out (see ``whywire.__all__``)."""
