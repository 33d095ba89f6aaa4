"""The baseline: the nine rules that the paper collects from earlier systems (its section 7.1.2), over the plan that the
front end reads from the same source text.

| rule | of | collected from |
| --- | --- | --- |
| 1 | projections; columns computed by an invertible function of one column | DB2, predicate migration [42, 44] |
| 2 | keys of a group, all columns of ``distinct``; ``max(C) > v`` to ``C > v`` | [23, 42, 44] |
| 3 | intersection, union, sorting | [42, 44] |
| 4 | the conjuncts of one side of an equijoin | PostgreSQL, WeTune and others [11, 32, 42, 49] |
| 5 | an OR of conjunctions over both sides of an equijoin: what it says of each | PostgreSQL, Orca [11, 32] |
| 6 | the preserved side of an outer join, and the other one if only keys are read | [11, 42] |
| 7 | the left side of a semi- or anti-join | [42] |
| 8 | conditions inside of a subquery | [11, 23, 49]; no subquery is written by a DataFrame: never used |
| 9 | the index columns of ``pivot`` and ``unpivot`` | [31] |

The numbers in brackets are the paper's. Filters commute with filters, of which the paper has no rule. An inner join is
taken for an equijoin, since the plan does not always say what its condition compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater_ir.expr import (
    And,
    Arith,
    Col,
    Compare,
    Expr,
    If,
    IsNull,
    Lit,
    Neg,
    Or,
    Slot,
    columns_of,
    conjuncts,
    transform,
    walk,
)
from headwater_ir.plan import (
    Aggregate,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    Join,
    Opaque,
    Pivot,
    Plan,
    Project,
    RowUdf,
    SetOperation,
    Sort,
    UnionAll,
    View,
)

Parts = tuple[Expr, ...]


@dataclass(frozen=True)
class Step:
    """What goes below one operator: the conjuncts for each input. ``equal``: none need stay above."""

    sent: tuple[tuple[Plan, Parts], ...] = ()
    equal: bool = False
    rule: int = 0


def step(parts: Parts, node: Plan) -> Step:
    """The conjuncts ``parts`` of a filter on ``node`` below it, by the rule for that operator."""
    match node:
        case Filter() | View():
            return Step(((node.child, parts),), True)
        case Opaque(child=child, causes=causes) if child is not None and "filter" in causes:
            return Step(((child, parts),), True)
        case Opaque(child=child, makes=made) if child is not None and made is not None and _is_pure(node):
            kept = tuple(p for p in parts if not columns_of(p) & made)
            return _some(parts, child, kept, 1)
        case Project():
            values = dict(node.columns)
            plain = None if node.keeps_others else frozenset(values)
            return _substituted(parts, node.child, values, plain, 1)
        case RowUdf():
            return _substituted(parts, node.child, {o.name: o.value for o in node.fold.outputs}, None, 1)
        case Aggregate():
            return _aggregate(parts, node)
        case Distinct():
            return Step(((node.child, parts),), True, 2)
        case DropDuplicates(keys=keys) if keys is not None:
            return _of_columns(parts, node.child, frozenset(keys), 2)
        case Sort():
            return Step(((node.child, parts),), True, 3)
        case UnionAll():
            return _of_both(parts, node, by_name=node.by_name)
        case SetOperation(operator="intersect" | "intersectAll"):
            return _of_both(parts, node, by_name=False)
        case Join():
            return _join(parts, node)
        case Pivot():
            return _of_columns(parts, node.child, frozenset(node.keys), 9)
        case Explode(arms=arms) if arms:
            kept = tuple(p for p in parts if not any(map(node.makes, columns_of(p))))
            return _some(parts, node.child, kept, 9)
    return Step()


def is_filter(node: Plan) -> bool:
    """Whether ``node`` only keeps some of the rows below it, or is another name for them."""
    return isinstance(node, (Filter, View)) or (isinstance(node, Opaque) and "filter" in node.causes)


def _is_pure(node: Opaque) -> bool:
    """Whether it makes each row of one, by functions without effects: a projection that could not be read."""
    return "pure functions" in node.causes or "row by row" in node.causes


def _some(parts: Parts, child: Plan, kept: Parts, rule: int) -> Step:
    return Step(((child, kept),), len(kept) == len(parts), rule) if kept else Step()


def _of_columns(parts: Parts, child: Plan, names: frozenset[str], rule: int) -> Step:
    return _some(parts, child, tuple(p for p in parts if columns_of(p) <= names), rule)


def _renamed(part: Expr, names: Mapping[str, Expr]) -> Expr:
    return transform(part, lambda e: names.get(e.name) if isinstance(e, Col) else None)


def _substituted(parts: Parts, child: Plan, values: dict[str, Expr], known: frozenset[str] | None, rule: int) -> Step:
    """Columns that are only renamed, or invertible functions of one column, replaced by what they are."""
    able = {n for n, v in values.items() if isinstance(v, Col) or _is_invertible(v)}
    kept = [
        p for p in parts if all(n in able or (n not in values and known is None) for n in columns_of(p))
    ]  # fmt: skip
    sent = tuple(_renamed(p, values) for p in kept)
    return Step(((child, sent),), len(kept) == len(parts), rule) if sent else Step()


def _is_invertible(e: Expr) -> bool:
    """Whether ``e`` differs for different values of its one column. The paper asks a solver, over exact numbers."""
    if len({n.name for n in walk(e) if isinstance(n, Col)}) != 1:
        return False
    match e:
        case Col():
            return True
        case Neg(operand=inner):
            return _is_invertible(inner)
        case Arith(op="+" | "-", left=inner, right=Lit()) | Arith(op="+" | "-", left=Lit(), right=inner):
            return _is_invertible(inner)
        case (
            Arith(op="*" | "/", left=inner, right=Lit(value=value)) | Arith(op="*", left=Lit(value=value), right=inner)
        ):
            return bool(value) and _is_invertible(inner)
        case If(cond=IsNull(operand=Col()), then=Lit(value=None), otherwise=inner):
            return _is_invertible(inner)
    return False


def _aggregate(parts: Parts, node: Aggregate) -> Step:
    fold = node.fold
    keys = {o.name: o.value for o in fold.outputs if isinstance(o.value, Col) and o.value.name in fold.keys}
    if not fold.grouped:
        keys = {}
    sent = [_renamed(p, keys) for p in parts if columns_of(p) and columns_of(p) <= keys.keys()]
    made = [o for o in fold.outputs if o.name not in keys]
    if len(made) == 1 and fold.grouped and made[0].value == Slot(0):
        for p in parts:
            match p:
                case Compare(op=op, left=Col(name=name), right=Lit()) if name == made[0].name:
                    for column in (c for c in fold.columns if not c.is_key):
                        if (op in (">", ">=") and fold.step == (_extreme(column.name, ">"),)) or (
                            op in ("<", "<=") and fold.step == (_extreme(column.name, "<"),)
                        ):
                            sent.append(_renamed(p, {name: Col(column.name)}))
    return Step(((node.child, tuple(sent)),), len(sent) == len(parts), 2) if sent else Step()


def _extreme(column: str, op: str) -> Expr:
    """The step of Spark's ``max`` (``>``) or ``min`` (``<``) of a column, as the front end writes it."""
    better = Compare(">" if op == ">" else "<", Col(column), Slot(0), "sql")
    first = Or((IsNull(Slot(0)), better), "sql")
    return If(IsNull(Col(column)), Slot(0), If(first, Col(column), Slot(0)))


