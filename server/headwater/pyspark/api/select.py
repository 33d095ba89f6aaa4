"""``withColumn`` and ``select``: native projections, and columns made by a UDF."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce

from headwater.pyspark.columns.labels import with_a_name
from headwater.pyspark.columns.value_ranges import range_facts
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.constant_text import given_items, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Udf, Unknown, Value
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, columns_of
from headwater_ir.plan import Boundary, Field, Plan, Project, RowUdf, Schema, Window, user_code
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.types import ANY, STRING

from . import row_by_row
from .aggregates.groupby import known_facts
from .aggregates.unknown_keys import is_time_window
from .api_context import NOTHING_CHOSEN, ApiContext, Chosen, replace, without_facts_on
from .explode import default_labels, exploded, generator_labels
from .extremes import note_extreme
from .input_file_name import names_files, with_file_name
from .rename import given_by_name, literal_name, named, with_field
from .sources import resolve_literal
from .user_functions.series_udf import SeriesUdf, series_udf
from .window import as_boundary, has_window, kind_of, window_column


def _with_column(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    given = given_by_name(call, ("colName", "col"))
    name, value = literal_name(given.get("colName"), reader), given.get("col")
    if value is None:
        raise Refusal("opaque", "`withColumn` without a value", call)
    made = _udf_call(value, reader)
    if made:
        return _row_udf(frame, call, *made, name, span, reader)
    if names_files(value, frame, reader):
        schema = with_field(frame.schema, Field(name, STRING))
        plan = with_file_name(frame, call, name, span, reader)
        return reader.frame(plan, schema, frame, changed=(name,), facts=without_facts_on(frame, (name,)))
    if generator_labels(value, reader) is not None:
        return exploded(frame, (name,), value, call, span, reader)
    defined = _defined(frame, call, [(name, value)], span, reader)
    note_extreme(defined, value, frame, call, reader)
    return defined


def made_by(call: ast.Call, reader: ApiContext) -> frozenset[str] | None:
    """The names of the columns that a call makes other than by copying some: of ``withColumn`` and ``withColumns`` with
    names that are written out. None if they are not known."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    try:
        if name == "withColumn":
            given = given_by_name(call, ("colName", "col"))
            made = given.get("col")
            plain = isinstance(made, ast.Call) and is_time_window(made, reader)
            return frozenset() if plain else frozenset({literal_name(given.get("colName"), reader)})
        if name == "withColumns":
            listed = resolve_literal(given_by_name(call, ("colsMap",)).get("colsMap", call), reader)
            return frozenset(literal_name(k, reader) for k in listed.keys) if isinstance(listed, ast.Dict) else None
        if name == "select" and not call.keywords:
            found = [_label_of_item(i, reader) for i in given_items(call, reader.names, reader.lookup)]
            return None if None in found else frozenset().union(*(f for f in found if f is not None))
    except Refusal:
        return None
    return frozenset() if name in _SAME_ROWS_AND_COLUMNS else None


def chosen_by(call: ast.Call, reader: ApiContext) -> Chosen:
    """The columns of a call of ``select`` of which each item is a name, or a variable whose value is not known."""
    items = call.args if isinstance(call.func, ast.Attribute) and call.func.attr == "select" else []
    names, variables = list[str](), list[str]()
    for item in items:
        bound = reader.lookup(item.id) if isinstance(item, ast.Name) else None
        if bound is not None and isinstance(bound.value, Unknown) and not bound.is_frame:
            variables.append(bound.name)
        elif (name := text_of(item, reader.names, reader.lookup)) is not None and name != "*":
            names.append(name)
        else:
            return NOTHING_CHOSEN
    if call.keywords or not variables:
        return NOTHING_CHOSEN
    return Chosen(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(variables)))


def _label_of_item(node: ast.expr, reader: ApiContext) -> frozenset[str] | None:
    """The name of the column that an item of ``select`` makes; none if it copies one, None if that is not known."""
    match node:
        case ast.Constant(value=str()):
            return frozenset()
        case ast.Call(func=ast.Attribute(attr="alias"), args=[ast.Constant(value=str() as label)], keywords=[]):
            return frozenset({label})
        case ast.Call(args=[ast.Constant(value=str())], keywords=[]) if reader.names.function(node.func) == "col":
            return frozenset()
    return None


_SAME_ROWS_AND_COLUMNS = frozenset(
    """
    filter where orderBy sort limit offset distinct dropDuplicates drop_duplicates dropna fillna replace drop cache
    persist sample
    """.split()
)
"""Methods that copy columns and make none."""


