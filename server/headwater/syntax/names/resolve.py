"""Which function of PySpark a name means, with star imports, aliases and shadowing; refuses in doubt."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import cast

from headwater.syntax.refusal import Refusal
from headwater.syntax.source.linked import PREFIX
from headwater_ir.plan import Spelling

from . import frame_names
from .caught_calls import gone_on_behind
from .lookups import Lookups
from .module_scope import Context, path_of, star_may_bind
from .monkeypatches import OWN, Patches
from .pyspark_symbols import FUNCTION_NAMES, TYPES
from .reflection import looks_at_scope as looks_at_scope
from .spark_conf import Settings
from .spark_versions import ANY, Targets
from .spelled_sql import Spelled, may_spell
from .statement_notes import Import, Notes, notes_of, registered_name

FUNCTIONS = "pyspark.sql.functions"
_TYPES = "pyspark.sql.types"
_SAFE_STARS = {FUNCTIONS, _TYPES, "pyspark.sql", "pyspark.sql.window", "pyspark"}
MEMO = "names"
"""Where the memo of a ``Context`` has its ``Names``."""


class Spellings:
    """How the columns are spelled that some code reads."""

    def __init__(self) -> None:
        self._spelled: dict[str, str] = {}

    def spell(self, column: str) -> None:
        """Note the column name; Refusal if the code also spells it in other case.

        Spark takes ``Score`` and ``score`` for one column unless configured otherwise; which it is cannot be seen here.
        """
        if self._spelled.setdefault(column.lower(), column) != column:
            raise Refusal("attribute-capture", f"`{column}` is also spelled `{self._spelled[column.lower()]}`")

    @contextmanager
    def of_its_own(self) -> Iterator[None]:
        """What follows is about frames that nothing else reads: the body of another function."""
        kept, self._spelled = self._spelled, {}
        try:
            yield
        finally:
            self._spelled = kept


class Names(Spellings):
    """Name questions about one module that ``Context`` leaves open."""

    def __init__(self, ctx: Context, targets: Targets = ANY) -> None:
        super().__init__()
        self.ctx = ctx
        notes = [notes_of(statement) for statement in ctx.tree.body]
        self._origins: dict[str, set[str]] = {}
        self.uses_pyspark = False
        for imported in (i for n in notes for i in n.imports):
            self._import(imported)
        self.mutated = _united(n.mutated for n in notes)
        """Names whose value some method call or subscript assignment in the file may change in place."""
        self.declared = _united(n.declared for n in notes)
        """Names under ``global`` or ``nonlocal``: other scopes bind them."""
        self.rebound = _united(n.rebound for n in notes)
        """Names under ``global`` or ``nonlocal`` or bound by ``:=``: their value at a place is not known."""
        self._notes = notes
        self._loads = _sum(n.loads for n in notes)
        self.uses_pyspark = self.uses_pyspark or self._is_given_a_session()
        self.reflective = any(n.reflective for n in notes)
        """Whether the file reads or binds names in ways that cannot be seen: ``eval``, ``exec``, ``globals()``."""
        lent = _united(n.lent for n in notes)
        own = [name for name in OWN if ctx.times_bound(name) and name not in lent]
        self.patches = Patches((c for n in notes for c in n.changes), self._origins, own)
        self.settings = Settings((s for n in notes for s in n.settings), targets)
        ctx.memo.setdefault(MEMO, self)

    @staticmethod
    def of(ctx: Context) -> Names:
        """The names of a module, for a reader of its own: how columns are spelled is a matter of one function."""
        own = copy(cast("Names", ctx.memo.get(MEMO) or Names(ctx)))
        own._spelled = {}
        return own

    def _is_given_a_session(self) -> bool:
        """Whether the file reads a ``spark`` that nothing in it binds, parameters apart: notebooks begin with one."""
        ctx = self.ctx
        if not self._loads.get("spark", 0) or "spark" in self._origins:
            return False
        if not ctx.times_bound("spark"):
            return True
        reads = (n for s in ctx.naming("spark") for n in notes_of(s).reads.get("spark", ()))
        return ctx.only_given("spark") and any(map(ctx.is_visible, reads))

    def _import(self, imported: Import) -> None:
        self._origins.setdefault(imported.name, set()).add(imported.whole)
        self.uses_pyspark |= imported.whole.split(".")[0] == "pyspark"

    def resolve(self, node: ast.expr) -> str | None:
        """The dotted origin of ``node``, as ``Context.qualified``, and through star imports of PySpark's own
        modules; None too for what the file replaces there."""
        path = path_of(node)
        return self.resolve_path(path[0], self.ctx.is_visible(path[1])) if path else None

    def resolve_path(self, path: tuple[str, ...], visible: bool) -> str | None:
        """As ``resolve``, of the names of a dotted name; ``visible`` as ``Context.is_visible`` of the first."""
        origin = self._resolve(path[0], visible)
        found = ".".join((origin, *path[1:])) if origin else None
        return None if found is None or self.patches.touch(found) else found

    def _resolve(self, name: str, visible: bool) -> str | None:
        starred = self._starred(name)
        if name in self._origins:
            origin = self.ctx.qualified_path((name,), visible) if len(self._origins[name]) == 1 else None
            # A star import before or after may bind the same name to something else.
            return origin if starred in (None, origin) else None
        if starred and not self.ctx.hides_import(name, visible):
            return starred
        origin = self.ctx.qualified_path((name,), visible)
        if origin is None and self._is_builtin_beside_stars(name) and not self.ctx.hides_import(name, visible):
            return f"builtins.{name}"
        return origin

    def _is_builtin_beside_stars(self, name: str) -> bool:
        """Whether Python's ``name`` is none that the star imports of the file, of PySpark's own modules, bind."""
        stars = set(self.ctx.star_modules)
        known = bool(stars) and stars <= _SAFE_STARS and hasattr(builtins, name) and not name.startswith("_")
        return known and not any(star_may_bind(module, name) for module in stars)

    def _starred(self, name: str) -> str | None:
        stars = set(self.ctx.star_modules)
        if not stars or not stars <= _SAFE_STARS or name.startswith("_"):
            return None
        if name in TYPES:
            return f"{_TYPES}.{name}" if _TYPES in stars else None
        return f"{FUNCTIONS}.{name}" if FUNCTIONS in stars and name in FUNCTION_NAMES else None

    def function(self, node: ast.expr) -> str | None:
        """The name in ``pyspark.sql.functions`` that ``node`` means."""
        origin = self.resolve(node) or ""
        module, _, name = origin.rpartition(".")
        return name if module in (FUNCTIONS, "pyspark.sql.functions.builtin") and name else None

    def may_spell(self, name: str) -> Spelled:
        """Whether the file may hand Spark ``name`` in SQL."""
        spelled = cast("dict[str, Spelled]", self.ctx.memo.setdefault("spelled", {}))
        if name not in spelled:
            spelled[name] = may_spell(self, name)
        return spelled[name]

    def names_a_frame(self, name: str) -> bool:
        """Whether a frame of the file may be called ``name``: by ``alias``, or for the table that it is."""
        return frame_names.names_a_frame(self, name)

    def may_be_looked_up(self, name: str) -> bool:
        """Whether the file may read or bind the variable ``name`` in a way that cannot be seen."""
        return self.reflective and Lookups.of(self.ctx).may_read(name)

    def loads(self, name: str) -> int:
        """How often the file reads ``name``."""
        return self._loads.get(name, 0)

    def attribute_loads(self, name: str) -> int:
        """How often it does so to read an attribute of it."""
        return sum(n.attribute_loads[name] for n in self._noting(name))

    def only_called(self, name: str) -> bool:
        """Whether the file uses the class ``name`` only to call it and in annotations, and reaches the class of no
        object in another way: then no code of the file changes it."""
        uses = sum(n.called[name] for n in self._noting(name))
        return self.loads(name) == uses and not any(n.reaches_classes for n in self._notes)

    def _noting(self, word: str) -> Iterator[Notes]:
        return map(notes_of, self.ctx.naming(word))

    def calls_of(self, method: str) -> tuple[ast.Call, ...]:
        """Every call of a method of that name in the file."""
        return tuple(call for n in self._noting(method) for call in n.method_calls.get(method, ()))

    def goes_on_behind(self, function: str) -> bool:
        """Whether the program may go on behind an error in ``function``, because of what calls it."""
        return function in self._gone_on_behind

    @cached_property
    def _gone_on_behind(self) -> frozenset[str]:
        return gone_on_behind(self.ctx.tree.body)

    def registered(self, name: str) -> tuple[ast.Call, ...]:
        """Every ``spark.udf.register(…)`` of the file that may register this name, in lower case."""
        return tuple(call for call in self._registrations if registered_name(call) in (None, name))

    @cached_property
    def _registrations(self) -> list[ast.Call]:
        return [call for n in self._notes for call in n.registrations]

    def is_optional(self, name: str) -> bool:
        """Whether some function of the file has a parameter ``name`` that may be left out of a call."""
        return any(name in n.optional for n in self._notes)

    def is_used(self, name: str) -> bool:
        """Whether the file reads or binds a variable or an attribute of that name, definitions left out."""
        return any(name in n.names or name in n.attributes for n in self._noting(name))

    def has_string(self, text: str) -> bool:
        """Whether ``text`` stands in the file as a string."""
        return any(text in n.strings for n in self._noting(text))

    def speaks_of(self, name: str) -> bool:
        """Whether ``name`` stands in the file as a string or as an attribute."""
        return any(name in n.strings or name in n.attributes for n in self._noting(name))

    @property
    def imported(self) -> frozenset[str]:
        """Names that an import binds anywhere in the file."""
        return frozenset(self._origins)

    def spelling(self) -> Spelling:
        """How this file spells Spark's functions."""
        functions, imported = None, []
        for name in self._origins:
            if name.startswith(PREFIX):
                continue
            origin = self.resolve(ast.Name(name, ast.Load()))
            if origin == FUNCTIONS:
                functions = functions or name
            elif origin and origin.startswith(FUNCTIONS + "."):
                imported.append((origin.rpartition(".")[2], name))
        if FUNCTIONS in self.ctx.star_modules:
            for name in ("col", "lit", "isnan", "expr"):
                if self.function(ast.Name(name, ast.Load())) == name:
                    imported.append((name, name))
        ordered = tuple(dict(sorted(imported, reverse=True)).items())
        return Spelling(functions, dict(ordered).get("col"), tuple(sorted(ordered)))


def _united(found: Iterable[set[str]]) -> set[str]:
    return set().union(*found)


def _sum(counted: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in counted:
        for name, times in counts.items():
            total[name] = total.get(name, 0) + times
    return total
