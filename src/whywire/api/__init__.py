"""The public functions of ``whywire``: plain inputs in, typed results out; each command mirrors one of them.

Those that make or open graphs are in ``graphs.py``, those that keep a store in ``stores.py``, those that ask a graph
in ``queries.py``; every other ``whywire.NAME`` is in ``NAME.py``.
"""
