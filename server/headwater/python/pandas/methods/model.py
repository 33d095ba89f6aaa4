"""Models of pandas methods: one entry for each, in the file of its family.

An entry states the signature and what kind of result a call yields (``libraries.entry``), and, if the method has a
law, what of the rows it needs, which parameters the law reads, and the law: the function that gives the value. All else
derives from the entries: purity, what key flow knows, whether a method may be used where a row must be treated by
itself, and which names an attribute access reaches. ``tests/python/pandas`` runs every law beside pandas.

A family file declares its methods when it is imported, and ``headwater.python`` imports all of them: so the tables are
complete wherever they are read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from headwater.libraries import models, registry
from headwater.libraries.entry import Columns, Constants, Yields
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.verdict import Obstruction

if TYPE_CHECKING:
    from headwater.python.pandas.values import PandasInterpreter

SERIES, FRAME, TEXTS = "pandas.Series", "pandas.DataFrame", "pandas.Series.str"
ARRAY, NUMPY = "numpy.ndarray", "numpy"
FRAME_GROUPS, GROUPS = "pandas.DataFrameGroupBy", "pandas.SeriesGroupBy"
declare = registry.register
Needs = Literal["its own row", "all rows", "an order"]
"""What a law reads: the row alone that it gives a value for, the bag of all rows, or their order too."""


@dataclass(frozen=True)
class MethodCall:
    """A call ``owner.method(…)`` whose arguments are bound to the declared parameters."""

    run: PandasInterpreter
    node: ast.expr
    owner: AbstractObject
    bound: Bound
    env: Env

    @property
    def method(self) -> str:
        """The name of the method."""
        return self.bound.name

    @property
    def series(self) -> Series:
        """The column that a method of columns is called on."""
        assert isinstance(self.owner, Series)
        return self.owner

    @property
    def frame(self) -> RowSequence:
        """The frame that a method of frames is called on."""
        assert isinstance(self.owner, RowSequence)
        return self.owner

    @property
    def receiver(self) -> ast.expr:
        """What is written before the method's name; for an accessor's method, before the accessor."""
        assert isinstance(self.node, ast.Call)
        assert isinstance(self.node.func, ast.Attribute)
        return self.node.func.value

    def get(self, name: str) -> ast.expr | None:
        """The argument of the parameter ``name``; None if it is not given."""
        return self.bound.get(name)

    def needed(self, name: str) -> ast.expr:
        """The argument of the parameter ``name``; Refusal ("opaque") without it."""
        found = self.bound.get(name)
        if found is None:
            raise self.refusal("opaque", f"`{self.method}` without `{name}`")
        return found

    def refusal(self, obstruction: Obstruction, reason: str) -> Refusal:
        """A refusal at this call."""
        return Refusal(obstruction, reason, self.node)


Law = Callable[[MethodCall], Value]
AnyLaw = TypeVar("AnyLaw", bound=Law)


@dataclass(frozen=True)
class Model:
    """The law of one method. ``reads``: the parameters that it reads; a call that gives another one is refused, and
    ``**`` stands for those by other names. ``refuses``: why it has no value, whatever it is called with."""

    name: str
    law: Law
    needs: Needs
    reads: tuple[str, ...]
    refuses: str = ""


_LAWS: dict[str, Model] = {}


def laws() -> dict[str, Model]:
    """All laws by the full names of the methods."""
    return _LAWS


def method(
    kind: str,
    yields: Yields,
    declarations: str,
    *,
    needs: Needs,
    reads: tuple[str, ...] = (),
    leaves: Callable[[Constants], bool] = lambda given: False,
    columns: Callable[[Constants], Columns] | None = None,
) -> Callable[[AnyLaw], AnyLaw]:
    """Declares methods, as ``libraries.registry.register`` does, and gives them the decorated function as their law."""

    def give(law: AnyLaw) -> AnyLaw:
        for name in registry.register(kind, yields, declarations, leaves=leaves, columns=columns):
            _LAWS[name] = Model(name, law, needs, reads)
        return law

    return give


def refused(
    kind: str, yields: Yields, declarations: str, obstruction: Obstruction, reason: str, *, needs: Needs
) -> None:
    """Declares methods that have no value here, and says why. They are pure all the same."""

    def law(call: MethodCall) -> Value:
        raise call.refusal(obstruction, reason)

    for name in registry.register(kind, yields, declarations):
        _LAWS[name] = Model(name, law, needs, (), reason)


def call_of(
    run: PandasInterpreter, node: ast.Call, owner: AbstractObject, name: str, env: Env
) -> tuple[Law, MethodCall]:
    """The law of the method or function of this full name and what it is called with. Refusal ("opaque") if it has none
    or its model does not cover the arguments; ("row-context") if ``run`` reads row by row and it needs other rows."""
    kind, _, method = name.rpartition(".")
    what = f"the frame method `{method}`" if kind == FRAME else f"the method `{method}` of a column"
    if any(k.arg == "inplace" for k in node.keywords):
        raise Refusal("side-effect", f"`{method}` changes its object in place", node)
    model = _LAWS.get(name)
    if run.row_by_row and (model is None or model.needs != "its own row"):
        raise Refusal("row-context", f"{what} may look at other rows", node)
    if model is None:
        raise Refusal("opaque", what, node)
    return model.law, MethodCall(run, node, owner, models.bind(name, node).only(*model.reads), env)
