"""The public functions of ``whywire``: plain inputs in, typed results out; each command mirrors one of them."""
