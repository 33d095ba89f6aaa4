"""What every front-end file may ask about the module that it reads: positions, where names come from, constants.

Names are resolved by module-level rules that refuse in doubt: a name bound more than once at module level, or bound
anywhere by ``global``, resolves to nothing; an import does so too where a function may have a variable of its name.
"""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

from headwater.syntax.refusal import Refusal as Refusal
from headwater.syntax.source import notebook
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import assigned, bound_names, own_nodes
from headwater.syntax.source.by_method import ByMethod
from headwater.syntax.source.lines import split_lines
from headwater.syntax.source.linked import in_order, own_end, own_names, sources
from headwater.syntax.source.unreadable_code import HIDDEN
from headwater_ir.assumptions import Assumption, AssumptionKind
from headwater_ir.span import Span

from .given_frames import Given, frames_given
from .pyspark_symbols import ALSO_STARRED, FUNCTION_NAMES
from .special_methods import EMPTY, run_by_expressions
from .statement_notes import Import, Notes, notes_of

_WELL_KNOWN = frozenset(
    """
    pyspark.sql.functions pandas numpy pyarrow math pyspark.sql.Window pyspark.sql.window.Window
    """.split()
)
"""Modules, and a class, whose usual aliases nobody gives another meaning."""


class _Inside(NamedTuple):
    """The identities of what stands in a function: ``own`` without what functions and classes in it hold."""

    own: frozenset[int]
    all: frozenset[int]


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[list[_Inside]]) -> list[_Inside]:
    found = (n for n in walk(statement, methods) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    own = [_Inside(frozenset(map(id, own_nodes(f))), frozenset(map(id, walk(f)))) for f in found]
    return [*own, *(inside for functions in of_each for inside in functions)]


_functions_in = ByMethod("_functions_in", _found_in)
"""The functions in a statement."""


def path_of(node: ast.expr) -> tuple[tuple[str, ...], ast.Name] | None:
    """The names of ``a.b.c`` and the node of the first; None for anything else."""
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.append(node.attr)
        node = node.value
    return ((node.id, *reversed(rest)), node) if isinstance(node, ast.Name) else None


_MOST_BASES = 20
_SPECIAL = ("__getattribute__", "__setattr__", "__delattr__", "__slots__")


@dataclass
class Context:
    """One parsed module. Build with ``Context.of``."""

    source: str
    tree: ast.Module
    readable: str
    """``source`` without what Python does not read of it, every other character in its place."""
    hidden: tuple[notebook.Hidden, ...]
    trusted: dict[Assumption, None] = field(default_factory=dict)
    """What is taken for granted about names, as sentences for the certificate."""
    memo: dict[str, object] = field(default_factory=dict)
    """What others have derived from the tree, by their own keys."""
    _line_starts: list[int] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _imports: dict[str, list[Import]] = field(default_factory=dict)
    _stars: list[tuple[ast.ImportFrom, str]] = field(default_factory=list)
    _bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    _values: dict[int, ast.expr] = field(default_factory=dict)
    """What the statements of the top level assign, by the identity of what they assign it to."""
    _unseen: bool = False
    _puts_off: bool = False
    _runs_through: set[str] = field(default_factory=set)
    _outside: set[str] = field(default_factory=set)
    """Names that may be bound at module level other than by an import."""
    _visible: set[int] = field(default_factory=set)
    _of_classes: set[int] = field(default_factory=set)
    """What stands in a class body, where names are those of attributes: nothing but the body itself sees them."""
    _mentioned: dict[str, bool] = field(default_factory=dict)
    _words: list[frozenset[str]] = field(default_factory=list)
    _naming: dict[str, list[ast.stmt]] = field(default_factory=dict)
    star_modules: list[str] = field(default_factory=list)
    """Modules that the file star-imports, in order; what they shadow is the asker's business."""

    @staticmethod
    def of(source: str) -> Context:
        """Parse ``source``. SyntaxError (with position), ValueError (null bytes), RecursionError or MemoryError on
        bad input."""
        return Context.read(source, split_lines(source), notebook.parse(source))

    @staticmethod
    def read(source: str, lines: list[str], read: notebook.Readable) -> Context:
        """The module of ``source``, which has been parsed."""
        starts = [0, *accumulate(map(len, lines))]
        body = in_order(read.tree.body, [s.lineno for s in read.tree.body], source)
        tree = read.tree if body is read.tree.body else ast.Module(body, [])
        context = Context(source, tree, read.text, read.hidden, _line_starts=starts, _lines=lines)
        for statement in context.tree.body:
            context._take(notes_of(statement))
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                context._values.update((id(target), value) for target, value in assigned(statement))
        return context

    @cached_property
    def _own_lines(self) -> int:
        """How many lines of the text are of the file itself: what stands below them is of other files."""
        return self.line_of(own_end(self.source))

    @cached_property
    def _sources(self) -> dict[str, str]:
        return sources(self.source)

    def own_name(self, definition: str) -> str:
        """What the definition of that name is called in its file: what Python and Spark call it."""
        return own_names(self.source).get(definition, definition)

    def is_linked(self, node: ast.AST) -> bool:
        """Whether ``node`` is of another file, which this one imports definitions from."""
        return getattr(node, "lineno", 0) > self._own_lines

    def naming(self, word: str) -> Sequence[ast.stmt]:
        """The statements of the top level in which ``word`` stands as a name, an attribute or a string, in order."""
        known = self._naming.get(word)
        if known is None:  # a text is asked about few of its words: to look for each is quicker than to sort all
            words = self._words = self._words or [notes_of(s).words for s in self.tree.body]
            known = [s for s, of in zip(self.tree.body, words, strict=True) if word in of]
            self._naming[word] = known
        return known

    def imports_of(self, packages: frozenset[str]) -> bool:
        """Whether anything in the file imports one of ``packages``, or of their modules."""
        wholes = chain(self.star_modules, (i.whole for imports in self._imports.values() for i in imports))
        return any(whole.split(".")[0] in packages for whole in wholes)

    def _take(self, notes: Notes) -> None:
        for imported in notes.imports:
            if imported.whole[-1] != "*":
                self._imports.setdefault(imported.name, []).append(imported)
        self._stars += notes.stars
        self.star_modules += [module for _, module in notes.stars]
        for name, nodes in notes.bindings.items():
            self._bindings.setdefault(name, []).extend(nodes)
        self._outside |= notes.module_names
        self._outside |= notes.rebound
        self._visible |= notes.visible
        self._of_classes |= notes.of_classes
        self._unseen |= notes.unseen
        self._puts_off |= notes.puts_off
        self._runs_through |= notes.runs_through

    @property
    def puts_off(self) -> bool:
        """Whether something in the file may be a generator that is kept, which runs code when its values are taken."""
        replaced = self._unseen or "builtins" in self._imports
        return self._puts_off or any(
            replaced or name in self._imports or self.bindings(name) or self.starred_after(name, -1)
            for name in self._runs_through
        )

    @cached_property
    def run_by_expressions(self) -> frozenset[str]:
        """Methods of the file's classes that expressions run, by their full names."""
        found = frozenset[str]().union(*map(run_by_expressions, self.tree.body))
        return found - {name for name in found & EMPTY.keys() if self._means(name, EMPTY[name])}

    def _means(self, name: str, origin: str | None) -> bool:
        """Whether ``name`` is imported from ``origin`` and nothing else; None: of Python's builtins."""
        if any(star_may_bind(module, name) for _, module in self._stars):
            return False
        return self.qualified_path((name,), True) == origin if origin else not self.times_bound(name)

    def span(self, node: ast.AST) -> Span:
        """Where ``node`` stands, in code points."""
        line, col = node.lineno, node.col_offset  # type: ignore[attr-defined]
        end_line, end_col = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        return Span(self._offset(line, col), self._offset(end_line, end_col))

    def start_of(self, statement: ast.stmt) -> int:
        """Where ``statement`` begins, decorators left out."""
        return self._offset(statement.lineno, statement.col_offset)

    def line_of(self, offset: int) -> int:
        """The line, as nodes count, on which ``offset`` stands."""
        return bisect_right(self._line_starts, offset)

    def _offset(self, line: int, utf8_column: int) -> int:
        text = self._lines[line - 1]
        if not text.isascii():
            utf8_column = len(text.encode("utf-8", "surrogatepass")[:utf8_column].decode("utf-8", "surrogatepass"))
        return self._line_starts[line - 1] + utf8_column

    def text(self, node: ast.AST) -> str:
        """The source text of ``node``."""
        return self.span(node).text(self.source)

    def readable_at(self, span: Span) -> str:
        """The text at ``span``, of a node, with stand-ins for what is not Python."""
        return span.text(self.readable)

    def qualified(self, node: ast.expr) -> str | None:
        """The dotted origin of a name or attribute: ``pyspark.sql.functions.col``, ``builtins.max``; None if
        unknown."""
        path = path_of(node)
        return self.qualified_path(path[0], self.is_visible(path[1])) if path else None

    def qualified_path(self, path: tuple[str, ...], visible: bool) -> str | None:
        """As ``qualified``, of the names of a dotted name; ``visible`` as ``is_visible`` of the first."""
        origin = self._origin(path[0], visible)
        return ".".join((origin, *path[1:])) if origin else None

    def _origin(self, name: str, visible: bool) -> str | None:
        if self.hides_import(name, visible):
            return None
        imports = self._imports.get(name)
        if imports:
            origin = imports[0].origin
            if origin is None or any(i.origin != origin for i in imports):
                return None
            if self.starred_after(name, min(i.node.lineno for i in imports), own=False):
                if origin not in _WELL_KNOWN:
                    return None
                self.trusts(f"no star import or `%run` rebinds `{name}`, which is {origin}")
            return origin
        if hasattr(builtins, name) and not self.star_modules:
            return f"builtins.{name}"
        return None

    def is_visible(self, node: ast.Name) -> bool:
        """Whether no function around ``node`` has a variable of that name: a matter of its statement alone."""
        return id(node) in self._visible

    def hides_import(self, name: str, visible: bool) -> bool:
        """Whether an assignment, and not an import or the language, may have bound what a read of ``name`` gets."""
        return name in self._bindings and (not visible or name in self._outside)

    def bindings(self, name: str) -> list[ast.AST]:
        """Every place in the module, in any scope, that binds ``name``."""
        return self._bindings.get(name, [])

    def times_bound(self, name: str) -> int:
        """How many there are of these, if not more than two."""
        return min(len(self.bindings(name)), 2)

    def bound_by(self, name: str) -> frozenset[type[ast.AST]]:
        """The classes of these: all that code which is followed apart from the rest may ask about them."""
        return frozenset(map(type, self.bindings(name)))

    def bound_otherwise(self, name: str) -> bool:
        """Whether an ``except … as`` or a pattern binds ``name``."""
        return not self.bound_by(name).isdisjoint((ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping))

    def only_given(self, name: str) -> bool:
        """Whether ``name`` is bound, and as a parameter wherever it is: then nothing changes it once it has a value."""
        bound = self._bound(name)
        return bool(bound) and all(isinstance(n, ast.arg) for n in bound)

    def at_top(self, statement: ast.stmt) -> bool:
        """Whether ``statement`` is one of the top level."""
        return statement in self.tree.body

    @property
    def binds_unseen(self) -> bool:
        """Whether code that is not seen may give any name of the file, or of the language, another meaning."""
        return self._unseen

    def mentions(self, text: str) -> bool:
        """Whether ``text`` stands anywhere in the file."""
        found = self._mentioned.get(text)
        if found is None:
            found = self._mentioned[text] = text in self.source
        return found

    def _bound(self, name: str) -> list[ast.AST]:
        """As ``bindings``; nothing where code that is not seen may bind ``name`` as well."""
        return [] if self._unseen else self.bindings(name)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function ``name`` if exactly one definition in the whole file binds that name."""
        found = self._meant(name)
        return found if isinstance(found, ast.FunctionDef) else None

    def frames_given(self, about: tuple[str, str]) -> Given | None:
        """What the file gives a parameter of a function, ``about``, wherever it calls it, or of no function what makes
        the frame that a variable of the top level holds; None if that is not known."""
        key = f"frames given to {'.'.join(about)}"
        if key not in self.memo:
            self.memo[key] = None if self._unseen else frames_given(self, *about)
        found = self.memo[key]
        return found if isinstance(found, Given) else None

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
        if self.starred_after(name, line) or id(found) in self._of_classes:
            return None
        if name in self._sources:
            self.trusts(
                f"`{self._sources[name]}` of this project is what the file imports from, and no other code changes it",
                "note",
            )
        if not (hasattr(builtins, name) or any(star_may_bind(module, name) for _, module in self._stars)):
            return found  # nothing else has that name; where this is not visible, reading it fails
        reads = [n for s in self.naming(name) for n in notes_of(s).reads.get(name, ())]
        if found in self.tree.body or isinstance(found, ast.Name):
            return found if all(line < n.lineno for n in reads) else None
        beside = self._beside(name, found)
        return found if all(id(n) in beside for n in reads) else None

    def _beside(self, name: str, definition: ast.AST) -> set[int]:
        """All that stands in the function that ``definition``, which binds ``name``, stands in."""
        around = (s for s in self.naming(name) if any(b is definition for b in notes_of(s).bindings.get(name, ())))
        functions = (f for s in around for f in _functions_in(s))
        return set().union(*(f.all for f in functions if id(definition) in f.own))

    def starred_after(self, name: str, line: int, own: bool = True) -> bool:
        """Whether a star import below ``line`` may bind ``name`` to something else; ``own``: PySpark's count as
        well."""
        return any(
            at.lineno > line and (own or not module.startswith("pyspark")) and star_may_bind(module, name)
            for at, module in self._stars
        )

    def method(self, of: tuple[ast.ClassDef, str]) -> ast.FunctionDef | None:
        """The method that ``self.name`` means in the methods of a class: the only thing of that name in any class of
        the file, which nothing in it replaces; it may be of a class that the class inherits from, and from no other."""
        owner, name = of
        found = [n for n in self._bound(name) if id(n) in self._of_classes]
        if len(found) != 1 or not isinstance(found[0], ast.FunctionDef) or self._of_its_own(name):
            return None
        return found[0] if self._gets(owner, found[0]) else None

    def _gets(self, owner: ast.ClassDef, method: ast.FunctionDef) -> bool:
        """Whether a class defines ``method``, or inherits it from the one that does in a chain of classes of the file
        that have one base each."""
        at: ast.ClassDef | None = owner
        for _ in range(_MOST_BASES):
            if at is None or at.decorator_list or at.keywords:
                return False
            if any(s is method for s in at.body):
                return at is owner or not self.naming("__bases__")
            base = at.bases[0] if len(at.bases) == 1 else None
            at = self.class_definition(base.id) if isinstance(base, ast.Name) else None
            at = at if at in self.tree.body else None
        return False

    def has_method_like(self, of: tuple[ast.ClassDef, str]) -> bool:
        """Whether the name of a method of a class begins so."""
        owner, begin = of
        return any(isinstance(s, ast.FunctionDef) and s.name.startswith(begin) for s in owner.body)

    def class_binds(self, of: tuple[ast.ClassDef, str]) -> bool:
        """Whether the body of a class binds a name."""
        owner, name = of
        return name in bound_names(owner.body)

    def plain_attribute(self, of: tuple[ast.ClassDef, str]) -> bool:
        """Whether reading ``self.name`` in the methods of a class gives what was assigned to it last."""
        owner, name = of
        if owner.decorator_list or owner.keywords or self._unseen or self._of_its_own(name, assigned=True):
            return False
        return not any(id(n) in self._of_classes for n in self.bindings(name))

    def trusts(self, text: str, kind: AssumptionKind = "program") -> bool:
        """State that every verdict of the file rests on ``text``, as ``Scope.assume``: True."""
        self.trusted.setdefault(Assumption(kind, text))
        return True

    def _of_its_own(self, name: str, *, assigned: bool = False) -> bool:
        """Whether the file may set the attribute ``name`` of an object, if not ``assigned`` in a plain way, or says
        itself what attributes are."""
        if any(self.bindings(special) for special in _SPECIAL):
            return True
        notes = map(notes_of, self.naming(name))
        return any(name in n.strings or (not assigned and name in n.stored) for n in notes)

    def only_binding(self, name: str) -> ast.Name | None:
        """The target of the only assignment, loop or the like that binds ``name``, in any scope of the file."""
        found = self._meant(name)
        return found if isinstance(found, ast.Name) else None

    def constant(self, name: str) -> ast.expr | None:
        """The right-hand side of the single assignment in the whole file that binds ``name`` at module level, else
        None."""
        found = self._meant(name)
        return None if found is None else self._values.get(id(found))


def star_may_bind(module: str, name: str) -> bool:
    """Whether ``from module import *`` may bind ``name``: of PySpark's modules it is known, more or less, what is in
    them."""
    if module == HIDDEN:
        return True  # no module, but code that runs here
    if name.startswith("_"):
        return False
    if module.startswith("pyspark.sql.functions"):
        return name in FUNCTION_NAMES or name in ALSO_STARRED
    return module.split(".")[0] != "pyspark" or (name[0].isupper() and not name.isupper())
