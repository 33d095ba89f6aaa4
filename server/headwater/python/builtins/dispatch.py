"""The models of Python's builtins and of library functions over values, by full name.

A file of this package that declares a family registers each function with ``builtin``; the arguments are bound to the
signature that ``libraries`` declares. Nothing else lists them: a new file is found by itself.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.values.scope import Env, Value
from headwater.syntax.signatures import Bound

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

Model = Callable[["Structured", ast.Call, Bound, Env], "Value | None"]
"""The value of a call, given its arguments by parameter; None where the model does not cover what they are."""
_MODELS: dict[tuple[str, bool], Model] = {}


def builtin(*names: str, scalars: bool = False) -> Callable[[Model], Model]:
    """Register the model of the functions of these full names; with ``scalars``, of what they mean for arguments that
    are no containers. ValueError for one that has such a model: a fault here."""

    def register(model: Model) -> Model:
        for name in names:
            if (name, scalars) in _MODELS:
                raise ValueError(f"{name} has two models")
            _MODELS[name, scalars] = model
        return model

    return register


@cache
def known() -> dict[tuple[str, bool], Model]:
    """All models by full name, and whether they are those for scalars."""
    package = __package__ or ""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return _MODELS


def call(s: Structured, node: ast.Call, env: Env, *, scalars: bool = False) -> Value | None:
    """The value of ``node``; None if it calls no function with a model, or the model does not cover its arguments."""
    name = s.scope.origin(node.func)
    model = known().get((name, scalars)) if name is not None else None
    if name is None or model is None:
        return None
    return model(s, node, models.bind(name, node), env)
