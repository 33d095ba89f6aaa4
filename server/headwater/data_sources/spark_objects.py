"""What the classes of ``pyspark.sql`` are that a data source is written with, as values of the evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.syntax.refusal import Refusal
from headwater.validation.library import Callee, Proxy
from headwater.validation.limits import NotEvaluated
from headwater.validation.values import Instance, Row, UserClass
from headwater_ir.types import Type

from .columns import Column, column, columns_of_ddl
from .filters import BINARY, UNARY, Filter
from .outside import Options


class Native(Callee):
    """A method that is written here."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.function(*args, **named)


def _partition_init(self: Instance, value: Any = None) -> None:
    self.names["value"] = value


def _source_init(self: Instance, options: Any = None) -> None:
    self.names["options"] = Options() if options is None else options


def _no_filter(*_: Any, **named: Any) -> None:
    raise NotEvaluated("a filter that the reader makes")


def _missing(*_: Any) -> None:
    raise NotEvaluated("a method that the class does not have")


ABSTRACT = UserClass("ABC", (), {})
PARTITION = UserClass("InputPartition", (), {"__init__": Native(_partition_init)})
READER = UserClass(
    "DataSourceReader",
    (),
    {
        "pushFilters": Native(lambda self, filters: filters),
        "partitions": Native(lambda self: [_partition()]),
        "read": Native(_missing),
    },
)
SOURCE = UserClass(
    "DataSource", (), {"__init__": Native(_source_init), "schema": Native(_missing), "reader": Native(_missing)}
)
FILTER = UserClass("Filter", (), {"__init__": Native(_no_filter)})
FILTERS = {name: UserClass(name, (FILTER,), {}) for name in (*UNARY, *BINARY, "Not")}
for _name, _kind in FILTERS.items():
    _kind.fields = ("child",) if _name == "Not" else ("attribute",) if _name in UNARY else ("attribute", "value")


def _partition() -> Instance:
    made = Instance(PARTITION)
    made.names["value"] = None
    return made


class GivenFilter(Instance):
    """A filter as Spark hands it over: equal to another one by what it says."""

    def __init__(self, given: Filter) -> None:
        self.given = given
        if given.negated:
            super().__init__(FILTERS["Not"])
            child = Filter(given.kind, given.path, given.value)
            self.names["child"] = GivenFilter(child)
        else:
            super().__init__(FILTERS[given.kind])
            self.names["attribute"] = given.path
            if given.kind not in UNARY:
                self.names["value"] = list(given.value) if given.kind == "In" else given.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenFilter) and self.given == other.given

    def __hash__(self) -> int:
        if self.given.kind == "In":
            raise TypeError("unhashable type: 'list'")
        return hash(self.given)

    def __repr__(self) -> str:
        return f"{self.kind.name}({', '.join(f'{k}={v!r}' for k, v in self.names.items())})"


def text_of(value: Any) -> str | None:
    """What ``str`` makes of filters, which are data classes; None of other values."""
    filters = value if type(value) in (list, tuple) and value else (value,)
    return repr(value) if all(isinstance(f, GivenFilter) for f in filters) else None


class TypeClass(Callee):
    """A class of ``pyspark.sql.types`` for types without parts."""

    def __init__(self, name: str, ddl: str) -> None:
        self.name, self.ddl = name, ddl

    def __call__(self, *args: Any) -> Any:
        return SparkType(column("x", self.ddl, True), self.name)


TYPE_CLASSES = {
    name: TypeClass(name, ddl)
    for name, ddl in {
        "BooleanType": "boolean", "ByteType": "tinyint", "ShortType": "smallint", "IntegerType": "int",
        "LongType": "bigint", "FloatType": "float", "DoubleType": "double", "StringType": "string", "DateType": "date",
        "TimestampType": "timestamp", "DecimalType": "decimal", "BinaryType": "binary", "ArrayType": "array<void>",
        "MapType": "map<void, void>",
    }.items()
}  # fmt: skip
_OF_TYPE: dict[tuple[str, int | None], str] = {
    ("bool", None): "BooleanType", ("int", 8): "ByteType", ("int", 16): "ShortType", ("int", 32): "IntegerType",
    ("int", 64): "LongType", ("float", 32): "FloatType", ("float", 64): "DoubleType", ("string", None): "StringType",
    ("date", None): "DateType", ("timestamp", None): "TimestampType", ("decimal", None): "DecimalType",
}  # fmt: skip


