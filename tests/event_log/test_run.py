"""Issue 22, part 5: what one event log says of the jobs of each call."""

from __future__ import annotations

from headwater.event_log.limits import Limits
from headwater.event_log.model import Application, CallSite, Cost
from headwater.event_log.run import Run

from .logs import DAY, SECRET, job, job_end, plan, query, query_end, simple, start, task, text, updates

SITE = CallSite("collect", "/jobs/daily.py", 3)
NAMED = "collect at /jobs/daily.py:3"


def run(log: bytes) -> Application:
    found = Run(Limits().entries)
    for line in log.splitlines(True):
        found.line(line)
    return found.finished()


def costs(*events: dict[str, object]) -> dict[CallSite, Cost]:
    return dict(run(text(start(), *events)).costs)


def test_one_query() -> None:
    found = run(simple())
    assert (found.name, found.day) == ("app-1", "2026-11-26")
    assert found.costs == {SITE: Cost(jobs=1, bytes=2_000_000, rows=1000, file_bytes=5_000_000, seconds=2460.0)}
    assert SECRET not in repr(found)


def test_the_time_of_calls_that_overlap_counts_once() -> None:
    found = costs(
        job(0, [0], DAY, NAMED), job(1, [1], DAY + 1000, NAMED), job_end(0, DAY + 3000), job_end(1, DAY + 2000),
        job(2, [2], DAY + 9000, NAMED), job_end(2, DAY + 9500),
    )  # fmt: skip
    assert found == {SITE: Cost(jobs=3, seconds=3.5)}


def test_a_job_belongs_to_its_query_and_that_to_the_query_that_it_is_part_of() -> None:
    found = costs(
        query(1, NAMED, DAY), query(2, "save at NativeMethodAccessorImpl.java:0", DAY, rootExecutionId=1),
        job(0, [0], DAY, None, of=2), task(0, 10, 2), job_end(0, DAY + 1000), query_end(1, DAY + 1000),
    )  # fmt: skip
    assert found == {SITE: Cost(jobs=1, bytes=10, rows=2, seconds=1.0)}


def test_the_place_of_a_job_counts_where_the_query_has_another_description() -> None:
    assert costs(query(1, "Daily prices", DAY), job(0, [0], DAY, NAMED, of=1)) == {SITE: Cost(jobs=1)}


def test_a_stage_belongs_to_the_first_job_that_lists_it() -> None:
    other = "take at /jobs/daily.py:9"
    found = costs(job(0, [0], DAY, NAMED), task(0, 10, 2), job(1, [0, 1], DAY, other), task(0, 5, 1), task(1, 1, 1))
    assert found == {
        SITE: Cost(jobs=1, bytes=15, rows=3),
        CallSite("take", "/jobs/daily.py", 9): Cost(jobs=1, bytes=1, rows=1),
    }


def test_the_files_of_each_scan_count_once_however_often_the_plan_changes() -> None:
    adapted = {
        **query(1, NAMED),
        "Event": query_end(1, 0)["Event"].replace("SQLExecutionEnd", "SQLAdaptiveExecutionUpdate"),
    }
    found = costs(
        query(1, NAMED, DAY, sparkPlanInfo=plan(31)), job(0, [0], DAY, NAMED, of=1), updates(1, (31, 70), (8, 5)),
        {**adapted, "sparkPlanInfo": plan(31, 32)}, updates(1, (32, 30)),
    )  # fmt: skip
    assert found[SITE].file_bytes == 100


def test_calls_that_are_none_of_sparks_python_api_are_left_out() -> None:
    for site in (
        "count at NativeMethodAccessorImpl.java:0", "runJob at PythonRDD.scala:218", "collect at <stdin>:1",
        "collect at /jobs/daily.ipynb:1", "shuffle at /jobs/daily.py:3", "collect at /jobs/daily.py:x", "collect", "",
    ):  # fmt: skip
        assert costs(query(1, site, DAY), job(0, [0], DAY, site, of=1), task(0, 1, 1)) == {}, site


SUBMIT = "org.apache.spark.deploy.SparkSubmit"


def submitted(*events: dict[str, object], script: str = "--master local[2] /jobs/daily.py 2026") -> dict[str, object]:
    command = {
        "Event": "SparkListenerEnvironmentUpdate",
        "System Properties": {"sun.java.command": f"{SUBMIT} {script}"},
    }
    return {f"{s.method} {s.path} {s.line}": cost for s, cost in costs(command, *events).items()}


def of_the_jvm(number: int, method: str, *metrics: int, **more: object) -> list[dict[str, object]]:
    """A query and its job."""
    return [
        query(number, f"{method} at NativeMethodAccessorImpl.java:0", DAY, sparkPlanInfo=plan(*metrics), **more),
        job(number, [number], DAY, None, of=number), task(number, 10, 2),
    ]  # fmt: skip


def writing(*metrics: int) -> dict[str, object]:
    command = "Execute InsertIntoHadoopFsRelationCommand"
    return {"nodeName": "AdaptiveSparkPlan", "children": [{"nodeName": command, "children": [plan(*metrics)]}]}


