"""The rewrites: each takes a module apart into another one of the same meaning."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

FAMILIES = ("conditions", "branches", "statements", "names", "helpers", "loops", "rows", "frames", "chains")
"""The modules of this folder that register rewrites."""
Change = Callable[[ast.Module], ast.Module]


@dataclass(frozen=True)
class Rewrite:
    """``change`` is given a tree of its own and returns it rewritten at every place where the rewrite applies."""

    name: str
    family: str
    law: str
    change: Change

    def of(self, text: str) -> str | None:
        """``text`` rewritten and printed anew; None if there is no place for it."""
        tree = ast.parse(text)
        before = ast.unparse(tree)
        after = ast.unparse(ast.fix_missing_locations(self.change(copy.deepcopy(tree))))
        return after if after != before else None


_REGISTERED: dict[str, Rewrite] = {}


def rewrite(change: Change) -> Change:
    """Registers a rewrite under the name of its function; its docstring states the law and the condition."""
    family = change.__module__.rpartition(".")[2]
    name = change.__name__.replace("_", "-").strip("-")
    assert name not in _REGISTERED, name
    _REGISTERED[name] = Rewrite(name, family, " ".join((change.__doc__ or "").split()), change)
    return change


def rewrites() -> tuple[Rewrite, ...]:
    """All rewrites, in the order of their families."""
    for family in FAMILIES:
        import_module(f"{__package__}.{family}")
    return tuple(_REGISTERED.values())


@dataclass(frozen=True)
class Variant:
    """A program in another formulation. ``name``: the rewrites that made it."""

    name: str
    text: str


def variants(text: str, pairs: int = 0) -> Iterator[Variant]:
    """The formulations of ``text`` by one rewrite each, and by up to ``pairs`` combinations of two; none twice."""
    seen = {ast.unparse(ast.parse(text))}
    made: list[Variant] = []
    for one in rewrites():
        after = one.of(text)
        if after is not None and after not in seen:
            seen.add(after)
            made.append(Variant(one.name, after))
    yield from made
    for i, first in enumerate(made[: pairs or None] if pairs else []):
        second = rewrites()[(i * 7 + len(made)) % len(rewrites())]
        after = second.of(first.text)
        if after is not None and after not in seen:
            seen.add(after)
            yield Variant(f"{first.name}, {second.name}", after)