def _with_columns(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """``withColumns({…})``: every value is read from the frame below, none from another of them."""
    given = resolve_literal(given_by_name(call, ("colsMap",)).get("colsMap", call), reader)
    if not isinstance(given, ast.Dict):
        raise Refusal("opaque", "the columns of `withColumns` are not written out", call)
    items = [(literal_name(k, reader), v) for k, v in zip(given.keys, given.values, strict=True)]
    if len({name for name, _ in items}) < len(items):
        raise Refusal("attribute-capture", "`withColumns` makes two columns of the same name", call)
    if any(_udf_call(v, reader) or generator_labels(v, reader) is not None for _, v in items):
        raise Refusal("opaque", "no model covers a UDF or generator in `withColumns`", call)
    defined = _defined(frame, call, items, span, reader)
    for _, value in items:
        note_extreme(defined, value, frame, call, reader)
    return defined


def _defined(
    frame: TrackedFrame, call: ast.Call, items: list[tuple[str, ast.expr]], span: Span, reader: ApiContext
) -> TrackedFrame:
    """``frame`` with columns added or overwritten, all at once."""
    columns = reader.columns(frame, joins=True)
    windows = tuple(window_column(n, v, columns, reader) for n, v in items if has_window(v))
    columns.qualified = True
    try:
        terms = [(n, columns.value(v)) for n, v in items if not has_window(v)]
    except Refusal as refusal:
        (name, value), *others = items
        constants = None if others else columns.constant_case(value, refusal.reason)
        if constants is None:
            raise
        unread = reader.opaque(frame, refusal, span, known=row_by_row.causes(call, reader))
        return replace(unread, facts=range_facts(name, constants.expr))
    if len(terms) > 1:
        check_lateral(frame, terms)
    reader.check_variables(frame.plan, columns.used)
    names = [n for n, _ in items]
    made = [Field(n, kind_of(v, columns, reader)) for n, v in items if has_window(v)]
    fields = [*made, *(Field(n, t.type) for n, t in terms)]
    schema = reduce(with_field, fields, frame.schema)
    defined = tuple((n, t.expr) for n, t in terms)
    plan: Plan = Project(frame.plan, defined, True, (), span)
    if windows:
        plan = as_boundary(Window(frame.plan, windows, defined, True, span), frame, call, reader)
    known = (*without_facts_on(frame, names), *(f for n, t in terms for f in range_facts(n, t.expr)))
    return reader.frame(plan, schema, frame, changed=names, facts=known)


# --- Python UDFs


def _udf_call(node: ast.expr, reader: ApiContext) -> tuple[Udf | SeriesUdf, ast.Call, str | None] | None:
    """The UDF call that ``node`` is, perhaps under an alias; None if it is something else."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[ast.Constant(value=str() as label)], keywords=[]):  # fmt: skip # noqa: E501
            found = _udf_call(inner, reader)
            return (found[0], found[1], label) if found else None
        case ast.Call():
            udf = reader.udf(node.func) or series_udf(node.func, reader)
            return (udf, node, None) if udf else None
    return None


def _row_udf(
    frame: TrackedFrame, call: ast.Call, udf: Udf | SeriesUdf, use: ast.Call, _label: str | None, name: str, span: Span,
    reader: ApiContext,
) -> TrackedFrame:  # fmt: skip
    assert isinstance(call.func, ast.Attribute)
    if use.keywords or any(isinstance(a, ast.Starred) for a in use.args):
        raise Refusal("opaque", "the arguments of the UDF are not written out", use)
    columns = reader.columns(frame)
    arguments = tuple(columns.column(a, text_is_name=True).expr for a in use.args)
    reader.check_variables(frame.plan, columns.used)
    if columns.used:
        raise Refusal("opaque", "an argument of the UDF is a driver variable", use)
    known = known_facts(frame)
    fold = reader.world.fold(
        (udf, arguments, frame.known_schema, name, known),
        lambda: fold_of_call(udf, use, arguments, frame, name, reader),
    )
    end = call_spans.receiver_end(reader.names.ctx, call.func)
    operator = "udf" if isinstance(udf, Udf) else "pandas_udf"
    made = reader.names.ctx.span(udf.function)
    code = user_code(how_called(udf), made, frame.known_schema, arguments=arguments, outputs=(name,))
    boundary = Boundary(operator, udf.name, span, end, made, code=code)
    reader.world.bound_at[boundary] = reader.snapshot()
    schema = with_field(frame.schema, Field(name, udf.return_type))
    plan = RowUdf(frame.plan, fold, boundary)
    return reader.frame(plan, schema, frame, changed=(name,), facts=without_facts_on(frame, (name,)))


def how_called(udf: Udf | SeriesUdf) -> str:
    """As ``UserCode.how``."""
    if isinstance(udf, Udf):
        return "udf"
    return "pandas_udf over batches" if udf.iterator else "pandas_udf"


def fold_of_call(
    udf: Udf | SeriesUdf, use: ast.AST, arguments: tuple[Expr, ...], frame: TrackedFrame, name: str, reader: ApiContext
) -> Fold:
    """The fold (``rows="one"``) of a UDF called on ``arguments``; Refusal where it has no model."""
    from headwater.python.pandas.series_udf import fold_series_rows
    from headwater.python.row_udf.row_udf import fold_row_udf

    known, ctx, assume_pure = known_facts(frame), reader.names.ctx, reader.world.options.assume_pure
    if isinstance(udf, Udf):
        return fold_row_udf(
            ctx, udf.function, arguments=arguments, source=frame.known_schema, return_type=udf.return_type,
            output_name=name, facts=known, assume_pure=assume_pure,
        )  # fmt: skip
    columns = tuple(a.name for a in arguments if isinstance(a, Col))
    if len(columns) < len(arguments):
        raise Refusal("opaque", "an argument of the pandas UDF is not a plain column", use)
    return fold_series_rows(
        ctx, udf.function, columns=columns, iterator=udf.iterator, source=frame.known_schema,
        return_type=udf.return_type, output_name=name, facts=known, assume_pure=assume_pure,
    )  # fmt: skip


# --- select


def _select(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    if call.keywords:
        raise Refusal("opaque", "`select` with keyword arguments", call)
    items = given_items(call, reader.names, reader.lookup)
    stars = [i for i in items if _is_star(i, reader)]
    rest = [i for i in items if i not in stars]
    if any(has_window(i) for i in rest):
        return _window_select(frame, call, rest, bool(stars), span, reader)
    generated = [i for i in rest if generator_labels(i, reader) is not None]
    if generated:
        return _generator_select(frame, call, generated, rest, bool(stars), span, reader)
    made = [(i, m) for i in rest if (m := _udf_call(i, reader))]
    if len(made) > 1:
        raise Refusal("opaque", "several UDFs in one `select`", call)
    columns = reader.columns(frame, joins=not made)
    columns.qualified = not made
    read = columns.column if made else columns.value
    found = [(i, read(i, text_is_name=True)) for i in rest if not made or i is not made[0][0]]
    if not stars and not made:
        found = [(i, with_a_name(i, t, number, reader.names)) for number, (i, t) in enumerate(found)]
    terms = [named(i, t) for i, t in found]
    reader.check_variables(frame.plan, columns.used)
    names = [name for name, _ in terms]
    for name in names:
        reader.names.spell(name)
    if made:
        udf, use, label = made[0][1]
        if label is None:
            raise Refusal("opaque", "a UDF in `select` without a name", use)
        reader.names.spell(label)
        if (
            label in names
            or any(label in columns_of(t.expr) for _, t in terms)
            or (stars and frame.schema.field(label))
        ):
            raise Refusal("attribute-capture", f"`{label}` is also the name of another column", use)
        frame = _row_udf(frame, call, udf, use, label, label, span, reader)
        terms.append((label, Term(Col(label), udf.return_type, name=label)))
        names.append(label)
        if stars and len(terms) == 1:
            return frame
    if len(set(names)) != len(names):
        raise Refusal("attribute-capture", "`select` makes two columns of the same name", call)
    return selected(frame, terms, bool(stars), span, reader)


def check_lateral(frame: TrackedFrame, terms: list[tuple[str, Term]]) -> None:
    """Refuse a column that reads what may be another column made beside it: Spark takes a name for that where the frame
    has none (https://spark.apache.org/docs/latest/sql-ref-name-resolution.html, lateral column alias)."""
    made = {n.lower() for n, t in terms if t.expr != Col(n)}
    for name in sorted({c for _, t in terms for c in columns_of(t.expr)}):
        if name.lower() in made and frame.schema.field(name) is None:
            raise Refusal("attribute-capture", f"`{name}` may be the column that is made beside it")


def selected(
    frame: TrackedFrame, terms: list[tuple[str, Term]], all_others: bool, span: Span, reader: ApiContext
) -> TrackedFrame:
    """``frame`` with the columns ``terms`` alone, or beside all others; Refusal if two would have one name."""
    check_lateral(frame, terms)
    same = frozenset(n for n, t in terms if t.expr == Col(n))
    fresh = {n for n, _ in terms} - same
    if all_others and any(frame.schema.field(n) for n in fresh):
        # `select("*", x.alias("a"))` over a frame that has an `a` makes the name ambiguous.
        raise Refusal("attribute-capture", "`select` makes two columns of the same name")
    plan = Project(frame.plan, tuple((n, t.expr) for n, t in terms), all_others, (), span)
    fields = tuple(Field(n, t.type) for n, t in terms)
    if all_others:
        added = {n for n, _ in terms}
        fields = (*(f for f in frame.schema.fields if f.name not in added), *fields)
    schema = Schema(fields, complete=not all_others or frame.schema.complete)
    kept: tuple[Expr, ...] = tuple(f for f in frame.facts if all_others or columns_of(f) <= same)
    facts = (
        *(f for f in kept if not columns_of(f) & fresh),
        *(f for n, t in terms if n in fresh for f in range_facts(n, t.expr)),
    )
    return reader.frame(plan, schema, frame, changed=fresh, kept=None if all_others else same, facts=facts)


def _window_select(
    frame: TrackedFrame, call: ast.Call, items: list[ast.expr], all_others: bool, span: Span, reader: ApiContext
) -> TrackedFrame:
    columns = reader.columns(frame, joins=True)
    windows = []
    fields = []
    for item in [i for i in items if has_window(i)]:
        match item:
            case ast.Call(func=ast.Attribute(attr="alias" | "name"), args=[ast.Constant(value=str() as label)], keywords=[]):  # fmt: skip # noqa: E501
                reader.names.spell(label)
                windows.append(window_column(label, item, columns, reader))
                fields.append(Field(label, kind_of(item, columns, reader)))
            case _:
                raise Refusal("row-context", "a window looks at other rows", item)
    terms = [named(i, columns.column(i, text_is_name=True)) for i in items if not has_window(i)]
    reader.check_variables(frame.plan, columns.used)
    names = [*(w.name for w in windows), *(n for n, _ in terms)]
    if len(set(names)) < len(names):
        raise Refusal("attribute-capture", "`select` makes two columns of the same name")
    beside = selected(frame, terms, all_others, span, reader)
    if all_others and any(frame.schema.field(w.name) for w in windows):
        raise Refusal("attribute-capture", "`select` makes two columns of the same name")
    plan = Window(frame.plan, tuple(windows), tuple((n, t.expr) for n, t in terms), all_others, span)
    plan = as_boundary(plan, frame, call, reader)
    names_made = {w.name for w in windows}
    schema = reduce(with_field, fields, beside.schema)
    changed, facts = beside.changed | names_made, without_facts_on(beside, names_made)
    made = reader.frame(plan, schema, frame, changed=changed, kept=beside.kept, facts=facts)
    for item in items:
        note_extreme(made, item, frame, call, reader)
    return made


def _generator_select(
    frame: TrackedFrame,
    call: ast.Call,
    generated: list[ast.expr],
    items: list[ast.expr],
    all_others: bool,
    span: Span,
    reader: ApiContext,
) -> TrackedFrame:
    labels = generator_labels(generated[0], reader) or default_labels(generated[0], frame, reader)
    if len(generated) > 1 or not labels:
        raise Refusal("opaque", "generated columns that are not named one by one", generated[0])
    columns = reader.columns(frame, joins=True)
    terms = [named(i, columns.column(i, text_is_name=True)) for i in items if i is not generated[0]]
    reader.check_variables(frame.plan, columns.used)
    made = exploded(frame, labels, generated[0], call, span, reader)
    return select_generated(frame, made, labels, terms, all_others, span, reader)


def select_generated(
    frame: TrackedFrame, made: TrackedFrame, labels: tuple[str, ...], terms: list[tuple[str, Term]], all_others: bool,
    span: Span, reader: ApiContext,
) -> TrackedFrame:  # fmt: skip
    """``terms`` of ``frame`` beside the columns ``labels`` that ``made`` has more than ``frame``."""
    read = {n for n, _ in terms}.union(*(columns_of(t.expr) for _, t in terms))
    if read & set(labels) or (all_others and any(frame.schema.field(label) for label in labels)):
        raise Refusal("attribute-capture", f"`{labels[0]}` is also the name of another column")
    if all_others and not terms:
        return made
    kinds = {n: f.type if (f := made.schema.field(n)) else ANY for n in labels}
    return selected(made, [*terms, *((n, Term(Col(n), kinds[n], name=n)) for n in labels)], all_others, span, reader)


def _is_star(node: ast.expr, reader: ApiContext) -> bool:
    if isinstance(node, ast.Call) and reader.names.function(node.func) == "col" and len(node.args) == 1:
        node = node.args[0]
    return isinstance(node, ast.Constant) and node.value == "*"


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "withColumn": _with_column,
    "withColumns": _with_columns,
    "select": _select,
}
