"""Where the files of a scan are: on this machine, under a URI that Hadoop knows, or in a table."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from headwater.engine.files.discovery import MAX_BYTES
from headwater.engine.files.jupyter import MAX_BYTES as MAX_NOTEBOOK_BYTES
from headwater.engine.files.jupyter import SUFFIX as NOTEBOOK
from headwater.engine.report.report import SourceProblem
from headwater.scan.result import content_of

from .job import Listed
from .session import CannotStart

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PLAIN = re.compile(r"[/\w.+@=-]+", re.ASCII)
"""Paths that mean the same to Hadoop as to everybody: no pattern, no escape."""
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})


def local(paths: Sequence[Path]) -> list[Listed]:
    """Files of this machine, which the workers see at the same place, or else are sent."""
    return [_local(index, path) for index, path in enumerate(paths)]


def _local(index: int, path: Path) -> Listed:
    full = os.path.abspath(path)  # noqa: PTH100 (links stay)
    try:
        status = os.stat(full)  # noqa: PTH116
        size = status.st_size if stat.S_ISREG(status.st_mode) else -1
    except (OSError, ValueError):
        size = -1
    readable = 0 <= size <= _limit(full) and _readable(full)
    return Listed(index, str(path), f"file:{full}" if readable else None, max(0, size))


def _limit(path: str) -> int:
    return MAX_NOTEBOOK_BYTES if path.endswith(NOTEBOOK) else MAX_BYTES


def _readable(path: str) -> bool:
    """Whether Spark reads such a file: it passes over names that start with ``_`` or ``.``, as ``__init__.py``."""
    return _PLAIN.fullmatch(path) is not None and not PurePosixPath(path).name.startswith(("_", "."))


def read_local(file: Listed) -> bytes | SourceProblem:
    """The bytes of a file of this machine."""
    return content_of(Path(file.name))


def under(spark: SparkSession, uris: Sequence[str], wants: Callable[[str], bool], first: int = 0) -> list[Listed]:
    """The Python files and notebooks under the URIs, by name, as Hadoop's file systems list them."""
    found: dict[str, int] = {}
    for uri in uris:
        for root, place, size in _hadoop_files(spark, uri):
            relative = place[len(root) :].lstrip("/") if place.startswith(root) else place
            named = place == root
            parents = PurePosixPath(relative).parts[:-1]
            if named or (
                place.endswith((".py", NOTEBOOK))
                and not any(part.startswith(".") or part in _SKIPPED for part in parents)
                and wants(relative)
            ):
                found.setdefault(place, size)
    return [_under(index, place, size) for index, (place, size) in enumerate(sorted(found.items()), first)]


def _under(index: int, place: str, size: int) -> Listed:
    readable = size <= _limit(place) and _readable(place.partition(":")[2])
    return Listed(index, place, place if readable else None, size)


def _hadoop_files(spark: SparkSession, uri: str) -> Iterator[tuple[str, str, int]]:
    """The URI as Hadoop writes it, and each file below it with its size; also those that Spark passes over."""
    from py4j.protocol import Py4JJavaError

    context: Any = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(uri)
    try:
        system = path.getFileSystem(context._jsc.hadoopConfiguration())
        root = str(system.makeQualified(path).toString())
        files = system.listFiles(path, True)
        while files.hasNext():
            status = files.next()
            yield root, str(status.getPath().toString()), int(status.getLen())
    except Py4JJavaError as error:
        raise CannotStart(f"{uri} cannot be listed: {error.java_exception.getMessage()}") from None


def reader_of(spark: SparkSession) -> Callable[[Listed], bytes | SourceProblem]:
    """What reads a file under a URI, on this machine."""
    from py4j.protocol import Py4JJavaError

    context: Any = spark.sparkContext

    def read(file: Listed) -> bytes | SourceProblem:
        if file.size > (limit := _limit(file.name)):
            return SourceProblem(f"the file is too large ({file.size:,} bytes; the limit is {limit:,})")
        path = context._jvm.org.apache.hadoop.fs.Path(file.name)
        try:
            stream = path.getFileSystem(context._jsc.hadoopConfiguration()).open(path)
            try:
                return bytes(stream.readAllBytes())
            finally:
                stream.close()
        except Py4JJavaError as error:
            return SourceProblem(f"cannot be read: {error.java_exception.getMessage()}")

    return read


def table(spark: SparkSession, name: str) -> DataFrame:
    """The table ``name``, or ``FORMAT:PLACE``, such as ``parquet:/data/files``. CannotStart if it has no ``path`` and
    ``content``."""
    from pyspark.errors import PySparkException

    form, sign, place = name.partition(":")
    try:
        frame = spark.read.format(form).load(place) if sign else spark.table(name)
    except PySparkException as error:
        raise CannotStart(f"the table {name} cannot be read: {str(error).splitlines()[0]}") from None
    types = dict(frame.dtypes)
    if types.get("path") != "string" or types.get("content") not in ("binary", "string"):
        raise CannotStart(f"the table {name} needs the columns path (string) and content (binary or string)")
    return frame
