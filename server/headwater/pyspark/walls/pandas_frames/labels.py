"""What is looked at of a frame of pandas that a mask has made, apart from its labels.

The rows that a mask takes keep the labels (the places) that they had in the whole frame; without the other rows they
are labelled anew. So a frame in front of which there is a filter may stand for another one only where nobody looks at
labels. One table for each kind of value: what is not in one looks at them. Code that is not here may: what is handed to
it rests on the assumption that it does not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from headwater_ir.assumptions import Assumption

from ..column_choice import ColumnChoice
from ..literals import number, plain_text, text
from ..places import Places
from .names import COLUMN_GOES_ON, MASKS, PANDAS, is_constant, is_plain, is_plain_call
from .uses import OF_GROUPS

Columns = frozenset[str] | None
"""The columns that are looked at; None for all of them."""

_MOST = 3
"""So many places are told of that are given rows with their labels."""
_BUILTINS = frozenset("all any enumerate len list max min set sorted sum tuple zip".split())
_SIZES = frozenset("shape empty size ndim columns".split())
_SAME_ROWS = frozenset("copy head tail sort_values drop_duplicates dropna nlargest nsmallest fillna".split())
"""Methods of a frame that make one with some of its rows, labels and columns."""
_NEW_LABELS = frozenset("sort_values drop_duplicates dropna".split())
"""Those of them that label the rows anew if ``ignore_index`` is TRUE."""
_OF_COLUMNS = frozenset("count max mean median min nunique std sum var".split())
"""Methods of a frame that make one value of each column."""
_FRAME_ENDS = frozenset("to_numpy melt pivot_table set_index".split())
"""Methods of a frame whose result has no labels of rows, or others."""
_WITHOUT_INDEX = frozenset("to_csv to_excel to_html to_markdown to_parquet to_sql to_string itertuples".split())
"""Methods of a frame that leave the labels out if ``index`` is FALSE."""
_ORIENTED = {"to_dict": ("records", "list"), "to_json": ("records", "values")}
_PICTURES = frozenset("boxplot hist plot".split())
"""Methods of frames of which the axes of a picture have others, which are given columns."""
_COLUMN_ENDS = frozenset(
    """all any count max mean median min mode nunique prod quantile std sum tolist to_list to_numpy unique value_counts
    var""".split()
)


class LabelsSeenError(Exception):
    """Somebody may look at the labels of the rows."""


class _Frame(NamedTuple):
    """A frame with the labels of a mask. ``only``: its columns; ``renamed``: they have other names than in Spark."""

    only: Columns = None
    renamed: bool = False

    def column(self, name: str) -> Columns:
        return self.only if self.renamed else frozenset((name,))

    def some(self, names: tuple[str, ...]) -> Columns:
        return self.only if self.renamed else frozenset(names)


class _Column(NamedTuple):
    """A column with the labels of a mask, made of these of the frame."""

    of: Columns


_Kind = _Frame | _Column


class Labels:
    """Follows what a mask has made. ``shared``: whether a variable of the scope may be read from elsewhere;
    ``resolve``: the full name of a function;
    ``choice``: which columns an expression names."""

    def __init__(
        self, places: Places, shared: Callable[[str], bool], resolve: Callable[[ast.expr], str | None],
        choice: ColumnChoice,
    ) -> None:  # fmt: skip
        self._places, self._shared, self._resolve, self._choice = places, shared, resolve, choice
        self._seen: set[int] = set()
        self._handed: dict[str, None] = {}
        self._values: dict[str, None] = {}

    def looked_at(self, node: ast.expr, kind: Literal["frame", "column"], names: Columns = None) -> Columns:
        """The columns of ``node``, a frame with the columns ``names`` or a column made of these, that are looked at.
        LabelsSeenError where somebody may look at the labels of the rows as well."""
        parts = list(self._follow(node, _Frame(names) if kind == "frame" else _Column(names)))
        if not parts:
            raise LabelsSeenError  # what nobody reads here is for others to read
        known = [p for p in parts if p is not None]
        return frozenset[str]().union(*known) if len(known) == len(parts) else None

    def assumed(self) -> tuple[Assumption, ...]:
        """What must be so of the code that is handed rows with their labels, and of values that rows are taken by."""
        values = tuple(Assumption("type", f"`{v}` holds one value, and no column") for v in self._values)
        if not self._handed:
            return values
        where = " and ".join(f"`{h}`" for h in [*self._handed][:_MOST])
        more = f" and {len(self._handed) - _MOST} more" if len(self._handed) > _MOST else ""
        text = f"the labels of the rows, their places in the whole frame, do not matter in {where}{more}"
        return (*values, Assumption("program", text))

    def _follow(self, node: ast.expr, kind: _Kind) -> Iterator[Columns]:
        outer = self._places.around(node)
        if isinstance(outer, (ast.Assign, ast.AnnAssign)) and outer.value is node:
            yield from self._variable(outer.targets if isinstance(outer, ast.Assign) else [outer.target], kind)
        elif (other := self._other_code(node, outer)) is not None:
            self._handed[other] = None
            yield kind.only if isinstance(kind, _Frame) else kind.of
        elif isinstance(kind, _Frame):
            yield from self._of_frame(node, outer, kind)
        else:
            yield from self._of_column(node, outer, kind)

    def _variable(self, targets: Sequence[ast.expr], kind: _Kind) -> Iterator[Columns]:
        (target, *others) = targets
        origin = self._places.statement(target)
        if others or not isinstance(target, ast.Name) or id(target) in self._seen or self._shared(target.id):
            raise LabelsSeenError
        reads = None if origin is None else self._places.reads_of(target.id, origin)
        if reads is None:
            raise LabelsSeenError
        self._seen.add(id(target))
        if not reads:
            self._handed[target.id] = None
        for read in reads:
            if not self._is_in_mask(read):
                yield from self._follow(read, kind)

    def _other_code(self, node: ast.expr, outer: ast.AST | None) -> str | None:
        """The expression or statement that gives ``node`` to code that is not here, or shows it; None if it does
        not."""
        match outer:
            case ast.Return():
                return _short(outer)
            case ast.Expr():
                return _short(outer) if isinstance(node, (ast.Name, ast.Subscript)) else None
            case ast.keyword(arg=str()):
                call = self._places.around(outer)
            case _:
                call = outer
        if not isinstance(call, ast.Call) or call.func is node or isinstance(outer, ast.Starred):
            return None
        full, method = self._resolve(call.func), call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if (full or "").partition(".")[0] in ("pandas", "builtins"):
            return None  # they are known, and may look at labels or show them
        if full is None and method in PANDAS - _PICTURES:
            return None  # a method of another frame, to whose rows it finds those of the same labels
        return _short(call)

    def _is_in_mask(self, read: ast.Name) -> bool:
        """Whether ``read`` stands in a mask of its own frame, which takes some of its rows."""
        items = (n for n in self._places.outward(read) if isinstance(n, ast.Subscript))
        return any(
            _receiver(n) == read.id and self._is_mask(n.slice, read.id)
            for n in items
            if not _begins_with(n.value, read)
        )

    def _is_mask(self, node: ast.expr, frame: str) -> bool:
        """Whether ``node`` is a mask of the rows of the variable ``frame`` that is made of its columns and of single
        values."""
        match node:
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
                return self._is_mask(left, frame) and self._is_mask(right, frame)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._is_mask(operand, frame)
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                sides = [_is_column(n, frame) for n in (left, right)]
                pairs = zip(sides, (left, right), strict=True)
                return any(sides) and all(s or is_plain(n) or self._is_value(n) for s, n in pairs)
            case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in MASKS:
                return _is_column(of, frame) and is_plain_call(node)
        return False

    def _is_value(self, node: ast.expr) -> bool:
        """Whether ``node`` is a variable that is bound by loops alone, or by code around, and may hold one value."""
        if not isinstance(node, ast.Name) or self._shared(node.id):
            return False
        stores = (n for n in self._places.named(node.id) if not isinstance(n.ctx, ast.Load))
        if not all(isinstance(self._places.statement(n), ast.For) for n in stores):
            return False
        self._values[node.id] = None
        return True

    # --- a frame

    def _of_frame(self, node: ast.expr, outer: ast.AST | None, kind: _Frame) -> Iterator[Columns]:
        match outer:
            case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
                yield from self._item(node, outer, place, kind)
                return
            case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if value is node:
                yield from self._attribute(node, outer, name, kind)
                return
            case ast.Call(func=of, args=[only], keywords=[]) if only is node and self._resolve(of) == "builtins.len":
                yield frozenset()
                return
            case ast.Call(func=of, args=[*given]) if any(a is node for a in given):
                if self._resolve(of) == "pandas.merge":
                    yield self._merged(outer, kind)
                    return
        raise LabelsSeenError

    def _item(self, node: ast.expr, outer: ast.Subscript, place: ast.expr, kind: _Frame) -> Iterator[Columns]:
        name, names = self._choice.text(place), self._choice.texts(place)
        if name is not None:
            yield from self._follow(outer, _Column(kind.column(name)))
        elif names is not None:
            yield from self._follow(outer, kind._replace(only=kind.some(names)))
        elif isinstance(node, ast.Name) and self._is_mask(place, node.id):
            yield from self._follow(outer, kind)
        else:
            raise LabelsSeenError

    def _attribute(self, node: ast.expr, outer: ast.Attribute, name: str, kind: _Frame) -> Iterator[Columns]:
        around = self._places.around(outer)
        call = around if isinstance(around, ast.Call) and around.func is outer else None
        if name in _SIZES:
            yield frozenset()
        elif name == "values":
            yield kind.only
        elif name in ("loc", "iloc") and isinstance(around, ast.Subscript) and around.value is outer:
            yield from self._located(node, around, name, kind)
        elif call is not None:
            yield from self._called(call, name, kind)
        elif name not in PANDAS and not name.startswith("_"):
            yield from self._follow(outer, _Column(kind.column(name)))
        else:
            raise LabelsSeenError

    def _located(self, node: ast.expr, item: ast.Subscript, how: str, kind: _Frame) -> Iterator[Columns]:
        masked = how == "loc" and isinstance(node, ast.Name) and self._is_mask(item.slice, node.id)
        if not masked and not (how == "iloc" and isinstance(item.slice, ast.Slice)):
            raise LabelsSeenError
        yield from self._follow(item, kind)

    def _called(self, call: ast.Call, name: str, kind: _Frame) -> Iterator[Columns]:
        given = {k.arg: k.value for k in call.keywords}
        if name in ("drop", "rename") and not call.args and {*given} == {"columns"} and is_plain(given["columns"]):
            yield from self._follow(call, kind._replace(renamed=kind.renamed or name == "rename"))
        elif _leaves_labels(call, name, given):
            yield kind.only
        elif name in _SAME_ROWS and is_plain_call(call) and "inplace" not in given and "ignore_index" not in given:
            yield from self._follow(call, kind)
        elif name == "merge":
            yield self._merged(call, kind)
        elif name == "groupby":
            yield self._grouped(call, kind)
        elif name in ("iterrows", "itertuples") and not call.args and not given:
            yield self._rows(call, name, kind)
        else:
            raise LabelsSeenError

    def _merged(self, call: ast.Call, kind: _Frame) -> Columns:
        """A merge by columns labels its rows anew."""
        names = {k.arg for k in call.keywords}
        if not names <= {"on", "how", "left_on", "right_on", "suffixes", "right", "left"} or not names & {
            "on",
            "left_on",
        }:
            raise LabelsSeenError
        return kind.only

    def _grouped(self, call: ast.Call, kind: _Frame) -> Columns:
        """``frame.groupby(keys)[columns].sum()``: it has the keys as labels, or new ones."""
        keys = self._choice.one_or_more(call.args[0]) if len(call.args) == 1 else None
        if keys is None or not {k.arg for k in call.keywords} <= {"as_index", "sort", "dropna", "observed"}:
            raise LabelsSeenError
        item, names = self._places.around(call), None
        if isinstance(item, ast.Subscript) and item.value is call:
            names = self._choice.one_or_more(item.slice)
            if names is None:
                raise LabelsSeenError
            call_of = self._places.around(item)
        else:
            call_of = item
        if isinstance(call_of, ast.Attribute) and call_of.attr == "ngroups":
            return kind.some(keys)
        made = self._places.around(call_of) if isinstance(call_of, ast.Attribute) else None
        if not isinstance(made, ast.Call) or made.func is not call_of or not isinstance(call_of, ast.Attribute):
            raise LabelsSeenError
        if call_of.attr not in OF_GROUPS or not is_plain_call(made):
            raise LabelsSeenError
        return kind.only if names is None else kind.some((*keys, *names))

    def _rows(self, call: ast.Call, how: str, kind: _Frame) -> Columns:
        """A loop over rows that reads their columns, and not their labels."""
        loop = self._places.around(call)
        if not isinstance(loop, ast.For) or loop.iter is not call:
            raise LabelsSeenError
        target: ast.expr = loop.target
        if how == "iterrows":
            match target:
                case ast.Tuple(elts=[ast.Name(id=label), ast.Name() as row]) if self._reads(label) == ():
                    target = row
                case _:
                    raise LabelsSeenError
        reads = self._reads(target.id) if isinstance(target, ast.Name) else None
        if reads is None or not all(self._is_cell(r, how) for r in reads):
            raise LabelsSeenError
        return kind.only

    def _reads(self, name: str) -> tuple[ast.Name, ...] | None:
        return None if self._shared(name) else self._places.reads_of(name)

    def _is_cell(self, read: ast.Name, how: str) -> bool:
        match self._places.around(read):
            case ast.Subscript(value=value, slice=place, ctx=ast.Load()):
                return value is read and how == "iterrows" and text(place) is not None
            case ast.Attribute(attr=name, ctx=ast.Load()):
                return name not in PANDAS and name not in ("Index", "name") and not name.startswith("_")
        return False

    # --- a column

    def _of_column(self, node: ast.expr, outer: ast.AST | None, kind: _Column) -> Iterator[Columns]:
        match outer:
            case ast.Attribute(value=value, attr="iloc", ctx=ast.Load()) if value is node:
                item = self._places.around(outer)
                if isinstance(item, ast.Subscript) and item.value is outer and number(item.slice) is not None:
                    yield kind.of
                    return
            case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if value is node:
                if name in ("values", "dtype") or name in _SIZES - {"columns"}:
                    yield kind.of
                    return
                yield from self._method(outer, name, kind)
                return
            case ast.Call(func=of, args=[*given]) if any(a is node for a in given):
                if (self._resolve(of) or "").removeprefix("builtins.") in _BUILTINS:
                    yield kind.of
                    return
            case ast.For(iter=over) | ast.comprehension(iter=over) if over is node:
                yield kind.of
                return
        raise LabelsSeenError

    def _is_of_element(self, call: ast.Call) -> bool:
        """Whether a column hands each of its values to a function."""
        if not 1 <= len(call.args) <= 1 or not {k.arg for k in call.keywords} <= {"args"}:
            return False
        function = call.args[0]
        return isinstance(function, ast.Lambda) or self._resolve(function) is not None

    def _method(self, outer: ast.Attribute, name: str, kind: _Column) -> Iterator[Columns]:
        around = self._places.around(outer)
        if name in ("str", "dt") and isinstance(around, ast.Attribute):
            call = self._places.around(around)
            if isinstance(call, ast.Call) and call.func is around:
                if not is_plain_call(call) or around.attr in ("cat", "extractall"):
                    raise LabelsSeenError
                around = call
            yield from self._follow(around, kind)
            return
        call = around if isinstance(around, ast.Call) and around.func is outer else None
        if call is None or "inplace" in {k.arg for k in call.keywords}:
            raise LabelsSeenError
        if not is_plain_call(call) and not (name in ("apply", "map") and self._is_of_element(call)):
            raise LabelsSeenError
        if name in _COLUMN_ENDS:
            yield kind.of
        elif name in COLUMN_GOES_ON:
            yield from self._follow(call, kind)
        else:
            raise LabelsSeenError


def _leaves_labels(call: ast.Call, name: str, given: dict[str | None, ast.expr]) -> bool:
    """Whether what the method of a frame gives shows nothing of the labels of its rows."""
    if None in given:
        return False
    if name == "reset_index":
        return not call.args and {*given} == {"drop"} and is_constant(given["drop"], True)
    if name in _NEW_LABELS and "ignore_index" in given:
        return is_constant(given["ignore_index"], True) and is_plain_call(call) and "inplace" not in given
    if name in _WITHOUT_INDEX:
        return is_constant(given.get("index"), False)
    if name in _ORIENTED:
        return _orientation(call) in _ORIENTED[name]
    if name in _OF_COLUMNS:
        return not call.args and {*given} <= {"numeric_only", "skipna"}
    return name in _FRAME_ENDS and is_plain_call(call) and {"inplace", "append", "ignore_index"}.isdisjoint(given)


def _is_column(node: ast.expr, frame: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=place):
            return name == frame and plain_text(place) is not None
        case ast.Attribute(value=ast.Name(id=name), attr=column):
            return name == frame and column not in PANDAS
    return False


def _short(node: ast.AST) -> str:
    line = " ".join(ast.unparse(node).split())
    return line if len(line) <= 40 else line[:37] + "…"


def _receiver(node: ast.Subscript) -> str | None:
    of = node.value.value if isinstance(node.value, ast.Attribute) and node.value.attr == "loc" else node.value
    return of.id if isinstance(of, ast.Name) else None


def _begins_with(node: ast.expr, read: ast.Name) -> bool:
    return any(n is read for n in ast.walk(node))


def _orientation(call: ast.Call) -> str | None:
    given = {k.arg: k.value for k in call.keywords}
    node = call.args[0] if len(call.args) == 1 and not given else given.get("orient") if not call.args else None
    return text(node) if node is not None and None not in given else None
