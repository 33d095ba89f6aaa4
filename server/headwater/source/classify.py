"""What a data source can do with a condition of a filter on it (THEORY.md section 6; the contract of seed 003).

* *exact*: no row for which the condition is not TRUE leaves the source.
* *inexact*: the source leaves out some such rows, by the statistics of files, row groups or pages, or only where a part
  of the condition says so; Spark applies the condition to the rest.
* *unsupported*: the source reads everything, and Spark applies the condition.

A conjunction is exact if all of its parts are, and unsupported if none goes down; in between it is inexact: some parts
go down, and Spark applies the others. A disjunction is as weak as its weakest branch, and goes down only if each branch
is handed down as a whole. A negation is moved to the leaves, as Spark does it; there it is a form of its own. On
partition columns alone Spark itself evaluates any deterministic expression, before it lists files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headwater.pyspark.columns.spark_functions import PURE
from headwater_ir import expr as ir
from headwater_ir.array_sizes import array_of
from headwater_ir.expr import Expr, transform
from headwater_ir.native import as_native, real_column
from headwater_ir.plan import Scan
from headwater_ir.struct_fields import field_column, is_field, path_of_column
from headwater_ir.types import ANY, Type

from .formats import FORMATS, NESTED, PARTITIONED, WITHOUT, Answer, Class, Form
from .types_compared import obstacle_of_types

_RANK: dict[Class, int] = {"unsupported": 0, "inexact": 1, "exact": 2}
_FUNCTIONS = frozenset(f"spark.{name}" for name in PURE)
"""Functions of Spark's own; those of the user are run on rows."""
_PARTITION = Answer("exact", "only directories of matching partitions are read")
_COMPUTED = "it computes something from the column, and sources test bare columns only"


@dataclass(frozen=True)
class Source:
    """What is known of a source. ``types``: of its columns, others have the type ``rest``; ``partitions``: columns, in
    lower case, that are directories; ``pushes``: nobody has told it not to evaluate filters."""

    format: str
    types: Mapping[str, Type] = field(default_factory=dict)
    rest: Type = ANY
    partitions: frozenset[str] = frozenset()
    pushes: bool = True

    @staticmethod
    def of(scan: Scan) -> Source:
        """What the plan says of it."""
        types = {f.name.lower(): f.type for f in scan.schema.fields}
        rest = scan.schema.rest
        return Source(scan.format, types, rest, frozenset(map(str.lower, scan.partitions)), scan.pushes)

    def type_of(self, column: str) -> Type:
        """The type of a column; ANY if it is not known."""
        return self.types.get(column.lower(), self.rest)


@dataclass(frozen=True)
class Classified:
    """The class of a condition at a source, and why, in words. Of a conjunction, the parts that ``go_down`` (each exact
    or inexact), and those that Spark alone applies."""

    kind: Class
    why: str
    go_down: tuple[Expr, ...] = ()
    stay: tuple[Expr, ...] = ()


_CONSTANT = "it is the same for every row, and Spark answers it by itself"


def classify(condition: Expr, source: Source) -> Classified:
    """The class of ``condition`` (sql dialect, over columns of the source) at the source."""
    parts = list(_conjuncts(_negations_inside(transform(condition, _field_column))))
    if not parts:
        return Classified("unsupported", _CONSTANT)
    answers = [(part, _answer(part, source)) for part in parts]
    down = tuple(part for part, answer in answers if answer.kind != "unsupported")
    stay = tuple(part for part, answer in answers if answer.kind == "unsupported")
    kind: Class = min((a.kind for _, a in answers), key=_RANK.__getitem__) if not stay or not down else "inexact"
    return Classified(kind, "; ".join(dict.fromkeys(a.why for _, a in answers)), down, stay)


def _field_column(e: Expr) -> Expr | None:
    """A field of a struct as a column of its own, which readers of some formats test like one."""
    match e:
        case ir.Call(args=(ir.Col(struct), ir.Lit(value=str() as name))) if is_field(e):
            return ir.Col(field_column(struct, name))
    return None


def _negations_inside(e: Expr) -> Expr:
    """``e`` with its negations at the leaves (De Morgan's laws hold in three-valued logic)."""
    match e:
        case ir.And(operands):
            return ir.And(tuple(map(_negations_inside, operands)))
        case ir.Or(operands):
            return ir.Or(tuple(map(_negations_inside, operands)))
        case ir.Not(ir.Not(inner)):
            return _negations_inside(inner)
        case ir.Not(ir.And(operands)):
            return ir.Or(tuple(_negations_inside(ir.Not(o)) for o in operands))
        case ir.Not(ir.Or(operands)):
            return ir.And(tuple(_negations_inside(ir.Not(o)) for o in operands))
        case _:
            return e


def _conjuncts(e: Expr) -> Iterator[Expr]:
    if isinstance(e, ir.And):
        for operand in e.operands:
            yield from _conjuncts(operand)
    else:
        yield e


def _answer(e: Expr, source: Source) -> Answer:
    """Of a condition that is no conjunction."""
    if _of_partitions(e, source):
        return _PARTITION
    whole = _disjunction(e, source) if isinstance(e, ir.Or) else _leaf(e, source)
    if whole.kind == "unsupported" and _has_partition_part(e, source):
        return Answer(
            "inexact", "only directories of partitions that some branch names are read; Spark applies it again"
        )
    return whole


