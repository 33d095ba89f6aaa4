"""What became of one instance, and how it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Push = Literal["equal", "superset", "none"]
"""As the paper says it: the filter is moved whole (F(Op(T)) = Op(G(T))), a weaker one is added and it stays
(F(Op(T)) = F(Op(G(T)))), or nothing is."""
Part = Literal["operators", "functions", "cases"]


@dataclass(frozen=True)
class Outcome:
    """One instance. ``spark``: None where Spark has no plan of it; ``assumed``: what Headwater found rests on
    assumptions; ``constant``: the filter lets nothing pass, or everything; ``obstruction`` and ``reason``: why
    Headwater moved nothing, empty where it left the filter to Spark; ``seconds``: of processor time of the whole
    analysis; ``rewritten``: the text with the pre-filter, alone (``superset``) or with the filter taken away."""

    part: Part
    kind: str
    core: str
    seed: int
    source: str
    table: str
    rules: Push
    rule: tuple[int, ...]
    headwater: Push
    assumed: bool
    constant: bool
    prefilter: str
    obstruction: str
    reason: str
    seconds: float
    spark: Push | None = None
    rewritten: str | None = None
    mode: Literal["superset", "equal"] = "equal"
    assumptions: tuple[str, ...] = ()

    @property
    def together(self) -> Push:
        """What Spark does of what Headwater leaves to it, and Headwater's own."""
        return max((self.headwater, self.spark or "none"), key=_STRENGTH.index)


_STRENGTH: tuple[Push, ...] = ("none", "superset", "equal")


def write(outcomes: Iterable[Outcome], path: Path) -> None:
    """One a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(asdict(o)) + "\n" for o in outcomes), encoding="utf-8")


def read(path: Path) -> list[Outcome]:
    """What ``write`` wrote."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Outcome(**{**line, "rule": tuple(line["rule"]), "assumptions": tuple(line["assumptions"])}) for line in lines
    ]