def _of_both(parts: Parts, node: UnionAll | SetOperation, by_name: bool) -> Step:
    if by_name:
        return Step(((node.left, parts), (node.right, parts)), True, 3)
    if node.right_names is None:
        return Step()
    names: dict[str, Expr] = {left: Col(right) for left, right in node.right_names}
    if not all(columns_of(p) <= names.keys() for p in parts):
        return Step()
    return Step(((node.left, parts), (node.right, tuple(_renamed(p, names) for p in parts))), True, 3)


def _join(parts: Parts, node: Join) -> Step:
    if node.left_columns is None or (node.right_columns is None and node.how not in ("semi", "anti")):
        return Step()
    left, right = frozenset(node.left_columns), frozenset(node.right_columns or ())
    if node.how in ("semi", "anti"):
        return _of_columns(parts, node.left, left, 7)
    to_right: dict[str, Expr] = {a: Col(b) for a, b in node.equal}
    to_left: dict[str, Expr] = {b: Col(a) for a, b in node.equal if a != b}
    both = frozenset(node.using)
    of_left, of_right = left - (right - both), right - (left - both)
    if node.how == "inner":
        return _inner(parts, node, of_left, of_right)
    if not (node.equal or both) or node.how == "full":
        return Step()
    kept, other = (of_left, of_right) if node.how == "left" else (of_right, of_left)
    across = to_right if node.how == "left" else to_left
    mine = tuple(p for p in parts if columns_of(p) and columns_of(p) <= kept)
    of_keys = [p for p in mine if columns_of(p) <= (both | across.keys())]
    theirs = tuple(_renamed(p, {n: c for n, c in across.items() if n not in both}) for p in of_keys)
    sides = (node.left, node.right) if node.how == "left" else (node.right, node.left)
    sent = tuple((side, of) for side, of in zip(sides, (mine, theirs), strict=True) if of)
    assert other is not kept
    return Step(sent, len(mine) == len(parts), 6) if sent else Step()


