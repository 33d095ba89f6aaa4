"""What a program asks of the rows of a frame: the steps from the frame to each value that somebody looks at.

Spark's optimizer ends at a *wall*: a call that hands rows to the driver, to a Python function or to a cache. What is
done with them behind the wall is a ``Reading``: steps that each take a smaller part. A reading that ends in the middle,
because the value is printed, returned or given to code that is not known, demands all of what it has reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Union

from .assumptions import Assumption
from .expr import CompareOp, Expr
from .parts import Order, Schema
from .plan import Cache, Filter, Join, Plan, Project, Way, Window
from .span import Span


@dataclass(frozen=True)
class Limited:
    """Rows → the first ``count`` of them: ``limit``, ``head(n)``, ``take``, a slice or pandas' ``head``."""

    count: int


@dataclass(frozen=True)
class Selected:
    """Rows → the same rows with these columns alone, in this order."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Skipped:
    """Rows → those from the place ``start`` on, counted from 0."""

    start: int


@dataclass(frozen=True)
class Item:
    """Rows or values → the one at the place ``index``, counted from 0; an error if there are not so many."""

    index: int


@dataclass(frozen=True)
class Each:
    """Rows → each row by itself, in turn."""


@dataclass(frozen=True)
class Column:
    """A row → its value in the column of this name; rows → these values."""

    name: str


@dataclass(frozen=True)
class ColumnBy:
    """A row → its value in the column whose name ``variable`` holds; rows → these values."""

    variable: str


@dataclass(frozen=True)
class SelectedBy:
    """Rows → the same rows with these columns and those whose names ``variables`` hold, each of them once, in an order
    that is not known."""

    columns: tuple[str, ...]
    variables: tuple[str, ...]


@dataclass(frozen=True)
class ColumnAt:
    """A row → its value in the column at this place, counted from 0."""

    index: int


@dataclass(frozen=True)
class Size:
    """Rows → how many there are."""


@dataclass(frozen=True)
class Test:
    """A number → whether it is less than, equal to … the number ``of``."""

    op: CompareOp
    of: int


@dataclass(frozen=True)
class Truth:
    """A number or rows → whether it is not 0, or there are any."""


@dataclass(frozen=True)
class Not:
    """A flag → its negation."""


@dataclass(frozen=True)
class Empty:
    """Rows → whether there are none: ``isEmpty()``, ``.empty``."""


SQL = "sql "
"""What the text of a condition begins with that is written in SQL."""


@dataclass(frozen=True)
class Where:
    """Rows → those for which each of ``conditions`` is TRUE. A condition is told by its text, in which functions of
    Spark's have their own names: one text means one function of a row."""

    conditions: tuple[str, ...]


@dataclass(frozen=True)
class AnyOf:
    """Rows → those for which all conditions of one of ``alternatives`` are TRUE, as ``Where`` has them."""

    alternatives: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Different:
    """Rows → the different ones among what they have in ``columns``, where NULL is a value like others. A column is
    told by its text as a condition is."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Counted:
    """How many rows there are, for which each of ``conditions`` is TRUE."""

    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folded:
    """Any function of a bag of rows, told by its text as a condition is, of those for which each of ``conditions`` is
    TRUE."""

    text: str
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kinds:
    """How many different rows there are in ``columns``, as ``Different`` has them, for which each of ``conditions`` is
    TRUE."""

    columns: tuple[str, ...]
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class AsRow:
    """The row that ``Measured`` gives, as one value: a struct."""

    measures: tuple[Measure, ...]
    names: tuple[str, ...]

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those of all measures."""
        return tuple(c for m in self.measures for c in m.conditions)


Measure = Union[Counted, Folded, Kinds, AsRow]


@dataclass(frozen=True)
class Measured:
    """Rows → one row with the values of ``measures``, in this order. ``names``: those of its columns, if they are known
    and the row itself is looked at."""

    measures: tuple[Measure, ...]
    names: tuple[str, ...] | None = None


Step = Union[
    Limited, Selected, SelectedBy, Skipped, Item, Each, Column, ColumnBy, ColumnAt, Size, Test, Truth, Not, Empty,
    Where, AnyOf, Different, Measured
]  # fmt: skip
Reading = tuple[Step, ...]


@dataclass(frozen=True)
class Reader:
    """One value behind a wall that the program looks at. ``reading``: the steps from the frame to it; ``span``: the
    expression that it is, ``direct`` if that begins with the wall's own call, and not with a variable that holds its
    result. ``role``: the kind of statement that it decides on: ``assert`` (an error unless it is true), ``raise`` (an
    ``if`` whose body raises), ``while``, or empty. ``certain``: whenever the wall's call is evaluated, so is this
    expression, at least where there are rows, and it reads a column."""

    reading: Reading
    span: Span
    direct: bool
    role: str = ""
    certain: bool = True


