"""Where code may be imported from. A workspace may hold a ``z3.py``: it must never be taken for the library."""

from __future__ import annotations

import os  # and not pathlib, which may not be loaded yet
import site
import sys


def restrict() -> None:
    """From here on, import nothing from the current directory or from ``PYTHONPATH``.

    What ``python -I`` does from the start. To be called before anything that is not loaded yet is imported.
    """
    sys.path[:] = trusted()


def trusted() -> list[str]:
    """``sys.path`` without the current directory and ``PYTHONPATH``, save for what Python or Headwater itself is in."""
    own = {_real(path) for path in (*packages(), *site.getsitepackages(), os.path.dirname(os.__file__))}  # noqa: PTH120
    named = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    foreign = {_real(path) for path in (os.curdir, *filter(None, named.split(os.pathsep)))}
    found = (path for path in sys.path if os.path.isabs(path))  # noqa: PTH117
    return [path for path in found if _real(path) in own or _real(path) not in foreign]


def packages() -> list[str]:
    """The directories that ``headwater`` and ``headwater_ir`` are imported from."""
    import headwater
    import headwater_ir

    return [os.path.dirname(path) for package in (headwater, headwater_ir) for path in package.__path__]  # noqa: PTH120


def _real(path: str) -> str:
    return os.path.realpath(path)
