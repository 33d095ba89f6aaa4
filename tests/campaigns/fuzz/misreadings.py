"""Ways to misread how data goes through the code: of these no proof tells, only running the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from headwater.operators.liveness import visible
from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater_ir.problem import Fold


def _once(world: ModuleAnalysis, ident: int, _: int) -> None:
    world.reads[ident] = 1


def _nobody_reads(fold: Fold, predicate: Any, above: Any, _: Any) -> Fold:
    return visible(fold, predicate, above, ())


MISREADINGS: dict[str, tuple[str, Callable[..., Any]]] = {
    "a second consumer is overlooked": ("headwater.pyspark.api.api_context.ModuleAnalysis.read", _once),
    "nobody reads what is not filtered": ("headwater.operators.move.visible", _nobody_reads),
}


@contextmanager
def misread_by(name: str) -> Iterator[None]:
    """The tool with that bug."""
    place, planted = MISREADINGS[name]
    with mock.patch(place, planted):
        yield
