"""The public functions of ``whywire``: plain inputs in, typed results out; each command mirrors one of them.

``whywire.NAME`` is in ``api/NAME.py``, those that make or open graphs in ``graphs.py``, and those that ask a graph in
``queries.py``.
"""
