"""What the source itself says of Spark's configuration, as far as the model depends on it.

The model is that of the defaults (``docs/semantics.md``). A file that sets something else, or what is not known, is
refused: its proofs would be about another Spark. ``…conf.set(key, value)``, ``….config(key, value)``, dicts and
``SET key = value`` in SQL text are read; a key that stands anywhere else may be set to anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from headwater.syntax.names.spark_versions import ANY, PANDAS_OVERFLOW_FAILS, TRANSPILES, Targets
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption

MODELLED = {
    "spark.sql.ansi.enabled": "true",  # an overflow, a division by zero and a failed cast are errors
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.retainGroupColumns": "true",
}
"""What the model takes for granted: key → the value that it has by default."""
COLLATION = "collation"
"""Stands for a collation that the file names: texts that differ may be equal to Spark then, and to Python are not."""
ZONE = "spark.sql.session.timeZone"
_PREFIX_OF_ZONE = "spark.sql.session."
ZONE_IS_SET = Assumption("setting", "the session's time zone is set before any frame is made")
"""Of a file that sets the time zone: every condition that depends on it is evaluated in the same one. Spark fixes the
zone of an expression where a frame is made with it, and a pre-filter is made earlier than the filter was."""
ARROW_UDF = "spark.sql.execution.pythonUDF.arrow.enabled"
TRANSPILE = "spark.sql.experimental.optimizer.transpilePyUDFs"
SAFE_PANDAS = "spark.sql.execution.pandas.convertToArrowArraySafely"
ADAPTIVE = "spark.sql.adaptive.enabled"
_LEGACY = "spark.sql.legacy."
_HARMLESS = re.compile(r"spark\.sql\.legacy\.(timeParserPolicy|parquet\.|avro\.|create|allow|setops\.|charVarchar)")
"""Legacy behaviour that concerns reading files, formats and tables only."""
_SET = re.compile(r"\s*set\s+(spark\.[\w.]+)\s*=\s*['\"`]?([^;'\"`]*)", re.IGNORECASE)
VARIABLE = "variable"
"""Stands for a variable of the session that the file declares: a name that is no column means the variable, which may
have another value where a pre-filter is made."""
_VARIABLE = re.compile(r"\s*(?:begin\s+)?(?:declare\s|set\s+var(?:iable)?\s|execute\s+immediate\s)", re.IGNORECASE)
_COLLATE = re.compile(r"\bcollate\s+[\w`.]*(?:utf8|unicode|_)|\bcollate\s+`?[a-z]{2,3}\b", re.IGNORECASE)
_READERS = frozenset({"get", "unset", "isModifiable"})
_UNKNOWN = "?"


class Settings:
    """The keys of Spark's configuration that a file names, with the values that it gives them. ``targets``: the
    versions of Spark that it may run on."""

    def __init__(self, named: Iterable[tuple[str, str]], targets: Targets = ANY) -> None:
        self.targets = targets
        self._values: dict[str, set[str]] = {}
        for key, value in named:
            self._values.setdefault(key, set()).add(value)

    def may_be(self, key: str, value: str) -> bool:
        """Whether the file may give ``key`` that value."""
        return bool({value, _UNKNOWN} & self._values.get(key, set()))

    @property
    def given(self) -> tuple[tuple[str, str], ...]:
        """The keys that the file sets to one known value and to no other."""
        one = ((k, next(iter(v))) for k, v in sorted(self._values.items()) if len(v) == 1)
        return tuple((key, value) for key, value in one if value not in ("", _UNKNOWN))

    @property
    def trusted(self) -> tuple[Assumption, ...]:
        """What is taken for granted of the settings that the file names."""
        return (ZONE_IS_SET,) if {ZONE, _PREFIX_OF_ZONE} & self._values.keys() else ()

    def check(self) -> None:
        """Refuse a file that may set what the model takes to be otherwise."""
        for key, values in sorted(self._values.items()):
            legacy = key.startswith(_LEGACY) and not _HARMLESS.match(key)
            default = MODELLED.get(key)
            if key == VARIABLE:
                raise Refusal("opaque", "the file declares variables of the session, which a column's name may mean")
            if key == COLLATION:
                raise Refusal("opaque", "the file names a collation, and what is collated is not known")
            if key.endswith(".") and any(k.startswith(key) for k in MODELLED):
                raise Refusal("opaque", f"the file puts a key together that begins with `{key}`")
            if key == TRANSPILE and values != {"false"} and not self.targets.none_has(TRANSPILES):
                raise Refusal(
                    "opaque", f"the file sets `{key}`, and what a Python UDF makes of NULL and NaN then differs"
                )
            if (default is not None and values != {default}) or legacy:
                raise Refusal("opaque", f"the file sets `{key}`, and Spark then computes otherwise than is modelled")


def overflow_fails(settings: Settings) -> bool:
    """Whether a whole number that a pandas function returns and that does not fit its column is an error."""
    return settings.targets.all_have(PANDAS_OVERFLOW_FAILS) and not settings.may_be(SAFE_PANDAS, "false")


def named_settings(
    calls: Iterable[ast.Call], dicts: Iterable[ast.Dict], constants: Iterable[ast.Constant]
) -> Iterator[tuple[str, str]]:
    """The keys that some code names, each with what it gives it, of which these are all such nodes."""
    given: dict[int, str] = {}
    for call in calls:
        if _names_collation(call):
            yield COLLATION, _UNKNOWN
        read = isinstance(call.func, ast.Attribute) and call.func.attr in _READERS
        values = [*call.args, *(k.value for k in call.keywords)]
        for key, value in zip(values, [*values[1:], None], strict=False):
            given[id(key)] = "" if read else _value(value)
    for node in dicts:
        given.update((id(k), _value(v)) for k, v in zip(node.keys, node.values, strict=True) if k is not None)
    for text in constants:
        if isinstance(text.value, str):
            if _COLLATE.search(text.value):
                yield COLLATION, _UNKNOWN
            if _VARIABLE.match(text.value):
                yield VARIABLE, _UNKNOWN
            said = _SET.match(text.value)
            if said:
                yield said[1], said[2].strip().lower()
            elif text.value.startswith("spark.sql.") and given.get(id(text)) != "":
                yield text.value.strip(), given.get(id(text), _UNKNOWN)


def _names_collation(call: ast.Call) -> bool:
    """Whether ``call`` is ``collate(column, name)`` or ``StringType(name)``."""
    match call.func:
        case ast.Name(id="collate") | ast.Attribute(attr="collate"):
            return True
        case ast.Name(id="StringType") | ast.Attribute(attr="StringType"):
            return bool(call.args or call.keywords)
    return False


def _value(node: ast.expr | None) -> str:
    return str(node.value).strip().lower() if isinstance(node, ast.Constant) else _UNKNOWN
