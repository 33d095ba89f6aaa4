"""Event logs as Spark 4.3 writes them, cut down to what is read of them and to some of what is not."""

from __future__ import annotations

import json
from typing import Any

SQL = "org.apache.spark.sql.execution.ui.SparkListener"
DAY = 1_795_651_200_000
"""2026-11-26, 00:00 UTC, in milliseconds."""
SECRET = "jdbc:postgresql://db/prices?user=svc&password=hunter2"


def start(name: str | None = "app-1", time: int = DAY) -> dict[str, Any]:
    return {"Event": "SparkListenerApplicationStart", "App Name": SECRET, "App ID": name, "Timestamp": time}


def plan(*metrics: int) -> dict[str, Any]:
    """A scan below a projection; ``metrics``: the accumulators of the sizes of its files."""
    sizes = [{"name": "size of files read", "accumulatorId": m, "metricType": "size"} for m in metrics]
    other = {"name": "number of output rows", "accumulatorId": 7, "metricType": "sum"}
    scan = {"nodeName": "Scan parquet", "simpleString": SECRET, "children": [], "metrics": [other, *sizes]}
    return {"nodeName": "Project", "simpleString": "", "children": [scan], "metrics": []}


def query(number: int, site: str, time: int = DAY, **more: Any) -> dict[str, Any]:
    said = {"executionId": number, "rootExecutionId": number, "description": site, "details": "java…", "time": time}
    return {"Event": f"{SQL}SQLExecutionStart", **said, "physicalPlanDescription": SECRET, **more}


def query_end(number: int, time: int) -> dict[str, Any]:
    return {"Event": f"{SQL}SQLExecutionEnd", "executionId": number, "time": time, "errorMessage": ""}


def updates(number: int, *pairs: tuple[int, int]) -> dict[str, Any]:
    return {"Event": f"{SQL}DriverAccumUpdates", "executionId": number, "accumUpdates": [list(p) for p in pairs]}


def job(
    number: int, stages: list[int], time: int = DAY, site: str | None = None, of: int | None = None
) -> dict[str, Any]:
    properties = {"spark.hadoop.fs.s3a.secret.key": SECRET}
    properties |= {} if site is None else {"callSite.short": site}
    properties |= {} if of is None else {"spark.sql.execution.id": str(of)}
    said = {"Job ID": number, "Submission Time": time, "Stage Infos": [], "Stage IDs": stages}
    return {"Event": "SparkListenerJobStart", **said, "Properties": properties}


def job_end(number: int, time: int) -> dict[str, Any]:
    return {"Event": "SparkListenerJobEnd", "Job ID": number, "Completion Time": time, "Job Result": {}}


def task(stage: int, bytes: int, rows: int) -> dict[str, Any]:
    read = {"Bytes Read": bytes, "Records Read": rows}
    metrics = {"Executor Run Time": 5, "Input Metrics": read, "Output Metrics": {"Bytes Written": 1}}
    said = {"Stage ID": stage, "Stage Attempt ID": 0, "Task End Reason": {"Reason": "Success"}}
    return {"Event": "SparkListenerTaskEnd", **said, "Task Metrics": metrics}


def text(*events: dict[str, Any] | str) -> bytes:
    lines = (e if isinstance(e, str) else json.dumps(e, separators=(",", ":")) for e in events)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def simple(site: str = "collect at /jobs/daily.py:3", name: str = "app-1", time: int = DAY) -> bytes:
    """One query with one job: 2,000,000 bytes of 5,000,000, 1,000 rows, 41 minutes."""
    return text(
        {"Event": "SparkListenerLogStart", "Spark Version": "4.3.0"},
        {"Event": "SparkListenerEnvironmentUpdate", "Spark Properties": {"spark.secret": SECRET}},
        start(name, time),
        query(1, site, time, sparkPlanInfo=plan(31)),
        updates(1, (31, 5_000_000)),
        job(0, [0], time, site, of=1),
        task(0, 1_500_000, 600),
        task(0, 500_000, 400),
        job_end(0, time + 2_400_000),
        query_end(1, time + 2_460_000),
        {"Event": "SparkListenerApplicationEnd", "Timestamp": time + 3_000_000},
    )
