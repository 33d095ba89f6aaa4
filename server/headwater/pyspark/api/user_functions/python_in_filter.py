"""Python functions called in the condition of a filter: ``filter(is_large("x"))``, ``filter((n & f(x)) | (m & g(y)))``.

Law: ``σ_{P(f(x))}(d) = π_{-c}(σ_{P(c)}(υ_{c = f(x)}(d)))``: a filter on a column that nobody else sees. So whatever
can be proved to run before a column made by a UDF can run before the UDFs of a filter.
Condition: each function is pure, as for such a column (``python/row_udf/row_udf.py``). One whose body has no model
here, and is not shown to do more than compute (``python/effects``), is taken for some pure function, which is an
assumption unless it is shown.
Why sound: Spark calls every Python function of a filter on every row that reaches the filter, whatever the rest of the
condition says; only native conjuncts beside it go first (``ExtractPythonUDFs``; FACTS.md).
Counterexample without purity: a function that counts its calls.
"""

from __future__ import annotations

import ast
from hashlib import sha256

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.select import fold_of_call, how_called
from headwater.pyspark.columns.udf import registered_udf
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import TrackedFrame, Udf
from headwater.pyspark.frames.typed_terms import Term
from headwater.python.effects.scoped_program import effect
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption, purity_of
from headwater_ir.expr import Call, Col, Expr, If, Lit, Or, columns_of, transform, walk
from headwater_ir.plan import Boundary, Conjunct, Filter, RowUdf, user_code
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.span import Span
from headwater_ir.types import FLOAT

from .series_udf import SeriesUdf, series_udf

_IMPURE = ("volatile", "side-effect")


