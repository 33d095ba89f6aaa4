# ruff: noqa: E501 - programs, one to a line
"""Functions of ``pyarrow.compute`` on columns, each beside pyarrow, over NULL, NaN, -0.0, infinities and duplicates."""

from __future__ import annotations

from .arrow_cases import ArrowCase

_COLUMNS = "k string, c int, x double, s string, b boolean, n int"
_HEAD = "import pyarrow.compute as pc\n"
_EXPRESSIONS: dict[str, tuple[str, str]] = {
    # name, which begins with the function: (an expression, the type of the result)
    "equal": ("pc.any(pc.equal(table['c'], 6)).as_py()", "boolean"),
    "equal of doubles": ("pc.sum(pc.equal(table['x'], 0)).as_py()", "long"),
    "equal of texts": ("pc.sum(pc.equal(table.column('s'), 'a')).as_py()", "long"),
    "equal of truth values": ("pc.sum(pc.equal(table['b'], True)).as_py()", "long"),
    "equal to a scalar": ("pc.sum(pc.equal(pa.scalar(6), table['c'])).as_py()", "long"),
    "equal of columns": ("pc.sum(pc.equal(table['c'], table['n'])).as_py()", "long"),
    "not_equal": ("pc.sum(pc.not_equal(table['x'], 1.0)).as_py()", "long"),
    "less": ("pc.sum(pc.less(table['x'], 2)).as_py()", "long"),
    "less_equal": ("pc.sum(pc.less_equal(table['c'], 1.5)).as_py()", "long"),
    "greater": ("pc.all(pc.greater(table['x'], 0)).as_py()", "boolean"),
    "greater_equal": ("pc.any(pc.greater_equal(table['s'], 'b')).as_py()", "boolean"),
    "any": ("pc.any(table['b']).as_py()", "boolean"),
    "all": ("pc.all(table['b']).as_py()", "boolean"),
    "any, nulls": ("pc.any(table['b'], skip_nulls=False).as_py()", "boolean"),
    "any of a part, none needed": ("pc.any(table['b'].filter(pc.equal(table['c'], 6)), min_count=0).as_py()", "boolean"),
    "any of a part, nulls": ("pc.any(table['b'].filter(pc.equal(table['c'], 6)), skip_nulls=False, min_count=0).as_py()", "boolean"),
    "all, nulls": ("pc.all(table['b'], skip_nulls=False).as_py()", "boolean"),
    "all of a part, none needed": ("pc.all(table['b'].filter(pc.equal(table['c'], 6)), skip_nulls=True, min_count=0).as_py()", "boolean"),
    "sum, nulls": ("pc.sum(table['c'], skip_nulls=False).as_py()", "long"),
    "sum, none needed": ("pc.sum(table['n'].filter(pc.equal(table['c'], 6)), min_count=0).as_py()", "long"),
    "sum of a mask, none needed": ("pc.sum(pc.equal(table['c'], 6), min_count=0).as_py()", "long"),
    "max, nulls": ("pc.max(table['c'], skip_nulls=False).as_py()", "int"),
    "max of truth values, nulls": ("pc.max(table['b'], skip_nulls=False).as_py()", "boolean"),
    "max of a part, none needed": ("pc.max(table['n'].filter(pc.equal(table['c'], 6)), min_count=0).as_py()", "int"),
    "min of doubles, nulls": ("pc.min(table['x'], skip_nulls=False, min_count=1).as_py()", "double"),
    "min_max, nulls": ("pc.min_max(table['c'], skip_nulls=False)['min'].as_py()", "int"),
    "and_": ("pc.sum(pc.and_(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "and_ counted": ("pc.count(pc.and_(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "or_": ("pc.count(pc.or_(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "and_kleene": ("pc.count(pc.and_kleene(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "or_kleene": ("pc.count(pc.or_kleene(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "or_kleene, summed": ("pc.sum(pc.or_kleene(pc.equal(table['c'], 6), table['b'])).as_py()", "long"),
    "invert": ("pc.sum(pc.invert(pc.equal(table['c'], 6))).as_py()", "long"),
    "is_null": ("pc.sum(pc.is_null(table['x'])).as_py()", "long"),
    "is_valid": ("pc.sum(pc.is_valid(table['x'])).as_py()", "long"),
    "is_in": ("pc.sum(pc.is_in(table['c'], value_set=pa.array([1, 6]))).as_py()", "long"),
    "is_in of texts": ("pc.all(pc.is_in(table['s'], value_set=pa.array(['a', 'b'], pa.string()))).as_py()", "boolean"),
    "match_substring": ("pc.sum(pc.match_substring(table['s'], 'e')).as_py()", "long"),
    "starts_with": ("pc.sum(pc.starts_with(table['s'], 'p')).as_py()", "long"),
    "ends_with": ("pc.any(pc.ends_with(table['s'], 'e')).as_py()", "boolean"),
    "if_else": ("pc.sum(pc.if_else(pc.equal(table['c'], 6), 1, 0)).as_py()", "long"),
    "if_else of other numbers": ("pc.max(pc.if_else(pc.equal(table['c'], 6), 7, 2)).as_py()", "long"),
    "cast": ("pc.sum(pc.cast(pc.equal(table['c'], 6), pa.int64())).as_py()", "long"),
    "cast, method": ("pc.sum(pc.equal(table['c'], 6).cast(pa.int32())).as_py()", "long"),
    "filter of a table": ("pc.filter(table, pc.equal(table['c'], 6)).num_rows", "long"),
    "filter of a column": ("len(pc.filter(table['x'], pc.equal(table['c'], 6)))", "long"),
    "filter, method": ("pc.max(table.filter(pc.greater(table['x'], 0))['c']).as_py()", "int"),
    "filter of a filter": ("len(table.filter(pc.greater(table['x'], 0)).filter(pc.field('c') == 6).to_pylist())", "long"),
    "filter by fields": ("table.filter((pc.field('c') == 6) | ~(pc.field('x') > 1) & (pc.field('s') != 'a')).num_rows", "long"),
    "filter, column": ("sum(1 for v in table['x'].filter(pc.less(table['c'], 6)).to_pylist() if v is None)", "long"),
    "count": ("pc.count(table['x']).as_py()", "long"),
    "count of nulls": ("pc.count(table['x'], mode='only_null').as_py()", "long"),
    "count of all": ("pc.count(table['x'], mode='all').as_py()", "long"),
    "sum": ("pc.sum(table['c']).as_py()", "long"),
    "max": ("pc.max(table['c']).as_py()", "int"),
    "max of doubles": ("pc.max(table['x']).as_py()", "double"),
    "max of texts": ("pc.max(table['s']).as_py()", "string"),
    "max of truth values": ("pc.max(table['b']).as_py()", "boolean"),
    "max as a scalar": ("pc.max(table['c'])", "int"),
    "min": ("pc.min(table['n']).as_py()", "int"),
    "min of doubles": ("pc.min(table['x']).as_py()", "double"),
    "min_max": ("pc.min_max(table['c'])['max'].as_py()", "int"),
    "min_max, as a dict": ("pc.min_max(table['x']).as_py()['min']", "double"),
    "scalars": ("sum(1 for v in table['c'] if v.as_py() == 6)", "long"),
    "dict of lists": ("sum(1 for c, s in zip(table.to_pydict()['c'], table.to_pydict()['s']) if c == 6 and s is None)", "long"),
    "count of a list": ("table['s'].to_pylist().count('a')", "long"),
}  # fmt: skip
_TYPES = {"boolean": "bool_", "long": "int64", "int": "int32", "double": "float64", "string": "string"}


def _case(code: str, t: str) -> ArrowCase:
    source = f"{_HEAD}def f(key, table):\n    v = {code}\n"
    schema = f"schema=pa.schema([('k', pa.string()), ('v', pa.{_TYPES[t]}())])"
    return ArrowCase(
        f"{source}    return pa.table({{'k': [key[0].as_py()], 'v': [v]}}, {schema})\n", _COLUMNS, f"k string, v {t}"
    )


COMPUTE = {name: _case(*code) for name, code in _EXPRESSIONS.items()}
