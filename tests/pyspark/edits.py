"""Edits of a text as somebody makes them who writes, and some that nobody would make."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_NUMBER = re.compile(r"\b\d+\b")
_STRING = re.compile(r'"[^"\\\n]*"')
_INSERTED = (
    "x = 1\n", "    x = 1\n", "    df = df.filter('a > 1')\n", "        return df\n", "\n", "# a comment\n",
    "else:\n", "elif x:\n", "    pass\n", "@udf\n", "@F.udf('int')\n", '"""\n', "'''\n", "x = (\n", ")\n",
    "x = 1 \\\n", "+ 2\n", "if x:\n", "try:\n", "finally:\n", "from pyspark.sql.functions import *\n",
    "from util import *\n", "from .util import max\n", "import pandas as F\n", "import pyspark.sql.functions as F\n",
    "from pyspark.sql.functions import col, max\n", "F.max = F.min\n", "setattr(pd, 'isna', None)\n",
    "spark.conf.set('spark.sql.ansi.enabled', 'false')\n", "exec('x')\n", "globals()['F'] = 1\n",
    "    global df, x\n", "def max(a, b):\n    return a\n", "def f(df):\n    return df\n", "class F:\n    x = 1\n",
    "LIMIT = 10\n", "LIMIT += 1\n", "df = spark.table('t')\n", "TYPES.append('a')\n",
    "result = result.filter('a > 1').filter('b < 2')\n", "# headwater: ignore[HW101]\n", "# headwater: ignore-file\n",
    "spark.udf.register('f', f)\n", "print(getattr(x, 'y'))\n", "# COMMAND ----------\n", "%run ./other\n",
    "# MAGIC %run ./other\n", "!ls\n", "x = df.columns; y = 2\n", "print(\n); x = df; print()\n", "y = 2;\n",
    "; y = 3\n", "é = 'ä😀'  # ü\n", "    del df\n", "[F := 1]\n",
)  # fmt: skip


def insert(text: str, random: Random) -> str:
    """With a line more."""
    lines = text.splitlines(keepends=True)
    lines.insert(random.randrange(len(lines) + 1), random.choice(_INSERTED))
    return "".join(lines)


def repeat(text: str, random: Random) -> str:
    """With a line or some that were there before."""
    lines = text.splitlines(keepends=True)
    start = random.randrange(len(lines) + 1)
    part = lines[start : start + random.randrange(1, 12)]
    at = random.randrange(len(lines) + 1)
    return "".join([*lines[:at], *part, *lines[at:]])


def delete(text: str, random: Random) -> str:
    """Without a line or some."""
    lines = text.splitlines(keepends=True)
    start = random.randrange(len(lines) + 1)
    return "".join([*lines[:start], *lines[start + random.choice([1, 1, 1, 2, 5, 20]) :]])


def swap(text: str, random: Random) -> str:
    """With two lines, or two parts, in the other order."""
    lines = text.splitlines(keepends=True)
    a, b, c = sorted(random.randrange(len(lines) + 1) for _ in range(3))
    return "".join([*lines[:a], *lines[b:c], *lines[a:b], *lines[c:]])


def rename(text: str, random: Random) -> str:
    """With one name, in one place or in all, replaced by another one of the text."""
    names = sorted(set(_NAME.findall(text))) or ["x"]
    old, new = random.choice(names), random.choice([*names, "brand_new"])
    return re.sub(rf"\b{old}\b", new, text, count=random.choice([0, 1]))


def renumber(text: str, random: Random) -> str:
    """With another number."""
    return _one(_NUMBER, text, random, str(random.choice([0, 1, 7, 90, 1000])))


def respell(text: str, random: Random) -> str:
    """With another string, or the same in capitals."""
    strings = _STRING.findall(text) or ['""']
    new = random.choice(strings)
    return _one(_STRING, text, random, new.upper() if random.random() < 0.3 else new)


def type_on(text: str, random: Random) -> str:
    """With a character more or less."""
    at = random.randrange(len(text) + 1)
    more = random.choice("()[]{}'\":,.= \n\tax1#\\%é\r\f") * random.randrange(2)
    return text[:at] + more + text[at + random.randrange(2) :]


def _one(pattern: re.Pattern[str], text: str, random: Random, new: str) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = random.choice(found)
    return text[: at.start()] + new + text[at.end() :]


EDITS: tuple[Callable[[str, Random], str], ...] = (
    insert, insert, repeat, delete, delete, swap, rename, rename, renumber, renumber, respell, type_on,
)  # fmt: skip
