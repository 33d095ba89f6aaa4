"""Why a filter did not come further, as one of a few causes: from the tool's reason where it gives one, else from the
text around the filter."""

from __future__ import annotations

import re
from typing import Any

Record = dict[str, Any]

_REASONS: tuple[tuple[str, str], ...] = (
    (r"which side of the join|the other frame holds", "column: which side of a join it is of"),
    (r"which column is at which place", "column: at which place of a union"),
    (r"is a method of the frame", "column: name not constant in place"),
    (r"compares two Python", "column: held in a variable"),
    (r"computed column without a name", "column: computed, without a name"),
    (r"^compares |^branches of different", "types that have no comparison here"),
    (r"the file sets", "a setting of the session"),
    (r"a text that is no column", "column function or attribute without a model"),
    (r"is made of other rows too|fewer rows if a filter", "boundary: window, ranking or offset"),
    (r"holds is not known: assigned in a branch", "variable: assigned in a branch"),
    (r"holds is not known: assigned in a loop", "variable: assigned in a loop"),
    (r"holds is not known: assigned where an exc", "variable: assigned in a try"),
    (r"code that is not here may", "variable: code that is not here may bind it"),
    (r"holds is not known", "variable: bound in another way"),
    (r"has \d+ consumers|more than once", "frame with several consumers"),
    (r"draws other rows|keeps other rows|skips other rows", "boundary: limit, sample, dropDuplicates"),
    (r"`dropna`", "method: dropna"),
    (r"what `(cache|persist|checkpoint|localCheckpoint)` holds", "boundary: cache"),
    (r"^no model covers `(join|crossJoin|lateralJoin)`", "boundary: join"),
    (r"^no model covers `(union\w*|intersect\w*|exceptAll|subtract)`", "boundary: union"),
    (r"^no model covers `distinct`", "boundary: distinct"),
    (r"^no model covers `mapIn(Pandas|Arrow)`", "boundary: mapInPandas"),
    (r"looks at other rows", "boundary: window, ranking or offset"),
    (r"^no model covers `(count|sum|min|max|avg|mean|first|last|collect_\w+|countDistinct|stddev\w*|percentile\w*)`",
     "boundary: window, aggregate over it"),
    (r"^no model covers `pivot`", "boundary: pivot"),
    (r"^`\(?(pos)?(explode|inline)(_outer)?\b|STACK\(", "boundary: explode"),
    (r"an RDD|`\w+` of an RDD|above a filter has|of what is not known to be pairs|not known to be pairs",
     "boundary: RDD function"),
    (r"^`(f|F|fn|fx|col)` is not a plain|the value of `(f|F|fn|fx)` is", "column: `F` itself is not known"),
    (r"`(selectExpr|toDF|na\.\w+|fillna|replace|repartition\w*|coalesce|hint|transform|withColumns\w*)`",
     "method of a frame without a model"),
    (r"f-string|^`f['\"]|format\(|SQL text is not a literal", "condition: SQL text with holes"),
    (r"SQL text|qualified name", "condition: SQL text"),
    (r"^`[\w ]*[\w.]+\.[*\w.]+` is not a plain column name|`\*` is not a plain",
     "column: struct field or qualified name"),
    (r"may be a Column|not known to be a Column|is not a plain value|the value of `\w+` is not known|"
     r"the argument is not a column", "column: held in a variable"),
    (r"not a plain literal|not a literal|not written out|is not a constant|not spelled out|not literals|"
     r"^`[\w.]+\[[^'\"]|^`\*|string argument|unpacked|is not a plain column name|driver variable|Python variables",
     "column: name not constant in place"),
    (r"^no model covers `[\w.]+`$", "column function or attribute without a model"),
    (r"is not a function of Spark", "function: unknown, or a UDF in an expression"),
    (r"whether there is a column|column of another frame|not a column of the frame|is computed$",
     "column: which one is meant is not known"),
    (r"has no model|no model covers", "column expression without a model"),
    (r"expression that may raise|may be zero", "expression that may raise"),
    (r"may differ from", "volatile expression"),
    (r"rebound between|may have changed", "variable: rebound between boundary and filter"),
    (r"neither a key nor aggregated|several rows|decorat|nothing is known about the function|pass over|the function|"
     r"loop|changes an object|does more than compute",
     "function body of a UDF or aggregate"),
)  # fmt: skip


def of_reason(reason: str) -> str:
    """The cause that the tool's own ``reason`` belongs to."""
    for pattern, cause in _REASONS:
        if re.search(pattern, reason):
            return cause
    return "other"


def of_site(record: Record, site: Record) -> str:
    """The first thing that keeps the filter from the engine; only for one that does not come there."""
    if record["state"] == "error":
        return "file: notebook not read" if record["notebook"] else "file: does not parse"
    seen = site["seen"]
    if seen is not None and seen["stage"] == "stopped":
        return of_reason(seen["reason"])
    if site["style"] == "python":
        return f"RDD: from {site['root']}"
    if seen is not None:
        return "trail lost: " + ("none, the boundary is not upstream" if not site["upstream"] else site["root"])
    return "condition without a model, nothing known below" if not site["upstream"] else f"not seen: {site['root']}"


def blockers(site: Record) -> list[str]:
    """Every cause on the way from the filter to the first boundary, each once, the first one first."""
    seen = site["seen"]
    return list(dict.fromkeys(of_reason(reason) for _, reason in seen["opaque"])) if seen else []
