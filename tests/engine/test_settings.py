"""[tool.headwater] in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.files.settings import Settings, SettingsError, load_settings


def write(directory: Path, text: str) -> None:
    (directory / "pyproject.toml").write_text(text)


def test_nearest_table_wins(tmp_path: Path) -> None:
    write(
        tmp_path,
        '[tool.headwater]\ntimeoutSeconds = 3\nworkers = 2\nassumePure = ["f"]\nexclude = ["gen/*"]\n'
        '[tool.headwater.severity]\nHW104 = "off"\n[tool.headwater.schemas]\n"t" = "x int"\n',
    )
    inner = tmp_path / "src"
    inner.mkdir()
    write(inner, "[project]\nname = 'headwater-user'\n")
    found = load_settings(inner)
    assert found.root == tmp_path
    assert (found.timeout_seconds, found.workers, found.assume_pure) == (3.0, 2, frozenset({"f"}))
    assert (found.severity, found.schemas) == ({"HW104": "off"}, {"t": "x int"})
    assert found.wants(tmp_path / "a.py")
    assert not found.wants(tmp_path / "gen" / "a.py")
    assert found.wants(Path("/elsewhere/a.py"))


def test_nothing_to_read(tmp_path: Path) -> None:
    write(tmp_path, "this is [not toml")  # nothing of ours in it: none of our business
    assert load_settings(tmp_path) == Settings()


def test_schemas_in_a_file(tmp_path: Path) -> None:
    write(tmp_path, '[tool.headwater]\nschemas = "schemas.json"\n')
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path)
    (tmp_path / "schemas.json").write_text('{"t": "x int"}')
    assert load_settings(tmp_path).schemas == {"t": "x int"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("timeoutSeconds = 0", "timeoutSeconds must be a positive number"),
        ("workers = true", "workers must be a positive number"),
        ("include = 'a'", "include must be a list of texts"),
        ("severity = {HW101 = 'loud'}", "severity.HW101 must be one of"),
        ("targetSpark = 'the newest'", "targetSpark must be versions of Spark"),
        ("showAll = 1", "showAll must be true or false"),
        ("targetSpark = 4.0", "targetSpark must be versions of Spark"),
        ("speed = 1", "speed is no setting"),
        ("oops", "pyproject.toml"),
    ],
)
def test_nonsense(tmp_path: Path, line: str, message: str) -> None:
    write(tmp_path, f"[tool.headwater]\n{line}\n")
    with pytest.raises(SettingsError, match=message.replace("[", r"\[")):
        load_settings(tmp_path)


@pytest.mark.parametrize("line", ["a{} = 1", "[a{}]", "a = {{b{} = 1}}", '"a"{} = 1'])
def test_a_name_that_would_take_long_is_refused_at_once(tmp_path: Path, line: str) -> None:
    write(tmp_path, line.format(".b" * 20_000) + "\n[tool.headwater]\nworkers = 1\n")
    with pytest.raises(SettingsError, match="too many parts"):
        load_settings(tmp_path)
    write(tmp_path, line.format(".b" * 50) + "\n[tool.headwater]\nworkers = 1\n")
    assert load_settings(tmp_path).workers == 1
