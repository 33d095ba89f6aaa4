"""The command line under an audit hook that was there first, in the workers as well.

    python -I audited.py LOG WORKSPACE ALLOWED main ARGUMENT…      as ``headwater ARGUMENT…``
    python -I audited.py LOG WORKSPACE ALLOWED worker PATH…        as a worker that imports from PATH…
    python -I audited.py LOG WORKSPACE ALLOWED plant               does what must not be done, here and in a worker

Every violation is a line of LOG. ALLOWED: where files may be written, parted by colons.
"""

# pathlib is not to be loaded before the hook
# ruff: noqa: PTH100, PTH104, PTH107, PTH118, PTH123

import os
import sys

LOG, WORKSPACE, ALLOWED, MODE, *REST = sys.argv[1:]
_log = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_allowed = [*ALLOWED.split(":"), os.devnull]
_forbidden = tuple(
    """
    socket. os.system os.exec os.spawn os.posix_spawn os.fork os.forkpty os.startfile pty.spawn urllib. ftplib. http.
    smtplib. imaplib. poplib. nntplib. telnetlib. webbrowser. syslog. sqlite3. cpython.run_ os.setxattr fcntl.
    """.split()
)
_changing = tuple(
    """
    os.remove os.rename os.rmdir os.mkdir os.link os.symlink os.chmod os.chown os.truncate os.utime shutil.
    """.split()
)
_pickled = ("headwater", "headwater_ir", "builtins", "pathlib", "collections", "fractions", "decimal", "datetime")
_busy = False


def _hook(event, args):
    global _busy
    if _busy:
        return
    _busy = True  # what the hook itself does is no news
    try:
        why = _violation(event, args)
        if why:
            os.write(_log, f"{MODE} {event} {why}\n".encode("utf-8", "backslashreplace"))
    finally:
        _busy = False


def _violation(event, args):
    if event.startswith(_forbidden):
        return repr(args)
    if event == "exec":
        code = args[0]
        marked = any(isinstance(c, str) and c.endswith("canary") for c in code.co_consts)
        named = not code.co_filename.startswith("<") and _inside(code.co_filename)
        return (marked or named) and code.co_filename
    if event == "import":
        name, file, path = args[:3]
        bad = [p for p in path or () if not p or _inside(p)]
        return (bad and f"{name} from {bad}") or (file and _inside(file) and file)
    if event == "open":
        path, mode, flags = args
        writes = (flags or 0) & _writing or set(mode or "") & set("wax+")
        return writes and not isinstance(path, int) and not _may_write(os.fsdecode(path)) and os.fsdecode(path)
    if event.startswith(_changing):
        paths = [os.fsdecode(a) for a in args if isinstance(a, (str, bytes, os.PathLike))]
        there = event == "os.mkdir" and all(map(os.path.isdir, paths))
        return not there and not all(map(_may_write, paths)) and repr(paths)
    if event == "subprocess.Popen":
        return (MODE == "worker" or list(args[1]) != _command()) and repr(args[:2])
    if event == "ctypes.dlopen":
        return args[0] is not None and "/z3/" not in args[0] and repr(args[0])
    if event == "pickle.find_class":
        known = args[0].split(".")[0] in _pickled and args[1] not in ("eval", "exec", "open", "getattr", "__import__")
        return not known and repr(args)
    return None


def _inside(path):
    return f"{os.path.realpath(path)}/".startswith(f"{os.path.realpath(WORKSPACE)}/")


def _may_write(path):
    real = os.path.realpath(path)
    compiled = "__pycache__" in real and not _inside(real)
    return compiled or any(real == a or real.startswith(os.path.realpath(a) + os.sep) for a in _allowed if a)


def _command():
    from headwater.engine.workers.search_path import trusted

    return [sys.executable, "-I", os.path.abspath(__file__), LOG, WORKSPACE, ALLOWED, "worker", *trusted()]


def _plant():
    """One of each that must not be."""
    import contextlib
    import ctypes
    import pickle
    import socket
    import subprocess
    import urllib.request
    import webbrowser

    from headwater.engine.workers.isolated import Worker

    inside = os.path.join(WORKSPACE, "planted.py")
    tries = [
        lambda: socket.socket().close(),
        lambda: socket.getaddrinfo("localhost", 1),
        lambda: os.system("true"),
        lambda: subprocess.run(["true"]),
        lambda: subprocess.run([sys.executable, "-c", "0"]),
        lambda: exec(compile("1", inside, "exec")),
        lambda: exec("x = '/canary'"),
        lambda: open(inside, "w").close(),
        lambda: os.rename(inside, inside + "x"),
        lambda: os.remove(inside + "x"),
        lambda: (sys.path.insert(0, WORKSPACE), __import__("z3_planted")),
        lambda: ctypes.CDLL("libc.so.6"),
        lambda: pickle.loads(pickle.dumps(os.getcwd)),
        lambda: urllib.request.urlopen("http://127.0.0.1:1/"),
        lambda: webbrowser.open("about:blank"),
        lambda: Worker().call(20, os.system, "true"),
    ]
    for attempt in tries:
        with contextlib.suppress(Exception):
            attempt()


if MODE == "worker":
    sys.path[:] = REST
sys.addaudithook(_hook)
sys.argv[1:] = REST
if MODE == "worker":
    from headwater.engine.workers.worker import main
else:
    from headwater.engine.workers import isolated

    isolated.command = _command
    from headwater.cli import main
_plant() if MODE == "plant" else main()
