"""What every question about plans asks of an operator: one ``Operator`` value for each class of plan nodes.

A plan node has no behaviour of its own. Movement (``move``), types and known columns (``columns``), and liveness
(``liveness``) each follow a plan from node to node; what they need to know of one node is answered here, by functions
of that node alone. What a rule must know of the plans below a node it asks of ``Inputs``.

The defaults are those of an operator that gives back rows of its one input under the names that they have. There is no
default for ``through``: whether a filter passes is stated for each operator, with its law.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

from headwater_ir.expr import Expr
from headwater_ir.plan import Plan
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import Type

from .outcome import Down, Stop

N = TypeVar("N")


class Inputs(Protocol):
    """What a rule may ask of the plans below its node; ``columns`` answers it."""

    def type_of_column(self, plan: Plan, name: str) -> Type:
        """The type of column ``name`` of ``plan``; ANY where it is not known."""

    def surely_has(self, plan: Plan) -> frozenset[str]:
        """Names of columns of ``plan``, perhaps not of all."""


@dataclass(frozen=True)
class Columns:
    """The columns of an operator's output, as far as the operator tells.

    ``made``: those that it defines, with their value over the input, or with their type where they have no such value.
    ``child``: the input whose other columns a name may reach, None if there is none. ``keeps``: those are columns of
    the output too, but for ``dropped``; a filter may reach the others all the same (``ResolveReferences``).
    ``sides``: inputs of which every column is one of the output, although its type may have changed. ``read``: names
    that Spark resolves as columns of the input. ``ends``: no name reaches below: whatever is read of the output is a
    column of it.
    """

    made: Mapping[str, Expr | Type]
    child: Plan | None = None
    keeps: bool = True
    dropped: tuple[str, ...] = ()
    sides: tuple[Plan, ...] = ()
    read: frozenset[str] = frozenset()
    ends: bool = False


@dataclass(frozen=True)
class Reads:
    """What an operator needs of the columns of its input: those called ``names``, or ``all`` of them. ``ends``: nobody
    above it reads a column of the input by its name any more."""

    names: frozenset[str] = frozenset()
    all: bool = False
    ends: bool = False


NOTHING = Reads()
EVERY_COLUMN = Reads(all=True)
LAST = Reads(all=True, ends=True)
UNKNOWN = None
"""Of ``Columns``: none are known. Of ``Reads``: anything may be read, also columns that are dropped further down."""


def of_outputs(outputs: tuple[OutputColumn, ...], child: Plan | None = None) -> Columns:
    """The columns that a fold makes, beside those of ``child``."""
    return Columns({o.name: o.type for o in reversed(outputs)}, child, ends=child is None)


@dataclass(frozen=True)
class Operator(Generic[N]):
    """The one value that states what the nodes of class ``node`` do.

    ``law``: the module whose docstring states when a filter passes, why that is sound, and the counterexample.
    ``through``: a predicate above a node as one below it: an ``Expr`` for its one input, or a ``Down`` for each
    input that it enters; ``Stop``, with the reason, if it does not pass. ``columns`` and ``reads``: see those
    classes; ``UNKNOWN`` is always a sound answer.
    ``rows_of_input``: every row of the output is one of the only input, with the same value in every column: rows
    may be dropped, repeated and ordered. ``renames``: whether a residual above a node must not name other columns
    than the filter did. ``stays``: rows come from several inputs, or are needed for others, so that the filter
    stays where it is. ``meet``: of a boundary, the fold that a predicate meets there, the predicate over its
    outputs, and the conjuncts that read only what each input row already has.
    """

    node: type[N]
    law: str
    through: Callable[[Expr, N, Inputs], Expr | tuple[Down, ...]]
    columns: Callable[[N], Columns | None]
    reads: Callable[[N], Reads | None] = lambda _: NOTHING
    renames: Callable[[N], bool] = lambda _: True
    stays: bool = False
    rows_of_input: bool = False
    meet: Callable[[Expr, N, Inputs], tuple[Fold, Expr, tuple[Expr, ...]]] | None = None


class HasChild(Protocol):
    """A plan node with one input."""

    @property
    def child(self) -> Plan:
        """The input."""


def same_columns(node: HasChild) -> Columns:
    """The columns of the input, and no others."""
    return Columns({}, node.child)


def passes_as_it_is(predicate: Expr, node: object, inputs: Inputs) -> Expr:
    """The rule of an operator that gives back each row of its input."""
    return predicate


def ends_here(predicate: Expr, node: object, inputs: Inputs) -> NoReturn:
    """The rule of an operator that is always a boundary: a predicate meets its fold."""
    raise Stop("opaque", "a boundary")
