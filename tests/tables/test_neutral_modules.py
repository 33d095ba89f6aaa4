"""Importing a listed module inside of a function changes nothing that the program could notice.

Each is imported in a process of its own; environment, folder, locale, streams, random state, decimal context, warning
filters and signal handlers are compared before and after. ``ENTRIES`` are modules that change one of these.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from headwater.libraries.refused import NEUTRAL_MODULES

_LOOK = """
import sys, os, importlib, random, locale, decimal, signal, builtins, threading
sys.path.insert(0, {folder!r})
def state():
    return (
        dict(os.environ), os.getcwd(), locale.setlocale(locale.LC_ALL), random.getstate(), sys.getrecursionlimit(),
        str(decimal.getcontext()), [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)],
        sys.stdout, sys.stderr, sys.excepthook, sorted(vars(builtins)), sys.getswitchinterval(),
        threading.active_count(),
    )
before = state()
importlib.import_module({name!r})
os.write(1, b"same" if state() == before else b"changed")
"""
_LOUD = {
    "prints": "print('x')",
    "sets_environment": "import os; os.environ['HEADWATER_SEEN'] = '1'",
    "seeds": "import random; random.seed(1)",
    "sets_limit": "import sys; sys.setrecursionlimit(5000)",
    "binds_builtin": "import builtins; builtins.seen = 1",
    "sets_precision": "import decimal; decimal.getcontext().prec = 3",
    "moves": "import os; os.chdir('/')",
    "catches_signal": "import signal; signal.signal(signal.SIGTERM, lambda *a: None)",
    "starts_thread": "import threading, time; threading.Thread(target=time.sleep, args=(2,), daemon=True).start()",
    "fails": "raise ImportError",
}
ENTRIES = ("this", *_LOUD)


@cache
def _folder() -> str:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="headwater-modules-"))
    for name, text in _LOUD.items():
        (folder / f"{name}.py").write_text(text + "\n")
    return str(folder)


def seen(module: str) -> bool:
    """Whether importing ``module`` does something that is noticed."""
    code = _LOOK.format(folder=_folder(), name=module)
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    return made.returncode != 0 or made.stdout != "same" or made.stderr != ""


def complaints() -> list[str]:
    """The listed modules whose import is noticed."""
    return [m for m in sorted(NEUTRAL_MODULES) if seen(m)]


def test_listed_modules_change_nothing() -> None:
    pytest.importorskip("pyspark")
    assert complaints() == []


@pytest.mark.parametrize("module", ENTRIES)
def test_others_would_be_seen(module: str) -> None:
    assert seen(module)
    assert module not in NEUTRAL_MODULES