class Calls:
    """The calls of UDFs in one condition over ``frame``; each is a column of a name that no code can spell."""

    def __init__(self, frame: TrackedFrame, reader: ApiContext) -> None:
        self.frame, self.reader = frame, reader
        self.folds: dict[str, Fold] = {}
        self.unread: dict[str, Refusal] = {}
        """The columns of functions that have no model, and why."""
        self.first: tuple[Udf | SeriesUdf, Span | None] | None = None
        self.met = False
        """Whether the condition calls a UDF at all, with a meaning or without."""
        self._known: dict[tuple[Udf | SeriesUdf, tuple[Expr, ...]], str] = {}
        self._lambdas: list[ast.AST] = []

    def column(self, node: ast.Call) -> Term | None:
        """The value of ``udf(…)``; None if ``node`` calls no UDF."""
        try:
            udf = self.reader.udf(node.func) or series_udf(node.func, self.reader)
        except Refusal:
            self.met = True
            raise
        if udf is None:
            return None
        self.met = True
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise Refusal("opaque", "the arguments of the UDF are not written out", node)
        columns = self.reader.columns(self.frame)
        columns.python = self
        arguments = tuple(columns.column(a, text_is_name=True).expr for a in node.args)
        if columns.used:
            raise Refusal("opaque", "an argument of the UDF is a driver variable", node)
        return self._called(udf, arguments, self.reader.names.ctx.span(node))

    def sql(self, name: str, arguments: tuple[Term, ...]) -> Term | None:
        """The value of a function that the file registers for SQL, called in SQL text."""
        self.met = True
        udf = registered_udf(name, self.reader.names)
        if any(isinstance(n, Lit) and n.type == FLOAT for a in arguments for n in walk(a.expr)):
            raise Refusal("opaque", "a fraction in SQL text may reach the function as a decimal")
        return None if udf is None else self._called(udf, tuple(a.expr for a in arguments), None)

    def _called(self, udf: Udf | SeriesUdf, arguments: tuple[Expr, ...], span: Span | None) -> Term:
        values = {name: fold.outputs[0].value for name, fold in self.folds.items()}
        if any(self.folds[n].outputs[0].type.name == "list" for a in arguments for n in columns_of(a) & values.keys()):
            raise Refusal("opaque", "a UDF of the array that another one makes")
        arguments = tuple(transform(a, lambda n: values.get(n.name) if isinstance(n, Col) else None) for a in arguments)
        key = (udf, arguments)
        if key not in self._known:
            self.first = self.first or (udf, span)
            name = self._known[key] = f"`{udf.name}` {len(self._known)}"
            self.folds[name] = self._fold(udf, arguments, name)
        return Term(Col(self._known[key]), udf.return_type)

    def _fold(self, udf: Udf | SeriesUdf, arguments: tuple[Expr, ...], name: str) -> Fold:
        schema, known = self.frame.known_schema, known_facts(self.frame)
        try:
            return self.reader.world.fold(
                (udf, arguments, schema, name, known),
                lambda: fold_of_call(udf, udf.function, arguments, self.frame, name, self.reader),
            )
        except Refusal as refusal:
            if refusal.obstruction in _IMPURE or isinstance(udf, SeriesUdf):  # which may look at other rows of a batch
                raise
            found = effect(self.reader.names, self.reader.world.options.assume_pure, udf.function)
            if found is not None and found.obstruction in _IMPURE:
                raise found from None
            self.unread[name] = refusal
            return self._some_function(udf, arguments, name, assumed=found is not None)

    def _some_function(self, udf: Udf, arguments: tuple[Expr, ...], name: str, *, assumed: bool) -> Fold:
        """The fold of a function without a model; ``assumed``: it is not shown to be pure."""
        read = sorted(frozenset[str]().union(*map(columns_of, (*arguments, *known_facts(self.frame)))))
        schema = self.frame.schema
        fields = {n: schema.field(n) for n in read}
        columns = tuple(Column(n, f.type if f else self.frame.rest(n)) for n, f in fields.items())
        called = f"{self._told_apart(udf)} as {udf.return_type}"
        output = OutputColumn(name, udf.return_type, Call(called, arguments, udf.return_type))
        return Fold(
            udf.name, "udf", columns, (), (), (), (output,), rows="one", facts=known_facts(self.frame),
            assumptions=(Assumption("purity", purity_of(called)),) if assumed else (),
        )  # fmt: skip

    def _told_apart(self, udf: Udf) -> str:
        """A name for the function that no other function in the filter has, wherever in the text that stands."""
        if isinstance(udf.function, ast.FunctionDef):
            return f"{udf.name}()"
        if not any(f is udf.function for f in self._lambdas):
            self._lambdas.append(udf.function)
        number = next(i for i, f in enumerate(self._lambdas) if f is udf.function)
        text = self.reader.names.ctx.text(udf.function)
        return f"{udf.name}() {number} {sha256(text.encode()).hexdigest()[:16]}"

    # --- the filter that they stand in

    def calls_none(self, condition: Expr) -> bool:
        """Whether ``condition`` reads no UDF's value."""
        return not columns_of(condition) & self.folds.keys()

    def filter(self, call: ast.Call, plan: Filter, conjuncts: tuple[Conjunct, ...]) -> Filter | None:
        """``plan`` above what its UDFs compute; None if a UDF without a model stands where nothing can be said
        without it."""
        assert self.first is not None
        assert isinstance(call.func, ast.Attribute)
        told = [c.condition for c in conjuncts if not self.calls_none(c.condition) and self._says_more(c.condition)]
        if not told:
            return None
        udf, span = self.first
        ctx = self.reader.names.ctx
        end, operator = call_spans.receiver_end(ctx, call.func), "udf" if isinstance(udf, Udf) else "pandas_udf"
        made = ctx.span(udf.function)
        known = self.frame.known_schema
        code = tuple(
            c
            for name, (used, given) in self._uses()
            for c in user_code(how_called(used), ctx.span(used.function), known, arguments=given, outputs=(name,))
        )
        boundary = Boundary(operator, udf.name, span or plan.condition, end, made, in_filter=True, code=code)
        below = RowUdf(plan.child, _together(list(self.folds.values())), boundary)
        return Filter(below, conjuncts, plan.call, plan.condition, plan.style, plan.unread)

    def _uses(self) -> list[tuple[str, tuple[Udf | SeriesUdf, tuple[Expr, ...]]]]:
        """The functions that have a model, by the outputs that they make, with their arguments."""
        return [(name, use) for use, name in self._known.items() if name not in self.unread]

    def _says_more(self, condition: Expr) -> bool:
        """Whether a filter may follow from ``condition`` whatever the functions without a model yield."""
        if not columns_of(condition) & self.unread.keys():
            return True
        others = columns_of(condition) - self.unread.keys()
        return bool(others) and any(isinstance(n, (Or, If)) for n in walk(condition))


def _together(folds: list[Fold]) -> Fold:
    """One row function that yields what all of ``folds`` yield."""
    columns: dict[str, Column] = {}
    for column in (c for f in folds for c in f.columns):
        if columns.setdefault(column.name, column) != column:
            raise Refusal("opaque", f"`{column.name}`, whose type is not known, is used in different ways")
    return Fold(
        ", ".join(dict.fromkeys(f.name for f in folds)), "udf", tuple(columns.values()), (), (), (),
        tuple(o for f in folds for o in f.outputs), rows="one",
        facts=tuple(dict.fromkeys(fact for f in folds for fact in f.facts)),
        assumptions=tuple(dict.fromkeys(a for f in folds for a in f.assumptions)),
    )  # fmt: skip
