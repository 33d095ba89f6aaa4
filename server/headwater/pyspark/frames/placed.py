"""The names and calls of one statement, found once: statements stay as they are while a text is edited elsewhere."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Union

from headwater.syntax.source.ast_walk import children, walk
from headwater.syntax.source.by_method import ByMethod

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)


@dataclass(frozen=True)
class Placed:
    """One statement: what is around each node in it, by identity, and the names and calls in it; ``spelled``: by the
    names of calls, how often each is spelled for its value; ``noted``: what was asked of names (``noted_of``);
    ``leaves``: whether it may leave its block."""

    around: dict[int, ast.AST]
    names: dict[str, list[ast.Name]]
    calls: dict[str, list[ast.Call]]
    spelled: dict[str, Counter[str]]
    noted: dict[tuple[str, str], frozenset[str]]
    leaves: bool


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[Placed]) -> Placed:
    found, leaves = Placed({}, {}, {}, {}, {}, False), False
    for method, known in zip(methods, of_each, strict=True):
        found.around.update(known.around)
        for name, names in known.names.items():
            found.names.setdefault(name, []).extend(names)
        for name, calls in known.calls.items():
            found.calls.setdefault(name, []).extend(calls)
        found.around[id(method)] = statement
    apart = {id(m) for m in methods}
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        leaves |= isinstance(node, LEAVES)
        if isinstance(node, ast.Name):
            found.names.setdefault(node.id, []).append(node)
        elif isinstance(node, ast.Call):
            found.calls.setdefault(called_name(node), []).append(node)
        for child in children(node):
            found.around[id(child)] = node
            if id(child) not in apart:
                todo.append(child)
    return replace(found, leaves=leaves and not isinstance(statement, _DEFINITIONS))


placed = ByMethod("_placed", _found_in)
"""What stands in a statement."""


def spelled(statements: Iterable[ast.stmt], name: str) -> Counter[str]:
    """How often each call of ``name``, as ``ast.dump`` makes a text of it, stands in ``statements``, and not to be
    compared with a constant or tested."""
    found = Counter[str]()
    for noted in map(placed, statements):
        if name in noted.calls and name not in noted.spelled:
            values = (n for n in noted.calls[name] if not is_compared(n, noted.around.get(id(n))))
            noted.spelled[name] = Counter(map(ast.dump, values))
        for text, times in noted.spelled.get(name, {}).items():
            found[text] += times
    return found


def concerns(statement: ast.stmt, name: str) -> bool:
    """Whether ``statement`` names ``name``, or what stands behind it may not be reached."""
    noted = placed(statement)
    return name in noted.names or noted.leaves


Named = Iterable[tuple[ast.Name, Union[ast.AST, None]]]
"""Where a variable stands, each time with what is around it."""


def named_in(statements: Sequence[ast.stmt], name: str) -> Named:
    """Where ``name`` stands in ``statements``."""
    return ((n, noted.around.get(id(n))) for noted in map(placed, statements) for n in noted.names.get(name, ()))


def attributes_of(named: Named) -> frozenset[str]:
    """The attributes that are read of a variable."""
    return frozenset(around.attr for _, around in named if isinstance(around, ast.Attribute))


def given_to(named: Named) -> frozenset[str]:
    """The names of the functions that are called with a variable as it is."""
    calls = (around for _, around in named if isinstance(around, ast.Call))
    return frozenset(c.func.id for c in calls if isinstance(c.func, ast.Name))


def made_with(named: Named) -> frozenset[str]:
    """The attributes that are read in what is assigned to a variable."""
    made = (a for n, a in named if isinstance(n.ctx, ast.Store) and isinstance(a, (ast.Assign, ast.AnnAssign)))
    return frozenset(n.attr for a in made if a.value is not None for n in walk(a.value) if isinstance(n, ast.Attribute))


NOTED_OF_NAMES = {f.__name__: f for f in (attributes_of, given_to, made_with)}
"""What is noted of a name in each statement by itself."""


def noted_of(kind: str, statements: Iterable[ast.stmt], name: str) -> frozenset[str]:
    """What the function called ``kind`` gives for ``name`` in ``statements``, each of which is looked at once."""
    found = list[frozenset[str]]()
    for statement in statements:
        known = placed(statement).noted
        if (kind, name) not in known:
            known[kind, name] = NOTED_OF_NAMES[kind](named_in([statement], name))
        found.append(known[kind, name])
    return frozenset[str]().union(*found)


def called_name(call: ast.Call) -> str:
    """The last name of what is called."""
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def is_compared(node: ast.Call, around: ast.AST | None) -> bool:
    match around:
        case ast.Compare(left=left, comparators=[other]):
            return isinstance(other if left is node else left, ast.Constant)
        case ast.UnaryOp(op=ast.Not()) | ast.If() | ast.While() | ast.BoolOp() | ast.IfExp():
            return True
        case ast.Assert(test=test):
            return test is node
        case ast.Call(func=ast.Name(id="bool")):
            return True
    return False
