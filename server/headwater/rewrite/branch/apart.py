"""Whether no column of the original is ever asked of the copy.

Spark gives each column that an expression computes an identity of its own, so ``counts["m"]`` is no column of what a
copy of the expression of ``counts`` makes, though it is called ``m`` there as well: what was a column becomes an
error, or, where both frames meet in a join, the other column. So what is made of the original and what is made of the
copy may not meet at all: no statement may read a variable of the one kind and one of the other, but for actions, of
whose results no column is a part. (This leaves out, too, queries in which Spark would compute the frame once for both.)
A variable is of a kind wherever it may ever be: too many meet, never too few. What code of other files does with the
frames that it is given is taken to be the same whatever else it was given before.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from headwater.frontend.bindings import binds, bound_names, head_targets, parameters
from headwater.frontend.spark_names import FRAME_ATTRIBUTES

_ACTIONS = frozenset(
    """
    show count collect toPandas toArrow take head first tail isEmpty toLocalIterator foreach foreachPartition write
    writeTo printSchema explain createTempView createOrReplaceTempView createGlobalTempView
    createOrReplaceGlobalTempView columns schema dtypes isStreaming
    """.split()
)
"""What a frame is asked for whose answer holds no column of it."""
_GROUPINGS = frozenset("groupBy groupby rollup cube pivot".split())
_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class _Variable:
    """A variable of ``function``, or of the module."""

    name: str
    function: _Function | None


@dataclass(frozen=True)
class _Part:
    """A simple statement, the head of another, or a whole definition, with the variables that it reads and binds, or in
    whose value it may put something. ``definition``: its statements are parts themselves."""

    reads: frozenset[_Variable]
    binds: frozenset[_Variable]
    has_copy: bool
    definition: bool = False


class Kinds:
    """The variables of a file that may hold what is made of the original, and of the copy."""

    def __init__(
        self, tree: ast.Module, originals: Collection[str], copied: ast.Name, respelled: Collection[ast.AST]
    ) -> None:
        """``copied``: the read of the original in whose place the copy is, which ``respelled`` are others no more."""
        around = tuple(n for n in ast.walk(tree) if isinstance(n, _Function) and any(m is copied for m in ast.walk(n)))
        self._around = around  # breadth first: outer functions come before inner ones
        self._reader = reader = _Reader(tree, copied, {id(copied), *map(id, respelled)}, frozenset(originals))
        self._parts = [*reader.parts(tree.body, ())]
        self._originals = self._closed({reader.variable(name, around) for name in originals})
        at = {v for p in self._parts if p.has_copy for v in p.binds}
        self._copies = set() if reader.only_asked else self._closed(at)

    def _closed(self, variables: set[_Variable]) -> set[_Variable]:
        """``variables`` and every one that is bound by what reads one of them."""
        size = -1
        while size < len(variables):
            size = len(variables)
            for part in self._parts:
                if part.reads & variables:
                    variables |= part.binds
        return variables

    def meet(self, copied: Iterable[str]) -> str | None:
        """A variable of the original that is read where one of the copy is, or by the copied text, which reads
        ``copied``; None if there is none."""
        found = {self._reader.variable(name, self._around) for name in copied} & self._originals
        found |= {v for v in self._originals & self._copies if not self._is_passing(v)}
        if not self._reader.only_asked:
            found |= {v for v in self._originals if self._outlives(v)}
        for part in () if found else self._parts:
            originals, copies = part.reads & self._originals, part.reads & self._copies
            if part.has_copy or (copies and len(originals | copies) > 1 and not part.definition):
                found |= originals
        return min((v.name for v in found), default=None)

    def _is_passing(self, variable: _Variable) -> bool:
        """Whether it is one of another function, which holds one of the two at a time."""
        return variable.function is not None and variable.function not in self._around

    def _outlives(self, variable: _Variable) -> bool:
        """Whether it keeps what it holds when the function is left that the copy is made in."""
        function = variable.function
        if function is None:
            return bool(self._around)
        return function in self._around and variable.name in {p.arg for p in parameters(function)}


class _Reader:
    """The parts of a file. ``only_asked``: whether an action is all that becomes of the copy where it stands."""

    def __init__(self, tree: ast.Module, copied: ast.Name, inert: set[int], frames: frozenset[str]) -> None:
        self._copied, self._inert, self._frames = copied, inert, _sure_frames(tree, frames)
        self._locals: dict[_Function, set[str]] = {}
        self._functions: dict[str, list[_Function]] = {}
        self._imported: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._imported |= {a.asname or a.name for a in node.names}
            elif isinstance(node, _Function):
                self._functions.setdefault(node.name, []).append(node)
        self.only_asked = False

    def variable(self, name: str, around: tuple[_Function, ...]) -> _Variable:
        """What ``name`` means in the innermost of the functions ``around``."""
        for function in reversed(around):
            if function not in self._locals:
                shared = (n for n in ast.walk(function) if isinstance(n, (ast.Global, ast.Nonlocal)))
                elsewhere = {name for n in shared for name in n.names}
                own = {p.arg for p in parameters(function)} | bound_names(function.body)
                self._locals[function] = own - elsewhere
            if name in self._locals[function]:
                return _Variable(name, function)
        return _Variable(name, None)

    def parts(self, block: Iterable[ast.AST], around: tuple[_Function, ...]) -> Iterator[_Part]:
        """Those of the statements of ``block``, in the functions ``around``, and of all that stands in them."""
        for s in block:
            match s:
                case ast.For() | ast.AsyncFor():
                    yield self._part([s.iter, s.target], around)
                case ast.While() | ast.If():
                    yield self._part([s.test], around)
                case ast.With() | ast.AsyncWith():
                    yield self._part(s.items, around)
                case ast.Match():
                    guards = [c.guard for c in s.cases if c.guard is not None]
                    yield self._part([s.subject, *guards], around, head_targets(s))
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    yield self._definition(s, around)
                    inner = around if isinstance(s, ast.ClassDef) else (*around, s)
                    yield from self.parts(s.body, inner)
                    continue
                case ast.stmt() if not hasattr(s, "body"):
                    yield self._part([s], around)
            inside = [
                c for c in ast.iter_child_nodes(s) if isinstance(c, (ast.stmt, ast.ExceptHandler, ast.match_case))
            ]
            yield from self.parts(inside, around)

    def _definition(self, s: _Function | ast.ClassDef, around: tuple[_Function, ...]) -> _Part:
        """Whoever calls it may get what it reads; but the copy is made anew in each call of the function around it."""
        if any(n is self._copied for n in ast.walk(s)):
            return _Part(frozenset(), frozenset(), has_copy=False, definition=True)
        inner = around if isinstance(s, ast.ClassDef) else (*around, s)
        found = (self.variable(n.id, scope) for n in self._read(s) for scope in (inner, around))
        reads = {v for v in found if v.function is not s}
        return _Part(frozenset(reads), frozenset({self.variable(s.name, around)}), has_copy=False, definition=True)

    def _part(self, nodes: Sequence[ast.AST], around: tuple[_Function, ...], bound: Iterable[str] = ()) -> _Part:
        part = ast.Module(list(nodes), [])  # type: ignore[arg-type]
        reads = frozenset(self.variable(n.id, around) for n in self._read(part))
        binds = {self.variable(name, around) for name in (*bound, *self._bound(part))}
        binds |= {_Variable(p.arg, f) for f in self._called(part) for p in parameters(f)}
        has_copy = any(n is self._copied for n in ast.walk(part))
        if has_copy:
            self.only_asked = any(n is self._copied for n in _asked(part, self._frames))
        return _Part(reads, frozenset(binds), has_copy)

    def _read(self, part: ast.AST) -> Iterator[ast.Name]:
        inert = {id(n) for n in _asked(part, self._frames)} | self._inert
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inert:
                yield node

    def _bound(self, part: ast.AST) -> Iterator[str]:
        for node in ast.walk(part):
            yield from binds(node)
            match node:
                case ast.Attribute(value=owner, ctx=ast.Store()) | ast.Subscript(value=owner, ctx=ast.Store()):
                    yield from (n.id for n in ast.walk(owner) if isinstance(n, ast.Name))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                    if name not in self._imported and attr not in FRAME_ATTRIBUTES:
                        yield name

    def _called(self, part: ast.AST) -> Iterator[_Function]:
        """The functions of the file that ``part`` may call."""
        for node in ast.walk(part):
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                yield from self._functions.get(name, ())


def _sure_frames(tree: ast.Module, known: frozenset[str]) -> frozenset[str]:
    """``known`` and the variables that are bound to nothing but what methods of frames make, or to another of them."""
    values: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values.setdefault(name, []).append(value)
            case ast.arg(arg=name):
                values.setdefault(name, []).append(None)
            case _:
                for name in () if isinstance(node, ast.Name) else binds(node):
                    values.setdefault(name, []).append(None)
    stores = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    found, size = set(known), -1
    while size < len(found):
        size = len(found)
        plain = {name for name, of in values.items() if len(of) == stores[name]}  # no loop, no tuple binds it as well
        found |= {name for name in plain if all(v is not None and _is_frame(v, found) for v in values[name])}
    return frozenset(found)


def _is_frame(value: ast.expr, frames: set[str]) -> bool:
    match value:
        case ast.Name(id=name):
            return name in frames
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in FRAME_ATTRIBUTES - _GROUPINGS
    return False


def _may_be_grouped(receiver: ast.expr, frames: frozenset[str]) -> bool:
    match receiver:
        case ast.Name(id=name):
            return name not in frames
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _GROUPINGS
    return not isinstance(receiver, ast.Attribute) or receiver.attr != "rdd"


def _asked(part: ast.AST, frames: frozenset[str]) -> Iterator[ast.Name]:
    """The variables that no more than an answer is made of: ``counts.select("m").count()``. ``frames``: variables that
    hold frames for certain, wherever they stand."""
    for node in ast.walk(part):
        if isinstance(node, ast.Attribute) and node.attr in _ACTIONS:
            root: ast.expr = node.value
            if node.attr == "count" and _may_be_grouped(root, frames):
                continue  # `groupBy(…).count()` is another frame
            while isinstance(root, (ast.Call, ast.Attribute)):
                root = root.func if isinstance(root, ast.Call) else root.value
            if isinstance(root, ast.Name):
                yield root
