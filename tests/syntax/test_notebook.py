"""Cells, magics and broken cells: what is read, what stands in for the rest."""

from __future__ import annotations

import ast

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.files.fixing import fix_text
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source import top_level
from headwater.syntax.source.notebook import cells, is_notebook, parse

COMMAND = "\n# COMMAND ----------\n"
HEAD = "# Databricks notebook source\nfrom pyspark.sql import functions as F\nimport pandas as pd\n"
TOP = """
def top(key, pdf):
    best = None
    for row in pdf.itertuples():
        if best is None or row.score > best:
            best = row.score
    return pd.DataFrame([{"team": key[0], "best": best}])
"""
SCORES = 'scores = spark.read.schema("team string, score double").parquet("x").dropna(subset=["score"])'
BEST = 'best = scores.groupBy("team").applyInPandas(top, "team string, best double")'
FILTER = 'display(best.filter(F.col("best") >= 90))'


def notebook(*parts: str) -> str:
    return COMMAND.join([HEAD, TOP, *parts])


def codes(source: str) -> list[str]:
    return [o.code for o in analyse(source).opportunities]


@pytest.mark.parametrize(
    "mark", ["# COMMAND ----------", "# %%", "# %% [markdown]", "#%% load", "# In[ ]:", "# In[12]:"]
)
def test_marks_part_cells(mark: str) -> None:
    source = f"a = 1\n{mark}\nb = 2\n"
    assert is_notebook(source)
    assert [c.text(source) for c in cells(source)] == ["a = 1\n", "\nb = 2\n"]


@pytest.mark.parametrize("source", ["a = 1\n", "# COMMAND\n", '"""\n # %% no\n"""\n', "x = 5 # %%\n"])
def test_a_script_has_no_cells(source: str) -> None:
    assert not is_notebook(source)


def test_a_script_that_does_not_parse_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        parse("a = (\n")


@pytest.mark.parametrize(
    "cell",
    [
        "%pip install a", "%pip install a \\\n  b c", "!ls -l é", "?top", "top??", "files = !ls", "files, n = !ls",
        "%%sql\nselect 1 from", "%%html\n<b>", "print 'two'", "if x:", "\t%time a = 1", "x = (1,", "%", "!a", "\f!ls",
        "%%bash", "a = %sql select 1",
        "\n\n# first\n%%scala\nval x = 1", "'''", "\U0001f600 = 1", "é = 'ü'; !ls",
    ],
)  # fmt: skip
def test_nothing_moves_and_no_other_cell_is_lost(cell: str) -> None:
    source = f"# %%\na = 1\n# %%\n{cell}\n# %%\nb = 2\n"
    read = parse(source)
    assert len(read.text) == len(source)
    assert [i for i, c in enumerate(read.text) if c in "\r\n"] == [i for i, c in enumerate(source) if c in "\r\n"]
    ast.parse(read.text)
    assert "b = 2" in read.text
    context = Context.of(source)
    line = source[: source.index("b = 2")].count("\n") + 1
    found = [n for n in ast.walk(context.tree) if isinstance(n, ast.Assign) and n.lineno == line]
    assert [context.text(n) for n in found] == ["b = 2"]


def test_a_text_that_starts_a_line_with_a_percent_sign_is_no_magic() -> None:
    """The cell parses as it stands, so nothing of it is a magic."""
    source = '# %%\nx = """\n%run me\n"""\n'
    assert parse(source).text == source
    assert not parse(source).hidden


def test_a_text_in_a_cell_with_a_magic_stays_as_it_is() -> None:
    source = '# %%\n!ls\nx = """\n%run me\n!ls\n"""\n'
    assert '"""\n%run me\n!ls\n"""' in parse(source).text


@pytest.mark.parametrize(
    "between",
    [
        "",
        "%matplotlib inline",
        "!ls",
        "print 'two'",
        "%%sql\nselect * from x",
        "%%md\nthe best scores",
        "%%time\nx = 1",
    ],
)
def test_what_has_no_say_in_it_costs_nothing(between: str) -> None:
    assert codes(notebook(SCORES, BEST, between, FILTER)) == ["HW101"]


@pytest.mark.parametrize(
    ("between", "why"),
    [
        ("best = best.limit(5) if", "a broken cell that binds the frame"),
        ("print 'the', best", "a broken cell that reads the frame"),
        ("%time best = other()", "a magic that runs a statement"),
        ("%run ./other", "another notebook may bind anything"),
        ("%load x.py", "so may code that is loaded"),
        ("%run ./other\nprint 'two'", "also where the cell is broken behind it"),
        ("print 'two'\nx = %run ./other", "or before it"),
        ("# MAGIC %run ./other", "also in Databricks' own spelling, where the file parses"),
        ("def g():\n    pass\n    %run ./other\n", "and within a block"),
        ("%%unheard_of\nx", "a magic that nobody knows"),
        ("%%sql\nselect * from best", "DuckDB reads Python variables"),
        ("!echo {best.count()}", "a shell command may evaluate what stands in braces"),
    ],
)
def test_what_may_read_or_bind_the_frame_stops_the_filter(between: str, why: str) -> None:
    assert codes(notebook(SCORES, BEST, between, FILTER)) == [], why


