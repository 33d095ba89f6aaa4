"""How a group looks inside the Arrow table that Spark hands to the function, once ``to_pylist()`` has made Python
values of it (measured: Spark 4.3, pyarrow 26).

A NULL is None whatever its type; a NaN stays a NaN; integers, floats, strings, booleans and dates are Python's own.
Timestamps are datetimes in the session's time zone: comparing one with a naive datetime raises. The key is a tuple of
Arrow scalars, whose ``as_py()`` is the value.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from headwater_ir.expr import FALSE, TRUE, Col, CompareOp, Expr, Raise, Slot, slots_of
from headwater_ir.plan import Schema
from headwater_ir.types import DATE, Type

from ..context import Refusal
from .arrow_types import SCALARS, ArrowSchema, read_arrow_schema
from .frames import Frame, Group, KeyTuple, Row, Series
from .loops import FoldInterpreter
from .reductions import Reductions
from .scope import Env, Items, Thing, Unreadable, Value
from .shapes import Record
from .simplify import NONE, both, choose, either, is_boolean, is_null, negate
from .slots import Slots
from .trees import Path, Tree

_NAIVE = {"datetime.datetime", "pandas.Timestamp", "pandas.to_datetime"}
_LISTED = {"builtins.list", "builtins.tuple"}


@dataclass(frozen=True)
class GroupTable(Thing):
    """The group's table."""


@dataclass(frozen=True)
class Batch(Thing):
    """One of the table's record batches; ``whole``: the list of them all."""

    whole: bool


@dataclass(frozen=True)
class Chunked(Thing):
    """``table["x"]``: a column that is not yet a list."""

    name: str


@dataclass(frozen=True)
class ArrowScalar(Thing):
    """A value of column ``name`` that is not yet Python's: ``as_py()`` is ``value``."""

    name: str
    value: Expr


@dataclass(frozen=True)
class FirstRow(Thing):
    """``rows[0]``."""

    frame: Frame


@dataclass(frozen=True)
class ChosenRow(Thing):
    """``max(rows, key=…)``: the row that was the last for which ``better`` held."""

    better: Expr


Rowlike = (Row, FirstRow, ChosenRow)


class ArrowGroup(Group):
    """The columns of the group as ``to_pylist()`` shows them."""

    def type(self, name: str) -> Type:
        """The type of a column; refused where its values are no scalars of Python's."""
        t = super().type(name)
        if t.name == "opaque":
            raise Refusal("opaque", f"`{name}` has a type without a meaning here")
        return t

    def view(self, name: str) -> Expr:
        """The value of column ``name`` in a row."""
        self.type(name)
        return Col(name)

    def has(self, name: str) -> bool | None:
        """Whether the frame has the column ``name``; None if that is not known."""
        if self.source.field(name) is not None or name in self.keys:
            return True
        return False if self.source.complete else None

    def numpy_scalar(self, name: str, where: str) -> None:
        """There are none here."""

    def exact_as_float(self, name: str, where: str) -> None:
        """Integers stay integers."""


