"""Programs of two files: functions and constants of the other kinds in a module that the program imports, and what
either file may do to the names of the other."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import ast

from . import broadcasts, column_functions, results
from .program import Draw, Program

MODULE = "helpers"
_KINDS = (broadcasts, column_functions, column_functions, results, results)
_OF_THE_FILE = (
    "import helpers\nhelpers.{n} = {o}", "import helpers as h\nh.{n} = {o}", "import helpers\nsetattr(helpers, '{n}', {o})", "import sys\nvars(sys.modules['helpers'])['{n}'] = {o}",
    "from unittest import mock\nmock.patch('helpers.{n}', {o}).start()", "def {n}(*a, **k):\n    return None\n", "{n} = {o}", "from helpers import *", "F = None", "{u} = {o}", "import helpers\nhelpers.F = None", "{n}.__code__ = ({o}).__code__",
    "{u}.__globals__['{n}'] = {o}", "{u}.__globals__.update({n}={o})", "import importlib\nimportlib.import_module('helpers').{n} = {o}", "import helpers\nvars(helpers).update({n}={o})", "import helpers\nhelpers.__dict__['{n}'] = {o}", "len = max = lambda *a: 1", "def str(v):\n    return 'ab'\n",
)  # fmt: skip
_OF_THE_MODULE = (
    "{n} = {o}", "globals()['{n}'] = {o}", "def {n}(*a, **k):\n    return None\n", "for {n} in ({o},):\n    pass", "{n}.__code__ = ({o}).__code__", "def swap():\n    global {n}\n    {n} = {o}\n\n\nswap()", "import sys\nsetattr(sys.modules[__name__], '{n}', {o}) if __name__ in sys.modules else None", "def len(v):\n    return 1\n",
    "def swap():\n    global {n}\n    {n} = {o}\n", "def __getattr__(name):\n    return None\n", "LIMIT = 3", "if F:\n    {n} = {o}", "try:\n    {n} = {o}\nexcept ValueError:\n    pass",
)  # fmt: skip
_OTHER = ("lambda *a, **k: None", "lambda *a, **k: True", "lambda c, *a, **k: c")


def write(draw: Draw) -> Program:
    """A program of another kind whose functions have moved, perhaps with something that changes what they mean."""
    while True:
        made = draw.one(_KINDS).write(draw)
        found = _moved(draw, made.source)
        if found is not None:
            break
    text, module, names, inner = found
    used = draw.one(names)
    marks = {"{n}": draw.one(inner), "{u}": used, "{o}": draw.one(_OTHER)}
    feature = ""
    if draw.chance(0.3):
        change = feature = draw.one(_OF_THE_FILE if draw.chance(0.6) or not _OF_THE_MODULE else _OF_THE_MODULE)
        for mark, value in marks.items():
            change = change.replace(mark, value)
        if feature in _OF_THE_MODULE:
            module += f"\n{change}\n"
        else:
            line = 't = spark.table("t")\n'
            text = (
                text.replace(line, draw.one((f"{line}{change}\n", f"{change}\n{line}")), 1)
                if draw.chance(0.8)
                else f"{text}{change}\n"
            )
    return Program(
        "linked",
        text,
        made.tables,
        (made.kind, feature.split("\n")[0][:24]),
        False,
        made.schemas,
        made.data,
        modules={MODULE: module},
    )


def _moved(draw: Draw, source: str) -> tuple[str, str, list[str], list[str]] | None:
    """The text of the file, that of the module, the names that the first imports and all that the second defines; None
    if nothing can move."""
    tree = ast.parse(source)
    moving = [s for s in tree.body if _may_move(s)]
    defined = [_name(s) for s in moving]
    rest = [s for s in tree.body if s not in moving]
    read = {n.id for s in rest for n in ast.walk(s) if isinstance(n, ast.Name)}
    names = [n for n in dict.fromkeys(defined) if n in read]
    if not names or len({*defined}) < len(defined) or "broadcast" in ast.unparse(moving[0]):
        return None
    imports = [s for s in rest if isinstance(s, (ast.Import, ast.ImportFrom))]
    module = "\n\n".join(ast.unparse(s) for s in [*imports, *moving]) + "\n"
    if draw.chance(0.3):  # another name, in either file
        module = module.replace("functions as F", "functions as fn").replace("F.", "fn.")
    lines = [f"from {MODULE} import {', '.join(names)}"]
    if len(names) > 1 and draw.chance(0.4):
        lines = [f"from {MODULE} import {name}" for name in names]
    own = "\n".join(ast.unparse(s) for s in rest if s not in imports)
    text = "\n".join([*(ast.unparse(s) for s in imports), *lines, "", own]) + "\n"
    return text.replace("t = spark.table('t')", 't = spark.table("t")'), module, names, defined


def _may_move(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef():
            return "wanted" not in ast.unparse(statement)
        case ast.Assign(targets=[ast.Name(id="WANTED" | "schema" | "size")]):
            return True
    return False


def _name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.FunctionDef):
        return statement.name
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.targets[0], ast.Name)
    return statement.targets[0].id
