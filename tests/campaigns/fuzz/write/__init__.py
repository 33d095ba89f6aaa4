"""Writes PySpark programs: each leaves a DataFrame or an RDD in ``result``, read from ``spark.table("t")``.

The programs lean toward what the tool can prove (guards, maxima, thresholds, counters, flags, the two best) and vary
it: another comparison, no guard, another initial value, an update that depends on the order, an error.
"""

from .families import FAMILIES, MORE_SHAPES, plainly, write_formulation, writer_of
from .flow import Writer, write_flow
from .pen import Recorded
from .program import Program
from .programs import SHAPES, programs, write

__all__ = [
    "FAMILIES", "MORE_SHAPES", "SHAPES", "Program", "Recorded", "Writer", "plainly", "programs", "write", "write_flow",
    "write_formulation", "writer_of",
]  # fmt: skip
