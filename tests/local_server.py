"""A web server on this machine for as long as a test needs it."""

import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer


@contextmanager
def answering(handler):
    """The address at which requests go to this handler."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
