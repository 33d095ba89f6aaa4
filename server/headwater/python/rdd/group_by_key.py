"""The values of one key after ``groupByKey()``: loops over them, and Python's reductions of them.

Spark hands over a ``ResultIterable``: it may be iterated again and has a length, and it is never empty. Its order is
that of arrival, which is arbitrary.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from headwater.python.exprs.simplify import NONE, both, choose, either, negate, truthy
from headwater.python.exprs.value_tags import Analysis, learnt, of_columns
from headwater.python.interpreter import mutation
from headwater.python.libraries import models
from headwater.python.rows.row_sequences import RowSequence
from headwater.python.values.nested_leaves import joined, leaves, like, mapped, scalars
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import RecordValue as Kept
from headwater.python.values.structures import is_mutable
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, Arith, Expr, Lit, Raise, Slot, slots_of
from headwater_ir.types import INT

from .functions import EXTREMES, PairInterpreter
from .row_objects import Columns, RddRow

_ZERO, _ONE = Lit(0, INT), Lit(1, INT)
_LISTS = {"builtins.sorted", "heapq.nlargest", "heapq.nsmallest"}
_COPIES = {"builtins.list", "builtins.tuple"}


@dataclass(frozen=True)
class KeyValues(AbstractObject):
    """Some of the values of one key: an ``element`` for each row for which ``mask`` holds."""

    element: Value
    mask: Expr = TRUE


class KeyValuesInterpreter(PairInterpreter):
    """Adds the values of a key."""

    def __init__(self, scope: Scope, slots: Slots, columns: Columns, facts: tuple[Expr, ...] = ()) -> None:
        super().__init__(scope, slots, columns, facts)
        self._lists: set[int] = set()
        self._made: list[ast.AST] = []

    def rows(self, node: ast.For, env: Env) -> tuple[RowSequence, Env] | None:
        """A loop over the values, or over what a comprehension makes of them."""
        values = self.values(node.iter, env)
        if values is None:
            return None
        bound = self._targets(node.target, values.element, {})
        changed = mutation.mutated_names(self, node.body) | mutation.augmented_names(node.body)
        if any(is_mutable(bound[name]) for name in changed & set(bound)):
            raise Refusal("side-effect", "a loop that changes the values of the key, which stay changed", node)
        return RowSequence(values.mask), bound

    def _targets(self, target: ast.expr, element: Value, bound: Env) -> Env:
        if isinstance(target, ast.Name):
            return {**bound, target.id: element}
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(element, Items):
            if len(target.elts) == len(element.items):
                for t, v in zip(target.elts, element.items, strict=True):
                    bound = self._targets(t, v, bound)
                return bound
        raise Refusal("opaque", f"the loop's target `{self.scope.ctx.text(target)}`", target)

    def values(self, node: ast.expr, env: Env) -> KeyValues | None:
        """``node`` as values of the key; None if it is something else."""
        if isinstance(node, ast.Name):
            found = env.get(node.id)
            return found if isinstance(found, KeyValues) else None
        if isinstance(node, ast.Subscript):
            found = self.object_at(node, env)
            return found if isinstance(found, KeyValues) else None
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
            if id(node) in self._lists:
                return None
            return self._comprehension(node.elt, node.generators[0], env)
        if isinstance(node, ast.Call) and (name := self.scope.origin(node.func)) in _COPIES:
            copied = models.bind(name or "", node).get("iterable")
            return None if copied is None else self.values(copied, env)
        return None

    def _comprehension(self, element: ast.expr, generator: ast.comprehension, env: Env) -> KeyValues | None:
        source = self.values(generator.iter, env)
        if source is None or generator.is_async:
            return None
        inside: Env = {**env, **self._targets(generator.target, source.element, {})}
        mask = both(source.mask, *(self.test(c, inside) for c in generator.ifs))
        found = self.any_value(element, inside)
        if any(slots_of(e) for e in (mask, *scalars(found))):
            raise Refusal("row-context", "a second pass over the values reads what the first computed", element)
        return KeyValues(found, mask)

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """Also reductions, and copies of the values."""
        if isinstance(node, ast.Call):
            found = self._reduction(node, env)
            if found is not None:
                return found
            spelled = self._spelled_out(node, env)
            if spelled is not node:
                return self.any_value(spelled, env)
        if isinstance(node, (ast.ListComp, ast.Call)):  # a generator that is kept runs out: no meaning here
            values = self.values(node, env)
            if values is not None:
                return values
        return super().object_at(node, env)

    def _spelled_out(self, node: ast.Call, env: Env) -> ast.Call:
        """``sorted(values)`` as ``sorted([v for v in values])``: a list that is more than gone through."""
        if self.scope.origin(node.func) not in _LISTS:
            return node
        args = [self._listed(a) if isinstance(a, ast.Name) and self.values(a, env) else a for a in node.args]
        if args == node.args:
            return node
        return ast.copy_location(ast.Call(node.func, args, node.keywords), node)

    def _listed(self, node: ast.Name) -> ast.ListComp:
        name, target = ast.Name("_", ast.Load()), ast.Name("_", ast.Store())
        made = ast.ListComp(name, [ast.comprehension(target, node, [], 0)])
        for part in (name, target, made):
            ast.copy_location(part, node)
        self._lists.add(id(made))
        self._made.append(made)  # for as long as its identity is remembered
        return made

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of all its columns, for the whole row may be what is returned."""
        if not isinstance(value, RddRow):
            return value
        names = self.record_columns.names(node)
        cells = tuple(self.record_columns.column(self.scope, n, node) for n in names)
        return Kept(names, cells, "both", False, self.solid(cells))

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``; values of a key are true if there are any."""
        values = self.values(node, env) if isinstance(node, (ast.Name, ast.ListComp)) else None
        if values is None:
            return super().test(node, env)
        if values.mask == TRUE:
            return TRUE
        return self._fold(node, "some", FALSE, replace(values, element=TRUE), lambda _: TRUE)

    def _reduction(self, node: ast.Call, env: Env) -> Value | None:
        name = self.scope.origin(node.func)
        if name not in ("builtins.len", "builtins.sum", "builtins.any", "builtins.all", *EXTREMES) or not node.args:
            return None
        values = self.values(node.args[0], env)
        if values is None:
            return None
        if self._inside:
            raise Refusal("opaque", "a pass over the values inside another", node)
        given = models.bind(name, node)
        match name:
            case "builtins.len":
                return self._fold(node, "len", _ZERO, values, lambda s: Arith("+", s, _ONE, "python"))
            case "builtins.sum":
                given.only("iterable")
                element = self._scalar_element(values, node)
                self.place = node
                self.number(element)
                return self._fold(node, "sum", _ZERO, values, lambda s: Arith("+", s, element, "python"))
            case "builtins.any" | "builtins.all":
                test = truthy(self._scalar_element(values, node))
                # Both stop at the first element that decides: what comes behind is not even tested by the mask.
                mask, every = values.mask, KeyValues(values.element)
                if name == "builtins.any":
                    return self._fold(node, "any", FALSE, every, lambda s: either(s, both(mask, test)))
                return self._fold(node, "all", TRUE, every, lambda s: both(s, either(negate(mask), test)))
            case "builtins.max" | "builtins.min" if len(given.rest) == 1:
                return self._extreme_of(node, name, values, given.arguments, env)
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` of the values", node)

    def _scalar_element(self, values: KeyValues, node: ast.AST) -> Expr:
        found = scalars(values.element)
        if isinstance(values.element, AbstractObject) or len(found) != 1:
            raise Refusal("opaque", "a reduction of values that are no scalars", node)
        return found[0]

    def _fold(
        self, node: ast.AST, name: str, init: Expr, values: KeyValues, step: Callable[[Slot], Expr]
    ) -> Slot:  # fmt: skip
        self._pass(node, values, name == "sum")
        slot = self.slots.allocate(name, init)
        changed = step(slot)
        self.slots.define(slot, choose(values.mask, changed, slot))
        return slot

    def _pass(self, node: ast.AST, values: KeyValues, strict: bool) -> None:
        """A pass over the values. Its slots are filled whether or not Python comes here: refused where it may not and
        a row could raise. ``strict``: None raises."""
        self.use_order(RowSequence(values.mask), node)
        tags = Analysis(of_columns(self.scope.columns, self.facts))
        known = learnt(values.mask, True, {})
        safe = tags.defined(values.mask) and all(
            tags.defined(e, known) and not (strict and "none" in tags.of(e, known)) for e in scalars(values.element)
        )
        if self.conditional and not safe:
            raise Refusal("may-throw", "a pass over the values that runs only under a condition and may raise", node)

    def _extreme_of(
        self, node: ast.Call, name: str, values: KeyValues, options: Mapping[str, ast.expr], env: Env
    ) -> Value:
        """``max(values)``: the first value, unless a later one compares as better; an error if there is none."""
        key, short = options.get("key"), name.rpartition(".")[2]
        if key is None:
            self._scalar_element(values, node)
        measure = self.apply(self.function(key), [values.element]) if key else values.element
        self._pass(node, KeyValues(measure, values.mask), True)
        some = self.slots.allocate(f"some {short}", FALSE)
        best = [self.slots.allocate(short, NONE) for _ in leaves(values.element)]
        held = like(values.element, iter(best))
        for slot, leaf in zip(best, leaves(values.element), strict=True):
            self.slots.define(slot, choose(values.mask, leaf, slot))  # for its type; the step follows
        new, old = measure, self.apply(self.function(key), [held]) if key else held
        if isinstance(new, AbstractObject) or isinstance(old, AbstractObject):
            raise Refusal("opaque", "a key that is no scalar", node)
        better = self.compare(node, EXTREMES[name], new, old)
        for slot, leaf in zip(best, leaves(values.element), strict=True):
            self.slots.define(slot, choose(values.mask, choose(both(some, negate(better)), slot, leaf), slot))
        self.slots.define(some, either(some, values.mask))
        # Python evaluates the default whether or not it is needed.
        otherwise = self.any_value(options["default"], env) if "default" in options else _nothing(held, short)
        if values.mask == TRUE:
            return held  # a key has at least one value
        return joined(some, held, otherwise)


def _nothing(held: Value, name: str) -> Value:
    return mapped(held, lambda _: Raise(f"{name}() of no value"))
