"""Programs of many parts, in functions with parameters, methods of classes, cells of notebooks and ``try`` blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .jobs import Lines, indented

Part = Callable[[Lines], None]


def whole(w: Lines, parts: Sequence[Part], lines: list[str]) -> None:
    """Write one of ``parts`` to the end of ``lines``, the program so far, in some surroundings."""
    w.add('k, flag, seen, name = 1, len(out) == 0, [], "a"', 'wanted = F.col("a") > 0')
    start = len(lines)
    w.random.choice(parts)(w)
    body, f = lines[start:], w.fresh("work")
    form = w.random.choice(("plain", "function", "twice", "method", "attribute", "try", "cells", "loop", "with", "if"))
    given = "k, flag, seen, name, wanted, out"
    call = f"{f}({{}}, {given})"
    other = w.pick("t", "t.limit(2)", 't.filter(F.col("a").isNotNull())', "t.distinct()", "spark.table('t')")
    match form:
        case "function":
            body = [f"def {f}(t, {given}):", *indented(body), *_end(w), call.format(other)]
        case "twice":
            body = [f"def {f}(t, {given}):", *indented(body), *_end(w), call.format("t"), call.format(other)]
        case "method":
            head = [f"class {f.title()}:", f"    def make(self, t, {given}):"]
            body = [*head, *indented(indented(body)), f"{f.title()}().make({other}, {given})"]
        case "attribute":
            own = [re.sub(r"(?<![\w.])t(?=[.\[])", "self.t", line) for line in body]
            head = [
                f"class {f.title()}:",
                "    def __init__(self, t):",
                "        self.t = t",
                f"    def make(self, t, {given}):",
            ]
            body = [*head, *indented(indented(own)), f"{f.title()}({other}).make(t, {given})"]
        case "try":
            body = [
                "try:",
                *indented(body),
                w.pick("except Exception:", "except ValueError:"),
                '    out.append("failed")',
            ]
        case "cells":
            body = ["", "# COMMAND ----------", "", *body, "", "# COMMAND ----------", "", "# MAGIC %md text", ""]
        case "loop":
            body = [f"for turn in {w.pick('range(2)', '[1]', '(t,)', 'enumerate([2])')}:", *indented(body)]
        case "with":
            body = ["import contextlib", "with contextlib.suppress(ValueError):", *indented(body)]
        case "if":
            body = [f"if {w.pick('flag', 'k > 0', 'not flag')}:", *indented(body)]
    lines[start:] = body


def _end(w: Lines) -> list[str]:
    return w.random.choice(([], ["    return None"], ["    return out"]))
