"""What a call is given that is made of constants, columns and functions of a row, as far as that is written here.

What is handed in from other code is taken to be no column that hides a function of the user's, as a frame from there is
taken to hide none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from headwater.pyspark.frames.placed import placed
from headwater.pyspark.frames.tracked_values import TrackedFrame, Udf, Unevaluated, Unknown
from headwater.python.effects.containers_read import is_kept
from headwater.python.effects.scoped_program import effect
from headwater.syntax.names.pyspark_symbols import CALLING, FUNCTIONS, is_type
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import children
from headwater_ir.plan import Scan

from .api_context import ApiContext

_OF_COLUMNS = frozenset(
    """
    alias asc astype between cast contains desc endswith eqNullSafe getField getItem ilike isNaN isNotNull isNull isin
    like name otherwise rlike startswith substr when
    """.split()
)
OF_PYTHON = frozenset(
    f"builtins.{n}" for n in "bool enumerate float int len list range set sorted str tuple zip".split()
) | {"functools.reduce"}
_KINDS = ("row", "column", "session")
_PLAIN = (
    ast.Attribute, ast.Subscript, ast.Slice, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.ListComp, ast.GeneratorExp,
    ast.comprehension, ast.keyword, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip
_MAKES_UDFS = ("udf", "Udf", "UDF", "register", "Register")
_PUTS = frozenset("add append extend insert update".split())
"""Methods of a container that put into it what they are given."""
_LOOKS = frozenset("copy count get index items keys values".split()) | _OF_COLUMNS
"""Methods of a container, or a column, that leave it as it is."""
_TAKES_COLUMNS = frozenset("agg drop filter groupBy groupby join orderBy select sort where withColumn".split())
DEEPEST = 4
"""So many variables are looked up on the way to what a column is made of."""


def makes_udfs(names: Names) -> bool:
    """Whether the file may make a function of the user's, by the words that it has."""
    return any(map(names.ctx.mentions, _MAKES_UDFS))


def effect_of_udf(function: ast.expr, reader: ApiContext) -> Literal["none", "unknown", "some"] | None:
    """What the UDF ``function`` does besides computing its value; None if it is no UDF of this file."""
    try:
        udf = reader.udf(function)
    except Refusal:
        return "some"
    if udf is None:
        return None
    why = effect(reader.names, reader.world.options.assume_pure, udf.function)
    return "none" if why is None else "unknown" if why.obstruction == "opaque" else "some"


