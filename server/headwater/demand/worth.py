"""What is known of the rows that reach a wall: whether there are few of them, in an order, or at the cost of a shuffle.

A smaller demand saves nothing where there are few rows anyway, and changes which rows are seen where they come in an
order that leaves ties.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from headwater.pyspark.api.sources import SMALL, WHOLE_FILES, is_command
from headwater_ir.demand import Job, Measured
from headwater_ir.expr import Col, Compare, Expr, IsNull, Lit, Not, columns_of
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Cause,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupingSets,
    GroupMap,
    Join,
    Limit,
    Opaque,
    Pivot,
    Plan,
    Project,
    RowUdf,
    Sample,
    Scan,
    SetOperation,
    Shared,
    Sort,
    UnionAll,
    View,
    Watermark,
    Window,
)
from headwater_ir.span import Span
from headwater_ir.walks import below, inputs

from .one_row import filters_of

FEW_ROWS = 10_000
"""So many rows are handed over in less time than a query takes to begin (``cost.estimate.START_SECONDS``)."""
_FEWER = (
    Filter,
    Project,
    RowUdf,
    Sort,
    Limit,
    Sample,
    Distinct,
    DropDuplicates,
    Cache,
    Shared,
    Watermark,
    View,
    Window,
)
"""They make no more rows of theirs than their input has."""
_KEEPS_ORDER = (Filter, Project, RowUdf, Cache, Shared, Watermark, View, Limit, Explode, Sample)
_SHUFFLES = (
    Aggregate, Distinct, DropDuplicates, GroupingSets, GroupMap, Join, Pivot, SetOperation, Sort, Window,
)  # fmt: skip
_TAKES_ALL = (Aggregate, Distinct, DropDuplicates, GroupingSets, GroupMap, Pivot, SetOperation, Sort, Window)
"""They see every row of their input before they give one."""

_NO_EFFECTS = frozenset[Cause](("row by row", "pure functions", "no effects"))
"""What is known of calls without a model that have no side effect."""
_OF_A_ROW = frozenset[Cause](("row by row", "pure functions", "other functions"))


def _way(plan: Plan) -> Iterator[Plan]:
    """``plan`` and what is below it, as long as an operator makes no more rows than it is given."""
    at: Plan | None = plan
    while at is not None:
        yield at
        at = at.child if isinstance(at, _FEWER) or (isinstance(at, Opaque) and is_row_by_row(at)) else None


def is_row_by_row(at: Plan) -> bool:
    """Whether ``at`` is a call without a model that makes each row of one row, by Spark's own functions."""
    return isinstance(at, Opaque) and "row by row" in at.causes


def why_few(plan: Plan) -> str | None:
    """Why the frame has few rows, whatever the data; None if that is not known."""
    if made_of_values(plan, lambda at: False):
        return "the frame is made of values on the driver"
    equal: set[str] = set()
    for at in _way(plan):
        match at:
            case Limit():
                return "the frame has a limit already"
            case Filter(conjuncts=conjuncts):
                equal |= {c for part in conjuncts if (c := _fixed(part.condition)) is not None}
            case Aggregate(fold=fold) | GroupMap(fold=fold):
                if {*fold.keys} <= equal | _fixed_below(at.child):
                    return "the frame has one row"
            case Pivot(keys=keys):
                if {*keys} <= equal | _fixed_below(at.child):
                    return "the frame has one row"
            case Scan(rows=int(rows)) if rows <= FEW_ROWS:
                return f"the data files have {rows:,} row{'' if rows == 1 else 's'}"
            case Scan(origin="spark.range"):
                return "the frame is a range of numbers"
            case Scan() if is_command(at):
                return "the answer of a command has few rows"
            case Opaque(causes=causes) if "few rows" in causes:
                return "a summary of columns has few rows"
            case Scan(origin=origin) if origin.endswith(SMALL):
                return "the log of a table, or the summary of a model, has few rows"
            case Scan(origin=origin) if origin == WHOLE_FILES:
                return "each row is a whole file"
    return None


