"""The schema of a read whose data files are known, and what is assumed with it.

Law: a column has the type that the files have, or that the program states; it holds no NULL if all statistics say so
and the types are one. Spark reads a column that a stated schema has and the files have not as NULL.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.data_facts.model import PRINTED, DataFacts
from headwater_ir.plan import Field, Schema
from headwater_ir.types import ANY

from .schema import parse_type


def schema_of_facts(facts: DataFacts, declared: Schema) -> Schema:
    """The columns of a read of ``facts``; ``declared``: those that the program states, if it does."""
    own = tuple(Field(c.name, parse_type(c.ddl), nullable=not facts.not_null(c)) for c in facts.columns)
    if not declared.fields:
        return Schema(own)
    known = {f.name: f for f in own}
    same = {f.name for f in declared.fields if f.name in known and known[f.name].type == f.type}
    return replace(declared, fields=tuple(known[f.name] if f.name in same else f for f in declared.fields))


def schema_of_table(schema: Schema) -> Schema:
    """``schema`` as it was printed of a table or query: what is called a text there may be a CHAR, of which comparisons
    mean something else."""
    fields = (replace(f, type=ANY) if "string" in str(f.type) else f for f in schema.fields)
    return replace(schema, fields=tuple(fields))


def evidence(facts: DataFacts) -> str:
    """What was read, and when."""
    if facts.form == PRINTED:
        return facts.source
    rows = "" if facts.rows is None else f" ({facts.rows:,} row{'' if facts.rows == 1 else 's'})"
    return f"{facts.source}, read on {facts.day}{rows}"
