"""Failures that were found once, as files: a program, its table, rows, and what was wrong."""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from tests.small_spark.frame import Parts

from .judge import Trial, compare
from .tool import Answer, answer
from .write import Program

FOLDER = Path(__file__).parent / "regressions"
_HEADER = re.compile(r"^# (wrong|shape|table|rows): (.*)$", re.M)


@dataclass(frozen=True)
class Regression:
    """``wrong``: what came out, in a sentence; ``parts``: the partitions of the table."""

    wrong: str
    program: Program
    parts: Parts

    @property
    def text(self) -> str:
        """The file."""
        table = self.program.tables[0]
        head = {
            "wrong": self.wrong, "shape": self.program.shape,
            "table": f"{table.ddl}{'' if table.stated else ' unstated'}", "rows": repr(self.parts),
        }  # fmt: skip
        return "".join(f"# {name}: {value}\n" for name, value in head.items()) + self.program.source

    def write(self) -> Path:
        """Keep it."""
        FOLDER.mkdir(exist_ok=True)
        path = FOLDER / f"{self.program.shape}_{crc32(self.program.source.encode()):08x}.py"
        path.write_text(self.text, encoding="utf-8")
        return path

    def replay(self) -> tuple[Answer, Trial]:
        """What the tool does today, and what comes of it on the rows."""
        found, trial = answer(self.program), Trial()
        compare(found, {"t": self.parts}, trial)
        return found, trial


def read(path: Path) -> Regression:
    """A regression from its file."""
    text = path.read_text(encoding="utf-8")
    head = dict(_HEADER.findall(text))
    source = re.sub(r"\A(?:# \w+: .*\n)+", "", text)
    parts = eval(head["rows"], {"__builtins__": {}, "nan": math.nan, "inf": math.inf, "datetime": datetime})
    return Regression(head["wrong"], Program.of(head["shape"], source, head["table"]), parts)


def all_regressions() -> list[Path]:
    """The files, in order."""
    return sorted(FOLDER.glob("*.py"))
