"""The models of Python's builtins and of library functions over values, by full name.

A file of this package that declares a family registers each function with ``builtin``; the arguments are bound to the
signature that ``libraries`` declares. Nothing else lists them: a new file is found by itself.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

from headwater.libraries import models
from headwater.python.values.scope import Env, Value
from headwater.syntax.signatures import Bound

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

Reads = Literal["containers", "scalars", "rows", "all"]
"""What the arguments of a call are: a container or a sequence of rows among them; scalars alone; or a sequence of rows
of which the call makes another one. ``all``: as containers, of an iterator that is asked for all that it has."""
Model = Callable[["Structured", ast.Call, Bound, Env], "Value | None"]
"""The value of a call, given its arguments by parameter; None where the model does not cover what they are."""
AnyModel = TypeVar("AnyModel", bound=Model)
Entry = tuple[str, Reads]
_MODELS: dict[Entry, Model] = {}


@dataclass(frozen=True)
class MethodCall:
    """``owner.method(…)``, which only reads ``owner``; ``given``: the arguments in the order of the parameters."""

    s: Structured
    node: ast.Call
    owner: Value
    given: tuple[ast.expr, ...]
    env: Env


Method = Callable[[MethodCall], "Value | None"]
AnyMethod = TypeVar("AnyMethod", bound=Method)
_METHODS: dict[str, Method] = {}


def builtin(*names: str, reads: Reads = "containers") -> Callable[[AnyModel], AnyModel]:
    """Register the model of the functions of these full names for such arguments. ValueError for one that has a model
    for them: a fault here."""

    def register(model: AnyModel) -> AnyModel:
        for name in names:
            if (name, reads) in _MODELS:
                raise ValueError(f"{name} has two models")
            _MODELS[name, reads] = model
        return model

    return register


def method(*names: str) -> Callable[[AnyMethod], AnyMethod]:
    """Register the model of the methods of these full names. ValueError for one that has a model: a fault here."""

    def register(model: AnyMethod) -> AnyMethod:
        for name in names:
            if name in _METHODS:
                raise ValueError(f"{name} has two models")
            _METHODS[name] = model
        return model

    return register


def methods() -> dict[str, Method]:
    """All models of methods by full name."""
    known()
    return _METHODS


@cache
def known() -> dict[Entry, Model]:
    """All models by full name, and by what they read."""
    package = __package__ or ""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return _MODELS


def call(s: Structured, node: ast.Call, env: Env, reads: Reads = "containers") -> Value | None:
    """The value of ``node``; None if it calls no function with a model, or the model does not cover its arguments."""
    name = s.scope.origin(node.func)
    model = known().get((name, reads)) if name is not None else None
    if name is None or model is None:
        return None
    return model(s, node, models.bind(name, node), env)
