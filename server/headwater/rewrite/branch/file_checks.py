"""Whether code of a file may read variables, or see a frame, in ways that its text does not show.

The names are those by which Python, IPython and PySpark let code get at the variables of other code; a file in which
one of them stands gets no copy of a frame's expression. Found once for all filters of a file.
"""

from __future__ import annotations

import ast
import re

from headwater.syntax.names.resolve import Names

from .definitions import NoBranch, Scopes

_EFFECTS_IN_SQL = re.compile(r"\b(try_)?(reflect|java_method)\b", re.IGNORECASE)
_HISTORY = re.compile(r"(_+|_i?\d+|Out|In)$")
"""Names under which IPython keeps the values of cells."""
_INTROSPECTION = frozenset(
    """
    __dict__ __globals__ __closure__ __import__ __main__ _getframe f_locals f_globals user_ns get_ipython inspect gc
    importlib ctypes builtins __builtins__ currentframe
    """.split()
)
"""Names by which code gets at the variables of other code."""
_SCOPE_FUNCTIONS = frozenset("eval exec globals locals vars compile".split())
"""Functions of the language that do so, called or under another name."""
_BY_NAME = "the file reads variables by their names"
_MEMO = "file checks of branches"


def check_file(scopes: Scopes, names: Names) -> None:
    """NoBranch, with the reason, if the file as a whole rules out that anything is copied."""
    memo = scopes.context.memo
    if _MEMO not in memo:
        memo[_MEMO] = _why_not(scopes, names)
    if memo[_MEMO] is not None:
        raise NoBranch(str(memo[_MEMO]))


def _why_not(scopes: Scopes, names: Names) -> str | None:
    context, patches = scopes.context, names.patches
    if _EFFECTS_IN_SQL.search(context.source):
        return "a function of Java may be called"
    if patches.touch("sys.stdout") or patches.touch("builtins.print"):
        return "what is printed may run code of the file"
    if patches.touch("pyspark.sql.DataFrame.") or "" in patches.methods:
        return "the file changes classes of PySpark"
    if any(patches.touch(f"pyspark.sql.{c}") for c in ("DataFrame", "Column", "SparkSession")):
        return "the file changes classes of PySpark"
    for node in scopes.parents:
        match node:
            case ast.Import(names=found) if any(a.name.split(".")[0] in _INTROSPECTION for a in found):
                return _BY_NAME
            case ast.ImportFrom(module=module) if (module or "").split(".")[0] in _INTROSPECTION:
                return _BY_NAME
            case ast.Attribute() if names.resolve(node) == "sys.modules":
                return _BY_NAME
            case ast.Name(id=name) if name in _SCOPE_FUNCTIONS and not context.bindings(name):
                return _BY_NAME
            case ast.Name(id=name, ctx=ast.Load()) if _HISTORY.match(name) and not _is_bound(node, scopes):
                return f"`{name}` may be the value of any cell"
            case ast.Attribute(attr=name) | ast.Constant(value=str(name)) | ast.Name(id=name):
                if name in _INTROSPECTION and not _asks_for_main(node, scopes):
                    return _BY_NAME
    return None


def _is_bound(node: ast.Name, scopes: Scopes) -> bool:
    """Whether the file binds the variable, or it only stands where a magic was."""
    context = scopes.context
    start = context.span(node).start
    return bool(context.bindings(node.id)) or any(h.span.start <= start < h.span.end for h in context.hidden)


def _asks_for_main(node: ast.AST, scopes: Scopes) -> bool:
    """``__name__ == "__main__"``."""
    around = scopes.parents[node]
    return isinstance(around, ast.Compare) and isinstance(around.left, ast.Name) and around.left.id == "__name__"
