"""Whether a piece of Python does nothing but compute a value that depends on its arguments alone.

Law: every operation that a run may perform is one of CPython's own on receivers of known kinds, each listed as such
(``libraries``), and every object that it changes or uses up was made in the same run. Then a run leaves nothing
behind, and two runs on equal arguments give equal values; so running it less often changes nothing else (THEORY.md
section 4, *Determinism and side effects*).

The analysis is an abstract interpretation (``values``): one frame of variables for each function, insensitive to the
order of statements, repeated until nothing changes. Code of the file that is called is entered here and nowhere else.
What has no entry refuses: ``side-effect`` or ``volatile`` where the tables say that it does more, ``opaque`` otherwise.
Counterexamples: ``ids[r.k]`` of a ``defaultdict`` numbers the rows; ``next(it)`` of an iterator of the driver.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from headwater.libraries.entry import Entry
from headwater.syntax.refusal import Refusal

from . import calls, outside, statements
from .heap import WITH_PARTS, Heap
from .operators import changes_left, results
from .program import Program
from .values import (
    ANY_DATA,
    DATA,
    NOTHING,
    PRINTABLE,
    SEQUENCES,
    Atom,
    Broadcast,
    Frame,
    Function,
    Listed,
    Method,
    Parameter,
    Site,
    Value,
    kind_of,
    kinds,
)

Result = Literal["any", "data", "elements"]
"""What may come out: anything, a value of ``DATA``, or an iterator or value of such."""
_PASSES, _FUNCTIONS = 30, 60


def require(
    program: Program,
    node: ast.AST,
    *,
    locals_: frozenset[str] = frozenset(),
    own: frozenset[str] = frozenset(),
    partition: bool = False,
    result: Result = "any",
    thorough: bool = False,
    fresh: bool = False,
) -> None:
    """Refusal ("side-effect", "volatile" or "opaque") if running ``node``, an expression, a statement or a function,
    may do more than compute a value.

    ``locals_``: variables of the code around it that hold data, which it may only read; those of ``own`` hold lists and
    numbers that nothing else holds, and that may change. The arguments of a function are data, or, with ``partition``,
    an iterator of such; with ``fresh``, containers among them are the run's own to change. ``thorough``: look on behind
    what is not known for something that is known to do more.
    """
    analysis = Analysis(program, thorough)
    for _ in range(_PASSES):
        analysis.begin()
        value = analysis.root(node, locals_, own, partition, fresh)
        if not analysis.changed:
            break
    else:
        raise Refusal("time-out", "the effects of the function take too long to find", node)
    if analysis.unknown is not None:
        raise analysis.unknown
    if result == "elements":
        value = analysis.elements(value, node) if kinds(value) - DATA else value
    if result != "any" and not analysis.is_of(value, DATA):
        raise Refusal("opaque", f"`{program.text(node)}` may make something else than plain data", node)


class Analysis(Heap):
    """One piece of code with all functions that it calls."""

    def __init__(self, program: Program, thorough: bool = False) -> None:
        super().__init__(program)
        self.thorough = thorough
        self.unknown: Refusal | None = None
        """The first operation that nothing is known of, if the analysis goes on behind it."""
        self.frames: dict[int, Frame] = {}
        self.done: set[int] = set()
        self.known: dict[str, Value] = {}
        self.around = Frame(frozenset(), None, own=False)
        self.start: Function | None = None

    def begin(self) -> None:
        """Start another pass."""
        self.changed = False
        self.done = set()
        self.known = {}

    def listed(self, entry: Entry, node: ast.AST, receiver: Atom | None) -> Value:
        """The value of a listed constant, or of a listed attribute of ``receiver``."""
        return calls.result(self, entry, node, receiver, {})

    # --- the whole

    def root(self, node: ast.AST, locals_: frozenset[str], own: frozenset[str], partition: bool, fresh: bool) -> Value:
        """The value of the analysed code."""
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._fill(self.around, locals_, own)
            around = self.around if locals_ | own else None
            if isinstance(node, ast.FunctionDef):  # what decorates it is the caller's concern
                node = ast.copy_location(ast.FunctionDef(node.name, node.args, node.body, [], None, None), node)
            self.start = self.start or Function(node, around)
            given = self._arguments(self.start.node, partition, fresh)
            return calls.call_function(self, self.start, given, {}, node)
        frame = self.frame(node, None, locals_ | own | statements.bound_names(node))
        self._fill(frame, locals_, own)
        if isinstance(node, ast.expr):
            return self.value(node, frame)
        assert isinstance(node, ast.stmt)
        statements.run(self, [node], frame)
        return frame.result

    def _fill(self, frame: Frame, locals_: frozenset[str], own: frozenset[str]) -> None:
        frame.names |= locals_ | own
        for name in locals_ - own:
            self.bind(frame, name, ANY_DATA)
        for name in own:
            site = self.site(("own", name), "list", ANY_DATA)
            self.bind(frame, name, frozenset({site, "int"}))

    def _arguments(self, node: ast.FunctionDef | ast.Lambda, partition: bool, fresh: bool) -> Sequence[Value]:
        own = self._fresh() if fresh else ANY_DATA
        given = self.made(node, "iterator", ANY_DATA) if partition else own
        required = len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)
        return [given] * required

    def _fresh(self) -> Value:
        """Data that nothing else holds."""
        sites = frozenset(self.site(("given", kind), kind, NOTHING) for kind in DATA & {*WITH_PARTS, "bytearray"})
        found = (ANY_DATA - kinds(sites)) | sites
        for site in sites:
            self.add(site, found)
        return found

    def frame(self, node: ast.AST, outer: Frame | None, names: frozenset[str], *, nested: bool = False) -> Frame:
        """The frame of ``node``, which is made once."""
        if id(node) not in self.frames:
            if len(self.frames) > _FUNCTIONS:
                raise Refusal("time-out", "the effects of too many functions have to be found", node)
            self.frames[id(node)] = Frame(names, outer, nested=nested, own=self.own)
            self.changed = True
        return self.frames[id(node)]

    def test(self, node: ast.expr, frame: Frame) -> Value:
        """The value of ``node``, whose truth is asked."""
        found = self.value(node, frame)
        self.require_known(found, node)
        return found

    # --- expressions

    def values(self, nodes: Sequence[ast.expr], frame: Frame) -> Value:
        """The elements of a display."""
        found = NOTHING
        for n in nodes:
            if isinstance(n, ast.Starred):
                found |= self.elements(self.value(n.value, frame), n)
            else:
                found |= self.value(n, frame)
        return found

    def value(self, node: ast.expr, frame: Frame) -> Value:
        """What ``node`` may evaluate to; Refusal if that may do more than compute."""
        match node:
            case ast.Constant(value=value):
                kind = "none" if value is None else type(value).__name__
                if kind not in DATA:
                    raise self.refuse(node, "an ellipsis")
                return frozenset({kind})
            case ast.Name():
                return self._name(node, frame)
            case ast.Attribute():
                return self._attribute(node, frame)
            case ast.Call():
                return calls.call(self, node, frame)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self.made(node, type(node).__name__.lower(), self.values(items, frame))
            case ast.Dict(keys=keys, values=values):
                parts = self.values([k for k in keys if k is not None], frame)
                for key, v in zip(keys, values, strict=True):
                    inner = self.value(v, frame)
                    parts |= inner if key is not None else self.elements(inner, v)
                return self.made(node, "dict", parts)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node, frame)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.value(left, frame), self.value(right, frame))
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(node, op, self.value(operand, frame))
            case ast.Compare():
                return self._compare(node, frame)
            case ast.BoolOp(values=values):
                return NOTHING.union(*(self.test(v, frame) for v in values))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.test(test, frame)
                return self.value(body, frame) | self.value(orelse, frame)
            case ast.Subscript(value=owner, slice=index):
                return self.subscript(node, self.value(owner, frame), self.value(index, frame))
            case ast.Slice(lower=lower, upper=upper, step=step):
                self.values([n for n in (lower, upper, step) if n is not None], frame)
                return frozenset({"slice"})
            case ast.JoinedStr(values=values):
                self.values(values, frame)
                return frozenset({"str"})
            case ast.FormattedValue(value=inner, format_spec=spec):
                self.require_printable(self.value(inner, frame), inner)
                if spec is not None:
                    self.value(spec, frame)
                return frozenset({"str"})
            case ast.Lambda():
                return frozenset({Function(node, frame)})
            case ast.NamedExpr(target=ast.Name(id=name), value=inner):
                found = self.value(inner, frame)
                owner_frame = frame.of(name)
                if owner_frame is None or owner_frame.nested:
                    raise self.refuse(node, "`:=` in a comprehension")
                self.bind(owner_frame, name, found)
                return found
            case ast.Yield(value=inner):
                frame.yields |= self._yielded(frame, NOTHING if inner is None else self.value(inner, frame))
                return frozenset({"none"})
            case ast.YieldFrom(value=inner):
                frame.yields |= self._yielded(frame, self.elements(self.value(inner, frame), inner))
                return frozenset({"none"})
        raise self.refuse(node, f"`{self.program.text(node)}` is not known to do nothing but compute")

    def _yielded(self, frame: Frame, value: Value) -> Value:
        self.changed |= not value <= frame.yields
        return value

    def _name(self, node: ast.Name, frame: Frame) -> Value:
        found = frame.of(node.id)
        if found is not None:
            return found.variables.get(node.id, NOTHING)
        return outside.value_of_name(self, node)

    def is_outer(self, node: ast.expr, frame: Frame) -> bool:
        """Whether ``node`` is a dotted name that begins with no variable of the analysed code."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and frame.of(node.id) is None

    def origin(self, node: ast.expr, frame: Frame) -> str | None:
        """The full name of an imported or built-in object."""
        return self.program.origin(node) if self.is_outer(node, frame) else None

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Value:
        origin = self.origin(node, frame)
        if origin is not None:
            return outside.listed(self, node, origin)
        return self.attribute(node, self.value(node.value, frame), node.attr)

    def attribute(self, node: ast.AST, owner: Value, name: str) -> Value:
        """``owner.name``: listed attributes and methods, fields of rows, what a broadcast holds."""
        found, known = set[Atom](), False
        for atom in owner:
            if isinstance(atom, (Broadcast, Parameter)) and name == "value":
                found |= atom.value if isinstance(atom, Broadcast) else outside.looked_into(self, atom)
                known = True
                continue
            entry = calls.method_entry(atom, name)
            if entry is not None:
                known = True
                if entry.refused is not None:
                    raise Refusal(entry.refused, f"`{self.program.text(node)}` does more than compute a value", node)
                if entry.signature is None or entry.static:
                    found |= self.listed(entry, node, atom) if entry.signature is None else {Listed(entry.name)}
                else:
                    found.add(Method(atom, entry.name))
            elif kind_of(atom) == "Row" and not name.startswith("_"):
                known = True
                found |= self.parts(atom)
            elif kind_of(atom) not in PRINTABLE:
                raise self.refuse(node, f"what reading `{self.program.text(node)}` does is not known")
        if not known and owner:
            raise self.refuse(node, f"nothing is known about `{self.program.text(node)}`")
        return frozenset(found)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame) -> Value:
        names = frozenset(n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name))
        inner = self.frame(node, frame, names, nested=True)
        for i, g in enumerate(node.generators):
            if g.is_async:
                raise self.refuse(node, "an asynchronous comprehension")
            over = self.value(g.iter, frame if i == 0 else inner)
            statements.assign(self, g.target, self.elements(over, g.iter), inner)
            for test in g.ifs:
                self.test(test, inner)
        if isinstance(node, ast.DictComp):
            return self.made(node, "dict", self.value(node.key, inner) | self.value(node.value, inner))
        kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator")
        return self.made(node, kind, self.value(node.elt, inner))

    # --- operators

    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        """``left op right``."""
        one, other = self.plain(left, node), self.plain(right, node)
        if isinstance(op, ast.Mod) and one & {"str", "bytes", "bytearray"}:
            self.require_printable(right, node)
        scalars, made = results(op, one, other)
        inside = frozenset().union(*(self.parts(a) for v in (left, right) for a in v if kind_of(a) in WITH_PARTS))
        found: set[Atom] = {*scalars}
        for kind in made:
            found |= self.made(node, kind, inside | {"int"} if kind == "Counter" else inside)
        return frozenset(found)

    def augmented(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        """``left op= right``."""
        other = self.plain(right, node)
        for atom in left:
            if changes_left(op, self.plain(frozenset({atom}), node), other):
                self.require_own(atom, node)
                assert isinstance(atom, Site)
                self.add(atom, frozenset().union(*(self.parts(a) for a in right if kind_of(a) in WITH_PARTS)))
                self.add(atom, frozenset(other & {"str"}) | {"int"})
        return left | self.binary(node, op, left, right)

    def _unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if isinstance(op, ast.Not):
            self.require_known(value, node)
            return frozenset({"bool"})
        found = self.plain(value, node)
        counter = self.made(node, "Counter", ANY_DATA) if "Counter" in found else NOTHING
        return frozenset(found & {"int", "float", "complex", "Decimal", "timedelta"}) | {"int"} | counter

    def _compare(self, node: ast.Compare, frame: Frame) -> Value:
        operands = [node.left, *node.comparators]
        for n, op, into in zip(operands, node.ops, node.comparators, strict=False):
            if isinstance(op, (ast.Is, ast.IsNot)):
                if not any(isinstance(o, ast.Constant) and isinstance(o.value, (bool, type(None))) for o in (n, into)):
                    raise Refusal("volatile", "whether two values are one object may differ from run to run", node)
                self.values([n, into], frame)
            elif isinstance(op, (ast.In, ast.NotIn)):
                self.plain(self.value(n, frame), n)
                given = self.value(into, frame)
                for atom in given:
                    if isinstance(atom, Parameter):
                        outside.looked_into(self, atom)
                self.elements(frozenset(x for x in given if not isinstance(x, Parameter)), into)
            else:
                self.plain(self.value(n, frame), n)
                self.plain(self.value(into, frame), into)
        return frozenset({"bool"})

    def subscript(self, node: ast.AST, owner: Value, index: Value) -> Value:
        """``owner[index]``."""
        found = set[Atom]()
        sliced = "slice" in kinds(index)
        for atom in owner:
            kind = kind_of(atom)
            if kind in ("str", "range"):
                found |= {kind, "int"} if kind == "range" else {kind}
            elif kind in ("bytes", "bytearray"):
                found.add(kind if sliced else "int")
            elif kind == "Match":
                found |= {"str", "bytes", "none"}
            elif kind == "defaultdict":
                self.require_own(atom, node)  # a missing key is added
                assert isinstance(atom, Site)
                self.add(atom, index)
                found |= self.parts(atom)
            elif isinstance(atom, Parameter):
                found |= outside.looked_into(self, atom)
            elif kind in WITH_PARTS:
                found |= self.parts(atom)
                if kind == "Counter":
                    found.add("int")
                if sliced and kind in (*SEQUENCES, "deque"):
                    found |= self.made(node, "list" if kind == "list" else "tuple", self.parts(atom))
            elif kind not in PRINTABLE:
                raise self.refuse(node, f"what `{self.program.text(node)}` does is not known")
        return frozenset(found)
