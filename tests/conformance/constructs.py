"""What there is to be tested: every construct of the IR, and everything that the front end gives a meaning to, listed
by looking at the product itself. What the case tables exercise is listed in the same words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import headwater
from headwater.pyspark.api import dataframe
from headwater.pyspark.api.aggregates import aggregate
from headwater.pyspark.columns import column, column_calls, spark_functions, sql, sql_functions
from headwater.pyspark.rdd import methods
from headwater.python.effects import library_calls, purity
from headwater.semantics import calls
from headwater.syntax.source import notebook
from headwater_ir import expr as ir
from headwater_ir.plan import PLAN_NODES, Plan

PRODUCT = Path(headwater.__path__[0])
Names = frozenset[str]

_OPERATORS = {ir.Arith: ir.ArithOp, ir.Compare: ir.CompareOp, ir.StringTest: ir.StringOp}
_DIALECTS: tuple[ir.Dialect, ...] = get_args(ir.Dialect)
_WITH_DIALECT = (ir.Neg, ir.And, ir.Or, ir.Not, ir.In)
MEANINGLESS = frozenset({"Arith // sql"})
"""Combinations that are malformed (``semantics.scalars.arithmetic``)."""


# --- the IR


def of_ir() -> Names:
    """Every node of expressions, by operator and dialect where it has them; every call that is its own meaning."""
    found = {f"Call {name}" for name in calls.EXACT}
    for node in ir.EXPR_NODES:
        if node in _OPERATORS:
            ops: tuple[str, ...] = get_args(_OPERATORS[node])
            found |= {f"{node.__name__} {op} {d}" for op in ops for d in _DIALECTS}
        elif node in _WITH_DIALECT:
            found |= {f"{node.__name__} {d}" for d in _DIALECTS}
        elif node is not ir.Call:
            found.add(node.__name__)
    return frozenset(found) - MEANINGLESS


def in_expressions(expressions: Iterable[ir.Expr]) -> Names:
    """The constructs of these expressions."""
    return frozenset(_word(n) for e in expressions for n in ir.walk(e))


def _word(n: ir.Expr) -> str:
    match n:
        case ir.Arith() | ir.Compare() | ir.StringTest():
            return f"{type(n).__name__} {n.op} {n.dialect}"
        case ir.Neg() | ir.And() | ir.Or() | ir.Not() | ir.In():
            return f"{type(n).__name__} {n.dialect}"
        case ir.Call():
            return f"Call {n.name}"
    return type(n).__name__


def of_plans() -> Names:
    """Every node of plans."""
    return frozenset(n.__name__ for n in PLAN_NODES)


def in_plan(plan: Plan | None) -> Iterator[str]:
    """The nodes of a plan."""
    while plan is not None:
        yield type(plan).__name__
        plan = getattr(plan, "child", None)


# --- columns and SQL


def of_columns() -> Names:
    """Names of functions and methods of Column, and Python operators, that ``column.py`` and its calls read."""
    files = ("pyspark/columns/column.py", "pyspark/columns/column_calls.py")
    functions = "pyspark/columns/spark_functions.py"
    named = {*spark_functions.PURE, *column_calls._STRING_TESTS}.union(*map(_dispatched, (*files, functions)))
    classes = frozenset[str]().union(*(_classes(file, "ast") for file in files))
    return frozenset(named | {t.__name__ for t in column._COMPARE} | _OPERATOR_NODES & classes)


_OPERATOR_NODES = {c.__name__ for base in (ast.operator, ast.unaryop, ast.cmpop) for c in base.__subclasses__()}


def in_columns(texts: Iterable[str]) -> Names:
    """The constructs of these column expressions."""
    nodes = [n for t in texts for n in ast.walk(ast.parse(t, mode="eval"))]
    return frozenset({type(n).__name__ for n in nodes} | {n.attr for n in nodes if isinstance(n, ast.Attribute)})


def of_sql() -> Names:
    """The nodes of sqlglot's trees that ``sql.py`` reads."""
    called = {*sql_functions._OF_ONE, *sql_functions._OF_DATES, *sql_functions._OF_MANY, "Trim", "Concat", "Like"}
    tables = {*sql._COMPARE, *sql._ARITH, *called}
    return frozenset(tables | _classes("pyspark/columns/sql.py", "exp")) - {"Expression", "Identifier", "Anonymous"}


def in_sql(texts: Iterable[str]) -> Names:
    """The nodes of these texts, under every name of their class."""
    import sqlglot

    trees = [sqlglot.parse_one(t, read="spark") for t in texts]
    return frozenset(c.__name__ for t in trees for n in t.walk() for c in type(n).__mro__)


