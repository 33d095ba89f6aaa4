"""Which function of PySpark a name means, with star imports, aliases and shadowing; refuses in doubt."""

from __future__ import annotations

import ast
from collections import Counter
from copy import copy

from headwater_ir.plan import Spelling

from .context import Context, Refusal
from .patched import Patches
from .settings import Settings
from .spark_names import FUNCTION_NAMES

FUNCTIONS = "pyspark.sql.functions"
_TYPES = "pyspark.sql.types"
_SAFE_STARS = {FUNCTIONS, _TYPES, "pyspark.sql", "pyspark.sql.window", "pyspark"}
_TYPE_SUFFIXES = ("Type", "StructField")
_MUTATORS = {"add", "append", "extend", "insert", "remove", "pop", "update", "clear", "sort", "reverse", "fields"}
_KEEPERS = frozenset(
    """
    isin groupBy groupby rollup cube select drop dropna dropDuplicates drop_duplicates orderBy sort partitionBy
    createDataFrame join
    """.split()
)
"""Methods of Spark that read a list that they are given and keep nothing of it."""
_WHOLE_SCOPE = {"globals", "locals", "vars"}
_MEMO = "names"


def looks_at_scope(call: ast.Call) -> bool:
    """Whether ``call`` may read or bind variables by their names."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in ("eval", "exec") or (name in _WHOLE_SCOPE and not call.args)


class Names:
    """Name questions about one module that ``Context`` leaves open."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._origins: dict[str, set[str]] = {}
        self.uses_pyspark = False
        self.mutated: set[str] = set()
        """Names whose value some method call or subscript assignment in the file may change in place."""
        self.rebound: set[str] = set()
        """Names under ``global`` or ``nonlocal`` or bound by ``:=``: their value at a place is not known."""
        self._loads: dict[str, int] = {}
        self._safe_loads: dict[str, int] = {}
        self._attribute_loads: Counter[str] = Counter()
        self.reflective = False
        """Whether the file reads or binds names in ways that cannot be seen: ``eval``, ``exec``, ``globals()``."""
        self._spelled: dict[str, str] = {}
        for node in ast.walk(ctx.tree):
            self._note(node)
        self.patches = Patches(ctx.tree, self._origins)
        self.settings = Settings(ctx.tree)

    @staticmethod
    def of(ctx: Context) -> Names:
        """The names of a module, for a reader of its own: how columns are spelled is a matter of one function."""
        known = ctx.memo.get(_MEMO)
        if not isinstance(known, Names):
            known = ctx.memo[_MEMO] = Names(ctx)
        own = copy(known)
        own._spelled = {}
        return own

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._import(alias.asname or alias.name.split(".")[0], alias.name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self._import(alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}")
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.rebound.update(node.names)
        elif isinstance(node, ast.NamedExpr):
            self.rebound.add(node.target.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.value, ast.Name):
            if isinstance(node.ctx, (ast.Store, ast.Del)) or getattr(node, "attr", None) in _MUTATORS:
                self.mutated.add(node.value.id)
            elif isinstance(node, ast.Attribute):
                self._attribute_loads[node.value.id] += 1
            if getattr(node, "attr", None) in ("items", "keys", "values"):
                self._note_safe([node.value])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._loads[node.id] = self._loads.get(node.id, 0) + 1
        elif isinstance(node, ast.Call):
            self._note_call(node)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._note_safe([node.iter])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            self._note_safe([node.left, node.right])
        elif isinstance(node, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            self._note_safe(node.comparators)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.mutated.add(node.target.id)

    def _note_call(self, node: ast.Call) -> None:
        self.reflective |= looks_at_scope(node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in _KEEPERS or (isinstance(node.func, ast.Name) and node.func.id == "len"):
            given = (*node.args, *(k.value for k in node.keywords))
            self._note_safe([arg.value if isinstance(arg, ast.Starred) else arg for arg in given])

    def _note_safe(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            if isinstance(node, ast.Name):
                self._safe_loads[node.id] = self._safe_loads.get(node.id, 0) + 1

    def _import(self, name: str, origin: str) -> None:
        self._origins.setdefault(name, set()).add(origin)
        self.uses_pyspark |= origin.split(".")[0] == "pyspark"

    def resolve(self, node: ast.expr) -> str | None:
        """The dotted origin of ``node``, as ``Context.qualified``, and through star imports of PySpark's own
        modules; None too for what the file replaces there."""
        found = self._resolve(node)
        return None if found is None or self.patches.touch(found) else found

    def _resolve(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            base = self._resolve(node.value)
            return f"{base}.{node.attr}" if base else None
        if not isinstance(node, ast.Name):
            return None
        starred = self._starred(node.id)
        if node.id in self._origins:
            origin = self.ctx.qualified(node) if len(self._origins[node.id]) == 1 else None
            # A star import before or after may bind the same name to something else.
            return origin if starred in (None, origin) else None
        if starred and not self.ctx.hides_import(node):
            return starred
        return self.ctx.qualified(node)

    def _starred(self, name: str) -> str | None:
        stars = set(self.ctx.star_modules)
        if not stars or not stars <= _SAFE_STARS or name.startswith("_"):
            return None
        if name.endswith(_TYPE_SUFFIXES):
            return f"{_TYPES}.{name}" if _TYPES in stars else None
        return f"{FUNCTIONS}.{name}" if FUNCTIONS in stars and name in FUNCTION_NAMES else None

    def function(self, node: ast.expr) -> str | None:
        """The name in ``pyspark.sql.functions`` that ``node`` means."""
        origin = self.resolve(node) or ""
        module, _, name = origin.rpartition(".")
        return name if module in (FUNCTIONS, "pyspark.sql.functions.builtin") and name else None

    def never_changed(self, name: str) -> bool:
        """Whether nothing can change the list ``name``: every use of it is one that keeps no second name for it."""
        return name not in self.mutated and self._loads.get(name, 0) == self._safe_loads.get(name, 0)

    def loads(self, name: str) -> int:
        """How often the file reads ``name``."""
        return self._loads.get(name, 0)

    def attribute_loads(self, name: str) -> int:
        """How often it does so to read an attribute of it."""
        return self._attribute_loads[name]

    @property
    def imported(self) -> frozenset[str]:
        """Names that an import binds anywhere in the file."""
        return frozenset(self._origins)

    def spell(self, column: str) -> None:
        """Note the column name; Refusal if the file also spells it in other case.

        Spark takes ``Score`` and ``score`` for one column unless configured otherwise; which it is cannot be seen here.
        """
        if self._spelled.setdefault(column.lower(), column) != column:
            raise Refusal("attribute-capture", f"`{column}` is also spelled `{self._spelled[column.lower()]}`")

    def spelling(self) -> Spelling:
        """How this file spells Spark's functions."""
        functions, imported = None, []
        for name in self._origins:
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
