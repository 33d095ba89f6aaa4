"""The code of a module in segments that know nothing of each other: what one of them says can be read without the rest.

Two statements are of one segment if a variable is named in both, and so is all that stands between them. Of each
variable only what holds the same wherever it is read, and is no frame, may be named in several segments: an import of
what is known, a definition, a constant, a session that is only asked for sources. Such statements are followed once
more at the head of each segment that names them. Views are variables, too, by whatever text speaks of them.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from headwater.pyspark.frames.placed import Placed, placed
from headwater.pyspark.sql_text.views import REGISTERS
from headwater.syntax.names.pyspark_methods import FRAME, GROUPED
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.statement_notes import notes_of
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import bound_names, captured_names, own_reads, parameters

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_OF_SESSIONS = frozenset(
    """
    _jsc _jsparkSession _jvm _sc addPyFile builder catalog conf createDataFrame newSession parallelize
    range read readStream setLogLevel sparkContext sql stop streams table textFile udf version
    """.split()
)
"""What a session or a context is asked for, and no frame, no RDD and nothing of pandas."""
_READS = frozenset({"load", "sql", "table", *REGISTERS})
"""What makes a view, or a frame of one."""
_SESSIONS = ("pyspark.sql.SparkSession", "pyspark.sql.session.SparkSession")
_OF_NOTEBOOKS = frozenset({"__name__", "__file__", "dbutils", "display"})
_MEMO, _WORDS = "_concerns", "_words_of_texts"
_WORD = re.compile(r"\w+")


class Concern(NamedTuple):
    """What a statement has to do with variables of the module: those that it binds, and all that it names, without the
    bodies of functions and classes; ``views``: the names that it may give views, None for one that is computed."""

    bound: frozenset[str]
    named: frozenset[str]
    views: frozenset[str] | None


class _Words(NamedTuple):
    """The ``words`` of the texts in a statement, in lower case; ``plain``: they are all in ASCII."""

    words: frozenset[str]
    plain: bool


@dataclass(frozen=True)
class Segment:
    """The statements from ``first`` up to ``last``; ``head``: those in front that bind what these name; ``known``: what
    they name that is a variable of the module."""

    first: int
    last: int
    head: tuple[int, ...]
    known: frozenset[str]


def segments(body: Sequence[ast.stmt], names: Names, resolve: Callable[[str], str | None]) -> list[Segment]:
    """The segments of a module, in order. ``resolve``: the full name of what a name of the module means."""
    return _Segments(body, names, resolve).found() if body else []


class _Segments:
    def __init__(self, body: Sequence[ast.stmt], names: Names, resolve: Callable[[str], str | None]) -> None:
        self.body, self.names, self.resolve = body, names, resolve
        self.concerns = [concern(s) for s in body]
        self.binders: dict[str, list[int]] = {}
        self.named: dict[str, list[int]] = {}
        for i, of in enumerate(self.concerns):
            for name in of.bound:
                self.binders.setdefault(name, []).append(i)
            for name in of.named:
                self.named.setdefault(name, []).append(i)
        self._known: dict[str, bool] = {}
        self._effective = frozenset[str]()
        self.stars = [i for i, s in enumerate(body) if isinstance(s, ast.ImportFrom) and s.names[0].name == "*"]

    def found(self) -> list[Segment]:
        views = [c.views for c in self.concerns]
        if any(v is None for v in views) or self.names.reflective:
            return [self._segment(0, len(self.body))]
        joined = [0] * (len(self.body) + 1)
        """How many begin, less how many end, of the stretches that no segment ends in."""
        about_views = self._about_views(frozenset[str]().union(*(v for v in views if v)))
        speaking = {i for places in about_views for i in places}
        self._effective = self._functions_like(speaking).union(*(self.concerns[i].bound for i in speaking))
        for name, places in self.named.items():
            if places[0] < places[-1] and not self._is_common(name):
                about_views.append(places)
        for places in about_views:
            joined[places[0] + 1] += 1
            joined[places[-1] + 1] -= 1
        starts = [i for i, n in enumerate(accumulate(joined[:-1])) if not n and self._may_begin(i)]
        starts = [0, *(i for i in starts if i)]
        return [self._segment(a, b) for a, b in zip(starts, [*starts[1:], len(self.body)], strict=True)]

    def _may_begin(self, i: int) -> bool:
        """Whether a segment is worth beginning at ``i``, or may: an error that is raised belongs to what is in front of
        it."""
        before = self.body[i - 1]
        return not isinstance(self.body[i], ast.Raise) and not isinstance(before, (*_DEFINITIONS, *_IMPORTS))

    def _segment(self, first: int, last: int) -> Segment:
        named = frozenset[str]().union(*(self.concerns[i].named for i in range(first, last)))
        head, todo = {i for i in self.stars if i < first}, [*named]
        while todo:
            for i in self.binders.get(todo.pop(), ()):
                if i < first and i not in head:
                    head.add(i)
                    todo += [] if isinstance(self.body[i], _DEFINITIONS) else self.concerns[i].named
        return Segment(first, last, tuple(sorted(head)), frozenset(named & self.binders.keys()))

    # --- views

    def _about_views(self, views: frozenset[str]) -> list[list[int]]:
        """For each view the statements that may register it, those that may read it from then on, and all that may make
        a text that does."""
        if not views:
            return []
        found: dict[str, list[int]] = {}
        reading = self._functions_like({i for i, s in enumerate(self.body) if notes_of(s).attributes & _READS})
        making = self._functions_like({i for i, c in enumerate(self.concerns) if c.views})
        apart = self._followed_apart()
        first = next((i for i, c in enumerate(self.concerns) if i not in apart and (c.views or making & c.named)), 0)
        for i, s in enumerate(self.body):
            if i in apart:
                continue
            spoken = _spoken_of(s, views)
            reads = notes_of(s).attributes & _READS or reading & placed(s).names.keys()
            for name in spoken if (reads and i >= first) or _may_make_a_text(s) else ():
                found.setdefault(name, []).append(i)
        return [*found.values()]

    def _followed_apart(self) -> set[int]:
        """The functions without decorators that no code of the module calls, or hands to others, when it runs: their
        bodies are followed alone, and register or read no view that the module's own code has to do with."""
        plain = {
            s.name: i
            for i, s in enumerate(self.body)
            if isinstance(s, _DEFINITIONS[:2]) and not s.decorator_list and len(self.binders[s.name]) == 1
        }
        apart = set(plain.values())
        reached = frozenset[str]().union(*(self._names_run(i) for i in range(len(self.body)) if i not in apart))
        reached |= frozenset[str]().union(*(self.concerns[i].named - {name} for name, i in plain.items()))
        while more := {i for name in reached & plain.keys() if (i := plain[name]) in apart}:
            apart -= more
            reached = frozenset[str]().union(*(placed(self.body[i]).names.keys() for i in more))
        return apart

    def _names_run(self, i: int) -> Iterable[str]:
        """The names in statement ``i`` when all of its code may run, with that of what it defines."""
        s = self.body[i]
        return placed(s).names.keys() if isinstance(s, _DEFINITIONS) else self.concerns[i].named

    def _functions_like(self, these: set[int]) -> frozenset[str]:
        """The names of the definitions among the statements ``these``, and of those that name one of them."""
        inside = {i: placed(s).names.keys() for i, s in enumerate(self.body) if isinstance(s, _DEFINITIONS)}
        names = {i: self.body[i].name for i in inside}  # type: ignore[attr-defined]
        found = {names[i] for i in inside if i in these}
        while more := {names[i] for i, used in inside.items() if names[i] not in found and not found.isdisjoint(used)}:
            found |= more
        return frozenset(found)

    # --- variables that segments have in common

    def _is_common(self, name: str) -> bool:
        """Whether it is no matter to a segment what others do with the variable ``name``."""
        if name not in self._known:
            self._known[name] = False  # where it is made of itself
            self._known[name] = name not in self.names.rebound and name not in self._effective and self._is_one(name)
        return self._known[name]

    def _is_one(self, name: str) -> bool:
        """Whether ``name`` means one thing, and no frame, wherever the module has it."""
        binders = [self.body[i] for i in self.binders.get(name, ())]
        if not binders:
            return self._is_given(name) or self._only_annotates(name) or self._is_asked_for_sources(name)
        if all(isinstance(s, _IMPORTS) for s in binders):
            are_modules = all(isinstance(s, ast.Import) for s in binders)
            return self.resolve(name) is not None and (are_modules or not self._is_counted(name))
        if len(binders) == 1 and isinstance(binders[0], _DEFINITIONS):
            return True
        values = [s.value for s in binders if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)]
        if len(values) < len(binders) or any(len(s.targets) > 1 for s in binders if isinstance(s, ast.Assign)):
            return False
        if all(map(_is_constant, values)):
            return True
        made = {n for i in self.binders[name] for n in self.concerns[i].named} - {name}
        if not all(isinstance(v, ast.Call) for v in values) or not all(map(self._is_common, made)):
            return False
        return self._is_asked_for_sources(name, plainly=all(map(self._is_a_session, values)))

    def _is_a_session(self, node: ast.expr) -> bool:
        """Whether ``node`` is one that PySpark makes."""
        while isinstance(node, (ast.Call, ast.Attribute)):
            if isinstance(node, ast.Attribute) and node.attr == "builder":
                return isinstance(node.value, ast.Name) and self.resolve(node.value.id) in _SESSIONS
            node = node.func if isinstance(node, ast.Call) else node.value
        return False

    def _is_given(self, name: str) -> bool:
        """Whether Python, PySpark or a notebook gives ``name``, which the module binds nowhere."""
        if self.names.ctx.times_bound(name) or self._is_counted(name):
            return False
        return hasattr(builtins, name) or name in _OF_NOTEBOOKS or self.resolve(name) is not None

    def _only_annotates(self, name: str) -> bool:
        """Whether ``name``, which the file binds nowhere, stands in annotations of functions alone: nobody reads it to
        follow the module."""
        if self.names.ctx.times_bound(name) or self._is_counted(name):
            return False
        return all(name not in _evaluated(self.body[i]) for i in self.named[name])

    def _is_asked_for_sources(self, name: str, *, plainly: bool = False) -> bool:
        """Whether the module names ``name`` for nothing but what a session is asked for, and does so; ``plainly``: or
        to hand it to functions, or to look whether it is there, or never."""
        asked = plainly
        for i in self.named[name]:
            noted = placed(self.body[i])
            for node in () if isinstance(self.body[i], _DEFINITIONS) else noted.names.get(name, ()):
                match noted.around.get(id(node)):
                    case ast.Attribute(attr=attr) if attr in _OF_SESSIONS:
                        asked = True
                        continue
                    case ast.Call(func=ast.Name()) | ast.Compare() | ast.If() | ast.IfExp() if plainly:
                        continue
                    case ast.Assign(targets=[target]) if target is node:
                        continue
                return False
        return asked

    def _is_counted(self, name: str) -> bool:
        """Whether ``name.count()`` stands anywhere, which is a job where ``name`` is a frame."""
        for noted in (placed(self.body[i]) for i in self.named[name]):
            for node in noted.names.get(name, ()):
                match noted.around.get(id(node)):
                    case ast.Attribute(attr="count") as method:
                        call = noted.around.get(id(method))
                        if isinstance(call, ast.Call) and not call.args and not call.keywords:
                            return True
        return False