def rows_of_files(plan: Plan) -> int | None:
    """How many rows ``plan`` has, where its data files say so and nothing above them makes more or less."""
    while isinstance(plan, (Project, RowUdf, Sort, Cache, Shared, View)):
        plan = plan.child
    return plan.rows if isinstance(plan, Scan) else None


def made_of_values(plan: Plan, given: Callable[[Span], bool]) -> bool:
    """Whether all rows of ``plan`` come of values on the driver, and no operator that it is known to have makes many
    rows of one. ``given``: whether that is so of the variable of unknown origin that is written there."""
    for at in below(plan):
        if inputs(at):
            known = not isinstance(at, Explode)
        elif isinstance(at, Scan) and at.format != "unknown":
            known = at.origin == "createDataFrame"
        else:
            known = isinstance(at, (Scan, Opaque)) and given(at.span)
        if not known:
            return False
    return True


def _fixed_below(plan: Plan) -> set[str]:
    """The columns that filters right below fix to one value."""
    found: set[str] = set()
    while isinstance(plan, Filter):
        found |= {c for part in plan.conjuncts if (c := _fixed(part.condition)) is not None}
        plan = plan.child
    return found


def _fixed(condition: Expr) -> str | None:
    """The column that ``condition`` gives one value."""
    match condition:
        case Compare(op="==", left=Col(name), right=Lit()) | Compare(op="==", left=Lit(), right=Col(name)):
            return name
    return None


def ordered_by(plan: Plan) -> tuple[str, ...] | None:
    """The columns that the rows of ``plan`` are ordered by; () if they are in no order, None if that is not known."""
    at: Plan | None = plan
    while at is not None:
        if isinstance(at, Sort):
            return at.by
        if isinstance(at, Opaque) and not is_row_by_row(at):
            return None
        if isinstance(at, UnionAll):  # the rows of the left side come first
            return () if ordered_by(at.left) == ordered_by(at.right) == () else None
        at = at.child if isinstance(at, (*_KEEPS_ORDER, Opaque)) else None
    return ()


def unknown_below(plan: Plan, assumed: list[Opaque] | None = None) -> str | None:
    """Why it is not known what is done to rows that a limit keeps from being made: it may have a side effect.
    ``assumed``: takes the calls whose only unknown functions are of other files, which are passed then."""
    todo = [plan]
    while todo:
        at = todo.pop()
        if isinstance(at, Opaque) and assumed is not None and "other functions" in at.causes:
            assumed.append(at)
        elif isinstance(at, Opaque) and at.causes.isdisjoint(("row by row", "pure functions")):
            return at.reason
        if not isinstance(at, _TAKES_ALL):
            todo += inputs(at)
    return None


def unknown_anywhere(plan: Plan, read: Collection[str]) -> str | None:
    """Why it is not known what is done to columns that a projection to the columns ``read`` keeps from being made. What
    makes none but some of these is done all the same, and so is a filter."""
    done = [at for at in _made_alone(plan) if at.makes is not None and at.makes <= {*read}]
    known = ("filter", "row by row", "pure functions")
    unknown = (at for at in below(plan) if isinstance(at, Opaque) and at.causes.isdisjoint(known))
    return next((at.reason for at in unknown if not any(at is d for d in done)), None)


def _made_alone(plan: Plan) -> Iterator[Opaque]:
    """The calls without a model that make columns of ``plan``, which no operator above them makes or drops."""
    over: set[str] = set()
    at: Plan | None = plan
    while isinstance(at, (Filter, Sort, Limit, Cache, Shared, View, Project, Opaque)):
        if isinstance(at, Project):
            if not at.keeps_others:
                return
            over |= {n.lower() for n, _ in at.columns} | {d.lower() for d in at.dropped}
        if isinstance(at, Opaque):
            if at.makes is None and at.causes.isdisjoint(("filter", "row by row")):
                return
            if at.makes is not None and not {n.lower() for n in at.makes} & over:
                yield at
            over |= {n.lower() for n in at.makes or ()}
            if at.makes is None and "filter" not in at.causes:
                return  # it may make any
        at = at.child


