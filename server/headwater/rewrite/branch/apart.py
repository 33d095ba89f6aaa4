"""Whether no column of the original is ever asked of the copy.

Spark gives each column that an expression computes an identity of its own, so ``counts["m"]`` is no column of what a
copy of the expression of ``counts`` makes, though it is called ``m`` there as well: what was a column becomes an
error, or, where both frames meet in a join, the other column. So what is made of the original and what is made of the
copy may not meet at all: no statement may read a variable of the one kind and one of the other, but for actions, of
whose results no column is a part. (This leaves out, too, queries in which Spark would compute the frame once for both.)
Variables are told apart by name alone, wherever they stand in the file: too many meet, never too few.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from headwater.frontend.bindings import binds
from headwater.frontend.spark_names import FRAME_ATTRIBUTES

_ACTIONS = frozenset(
    """
    show count collect toPandas toArrow take head first tail isEmpty toLocalIterator foreach foreachPartition write
    writeTo printSchema explain createTempView createOrReplaceTempView createGlobalTempView
    createOrReplaceGlobalTempView columns schema dtypes isStreaming
    """.split()
)
"""What a frame is asked for whose answer holds no column of it."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_GROUPINGS = frozenset("groupBy groupby rollup cube pivot".split())


class Kinds:
    """The variables of a file that may hold what is made of the original, and of the copy; and statements that read
    some of both."""

    def __init__(
        self, tree: ast.Module, originals: Iterable[str], copied: ast.Name, respelled: Collection[ast.AST]
    ) -> None:
        """``respelled``: reads of the original that are none in the text with the copy."""
        self.copied = copied
        self._inert = {id(copied), *map(id, respelled)}
        self._imported = {a.asname or a.name for n in ast.walk(tree) if isinstance(n, _IMPORTS) for a in n.names}
        self._parts = list(_parts(tree, copied))
        self._reads = [frozenset(self._read(part)) for part in self._parts]
        self._binds = [frozenset(self._bound(part)) for part in self._parts]
        self.originals = self._closed(set(originals))
        at = [i for i, part in enumerate(self._parts) if any(n is copied for n in ast.walk(part))]
        asked = any(n is copied for i in at for n in _asked(self._parts[i]))
        self.copies = set() if asked else self._closed({name for i in at for name in self._binds[i]})

    def _closed(self, names: set[str]) -> set[str]:
        """``names`` and every variable that is bound by what reads one of them."""
        size = -1
        while size < len(names):
            size = len(names)
            for reads, bound in zip(self._reads, self._binds, strict=True):
                if reads & names:
                    names |= bound
        return names

    def meet(self) -> str | None:
        """A variable of the original that is read where one of the copy is; None if there is none."""
        both = self.originals & self.copies
        if both:
            return min(both)
        for part, reads in zip(self._parts, self._reads, strict=True):
            if isinstance(part, _DEFINITIONS):
                continue  # its statements are parts themselves
            copy_is_read = bool(reads & self.copies) or any(n is self.copied for n in ast.walk(part))
            if copy_is_read and reads & self.originals:
                return min(reads & self.originals)
        return None

    def _read(self, part: ast.AST) -> Iterator[str]:
        inert = {id(n) for n in _asked(part)} | self._inert
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inert:
                yield node.id

    def _bound(self, part: ast.AST) -> Iterator[str]:
        """Variables that ``part`` binds, or in whose value it may put something."""
        if isinstance(part, _DEFINITIONS):
            yield part.name
            return
        for node in ast.walk(part):
            yield from binds(node)
            match node:
                case ast.Attribute(value=owner, ctx=ast.Store()) | ast.Subscript(value=owner, ctx=ast.Store()):
                    yield from _names(owner)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attr)):
                    if owner not in self._imported and attr not in FRAME_ATTRIBUTES:
                        yield owner


def _parts(tree: ast.Module, copied: ast.Name) -> Iterator[ast.AST]:
    """The simple statements of a file, the heads of others, and whole definitions but for those around ``copied``."""
    for node in ast.walk(tree):
        match node:
            case ast.For() | ast.AsyncFor():
                yield ast.Assign([node.target], node.iter)
            case ast.While() | ast.If():
                yield ast.Expr(node.test)
            case ast.With() | ast.AsyncWith():
                yield from (ast.Expr(i.context_expr) for i in node.items if i.optional_vars is None)
                yield from (ast.Assign([i.optional_vars], i.context_expr) for i in node.items if i.optional_vars)
            case ast.Match():
                yield ast.Expr(node.subject)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if not any(n is copied for n in ast.walk(node)):
                    yield node  # whoever calls it may get what it reads
            case ast.Try():
                pass
            case ast.stmt():
                yield node


def _names(node: ast.AST) -> Iterator[str]:
    return (n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def _asked(part: ast.AST) -> Iterator[ast.Name]:
    """The variables of frames that no more than an answer is made of: ``counts.select("m").count()``."""
    for node in ast.walk(part):
        if isinstance(node, ast.Attribute) and node.attr in _ACTIONS:
            root: ast.expr = node.value
            if isinstance(root, ast.Call) and isinstance(root.func, ast.Attribute) and root.func.attr in _GROUPINGS:
                continue  # `groupBy(…).count()` is another frame
            while isinstance(root, (ast.Call, ast.Attribute)):
                root = root.func if isinstance(root, ast.Call) else root.value
            if isinstance(root, ast.Name):
                yield root
