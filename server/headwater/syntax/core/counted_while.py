"""``while i < n: …; i += 1`` as ``for i in range(n): …``.

Law: where i is 0 before the loop and nothing else sets it or what n is computed of, both run the body for
0, 1, … n - 1, and ``else`` after that. Behind the loop i differs: the reader of ``for`` does not let its target be
read there.
Reference: the Python language reference, sections 8.2 and 8.3.
"""

from __future__ import annotations

import ast

from headwater.syntax.source.bindings import bound_names


def as_for(loop: ast.While) -> tuple[ast.For, str, frozenset[str]] | None:
    """The loop over a range, its variable, and the names that must not be changed by it; None for another loop."""
    last, body = loop.body[-1], loop.body[:-1]
    match loop.test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[stop]):
            pass
        case _:
            return None
    read = frozenset(n.id for n in ast.walk(stop) if isinstance(n, ast.Name))
    goes_on = any(isinstance(n, ast.Continue) for s in body for n in ast.walk(s))
    counts = ast.unparse(last) in (f"{name} += 1", f"{name} = {name} + 1")
    if not counts or goes_on or (read | {name}) & bound_names(body):
        return None
    over = ast.Call(ast.Name("range", ast.Load()), [stop], [])
    made = ast.For(ast.Name(name, ast.Store()), over, body or [ast.Pass()], loop.orelse)
    return ast.fix_missing_locations(ast.copy_location(made, loop)), name, read
