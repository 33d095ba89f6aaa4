"""Every value behind a wall that a scope looks at: the call's own expression, and the variables that hold its result.

What a variable holds is followed to each place that reads it, whichever of its assignments reaches that place; where
that is not all that may read it, it is taken to be read whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from headwater_ir import demand as ir
from headwater_ir.span import Span

from .caught import is_doubted
from .kinds import Derived, Frame, Kind, Taken, TupleOf, Tuples
from .literals import number, slice_of
from .loops import turns
from .pandas_frames.mask_shapes import MaskShapes
from .places import Places
from .reaching import BINDING
from .reads import is_tested, taken

_MOST = 64
"""A value that is read at more places is taken to be read whole."""
_LEAVES = (ast.Return, ast.Continue)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_BESIDE_MASKS = (ir.Where, ir.Column, ir.ColumnBy, ir.Selected, ir.Size, ir.Empty)
_NAMING = (ir.Column, ir.ColumnAt, ir.ColumnBy, ir.Selected, ir.SelectedBy)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class Readers:
    """The readers of one wall. ``shared``: whether a variable of the scope may be read from elsewhere."""

    def __init__(
        self, places: Places, span: Callable[[ast.AST], Span], shared: Callable[[str], bool], frame: Frame
    ) -> None:
        self._places, self._span, self._shared, self._frame = places, span, shared, frame
        self._seen: set[int] = set()
        self._wall: ast.AST | None = None
        self._through: list[ast.AST] = []
        self._left = _MOST
        self._unsure: set[int] = set()
        self._made: dict[str, list[ast.AST]] = {}
        self._vetted: list[tuple[ir.Reader, dict[str, int]]] = []
        self._inside = False

    def of(self, node: ast.expr, kind: Kind) -> tuple[ir.Reader, ...] | None:
        """The readers of ``node``, a value of ``kind``; None if there are too many."""
        self._wall = node
        try:
            found = tuple(self._follow(node, kind, (), direct=True))
        except _TooManyError:
            return None
        return found if all(map(self._is_of_spark, found)) else (self._ends(node, (), direct=True),)

    def _is_of_spark(self, reader: ir.Reader) -> bool:
        """Whether ``reader`` names no column that the driver may have put into the frame."""
        for vetted, puts in self._vetted:
            if vetted is reader:  # by no other variable of the same frame
                return all(count == len(self._made[name]) for name, count in puts.items() if name in self._made)
        names = _names_of(reader.reading) if self._made else ()
        return names is not None and {*self._made}.isdisjoint(names)

    def of_function(self, node: ast.Call, function: ast.Lambda | ast.FunctionDef) -> tuple[ir.Reader, ...] | None:
        """The readers of the rows that ``node`` hands one by one to ``function``; None if there are too many."""
        self._wall, name = node, function.args.args[0].arg
        reads = None if self._shared(name) else self._places.reads_in_function(function, name)
        if reads is None:
            return (ir.Reader((ir.Each(),), self._span(node), direct=False, certain=False),)
        try:
            return tuple(r for n in reads for r in self._follow(n, "row", (ir.Each(),), direct=False))
        except _TooManyError:
            return None

    def _follow(self, node: ast.expr, kind: Kind, steps: ir.Reading, *, direct: bool) -> Iterator[ir.Reader]:
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        outer = self._places.around(node)
        part = taken(node, kind, self._places.around, self._frame)
        if part is not None and not (_may_follow(steps, part.steps) and (not part.by_label or _are_places(steps))):
            part = None
        if part is not None and self._wall is not None and self._may_miss(part):
            part = None
        if part is not None:
            if not part.sure:
                self._unsure.add(id(part.by))
            yield from self._follow(part.by, part.kind, (*steps, *part.steps), direct=direct)
        elif kind in ("rows", "number") and is_tested(node, outer, self._frame):
            yield self._ends(node, (*steps, ir.Truth()), direct=direct)
        elif kind == "rows" and isinstance(outer, ast.Compare) and (flag := self._compared(node, outer)) is not None:
            yield from self._follow(outer, "flag", (*steps, *flag), direct=direct)
        elif kind == "number" and isinstance(outer, ast.Match) and outer.subject is node and _matches_zero(outer):
            yield self._ends(node, (*steps, ir.Test("==", 0)), direct=False)
        elif isinstance(outer, ast.comprehension) and outer.iter is node and _element(kind) is not None:
            yield from self._in_comprehension(node, outer, kind, steps, direct=direct)
        elif isinstance(outer, (ast.For, ast.AsyncFor)) and outer.iter is node and _element(kind) is not None:
            yield from self._in_loop(node, outer, outer.target, kind, steps, direct=direct)
        elif isinstance(outer, ast.Call) and _element(kind) is not None and self._is_handed_on(node, outer, kind):
            yield from self._handed_on(node, outer, kind, steps, direct=direct)
        elif isinstance(outer, (ast.Call, ast.keyword)) and kind in ("row", "rows", "frame") and not self._inside:
            yield from self._in_function(node, outer, kind, steps, direct=direct)
        elif isinstance(outer, ast.Assign) and isinstance(outer.targets[0], (ast.Tuple, ast.List)) and kind == "rows":
            yield from self._unpacked(node, outer, steps, direct=direct)
        elif kind in ("flag", "column", "series"):  # nobody can take less of it
            yield self._ends(node, steps, direct=direct)
        elif isinstance(outer, ast.Assign) and outer.value is node and len(outer.targets) == 1:
            yield from self._variable(node, outer.targets[0], kind, steps, direct=direct)
        elif isinstance(outer, ast.AnnAssign) and outer.value is node:
            yield from self._variable(node, outer.target, kind, steps, direct=direct)
        elif isinstance(outer, ast.NamedExpr) and outer.value is node:
            yield from self._named(outer, kind, steps)
        else:
            yield self._ends(node, steps, direct=direct)

    def _may_miss(self, part: Taken) -> bool:
        """Whether the program goes on where the frame does not have a column of ``part``, and would fail at the wall if
        that handed on these columns alone."""
        names = _names_of(part.steps) if any(isinstance(s, _NAMING) for s in part.steps) else ()
        known = names is not None and all(map(self._frame.has, names))
        return not known and self._wall is not None and is_doubted(part.by, self._wall, self._places)

    def _named(self, made: ast.NamedExpr, kind: Kind, steps: ir.Reading) -> Iterator[ir.Reader]:
        """What is done with the value of ``made``, and with the variable that it binds."""
        scope, statement = self._places.scope_of(made), self._places.statement(made)
        once = kind != "iterator" and scope is None and isinstance(statement, BINDING)
        reads = self._places.reads_of(made.target.id, statement) if once and not self._shared(made.target.id) else None
        if reads is None:
            yield self._ends(made, steps, direct=False)
            return
        for read in (made, *reads):
            yield from self._follow(read, kind, steps, direct=False)

    def _variable(
        self, node: ast.expr, target: ast.expr, kind: Kind, steps: ir.Reading, *, direct: bool
    ) -> Iterator[ir.Reader]:
        reads = None
        origin = self._places.statement(target)
        known = isinstance(target, ast.Name) and id(target) not in self._seen and not self._shared(target.id)
        if isinstance(target, ast.Name) and known and origin is not None:
            reads = self._places.reads_of(target.id, origin)
        if reads is None or not isinstance(target, ast.Name):
            yield self._ends(node, steps, direct=direct)
            return
        self._seen.add(id(target))
        if not reads:
            yield self._ends(node, steps, direct=direct)
        made = self._columns_made(target.id, reads, kind)
        for read in reads:
            beside = self._beside_made(read, kind, steps, made)
            if beside is not None:
                yield beside
            else:
                yield from self._follow(read, kind, steps, direct=False)

    def _compared(self, node: ast.expr, outer: ast.Compare) -> ir.Reading | None:
        """What ``rows == []`` asks; a tuple is no list, however many elements it has."""
        match outer:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
                other = right if left is node else left
                if isinstance(other, ast.List) and not other.elts and not self._inside:
                    equal = (ir.Truth(), ir.Not()) if isinstance(op, ast.Eq) else (ir.Truth(),)
                    return None if self._places.called("tuple") else equal
        return None

    def _columns_made(self, name: str, reads: tuple[ast.Name, ...], kind: Kind) -> dict[str, list[ast.stmt]]:
        """The columns that the scope puts into the frame in the variable ``name``, by the statements that do."""
        found: dict[str, list[ast.stmt]] = {}
        if (kind != "frame" and not isinstance(kind, Derived)) or self._inside or self._places.times_bound(name) != 1:
            return found
        for read in reads:
            column = self._put(read)
            statement = self._places.statement(read)
            if column is not None and statement is not None:
                found.setdefault(column, []).append(statement)
        for column, statements in found.items():
            self._made.setdefault(column, []).extend(statements)
        return found

    def _put(self, read: ast.Name) -> str | None:
        """The column that ``frame["column"] = …`` puts into the frame ``read``."""
        item = self._places.around(read)
        if not isinstance(item, ast.Subscript) or item.value is not read or not isinstance(item.ctx, ast.Store):
            return None
        made = self._places.around(item)
        one = isinstance(made, ast.Assign) and len(made.targets) == 1 and made.targets[0] is item
        return self._frame.choice.text(item.slice) if one else None

    def _beside_made(
        self, read: ast.Name, kind: Kind, steps: ir.Reading, made: dict[str, list[ast.stmt]]
    ) -> ir.Reader | None:
        """The reader that ``read`` is: of a frame into which columns are put, where it puts one there, or reads columns
        of which each is known to be Spark's, or made; None for any other."""
        if not made:
            return None
        if self._put(read) is not None:
            reader = self._ends(read, (*steps, *_left(kind, ())), direct=False)
            self._vetted.append((reader, {}))
            return reader
        part = taken(read, kind, self._places.around, self._frame)
        names = None if part is None else _names_of(part.steps)
        if part is None or names is None or part.by_label or not {*names} & {*made}:
            return None
        if part.kind not in ("series", "column", "frame") or not _may_follow(steps, part.steps):
            return None
        of_spark = []
        for name in names:
            if any(self._places.comes_before(s, read) for s in made.get(name, ())):
                continue
            if not all(self._comes_first(read, s) for s in made.get(name, ())):
                return None
            of_spark.append(name)
        reader = self._ends(part.by, (*steps, *_left(kind, tuple(of_spark))), direct=False)
        self._vetted.append((reader, {n: len(made.get(n, ())) for n in of_spark}))
        return reader

    def _comes_first(self, read: ast.Name, statement: ast.stmt) -> bool:
        """Whether ``read`` is evaluated before ``statement`` has done anything, and not again."""
        if any(isinstance(n, (*_LOOPS, *_FUNCTIONS)) for n in (statement, *self._places.outward(statement))):
            return False
        mine = self._places.statement(read)
        return mine is statement or (read.lineno, read.col_offset) < (statement.lineno, statement.col_offset)

    def _unpacked(self, node: ast.expr, outer: ast.Assign, steps: ir.Reading, *, direct: bool) -> Iterator[ir.Reader]:
        """``first, *rest = rows``, of which nobody reads ``rest``."""
        match outer:
            case ast.Assign(targets=[ast.Tuple(elts=[*parts, ast.Starred(value=ast.Name(id=rest))])], value=value) if (
                value is node and parts and all(isinstance(p, ast.Name) for p in parts) and not self._shared(rest)
            ):
                if self._places.reads_of(rest, outer) == ():
                    for place, part in enumerate(parts):
                        yield from self._variable(node, part, "row", (*steps, ir.Item(place)), direct=direct)
                    return
        yield self._ends(node, steps, direct=direct)

    def _in_loop(
        self, node: ast.expr, loop: ast.For | ast.AsyncFor, target: ast.expr, kind: Kind, steps: ir.Reading, *,
        direct: bool, counter: str | None = None, start: int = 0,
    ) -> Iterator[ir.Reader]:  # fmt: skip
        self._through.append(loop)
        element = _element(kind)
        assert element is not None
        fresh = kind in ("rows", "records") or (kind == "iterator" and not isinstance(node, ast.Name))
        count = turns(loop, counter, start) if fresh else None
        some = steps if count is None else (*steps, ir.Limited(count))
        each = some if isinstance(element, TupleOf) else (*some, ir.Each())
        yield from self._variable(node, target, element, each, direct=direct)

    def _is_handed_on(self, node: ast.expr, outer: ast.Call, kind: Kind) -> bool:
        if not isinstance(outer.func, ast.Name) or outer.func.id not in self._frame.builtins:
            return False
        match outer:
            case ast.Call(func=ast.Name(id="enumerate"), args=[of, *start], keywords=[]) if of is node:
                return len(start) < 2 and self._pair(outer) is not None
            case ast.Call(func=ast.Name(id="map" | "filter"), args=[function, of], keywords=[]) if of is node:
                return isinstance(function, ast.Lambda) and kind != "frame"
            case ast.Call(func=ast.Name(id="sorted" | "max" | "min"), args=[of], keywords=given) if of is node:
                keys = [k.value for k in given if k.arg == "key"]
                plain = all(k.arg == "key" or isinstance(k.value, ast.Constant) for k in given)
                return plain and len(keys) == 1 and isinstance(keys[0], ast.Lambda)
        return False

    def _pair(self, call: ast.Call) -> tuple[ast.AST, ast.Name, ast.Name] | None:
        """The loop or comprehension through ``enumerate``, the variable of the number, and that of the row."""
        around = self._places.around(call)
        match around:
            case ast.For(target=ast.Tuple(elts=[ast.Name() as index, ast.Name() as row]), iter=over) if over is call:
                return around, index, row
            case ast.comprehension(target=ast.Tuple(elts=[ast.Name() as index, ast.Name() as row]), iter=over) if (
                over is call
            ):
                return around, index, row
        return None

    def _handed_on(
        self, node: ast.expr, outer: ast.Call, kind: Kind, steps: ir.Reading, *, direct: bool
    ) -> Iterator[ir.Reader]:
        """Rows that Python's own functions go through."""
        name = outer.func.id if isinstance(outer.func, ast.Name) else ""
        element = _element(kind)
        assert element is not None
        each = steps if isinstance(element, TupleOf) else (*steps, ir.Each())
        if name == "enumerate":
            found = self._pair(outer)
            assert found is not None
            around, index, row = found
            if isinstance(around, ast.comprehension):
                yield from self._in_comprehension(outer, around, kind, steps, direct=direct, target=row)
                return
            start = number(outer.args[1]) if len(outer.args) == 2 else 0
            assert isinstance(around, ast.For)
            counter = index.id if start is not None and not self._shared(index.id) else None
            yield from self._in_loop(node, around, row, kind, steps, direct=direct, counter=counter, start=start or 0)
            return
        function = (
            outer.args[0] if name in ("map", "filter") else next(k.value for k in outer.keywords if k.arg == "key")
        )
        assert isinstance(function, ast.Lambda)
        given, parameters = function.args, function.args.args
        plain = len(parameters) == 1 and not (
            given.posonlyargs or given.kwonlyargs or given.defaults or given.vararg or given.kwarg
        )
        reads = self._places.reads_in_function(function, parameters[0].arg) if plain else None
        if reads is None or self._shared(parameters[0].arg):
            yield self._ends(node, steps, direct=direct)
            return
        picked = self._first_made(outer, function, reads, element) if name == "map" and kind == "rows" else None
        if picked is not None:
            yield self._ends(picked.by, (*steps, *picked.steps), direct=direct)
            return
        for read in reads:
            yield from self._follow(read, element, each, direct=False)
        if name == "map":
            if not reads:
                yield self._ends(node, (*steps, *_left(kind, ())), direct=False)
        elif element != "row":
            yield self._ends(node, steps, direct=direct)
        elif name in ("max", "min"):
            yield from self._follow(outer, "row", each, direct=False)
        else:
            yield from self._follow(outer, "bag", steps, direct=False)

    def _first_made(
        self, call: ast.Call, function: ast.Lambda, reads: tuple[ast.Name, ...], element: Kind
    ) -> Taken | None:
        """``list(map(lambda row: row.column, rows))[0]``."""
        if len(reads) != 1:
            return None
        part = taken(reads[0], element, self._places.around, self._frame)
        listed = self._places.around(call)
        match listed:
            case ast.Call(func=ast.Name(id="list"), args=[only], keywords=[]) if (
                only is call and "list" in self._frame.builtins
            ):
                return self._part_of_list(listed, part) if part is not None and part.by is function.body else None
        return None

    def _in_function(
        self, node: ast.expr, outer: ast.Call | ast.keyword, kind: Kind, steps: ir.Reading, *, direct: bool
    ) -> Iterator[ir.Reader]:
        """What a function of the file looks at of what it is handed."""
        call = outer if isinstance(outer, ast.Call) else self._places.around(outer)
        named = outer.arg if isinstance(outer, ast.keyword) else None
        function = self._frame.choice.function(call) if isinstance(call, ast.Call) else None
        parameter = None
        if function is not None and isinstance(call, ast.Call):
            parameter = _parameter(function, call, node, named)
        if function is None or parameter is None or self._shared(parameter):
            yield self._ends(node, steps, direct=direct)
            return
        places = Places([function])
        reads = places.reads_in_function(function, parameter)
        if reads is None:
            yield self._ends(node, steps, direct=direct)
            return
        choice = self._frame.choice.of_constants()
        inside = self._frame._replace(choice=choice, masks=MaskShapes(places, choice))
        inner = Readers(places, self._span, self._shared, inside)
        inner._inside, inner._left = True, self._left
        for read in reads:
            for reader in inner._follow(read, kind, steps, direct=False):
                yield ir.Reader(reader.reading, reader.span, direct=False, certain=False)
        self._left = inner._left
        if not reads:
            yield (
                self._ends(node, (*steps, ir.Size()), direct=direct)
                if kind in ("rows", "frame")
                else self._ends(node, steps, direct=direct)
            )

    def _in_comprehension(
        self, node: ast.expr, generator: ast.comprehension, kind: Kind, steps: ir.Reading, *, direct: bool,
        target: ast.expr | None = None,
    ) -> Iterator[ir.Reader]:  # fmt: skip
        target = generator.target if target is None else target
        element = _element(kind)
        assert element is not None
        whole = self._places.around(generator)
        first = isinstance(whole, (*_COMPREHENSIONS, ast.DictComp)) and whole.generators[0] is generator
        reads = None
        if first and isinstance(target, ast.Name) and not generator.is_async:
            assert whole is not None
            reads = self._places.reads_in(whole, target.id)
        if reads is None:
            yield self._ends(node, steps, direct=direct)
            return
        picked = self._picked(whole, reads, element) if kind in ("rows", "records") and node is generator.iter else None
        if picked is not None:
            yield self._ends(picked.by, (*steps, *picked.steps), direct=direct)
            return
        if whole is not None:
            self._through.append(whole)
        if not reads:  # what it makes still shows how many rows there are
            yield self._ends(node, (*steps, *_left(kind, ())), direct=False)
        each = steps if isinstance(element, TupleOf) else (*steps, ir.Each())
        for read in reads:
            yield from self._follow(read, element, each, direct=False)

    def _picked(self, whole: ast.AST | None, reads: tuple[ast.Name, ...], element: Kind) -> Taken | None:
        """``[row.column for row in rows][0]``: the part that it takes of the rows, the same as ``rows[0].column``."""
        match whole:
            case ast.ListComp(elt=made, generators=[ast.comprehension(ifs=[])]) if len(reads) == 1:
                part = taken(reads[0], element, self._places.around, self._frame)
                return self._part_of_list(whole, part) if part is not None and part.by is made else None
        return None

    def _part_of_list(self, made: ast.expr, part: Taken) -> Taken | None:
        """The part of the rows that is in the first elements of ``made``, a list of ``part`` of each row."""
        at = self._places.around(made)
        if not isinstance(at, ast.Subscript) or at.value is not made or not isinstance(at.ctx, ast.Load):
            return None
        index, steps = number(at.slice), slice_of(at.slice)
        if index is not None:
            return Taken(at, "column", (ir.Item(index), *part.steps)) if index >= 0 else None
        return None if steps is None else Taken(at, "column", (*steps, ir.Each(), *part.steps))

    def _ends(self, node: ast.expr, steps: ir.Reading, *, direct: bool) -> ir.Reader:
        certain = self._wall is not None and self._places.is_certain(node, self._wall, self._through)
        sure = certain and id(node) not in self._unsure
        return ir.Reader(steps, self._span(node), direct, self._role(node), sure)

    def _role(self, node: ast.expr) -> str:
        """The kind of statement that ``node`` decides on."""
        at: ast.AST = node
        for outer in self._places.outward(node):
            match outer:
                case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                    at = outer
                case ast.Assert(test=test) if test is at:
                    return "assert"
                case ast.While(test=test) if test is at:
                    return "while"
                case ast.If(test=test, body=body, orelse=[]) if test is at:
                    if any(isinstance(s, ast.Raise) for s in body):
                        return "raise"
                    return "assert" if isinstance(body[-1], _LEAVES) and self._places.raises_behind(outer) else ""
                case ast.If(test=test, orelse=[ast.Raise()]) if test is at:
                    return "assert"
                case ast.Dict():
                    return "noted"
                case ast.Tuple(elts=beside) | ast.List(elts=beside) | ast.Call(args=beside):
                    return "noted" if any(map(_is_label, beside)) else ""
                case ast.keyword():
                    at = outer
                case _:
                    return ""
        return ""


