"""What operations of Python take for a row, beside what ``headwater.cost.operations`` says: ``python -m
benchmarks.spark.operations``, some seconds, without Spark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import pyarrow as pa

from headwater.cost.operations import CALL, CALLS, ONE_COLUMN, OPERATION, READ, ROWS

ROWS_OF_A_GROUP, COLUMNS, REPEATS = 20_000, 3, 7
BODIES = {
    "row.n1": READ,
    "value > 0.5": OPERATION,
    "value * value": OPERATION,
    "pd.isna(value)": CALLS["isna"],
    "max(value, 1)": CALLS["max"],
    "few.append(1)": CALLS["append"],
    "abs(value)": CALLS["abs"],
    "text.startswith('a')": CALLS["startswith"],
    "text.split('-')": CALLS["split"],
    "round(value, 2)": CALLS["round"],
    "re.search('[0-9]+$', text)": CALLS["search"],
    "json.loads(document)": CALLS["loads"],
    "hashlib.md5(octets).hexdigest()": CALLS["md5"] + CALL,
    "datetime.datetime.strptime(day, '%Y-%m-%d')": CALLS["strptime"],
}
"""Expressions of a loop's body, and what they are said to take."""
SETUP = """\
import datetime, hashlib, json, re
import pandas as pd
value, text, day, octets, few = 0.25, "name-00042", "2024-05-01", b"name-00042", []
document = '{"a": 1, "b": [2, 3]}'
def loop(rows):
    for row in rows:
        """


def least(call: Callable[[], object]) -> float:
    """Microseconds of processor time for a row."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return 1e6 * min(times) / ROWS_OF_A_GROUP


def through(rows: Iterable[object]) -> None:
    """A loop that does nothing."""
    for _ in rows:
        pass


def _body(text: str, frame: pd.DataFrame) -> float:
    names: dict[str, Callable[[object], object]] = {}
    exec(compile(SETUP + text, "operation", "exec"), names)
    rows = list(frame.itertuples())
    return least(lambda: names["loop"](rows))


def main() -> None:
    """Prints the table."""
    values = np.random.default_rng(1).random((ROWS_OF_A_GROUP, COLUMNS))
    frame = pd.DataFrame(values, columns=[f"n{i}" for i in range(COLUMNS)])
    table = pa.Table.from_pandas(frame)
    loops: dict[str, Callable[[], object]] = {
        "itertuples": lambda: through(frame.itertuples()),
        "iterrows": lambda: through(frame.iterrows()),
        "to_dict": lambda: through(frame.to_dict("records")),
        "to_pylist": lambda: through(table.to_pylist()),
    }
    for name, loop in loops.items():
        own, each = ROWS[name]
        print(f"{name:48} {least(loop):7.3f}  said {own + each * COLUMNS:7.3f}")
    column = least(lambda: through(table.column("n0").to_pylist()))
    print(f"{'to_pylist of a column':48} {column:7.3f}  said {ONE_COLUMN['to_pylist']:7.3f}")
    nothing = _body("pass", frame)
    for text, said in BODIES.items():
        print(f"{text:48} {_body(text, frame) - nothing:7.3f}  said {said:7.3f}")


if __name__ == "__main__":
    main()