def computes(plan: Plan) -> bool:
    """Whether Spark must see all rows to make the first row of ``plan``, and nothing but Spark makes them."""
    nodes = list(below(plan))
    python = any(isinstance(n, (GroupMap, RowUdf)) for n in nodes)
    return not python and any(isinstance(n, _SHUFFLES) for n in nodes)


def groups_with_values(plan: Plan, columns: Iterable[str]) -> str | None:
    """Why little is saved where only ``columns`` of ``plan`` are read: its rows are groups, and more than their keys is
    read, or nothing but a count of them is not. If only keys are read, no aggregate is computed."""
    for at in _way(plan):
        if isinstance(at, (Aggregate, GroupMap)):
            keys = {k.lower() for k in at.fold.keys}
            if not {c.lower() for c in columns} <= keys:
                return "each row is a group, as a rule of many rows"
            counted = {c.name.lower() for c in at.fold.columns} <= keys
            return "each row is a group, of which no more than a count is not read" if counted else None
    return None


def one_pass_is_no_gain(plan: Plan, assumed: list[Opaque]) -> str | None:
    """Why several jobs of ``plan`` are not put together: the second one is cheap, or a frame that is not the same twice
    is not what the program is about. ``assumed``: as for ``unknown_below``."""
    few = why_few(plan)
    if few is not None:
        return few
    for at in below(plan):
        match at:
            case Limit() | Sample():
                return f"`{at.operator}` may take other rows each time"
            case Opaque(obstruction="volatile" | "side-effect", reason=reason):
                return reason
            case Opaque(causes=causes, reason=reason) if "stream" in causes:
                return reason
            case Opaque(causes=causes) if "other functions" in causes:
                assumed.append(at)
            case Opaque(child=child, causes=causes, reason=reason) if child is not None and not causes & _NO_EFFECTS:
                return reason  # it may call a function that has a side effect, each time
    return None


def is_cached(plan: Plan) -> bool:
    """Whether each job of ``plan`` finds its rows kept, but for what is computed of each row by itself: a join above a
    cache is done again."""
    at: Plan | None = plan
    while isinstance(at, (Filter, Project, RowUdf, Shared, View)) or (isinstance(at, Opaque) and at.causes & _OF_A_ROW):
        at = at.child
    unknown = isinstance(at, Opaque) and "no effects" not in at.causes
    return isinstance(at, Cache) or (unknown and at is not None and any(isinstance(n, Cache) for n in below(at)))


def may_skip_at_the_source(plan: Plan) -> bool:
    """Whether a filter above ``plan`` may keep Spark from reading whole files or row groups: nothing but filters and
    projections stand above a source that is not known to be read whole."""
    at = plan
    while isinstance(at, (Filter, Project, Shared, View)) or (isinstance(at, Opaque) and is_row_by_row(at)):
        if at.child is None:
            return True
        at = at.child
    return isinstance(at, Scan) and at.format not in ("csv", "json", "text", "memory")


def is_of_database(plan: Plan) -> bool:
    """Whether ``plan`` is read right from a database."""
    at = plan
    while isinstance(at, (Project, Shared, View)):
        at = at.child
    return isinstance(at, Scan) and at.format == "jdbc"


def is_by_columns(plan: Plan) -> bool:
    """Whether ``plan`` is read right from files that are known to keep columns apart, with statistics of each."""
    at = plan
    while isinstance(at, (Project, Shared, View)):
        at = at.child
    return isinstance(at, Scan) and at.format in ("delta", "iceberg", "orc", "parquet", "table")


