"""What every front-end file may ask about the module that it reads: positions, where names come from, constants.

Names are resolved by module-level rules that refuse in doubt: a name bound more than once at module level, or bound
anywhere by ``global``, resolves to nothing; an import does so too where a function may have a variable of its name.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from headwater_ir.span import Span
from headwater_ir.verdict import Obstruction

from . import notebook
from .bindings import own_nodes
from .lines import split_lines
from .outer_reads import outer_reads
from .reflection import binds_unseen
from .spark_names import FUNCTION_NAMES
from .stand_ins import HIDDEN

_WELL_KNOWN = frozenset({"pyspark.sql.functions", "pandas", "numpy", "pyarrow", "math"})
"""Modules whose usual aliases nobody gives another meaning."""


class Refusal(Exception):
    """Something without a meaning here. Becomes ``Opaque`` with this obstruction and reason, placed at ``node``."""

    def __init__(self, obstruction: Obstruction, reason: str, node: ast.AST | None = None) -> None:
        super().__init__(reason)
        self.obstruction: Obstruction = obstruction
        self.reason = reason
        self.node = node


@dataclass
class Context:
    """One parsed module. Build with ``Context.of``."""

    source: str
    tree: ast.Module
    readable: str
    """``source`` without what Python does not read of it, every other character in its place."""
    hidden: tuple[notebook.Hidden, ...]
    trusted: dict[str, None] = field(default_factory=dict)
    """What is taken for granted about names, as sentences for the certificate."""
    memo: dict[str, object] = field(default_factory=dict)
    """What others have derived from the tree, by their own keys."""
    _line_starts: list[int] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _imports: dict[str, str] = field(default_factory=dict)
    _imported_at: dict[str, int] = field(default_factory=dict)
    _stars: list[tuple[int, str]] = field(default_factory=list)
    _bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    _unseen: bool = False
    _outer: dict[str, frozenset[int]] | None = None
    star_modules: list[str] = field(default_factory=list)
    """Modules that the file star-imports, in order; what they shadow is the asker's business."""

    @staticmethod
    def of(source: str) -> Context:
        """Parse ``source``. SyntaxError (with position), ValueError (null bytes), RecursionError or MemoryError on
        bad input."""
        read = notebook.parse(source)
        context = Context(source, read.tree, read.text, read.hidden)
        start = 0
        for line in split_lines(source):
            context._line_starts.append(start)
            context._lines.append(line)
            start += len(line)
        for statement in ast.walk(context.tree):
            context._note(statement)
        context._unseen = binds_unseen(context.tree)
        return context

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                self._imports[name] = alias.name if alias.asname else name
                self._imported_at.setdefault(name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name == "*":
                    self.star_modules.append(node.module)
                    self._stars.append((node.lineno, node.module))
                else:
                    self._imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    self._imported_at.setdefault(alias.asname or alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
            module = "." * node.level + (node.module or "")
            self.star_modules.append(module)
            self._stars.append((node.lineno, module))
        elif isinstance(node, ast.Global):
            for name in node.names:
                self._bindings.setdefault(name, []).extend([node, node])
        if node is self.tree:
            for child in ast.walk(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
                    self._bindings.setdefault(child.id, []).append(child)
                elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    self._bindings.setdefault(child.name, []).append(child)
                elif isinstance(child, ast.arg):
                    self._bindings.setdefault(child.arg, []).append(child)
                elif isinstance(child, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and child.name:
                    self._bindings.setdefault(child.name, []).append(child)
                elif isinstance(child, ast.MatchMapping) and child.rest:
                    self._bindings.setdefault(child.rest, []).append(child)

    def span(self, node: ast.AST) -> Span:
        """Where ``node`` stands, in code points."""
        line, col = node.lineno, node.col_offset  # type: ignore[attr-defined]
        end_line, end_col = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        return Span(self._offset(line, col), self._offset(end_line, end_col))

    def _offset(self, line: int, utf8_column: int) -> int:
        text = self._lines[line - 1]
        if not text.isascii():
            utf8_column = len(text.encode("utf-8", "surrogatepass")[:utf8_column].decode("utf-8", "surrogatepass"))
        return self._line_starts[line - 1] + utf8_column

    def text(self, node: ast.AST) -> str:
        """The source text of ``node``."""
        return self.span(node).text(self.source)

    def qualified(self, node: ast.expr) -> str | None:
        """The dotted origin of a name or attribute: ``pyspark.sql.functions.col``, ``builtins.max``; None if
        unknown."""
        if isinstance(node, ast.Attribute):
            base = self.qualified(node.value)
            return f"{base}.{node.attr}" if base else None
        if not isinstance(node, ast.Name):
            return None
        if self.hides_import(node):
            return None
        if node.id in self._imports:
            origin = self._imports[node.id]
            if self._starred_after(node.id, self._imported_at[node.id], own=False):
                if origin not in _WELL_KNOWN:
                    return None
                self.trusted.setdefault(f"no star import or `%run` rebinds `{node.id}`, which is {origin}")
            return origin
        if hasattr(builtins, node.id) and not self.star_modules:
            return f"builtins.{node.id}"
        return None

    def hides_import(self, node: ast.Name) -> bool:
        """Whether an assignment, and not an import or the language, may have bound what ``node`` reads."""
        if node.id not in self._bindings:
            return False
        if self._outer is None:
            known = self._imports.keys() | FUNCTION_NAMES | set(dir(builtins))
            self._outer = outer_reads(self.tree, frozenset(self._bindings.keys() & known))
        return id(node) not in self._outer.get(node.id, ())

    def bindings(self, name: str) -> list[ast.AST]:
        """Every place in the module, in any scope, that binds ``name``."""
        return self._bindings.get(name, [])

    def _bound(self, name: str) -> list[ast.AST]:
        """As ``bindings``; nothing where code that is not seen may bind ``name`` as well."""
        return [] if self._unseen else self.bindings(name)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function ``name`` if exactly one definition in the whole file binds that name."""
        found = self._meant(name)
        return found if isinstance(found, ast.FunctionDef) else None

    def class_definition(self, name: str) -> ast.ClassDef | None:
        """The class ``name`` if exactly one definition in the whole file binds that name."""
        found = self._meant(name)
        return found if isinstance(found, ast.ClassDef) else None

    def _meant(self, name: str) -> ast.AST | None:
        """The only thing in the file that binds ``name``, if whoever reads ``name`` anywhere can mean nothing else."""
        bound = self._bound(name)
        if len(bound) != 1:
            return None
        (found,) = bound
        line = getattr(found, "lineno", 0)
        if self._starred_after(name, line) or id(found) in self._of_classes():
            return None
        if not (hasattr(builtins, name) or any(star_may_bind(module, name) for _, module in self._stars)):
            return found  # nothing else has that name; where this is not visible, reading it fails
        reads = [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and n.id == name]
        reads = [n for n in reads if isinstance(n.ctx, ast.Load)]
        if found in self.tree.body or isinstance(found, ast.Name):
            return found if all(line < n.lineno for n in reads) else None
        return found if all(id(n) in self._beside(found) for n in reads) else None

    def _beside(self, definition: ast.AST) -> set[int]:
        """All that stands in the function that ``definition`` stands in."""
        functions = (n for n in ast.walk(self.tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
        return {id(n) for f in functions if any(o is definition for o in own_nodes(f)) for n in ast.walk(f)}

    def _of_classes(self) -> set[int]:
        """What stands in a class body, where names are those of attributes: nothing but the body itself sees them."""
        if "of classes" not in self.memo:
            classes = (n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef))
            self.memo["of classes"] = {id(n) for c in classes for s in c.body for n in (s, *own_nodes(s))}
        found = self.memo["of classes"]
        assert isinstance(found, set)
        return found

    def _starred_after(self, name: str, line: int, own: bool = True) -> bool:
        """Whether a star import below ``line`` may bind ``name`` to something else; ``own``: PySpark's count as
        well."""
        return any(
            at > line and (own or not module.startswith("pyspark")) and star_may_bind(module, name)
            for at, module in self._stars
        )

    def constant(self, name: str) -> ast.expr | None:
        """The right-hand side of the single assignment in the whole file that binds ``name`` at module level, else
        None."""
        found = self._meant(name)
        for statement in self.tree.body if found is not None else ():
            if isinstance(statement, ast.Assign) and statement.targets == [found]:
                return statement.value
            if isinstance(statement, ast.AnnAssign) and statement.target is found:
                return statement.value
        return None


def star_may_bind(module: str, name: str) -> bool:
    """Whether ``from module import *`` may bind ``name``: of PySpark's modules it is known, more or less, what is in
    them."""
    if module == HIDDEN:
        return True  # no module, but code that runs here
    if name.startswith("_"):
        return False
    if module.startswith("pyspark.sql.functions"):
        return name in FUNCTION_NAMES
    return module.split(".")[0] != "pyspark" or (name[0].isupper() and not name.isupper())
