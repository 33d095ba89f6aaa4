"""What Python functions take for a row, by their text."""

from __future__ import annotations

import pytest

from headwater.cost.estimate import estimate, in_words
from headwater.cost.function import microseconds

LOOP = """\
def top(key, pdf):
    first = None
    for row in {rows}:
        if pd.isna(row.score):
            continue
        if first is None or row.score > first:
            first = row.score
    return pd.DataFrame([{{"first": first}}])
"""


def of(how: str, text: str, columns: int = 3) -> float:
    found = microseconds(how, text, columns)
    assert found is not None
    return found


def test_a_loop_over_rows_costs_more_than_an_operation_on_columns() -> None:
    whole = of("series", "def top(score):\n    return score.max()\n")
    tuples = of("applyInPandas", LOOP.format(rows="pdf.itertuples()"))
    dicts = of("applyInPandas", LOOP.format(rows='pdf.to_dict("records")'))
    series = of("applyInPandas", LOOP.format(rows="pdf.iterrows()"))
    assert whole < 0.1 < tuples < dicts < series


def test_wider_rows_cost_more() -> None:
    text = LOOP.format(rows="pdf.itertuples()")
    assert of("applyInPandas", text, 2) < of("applyInPandas", text, 20)


def test_one_column_of_an_arrow_table_costs_less_than_rows_of_it() -> None:
    one = of("applyInArrow", LOOP.format(rows='table.column("score").to_pylist()'))
    assert one < of("applyInArrow", LOOP.format(rows="table.to_pylist()"))


@pytest.mark.parametrize("rows", ['["a", "b"]', "pdf.columns", "(1, 2)"])
def test_a_loop_that_is_not_one_over_rows_costs_next_to_nothing(rows: str) -> None:
    assert of("applyInPandas", LOOP.format(rows=rows)) < 0.2


def test_a_loop_over_batches_is_none_over_rows() -> None:
    batches = 'def gap(batches):\n    for b in batches:\n        b["gap"] = b["a"] - b["b"]\n        yield b\n'
    assert of("mapInPandas", batches) < 0.1


def test_what_most_rows_return_before_is_counted_for_the_others() -> None:
    slow = "    return json.loads(x)\n"
    every = of("udf", "def f(x):\n" + slow)
    some = of("udf", "def f(x):\n    if x > 1:\n        return 0\n" + slow)
    nearly_every = of("udf", "def f(x):\n    if x is None:\n        return 0\n" + slow)
    assert some < nearly_every < every * 1.1


def test_a_lambda_and_a_method_of_a_class() -> None:
    assert of("udf", "lambda x: datetime.strptime(x, '%Y')") > of("udf", "lambda x: x + 1")
    assert of("udf", "    def f(x):\n        return x\n") < 0.1


@pytest.mark.parametrize(
    ("how", "text"),
    [("rdd", "lambda x: x"), ("udf", "f"), ("udtf", "class A:\n    pass\n"), ("udf", "def"), ("udf", ""), ("", "")],
)
def test_what_is_not_looked_into(how: str, text: str) -> None:
    assert microseconds(how, text, 3) is None


def test_a_text_without_end_is_not_looked_into() -> None:
    assert microseconds("udf", "lambda x: " + "-" * 100_000 + "x", 1) is None


def test_a_slow_function_gains_more() -> None:
    plain, slow = estimate("udf", False), estimate("udf", False, function=10)
    assert plain is not None
    assert slow is not None
    assert slow.likely > plain.likely
    assert dict(in_words(slow))["cost of the function by its operations"] == "5.00 µs a row"
    assert "cost of the function by its operations" not in dict(in_words(plain))
