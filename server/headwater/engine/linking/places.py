"""Where the nodes of a syntax tree stand in a text."""

from __future__ import annotations

import ast

from headwater.syntax.source.lines import split_lines


class Places:
    """The places of a ``text``, in code points."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.stmt | ast.expr | ast.alias) -> tuple[int, int]:
        """Where ``node`` begins and ends."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._at(node.lineno, node.col_offset), self._at(end_line, end_column)

    def _at(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        return self._starts[line - 1] + len(before.decode("utf-8", "surrogatepass"))