class SparkType(Proxy):
    """A type of Spark."""

    def __init__(self, of: Column, name: str) -> None:
        self.of, self.name, self.path = of, name, f"type {of}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparkType) and self.name == other.name and self.of.type == other.of.type

    def __hash__(self) -> int:
        return hash(self.name)


def spark_type(of: Column) -> Proxy:
    """The type of a column."""
    if of.fields:
        return StructType(of.fields)
    return SparkType(of, _OF_TYPE.get((of.type.name, of.type.bits), "DataType"))


class StructField(Proxy):
    """A field of a struct."""

    def __init__(self, of: Column) -> None:
        self.of, self.path = of, f"field {of}"

    def attribute(self, name: str) -> Any:
        match name:
            case "name":
                return self.of.name
            case "nullable":
                return self.of.nullable
            case "dataType":
                return spark_type(self.of)
        return super().attribute(name)


class StructType(Proxy):
    """A struct, and the schema of a source."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self.columns, self.path = columns, f"struct {columns}"

    def attribute(self, name: str) -> Any:
        match name:
            case "fields":
                return [StructField(c) for c in self.columns]
            case "names":
                return [c.name for c in self.columns]
            case "fieldNames":
                return Native(lambda: [c.name for c in self.columns])
            case "add":
                return Native(self._added)
        return super().attribute(name)

    def _added(self, field: Any, data_type: Any = None, nullable: Any = True, metadata: Any = None) -> StructType:
        made = field.of if isinstance(field, StructField) else field_of(field, data_type, nullable)
        return StructType((*self.columns, made))

    def item(self, key: Any) -> Any:
        found = {c.name: c for c in self.columns}
        return StructField(found[key] if isinstance(key, str) else self.columns[key])

    def elements(self) -> Iterator[Any]:
        """Its fields."""
        return iter([StructField(c) for c in self.columns])

    def __iter__(self) -> Iterator[Any]:
        return self.elements()

    def __len__(self) -> int:
        return len(self.columns)


def field_of(name: Any, data_type: Any, nullable: Any = True) -> Column:
    """The column of a ``StructField``."""
    if not isinstance(name, str) or not isinstance(nullable, bool):
        raise NotEvaluated("a field of a schema")
    if isinstance(data_type, StructType):
        return Column(name, Type("opaque"), nullable, data_type.columns)
    if isinstance(data_type, SparkType):
        return Column(name, data_type.of.type, nullable)
    if isinstance(data_type, str):
        return column(name, data_type, nullable)
    raise NotEvaluated("the type of a field of a schema")


def _struct(fields: Any = ()) -> StructType:
    if not isinstance(fields, (list, tuple)) or not all(isinstance(f, StructField) for f in fields):
        raise NotEvaluated("the fields of a schema")
    return StructType(tuple(f.of for f in fields))


def _named_row(*args: Any, **named: Any) -> Row:
    if args or not named:
        raise NotEvaluated("a row without names")
    return Row.of(named, True)


def schema_of(value: Any) -> tuple[Column, ...]:
    """The columns that ``schema()`` returns. NotEvaluated if they are not known."""
    if isinstance(value, StructType):
        return value.columns
    try:
        if isinstance(value, str):
            return columns_of_ddl(value)
    except Refusal as refusal:
        raise NotEvaluated(str(refusal)) from None
    raise NotEvaluated("the schema of the source")


IMPORTED: dict[str, Any] = {
    "abc.ABC": ABSTRACT,
    "pyspark.sql.Row": Native(_named_row),
    "pyspark.sql.types.Row": Native(_named_row),
    "pyspark.sql.types.StructType": Native(_struct),
    "pyspark.sql.types.StructField": Native(lambda *a, **k: StructField(field_of(*a, **k))),
    **{f"pyspark.sql.types.{name}": kind for name, kind in TYPE_CLASSES.items()},
    **{f"pyspark.sql.datasource.{k.name}": k for k in (PARTITION, READER, SOURCE, FILTER, *FILTERS.values())},
}
"""By full name."""
