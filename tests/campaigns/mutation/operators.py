"""Mutation operators over Python's syntax trees, chosen for code that builds formulas.

Beside the classical ones (comparisons, connectives, constants, branches, statements) there are those of this code base:
a conjunct or a hypothesis that is forgotten, a NULL or NaN flag that is forgotten, the original state taken for the
optimized one, ``T`` for ``F``. Texts of messages, docstrings, annotations and imports are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
TWINS = {
    "land": "lor", "lor": "land", "is_true": "is_false", "is_false": "is_true", "all": "any", "any": "all",
    "min": "max", "T": "F", "F": "T", "And": "Or", "unsat": "sat",
}  # fmt: skip
SIDES = {"left": "right", "right": "left", "a": "b", "b": "a", "x": "y", "y": "x", "then": "otherwise", "o": "t"}
UNWRAPPED = {"lnot", "abs", "bool", "convert", "canonical", "_slot", "is_true"}
BRANCHES = {"choose", "ite", "If"}
ORDERED = {"choose", "ite", "If", "merge", "_order", "_sql_order", "native", "operation", "zip"}
"""Calls whose last two arguments are worth swapping; elsewhere that is a type error."""
VARIADIC = {"land", "lor", "And", "walk"}
FLAGS = {"null", "nan", "present"}
"""Of an encoded value: what its absence is mutated to is ``F``."""


@dataclass(frozen=True)
class Site:
    """A place in a tree: ``holder.field`` or ``holder.field[index]``."""

    holder: ast.AST
    field: str
    index: int | None

    def put(self, node: object) -> None:
        """Replace what stands there."""
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One change of one file. ``scope`` is the function that holds it, ``number`` tells equal changes in it apart."""

    file: str
    scope: str
    line: int
    operator: str
    before: str
    after: str
    number: int
    site: Site
    node: ast.AST
    tree: ast.Module

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What names it, whatever stands above it in the file."""
        return (self.file, self.scope, self.before, self.after, self.number)

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.scope} [{self.operator}] {self.before}  →  {self.after}"

    def code(self, path: Path) -> CodeType:
        """The compiled module with the change made; the tree is changed for good."""
        self.site.put(self.node)
        made: CodeType = compile(ast.fix_missing_locations(self.tree), str(path), "exec")
        return made


def mutants(path: Path, file: str) -> Iterator[Mutant]:
    """All mutants of one file. They share a tree: make one only in a process of its own."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {
        a.asname or a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names
    }
    seen: dict[tuple[str, str, str], int] = {}
    for site, node, scope, local in _sites(tree, "", frozenset()):
        for operator, new in _replacements(node, local, names):
            before, after = _shown(node), _shown(new)
            if before == after:
                continue
            same = (scope, before, after)
            seen[same] = seen.get(same, -1) + 1
            line = getattr(node, "lineno", 0)
            yield Mutant(file, scope, line, operator, before, after, seen[same], site, new, tree)


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _sites(node: ast.AST, scope: str, local: frozenset[str]) -> Iterator[tuple[Site, ast.AST, str, frozenset[str]]]:
    """Every node that may be changed, with where it stands, its function, and the names of that function."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "ctx") or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Raise):
            continue
        many = isinstance(value, list)
        for i, child in enumerate(value if many else [value]):
            if not isinstance(child, ast.AST) or _is_fixed(child):
                continue
            inner, known = scope, local
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = f"{scope}.{child.name}".strip(".")
                known = frozenset(n.id for n in ast.walk(child) if isinstance(n, ast.Name)) | {
                    a.arg for a in ast.walk(child) if isinstance(a, ast.arg)
                }
            if not (isinstance(child, ast.Tuple) and _unpacked(node)):
                yield Site(node, name, i if many else None), child, inner, known
            yield from _sites(child, inner, known)


def _is_fixed(node: ast.AST) -> bool:
    """Imports, docstrings, what only a type checker reads."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id in (
            "Kind",
            "Backend",
            "Term",
            "Binary",
            "State",
            "Row",
            "__all__",
            "MaybeState",
            "Evaluator",
        )
    return False


def _unpacked(holder: ast.AST) -> bool:
    """Whether a tuple there has a fixed length, so that a shorter one fails at once."""
    return isinstance(holder, ast.Return) or (
        isinstance(holder, ast.Assign) and isinstance(holder.targets[0], ast.Tuple)
    )


Change = tuple[str, ast.AST]