def _is_label(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _matches_zero(node: ast.Match) -> bool:
    """Whether ``node`` tells 0 from all other numbers, and nothing else."""
    for case in node.cases:
        match case.pattern:
            case ast.MatchValue(value=ast.Constant(value=0)) | ast.MatchAs(pattern=None, name=None):
                continue
        return False
    return True


def _may_follow(before: ir.Reading, steps: ir.Reading) -> bool:
    """Beside a mask nothing is counted from the front: how many rows it takes is not known."""
    whole = (*before, *steps)
    return all(isinstance(s, _BESIDE_MASKS) for s in whole) or not any(isinstance(s, ir.Where) for s in whole)


def _are_places(before: ir.Reading) -> bool:
    """Whether the labels of the rows behind ``before`` are their places."""
    return all(isinstance(s, (ir.Limited, ir.Column, ir.ColumnBy, ir.Selected)) for s in before)


class _TooManyError(Exception):
    """The value is read at too many places."""


def _element(kind: Kind) -> Kind | None:
    """What a loop through a value of ``kind`` goes through; None if that is not known."""
    match kind:
        case "rows" | "iterator" | "bag":
            return "row"
        case "records":
            return "record"
        case Tuples(columns):
            return TupleOf(columns)
    return None


def _left(kind: Kind, columns: tuple[str, ...]) -> ir.Reading:
    """What is a function of ``columns``, and of which rows a value of ``kind`` has."""
    names = tuple(dict.fromkeys((*(kind.columns if isinstance(kind, (Derived, Tuples)) else ()), *columns)))
    return (ir.Selected(names),) if names else (ir.Size(),)


def _parameter(function: ast.FunctionDef, call: ast.Call, node: ast.expr, named: str | None) -> str | None:
    """The parameter of ``function`` that ``call`` gives ``node``."""
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if named is not None:
        return named if any(a.arg == named for a in (*given.args, *given.kwonlyargs)) else None
    place = next((i for i, a in enumerate(call.args) if a is node), None)
    return given.args[place].arg if place is not None and place < len(given.args) else None


def _names_of(reading: ir.Reading) -> tuple[str, ...] | None:
    """The columns without which the value of ``reading`` cannot be told; None for all of them."""
    for step in reading:
        match step:
            case ir.Column(name):
                return (name,)
            case ir.Selected(columns):
                return columns
            case ir.Size() | ir.Empty() | ir.Truth():
                return ()
            case ir.ColumnAt() | ir.ColumnBy() | ir.SelectedBy():
                return None
    return None
