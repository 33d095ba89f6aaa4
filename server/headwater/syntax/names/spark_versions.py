"""The versions of Spark that a program may run on, and what of the model depends on them.

One table says which feature each version has; it is measured (``tests/versions/matrix.json``, docs/spark-versions.md).
A verdict holds for every version of the targets: where they differ, what is sound for all of them is said, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Version = tuple[int, int]
MEASURED: tuple[Version, ...] = ((3, 5), (4, 0), (4, 1), (4, 2), (4, 3))
"""The versions on which conformance tests and replays were run, oldest first."""


def _since(major: int, minor: int) -> frozenset[Version]:
    return frozenset(v for v in MEASURED if v >= (major, minor))


ANSI_BY_DEFAULT = "ANSI mode by default"
ARROW_BY_DEFAULT = "Arrow for Python UDFs by default"
ARROW_KEEPS_NULL = "a NULL number reaches a UDF with Arrow as None"
PANDAS_OVERFLOW_FAILS = "a result of a pandas function that does not fit is an error by default"
ARROW_UDTF_CASTS = "a UDTF with Arrow casts what it yields"
TRANSPILES = "the transpiler of Python UDFs"
FEATURES: Mapping[str, frozenset[Version]] = {
    # An integer overflow, a division by zero and a failed cast are errors; before, they wrap and give NULL.
    ANSI_BY_DEFAULT: _since(4, 0),
    # `spark.sql.execution.pythonUDF.arrow.enabled`
    ARROW_BY_DEFAULT: _since(4, 2),
    # Before, Arrow hands a UDF the elements of a pandas Series, where a NULL number is NaN.
    ARROW_KEEPS_NULL: _since(4, 1),
    # `spark.sql.execution.pandas.convertToArrowArraySafely`; before, it wraps.
    PANDAS_OVERFLOW_FAILS: _since(4, 1),
    # Before, a value of another type than the declared one is NULL or an error, as without Arrow.
    ARROW_UDTF_CASTS: _since(4, 2),
    # `spark.sql.experimental.optimizer.transpilePyUDFs`, off by default
    TRANSPILES: _since(4, 3),
}
"""Feature → the versions that have it."""


@dataclass(frozen=True)
class Targets:
    """The versions that a program may run on, oldest first and at least one.

    ``origin``: what says so, a setting or a file; empty where nothing does. ``unmeasured``: the versions that are asked
    for instead, as text, where none of them is measured; ``versions`` is then the nearest one.
    """

    versions: tuple[Version, ...] = MEASURED
    origin: str = ""
    unmeasured: str = ""

    def all_have(self, feature: str) -> bool:
        """Whether every version has ``feature``."""
        return FEATURES[feature].issuperset(self.versions)

    def none_has(self, feature: str) -> bool:
        """Whether no version has ``feature``."""
        return FEATURES[feature].isdisjoint(self.versions)

    @property
    def text(self) -> str:
        """``Spark 3.5 to 4.3``, ``Spark 4.0``, ``Spark 3.5, 4.1``."""
        names = list(map(text_of, self.versions))
        first = MEASURED.index(self.versions[0])
        if len(names) > 1 and self.versions == MEASURED[first : first + len(names)]:
            return f"Spark {names[0]} to {names[-1]}"
        return f"Spark {', '.join(names)}"


def text_of(version: Version) -> str:
    """``4.0``."""
    return f"{version[0]}.{version[1]}"


ANY = Targets()
"""Every measured version: what holds where nothing says on which one the program runs."""
