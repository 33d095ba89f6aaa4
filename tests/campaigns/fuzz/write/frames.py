"""Frames of pandas that get columns, lose them, or call them otherwise: ``assign``, ``rename``, ``drop``, ``clip``,
``reset_index``, years of times."""

from __future__ import annotations

from collections.abc import Mapping

from .batches import _ddl
from .bodies import indented
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_NUMBERS = ("double", "bigint", "int")
_YEARS = (2024, 2023, 2025)
_PANDAS = ("import pandas as pd",)


class _Frame:
    """A frame in a variable ``pdf``: the types of its columns, and statements."""

    def __init__(self, pen: Pen, types: Mapping[str, str], batch: bool) -> None:
        self.pen, self.types, self.batch, self.lines = pen, dict(types), batch, list[str]()

    def of(self, *kinds: str) -> str:
        """A column of these types, or nothing."""
        names = [n for n, t in self.types.items() if t in kinds and n != "k"]
        return self.pen.of(names) if names else ""

    def series(self, owner: str = "pdf") -> tuple[str, str]:
        """A computed column, and its type; some of it by other rows."""
        pen, x, y = self.pen, self.of("double"), self.of("double")
        if not x:
            return pen.one("1", '"sale"', "2.5"), ""
        a, b = f'{owner}["{x}"]', f'{owner}["{y}"]'
        low, high = sorted(pen.one(-1, 0, 1, 2, 90) for _ in range(2))
        return pen.of([
            f"{a} - {b}", f"{a} * 2", f"{a}.clip({low}, {high})", f"{a}.clip(lower={pen.one(0, 1.0)})", f"{a}.abs()",
            f"{a}.clip(upper={pen.one(2, 90.0)})", f"{a}.fillna({pen.one(0, 1.0)})",
            f"{a}.fillna(0).clip(-100, 3).abs()",
            f"-{a}", f"{a}.where({b} > 1)", f"{a} + {b}.fillna(1)",
            pen.one(f"{a} - {a}.mean()", f"{a}.clip(lower={b}.mean())", f"{a}.cumsum()", f"{a}.shift(1)"),
        ]), "double"  # fmt: skip

    def mask(self, owner: str = "pdf") -> str:
        """A test of the rows."""
        pen, name = self.pen, self.pen.of(list(self.types))
        kind, a = self.types[name], f'{owner}["{name}"]'
        if kind == "timestamp":
            return f"({a}.dt.year {pen.one('>=', '<', '==', '!=', '>', '<=')} {pen.of(_YEARS)})"
        if kind == "date":
            return f"{a}.{pen.one('notna', 'isna')}()"
        c = repr(pen.of(CONSTANTS[kind]))
        if kind == "string" and pen.chance(40):
            return f'{a}.fillna("a").eq({c})'
        word = pen.one("gt", "ge", "lt", "eq", "ne") if kind in _NUMBERS else pen.one("eq", "ne")
        return pen.one(f"({a} {pen.one('>', '==', '<', '!=')} {c})" if kind in _NUMBERS else f"({a} == {c})",
                       f"{a}.{word}({c})", f"{a}.notna()")  # fmt: skip

    def step(self) -> None:
        """One more statement."""
        pen = self.pen
        match pen.one("assign", "assign", "set", "rename", "drop", "mask", "mask", "loc", "sort", "reset", "chosen"):
            case "assign":
                name = pen.one("z", "z", self.of("double") or "z")
                value, kind = self.series("d") if pen.chance(50) else self.series()
                if 'd["' in value and 'pdf["' not in value:
                    value = f"lambda d: {value}"
                kind = kind or {"1": "bigint", "2.5": "double"}.get(value, "string")
                self.types[name] = kind
                self.lines.append(f"pdf = pdf.assign({name}={value})")
            case "set":
                value, kind = self.series()
                self.types["z"] = kind or {"1": "bigint", "2.5": "double"}.get(value, "string")
                self.lines.append(f'pdf["z"] = {value}')
            case "rename":
                self._rename()
            case "drop":
                gone = self.of(*CONSTANTS)
                if gone and len(self.types) > 3:
                    del self.types[gone]
                    self.lines.append(f'pdf = pdf.drop(columns=["{gone}"])')
            case "mask":
                self.lines.append(f"pdf = pdf[{self.mask()}]")
            case "loc":
                self.lines.append(f"pdf = pdf.loc[{self.mask()}]")
            case "sort" if self.of(*_NUMBERS):
                self.lines.append(f'pdf = pdf.sort_values("{self.of(*_NUMBERS)}")')
            case "reset":
                self.lines.append(pen.one("pdf = pdf.reset_index(drop=True)", "rest = pdf.reset_index(drop=True)"))
                if self.lines[-1].startswith("rest") and (x := self.of("double")):
                    self.types["z"] = "double"
                    self.lines.insert(-1, f"pdf = pdf[{self.mask()}]")
                    self.lines.append(f'pdf = pdf.assign(z=rest["{x}"])')
            case "chosen" if self.batch and len(self.types) > 2:
                kept = ["k", *pen.some([n for n in self.types if n != "k"], 1, len(self.types) - 1)]
                self.types = {n: self.types[n] for n in kept}
                listed = ", ".join(f'"{n}"' for n in kept)
                self.lines.append(pen.one(f"pdf = pdf[[{listed}]]", f"pdf = pdf.loc[{self.mask()}, [{listed}]]"))

    def _rename(self) -> None:
        pen, old = self.pen, self.of(*CONSTANTS)
        if not old:
            return
        twins = [n for n, t in self.types.items() if n not in ("k", old)]
        if twins and pen.chance(45):
            other = pen.of(twins)
            pairs = {old: other, other: old} if pen.chance(85) else {old: other}
        else:
            pairs = {old: "w"} if "w" not in self.types else {}
        if pen.chance(5):
            pairs = {"nothing": "w"}
        if not pairs:
            return
        listed = ", ".join(f'"{a}": "{b}"' for a, b in pairs.items())
        self.lines.append(f"pdf = pdf.rename(columns={{{listed}}})")
        self.types = {pairs.get(n, n): t for n, t in self.types.items()}


