"""The versions of Spark that a project states, and what verdicts make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.files.settings import Settings
from headwater.engine.files.targets import stated_by_project, targets_at
from headwater.engine.files.version_specifiers import admitted, targets_of
from headwater.scan.json_report import document
from headwater.syntax.names.spark_versions import ANY, FEATURES, MEASURED, Targets, Version

ALL = MEASURED
FOUR = MEASURED[1:]


@pytest.mark.parametrize(
    ("requirement", "versions"),
    [
        ("", ALL), ("*", ALL), (">=3.5", ALL), (">=3.0", ALL), ("!=4.1.4", ALL), ("> 3.5.0", ALL), ("(>=3.5)", ALL),
        (">=4", FOUR), (">3.5.99", FOUR), ("^4.0", FOUR), ("~=4.0", FOUR), ("4", FOUR), ("==4.*", FOUR), ("~4", FOUR),
        ("==3.5.1", ALL[:1]), ("3.5.1", ALL[:1]), ("3.5", ALL[:1]), ("~=3.5.0", ALL[:1]), ("^3.5", ALL[:1]),
        ("=3.5", ALL[:1]), (">=3.5,<4", ALL[:1]), ("<4.0.0", ALL[:1]), ("~3.5", ALL[:1]), ("===3.5.1", ALL[:1]),
        ("==4.0.0.dev1", ALL[1:2]), ("==4.1", ALL[2:3]), (">=4.0.1,<4.2", ALL[1:3]), ("<=4.1", ALL[:3]),
        ("!=4.1.*", (*ALL[:2], *ALL[3:])), (">=3.5, !=4.0.*, <4.2", (ALL[0], ALL[2])),
        ("3.3.2", None), ("<3.5", None), (">=5", None), ("^3.4", ALL[:1]), ("~=3.4.1", None),
        ("newest", ALL), ("@ git+https://example.org/spark", ALL), (">=3.5 || >=4", ALL),
    ],
)  # fmt: skip
def test_requirement(requirement: str, versions: tuple[Version, ...] | None) -> None:
    assert admitted(requirement) == versions


@pytest.mark.parametrize(
    ("requirement", "versions", "asked"),
    [("==3.3.1", ALL[:1], "3.3.1"), ("<3.5", ALL[:1], "<3.5"), (">=5", ALL[-1:], ">=5"), ("5.0", ALL[-1:], "5.0")],
)
def test_what_is_not_measured_is_an_assumption(requirement: str, versions: tuple[Version, ...], asked: str) -> None:
    targets = targets_of(requirement, "a file")
    assert (targets.versions, targets.unmeasured) == (versions, asked)
    found = analyse(PROGRAM, Options(targets=targets, schemas=SCHEMAS)).opportunities[0]
    assert found.status == "assumed"
    assert f"Spark {asked} computes as {targets.text}, the nearest that is measured" in found.assumptions


PROJECTS: dict[str, tuple[dict[str, str], tuple[Version, ...], str]] = {
    "nothing": ({}, ALL, ""),
    "dependencies": (
        {"pyproject.toml": '[project]\ndependencies = ["x", "pyspark[sql]>=4.0,<4.2; python_version > \'3\'"]'},
        ALL[1:3],
        "pyproject.toml",
    ),
    "optional": (
        {"pyproject.toml": '[project.optional-dependencies]\nspark = ["PySpark ~= 3.5.0"]'},
        ALL[:1],
        "pyproject.toml",
    ),
    "groups": (
        {"pyproject.toml": '[dependency-groups]\ndev = ["pyspark==4.1.4", {include-group = "x"}]'},
        ALL[2:3],
        "pyproject.toml",
    ),
    "Poetry": (
        {"pyproject.toml": '[tool.poetry.dependencies]\npyspark = {version = "^3.5", extras = ["sql"]}'},
        ALL[:1],
        "pyproject.toml",
    ),
    "a group of Poetry": (
        {"pyproject.toml": '[tool.poetry.group.dev.dependencies]\npyspark = "4.2.*"'},
        ALL[3:4],
        "pyproject.toml",
    ),
    "requirements": (
        {"requirements.txt": "pandas\npyspark == 4.0.1 --hash=sha256:aa \\\n  --hash=sha256:bb  # why\n"},
        ALL[1:2],
        "requirements.txt",
    ),
    "several requirements": (
        {"requirements.txt": "pyspark==3.5.1", "requirements-dev.txt": "pyspark==4.1.0"},
        (ALL[0], ALL[2]),
        "requirements-dev.txt, requirements.txt",
    ),
    "both": (
        {"requirements.txt": "pyspark==3.5.1", "pyproject.toml": '[project]\ndependencies = ["pyspark<4.1"]'},
        ALL[:2],
        "requirements.txt, pyproject.toml",
    ),
    "a lock before requirements": (
        {
            "uv.lock": '[[package]]\nname = "py4j"\nversion = "1"\n[[package]]\nname = "pyspark"\nversion = "4.0.2"\n',
            "pyproject.toml": '[project]\ndependencies = ["pyspark>=3.5"]',
        },
        ALL[1:2],
        "uv.lock",
    ),
    "Poetry's lock": (
        {"poetry.lock": '[[package]]\nname = "pyspark"\nversion = "3.5.3"\ndescription = ""\n'},
        ALL[:1],
        "poetry.lock",
    ),
    "Pipenv's lock": (
        {"Pipfile.lock": '{"default": {"pyspark": {"version": "==4.3.0"}}, "develop": []}'},
        ALL[4:],
        "Pipfile.lock",
    ),
    "a lock of something else": (
        {"uv.lock": 'name = "pyspark-helpers"\nversion = "1"\n', "requirements.txt": "pyspark<4"},
        ALL[:1],
        "requirements.txt",
    ),
    "databricks-connect": ({"requirements.txt": "databricks_connect==15.4\npyspark==3.5.1"}, ALL, "requirements.txt"),
    "a URL": ({"requirements.txt": "pyspark @ https://example.org/pyspark-3.5.1.whl"}, ALL, "requirements.txt"),
    "a package that begins alike": ({"requirements.txt": "pyspark-stubs==3.0.0\n-r other.txt\n"}, ALL, ""),
    "installed": ({".venv/lib/python3.11/site-packages/pyspark-4.1.4.dist-info/METADATA": ""}, ALL[2:3], ".venv"),
    "two installed": (
        {
            ".venv/lib/python3.11/site-packages/pyspark-4.1.4.dist-info/METADATA": "",
            ".venv/lib/python3.12/site-packages/pyspark-3.5.0.dist-info/METADATA": "",
        },
        (ALL[0], ALL[2]),
        ".venv",
    ),
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {**files, "jobs/nightly/job.py": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".git").mkdir()
    return folder / "jobs" / "nightly" / "job.py"


@pytest.mark.parametrize("case", PROJECTS)
def test_project(tmp_path: Path, case: str) -> None:
    files, versions, origin = PROJECTS[case]
    stated = stated_by_project(written(tmp_path, files))
    assert stated.problems == ()
    assert (stated.targets.versions, stated.targets.origin) == (versions, origin)


def test_the_nearest_folder_counts_and_nothing_outside_of_the_repository(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    job = written(repository, {"requirements.txt": "pyspark==4.0.0", "jobs/requirements.txt": "pyspark==3.5.0"})
    assert stated_by_project(job).targets.versions == ALL[:1]
    assert stated_by_project(repository).targets.versions == ALL[1:2]
    (tmp_path / "requirements.txt").write_text("pyspark==3.5.0")
    (repository / "requirements.txt").unlink()
    assert stated_by_project(repository).targets == ANY


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("pyproject.toml", b"pyspark = [", "pyproject.toml: "),
        ("pyproject.toml", b"a" + b".a" * 20_000 + b" = 'pyspark'", "pyproject.toml: a name has too many parts"),
        ("requirements.txt", b"pyspark==\xff", "requirements.txt: 'utf-8' codec"),
        ("requirements.txt", b"#" * 1_000_001, "requirements.txt: 1,000,001 bytes; the limit is 1,000,000"),
        ("Pipfile.lock", b"{", "Pipfile.lock: "),
        ("Pipfile.lock", b"[" * 100_000, "Pipfile.lock: "),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_and_every_version(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    job = written(tmp_path, {name: ""})
    (tmp_path / name).write_bytes(content)
    stated = stated_by_project(job)
    assert stated.targets == ANY
    assert len(stated.problems) == 1
    assert stated.problems[0].startswith(str(tmp_path / problem.split(": ")[0]))
    assert problem in stated.problems[0]
    assert "\n" not in stated.problems[0]


def test_a_setting_wins(tmp_path: Path) -> None:
    job = written(tmp_path, {"uv.lock": 'name = "pyspark"\nversion = "4.0.2"\n'})
    found = targets_at(job, Settings(target_spark=">=4.1")).targets
    assert (found.versions, found.origin) == (ALL[2:], "headwater.targetSpark")


@pytest.mark.parametrize(
    ("versions", "text"),
    [
        (ALL, "Spark 3.5 to 4.3"),
        (ALL[1:2], "Spark 4.0"),
        (ALL[:2], "Spark 3.5 to 4.0"),
        ((ALL[0], ALL[2]), "Spark 3.5, 4.1"),
    ],
)
def test_text(versions: tuple[Version, ...], text: str) -> None:
    assert Targets(versions).text == text


def test_features_are_of_measured_versions() -> None:
    assert all(versions and versions < set(ALL) for versions in FEATURES.values())


# --- what verdicts make of it

SCHEMAS = {"t": "k int, v int"}
PROGRAM = """
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
t = spark.table("t")
result = t.groupBy("k").agg(F.max("v").alias("m")).filter(F.col("m") > 3)
"""
OVERFLOWS = PROGRAM.replace('F.max("v")', 'F.sum(F.when(F.col("v") > 0, F.col("v")))')
ON_3_5, FROM_4 = Targets(ALL[:1]), Targets(FOUR)


def test_every_finding_says_on_which_versions_it_holds() -> None:
    report = analyse(PROGRAM, Options(schemas=SCHEMAS, targets=Targets(ALL[1:3], "uv.lock")))
    found = report.opportunities[0]
    assert found.status == "verified"
    assert "holds on Spark 4.0 to 4.1 (uv.lock)" in found.notes
    assert found.certificate is not None
    assert "holds on Spark 4.0 to 4.1 (uv.lock)" in [a.text for a in found.certificate.problem.fold.assumptions]
    assert report.spark == ("4.0", "4.1")


def test_the_report_and_the_cache_know_the_targets(tmp_path: Path) -> None:
    from headwater.engine.files.service import FileReport

    report = analyse(PROGRAM, Options(schemas=SCHEMAS, targets=FROM_4))
    said = document([FileReport("a.py", PROGRAM, report)], 0.0, tmp_path)["files"][0]
    assert said["spark"] == ["4.0", "4.1", "4.2", "4.3"]
    assert len({Options(targets=t).key() for t in (ANY, FROM_4, ON_3_5, Targets(FOUR, "uv.lock"))}) == 4


def test_an_overflow_is_an_error_by_default_from_4_0_on() -> None:
    for targets in (ANY, FROM_4):
        (found,) = analyse(OVERFLOWS, Options(schemas=SCHEMAS, targets=targets)).opportunities
        assert found.status == "assumed"
    report = analyse(OVERFLOWS, Options(schemas=SCHEMAS, targets=ON_3_5))
    assert not report.opportunities
    assert "which is no error in Spark 3.5 by default" in " ".join(s.reason for s in report.skipped)
    set_here = OVERFLOWS.replace("t = ", 'spark.conf.set("spark.sql.ansi.enabled", "true")\nt = ')
    (found,) = analyse(set_here, Options(schemas=SCHEMAS, targets=ON_3_5)).opportunities
    assert found.status == "verified"


UDF = """
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
{setting}
t = spark.table("t")
big = F.udf(lambda v: v is None or v > 3, "boolean"{arrow})
result = t.filter(big("v"))
"""
ARROW = 'spark.conf.set("spark.sql.execution.pythonUDF.arrow.enabled", "{}")'
TRANSPILE = 'spark.conf.set("spark.sql.experimental.optimizer.transpilePyUDFs", "{}")'


@pytest.mark.parametrize(
    ("setting", "arrow", "targets", "found"),
    [
        ("", "", ANY, True),
        ("", ", useArrow=True", ANY, False),
        ("", ", useArrow=False", ANY, True),
        ("", ", useArrow=True", Targets(ALL[1:3]), False),
        ("", ", useArrow=True", Targets(ALL[2:]), True),
        (ARROW.format("true"), "", ANY, False),
        (ARROW.format("true"), ", useArrow=False", ANY, True),
        (ARROW.format("false"), "", ANY, True),
        (ARROW.format("true"), "", Targets(ALL[2:]), True),
        (TRANSPILE.format("true"), "", ANY, False),
        (TRANSPILE.format("false"), "", ANY, True),
        (TRANSPILE.format("true"), "", Targets(ALL[:4]), True),
    ],
)
def test_settings_of_python_udfs(setting: str, arrow: str, targets: Targets, found: bool) -> None:
    report = analyse(UDF.format(setting=setting, arrow=arrow), Options(schemas=SCHEMAS, targets=targets))
    assert bool(report.opportunities) == found, report.skipped


NARROWED = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
{setting}
def narrowed(frames):
    for frame in frames:
        frame["m"] = frame["l"]
        yield frame[["k", "m"]]

result = spark.table("t").mapInPandas(narrowed, "k int, m int").filter("m > 5")
"""
SAFELY = 'spark.conf.set("spark.sql.execution.pandas.convertToArrowArraySafely", "{}")'


@pytest.mark.parametrize(
    ("setting", "targets", "found"),
    [
        ("", ANY, False), ("", Targets(ALL[1:]), False), ("", Targets(ALL[2:]), True),
        (SAFELY.format("false"), Targets(ALL[2:]), False), (SAFELY.format("true"), Targets(ALL[2:]), True),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_an_error_from_4_1_on(setting: str, targets: Targets, found: bool) -> None:
    options = Options(schemas={"t": "k int, l bigint"}, targets=targets)
    report = analyse(NARROWED.format(setting=setting), options)
    assert bool(report.opportunities) == found, report.skipped


def test_a_finding_has_one_identity_on_all_versions() -> None:
    reports = [analyse(PROGRAM, Options(targets=t, schemas=SCHEMAS)) for t in (ANY, Targets(MEASURED[-1:]))]
    first, second = ([o.id for o in r.opportunities] for r in reports)
    assert first == second != []