@dataclass(frozen=True)
class PlainColumns:
    """With ``udfs``, UDFs of this file that have no effect are functions of a row, too. ``own``: the variables of the
    lambdas and comprehensions around, which hold parts of what is plain."""

    reader: ApiContext
    udfs: bool = False
    own: frozenset[str] = frozenset()

    def is_plain(self, node: ast.AST, depth: int = DEEPEST) -> bool:
        """Whether ``node`` is made of constants, columns and functions of a row alone."""
        names = self.reader.names
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name in self.own or self.names_plain(node, depth)
            case ast.Attribute(value=ast.Name()) if not makes_udfs(names):
                return True
            case ast.Call(func=function, args=[ast.Name() | ast.Attribute() | ast.JoinedStr()], keywords=[]) if (
                names.function(function) in ("col", "column")
            ):
                return True  # whatever name that is
            case ast.Call(func=function):
                return self._is_known(function, depth) and self._are_plain((*node.args, *node.keywords), depth)
            case ast.ListComp(generators=loops) | ast.GeneratorExp(generators=loops):
                targets = {n.id for g in loops for n in ast.walk(g.target) if isinstance(n, ast.Name)}
                return self._with(targets)._are_plain(children(node), depth)
            case ast.Lambda(args=given, body=body):
                parameters = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
                plain = not (given.vararg or given.kwarg) and self._are_plain((*given.defaults,), depth)
                return plain and self._with(parameters).is_plain(body, depth)
        return isinstance(node, _PLAIN) and self._are_plain(children(node), depth)

    def _are_plain(self, nodes: Iterable[ast.AST], depth: int) -> bool:
        return all(self.is_plain(n, depth) for n in nodes)

    def _with(self, own: set[str]) -> PlainColumns:
        return replace(self, own=self.own | own)

    def _is_known(self, function: ast.expr, depth: int) -> bool:
        names = self.reader.names
        known = names.function(function)
        if known is not None:
            return known in FUNCTIONS and FUNCTIONS[known].kind in _KINDS and known not in CALLING
        origin = names.resolve(function) or ""
        if origin in OF_PYTHON or is_type(origin):
            return True
        match function:
            case ast.Attribute(value=owner, attr=method) if method in _OF_COLUMNS:
                return self.is_plain(owner, depth)
        return self.udfs and effect_of_udf(function, self.reader) == "none"

    def names_plain(self, node: ast.Name, depth: int = DEEPEST) -> bool:
        """Whether the variable ``node`` holds what is plain."""
        reader, name = self.reader, node.id
        bound = reader.lookup(name)
        if not isinstance(bound and bound.value, (Udf, Unevaluated)) and not makes_udfs(reader.names):
            return True  # there is no function of the file's that it could hide
        if bound is None:  # of another module
            return reader.names.resolve(node) is None or name in reader.names.imported
        match bound.value:
            case TrackedFrame():
                return True
            case Unknown(why=None, origin=origin):
                return origin.startswith("parameter ")
            case Unevaluated(node=made):
                put = self._put_into(name, made) if makes_udfs(reader.names) else []
                if depth == 0 or put is None or bound.outdated(reader.lookup):
                    return False
                return self._are_plain((made, *put), depth - 1)
        return False

    def _put_into(self, name: str, made: ast.expr) -> list[ast.expr] | None:
        """What is put into the list that the variable ``name`` holds and that ``made`` gives; None if that is not known
        of each change of it."""
        reader = self.reader
        if reader.is_module or name not in reader.own:  # other code may change it
            return [] if self.is_kept(name, made) else None
        if self._never_changes(made):
            return []
        found: list[ast.expr] = []
        for noted, node in ((p, n) for p in map(placed, reader.body) for n in p.names.get(name, ())):
            outer = noted.around.get(id(node))
            call = noted.around.get(id(outer))
            match outer:
                case ast.Attribute(attr=method) if (
                    isinstance(call, ast.Call)
                    and call.func is outer
                    and (method in _LOOKS or (method in _PUTS and not call.keywords))
                ):
                    found += call.args if method in _PUTS else []
                case ast.Call(func=function) if function is not node and self._leaves(function):
                    continue
                case ast.Starred() | ast.For() | ast.comprehension() | ast.BinOp() | ast.Compare():
                    continue  # its parts are columns and texts, which nothing changes
                case ast.Subscript(value=of, slice=ast.Slice(), ctx=ast.Load()) if of is node:
                    continue  # another list of them
                case ast.Assign() | ast.AnnAssign() if isinstance(node.ctx, ast.Store):
                    continue
                case _:
                    return None  # it may be changed under another name
        return found

    def _leaves(self, function: ast.expr) -> bool:
        """Whether a call of ``function`` leaves the lists that it is given as they are."""
        names = self.reader.names
        if names.function(function) is not None or names.resolve(function) in OF_PYTHON - {"functools.reduce"}:
            return True
        match function:
            case ast.Attribute(value=owner, attr=method):
                if method in _TAKES_COLUMNS and self._is_of_frame(owner):
                    return True
                return isinstance(owner, ast.Constant) and method == "join"
        return False

    def _is_of_frame(self, node: ast.expr) -> bool:
        """Whether ``node`` is a frame in a variable, or calls its methods: another object's may change what they are
        given."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        bound = self.reader.lookup(node.id) if isinstance(node, ast.Name) else None
        frame = None if bound is None else bound.frame or bound.value
        if not isinstance(frame, TrackedFrame):
            return False
        world = self.reader.world
        sources = {p.span for p in world.each_below(frame.plan) if isinstance(p, Scan)}
        return sources.isdisjoint(world.guessed) and sources.isdisjoint(world.taken)

    def is_kept(self, name: str, made: ast.expr) -> bool:
        """Whether nothing in the file puts anything into what ``made`` gives, and the variable ``name`` holds."""
        names = self.reader.names
        fixed = self._never_changes(made) and name not in names.mutated
        return fixed or is_kept(names, name, made)

    def _never_changes(self, made: ast.expr) -> bool:
        """Whether what ``made`` gives is no container that code may put something into."""
        match made:
            case ast.Constant() | ast.JoinedStr() | ast.Compare() | ast.UnaryOp():
                return True
            case ast.Attribute(value=ast.Name(id=owner)) | ast.Subscript(value=ast.Name(id=owner)):
                bound = self.reader.lookup(owner)
                return bound is not None and isinstance(bound.frame or bound.value, TrackedFrame)
            case ast.BinOp(left=left, right=right):
                return self._never_changes(left) and self._never_changes(right)
            case ast.Call(func=function):
                method = function.attr if isinstance(function, ast.Attribute) else ""
                return method in _OF_COLUMNS or self.reader.names.function(function) is not None
            case ast.Tuple(elts=parts):
                return all(map(self._never_changes, parts))
        return False
