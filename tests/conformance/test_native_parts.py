"""Spark's ``length``, ``lower`` and ``upper`` beside Python's, on every code point (``python/values/native_parts.py``).

``length`` is ``len``. Of ``lower`` and ``upper`` it is claimed that the ASCII letters of the result are the same, at
the same places; of the other letters it is not, and the tables do differ.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FORMS = ("%s", "a%s", "%sa", "a%sb")
"""Alone and beside letters: some letters look at their neighbours (the sigma at the end of a word)."""
CODES = [c for c in range(0x20000) if not 0xD800 <= c < 0xE000 and c != 0xFEFF]
"""No letter beyond has two cases; U+FEFF is what ``decode`` takes for a mark of the byte order."""


def ascii_of(text: str) -> str:
    """``text`` with one mark for each run of other characters."""
    return re.sub(r"[^\x00-\x7f]+", "\N{REPLACEMENT CHARACTER}", text)


def differences(text: str, length: int, lower: str, upper: str) -> list[str]:
    """What Spark is wrong about, by the claims."""
    pairs = {
        "length": length == len(text),
        "lower": ascii_of(lower) == ascii_of(text.lower()),
        "upper": ascii_of(upper) == ascii_of(text.upper()),
    }
    return [name for name, same in pairs.items() if not same]


@pytest.mark.spark
@pytest.mark.parametrize("icu", ["true", "false"])
def test_every_code_point(spark: SparkSession, icu: str) -> None:
    from pyspark.sql import functions as F

    character = F.expr("decode(unhex(lpad(hex(id), 8, '0')), 'UTF-32')")
    codes = (
        spark.range(CODES[-1] + 1)
        .filter("(id < 55296 OR id > 57343) AND id != 65279")
        .select("id", character.alias("c"))
    )
    texts = [F.format_string(form, "c") for form in FORMS]
    said = [F.array(F.length(t).cast("string"), F.lower(t), F.upper(t)) for t in texts]
    cased = (F.lower("c") != F.col("c")) | (F.upper("c") != F.col("c")) | (F.length("c") != 1)
    old = spark.conf.get("spark.sql.icu.caseMappings.enabled")
    spark.conf.set("spark.sql.icu.caseMappings.enabled", icu)
    try:  # what Spark leaves as it is need not be sent
        changed = {code: parts for code, *parts in codes.filter(cased).select("id", *said).collect()}
    finally:
        spark.conf.set("spark.sql.icu.caseMappings.enabled", old)
    assert 2_000 < len(changed) < 4_000
    wrong = []
    for code in CODES:
        for number, form in enumerate(FORMS):
            text = form.replace("%s", chr(code))
            left = str(len(text)), form.replace("%s", chr(code)), form.upper().replace("%S", chr(code))
            length, lower, upper = changed[code][number] if code in changed else left
            wrong += [(code, form, w) for w in differences(text, int(length), lower, upper)]
    assert wrong == []


def test_a_wrong_claim_is_seen() -> None:
    assert differences("I", 1, "ı", "I") == ["lower"]  # as Turkish has it
    assert differences("ß", 1, "ß", "ß") == ["upper"]
    assert differences("\U0001f600", 2, "\U0001f600", "\U0001f600") == ["length"]