def of_aggregates() -> Names:
    """The native aggregates."""
    return frozenset(aggregate.AGGREGATES)


def of_frames() -> Names:
    """Methods of DataFrames, of grouped ones, of table arguments and of RDDs that have a meaning."""
    grouped = _dispatched("pyspark/api/aggregates/groupby.py") - {"pivot", "cogroup"}  # refused
    tables = set(_methods(_tree("pyspark/api/user_functions/udtf.py")))
    return frozenset({*dataframe._HANDLERS, *methods._FOLLOWED, *methods._PASSING} | grouped | tables)


# --- Python


def of_python() -> Names:
    """Functions and methods that ``python/`` knows by name."""
    found: set[str] = {*purity.NUMERIC_CALLS, *purity.TEXT_CALLS, *(f"str.{m}" for m in purity.STRING_METHODS)}
    apart = {PRODUCT / "libraries", PRODUCT / "python/effects"}  # with tables of their own
    files = [p for p in (PRODUCT / "python").rglob("*.py") if p.parent not in apart]
    for path in sorted([*files, Path(library_calls.__file__)]):
        tree = _tree(str(path))
        found |= {_METHOD.sub(r"\1", n.value) for n in ast.walk(tree) if _is_function(n)}  # type: ignore[attr-defined]
        found |= {f".{m}" for m in _methods(tree)}
    return frozenset(found - _of_models())


def _of_models() -> set[str]:
    """What the registry of models declares, each entry of which ``tests/libraries`` runs beside the real function."""
    models = [e for e in library_calls.registry.entries().values() if e.yields is not None]
    return {n for e in models for n in (e.name, e.kind, f".{e.method}")}


_FUNCTION = re.compile(r"(builtins|math|numpy|pandas|pyarrow|datetime|heapq|bisect|operator|functools)(\.\w+)+")


_METHOD = re.compile(r"builtins\.(?:dict|list|set|tuple)(\.\w+)")


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_FUNCTION.fullmatch(node.value))


def _methods(tree: ast.Module) -> Iterator[str]:
    """Texts that the name of an attribute is compared with."""
    for n in ast.walk(tree):
        if isinstance(n, ast.Compare) and re.search(r"\battr\b|\bmethod\b", ast.unparse(n.left)):
            yield from (s for c in n.comparators for s in _texts(c))
        elif isinstance(n, ast.match_case):
            for p in ast.walk(n.pattern):
                if isinstance(p, ast.MatchClass):
                    named = zip(p.kwd_attrs, p.kwd_patterns, strict=True)
                    yield from (s for name, inner in named if name == "attr" for s in _texts(inner))
        elif isinstance(n, ast.Match) and (".attr" in ast.unparse(n.subject) or ast.unparse(n.subject) == "method"):
            yield from (s for c in n.cases for s in _texts(c.pattern))


_MODULES = {"pd": "pandas", "np": "numpy", "pa": "pyarrow", "dt": "datetime"}


def in_python(sources: Iterable[str]) -> Names:
    """The functions and methods that these programs name."""
    found: set[str] = set()
    for source in sources:
        for node in ast.walk(notebook.parse(source).tree):
            if isinstance(node, ast.Name):
                found.add(f"builtins.{node.id}")
            elif isinstance(node, ast.Attribute):
                head, _, rest = ast.unparse(node).partition(".")
                found |= {f".{node.attr}", f"str.{node.attr}", f"{_MODULES.get(head, head)}.{rest}"}
            elif isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{a.name}" for a in node.names}
    return frozenset(found)


# --- reading the product


def _dispatched(file: str) -> set[str]:
    """The texts that something called a name is compared with in ``file``."""
    found: set[str] = set()
    for n in ast.walk(_tree(file)):
        if isinstance(n, ast.Compare) and ast.unparse(n.left) == "name":
            found |= {s for c in n.comparators for s in _texts(c)}
        elif isinstance(n, ast.Match) and re.match(r"\(?name\b", ast.unparse(n.subject)):
            patterns = [c.pattern for c in n.cases]
            firsts = [p.patterns[0] if isinstance(p, ast.MatchSequence) else p for p in patterns]
            found |= {s for p in firsts for s in _texts(p)}
    return found


def _classes(file: str, module: str) -> set[str]:
    """The classes of ``module`` that ``file`` names."""
    named = (n for n in ast.walk(_tree(file)) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    return {n.attr for n in named if n.value.id == module and n.attr[0].isupper()}  # type: ignore[attr-defined]


def _tree(file: str) -> ast.Module:
    return ast.parse((PRODUCT / file).read_text(encoding="utf-8"))


def _texts(node: ast.AST) -> Iterator[str]:
    for n in ast.walk(node):
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value.isidentifier():
            yield n.value
