"""The tables that a pipeline reads, made when it first asks for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .columns import write
from .hints import hints, mentioned
from .invent import Hints, Pool, invent, pool
from .job import Failed, Job

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class Sources:
    """The generated tables of one job. ``read``: name → folder, of those that were asked for."""

    spark: SparkSession
    job: Job
    read: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        reader = type(self.spark.read)
        self._own = reader.schema, reader.load  # a program is built while others stand in their place

    def _parquet(self, folder: Path | str, struct: Any = None) -> DataFrame:
        schema, load = self._own
        reader = self.spark.read
        frame: DataFrame = load(reader if struct is None else schema(reader, struct), str(folder), "parquet")
        return frame

    def provide(self, name: str, ddl: str | None) -> DataFrame:
        """The frame for a source, with the columns that the user states, else the program; Failed if neither does."""
        folder = self.read.get(name) or _match(self.job["tables"], name)
        stated = _match(self.job["schemas"], name) or ddl
        if stated is None and folder is None:
            raise Failed(f"the columns of {name!r} are not known: give --schema '{name}=a INT, b STRING'")
        from pyspark.sql.types import StructType

        struct = None if stated is None else StructType.fromDDL(stated)
        if folder is None:
            folder = str(Path(self.job["scratch"]) / re.sub(r"\W+", "_", name).strip("_"))
            self._generate(Path(folder), struct)
        self.read[name] = folder
        return self._parquet(folder, struct)

    def _generate(self, folder: Path, struct: Any) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        schema = to_arrow_schema(struct)
        pools, taken = [], set[str]()
        for condition in self.job["prefilters"]:
            columns = mentioned(condition, schema.names)
            if columns and not taken & set(columns) and self._speaks_of(condition, columns, struct):
                taken.update(columns)
                pools.append(self._pool(condition, pa.schema([schema.field(c) for c in columns]), folder))
        seed = [crc32(folder.name.encode())]
        write(folder, self.job["rows"], lambda draw: invent(draw, schema, self._hints, pools), schema, seed)

    @cached_property
    def _hints(self) -> Hints:
        return hints(Path(self.job["before"]).read_text(encoding="utf-8"), self.job["prefilters"])

    def _speaks_of(self, condition: str, columns: tuple[str, ...], struct: Any) -> bool:
        from pyspark.errors import AnalysisException
        from pyspark.sql.types import StructType

        found = StructType([struct[c] for c in columns])
        try:
            _ = self.spark.createDataFrame([], found).filter(condition).schema
        except AnalysisException:
            return False
        return True

    def _pool(self, condition: str, schema: pa.Schema, folder: Path) -> Pool:
        def judge(table: pa.Table) -> NDArray[np.bool_]:
            place = folder.with_name(f"{folder.name}-tried.parquet")
            numbered = table.append_column("headwater_row", pa.array(range(table.num_rows), pa.int64()))
            pq.write_table(numbered, place)
            passing = self._parquet(place).filter(condition).select("headwater_row")
            found = passing.toPandas()["headwater_row"].to_numpy()
            return np.isin(np.arange(table.num_rows), found)

        return pool(schema, self._hints, judge, self.job["kept"])


def _match(known: dict[str, str], name: str) -> str | None:
    """What is known of a source by its name, or by the last part of its path."""
    return known.get(name) or known.get(name.rstrip("/").rpartition("/")[2])