def reads_what_is_hidden(job: Job, plan: Plan) -> bool:
    """Whether a condition of ``job`` may read a column that ``plan``, the frame, has no more: Spark finds it for a
    filter below a projection, but not for an aggregate."""
    read: set[str] | None = set()
    for at in filters_of(job):
        if at.unread is not None or read is None:
            read = None
        else:
            read |= {c.partition(".")[0].lower() for part in at.conjuncts for c in columns_of(part.condition)}
    if isinstance(job.reading[0], Measured):
        return False  # the job is an aggregate itself
    for node in _way_with_unknown(plan):
        if _hides(node, read):
            return True
        if read and isinstance(node, (Project, Window)) and node.keeps_others:
            read = read - _made_by(node)
            if not read:
                return False  # all that is read is made above what may hide others
    return False


def _way_with_unknown(plan: Plan) -> Iterator[Plan]:
    at: Plan | None = plan
    while at is not None:
        yield at
        named = isinstance(at, Aggregate) or (isinstance(at, (Project, Window)) and not at.keeps_others)
        goes_on = isinstance(at, (*_FEWER, Explode)) or (isinstance(at, Opaque) and at.child is not None)
        at = at.child if goes_on and not named and hasattr(at, "child") else None


def _made_by(at: Project | Window) -> set[str]:
    """The columns that ``at`` adds, or puts in the place of others of that name."""
    made = {n.lower() for n, _ in at.columns}
    return made | {w.name.lower() for w in at.windows} if isinstance(at, Window) else made


def _hides(at: Plan, read: set[str] | None) -> bool:
    """Whether ``at`` may drop one of the columns ``read``; None for any."""
    match at:
        case Project(columns=columns, keeps_others=False):
            return read is None or not read <= {n.lower() for n, _ in columns}
        case Project(dropped=dropped) if dropped:
            return read is None or bool(read & {d.lower() for d in dropped})
        case Window(columns=columns, windows=windows, keeps_others=False):
            return read is None or not read <= {
                n.lower() for n in (*(n for n, _ in columns), *(w.name for w in windows))
            }
        case Aggregate(fold=fold):
            return read is None or not read <= {n.lower() for n in (*fold.keys, *(o.name for o in fold.outputs))}
        case GroupingSets() | Pivot():
            return True
        case Opaque(child=child, causes=causes, makes=makes) if child is not None:
            return "columns" not in causes or makes is None
    return False


def one_column_of_each_name(plan: Plan) -> bool | None:
    """Whether no two columns of ``plan`` have the same name; None if the program does not say."""
    for at in _way(plan):
        if isinstance(at, Opaque):
            return None
        if isinstance(at, (Aggregate, GroupMap)):
            return True
        if isinstance(at, Scan):
            return None if at.format in ("unknown", "table") else True  # a table may be a view of a join
        if isinstance(at, (Project, Window)) and not at.keeps_others:
            return True
    return None


def is_text(plan: Plan) -> bool:
    """Whether the rows are lines of text files, with a column for these and perhaps some of the directories' names."""
    return any(isinstance(at, Scan) and at.format == "text" for at in _way(plan))


def columns_of_plan(plan: Plan) -> tuple[str, ...] | None:
    """All columns of ``plan``, where an operator names them."""
    for at in _way(plan):
        if isinstance(at, Opaque):
            return None
        if isinstance(at, Aggregate):
            return (*at.fold.keys, *(o.name for o in at.fold.outputs if o.name not in at.fold.keys))
        if isinstance(at, Project):
            return None if at.keeps_others else tuple(n for n, _ in at.columns)
    return None


def columns_below(plan: Plan) -> tuple[str, ...] | None:
    """All columns that the calls without a model at the end of ``plan`` are given, where these make none of a name that
    is told, and an operator names them."""
    while isinstance(plan, Opaque) and plan.makes == frozenset() and plan.child is not None:
        plan = plan.child
    return columns_of_plan(plan)


def leaves_out_one(pre_filter: Expr, plan: Plan) -> bool:
    """Whether ``pre_filter`` is false for one row at most that reaches a function of ``plan``, or the driver: that of
    NULL among the distinct values of a column."""
    match pre_filter, plan:
        case Not(IsNull(Col(name))), RowUdf(Distinct(Project(columns=((only, _),), keeps_others=False))):
            return name == only
    return False
