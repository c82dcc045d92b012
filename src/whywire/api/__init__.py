"""The public functions of ``whywire``: plain inputs, typed results; each command mirrors one of them.

Functions that make or open graphs are in ``graphs.py``, those of stores in ``stores.py``, questions to a graph in
``queries.py``; every other ``whywire.NAME`` is in ``NAME.py``.
"""
