"""The job: a DataFrame of files, spread by size, through the task, and back; what does not come back is asked again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.engine.report.report import SourceProblem
from headwater.scan.result import FileResult, failed, placed, unreadable

from .balance import by_size, keys, partition_count, partitions
from .task import RESULT, Task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHIPPED = 64_000_000
"""Bytes of contents that the driver sends along in one job."""
_SLASHES = "^([a-zA-Z0-9+.-]+):/+"
_COLUMNS = "`index` bigint, path string, content binary"


@dataclass(frozen=True)
class Listed:
    """A file of the scan. ``name``: as reports have it; ``place``: where Spark reads it, None if it cannot."""

    index: int
    name: str
    place: str | None
    size: int

    @property
    def path(self) -> str:
        """The name as Spark can hold it: a file name may be no Unicode."""
        return self.name.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass
class Job:
    """One scan. ``rows``: where results go as rows, JSON if it ends so, else Parquet."""

    spark: SparkSession
    task: Task
    rows: str | None = None
    _written: bool = field(default=False, init=False)

    def table(self, frame: DataFrame) -> Iterator[tuple[int, FileResult]]:
        """The results of a table with ``path`` and ``content``, in the order of the paths."""
        from pyspark.sql import functions as F

        text = dict(frame.dtypes)["content"] == "string"
        content = F.encode("content", "UTF-8") if text else F.col("content")
        files = frame.select(
            F.lit(-1).cast("bigint").alias("index"),
            F.coalesce(F.col("path").cast("string"), F.lit("")).alias("path"),
            F.coalesce(content, F.lit(b"")).alias("content"),
        )
        found = [result for _, result in self._results(by_size(self.spark, files))]
        yield from enumerate(sorted(found, key=lambda result: (result["file"]["path"], result["lines"])))

    def listed(
        self, files: Sequence[Listed], read: Callable[[Listed], bytes | SourceProblem]
    ) -> Iterator[tuple[int, FileResult]]:
        """The result of every file, first of those that Spark reads itself and then of those that ``read`` reads, on
        this machine: names that Spark passes over, and files that went missing on the way."""
        missing = {f.index: f for f in files}
        readable = [f for f in files if f.place is not None]
        found = self._read(readable) if readable else None
        if found is not None:
            for index, result in self._results(found):
                if index in missing:
                    yield index, placed(result, missing.pop(index).name)
        for batch in _batches(sorted(missing.values(), key=lambda f: f.index)):
            contents = [(f, read(f)) for f in batch]
            for f, content in contents:
                if isinstance(content, SourceProblem):
                    del missing[f.index]
                    yield f.index, unreadable(Path(f.name), content)
            sent = [(f, content) for f, content in contents if isinstance(content, bytes)]
            if sent:
                for index, result in self._results(self._sent(sent)):
                    yield index, placed(result, missing.pop(index).name)
        for f in missing.values():
            yield f.index, failed(f.name, SourceProblem("cannot be read: no result came back from Spark"))

    def _read(self, files: Sequence[Listed]) -> DataFrame | None:
        """Files that Spark reads, in partitions of about the same size; None if one of them has just gone missing."""
        from pyspark.errors import AnalysisException
        from pyspark.sql import functions as F

        count = partition_count(self.spark, len(files))
        numbers = keys(self.spark, count)
        parts = partitions([f.size for f in files], count)
        rows = [(f.index, f.path, _key(f.place or ""), numbers[part]) for f, part in zip(files, parts, strict=True)]
        wanted = self.spark.createDataFrame(rows, "`index` bigint, path string, place string, key bigint")
        reader = self.spark.read.format("binaryFile")
        for option in ("ignoreMissingFiles", "ignoreCorruptFiles"):
            reader = reader.option(option, True)
        try:
            loaded = reader.load([f.place for f in files if f.place is not None])
        except AnalysisException:
            return None
        contents = loaded.select(F.regexp_replace("path", _SLASHES, "$1:/").alias("place"), "content")
        joined = contents.join(F.broadcast(wanted), "place")
        return joined.repartition(count, "key").select("index", "path", "content")

    def _sent(self, files: Sequence[tuple[Listed, bytes]]) -> DataFrame:
        """Files that this machine has read."""
        count = partition_count(self.spark, len(files))
        numbers = keys(self.spark, count)
        parts = partitions([len(content) for _, content in files], count)
        rows = [
            (f.index, f.path, bytearray(content), numbers[part])
            for (f, content), part in zip(files, parts, strict=True)
        ]
        frame = self.spark.createDataFrame(rows, f"{_COLUMNS}, key bigint")
        return frame.repartition(count, "key").drop("key")

    def _results(self, files: DataFrame) -> Iterator[tuple[int, FileResult]]:
        results = files.mapInPandas(self.task.over(), RESULT)
        if self.rows is not None:
            results = self._stored(results, self.rows)
        for row in results.select("index", "result").collect():
            result: FileResult = json.loads(row["result"])
            yield int(row["index"]), result

    def _stored(self, results: DataFrame, place: str) -> DataFrame:
        """The same rows, which are at ``place`` now and are not computed again."""
        form = "json" if place.endswith(".json") else "parquet"
        before = self.spark.read.schema(RESULT).format(form).load(place).select("index") if self._written else None
        results.write.mode("append" if self._written else "errorifexists").format(form).save(place)
        self._written = True
        every = self.spark.read.schema(RESULT).format(form).load(place)
        return every if before is None else every.join(before, "index", "left_anti")


def _key(place: str) -> str:
    """A URI as it is compared: Hadoop writes ``file:///x`` and ``file:/x``."""
    return re.sub(_SLASHES, r"\1:/", place)


def _batches(files: Sequence[Listed]) -> Iterator[list[Listed]]:
    """Files in groups that may be sent together."""
    batch: list[Listed] = []
    size = 0
    for f in files:
        if batch and size + f.size > SHIPPED:
            yield batch
            batch, size = [], 0
        batch.append(f)
        size += f.size
    if batch:
        yield batch
