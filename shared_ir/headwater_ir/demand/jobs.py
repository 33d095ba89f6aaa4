"""Several jobs over one frame: what each of them computes, and the turns of a loop that run them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..assumptions import Assumption
from ..parts import Schema
from ..plan import Plan
from ..span import Span
from .readings import Measure, Reading


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
    what the first loop binds. ``assumed``: what has to be true for a turn to be there. ``found``: what is gone through
    was found in the frame itself, so that all turns together read it whole."""

    clauses: tuple[Clause, ...]
    name: str
    variable: str = field(compare=False)
    assumed: tuple[Assumption, ...] = field(default=(), compare=False)
    found: bool = field(default=False, compare=False)

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
class Asked:
    """A number that a job has asked for inside a statement, behind code that may do anything. ``first``: that job;
    ``statement``: the one that another job for the number is in; ``assumed``: what has to be true of what stands
    between them."""

    first: Span
    statement: Span
    assumed: tuple[Assumption, ...] = ()


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
    it so. ``stays``: why a loop around it runs it in each turn. ``kept``: perhaps a cache keeps the rows of the frame.
    ``moved``: the statements since ``run`` that have to stand in front of it for what the job reads to be there, and
    may.
    ``unseen``: as of a ``Wall``, and what that is handed in. ``asked``: where the same number was asked for, if that is
    known of a job whose statement does more before it.
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
    kept: bool = field(default=False, compare=False)
    moved: tuple[Span, ...] = ()
    unseen: tuple[str, ...] = ()
    asked: Asked | None = None

    @property
    def in_place(self) -> Job | None:
        """It as one of those that are given the number of the first of them, where that stands: what ends the program
        between them is no matter, for nothing is asked for earlier than it was."""
        if self.asked is None:
            return None
        return replace(
            self, run=self.asked.first, statement=self.asked.statement, behind="", turns=None, again=False, wider=None,
            assumed=(*self.assumed, *self.asked.assumed), moved=(),
        )  # fmt: skip