INDENTED = "\n".join("  " + line for line in FILTER.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (INDENTED, "IPython takes the indentation of the first line away"),
        ("\n" + INDENTED, "behind empty lines"),
        ("# DBTITLE 1,Best\n %python\n" + INDENTED.replace("  ", " "), "behind what Databricks says of the cell"),
        ('  text = """\n  a\n  """\n' + INDENTED, "with texts of several lines"),
    ],
)
def test_an_indented_cell_is_one_like_any_other(cell: str, why: str) -> None:
    assert codes(notebook(SCORES, BEST, cell)) == codes(notebook(SCORES, BEST, FILTER)) != [], why


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("# first\n" + INDENTED, "a comment is the first line, and is not indented"),
        (INDENTED + "note = 1\n", "IPython takes it away from some lines only"),
        (INDENTED + "else:\n  pass\n", "an else without an if"),
        ("    x = 1\n" + INDENTED, "less indented than the first line"),
    ],
)
def test_other_indentation_does_not_parse(cell: str, why: str) -> None:
    report = analyse(notebook(SCORES, BEST, cell))
    assert any("does not parse" in s.reason for s in report.skipped), why


def test_a_text_in_an_indented_cell_is_what_ipython_makes_of_it() -> None:
    source = notebook('    x = """\n    a\n      b\n"""\n    y = 1\n')
    x, y = (s for s in parse(source).tree.body if isinstance(s, ast.Assign))
    assert ast.literal_eval(x.value) == "\na\n  b\n"
    assert (x.col_offset, source.splitlines()[y.lineno - 1]) == (4, "    y = 1")


def test_a_cell_that_an_edit_indents_is_no_part_of_the_function_in_front_of_it() -> None:
    before = top_level.parse(notebook("x = 2\n"))
    after = top_level.parse(notebook("    x = 2\n"), before)
    assert [type(s) for s in after.readable.tree.body[-2:]] == [ast.FunctionDef, ast.Assign]


def test_a_broken_cell_is_told_of_and_the_fix_keeps_it() -> None:
    source = notebook(SCORES, BEST, "print 'two'", FILTER)
    report = analyse(source)
    assert next(s.reason for s in report.skipped if "cell" in s.reason).startswith("the cell does not parse: ")
    fixed = fix_text(source, analyse).text
    assert "print 'two'" in fixed
    assert 'scores.filter(F.col("score") >= 90).groupBy' in fixed
    assert "display(best)" in fixed


def test_thousands_of_parts_that_are_not_python_are_given_up() -> None:
    error = analyse(notebook(SCORES, BEST, FILTER, "# %%\nprint 1\n" * 2000)).error
    assert error is not None
    assert "more than 1,000 parts" in error.message
    report = analyse(notebook(SCORES, BEST, "!ls\n" * 2000 + "%run x", FILTER))
    assert (report.error, report.opportunities) == (None, ())
    assert any("more than 100 magics" in s.reason for s in report.skipped)


def test_an_import_is_added_above_a_magic() -> None:
    source = notebook("%pip install x", SCORES, BEST, 'display(best.filter("best >= 90"))')
    fixed = fix_text(source.replace("from pyspark.sql import functions as F\n", "import pyspark\n"), analyse).text
    assert 'filter("score >= 90")' in fixed
    assert "%pip install x" in fixed


def test_the_functions_module_keeps_its_name_under_an_assumption() -> None:
    report = analyse(COMMAND.join([HEAD, "%run ./other", TOP, SCORES, BEST, FILTER]))
    (found,) = report.opportunities
    assert "no star import or `%run` rebinds `F`, which is pyspark.sql.functions" in found.assumptions
    assert not any("rebinds" in a for a in analyse(notebook(SCORES, BEST, FILTER)).opportunities[0].assumptions)


FABRIC = """\
# Fabric notebook source

# METADATA ********************

# META {
# META   "kernel_info": {
# META     "name": "synapse_pyspark"
# META   }
# META }

# MARKDOWN ********************

# # Orders

# CELL ********************

%pip install orders

# METADATA ********************

# META {
# META   "language": "python",
# META   "language_group": "synapse_pyspark"
# META }

# CELL ********************

from pyspark.sql import functions as F

orders = spark.read.table("orders")

# CELL ********************

# MAGIC %%sql
# MAGIC SELECT * FROM orders

# METADATA ********************

# META {
# META   "language": "sparksql",
# META   "language_group": "synapse_pyspark"
# META }

# PARAMETERS CELL ********************

least = 3
"""


def test_a_source_of_fabric_is_a_notebook() -> None:
    """Only the magic is hidden, and it is no fault."""
    found = parse(FABRIC)
    assert [(h.span.text(FABRIC).strip(), h.why) for h in found.hidden] == [("%pip install orders", None)]
    assert found.text.replace(" ", "").count("least=3") == 1
