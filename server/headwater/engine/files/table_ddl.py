"""Schemas of tables that a text creates: ``CREATE TABLE name (…)`` in comments, and in constant texts given to ``sql``.

Law: the columns of a statement are those of ``spark.table(name)`` where all statements of the text about a table of
that name say the same, nothing alters it, and no view of the text has that name. Whether the catalog has that table is
an assumption, as it is for what was printed. A statement that the parser does not know whole, or without types, says
nothing.

Types: https://spark.apache.org/docs/4.0.0/sql-ref-datatypes.html, those of ``data_facts.printed_tree``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.data_facts.model import PRINTED, ColumnFacts, DataFacts
from headwater.data_facts.printed_tree import UNKNOWN, are_columns
from headwater.pyspark.sql_text.views import REGISTERS
from headwater.syntax.source.notebook import parse

if TYPE_CHECKING:
    from sqlglot import exp

_CREATES = re.compile(r"\bcreate\s+(?:or\s+replace\s+)?(?:external\s+)?table\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:(?:alter|replace)\s+table|view)\s+(?:if\s+not\s+exists\s+)?(?P<name>[\w.`]+)", re.IGNORECASE
)
_TYPES = {
    "BOOLEAN": "boolean", "TINYINT": "tinyint", "SMALLINT": "smallint", "INT": "int", "BIGINT": "bigint",
    "FLOAT": "float", "DOUBLE": "double", "TEXT": "string", "VARCHAR": "string", "DATE": "date",
    "TIMESTAMPTZ": "timestamp", "TIMESTAMPLTZ": "timestamp", "DECIMAL": "decimal",
}  # fmt: skip
"""What sqlglot calls a type, and DDL."""
_Columns = tuple[tuple[ColumnFacts, ...], tuple[str, ...]]
"""The columns of a table, and the names of those that it is partitioned by."""


def ddl_facts(text: str) -> tuple[DataFacts, ...]:
    """What the statements of ``text`` that create tables say of its calls that read them."""
    if not _CREATES.search(text) or ".table(" not in text:
        return ()
    try:
        tree = parse(text).tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    said: dict[str, set[_Columns | None]] = {}
    for sql in (*_comments(text, tree), *_texts(calls)):
        for name, columns in _created(sql):
            said.setdefault(name, set()).add(columns)
        for changed in _CHANGES.finditer(sql):
            said.setdefault(_plain(changed["name"]), set()).add(None)
    for view in (c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr in REGISTERS):
        match view.args:
            case [ast.Constant(value=str(name))]:
                said.setdefault(_plain(name), set()).add(None)
            case _:
                return ()  # a view of any name
    found = dict[str, DataFacts]()
    for call in calls:
        table, place = _read_by(call), ast.get_source_segment(text, call) or ""
        statements = said.get(table or "", {None})
        known = next(iter(statements)) if len(statements) == 1 else None
        if place and known is not None:
            source = f"the schema of `{table}`, by its CREATE TABLE in this file"
            found[place] = DataFacts(place, PRINTED, *known, None, source)
    return tuple(found.values())


def _read_by(call: ast.Call) -> str | None:
    """The table that ``call`` reads by a constant name, in lower case."""
    match call:
        case ast.Call(func=ast.Attribute(attr="table"), args=[ast.Constant(value=str(name))], keywords=[]):
            return _plain(name)
    return None


def _plain(name: str) -> str:
    return name.replace("`", "").strip().lower()


def _comments(text: str, tree: ast.Module) -> Iterator[str]:
    """The blocks of lines that are comments, or SQL of a notebook, without what makes them such."""
    texts = (n for n in ast.walk(tree) if isinstance(n, (ast.Constant, ast.JoinedStr)))
    inside = {line for n in texts for line in range(n.lineno + 1, (n.end_lineno or n.lineno) + 1)}
    block: list[str] = []
    for number, line in enumerate((*(line.strip() for line in text.split("\n")), ""), 1):
        if line.startswith("#") and number not in inside:
            block.append(re.sub(r"^#+(?:\s*MAGIC\b)?", "", line))
        elif block:
            yield "\n".join(block)
            block = []


def _texts(calls: list[ast.Call]) -> Iterator[str]:
    """What ``sql`` is given as constant texts."""
    for call in calls:
        match call:
            case ast.Call(func=ast.Attribute(attr="sql"), args=[ast.Constant(value=str(sql)), *_]):
                yield sql


def _created(sql: str) -> Iterator[tuple[str, _Columns | None]]:
    """Each table that ``sql`` creates, in lower case, with its columns, None where these are not known."""
    from sqlglot import exp

    from headwater.pyspark.sql_text.tokens import parsed

    begins = list(_CREATES.finditer(sql))
    ends = [*(b.start() for b in begins[1:]), len(sql)]
    for begin, end in zip(begins, ends, strict=False):
        created = parsed(sql[begin.start() : end].partition(";")[0].strip())
        if not isinstance(created, exp.Create):
            name = re.match(r"[^`\w]*(?:if\s+not\s+exists\s+)?([\w.`]+)", sql[begin.end() :], re.IGNORECASE)
            yield _plain(name[1]) if name else "", None
            continue
        table = created.find(exp.Table)
        if table is not None:
            name_of = ".".join(part.name for part in table.parts)
            yield name_of.lower(), _columns(created) if created.args.get("expression") is None else None


def _columns(created: object) -> _Columns | None:
    from sqlglot import exp

    assert isinstance(created, exp.Create)
    schema = created.this
    listed = schema.expressions if isinstance(schema, exp.Schema) else []
    partitions = [p for by in created.find_all(exp.PartitionedByProperty) for p in by.this.expressions]
    found = tuple(_column(e) for e in (*listed, *partitions) if isinstance(e, exp.ColumnDef))
    names = tuple(e.name for e in partitions if isinstance(e, (exp.ColumnDef, exp.Identifier)))
    return (found, names) if are_columns(found) else None


def _column(column: exp.ColumnDef) -> ColumnFacts:
    from sqlglot import exp

    said = [c.args.get("kind") for c in column.args.get("constraints") or ()]
    required = any(isinstance(k, exp.NotNullColumnConstraint) and not k.args.get("allow_null") for k in said)
    collated = any(isinstance(k, exp.CollateColumnConstraint) for k in said)  # its texts are compared in another way
    return ColumnFacts(column.name, UNKNOWN if collated else _type(column.args.get("kind")), 0 if required else None)


def _type(kind: object) -> str:
    """The type in DDL, ``unknown`` for one without a model."""
    from sqlglot import exp

    if not isinstance(kind, exp.DataType) or not isinstance(kind.this, exp.DataType.Type):
        return UNKNOWN
    if kind.this == exp.DataType.Type.ARRAY and len(kind.expressions) == 1:
        return f"array<{_type(kind.expressions[0])}>"
    return _TYPES.get(kind.this.name, UNKNOWN)
