"""Starting the server, on standard input and output or on a port."""

from __future__ import annotations

import logging
import os
import sys

from .server import HeadwaterServer


def stdio() -> None:
    """Serve on standard input and output until the editor is gone.

    The protocol gets a stream of its own: whatever a library prints goes to standard error, and cannot garble it.
    """
    _log()
    ours = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    server = HeadwaterServer()
    try:
        server.start_io(sys.stdin.buffer, ours)
    finally:
        _end(server)


def tcp(port: int) -> None:
    """Serve one editor on a port of this machine."""
    _log()
    server = HeadwaterServer()
    try:
        server.start_tcp("127.0.0.1", port)
    finally:
        _end(server)


def _log() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


def _end(server: HeadwaterServer) -> None:
    session = getattr(server, "session", None)
    if session is not None:
        session.shut_down()