class ArrowInterpreter(FoldInterpreter):
    """Gives a meaning to the table, its rows and its columns."""

    def __init__(self, group: ArrowGroup, slots: Slots, output: Schema, facts: tuple[Expr, ...]) -> None:
        super().__init__(group.scope, slots)
        self.group, self.output, self.facts = group, output, facts
        self.reductions = Reductions(group, slots)
        self._orders = 0
        self._extremes: dict[tuple[str, Expr, Expr], tuple[Slot, Expr]] = {}
        self._carried: dict[tuple[Expr, str], Slot] = {}

    # --- statements

    def statement(self, node: ast.stmt, env: Env, path: Path) -> Tree:
        """``return a if c else b`` is two returns."""
        if isinstance(node, ast.Return) and node.value is not None:
            split = _split(node.value)
            if split is not None:
                test, then, otherwise = split
                branches: list[list[ast.stmt]] = [[ast.copy_location(ast.Return(v), node)] for v in (then, otherwise)]
                node = ast.copy_location(ast.If(test, *branches), node)
        return super().statement(node, env, path)

    def loop(self, node: ast.For, env: Env, path: Path) -> Env | None:
        """A loop over batches is one over their rows if it does nothing else."""
        batches = self.arrow(node.iter, env)
        if not (isinstance(batches, Batch) and batches.whole):
            return super().loop(node, env, path)
        inner = node.body[0]
        if (
            len(node.body) != 1
            or not isinstance(inner, ast.For)
            or inner.orelse
            or not isinstance(node.target, ast.Name)
        ):
            raise Refusal("opaque", "a loop over batches that does more than go through their rows", node)
        name = node.target.id
        after = super().loop(inner, {**env, name: Batch(whole=False)}, path)
        return after and {**after, name: Unreadable("opaque", f"`{name}` is the last batch that the loop saw")}

    def rows(self, node: ast.For, env: Env) -> tuple[Frame, Env] | None:
        """The rows that a loop runs over and what its targets mean."""
        if isinstance(node.iter, ast.Call) and self.scope.origin(node.iter.func) == "builtins.zip":
            return self._side_by_side(node.iter, node.target, env)
        over = self.arrow(node.iter, env)
        bound = self._each(over, node.target)
        return None if bound is None or not isinstance(over, (Frame, Series)) else (_frame(over), bound)

    def _each(self, over: Thing | None, target: ast.expr) -> Env | None:
        """What the target of an iteration means."""
        if not isinstance(target, ast.Name):
            return None
        if isinstance(over, Frame):
            return {target.id: Row("item")}
        return {target.id: over.element} if isinstance(over, Series) else None

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of its columns, as far as they are known."""
        if not isinstance(value, Rowlike) or not self.group.source.complete:
            return value
        parts: dict[str, Value] = {}
        for field in self.group.source.fields:
            if field.type.name not in ("opaque", "list"):  # to be missed only where it is read
                parts[field.name] = self._cell(value, field.name, node)
        values = tuple(parts.values())
        return Record(tuple(parts), values, "item", False, self.solid(values))

    def _side_by_side(self, over: ast.Call, target: ast.expr, env: Env) -> tuple[Frame, Env] | None:
        columns = [c for c in (self.arrow(a, env) for a in over.args) if isinstance(c, (Frame, Series))]
        if (
            len(columns) != len(over.args)
            or {k.arg for k in over.keywords} - {"strict"}
            or not isinstance(target, ast.Tuple)
            or len(target.elts) != len(columns)
            or not columns
        ):
            return None
        bound: Env = {}
        for t, c in zip(target.elts, columns, strict=True):
            each = self._each(c, t)
            if each is None:
                return None
            if _frame(c) != _frame(columns[0]):
                raise Refusal("opaque", "lists of different rows side by side", over)
            bound |= each
        return _frame(columns[0]), bound

    # --- values

    def arrow(self, node: ast.expr, env: Env) -> Thing | None:
        """``node`` as a table, list of rows, row or column; None if it is something else."""
        if isinstance(node, ast.Name):
            found = env[node.id] if node.id in env else self._constant_schema(node)
        else:
            found = self.thing(node, env)
        return found if isinstance(found, Thing) else None

    def _constant_schema(self, node: ast.Name) -> ArrowSchema | None:
        """A schema that the module binds once; nothing changes one."""
        bound = None if node.id in self.scope.local_names else self.scope.ctx.constant(node.id)
        if not isinstance(bound, ast.Call) or self.scope.shadowed(node.id):
            return None
        return read_arrow_schema(bound, self.scope.origin) if self._makes_schema(bound) else None

    def _makes_schema(self, node: ast.Call) -> bool:
        return self.scope.origin(node.func) == "pyarrow.schema"

    def thing(self, node: ast.expr, env: Env) -> Value | None:
        """The meaning of ``node`` beyond that of scalars, if it has one."""
        if isinstance(node, ast.Attribute):
            owner = self.arrow(node.value, env)
            if isinstance(owner, GroupTable) and node.attr == "num_rows":
                return self.reductions.length(Frame())
            return self._schema() if isinstance(owner, GroupTable) and node.attr == "schema" else None
        if isinstance(node, ast.Subscript):
            return self._subscript(node, env)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return self._has_key(node, env)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self._comprehension(node, env)
        return self._call(node, env) if isinstance(node, ast.Call) else None

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``; of a list, whether it holds anything."""
        over = self.arrow(node, env)
        if not isinstance(over, (Frame, Series)):
            return super().test(node, env)
        return self._some(_frame(over))

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """The elements of a tuple, or of the key."""
        if isinstance(value, KeyTuple):
            return tuple(self._key_part(n) for n in value.names)
        return super().unpack(value, node)

    def _key_part(self, name: str) -> ArrowScalar:
        return ArrowScalar(name, self.group.view(name))

    def _schema(self) -> ArrowSchema:
        source = self.group.source
        if not source.complete:
            raise Refusal("opaque", "the schema of a table of unknown columns")
        # The input's timestamps are in the session's time zone, the output's in UTC.
        known = SCALARS - {t for t in SCALARS if t.name == "timestamp"}
        return ArrowSchema(tuple((f.name, f.type if f.type in known else None) for f in source.fields))

    def _subscript(self, node: ast.Subscript, env: Env) -> Value | None:
        owner = self.arrow(node.value, env)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(owner, Rowlike):
            if not isinstance(index, str):
                raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}` on a row, which is a dict", node)
            return self._cell(owner, index, node)
        if isinstance(owner, KeyTuple):
            if type(index) is not int or not -len(owner.names) <= index < len(owner.names):
                raise Refusal("may-throw", "the key has no such part", node)
            return self._key_part(owner.names[index])
        if isinstance(owner, GroupTable) and isinstance(index, str):
            return self._column(index)
        if isinstance(owner, Chunked) and index == 0:
            return ArrowScalar(owner.name, self._first(Frame(), owner.name, node))
        if isinstance(owner, (Frame, Series, Chunked, Batch, GroupTable)) and index != 0:
            raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}`: a group may have too few rows", node)
        if isinstance(owner, Frame):
            return FirstRow(owner)
        if isinstance(owner, Series) and owner.column is not None:
            return self._first(owner.frame, owner.column, node)
        return None

    def _cell(self, row: Row | FirstRow | ChosenRow, name: str, node: ast.AST) -> Expr:
        if self.group.has(name) is False:
            raise Refusal("may-throw", f"there is no column `{name}`", node)
        if isinstance(row, ChosenRow):
            return self._chosen(row, name)
        return self._first(row.frame, name, node) if isinstance(row, FirstRow) else self.group.view(name)

    def _first(self, frame: Frame, name: str, node: ast.AST) -> Expr:
        value = self.group.view(name)
        if frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if name in self.group.keys:
            return value
        self.use_order(frame, node)
        return self.reductions.first(Series(frame, value, name))

    def _column(self, name: str) -> Chunked:
        self.group.type(name)
        return Chunked(name)

    def _has_key(self, node: ast.Compare, env: Env) -> Value | None:
        if isinstance(self.arrow(node.comparators[0], env), Row):
            raise Refusal("opaque", "a test of which columns a row has", node)
        return None

    # --- calls

    def _call(self, node: ast.Call, env: Env) -> Value | None:
        from .arrow_tables import build_table

        name = self.scope.origin(node.func) or ""
        if name in _NAIVE:
            raise Refusal("may-throw", "a naive timestamp: those of Arrow carry the session's time zone", node)
        if self._makes_schema(node):
            return read_arrow_schema(node, self.scope.origin)
        if name.startswith("pyarrow."):
            return build_table(self, node, name, env)
        if name.startswith("builtins."):
            return self._builtin(node, name, env)
        return self._method(node, node.func, env) if isinstance(node.func, ast.Attribute) else None

    def _method(self, node: ast.Call, function: ast.Attribute, env: Env) -> Value | None:
        owner, method = self.arrow(function.value, env), function.attr
        plain = not node.args and not node.keywords
        if isinstance(owner, Rowlike):
            return self._row_method(node, owner, method, env)
        if isinstance(owner, ArrowScalar) and method == "as_py" and plain:
            return owner.value
        if isinstance(owner, GroupTable) and method == "column" and len(node.args) == 1:
            name = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            return self._column(name) if isinstance(name, str) else None
        if isinstance(owner, GroupTable) and method == "to_batches" and plain:
            return Batch(whole=True)
        if isinstance(owner, ArrowSchema) and method == "empty_table" and plain:
            from .arrow_tables import no_rows

            return no_rows(self, owner, node)
        if method == "to_pylist" and plain:
            if isinstance(owner, Chunked):
                return Series(Frame(), self.group.view(owner.name), owner.name)
            if isinstance(owner, GroupTable) or (isinstance(owner, Batch) and not owner.whole):
                return Frame()
        if isinstance(owner, Frame) and method == "copy" and plain:
            return owner
        if isinstance(owner, (Frame, Series)):
            raise Refusal("side-effect" if method == "sort" else "opaque", f"the list method `{method}`", node)
        if isinstance(owner, (GroupTable, Batch, Chunked)):
            raise Refusal("opaque", f"`{method}` of an Arrow table", node)
        return None

    def _row_method(self, node: ast.Call, row: Row | FirstRow | ChosenRow, method: str, env: Env) -> Value:
        key = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if method != "get" or not isinstance(key, str) or len(node.args) > 2 or node.keywords:
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` of a row", node)
        there = self.group.has(key)
        if there is None:
            raise Refusal("opaque", f"`get` of `{key}`, which the rows may not have (schema unknown)", node)
        if there:
            return self._cell(row, key, node)
        return self.value(node.args[1], env) if len(node.args) == 2 else NONE

    def _builtin(self, node: ast.Call, name: str, env: Env) -> Value | None:
        short = name.removeprefix("builtins.")
        if name == "builtins.sorted" and node.args:
            over = self.arrow(node.args[0], env)
            return self._sorted(node, over, env) if isinstance(over, (Frame, Series)) else None
        if len(node.args) != 1:
            return None
        over = self.arrow(node.args[0], env)
        if name in _LISTED and not node.keywords and isinstance(over, (Frame, Series, Items)):
            return over
        if short == "len" and isinstance(over, (Frame, Series, GroupTable, Chunked)):
            return self.reductions.length(_frame(over) if isinstance(over, (Frame, Series)) else Frame())
        if short in ("max", "min") and isinstance(over, (Frame, Series)):
            return self._extreme(node, short, over, env)
        if short in ("sum", "any", "all") and isinstance(over, Series) and not node.keywords:
            return self._total(node, short, over)
        return None

    def _total(self, node: ast.Call, name: str, over: Series) -> Expr:
        if name == "sum" and is_boolean(over.element):
            return self.reductions.count("n", both(over.frame.mask, over.element))
        if name == "sum":
            self.use_order(over.frame, node)
        return self.reductions.builtin(node, name, over)

    def _extreme(self, node: ast.Call, name: str, over: Frame | Series, env: Env) -> Value:
        """``max(values)``, ``max(values, default=None)``, ``max(rows, key=…)``.

        CPython keeps the first value unless a later one compares as better. A None beside another value raises, and
        does so as well where a pre-filter has dropped none of the two; here it is passed over.
        """
        keywords = {k.arg: k.value for k in node.keywords}
        frame = _frame(over)
        self.use_order(frame, node)
        if isinstance(over, Frame):
            keys = self._sort_key(keywords.pop("key", None), over, env)
            if keywords or keys is None or len(keys) != 1 or frame.mask != TRUE:
                raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
            best, better = self._best(node, name, frame, keys[0])
            if isinstance(keys[0], Col):
                self._carried[better, keys[0].name] = best
            return ChosenRow(better)
        if set(keywords) - {"default"}:
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        best, _ = self._best(node, name, frame, over.element)
        seen = self._some(frame)
        if "default" in keywords:
            return choose(seen, best, self.value(keywords["default"], env))
        return choose(seen, best, Raise(f"{name}() of no values"))

    def _some(self, frame: Frame) -> Expr:
        """Whether there are any such rows."""
        if frame.mask == TRUE:
            return TRUE
        slot = self._extremes.get(("some", frame.mask, TRUE))
        if slot is None:
            found = self.slots.allocate("some", FALSE)
            slot = self._extremes["some", frame.mask, TRUE] = found, TRUE
            self.slots.define(found, either(found, frame.mask))
        return slot[0]

    def _best(self, node: ast.AST, name: str, frame: Frame, value: Expr) -> tuple[Slot, Expr]:
        """The best value so far, and whether a row's is better."""
        known = self._extremes.get((name, frame.mask, value))
        if known is None:
            slot = self.slots.allocate(name, NONE)
            op: CompareOp = ">" if name == "max" else "<"
            beats = both(negate(is_null(value)), self.compare(node, op, value, slot))
            better = both(frame.mask, either(is_null(slot), beats))
            self.slots.define(slot, choose(better, value, slot))
            self.compare(node, op, value, slot)  # refused, now that the slot has its type, if they do not compare
            known = self._extremes[name, frame.mask, value] = slot, better
        return known

    def _chosen(self, row: ChosenRow, name: str) -> Expr:
        """A column of the row that ``max(rows, key=…)`` chose."""
        value = self.group.view(name)
        if name in self.group.keys:
            return value
        known = self._carried.get((row.better, name))
        if known is None:
            known = self.slots.allocate(name, NONE)
            self.slots.define(known, choose(row.better, value, known))
            self._carried[row.better, name] = known
        return known

    def _sorted(self, node: ast.Call, over: Frame | Series, env: Env) -> Thing:
        """A list in another order. What raises on a None does so in every list that holds it and something else; NaN
        has no place in an order, so floats do not sort."""
        keywords = {k.arg: k.value for k in node.keywords}
        reverse = keywords.pop("reverse", None)
        if len(node.args) != 1 or set(keywords) - {"key"} or not (reverse is None or isinstance(reverse, ast.Constant)):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        frame = _frame(over)
        keys = [over.element] if isinstance(over, Series) else None
        if "key" in keywords:
            keys = self._sort_key(keywords["key"], over, env)
        if keys is None or not all(isinstance(k, Col) for k in keys):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        for key in keys:
            t = self.scope.type(key)
            if t.name not in ("int", "string", "bool", "timestamp") and t != DATE:
                raise Refusal("opaque", f"rows sorted by a {t}, among which may be NaN", node)
        self._orders += 1
        order = Frame(frame.mask, self._orders)
        return Series(order, over.element, over.column) if isinstance(over, Series) else order

    def _sort_key(self, key: ast.expr | None, over: Frame | Series, env: Env) -> list[Expr] | None:
        if not (isinstance(key, ast.Lambda) and len(key.args.args) == 1):
            return None
        bound = self._each(over, ast.Name(key.args.args[0].arg, ast.Store()))
        parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
        values = [self.value(p, {**env, **(bound or {})}) for p in parts]
        for v in values:
            self._row_local(v, key)
        return values

    # --- comprehensions

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, env: Env) -> Value | None:
        first = node.generators[0]
        if len(node.generators) != 1 or first.is_async:
            return None
        over = self.arrow(first.iter, env)
        if isinstance(over, KeyTuple) and isinstance(first.target, ast.Name) and not first.ifs:
            parts = (self._key_part(n) for n in over.names)
            return Items(tuple(self.any_value(node.elt, {**env, first.target.id: p}) for p in parts), mutable=False)
        if self._inside and isinstance(over, (Frame, Series)):
            raise Refusal("opaque", "a pass over the group for each of its rows", node)
        bound = self._each(over, first.target)
        if bound is None or not isinstance(over, (Frame, Series)):
            return None
        inside: Env = {**env, **bound}
        mask = both(_frame(over).mask, *(self.test(c, inside) for c in first.ifs))
        self._row_local(mask, node)
        frame = Frame(mask, _frame(over).order)
        element = self.any_value(node.elt, inside)
        if isinstance(element, Row):
            return frame
        if isinstance(element, Thing):
            return None
        self._row_local(element, node)
        return Series(frame, element, element.name if isinstance(element, Col) else None)

    def _row_local(self, e: Expr, node: ast.AST) -> None:
        if slots_of(e):
            raise Refusal("opaque", "a second pass over the group reads what the first computed", node)


def _frame(over: Thing) -> Frame:
    """The rows behind a list of rows or of a column's values."""
    assert isinstance(over, (Frame, Series))
    return over if isinstance(over, Frame) else over.frame


def _split(value: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """``a if c else b``, as a whole or as the only rows of a table, as (c, a, b)."""
    if isinstance(value, ast.IfExp):
        return value.test, value.body, value.orelse
    if isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.IfExp):
        choice, rest = value.args[0], value.args[1:]
        calls = [
            ast.copy_location(ast.Call(value.func, [rows, *rest], value.keywords), value)
            for rows in (choice.body, choice.orelse)
        ]
        return choice.test, calls[0], calls[1]
    return None
