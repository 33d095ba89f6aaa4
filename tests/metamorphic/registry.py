"""The rewrites: each takes a module apart into another one of the same meaning."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
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
        after = ast.unparse(ast.fix_missing_locations(self.change(ast.parse(text))))
        return after if after != printed(text) else None


@lru_cache(maxsize=64)
def printed(text: str) -> str:
    """``text`` as rewrites print it: without comments."""
    return ast.unparse(ast.parse(text))


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


def variants(text: str, pairs: int = 0, order: random.Random | None = None) -> Iterator[Variant]:
    """The formulations of ``text`` by one rewrite each, and by up to ``pairs`` combinations of two; none twice.
    ``order``: draws the order of the rewrites."""
    tried = list(rewrites())
    if order is not None:
        order.shuffle(tried)
    seen, made = {printed(text)}, list[Variant]()
    for one in tried:
        after = one.of(text)
        if after is not None and after not in seen:
            seen.add(after)
            made.append(Variant(one.name, after))
            yield made[-1]
    for i, first in enumerate(made[:pairs]):
        second = tried[(i * 7 + len(made)) % len(tried)]
        after = second.of(first.text)
        if after is not None and after not in seen:
            seen.add(after)
            yield Variant(f"{first.name}, {second.name}", after)