def _inner(parts: Parts, node: Join, of_left: frozenset[str], of_right: frozenset[str]) -> Step:
    sides = ((node.left, of_left), (node.right, of_right))
    sent: list[tuple[Plan, Parts]] = []
    alone = [p for p in parts if columns_of(p) and any(columns_of(p) <= names for _, names in sides)]
    of_both = [p for p in parts if p not in alone]
    rule = 4 if alone else 5
    for side, names in sides:
        mine = [p for p in alone if columns_of(p) <= names]
        mine += [said for p in of_both if (said := _said_of(p, names)) is not None]
        if mine:
            sent.append((side, tuple(mine)))
    return Step(tuple(sent), not of_both, rule) if sent else Step()


def _said_of(part: Expr, names: frozenset[str]) -> Expr | None:
    """What an OR of conjunctions says of the columns of one side: rule 5."""
    if not isinstance(part, Or) or len(part.operands) < 2:
        return None
    found: list[Expr] = []
    for branch in part.operands:
        mine = [c for c in conjuncts(branch) if columns_of(c) and columns_of(c) <= names]
        if not mine:
            return None
        found.append(mine[0] if len(mine) == 1 else And(tuple(mine), "sql"))
    return Or(tuple(found), "sql")


@dataclass(frozen=True)
class Reached:
    """A condition that comes to a ``place``, the first node that it does not pass, after ``crossed`` operators other
    than filters by ``rules``."""

    place: Plan
    condition: Expr
    crossed: tuple[Plan, ...]
    rules: tuple[int, ...]


def reached(parts: Sequence[Expr], node: Plan) -> tuple[list[Reached], bool]:
    """Where the conjuncts of a filter on ``node`` come to by the rules, and whether none of them must stay anywhere
    above."""
    found: list[Reached] = []
    equal = True
    going: list[tuple[Parts, Plan, tuple[Plan, ...], tuple[int, ...]]] = [(tuple(parts), node, (), ())]
    while going:
        now, at, crossed, rules = going.pop()
        taken = step(now, at)
        equal &= taken.equal or not taken.sent
        if not taken.sent:
            found += [Reached(at, part, crossed, rules) for part in now]
        elif not taken.equal:  # those that stay
            equal = False
        over = crossed if is_filter(at) else (*crossed, at)
        used = (*rules, taken.rule) if taken.rule else rules
        going += [(sent, child, over, used) for child, sent in taken.sent]
    return found, equal
