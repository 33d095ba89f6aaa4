"""One virtual environment per version of Spark: ``python -m tests.versions environments``.

They are kept in the user's cache (``HEADWATER_ENVIRONMENTS`` names another folder), never in the repository. What the tests
need besides Spark (Hypothesis, Z3, libcst) comes from the environment that makes them, after the packages of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path


@dataclass(frozen=True)
class Environment:
    """``families``: of which probes it is asked, where that are not all."""

    name: str
    packages: tuple[str, ...]
    families: tuple[str, ...] = ()

    @property
    def spark(self) -> str:
        """The minor version, as ``4.0``."""
        return self.name.partition("-")[0]

    @property
    def folder(self) -> Path:
        return root() / self.name

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"


def _packages(spark: str, pandas: str, pyarrow: str, numpy: str) -> tuple[str, ...]:
    return (f"pyspark=={spark}", f"pandas=={pandas}", f"pyarrow=={pyarrow}", f"numpy=={numpy}")


# The last release of each minor version, with libraries of its time: numpy 2 lacks what Spark 3.5 asks of it.
_OF_PANDAS = ("pandas column", "applyInPandas result", "DataFrame")
ENVIRONMENTS = (
    Environment("3.5", _packages("3.5.9", "2.2.3", "15.0.2", "1.26.4")),
    Environment("3.5-pandas1", _packages("3.5.9", "1.5.3", "15.0.2", "1.26.4"), _OF_PANDAS),
    Environment("4.0", _packages("4.0.5", "2.2.3", "18.1.0", "2.2.6")),
    Environment("4.1", _packages("4.1.4", "2.3.3", "21.0.0", "2.3.5")),
    Environment("4.2", _packages("4.2.1", "2.3.3", "23.0.1", "2.4.6")),
    Environment("4.3", _packages("4.3.0", "2.3.3", "26.0.1", "2.4.6")),
    Environment("4.3-pandas3", _packages("4.3.0", "3.1.1", "26.0.1", "2.4.6"), _OF_PANDAS),
)


def root() -> Path:
    named = os.environ.get("HEADWATER_ENVIRONMENTS")
    return Path(named) if named else user_cache_path("headwater") / "environments"


def make(environment: Environment) -> Path:
    """The interpreter of ``environment``, which is installed unless it is there with these very packages."""
    complete = environment.folder / ".installed"
    wanted = "\n".join(environment.packages)
    if complete.exists() and complete.read_text("utf-8") == wanted:
        return environment.python
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(environment.folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--quiet"]
    subprocess.run([*pip, "setuptools<81", "wheel"], check=True)
    subprocess.run([*pip, *environment.packages], check=True)
    _share_the_rest(environment)
    complete.write_text(wanted, "utf-8")
    return environment.python


def _share_the_rest(environment: Environment) -> None:
    """Packages that the environment lacks are those of the running interpreter, which come after its own."""
    site = next(environment.folder.glob("lib/python*/site-packages"))
    (site / "shared.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n", "utf-8")


def variables(environment: Environment) -> dict[str, str]:
    """The variables under which programs run on ``environment``, its Python workers too."""
    python = str(environment.python)
    return {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python, "SPARK_LOCAL_IP": "127.0.0.1"}