def _of_partitions(e: Expr, source: Source) -> bool:
    columns = {real_column(c).lower() for c in ir.columns_of(e)}
    known = bool(columns) and columns <= source.partitions and source.format in PARTITIONED
    return known and not any(
        isinstance(n, ir.Raise) or (isinstance(n, ir.Call) and n.name not in _FUNCTIONS) for n in ir.walk(e)
    )


def _has_partition_part(e: Expr, source: Source) -> bool:
    """Whether a weaker condition on partition columns alone follows from ``e``, as Spark looks for it: one of the parts
    of a conjunction, one in each branch of a disjunction."""
    match e:
        case ir.And(operands):
            return any(_has_partition_part(o, source) for o in operands)
        case ir.Or(operands):
            return bool(operands) and all(_has_partition_part(o, source) for o in operands)  # FALSE names none
        case _:
            return _of_partitions(e, source)


def _disjunction(e: ir.Or, source: Source) -> Answer:
    if not e.operands:
        return Answer("unsupported", _CONSTANT, handed=False)
    if any(n.lower() in source.partitions for n in ir.columns_of(e)):
        return Answer("unsupported", "it mixes columns of the files with partition columns", handed=False)
    branches = [_inside(o, source) for o in e.operands]
    for branch in branches:
        if not branch.handed or branch.kind == "unsupported":
            return Answer("unsupported", f"of a branch: {branch.why}", all(b.handed for b in branches))
    return min(branches, key=lambda a: _RANK[a.kind])


def _inside(e: Expr, source: Source) -> Answer:
    """Of a branch of a disjunction, which goes down as a whole or not at all."""
    if isinstance(e, ir.Or):
        return _disjunction(e, source)
    if not isinstance(e, ir.And):
        return _leaf(e, source)
    parts = [_inside(o, source) for o in e.operands]
    missing = next((p for p in parts if not p.handed), None)
    if missing is not None:
        return Answer("unsupported", missing.why, handed=False)
    supported = [p for p in parts if p.kind != "unsupported"]
    if not supported:
        return parts[0]
    weakest = min(supported, key=lambda a: _RANK[a.kind])
    return weakest if len(supported) == len(parts) else Answer("inexact", weakest.why)


def _leaf(e: Expr, source: Source) -> Answer:
    found = _form(e)
    if isinstance(found, str):
        return Answer("unsupported", found, handed=False)
    form, column, constants = found.form, found.column, found.constants
    table = FORMATS.get(source.format)
    if table is None:
        return Answer("unsupported", WITHOUT.get(source.format, "the format of the source is not known"), handed=False)
    if not source.pushes:
        return Answer("unsupported", "`pushDownPredicate` is off", handed=False)
    if path_of_column(column) is not None and source.format not in NESTED:
        return Answer("unsupported", f"the {source.format} reader tests no fields of structs", handed=False)
    answer, of = table[form], source.type_of(column)
    known = [c.type for c in constants if isinstance(c, (ir.Lit, ir.Call))]
    obstacle, condition = obstacle_of_types(of, known, source.format)
    if obstacle is not None:
        return Answer("unsupported", obstacle, handed=False)
    return Answer(answer.kind, answer.why + condition, answer.handed) if answer.kind != "unsupported" else answer


@dataclass(frozen=True)
class _Test:
    """A test of one bare column with constants."""

    form: Form
    column: str
    constants: tuple[Expr, ...] = ()


def _form(e: Expr) -> _Test | str:
    """The form of a leaf; why no source can evaluate it, if it has none that Spark hands down."""
    if any(array_of(name) is not None for name in ir.columns_of(e)):
        return "it asks for the size of an array, and sources test bare columns only"
    if any(as_native(name) for name in ir.columns_of(e)):
        return _COMPUTED
    negated = isinstance(e, ir.Not)
    inner = e.operand if isinstance(e, ir.Not) else e
    match inner:
        case ir.Compare(op, ir.Col(name), right) | ir.Compare(op, right, ir.Col(name)):
            if not _constant(right):
                return "it compares a column with something that varies by row"
            differs = op == ("==" if negated else "!=")
            return _Test("differ" if differs else "equal" if op in ("==", "!=") else "order", name, (right,))
        case ir.Same(ir.Col(name), right) | ir.Same(right, ir.Col(name)):
            if not _constant(right):
                return "it compares a column with something that varies by row"
            return _Test("not same" if negated else "equal", name, (right,))
        case ir.In(ir.Col(name), options):
            if not all(map(_constant, options)):
                return "the list varies by row"
            if any(isinstance(o, ir.Lit) and o.value is None for o in options):
                return "a NULL in the list makes it FALSE or NULL for every row" if negated else _Test(
                    "in with NULL", name, options
                )  # fmt: skip
            if len(options) == 1:  # Spark makes a comparison of it
                return _Test("differ" if negated else "equal", name, options)
            return _Test("not in" if negated else "in", name, options)
        case ir.IsNull(ir.Col(name)):
            return _Test("not null" if negated else "null", name)
        case ir.Col(name):
            return _Test("equal", name)
        case ir.StringTest(op, ir.Col(name), needle):
            if not _constant(needle):
                return "the text that is looked for varies by row"
            if op == "startswith":
                return _Test("not prefix" if negated else "prefix", name, (needle,))
            return _Test("not part" if negated else "part", name, (needle,))
        case ir.IsNaN():
            return "no source evaluates isnan"
        case _:
            return _COMPUTED


def _constant(e: Expr) -> bool:
    moment = isinstance(e, ir.Call) and e.name == "spark.timestamp_seconds" and isinstance(e.args[0], ir.Lit)
    return moment or isinstance(e, (ir.Lit, ir.Param))  # Spark computes such a moment before it plans
