"""Programs in two files made of those in one: the functions of the top level move to ``helpers.py``."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator

MODULE = "helpers"
_IMPORTS = (ast.Import, ast.ImportFrom)
_MAKERS = re.compile(r"schema\(|re\.compile\(|udf\(")


def split(source: str) -> tuple[str, str] | None:
    """The file with the rest of ``source``, each line where it was, and the one with its functions and what these may
    use; None if there is no function to move."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a notebook
        return None
    functions = [s for s in tree.body if isinstance(s, ast.FunctionDef)]
    names = [f.name for f in functions]
    if not functions or len({*names}) < len(names):
        return None
    lines = source.splitlines(keepends=True)
    rest = [s for s in tree.body if s not in functions]
    moved = [s for s in tree.body if s in functions or isinstance(s, _IMPORTS) or _is_value(s, rest)]
    helpers = "\n".join("".join(lines[_first(s) : s.end_lineno]) for s in moved)
    for f in functions:
        lines[_first(f) : f.end_lineno] = ["\n"] * ((f.end_lineno or 0) - _first(f))
    lines[_first(functions[0])] = f"from {MODULE} import {', '.join(names)}\n"
    return "".join(lines), helpers


def is_the_same_program(source: str) -> bool:
    """Whether the functions of ``source`` read nothing but what moves with them, and that alone."""
    tree = ast.parse(source)
    functions = [s for s in tree.body if isinstance(s, ast.FunctionDef)]
    rest = [s for s in tree.body if s not in functions]
    bound = Counter(n.id for s in rest for n in _names(s) if isinstance(n.ctx, ast.Store))
    bound.update(s.name for s in rest if isinstance(s, (ast.ClassDef, ast.AsyncFunctionDef)))
    moved = {n.id for s in rest if _is_value(s, rest) for n in _names(s) if isinstance(n.ctx, ast.Store)}
    imported = {(a.asname or a.name).split(".")[0] for s in rest if isinstance(s, _IMPORTS) for a in s.names}
    uses = Counter(n.id for s in rest for n in _names(s))
    read = {n.id for f in functions for n in _names(f)}
    own = {f.name for f in functions} | {a.arg for f in functions for a in ast.walk(f) if isinstance(a, ast.arg)}
    own |= {n.id for f in functions for n in _names(f) if isinstance(n.ctx, ast.Store)}
    others = read - own - (imported - bound.keys()) - {name for name in moved if uses[name] == 1}
    return all(hasattr(builtins, name) and name not in bound for name in others)


def _names(statement: ast.stmt) -> Iterator[ast.Name]:
    return (n for n in ast.walk(statement) if isinstance(n, ast.Name))


def lines_of_functions(source: str) -> set[int]:
    """The zero-based lines of ``source`` that move."""
    functions = (s for s in ast.parse(source).body if isinstance(s, ast.FunctionDef))
    return {line for f in functions for line in range(_first(f), f.end_lineno or 0)}


def _first(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)]) - 1


def _is_value(statement: ast.stmt, rest: list[ast.stmt]) -> bool:
    """Whether ``statement`` gives a name to a value that stays the same, as each file has one of its own then."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            uses = sum(1 for s in rest for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name)
            try:
                constant = ast.literal_eval(value)
            except (ValueError, TypeError):
                return bool(_MAKERS.search(ast.unparse(value)))
            return uses == 1 or not isinstance(constant, (list, dict, set))
    return False
