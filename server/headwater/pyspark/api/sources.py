"""Recognising sources: ``spark.read…``, ``spark.table``, ``createDataFrame``, ``spark.range``, ``spark.sql``."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from headwater.data_facts.model import DataFacts
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.constant_text import assigned
from headwater.pyspark.frames.known_data import evidence, schema_of_facts, schema_of_table
from headwater.pyspark.frames.schema import all_nullable, parse_ddl, partitions_of, read_schema, rows_of
from headwater.pyspark.frames.session_names import is_another, reads_as
from headwater.pyspark.frames.tracked_values import SAME_COLUMNS, TrackedFrame
from headwater.python.effects.containers_read import Containers
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import (
    UNKNOWN_SCHEMA,
    Aggregate,
    Field,
    GroupMap,
    Opaque,
    Plan,
    Project,
    Scan,
    Schema,
    SetOperation,
    UnionAll,
)  # fmt: skip
from headwater_ir.types import ANY, BOOL, FLOAT, INT64, OPAQUE, STRING, Type
from headwater_ir.walks import inputs

from .api_context import ApiContext

_OF_SESSIONS = frozenset("range sql table".split())
_READS = frozenset("parquet orc csv json text avro delta jdbc load table xml".split())

QUERY, ANY_FORMAT = "spark.sql", "unknown of unknown schema"
"""The origins of scans of which the format is not known, but that a session makes them."""
COMMAND, WHOLE_FILES, SMALL = "a command", "whole files of text", ", a log or a summary"
"""In the origin of a scan: what has few rows whatever the data."""
_SMALL = frozenset("detail history fMeasureByThreshold pr precisionByThreshold recallByThreshold roc".split())
"""Methods of ``delta.tables.DeltaTable`` that look into its log, and attributes of the summaries of ``pyspark.ml``, of
at most 1,000 rows where nobody asks for more."""
_OF_ALL_ROWS = frozenset("Correlation.corr ChiSquareTest.test ANOVATest.test FValueTest.test".split())
"""Statistics of ``pyspark.ml.stat``: a row, or one per feature."""
_COMMANDS = re.compile(
    r"\s*(show|desc|describe|explain|list|set|use|create|drop|alter|insert|merge|update|delete|truncate|refresh|analyze"
    r"|msck|cache|uncache|clear|grant|revoke|vacuum|optimize|call|load|add|comment|reset|repair|restore|copy)\b",
    re.IGNORECASE,
)


def read_source(node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """The frame that a call makes from outside; None if it is no such call."""
    if not isinstance(node.func, ast.Attribute):
        return None
    method, owner = node.func.attr, node.func.value
    if method in _READS and (chain := _read_chain(owner, reader.names)) is not None:
        return _file(node, method, chain, reader)
    if method == "createDataFrame":
        return _scan(node, "createDataFrame", "memory", _created(node, reader), reader)
    if method not in _OF_SESSIONS:
        return None
    return _session(node, method, reader) if reads_as(owner, "session", reader.names, reader.lookup) else None


def _session(node: ast.Call, method: str, reader: ApiContext) -> TrackedFrame | None:
    if method == "range":
        return _scan(node, "spark.range", "memory", Schema((Field("id", INT64, nullable=False),)), reader)
    if method == "sql":
        origin = f"{QUERY} of {COMMAND}" if _is_command(node, reader) else QUERY
        return _scan(node, origin, "unknown", _of_views(node, reader), reader)
    if method == "table":
        return _file(node, "table", [], reader)
    return None


def small(node: ast.expr) -> str:
    """``SMALL`` if an object other than a frame is asked for a frame by a name that stands for few rows, else empty. It
    only keeps findings back, so that the name alone may decide."""
    asked = node.func if isinstance(node, ast.Call) else node
    match node:
        case ast.Call(func=ast.Name(id="sql"), args=[text, *_]) if begins_as_command(text):  # ``sql`` of a notebook
            return f" of {COMMAND}"
    if not isinstance(asked, ast.Attribute):
        return ""
    return SMALL if asked.attr in _SMALL or ast.unparse(asked) in _OF_ALL_ROWS else ""


def is_command(plan: Plan) -> bool:
    """Whether ``plan`` is the answer of a command, and not the rows of a query."""
    return isinstance(plan, Scan) and plan.origin.endswith(COMMAND)


def _is_command(node: ast.Call, reader: ApiContext) -> bool:
    """Whether the text that ``node`` gives to Spark begins as no query does."""
    given = node.args[0] if node.args else None
    return begins_as_command(assigned(given, reader.names, reader.lookup) if isinstance(given, ast.Name) else given)


def begins_as_command(given: ast.expr | None) -> bool:
    """Whether the text ``given`` begins as no query does."""
    while not isinstance(given, ast.Constant):
        match given:
            case ast.JoinedStr(values=[first, *_]) | ast.BinOp(left=first):
                given = first
            case ast.Call(func=ast.Attribute(value=first)):
                given = first
            case _:
                return False
    return isinstance(given.value, str) and _COMMANDS.match(given.value) is not None


def _read_chain(node: ast.expr, names: Names) -> list[ast.Call] | None:
    """The calls between ``.read`` and the end of ``node``, last first; None if there is no ``.read`` of a session."""
    calls: list[ast.Call] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        calls.append(node)
        node = node.func.value
    reads = (
        isinstance(node, ast.Attribute) and node.attr in ("read", "readStream") and not is_another(node.value, names)
    )
    return calls if reads else None


def _option(name: str, calls: list[ast.Call]) -> str | None:
    """What the calls of a read give for an option, ``name`` in lower case; None if it is no constant, or not given."""
    for call in calls:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        pairs = [(k.arg or "", k.value) for k in call.keywords]
        if method == "option" and len(call.args) == 2:
            pairs.append((_text(call.args[0]) or "", call.args[1]))
        for key, value in pairs:
            if key.lower() == name and isinstance(value, ast.Constant):
                return str(value.value)
    return None


def _partitions(node: ast.Call, base: str | None) -> tuple[str, ...]:
    """The columns that the path of a read names as directories below ``base``: ``/data/year=2024/*``."""
    path = _text(node.args[0]) if node.args else None
    if path is None or base is None or not path.startswith(base.rstrip("/") + "/"):
        return ()
    return tuple(dict.fromkeys(re.findall(r"(?<=/)(\w+)=", path[len(base.rstrip("/")) :])))


def _file(node: ast.Call, method: str, chain: list[ast.Call], reader: ApiContext) -> TrackedFrame:
    if "readStream" in reader.names.ctx.text(node):
        plan = Opaque(
            None, "opaque", "a stream: its aggregates keep state between batches", reader.names.ctx.span(node),
            frozenset({"stream"}),
        )  # fmt: skip
        return reader.frame(plan, UNKNOWN_SCHEMA)
    form, declared = ("table" if method == "table" else method), None
    for call in chain:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name == "schema" and call.args and declared is None:
            declared = call.args[0]
        elif name == "format" and call.args and method == "load":
            form = _text(call.args[0]) or "unknown"
    for keyword in node.keywords:
        if keyword.arg == "schema" and method != "table":
            declared = keyword.value
    place = _text(node.args[0]) if node.args else None
    stated = reader.world.options.schema(place) if place else None
    if place is not None and stated is not None:
        return _scan_stated(node, place, stated, form, reader)
    schema = all_nullable(_stated(declared, reader))
    known = _facts(node, form, chain, reader)
    if known is not None:
        found = schema_of_facts(known, schema)
        return _scan(node, evidence(known), form, found, reader, None, known.partitions, known)
    if form == "csv" and not schema.fields and not _may_infer(node):
        return _scan(node, "csv without a schema, all text", form, replace(UNKNOWN_SCHEMA, rest=STRING), reader)
    if form == "text" and not schema.fields:
        whole = "wholetext" in reader.names.ctx.text(node).lower()
        return _scan(
            node,
            WHOLE_FILES if whole else "lines of text",
            form,
            Schema((Field("value", STRING),), complete=False),
            reader,
        )
    if form == "table" and not schema.fields:
        followed = reader.view(place, node) if place is not None else None
        if followed is not None:
            return followed
        schema = _of_views(node, reader)
    return _scan(node, "the read schema" if schema.fields else f"{form} of unknown schema", form, schema, reader)


def _facts(node: ast.Call, form: str, chain: list[ast.Call], reader: ApiContext) -> DataFacts | None:
    """What data files say of a read of one path without options; the path is written out, or in a constant."""
    if not reader.world.options.data or len(node.args) != 1 or node.keywords:
        return None
    plain = all(
        isinstance(c.func, ast.Attribute)
        and c.func.attr in ("format", "schema")
        and len(c.args) == 1
        and not c.keywords
        for c in chain
    )
    once = len({c.func.attr for c in chain if isinstance(c.func, ast.Attribute)}) == len(chain)  # the last one counts
    place = _text(_resolve(node.args[0], reader))
    return reader.world.options.facts(place, form) if plain and once and place is not None else None


def named_table(name: str, node: ast.Call, reader: ApiContext) -> TrackedFrame:
    """The table or view that the SQL text in the call ``node`` names."""
    stated = reader.world.options.schema(name)
    if stated is not None:
        return _scan_stated(node, name, stated, "table", reader)
    followed = reader.view(name, node)
    if followed is not None:
        return followed
    return _scan(node, "table of unknown schema", "table", _of_views(node, reader), reader)


def _of_views(node: ast.Call, reader: ApiContext) -> Schema:
    """The schema of what a query or the name of a table reads: it may hold text if it names a view of the file that
    may."""
    views = reader.world.text_views
    if not views or not node.args:
        return UNKNOWN_SCHEMA
    given = _resolve(node.args[0], reader)
    texts = (n.value for n in ast.walk(given) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    words = {w.lower() for text in texts for w in re.findall(r"\w+", text)}
    return replace(UNKNOWN_SCHEMA, rest=OPAQUE) if words & views or _may_name_any(given) else UNKNOWN_SCHEMA


def _may_name_any(text: ast.expr) -> bool:
    """Whether what is put into ``text`` may be the name of a temporary view: it is not part of a longer name, nor of a
    text in quotes."""
    match text:
        case ast.Constant():
            return False
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _may_name_any(left) or _may_name_any(right)
        case ast.JoinedStr(values=values):
            parts = ["", *(v.value if isinstance(v, ast.Constant) else None for v in values), ""]
            around = zip(parts, parts[1:], parts[2:], strict=False)
            return any(part is None and not _is_inside(before, after) for before, part, after in around)
    return True


def _is_inside(before: object, after: object) -> bool:
    """Whether what stands between two parts of a text belongs to a longer name, or to a text in quotes."""
    if isinstance(after, str) and after.startswith("."):
        return True
    own = isinstance(before, str) and before.endswith((".", "'", '"'))
    return own and not str(before).lower().endswith("global_temp.")


def _may_infer(node: ast.Call) -> bool:
    """Whether a call that reads CSV may ask Spark to find out the types; a schema that is not known may state them."""
    if len(node.args) > 1:
        return True
    for n in ast.walk(node):
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value.lower() == "inferschema":
            return True
        if isinstance(n, ast.keyword) and (n.arg is None or n.arg.lower() in ("inferschema", "schema")):
            return True
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
            first = n.args[0] if n.args else None
            if n.func.attr == "schema" or (n.func.attr == "option" and not isinstance(first, ast.Constant)):
                return True
    return False


def _scan_stated(node: ast.Call, place: str, ddl: str, form: str, reader: ApiContext) -> TrackedFrame:
    """A table or path that the user has stated the ``ddl`` of, NOT NULL included: a note of the certificate."""
    schema = _quietly(lambda: parse_ddl(ddl))
    return _scan(
        node, f"headwater.schemas: {place}", form, schema, reader, place, partitions_of(ddl), rows=rows_of(ddl)
    )


def _scan(
    node: ast.Call, origin: str, form: str, schema: Schema, reader: ApiContext, stated: str | None = None,
    partitions: tuple[str, ...] = (), known: DataFacts | None = None, rows: int | None = None,
) -> TrackedFrame:  # fmt: skip
    printed = reader.world.options.printed(reader.names.ctx.text(node)) if reader.world.options.data else None
    if printed is not None and known is None and stated is None and not schema.fields:
        schema, known, origin = schema_of_facts(printed, schema), printed, evidence(printed)
        partitions = partitions or printed.partitions
        schema = schema_of_table(schema) if form in ("table", "unknown") else schema
    above = node.func.value if isinstance(node.func, ast.Attribute) else node
    calls = [node, *(_read_chain(above, reader.names) or [])]
    pushes = (_option("pushdownpredicate", calls) or "true").lower() != "false"
    partitions = partitions or _partitions(node, _option("basepath", calls))
    plan = Scan(origin, form, schema, reader.names.ctx.span(node), stated, partitions, pushes, rows=rows)
    if known is not None:
        plan = replace(plan, data=origin, rows=known.rows)
    return reader.frame(plan, schema, facts=row_facts.of_schema(schema))


def _created(node: ast.Call, reader: ApiContext) -> Schema:
    """The schema given to ``createDataFrame``. NOT NULL holds only where Spark checks it, row by row, for
    literal data."""
    given = {k.arg: k.value for k in node.keywords}
    declared = node.args[1] if len(node.args) > 1 else given.get("schema")
    listed = _resolve(declared, reader) if declared is not None else None
    if isinstance(listed, (ast.List, ast.Tuple)):
        columns = [_text(e) for e in listed.elts]
        if columns and all(columns):
            types = _of_rows(_resolve(node.args[0], reader) if node.args else None, len(columns))
            return Schema(tuple(Field(c, t) for c, t in zip(columns, types, strict=True) if c))
        return UNKNOWN_SCHEMA
    schema = _stated(declared, reader)
    checked = (
        bool(node.args) and isinstance(node.args[0], ast.List) and len(node.args) <= 2 and "verifySchema" not in given
    )
    return schema if checked else all_nullable(schema)


_OF_LITERALS: dict[type, Type] = {bool: BOOL, int: INT64, float: FLOAT, str: STRING}


def _of_rows(rows: ast.expr | None, width: int) -> list[Type]:
    """The types that Spark gives the columns of rows that stand in the text: ANY for those with anything else than
    None and constants of one Python type."""
    listed = rows.elts if isinstance(rows, ast.List) else []
    if not listed or any(not isinstance(r, (ast.Tuple, ast.List)) or len(r.elts) != width for r in listed):
        return [ANY] * width
    found = []
    for i in range(width):
        values = [r.elts[i] for r in listed if isinstance(r, (ast.Tuple, ast.List))]
        bare = [v.operand if isinstance(v, ast.UnaryOp) and isinstance(v.op, ast.USub) else v for v in values]
        kinds = {type(v.value) if isinstance(v, ast.Constant) else object for v in bare} - {type(None)}
        found.append(_OF_LITERALS.get(kinds.pop(), ANY) if len(kinds) == 1 else ANY)
    return found


def _stated(node: ast.expr | None, reader: ApiContext) -> Schema:
    if node is None:
        return UNKNOWN_SCHEMA
    return _quietly(lambda: read_schema(_resolve(node, reader), reader.names.resolve))


def _quietly(read: object) -> Schema:
    try:
        found = read()  # type: ignore[operator]
    except Refusal:
        return UNKNOWN_SCHEMA
    assert isinstance(found, Schema)
    return found if found.fields else replace(found, complete=False)


def _resolve(node: ast.expr, reader: ApiContext) -> ast.expr:
    """The literal behind a name that nothing changes in place."""
    return resolve_literal(node, reader)


def resolve_literal(node: ast.expr, reader: ApiContext) -> ast.expr:
    """What a variable was assigned, if nothing can have changed it since; else the node itself."""
    found = assigned(node, reader.names, reader.lookup)
    if (
        isinstance(node, ast.Name)
        and isinstance(found, ast.Call)
        and not Containers.of(reader.names).schema_only_read(node.id)
    ):
        return node  # a `StructType` can be changed through each of its fields
    return found


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def in_order(frame: TrackedFrame) -> bool:
    """Whether the schema lists all columns in their order, which a selection, or a boundary with a result of its own,
    settles."""
    plan = frame.plan
    while isinstance(plan, SAME_COLUMNS) or _is_renamed(plan):
        (plan,) = inputs(plan)
    listed = isinstance(plan, (Aggregate, GroupMap)) or (isinstance(plan, Project) and not plan.keeps_others)
    listed |= isinstance(plan, (UnionAll, SetOperation)) and plan.right_names is not None
    return frame.schema.complete and (listed or isinstance(plan, Scan))


def _is_renamed(plan: Plan) -> bool:
    """Whether ``plan`` only gives a frame a name: its columns are those of the frame."""
    return isinstance(plan, Project) and plan.keeps_others and not plan.columns and not plan.dropped