def _replacements(node: ast.AST, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for kind, change in _CHANGES:
        if isinstance(node, kind):
            yield from change(node, local, names)


def _compare(node: ast.Compare, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for i, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            yield "comparison", ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)


def _bool_op(node: ast.BoolOp, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    yield "connective", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for i in range(len(node.values)):
        rest = [*node.values[:i], *node.values[i + 1 :]]
        yield "operand dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _unary(node: ast.UnaryOp, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    yield "operator dropped", node.operand


def _bin_op(node: ast.BinOp, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    yield "operand dropped", node.left
    yield "operand dropped", node.right
    if not isinstance(node.op, ast.Add):
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _constant(node: ast.Constant, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield "constant", ast.Constant(node.value + 1)


def _display(node: ast.Tuple | ast.List | ast.Set, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for i in range(len(node.elts)):
            rest = [*node.elts[:i], *node.elts[i + 1 :]]
            if isinstance(node, ast.Set):
                yield "element dropped", ast.Set(rest) if rest else ast.Call(ast.Name("set", ast.Load()), [], [])
            else:
                yield "element dropped", type(node)(rest, ast.Load())


def _dict(node: ast.Dict, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for i in range(len(node.keys)):
        yield (
            "entry dropped",
            ast.Dict([*node.keys[:i], *node.keys[i + 1 :]], [*node.values[:i], *node.values[i + 1 :]]),
        )


def _call(node: ast.Call, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if called in VARIADIC:
        for i in range(len(node.args)):
            rest = [*node.args[:i], *node.args[i + 1 :]]
            yield "part dropped", ast.Call(node.func, rest, node.keywords)
    if called in ORDERED and len(node.args) >= 2:
        *first, a, b = node.args
        yield "arguments swapped", ast.Call(node.func, [*first, b, a], node.keywords)
    if called in UNWRAPPED and node.args:
        yield "call dropped", node.args[0]
    if called in BRANCHES and len(node.args) == 3:
        yield "branch", node.args[1]
        yield "branch", node.args[2]
    for i in range(len(node.keywords)):
        yield "keyword dropped", ast.Call(node.func, node.args, [*node.keywords[:i], *node.keywords[i + 1 :]])


def _name(node: ast.Name, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if not isinstance(node.ctx, ast.Load):
        return
    if node.id in TWINS and (TWINS[node.id] in names or TWINS[node.id] in ("all", "any", "max")):
        yield "twin", ast.Name(TWINS[node.id], ast.Load())
    for other in _sides(node.id):
        if other in local:
            yield "side", ast.Name(other, ast.Load())


def _sides(name: str) -> Iterator[str]:
    """The name that stands for the same thing on the other side: ``a1`` and ``a2``, ``x`` and ``y``."""
    if name in SIDES:
        yield SIDES[name]
    for one, other in (("1", "2"), ("2", "1"), ("a_", "b_"), ("b_", "a_")):
        if one in name:
            yield name.replace(one, other)


def _attribute(node: ast.Attribute, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if not isinstance(node.ctx, ast.Load):
        return
    if node.attr in FLAGS and "F" in names and not (isinstance(node.value, ast.Name) and node.value.id == "ir"):
        yield "flag forgotten", ast.Name("F", ast.Load())
    if node.attr in SIDES and len(node.attr) > 1:
        yield "side", ast.Attribute(node.value, SIDES[node.attr], ast.Load())
    if node.attr in ("And", "unsat"):
        yield "twin", ast.Attribute(node.value, TWINS[node.attr], ast.Load())


def _if_exp(node: ast.IfExp, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    yield "branch", node.body
    yield "branch", node.orelse


def _if(node: ast.If, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for value in (True, False):
        yield "condition", ast.If(ast.Constant(value), node.body, node.orelse)


def _comprehension(node: ast.comprehension, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for i in range(len(node.ifs)):
        yield (
            "condition",
            ast.comprehension(node.target, node.iter, [*node.ifs[:i], *node.ifs[i + 1 :]], node.is_async),
        )


def _statement(node: ast.stmt, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    yield "statement deleted", ast.Pass()


def _assign(node: ast.Assign, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if not all(
        isinstance(t, (ast.Name, ast.Tuple)) for t in node.targets
    ):  # without a plain name it would only be a NameError
        yield "statement deleted", ast.Pass()


def _return(node: ast.Return, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if isinstance(node.value, (ast.Compare, ast.BoolOp)):
        for value in (True, False):
            yield "answer", ast.Return(ast.Constant(value))


def _handler(node: ast.ExceptHandler, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    if isinstance(node.type, ast.Name):
        never = ast.Tuple([], ast.Load())
        yield "handler dropped", ast.ExceptHandler(never, node.name, node.body)


def _match(node: ast.Match, local: frozenset[str], names: set[str]) -> Iterator[Change]:
    for i, case in enumerate(node.cases):
        rest = [*node.cases[:i], *node.cases[i + 1 :]]
        wild = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        if rest and not wild:
            yield "case dropped", ast.Match(node.subject, rest)


_CHANGES: tuple[tuple[type | tuple[type, ...], Callable[..., Iterator[Change]]], ...] = (
    (ast.Compare, _compare), (ast.BoolOp, _bool_op), (ast.UnaryOp, _unary), (ast.BinOp, _bin_op),
    (ast.Constant, _constant), ((ast.Tuple, ast.List, ast.Set), _display), (ast.Dict, _dict), (ast.Call, _call),
    (ast.Name, _name), (ast.Attribute, _attribute), (ast.IfExp, _if_exp), (ast.If, _if),
    (ast.comprehension, _comprehension), ((ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.For), _statement),
    (ast.Assign, _assign), (ast.Return, _return), (ast.ExceptHandler, _handler), (ast.Match, _match),
)  # fmt: skip