def _spoken_of(statement: ast.stmt, views: frozenset[str]) -> Iterable[str]:
    """Which of ``views``, in lower case, stand in texts of ``statement`` as words, in any case."""
    known = getattr(statement, _WORDS, None)
    if not isinstance(known, _Words):
        strings = notes_of(statement).strings
        known = _Words(
            frozenset(w.lower() for text in strings for w in _WORD.findall(text)), all(map(str.isascii, strings))
        )
        setattr(statement, _WORDS, known)  # a table would keep the tree
    if known.plain and all(v.isascii() and v.isidentifier() for v in views):
        return known.words & views
    words = re.compile("|".join(rf"\b{re.escape(v)}\b" for v in sorted(views)), re.IGNORECASE)
    return {w.lower() for text in notes_of(statement).strings for w in words.findall(text)}


def _may_make_a_text(statement: ast.stmt) -> bool:
    """Whether a text in ``statement`` may be in what it makes: not in a frame, nor in what a method of one gives."""
    match statement:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(attr=last)))
            | ast.Assign(value=ast.Call(func=ast.Attribute(attr=last)))
        ):
            return last not in FRAME.keys() | GROUPED.keys() | _READS or hasattr(str, last)
    return True


def _is_constant(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    return all(isinstance(p, ast.Constant) for p in parts)


def concern(statement: ast.stmt) -> Concern:
    """What ``statement`` has to do with variables, which nobody changes any more."""
    known = getattr(statement, _MEMO, None)
    if not isinstance(known, Concern):
        known = Concern(frozenset(bound_names([statement])), _named(statement), _views(statement))
        setattr(statement, _MEMO, known)  # a table would keep the tree
    return known


def _named(statement: ast.stmt) -> frozenset[str]:
    if not isinstance(statement, _DEFINITIONS):
        own = {*bound_names([statement]), *(n.id for n in own_reads(statement))}
        noted = placed(statement)
        inside = (n for n in captured_names([statement]) if n not in own)
        return frozenset(own | {n for n in inside if not all(_is_of_lambda(r, noted) for r in noted.names[n])})
    head: list[ast.AST] = [*statement.decorator_list]
    if isinstance(statement, ast.ClassDef):
        head += [*statement.bases, *statement.keywords]
    else:
        head.append(statement.args)
    read = {n.id for part in head for n in walk(part) if isinstance(n, ast.Name)}
    return frozenset({statement.name, *read})


def _evaluated(statement: ast.stmt) -> frozenset[str]:
    """The names that ``statement`` evaluates, or that is not known: of a function all but those of annotations."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return concern(statement).named
    head = (*statement.decorator_list, *statement.args.defaults, *filter(None, statement.args.kw_defaults))
    return frozenset(n.id for part in head for n in walk(part) if isinstance(n, ast.Name))


def _is_of_lambda(read: ast.Name, noted: Placed) -> bool:
    """Whether ``read`` is a parameter of a lambda around it. (Defaults are evaluated outside of it.)"""
    inner: ast.AST = read
    outer = noted.around.get(id(read))
    while outer is not None:
        if isinstance(outer, ast.Lambda) and inner is outer.body and read.id in {p.arg for p in parameters(outer)}:
            return True
        inner, outer = outer, noted.around.get(id(outer))
    return False


def _views(statement: ast.stmt) -> frozenset[str] | None:
    notes, found = notes_of(statement), set[str]()
    if notes.uncalled & REGISTERS:
        return None
    for call in (c for method in REGISTERS for c in notes.method_calls.get(method, ())):
        given = [*call.args, *(k.value for k in call.keywords)]
        texts = {a.value.lower() for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)}
        if len(texts) != len(given):
            return None
        found |= texts
    return frozenset(found)
