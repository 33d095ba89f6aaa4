"""The process that runs a user's pipeline: ``python -m headwater.bench.run JOB``, steps and the answer on standard
output, whatever the pipeline prints on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .hints import mentioned
from .job import Failed, Job, Measured, Side
from .measure import as_frame, compute, differences, pushed, read_by
from .program import run
from .redirect import redirected
from .sources import Sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Say = Callable[[str], None]
SIDES = ("before", "after")


def main() -> None:
    """Answer one job."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job: Job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def say(step: str) -> None:
        _answer(answers, {"step": step})

    try:
        _answer(answers, {"result": measure(job, say)})
    except Failed as error:
        _answer(answers, {"failure": [str(error), error.details]})
    except BaseException as error:
        line = (str(error).splitlines() or [""])[0]
        _answer(answers, {"failure": [f"{type(error).__name__}: {line}", traceback.format_exc()]})


def _answer(answers: IO[str], value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def session(job: Job) -> SparkSession:
    """Spark with its defaults, except for what a measurement and a small machine need."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(job["master"]).appName("headwater-bench")
    if job["master"].startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    settings = {
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.maxMetadataStringLength": "100000",  # of what is pushed to files, nothing is to be cut off
        "spark.hadoop.parquet.hadoop.vectored.io.enabled": "false",  # its bytes are in no metric
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **job["conf"],
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def measure(job: Job, say: Say) -> Measured:
    """Both versions once, to warm up, with their rows compared; then the timed runs, by turns."""
    say("starting Spark")
    spark = session(job)
    sources = Sources(spark, job)
    try:
        sides: dict[str, Side] = {}
        counts = {}
        for side in SIDES:
            say(f"warm-up, {side}")
            sides[side], counts[side] = _first(spark, job, sources, side)
        if counts["before"] != counts["after"]:
            raise Failed(f"the versions have {counts['before']} and {counts['after']} outputs")
        say("comparing rows")
        stored = [[_stored(spark, job, side, i) for side in SIDES] for i in range(counts["before"])]
        unequal = [line for before, after in stored for line in differences(before, after)]
        rows_out = sum(before.count() for before, _ in stored)
        rows_in, rows_kept = _selectivity(spark, job, sources)
        for number in range(job["runs"]):
            for side in SIDES:
                say(f"run {number + 1} of {job['runs']}, {side}")
                sides[side]["seconds"].append(_timed(spark, job, sources, side))
        return {
            "rows_in": rows_in,
            "rows_kept": rows_kept,
            "rows_out": rows_out,
            "equal": not unequal,
            "differences": unequal,
            "before": sides["before"],
            "after": sides["after"],
            "spark": spark.version,
        }
    finally:
        spark.stop()


def _outputs(spark: SparkSession, job: Job, sources: Sources, side: str) -> list[Any]:
    """What the version leaves to be computed."""
    path = Path(job["before"] if side == "before" else job["after"])
    with redirected(spark, sources.provide) as outputs:
        value = run(path, job["name"], job["arguments"], job["modules"])
    found = outputs.frames or [v for v in (value,) if hasattr(v, "rdd") or hasattr(v, "mapPartitions")]
    if not found:
        raise Failed("the program writes and shows nothing, and does not end with a frame")
    return found


def _first(spark: SparkSession, job: Job, sources: Sources, side: str) -> tuple[Side, int]:
    group = f"headwater-{side}"
    built = _outputs(spark, job, sources, side)
    frames = [as_frame(spark, output) for output in built]
    spark.sparkContext.setJobGroup(group, side)
    for i, frame in enumerate(frames):
        frame.write.mode("overwrite").parquet(_place(job, side, i))
    spark.sparkContext.setJobGroup("headwater", "")
    bytes_read, rows_read = read_by(spark, group)
    conditions = sorted({c for output in built for c in pushed(output)})
    spark.catalog.clearCache()
    return {"seconds": [], "bytes_read": bytes_read, "rows_read": rows_read, "pushed": conditions}, len(frames)


def _stored(spark: SparkSession, job: Job, side: str, i: int) -> Any:
    return spark.read.parquet(_place(job, side, i))


def _place(job: Job, side: str, i: int) -> str:
    return str(Path(job["scratch"]) / f"rows-{side}-{i}")


def _timed(spark: SparkSession, job: Job, sources: Sources, side: str) -> float:
    start = time.perf_counter()
    for output in _outputs(spark, job, sources, side):
        compute(output)
    seconds = time.perf_counter() - start
    spark.catalog.clearCache()
    return round(seconds, 4)


def _selectivity(spark: SparkSession, job: Job, sources: Sources) -> tuple[int, int | None]:
    """Rows of the input, and how many of them the first pre-filter keeps that speaks of one source alone."""
    frames = [sources.provide(name, None) for name in sources.read]
    rows = [frame.count() for frame in frames]
    for condition in job["prefilters"]:
        for frame, count in zip(frames, rows, strict=True):
            if mentioned(condition, frame.columns) and _applies(frame, condition):
                return sum(rows), sum(rows) - count + frame.filter(condition).count()
    return sum(rows), None


def _applies(frame: Any, condition: str) -> bool:
    from pyspark.errors import AnalysisException

    try:
        _ = frame.filter(condition).schema
    except AnalysisException:
        return False
    return True


if __name__ == "__main__":
    main()