def group_frames(pen: Pen, source: Source) -> Boundary:
    """``applyInPandas`` with such statements, and a reduction of what is left."""
    frame = _Frame(pen, source.types, False)
    for _ in range(pen.upto(1, 4)):
        frame.step()
    kept = f"pdf[{frame.mask()}]" if pen.chance(50) else "pdf"
    x = frame.of(*_NUMBERS)
    if x and pen.chance(75):
        word, kind = pen.one("max", "max", "min"), frame.types[x]
        c = tuple(pen.of(CONSTANTS[kind]) for _ in range(2))
        value = f'{kept}["{x}"].{word}()'
        op = ">=" if word == "max" else "<="
        out = Output("m", kind, (Test("m", op, (c[0],)), Test("m", op[0], (c[1],)), Test("m", "present")))
    else:
        value = pen.one(f"len({kept})", f"int({frame.mask()}.sum())")
        out = Output("m", "bigint", tuple(Test("m", o, (n,)) for o, n in ((">=", 2), (">", 0), ("==", 1))))
    body = ["def f(key, pdf):", *indented([*frame.lines, f'return pd.DataFrame({{"k": [key[0]], "m": [{value}]}})'])]
    key = Output("k", source.types["k"])
    return Boundary(body, f'{{}}.groupBy("k").applyInPandas(f, "{_ddl([key, out])}")', [out, out, key], _PANDAS)


def batch_frames(pen: Pen, source: Source) -> Boundary:
    """``mapInPandas`` with such statements."""
    frame = _Frame(pen, source.types, True)
    for _ in range(pen.upto(1, 4)):
        frame.step()
    outputs = [Output(n, t) for n, t in frame.types.items()]
    body = ["def f(batches):", *indented(["for pdf in batches:", *indented([*frame.lines, "yield pdf"])])]
    return Boundary(body, f'{{}}.mapInPandas(f, "{_ddl(outputs)}")', outputs, _PANDAS)
