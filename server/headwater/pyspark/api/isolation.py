"""One scope that trips us up must not cost the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from .api_context import ModuleAnalysis


@contextmanager
def guarded(scope: ast.stmt, place: tuple[int, ...], world: ModuleAnalysis) -> Iterator[bool]:
    """Follow the body of ``scope`` at ``place``; False if it failed in the pass before. An error costs it all that was
    found in it, and is noted as a failure of ``world``.

    The code behind it has the same identities in each pass, wherever in the body the error came: by them the second
    pass knows what the first one counted.
    """
    key, found = (*place, id(scope)), (len(world.filters), len(world.frames))
    try:
        yield key not in world.failed
    except (RecursionError, MemoryError):  # of the text or the machine, not of one scope
        raise
    except Exception as error:
        del world.filters[found[0] :], world.frames[found[1] :]
        world.failed[key] = world.names.ctx.span(scope), error_line(error)
    world.ends_at(key)


def error_line(error: Exception) -> str:
    """One line on ``error``."""
    return f"internal error: {type(error).__name__}: {error}".splitlines()[0]
