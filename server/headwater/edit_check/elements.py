"""What a function means that filters elements: those of an array, in the argument of ``explode``, or those of an RDD.

No operator of a plan shows such a filter. So its text is read where the front end gives it a meaning, in a probe that
is read and then thrown away: the condition on an element of an array as a filter above the generator, of the column
that it makes; the condition on an element of an RDD as a filter of an RDD whose elements are made of columns, one for
each part of the element.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from headwater.syntax.names.module_scope import Context
from headwater_ir.expr import Col, Expr, IsNaN, IsNull, Not, transform
from headwater_ir.module import Module
from headwater_ir.plan import Explode, Filter, GroupMap, RowUdf
from headwater_ir.problem import Fold
from headwater_ir.span import Span

from .conditions import Form, forms
from .equality import Different
from .expected import Place
from .syntax import Found

_FUNCTIONS = "headwater_functions"
_HEAD = f"from pyspark.sql import functions as {_FUNCTIONS}\n"
_TYPES = {"int": "bigint", "float": "double", "string": "string", "bool": "boolean", "date": "date"}


def check(place: Place, found: Found, old: Context, new: Context, read: Callable[[str], Module]) -> None:
    """``Different`` unless the elements are filtered by what ``place`` says of them."""
    if not place.elements:
        return
    wanted = sorted(forms(place.elements), key=repr)
    got = sorted(
        _of_rdd(place, found, old, new, read) if place.of_rdd else _of_array(place, found, old, new, read), key=repr
    )
    if wanted != got:
        raise Different(f"the elements are filtered by {got}, not by {wanted}")


def _of_array(place: Place, found: Found, old: Context, new: Context, read: Callable[[str], Module]) -> list[Form]:
    node = place.node
    assert isinstance(node, Explode)
    function, lambda_ = _filtered_array(place, found, old, new)
    made = node.made[1:] if node.placed else node.made
    names = [a.arg for a in lambda_.args.args]
    expected = "exists" if node.placed else "filter" if len(made) == 1 else "map_filter"
    if (
        new.qualified(function) != f"pyspark.sql.functions.{expected}"
        or len(names) != len(made)
        or not _is_plain(lambda_)
    ):
        raise Different(f"the elements are not filtered by `{expected}`")
    body = _with_columns(lambda_.body, dict(zip(names, made, strict=True)), new)
    at = node.span.end
    text = f"{_HEAD}{old.readable[:at]}.filter({body}){old.readable[at:]}"
    start = len(_HEAD) + at + len(".filter(")
    filter_ = _filter_at(read(text), Span(start, start + len(body)))
    return forms(c.condition for c in filter_.conjuncts)


def _filtered_array(place: Place, found: Found, old: Context, new: Context) -> tuple[ast.expr, ast.Lambda]:
    """The function that filters, and the condition that it is given."""
    node = place.node
    assert isinstance(node, Explode)
    assert node.argument is not None
    if not node.placed:
        mine = [(function, condition) for at, function, condition in found.elements if at == node.argument]
    else:
        calls = [c for end, c in found.inserted if end == place.boundary.insert_at and isinstance(c, ast.Call)]
        of = old.readable[node.argument.start : node.argument.end]
        mine = [
            (c.func, c.args[1])
            for c in calls
            if len(c.args) == 2
            and isinstance(c.args[1], ast.Lambda)
            and not c.keywords
            and ast.dump(c.args[0]) == ast.dump(ast.parse(f"({of}\n)", mode="eval").body)
        ]
    if len(mine) != 1:
        raise Different("the elements are filtered at another place, or not once")
    return mine[0]


def _is_plain(function: ast.Lambda) -> bool:
    a = function.args
    return not (a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults)


def _with_columns(body: ast.expr, columns: dict[str, str], new: Context) -> str:
    """The text of a condition in which columns stand for the variables of its function."""
    span = new.span(body)
    text, at = "", span.start
    reads = (n for n in ast.walk(body) if isinstance(n, ast.Name) and n.id in columns)
    for place, name in sorted((new.span(n), n.id) for n in reads):
        text += new.readable[at : place.start] + f"{_FUNCTIONS}.col({columns[name]!r})"
        at = place.end
    return f"({text}{new.readable[at : span.end]})"


def _filter_at(module: Module, condition: Span) -> Filter:
    inner = Span(condition.start + 1, condition.end - 1)
    found = [f for f in module.filters if f.condition in (condition, inner)]
    if len(found) != 1 or found[0].unread is not None:
        raise Different("the condition on the elements has no meaning")
    return found[0]


def _of_rdd(place: Place, found: Found, old: Context, new: Context, read: Callable[[str], Module]) -> list[Form]:
    node = place.node
    assert isinstance(node, (GroupMap, RowUdf))
    conditions = [c for end, c in found.inserted if end == place.boundary.insert_at]
    if len(conditions) != 1 or not isinstance(conditions[0], ast.Lambda):
        raise Different("the elements are filtered at another place, or not once")
    columns = {c.name: f"c{i}" for i, c in enumerate(node.fold.columns) if not c.ghost}
    text = new.text(conditions[0])
    rows = _rows(node.fold, columns)
    head = f"{old.readable}\n{_HEAD}{rows}.rdd.map(lambda r: {_element(columns)}).filter("
    filter_ = _filter_at(read(f"{head}{text})\n"), Span(len(head) - 1, len(head) + len(text) + 1))
    below = filter_.child
    if not isinstance(below, RowUdf):
        raise Different("the condition on the elements has no meaning")
    values = {o.name: o.value for o in below.fold.outputs}
    back = {column: name for name, column in columns.items()}

    def told(e: Expr) -> Expr | None:
        return (
            transform(values[e.name], lambda n: Col(back[n.name]) if isinstance(n, Col) else None)
            if isinstance(e, Col)
            else None
        )

    return [_if_true(f) for f in forms(transform(c.condition, told) for c in filter_.conjuncts)]


def _if_true(f: Form) -> Form:
    """A conjunct that Python compares: ``x == 3`` is TRUE of the same values in SQL."""
    plain = f[0] == "Compare" and f[1] == "'=='" and f[3][0] == "literal" and f[3][1] in ("int", "str", "bool")
    return (*f[:4], "'sql'") if plain else f


def _rows(fold: Fold, columns: dict[str, str]) -> str:
    """A frame of as many columns as the elements have parts, of the same types, of which the same is known."""
    types = {columns[c.name]: _TYPES.get(c.type.name) for c in fold.columns if c.name in columns}
    known = ", ".join(f"{name} {kind}" for name, kind in types.items())
    source = f"spark.read.schema({known!r})" if all(types.values()) else "spark.read"
    text = f"{source}.parquet('headwater')"
    for fact in fold.facts:
        match fact:
            case Not(operand=IsNull(operand=Col(name))) if name in columns:
                text += f".filter({_FUNCTIONS}.col({columns[name]!r}).isNotNull())"
            case Not(operand=IsNaN(operand=Col(name))) if name in columns:
                text += f".filter(~{_FUNCTIONS}.isnan({columns[name]!r}))"
    return text


def _element(columns: dict[str, str]) -> str:
    """An element whose parts, ``kv[0]`` and ``kv[1][0]``, are columns of a row."""
    tree: dict[int, object] = {}
    for name, column in columns.items():
        path = [int(i) for i in re.findall(r"\[(\d+)\]", name)]
        if not path:
            return f"r.{column}"
        at = tree
        for step in path[:-1]:
            at = at.setdefault(step, {})  # type: ignore[assignment]
        at[path[-1]] = f"r.{column}"
    return _tuple(tree)


def _tuple(tree: object) -> str:
    if not isinstance(tree, dict):
        return str(tree)
    parts = [_tuple(tree[i]) if i in tree else "0" for i in range(max(tree) + 1)]
    return f"({', '.join(parts)},)"
