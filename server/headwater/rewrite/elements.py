"""A pre-filter on the elements of an array or a map, written where the array is: ``filter(xs, lambda x: x > 5)``; or,
where their places count, on the row that the array is in: ``exists(xs, lambda x: x > 5)``."""

from __future__ import annotations

import keyword
import re

from headwater_ir.expr import Compare, Expr, IsNaN, Lit, Or, columns_of, disjoin, params_of, transform
from headwater_ir.plan import Explode

from .edit import Edit
from .python_text import string_literal
from .spell_column import ColumnSpeller
from .tokens import CannotEdit


def filter_elements(source: str, node: Explode, condition: Expr, speller: ColumnSpeller) -> Edit:
    """The edit that puts the argument of ``node`` into a ``filter``, or a map into a ``map_filter``."""
    assert node.argument is not None
    function = "filter" if len(node.made) == 1 else "map_filter"
    return Edit(node.argument, _call(function, source, node, node.made, condition, speller))


def some_element(source: str, node: Explode, condition: Expr, speller: ColumnSpeller) -> str:
    """The condition that ``condition`` is TRUE of some element of the array that ``node`` takes apart."""
    return _call("exists", source, node, node.made[1:], condition, speller)


def _call(
    name: str, source: str, node: Explode, made: tuple[str, ...], condition: Expr, speller: ColumnSpeller
) -> str:  # fmt: skip
    assert node.argument is not None
    function = speller.function(name)
    taken = {"float", *params_of(condition), *speller.names, speller.alias, *dict(speller.spelling.imported).values()}
    names = _variables(made, taken | {speller.spelling.functions or "", speller.spelling.col or ""})
    for column in sorted(c for c in columns_of(condition) if not node.makes(c)):
        # PySpark numbers the variables of lambdas, and such a name means the variable.
        if any(re.fullmatch(rf"{re.escape(v)}_\d+", column, re.IGNORECASE) for v in names):
            raise CannotEdit(f"`{column}` would mean a variable of the lambda")
    condition = transform(condition, _without_nan)
    variables = dict(zip(made, names, strict=True))
    fields = {c: c.partition(".") for c in columns_of(condition) if node.makes(c) and "." in c}
    structs = {c: f"{variables[s]}[{string_literal(f, speller.quote)}]" for c, (s, _, f) in fields.items()}
    speller.bound = variables | structs
    try:
        text = speller.condition(condition)
    finally:
        speller.bound = {}
    return f"{function}({node.argument.text(source)}, lambda {', '.join(names)}: {text})"


def _variables(made: tuple[str, ...], taken: set[str]) -> list[str]:
    """A name for each element that means nothing else in the condition: the column's, if it may be a variable."""
    found: list[str] = []
    for column in made:
        spare = [f"{stem}{n}" for stem in ("x", "element") for n in ("", *range(1, len(taken) + len(made) + 1))]
        usable = [n for n in (column, *spare) if n.isidentifier() and not keyword.iskeyword(n)]
        found.append(next(n for n in usable if n not in taken and n not in found))
    return found


def _without_nan(e: Expr) -> Expr | None:
    """``x > 5`` for ``x > 5 OR isnan(x)``, which says the same wherever Spark itself is asked, as here; only a source
    may take NaN for less."""
    if not isinstance(e, Or):
        return None
    more = {o.left for o in e.operands if isinstance(o, Compare) and o.op in (">", ">=", "!=") and _is_number(o.right)}
    kept = tuple(o for o in e.operands if not (isinstance(o, IsNaN) and o.operand in more))
    return disjoin(kept) if len(kept) < len(e.operands) else None


def _is_number(e: Expr) -> bool:
    return isinstance(e, Lit) and isinstance(e.value, (int, float)) and e.value == e.value
