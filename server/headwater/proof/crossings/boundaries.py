"""Where a path ends: the last predicate and that of the fold problem, which speaks of the fold's outputs.

Law: what the certificate proves of the fold problem (``proof.conditions``) is about the rows that the boundary gives,
if its predicate says of them what the last predicate says. An output is the column of its name; the size of an array,
a field of a struct, what Spark computes of one column (``native``) and the value of a condition on columns (``asked``)
are outputs of their own.
Of ``explode`` each element is a row, and is kept by ``filter`` of its array; an empty array makes a row with NULL, if
it is the outer one: then such a row must not pass. Of ``posexplode`` rows are kept that have an element which is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater_ir import expr as ir
from headwater_ir.array_sizes import in_sizes, size_column
from headwater_ir.asked import in_asked_columns
from headwater_ir.crossing import Crossing, MeetsArms, MeetsElements, MeetsFold, MeetsLimit, MeetsWindow, Passed
from headwater_ir.expr import Expr
from headwater_ir.native import as_native, real_column, with_natives
from headwater_ir.problem import Column, FoldProblem
from headwater_ir.struct_fields import as_columns, in_field_columns
from headwater_ir.types import Type
from headwater_ir.verdict import Solution

from ...semantics.values import lnot
from .encoding import OutOfReach
from .groups import limit, prefix
from .meaning import Claim, Claims, Meaning
from .row_by_row import arms

_SIZE = ("spark.size", "spark.cardinality")


def meeting(crossing: Crossing, stays: bool, problem: FoldProblem, solution: Solution) -> tuple[Meaning, Claims]:
    """The last crossing of a path, and its claims."""
    node, fold = crossing.passed, problem.fold
    if crossing.after != problem.predicate:
        raise OutOfReach("the path does not end with the predicate of the fold problem")
    after = _as_columns(crossing.after)
    if not isinstance(node, MeetsFold) and any(o.value != ir.Col(o.name) for o in fold.outputs):
        raise OutOfReach("the fold does not give back its rows")
    outputs = {o.name: o.type for o in fold.outputs}
    types = {c.name: c.type for c in (*crossing.above, *crossing.below)} | outputs
    known = tuple(Column(n, t) for n, t in types.items())
    before = _spoken(crossing.before, node, fold_names=frozenset(outputs), types=types)
    seen = replace(crossing, before=before, after=after, above=known, below=known)
    m = Meaning(seen, stays, fold.params, (solution.pre_filter,))
    return m, _claims(m, node, solution)


def _claims(m: Meaning, node: Passed, solution: Solution) -> Claims:
    if isinstance(node, MeetsFold):
        row = m.row("out", m.wanted, m.below)
        yield from m.row_by_row(m.output(row), row)
    elif isinstance(node, MeetsArms):
        yield from arms(m, node)
    elif isinstance(node, (MeetsWindow, MeetsLimit)):
        yield from prefix(m, node.passed) if isinstance(node, MeetsWindow) else limit(m, node.passed)
        row = m.row("g", m.wanted | ir.columns_of(solution.pre_filter), m.below)
        kept, given = m.kept(row), m.rows.passes(solution.pre_filter, row)
        yield Claim("the pre-filter keeps the prefix", (kept,), given)
        yield Claim("the pre-filter keeps no more", (given,), kept)
    elif isinstance(node, MeetsElements):
        yield from _elements(m, node, solution)
    else:
        raise OutOfReach("the path does not end at a boundary")


def _elements(m: Meaning, node: MeetsElements, solution: Solution) -> Claims:
    if (node.outer or node.placed) and not m.stays:
        raise OutOfReach("the filter must stay")
    if node.placed and node.made[0] in m.wanted:
        raise OutOfReach("of fewer elements each has another place")
    made = {n for n in m.read | m.wanted | ir.columns_of(solution.pre_filter) if _is_of(n, node.made)}
    if node.varies and not all(
        ir.columns_of(c) & made for e in (m.after, solution.pre_filter) for c in ir.conjuncts(e)
    ):
        raise OutOfReach("what is taken apart may be more than a function of the row")
    row = m.row("e", m.wanted, m.below)
    yield from m.needs("needed", m.output(row), row)
    yield from m.no_more(m.output(row), row)
    yield from m.total(row) if node.placed else m.errors(m.output(row), row)
    if node.outer:
        nothing = m.row("nothing", m.read, m.below)
        yield Claim(
            "no elements", (), lnot(m.passing({n: m.rows.null(c) if n in made else c for n, c in nothing.items()}))
        )


def _is_of(name: str, made: tuple[str, ...]) -> bool:
    """Whether ``name`` is a column made here, a field of one, or what Spark computes of one."""
    of = real_column(name)
    return of in made or name.partition(".")[0] in made


def _as_columns(predicate: Expr) -> Expr:
    return ir.transform(predicate, lambda e: ir.Col(e.name) if isinstance(e, ir.Out) else None)


def _spoken(before: Expr, node: object, fold_names: frozenset[str], types: Mapping[str, Type]) -> Expr:
    """``before`` in the words of the fold's outputs."""
    if isinstance(node, MeetsElements):
        before = as_columns(before, frozenset(node.made))
        element = node.made[-1]
        alone = len(node.made) == 1 + node.placed
        return with_natives(before, {element: types[element]}) if alone and element in types else before
    before = in_field_columns(before, fold_names)
    native = with_natives(before, types)
    if {n for n in ir.columns_of(native) if as_native(n) is not None} <= fold_names:
        before = native
    before = in_asked_columns(before, fold_names)
    before = in_sizes(before, frozenset(n for n in ir.columns_of(before) if size_column(n).name in fold_names))

    def size(e: Expr) -> Expr | None:
        match e:
            case ir.Call(name=function, args=(ir.Col(name=array),)) if (
                function in _SIZE and f"size({array})" in fold_names
            ):
                return ir.Col(f"size({array})")
        return None

    return ir.transform(before, size)