BY_ROW = ("map", "flatMap")
"""The walls that are methods of an RDD, and hand each row to a function."""


@dataclass(frozen=True)
class Wall:
    """One call that hands rows of a frame to the driver.

    ``operator``: ``collect``, ``toPandas``, ``count``, …; ``call``: the whole expression, ``receiver``: the frame in
    it, ``base``: that without the calls of ``limit`` and ``select`` at its end. ``plan``, ``schema``: of the frame.
    ``steps``: what these calls and the call itself do. ``readers``: every value that is looked at behind it.
    ``repeated``: it stands in a loop. ``rdd``: it is asked of ``frame.rdd``. ``again``: the value of
    another call that is spelled like it is used in the scope. ``assumed``: what
    makes that a frame, where the program does not; ``guessed``: nothing does but what its methods are called.
    ``unseen``: the frames in ``plan``, in words, of which the file does not say what makes them.
    """

    operator: str
    call: Span
    receiver: Span
    base: Span
    plan: Plan
    schema: Schema
    readers: tuple[Reader, ...]
    steps: Reading = ()
    repeated: bool = False
    rdd: bool = False
    again: bool = False
    assumed: tuple[Assumption, ...] = ()
    guessed: bool = False
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A condition, a measure or a column as it is written at ``span``. ``style``: ``column`` for a Column expression,
    ``sql`` for SQL text, ``name`` for the name of a column, else the name of the function that is asked for of the
    column named there. ``joined``: it is a condition that may have a conjunction inside, beside the one that it is."""

    span: Span
    style: str
    joined: bool = False


@dataclass(frozen=True)
class FunctionOf:
    """A function of a bag of rows, of one argument, that leaves out NULL. ``function``: where it is written; None where
    ``name`` alone says it. ``argument``: a Column expression, or the name of a column."""

    name: str
    function: Span | None
    argument: Part


@dataclass(frozen=True)
class Clause:
    """``for target in text`` of a comprehension, or ``if text`` where there is no ``target``. ``written``: how it may
    be written if it is not copied from ``at``, in the place of the braces in ``shape``."""

    target: str
    text: str
    written: str = field(default="", compare=False)
    at: Span | None = field(default=None, compare=False)
    shape: str = field(default="{}", compare=False)

    def spelled(self, source: str) -> str:
        """The clause as it is written in ``source``."""
        text = self.written if self.at is None else self.shape.replace("{}", self.at.text(source))
        return f"for {self.target} in {text}" if self.target else f"if {text}"


@dataclass(frozen=True)
class Turns:
    """The turns of a loop that run a job: a comprehension with these ``clauses`` has an element for each of them.
    ``name``: the expression for the name of a turn, empty if they are told apart by their order alone; ``variable``:
    what the first loop binds. ``assumed``: what has to be true for a turn to be there."""

    clauses: tuple[Clause, ...]
    name: str
    variable: str = field(compare=False)
    assumed: tuple[Assumption, ...] = field(default=(), compare=False)

    @property
    def over(self) -> str:
        """What the first loop goes through."""
        return self.clauses[0].text


@dataclass(frozen=True)
class InTurns:
    """``measure`` for each of ``turns``."""

    turns: Turns
    measure: Measure


@dataclass(frozen=True)
class Job:
    """An expression for which Spark computes one number, or one row of aggregates, of the frame in a variable.

    ``frame``: the variable; ``call``: the whole expression, ``base``: the frame in it; ``parts``: the conditions that
    are counted by, or the measure; ``columns``: of what different rows are counted; ``function``: what is asked for of
    the rows behind conditions. ``plan``, ``schema``: of the frame; ``above``: of the filters.
    ``statement``: the one that it is in. ``run``: the statement in front of
    which the frame may be asked for what this job and the others with that ``run`` ask of it, all of which are sure to
    be run; None if nothing is known of the kind. ``behind``: what may have ended the program since the first of them,
    ``assert``, ``raise``, ``seen`` (an error that other code may go on behind) or ``leave``. ``certain``: whether the
    variable surely holds a frame, ``frame_if``: otherwise, what says so of a job that other libraries' objects have no
    methods for. ``turns``: those of the loop that
    is ``statement``, or is a comprehension in it, each of which runs the job. ``columns_for``: of a row, the turns that
    its columns are for.
    ``assumed``: what has to be true for the reading to be that of the expression. ``again``: it is in a branch, and the
    number is one that a job in front of that has asked for. ``wider``: the same as a job of the frame that ``frame`` is
    made of by filters, or of ``frame`` itself, with the ``run`` of all that are asked of that one or of what is made of
    it so. ``stays``: why a loop around it runs it in each turn.
    """

    frame: str
    call: Span
    base: Span
    reading: Reading
    parts: tuple[Part, ...]
    plan: Plan
    schema: Schema
    above: Plan
    statement: Span | None = None
    run: Span | None = None
    behind: str = ""
    certain: bool = True
    columns: tuple[Part, ...] = ()
    function: FunctionOf | None = None
    turns: Turns | None = None
    columns_for: InTurns | None = None
    frame_if: Assumption | None = None
    assumed: tuple[Assumption, ...] = ()
    again: bool = False
    wider: Job | None = None
    stays: str = field(default="", compare=False)


@dataclass(frozen=True)
class Claim:
    """Both readings of one frame give the same value wherever the first gives one; the first may fail where the second
    does not."""

    before: Reading
    after: Reading


@dataclass(frozen=True)
class DemandCertificate:
    """The proof that a smaller part of a frame is all that a program looks at: ``claims``, one for each reader."""

    version: int
    operator: str
    claims: tuple[Claim, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True)
class FrameUses:
    """What a program makes of one frame. ``made_by``: the operator whose result it is, as ``proof.demand.caches``
    names it. ``held``: how many variables it
    is bound to, ``reads``: how often these are read. ``makes``: the numbers of the frames that are made of it, once for
    each time that one reads it; ``ends``: what else is done with it, as ``Way.end`` says; ``leaves`` among them where
    code that is not here gets it."""

    made_by: str
    held: int = 0
    reads: int = 0
    makes: tuple[int, ...] = ()
    ends: tuple[str, ...] = ()


UnlistedKind = Literal[
    "given", "returned", "kept", "inside", "again", "ways", "elsewhere", "call", "attribute", "value"
]


@dataclass(frozen=True)
class UnlistedUse:
    """Why not every use of a frame is known. ``kind``: it is an argument of a call, returned, kept in a value, read by
    a function inside, read again by a loop, one of several that a variable may hold, read by code that is not followed,
    the receiver of a call, or asked for an attribute; ``text``: what is written there; ``made_by``: the operator whose
    result it is."""

    kind: UnlistedKind
    text: str
    made_by: str

    @property
    def words(self) -> str:
        """What becomes of it, as a sentence about the frame."""
        match self.kind:
            case "given":
                return f"`{self.text}` gets it" if self.text else "a call gets it"
            case "returned":
                return "it is returned"
            case "kept":
                return "another value holds it"
            case "inside":
                return f"a function or comprehension reads `{self.text}`"
            case "again":
                return f"`{self.text}` is read in a loop"
            case "ways":
                return f"`{self.text}` holds one of several frames"
            case "elsewhere":
                return f"code that is not followed reads `{self.text}`"
            case "call":
                return f"what `{self.text}` does with it is not known"
            case "attribute":
                return f"`{self.text}` of it is not followed"
        return f"what becomes of `{self.text}` is not known"


@dataclass(frozen=True)
class KeptFrame:
    """A call of ``cache`` or ``persist``. ``call``: the whole expression, ``receiver``: the frame in it; ``plan``: of
    the result. ``uses``: what becomes of the frame, which is the first of them, and of all that is made of it; None if
    that is not known. ``repeated``: it stands in a loop. ``unlisted``: why ``uses`` is not known; ``actions``: how many
    actions are known to ask for its rows, then. ``below``: the names of the operators that it is made by, in the order
    of ``walks.below``. ``freed``, ``freed_below``: the statements that free what is kept, by a variable that holds the
    result or the frame below it."""

    call: Span
    receiver: Span
    plan: Cache
    uses: tuple[FrameUses, ...] | None
    repeated: bool = False
    unlisted: UnlistedUse | None = None
    actions: int = 0
    below: tuple[str, ...] = ()
    freed: tuple[Span, ...] = ()
    freed_below: tuple[Span, ...] = ()


@dataclass(frozen=True)
class GroupExtreme:
    """A column ``name`` that holds the ``function`` (``max``, ``min``) of ``column`` in each group, made by ``window``,
    which ``filter`` alone reads. ``head``, ``given``, ``spec``: where the function, its argument and the window of
    ``value`` are written; ``call``: the whole call that makes the column; ``facts``: TRUE of ``column`` on every row.
    ``running``: the order of the window, of which each row sees those up to its own and its peers; None if it sees all.
    ``flag``: what says whether ``beside``, which is ``column``, equals the extreme, if ``name`` holds ``held`` where
    that is TRUE, and something else or nothing elsewhere. ``ways``:
    every way that the result of ``filter`` takes, None if not all are known; ``behind``: what alone reads that.
    """

    function: str
    column: str
    name: str
    window: Window
    filter: Filter
    head: Span
    given: Span
    value: Span
    spec: Span
    call: Span
    facts: tuple[Expr, ...] = ()
    running: Order | None = None
    flag: Span | None = None
    beside: Span | None = None
    held: bool | int | str = True
    ways: tuple[Way, ...] | None = field(default=None, compare=False)
    behind: Plan | None = None


@dataclass(frozen=True)
class ExtremeCertificate:
    """The proof that the rows of a group whose ``column`` equals its ``function`` are those of rank ``rank`` in an
    order by it, if it is ``present``. ``running``: the function is of the rows up to each row and its peers in this
    order; None if it is of the group. ``keys``: the program joins the functions of the groups to the rows
    by these columns, and ``known_keys`` those of them that must have a value afterwards; ``below``: every operator that
    these rows are made by, for the program computes them twice."""

    version: int
    operator: str
    column: str
    order: Order
    rank: int
    present: bool
    assumptions: tuple[Assumption, ...] = ()
    running: Order | None = None
    keys: tuple[str, ...] = ()
    known_keys: tuple[str, ...] = ()
    below: tuple[Below, ...] = ()


KeyType = Literal["same", "different", "unknown"]


@dataclass(frozen=True)
class KeyPair:
    """Columns of the left and the right side of a join that ``==`` compares, and whether their types are the same."""

    left: str
    right: str
    types: KeyType


@dataclass(frozen=True)
class NullTest:
    """A filter right above a join that keeps the rows in which ``column``, of the right side, is NULL. ``call``: the
    whole expression, ``receiver``: the frame in it; ``never_null``: no row of the right side has NULL there."""

    call: Span
    receiver: Span
    filter: Filter
    column: str
    never_null: bool


@dataclass(frozen=True)
class PlainJoin:
    """A call of ``join``. ``call``: the whole expression; ``how``: its join type, None if it has none; ``last``: its
    last argument, and ``keyword`` whether that is given by name. ``keys``: what ``==`` compares; ``test``: the one
    filter that reads it, if it is a test for rows without a match; ``behind``: the projection that alone reads the
    result; ``by_name``: all that is made of the result is known, and reads its columns by their names: ``read`` above
    ``behind``, as far up as a name reaches, and ``made`` there. ``unclear``: calls among that of which it is only
    known that they may keep whole rows. ``forgiving``: one of each row is kept further on, however often it is there.
    ``whole``: nothing but ``keys`` is compared, and the right side is an aggregate, its columns renamed perhaps; then
    ``below`` are the names of the operators that make the left side, as ``KeptFrame`` has them. ``reader``: the filter
    that alone reads the join; ``ways``: every way of its result, or of the join's, None if not all are known;
    ``last_reader``: what alone reads that; ``described``: the names of columns are looked at there.
    """

    call: Span
    join: Join
    how: Span | None
    last: Span
    keyword: bool
    keys: tuple[KeyPair, ...]
    test: NullTest | None
    behind: Project | None
    by_name: bool
    read: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    unclear: tuple[Span, ...] = ()
    forgiving: bool = False
    whole: bool = False
    reader: Filter | None = None
    ways: tuple[Way, ...] | None = field(default=None, compare=False)
    last_reader: Plan | None = None
    described: bool = False
    below: tuple[str, ...] = ()


@dataclass(frozen=True)
class MatchCertificate:
    """The proof that a semi or anti join gives the rows of a join of another type.

    ``operator``: ``semi`` or ``anti``; ``keys``: the columns of the right side that must be equal to those of the left
    one; ``unique``: columns of which no two rows of the right side have the same values, none if that is not needed;
    ``tested``: the column of the right side that is NULL in the rows that are kept, and ``never_null`` whether it never
    is in the right side; ``unread``: columns of the right side in the result that nobody reads; ``read``: those that
    somebody reads. ``forgiving``: how often a row of the left side is kept matters to nobody, but whether it is.
    """

    version: int
    operator: Literal["semi", "anti"]
    keys: tuple[str, ...]
    unique: tuple[str, ...] = ()
    tested: str | None = None
    never_null: bool = False
    unread: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    forgiving: bool = False


@dataclass(frozen=True)
class Below:
    """An operator that a frame is made by: its name, the expressions that it evaluates, and of an aggregate the words
    of its text, among them the functions that it calls."""

    operator: str
    values: tuple[Expr, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class CacheCertificate:
    """The proof that one action asks once for the rows that ``operator`` keeps, and that these are a function of the
    sources: ``uses`` of the frame as ``KeptFrame`` has them, ``below``: every operator that it is made by."""

    version: int
    operator: str
    uses: tuple[FrameUses, ...]
    below: tuple[Below, ...]
    assumptions: tuple[Assumption, ...] = ()
