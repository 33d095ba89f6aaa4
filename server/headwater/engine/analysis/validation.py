"""Translation validation as a step of a verdict: the user's function beside the fold that was read off it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from headwater_ir.asked import condition_of
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.verdict import Proved

if TYPE_CHECKING:
    from headwater.operators.move import Moved
    from headwater.validation.compare import Validation
    from headwater.validation.program import Program


class Misread(Exception):
    """The fold is not what the function does. An error of ours; its text has the rows that show it."""


class Validator:
    """Validates the boundaries of one text, each once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._program: Program | None = None
        self._known: list[tuple[object, tuple[OutputColumn, ...], Validation]] = []

    def checked(self, moved: Moved, verdict: Proved) -> Proved:
        """``verdict`` with what validation says of its boundary in the certificate. ``Misread`` if the two differ."""
        from headwater.validation.compare import Difference

        if not moved.place.code and not moved.place.function:
            return verdict  # no Python of the user's
        found = self._validated(moved)
        if isinstance(found, Difference):
            raise Misread(f"the reading of `{moved.place.function or 'a function'}` is not what it does: {found}")
        return replace(verdict, certificate=replace(verdict.certificate, validation=str(found)))

    def _validated(self, moved: Moved) -> Validation:
        from headwater.validation.compare import NotValidated, validate
        from headwater.validation.program import Program

        fold: Fold | None = getattr(moved.boundary, "fold", None)
        if fold is None:
            return NotValidated("the boundary is no function of rows")
        answers = tuple(o for o in moved.problem.fold.outputs if condition_of(o.name) is not None)
        known = next((v for b, a, v in self._known if b is moved.boundary and a == answers), None)
        if known is not None:
            return known
        fold = replace(fold, outputs=(*fold.outputs, *answers))
        if self._program is None:
            self._program = Program(self._text)
        types = {c.name: c.type for c in moved.problem.fold.columns}
        found = validate(self._program, moved.place.code, fold, types)
        self._known.append((moved.boundary, answers, found))
        return found
