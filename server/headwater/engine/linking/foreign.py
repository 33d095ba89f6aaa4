"""A file that another one imports from: what its names mean, as far as that is certain."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headwater.python.effects.containers_read import Containers
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.monkeypatches import OWN
from headwater.syntax.names.pyspark_symbols import TYPES
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.statement_notes import Import, notes_of
from headwater.syntax.source.linked import MARK

_MAKERS = frozenset(
    """
    pyspark.sql.functions.udf pyspark.sql.functions.pandas_udf
    pyarrow.schema pyarrow.field pyarrow.string pyarrow.int64 pyarrow.int32 pyarrow.float64 pyarrow.bool_
    pyarrow.date32 pyarrow.timestamp pyarrow.list_
    re.compile datetime.date datetime.datetime datetime.timedelta decimal.Decimal
    builtins.dict builtins.frozenset builtins.list builtins.set builtins.tuple builtins.range
    """.split()
)
"""Calls that make a value of what they are given, and do nothing else."""


_MUTABLE = frozenset({"builtins.dict", "builtins.list", "builtins.set"})
SEARCHED = re.compile(
    r"\bsys\s*\.\s*(?:path|modules|meta_path)\b|\bfrom\s+sys\s+import\b|\bimport\s+sys\s+as\b"
    r"|\b(?:addsitedir|import_module|__import__|getmodule|__module__|__path__)\b"
)
"""Code that may say where Python looks for modules, or get at one in another way than an import."""
_EQUALS = re.compile(r"[ \t)]*=")
_COMMENT = re.compile(r"#[ \t]*headwater:(?!cell \d)")


@dataclass(frozen=True)
class Foreign:
    """The file ``path``, read."""

    path: Path
    ctx: Context
    names: Names

    @staticmethod
    def of(path: Path, text: str) -> Foreign | None:
        """The file ``path`` with this ``text``; None if code that cannot be seen, or that replaces attributes of
        others, may give its names another meaning."""
        if MARK in text or _COMMENT.search(text) or SEARCHED.search(text):
            return None
        try:
            ctx = Context.of(text.replace("\r\n", "\n").replace("\r", "\n"))
            names = Names(ctx)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        hidden = any(h.effect != "nothing" for h in ctx.hidden)
        changes = any(path[0] not in OWN for s in ctx.tree.body for path, _ in notes_of(s).changes)
        if hidden or changes or ctx.binds_unseen or names.reflective:
            return None
        return Foreign(path, ctx, names)

    def imported(self, name: str) -> Import | None:
        """The only import of the top level that binds ``name``, if nothing else does."""
        found = [i for s in self.ctx.tree.body for i in notes_of(s).imports if i.name == name]
        plain = len(found) == 1 and not self.ctx.times_bound(name) and found[0].node in self.ctx.tree.body
        if not plain or name in self.names.rebound or self.ctx.starred_after(name, found[0].node.lineno):
            return None
        return found[0]

    def hides_module(self, name: str) -> bool:
        """Whether this file, of a package, may bind ``name`` to anything but the module of that name in it."""
        found = (i for s in self.ctx.tree.body for i in notes_of(s).imports if i.name == name)
        other = any(i.whole != f"..{name}" for i in found)
        return other or bool(self.ctx.times_bound(name)) or self.ctx.starred_after(name, -1)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The only thing that binds ``name``, if it is a function of the top level."""
        found = self.ctx.function(name)
        kept = found is not None and found in self.ctx.tree.body and not self._is_rebound(name)
        return found if kept else None

    def class_definition(self, name: str) -> ast.ClassDef | None:
        """As ``function``, of a class."""
        found = self.ctx.class_definition(name)
        kept = found is not None and found in self.ctx.tree.body and not self._is_rebound(name)
        return found if kept else None

    def only_defines(self) -> bool:
        """Whether the file does nothing but import, define and assign what is made of literals."""
        stars = all(m.startswith("pyspark.") for m in self.ctx.star_modules)
        return stars and all(map(self._only_defines, self.ctx.tree.body))

    def _only_defines(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Import() | ast.ImportFrom(level=0) | ast.FunctionDef(decorator_list=[]):
                return True
            case ast.ClassDef(decorator_list=[], bases=[], keywords=[], body=body):
                return all(map(self._only_defines, body))
            case ast.FunctionDef(decorator_list=decorators):
                return all(map(self._is_made, decorators))
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return True
            case ast.Assign(targets=[ast.Name()], value=value):
                return self._is_made(value)
            case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=ast.expr() as value):
                return self._is_type(annotation) and self._is_made(value)
        return False

    def value(self, name: str) -> ast.Assign | ast.AnnAssign | None:
        """The only statement that binds ``name``, if it assigns a value that nothing changes, made of literals and by
        calls that do no more than make one."""
        value = self.ctx.constant(name)
        if value is None or self._is_rebound(name) or name in self.names.mutated:
            return None
        for s in self.ctx.tree.body:
            match s:
                case (
                    ast.Assign(targets=[ast.Name(id=bound)], value=assigned)
                    | ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as assigned)
                ) if bound == name and assigned is value:
                    plain = isinstance(s, ast.Assign) or self._equals_sign(s) is not None
                    kept = plain and self._is_made(value) and s.col_offset == 0 and self._is_kept(name, s)
                    return s if kept else None
        return None

    def is_shared(self, definition: ast.stmt) -> bool:
        """Whether all who import what is defined may change it in place."""
        value = getattr(definition, "value", None)
        return isinstance(value, ast.expr) and self._is_mutable(value)

    def _is_kept(self, name: str, definition: ast.Assign | ast.AnnAssign) -> bool:
        if not self.is_shared(definition):
            return True
        containers = Containers.of(self.names)
        if definition.value is not None and self._is_schema(definition.value):
            return containers.schema_only_read(name)
        return containers.never_changed(name) and containers.only_read((name, True))

    def _is_schema(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add":
            node = node.func.value
        made = self.names.resolve(node.func) if isinstance(node, ast.Call) else None
        return made is not None and made.startswith("pyspark.sql.types.Struct")

    def _is_mutable(self, value: ast.expr) -> bool:
        match value:
            case ast.Lambda() | ast.Constant():
                return False
            case ast.List() | ast.Set() | ast.Dict():
                return True
            case ast.Call(func=function):
                origin = self.names.resolve(function) or ""
                return origin in _MUTABLE or self._is_schema(value)
        return any(isinstance(n, ast.expr) and self._is_mutable(n) for n in ast.iter_child_nodes(value))

    def _is_made(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant() | ast.Name() | ast.Lambda():
                return True
            case ast.Attribute(value=ast.Name()):
                return self.names.resolve(node) is not None
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return all(map(self._is_made, parts))
            case ast.Dict(keys=keys, values=values):
                return all(k is not None and self._is_made(k) for k in keys) and all(map(self._is_made, values))
            case ast.UnaryOp(operand=operand):
                return self._is_made(operand)
            case ast.BinOp(left=left, right=right):
                return self._is_made(left) and self._is_made(right)
            case ast.Call(func=function, args=args, keywords=keywords):
                given = [*args, *(k.value for k in keywords)]
                return self._makes(function) and all(map(self._is_made, given))
        return False

    def _is_type(self, annotation: ast.expr) -> bool:
        """Whether to evaluate ``annotation`` does nothing but name types of Python's."""
        match annotation:
            case ast.Constant():
                return True
            case ast.Name() | ast.Attribute():
                return (self.names.resolve(annotation) or "").startswith(("builtins.", "typing."))
            case ast.Subscript(value=left, slice=right) | ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._is_type(left) and self._is_type(right)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return all(map(self._is_type, parts))
        return False

    def _makes(self, function: ast.expr) -> bool:
        match function:
            case ast.Attribute(value=ast.Call() as made, attr="add"):  # of a StructType
                return self._is_made(made)
        origin = self.names.resolve(function) or ""
        module, _, name = origin.rpartition(".")
        return origin in _MAKERS or (module == "pyspark.sql.types" and name in TYPES)

    def is_builtin(self, name: str) -> bool:
        """Whether ``name`` is Python's own."""
        bound = self.ctx.times_bound(name) or any(
            i.name == name for s in self.ctx.tree.body for i in notes_of(s).imports
        )
        return not bound and not name.startswith("__") and hasattr(builtins, name) and not self.ctx.star_modules

    def starred(self, name: str) -> str | None:
        """What ``name`` is of a module of PySpark that the file imports with a star."""
        if not self.ctx.star_modules or self.ctx.times_bound(name):
            return None
        return self.names.resolve_path((name,), True)

    def _is_rebound(self, name: str) -> bool:
        return name in self.names.rebound | self.names.declared | self.names.imported

    def reads(self, node: ast.stmt) -> Iterator[ast.Name]:
        """The names in ``node`` that stand for what the file, or Python, binds."""
        visible = notes_of(node).visible
        parts = node.value if isinstance(node, ast.AnnAssign) and node.value is not None else node
        return (n for n in ast.walk(parts) if isinstance(n, ast.Name) and id(n) in visible)

    def text_of(self, statement: ast.stmt) -> tuple[str, int]:
        """The lines of ``statement``, without the annotation of a value, and where they begin."""
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min((d.lineno for d in decorators), default=statement.lineno)
        start = self.ctx.span(ast.Pass(lineno=first, col_offset=0, end_lineno=first, end_col_offset=0)).start
        text = self.ctx.source[start : self.ctx.span(statement).end]
        sign = self._equals_sign(statement) if isinstance(statement, ast.AnnAssign) else None
        if isinstance(statement, ast.AnnAssign) and sign is not None:
            name = self.ctx.span(statement.target).end - start
            text = text[:name] + " " * (sign - start - name) + text[sign - start :]
        return text, start

    def _equals_sign(self, statement: ast.AnnAssign) -> int | None:
        """Where the ``=`` of an annotated assignment stands, if it is plain to see."""
        sign = _EQUALS.match(self.ctx.source, self.ctx.span(statement.annotation).end)
        return sign and sign.end() - 1