def test_what_goes_to_the_jvm_belongs_to_the_script_that_was_submitted() -> None:
    shown = of_the_jvm(1, "showString", 31)
    assert submitted(*shown, updates(1, (31, 70))) == {
        "show /jobs/daily.py 0": Cost(jobs=1, bytes=10, rows=2, file_bytes=70)
    }
    assert submitted(*shown, *of_the_jvm(2, "count")).keys() == {"show /jobs/daily.py 0", "count /jobs/daily.py 0"}
    assert submitted(*shown, script="/jobs/daily.py --run").keys() == {"show /jobs/daily.py 0"}
    assert submitted(*shown, script="s3a://key:word@host/jobs/daily.py").keys() == {"show /jobs/daily.py 0"}
    for script in (
        "pyspark-shell", "--jars a.jar app.jar daily.py", "--what /jobs/daily.py", "--name a b.py /jobs/daily.py",
        "/jobs/daily.py other.py", "--kill 1 /jobs/daily.py", "", "--master",
    ):  # fmt: skip
        assert submitted(*shown, script=script) == {}, script
    assert submitted(*of_the_jvm(1, "pivot")) == submitted(*of_the_jvm(1, "collectToPython")) == {}


def test_of_two_queries_of_one_name_nobody_knows() -> None:
    assert submitted(*of_the_jvm(1, "count"), *of_the_jvm(2, "count")) == {}
    nested = [*of_the_jvm(1, "saveAsTable"), *of_the_jvm(2, "saveAsTable", rootExecutionId=1)]
    assert submitted(*nested) == {"saveAsTable /jobs/daily.py 0": Cost(jobs=2, bytes=20, rows=4)}


def test_a_query_for_a_schema_writes_nothing() -> None:
    read, write = of_the_jvm(1, "csv", 31), of_the_jvm(2, "csv")
    write[0]["sparkPlanInfo"] = writing(32)
    assert submitted(*read) == {}
    assert submitted(*read, *write, updates(2, (32, 5))) == {
        "csv /jobs/daily.py 0": Cost(jobs=1, bytes=10, rows=2, file_bytes=5)
    }


def test_what_is_missing_or_contradicts_itself_makes_nothing_larger() -> None:
    assert costs(job(0, [0], DAY, NAMED), task(0, 7, 1)) == {SITE: Cost(jobs=1, bytes=7, rows=1)}
    assert costs(job(0, [0], DAY, NAMED), job_end(0, DAY - 5000)) == {SITE: Cost(jobs=1)}
    assert costs(job(0, [0], 0, NAMED), job_end(0, DAY)) == {SITE: Cost(jobs=1)}
    assert costs(job(0, [0], DAY, NAMED), job(0, [1], DAY, NAMED), task(1, 9, 9)) == {SITE: Cost(jobs=1)}
    assert costs(query_end(0, DAY), updates(0, (1, 1)), job_end(3, DAY), task(5, 1, 1)) == {}
    assert costs(query(0, NAMED, DAY), updates(None, (31, 9)), job(0, [0], DAY, NAMED, of=0)) == {SITE: Cost(jobs=1)}  # type: ignore[arg-type]


def test_of_a_cache_spark_counts_batches() -> None:
    def stage(number: int, memory: bool) -> dict[str, object]:
        plain = {"Storage Level": {"Use Disk": False, "Use Memory": False}}
        return {"Stage ID": number, "RDD Info": [plain, {"Storage Level": {"Use Disk": False, "Use Memory": memory}}]}

    other = "take at /jobs/daily.py:9"
    found = costs(
        {**job(0, [0, 1], DAY, NAMED), "Stage Infos": [stage(0, True), stage(1, False)]}, task(0, 10, 1), task(1, 7, 3),
        {**job(1, [2], DAY, other), "Stage Infos": [stage(2, False), None, {"RDD Info": [1]}]}, task(2, 5, 4),
    )  # fmt: skip
    assert found == {SITE: Cost(jobs=1, bytes=17), CallSite("take", "/jobs/daily.py", 9): Cost(jobs=1, bytes=5, rows=4)}


def test_a_message_that_quotes_metrics_is_no_metric() -> None:
    failed = task(0, 3, 1) | {"Task End Reason": {"Description": '"Input Metrics":{"Bytes Read":99,"Records Read":9}'}}
    quoted = costs(job(0, [0], DAY, NAMED), dict(sorted(failed.items(), key=lambda item: item[0] == "Task Metrics")))
    assert quoted == {SITE: Cost(jobs=1)} or quoted == {SITE: Cost(jobs=1, bytes=3, rows=1)}
    assert quoted[SITE].bytes != 99


def test_the_name_of_a_run_holds_nothing_but_letters_and_digits() -> None:
    assert [run(text(start(name))).name for name in ("application_17_0042", "a b", "x\n", "[a](b)", None)] == [
        "application_17_0042", "", "", "", "",
    ]  # fmt: skip
    assert [run(text(start(time=t))).day for t in (0, -1, 10**14, 10**30)] == ["", "", "5138-11-16", ""]
