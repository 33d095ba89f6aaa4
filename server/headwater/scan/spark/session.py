"""The Spark session of a scan. Its Python workers see nothing of the workspace, as those of the local engine."""

from __future__ import annotations

import os
import re
import site
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.engine.workers import search_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NEEDED = ("pyspark", "pandas", "pyarrow")
_HOME = Path(__file__).parent
_BATCH = 32
"""Files that one Arrow batch holds: their contents are in memory together."""


class CannotStart(Exception):
    """There is no Spark to scan with; the text is one line for people."""


@contextmanager
def session(master: str, archives: Sequence[str], conf: Mapping[str, str], progress: bool) -> Iterator[SparkSession]:
    """A session of our own at ``master``. ``archives``: packed Python environments, ``FILE#NAME``, of which the first
    is what workers run on; ``conf``: Spark's settings, which win over ours. CannotStart if there is no Spark."""
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        raise CannotStart(f"--engine spark needs {', '.join(absent)}: pip install 'headwater[spark]'")
    with _surroundings(master.startswith("local"), archives):
        spark = _started(master, archives, conf, progress)
    try:
        yield spark
    finally:
        spark.stop()


def _started(master: str, archives: Sequence[str], conf: Mapping[str, str], progress: bool) -> SparkSession:
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_HOME / 'log4j2.properties'}",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(progress).lower(),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(_BATCH),
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "32",
    }
    if master.startswith("local"):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    if archives:
        settings["spark.archives"] = ",".join(archives)
    builder = SparkSession.builder.master(master).appName("headwater scan")
    for key, value in (settings | dict(conf)).items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # no Java, a master that does not answer, a setting that Spark does not take
        raise CannotStart(f"Spark does not start at {master}: {(str(error).splitlines() or [''])[0]}") from None


@contextmanager
def _surroundings(local: bool, archives: Sequence[str]) -> Iterator[None]:
    """What Spark's JVM inherits, and with it the Python workers that it starts: a directory of ours, and a search path
    without the current directory and ``PYTHONPATH``."""
    before, directory = dict(os.environ), _current()
    python = "PYSPARK_PYTHON"
    if archives:
        name = archives[0].rpartition("#")[2] if "#" in archives[0] else re.split(r"[\\/]", archives[0])[-1]
        os.environ[python] = f"./{name}/bin/python"
    elif local:
        os.environ[python] = sys.executable
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    installed = {os.path.realpath(path) for path in site.getsitepackages()}
    own = [path for path in search_path.packages() if os.path.realpath(path) not in installed]
    os.environ["PYTHONPATH"] = os.pathsep.join(own)
    os.environ["PYTHONSAFEPATH"] = "1"
    os.chdir(_HOME)
    try:
        yield
    finally:
        if directory is not None:
            os.chdir(directory)
        for key in ("PYTHONPATH", "PYTHONSAFEPATH"):
            os.environ.pop(key, None)
            if key in before:
                os.environ[key] = before[key]


def _current() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:
        return None
