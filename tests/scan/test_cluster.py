"""Issue 9: a scan on a standalone cluster says what the local one says, also when a machine is lost on the way.

``make campaign NAME=cluster``: a master and two workers are five Java processes, too many for every run.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from .test_local import without_times

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif("HEADWATER_CLUSTER" not in os.environ, reason="make campaign NAME=cluster"),
]
ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "examples").glob("*.py")), *sorted((ROOT / "benchmarks/suite/retail").glob("*.py"))]
SECONDS = 900


@dataclass
class Cluster:
    """A master and its workers, each in a session of its own with what it starts."""

    url: str
    processes: list[subprocess.Popen[bytes]]

    def lose_worker(self) -> None:
        """A machine goes down: the worker, its executors, and their Python processes."""
        worker = self.processes.pop()
        for pid in [*_below(worker.pid), worker.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        worker.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    processes: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> Path:
        log = tmp_path / f"{name}.log"
        command = [str(home / "bin/spark-class"), f"org.apache.spark.deploy.{arguments[0]}", "--host", "127.0.0.1"]
        with log.open("wb") as out:
            processes.append(
                subprocess.Popen(
                    [*command, *arguments[1:]],
                    stdout=out,
                    stderr=out,
                    env=environment,
                    cwd=tmp_path,
                    start_new_session=True,
                )
            )
        return log

    try:
        url = _logged(start("master", "master.Master", "--port", "0", "--webui-port", "0"), r"spark://[\w.]+:\d+")
        for number in (1, 2):
            work = str(tmp_path / f"work-{number}")
            log = start(
                f"worker-{number}", "worker.Worker", "-c", "1", "-m", "700M", "--webui-port", "0", "-d", work, url
            )
            _logged(log, "Successfully registered")
        yield Cluster(url, processes)
    finally:
        for process in processes:
            for pid in [*_below(process.pid), process.pid]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()


def _logged(log: Path, pattern: str) -> str:
    for _ in range(SECONDS):
        if found := re.search(pattern, log.read_text(encoding="utf-8", errors="replace")):
            return found[0]
        time.sleep(0.5)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace"))


def _below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found, waiting = [], [pid]
    while waiting:
        children = [child for child, parent in pairs if parent == waiting[0]]
        found += children
        waiting = waiting[1:] + children
    return found


def scan(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from headwater.cli import main; main()", "scan", *map(str, FILES), *arguments]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def document(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 1, err
    report = without_times(json.loads(out))
    for file in report["files"]:
        for opportunity in file["opportunities"]:
            opportunity["certificate"] = Path(opportunity["certificate"]).name if opportunity["certificate"] else None
    return json.dumps(report, indent=2)


def test_modules_of_the_workspace_do_not_run(tmp_path: Path) -> None:
    """Spark starts Python processes, which would import from the current directory and from PYTHONPATH."""
    workspace, mark = tmp_path / "workspace", tmp_path / "mark"
    workspace.mkdir()
    names = ["pandas", "pyarrow", "pyspark", "numpy", "z3", "py4j", "json", "pickle"]
    for name in names:
        (workspace / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write({name!r})\n")
    command = [
        sys.executable,
        "-c",
        "from headwater.cli import main; main()",
        "scan",
        "--engine",
        "spark",
        "-f",
        "json",
    ]
    done = subprocess.run(
        [*command, "--bounded", "--no-cache", "--master", "local[1]", "."],
        cwd=workspace,
        env={**os.environ, "PYTHONPATH": str(workspace), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"]["files"] == len(names)
    assert not mark.exists()


def test_a_lost_worker_costs_no_result(cluster: Cluster, tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    settings = ["spark.executor.memory=512m", "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1"]
    conf = [part for setting in settings for part in ("--conf", setting)]
    running = scan("--engine", "spark", "--master", cluster.url, "--rows", str(rows), "--no-cache", "-f", "json", *conf)
    tasks = 4 * 2
    for _ in range(SECONDS * 5):
        done = len(list(rows.glob("_temporary/0/task_*")))
        if done or running.poll() is not None:
            break
        time.sleep(0.2)
    assert running.poll() is None, running.communicate()
    assert 0 < done < tasks, "this was not in the middle of the scan"
    cluster.lose_worker()
    assert document(running) == document(scan("-f", "json"))
