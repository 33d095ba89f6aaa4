"""Solutions written into the user's code: layout, comments, quotes and names as the user has them."""

from __future__ import annotations

import textwrap

import pytest

from headwater.rewrite.edits import CannotEdit, apply_edits
from headwater_ir.expr import TRUE, And, Compare, In, IsNull, Lit, Or, Out, Param
from headwater_ir.plan import Spelling
from headwater_ir.types import INT, STRING

from .build import Case, at_least, case, out, there

F = "from pyspark.sql import functions as F\n\n"
G = at_least("score")
SECOND = at_least("second")


def code(text: str) -> str:
    return F + textwrap.dedent(text).lstrip("\n")


def exact(before: str, after: str) -> None:
    """The only filter moves as a whole."""
    assert case(code(before), [SECOND]).text("exact", G) == code(after)


def split(before: str, after: str, kept: int = 1) -> None:
    """Of two conjuncts, ``first >= 90`` and ``second >= 90``, one stays."""
    conditions = [at_least("first"), SECOND]
    assert case(code(before), conditions).text("split", G, out(conditions[kept])) == code(after)


def test_inline_chain() -> None:
    exact(
        'best = df¦.groupBy("team").applyInPandas(top2, S).filter(F.col("second") >= 90)\n',
        'best = df.filter(F.col("score") >= 90).groupBy("team").applyInPandas(top2, S)\n',
    )


def test_assignment_that_only_filters() -> None:
    exact(
        'a = df¦.groupBy("team").applyInPandas(top2, S)\nb = a.where(F.col("second") >= 90)\n',
        'a = df.where(F.col("score") >= 90).groupBy("team").applyInPandas(top2, S)\nb = a\n',
    )


def test_a_variable_that_would_be_given_its_own_value() -> None:
    exact(
        'a = df¦.groupBy("team").applyInPandas(top2, S)\na = a.where(F.col("second") >= 90)\na.show()\n',
        'a = df.where(F.col("score") >= 90).groupBy("team").applyInPandas(top2, S)\na.show()\n',
    )
    exact(
        """
        a = df¦.groupBy("team").applyInPandas(top2, S)
        a = a.where(F.col("second") >= 90)  # the good ones

        a = (
            a.select("team")
        )
        """,
        """
        a = df.where(F.col("score") >= 90).groupBy("team").applyInPandas(top2, S)
        # the good ones

        a = (
            a.select("team")
        )
        """,
    )


def test_a_filter_of_several_lines_moves_as_it_is() -> None:
    before = """
        best = (
            df¦
            .groupBy("team")
            .applyInPandas(top2, S)
            .filter(
                F.col('score')
                >= 90  # enough
            )
            .select("team")
        )
        """
    after = """
        best = (
            df
            .filter(
                F.col('score')
                >= 90  # enough
            )
            .groupBy("team")
            .applyInPandas(top2, S)
            .select("team")
        )
        """
    assert case(code(before.replace("'", '"')), [G]).text("exact", G) == code(after.replace("'", '"'))


def test_one_call_per_line() -> None:
    exact(
        """
        best = (
            df¦  # every score
            .groupBy("team")
            .applyInPandas(top2, S)
            .filter(F.col("second") >= 90)
            .select("team")
        )
        """,
        """
        best = (
            df  # every score
            .filter(F.col("score") >= 90)
            .groupBy("team")
            .applyInPandas(top2, S)
            .select("team")
        )
        """,
    )


def test_first_call_on_the_receivers_line() -> None:
    exact(
        """
        best = (
            df¦.groupBy("team")
            .applyInPandas(top2, S)
            .filter(F.col("second") >= 90))
        """,
        """
        best = (
            df.filter(F.col("score") >= 90)
            .groupBy("team")
            .applyInPandas(top2, S))
        """,
    )


def test_backslashes() -> None:
    exact(
        """
        best = df¦ \\
            .groupBy("team") \\
            .applyInPandas(top2, S) \\
            .filter(F.col("second") >= 90)
        x = 1
        """,
        """
        best = df \\
            .filter(F.col("score") >= 90) \\
            .groupBy("team") \\
            .applyInPandas(top2, S)
        x = 1
        """,
    )


def test_backslashes_with_the_filter_in_the_middle() -> None:
    exact(
        """
        best = df¦.groupBy("team") \\
            .applyInPandas(top2, S) \\
            .filter(F.col("second") >= 90) \\
            .select("team")
        """,
        """
        best = df.filter(F.col("score") >= 90) \\
            .groupBy("team") \\
            .applyInPandas(top2, S) \\
            .select("team")
        """,
    )


def test_dots_at_line_ends() -> None:
    exact(
        """
        best = (
            df¦.
            groupBy("team").
            applyInPandas(top2, S).
            filter(F.col("second") >= 90)
        )
        """,
        """
        best = (
            df.
            filter(F.col("score") >= 90).
            groupBy("team").
            applyInPandas(top2, S)
        )
        """,
    )


def test_crlf_and_astral_characters() -> None:
    before = code('s = "🦆"\nbest = (\n    df¦\n    .groupBy("t")\n    .f()\n    .filter(F.col("second") >= 90)\n)\n')
    after = code('s = "🦆"\nbest = (\n    df\n    .filter(F.col("score") >= 90)\n    .groupBy("t")\n    .f()\n)\n')
    crlf = case(before.replace("\n", "\r\n"), [SECOND])
    assert crlf.text("exact", G) == after.replace("\n", "\r\n")


def test_comments_of_a_removed_filter_stay() -> None:
    exact(
        """
        best = (
            df¦
            .groupBy("team")
            .applyInPandas(top2, S)
            .filter(F.col("second") >= 90)  # only the best
        )
        """,
        """
        best = (
            df
            .filter(F.col("score") >= 90)
            .groupBy("team")
            .applyInPandas(top2, S)
            # only the best
        )
        """,
    )


def test_comments_inside_a_removed_filter_stay() -> None:
    exact(
        """
        best = (
            df¦
            .groupBy("team")
            .filter(
                # only the best
                F.col("second") >= 90  # or more
            )
        )
        """,
        """
        best = (
            df
            .filter(F.col("score") >= 90)
            .groupBy("team")
            # only the best
            # or more
        )
        """,
    )


def test_comment_above_the_closing_parenthesis_is_not_extended() -> None:
    exact(
        """
        best = f(
            df¦
            .groupBy("team")  # grouped
            .filter(F.col("second") >= 90), 1)
        """,
        """
        best = f(
            df
            .filter(F.col("score") >= 90)
            .groupBy("team")  # grouped
            , 1)
        """,
    )


def test_split_deletes_only_the_dropped_conjunct() -> None:
    before = 'b = df¦.g().filter((F.col("first") >= 90) & (F.col("second")  >=  90))\n'
    split(before, 'b = df.filter(F.col("score") >= 90).g().filter(F.col("second")  >=  90)\n')
    split(before, 'b = df.filter(F.col("score") >= 90).g().filter(F.col("first") >= 90)\n', kept=0)


def test_split_over_several_lines_keeps_comments() -> None:
    before = """
        b = df¦.g().filter(
            (F.col("first") >= 90)  # the first
            & (F.col("second") >= 90)  # the second
        )
        """
    split(
        before,
        """
        b = df.filter(F.col("score") >= 90).g().filter(
            (F.col("first") >= 90)  # the first  # the second
        )
        """,
        kept=0,
    )
    split(
        before,
        """
        b = df.filter(F.col("score") >= 90).g().filter(
            # the first
            (F.col("second") >= 90)  # the second
        )
        """,
    )


def test_three_conjuncts_in_nested_parentheses() -> None:
    conditions = [at_least("a"), at_least("b"), at_least("c")]
    source = code('b = df¦.g().filter(((F.col("a") >= 90) & (F.col("b") >= 90)) & (F.col("c") >= 90))\n')
    head = 'b = df.filter(F.col("score") >= 90).g()'
    made = case(source, conditions)
    assert made.text("split", G, out(conditions[1])) == code(f'{head}.filter((F.col("b") >= 90))\n').replace(
        '((F.col("b") >= 90))', '(F.col("b") >= 90)'
    )


def test_split_with_a_new_residual_is_spelled_out() -> None:
    made = case(code('b = df¦.g().filter(F.col("second") >= 90)\n'), [SECOND])
    rewrite = made.rewrite("split", G, out(there("second")))
    after = 'b = df.filter(F.col("score") >= 90).g().filter(F.col("second").isNotNull())\n'
    assert apply_edits(made.source, rewrite.edits) == code(after)
    assert (rewrite.residual_text, rewrite.residual_sql) == ('F.col("second").isNotNull()', "second IS NOT NULL")
    alone = 'b = df.filter(F.col("score") >= 90).g().filter(F.col("second") >= 90)\n'
    assert apply_edits(made.source, rewrite.prefilter_edits) == code(alone)


def test_sql_strings_stay_sql_strings() -> None:
    made = case("b = df¦.g().filter('first >= 90 AND second >= 90')\n", [at_least("first"), SECOND])
    assert made.text("split", G, out(SECOND)) == "b = df.filter('score >= 90').g().filter('second >= 90')\n"
    assert made.text("split", G, out(there("second"))) == (
        "b = df.filter('score >= 90').g().filter('second IS NOT NULL')\n"
    )


def test_between_and_case_hold_ands_that_are_no_conjunctions() -> None:
    conditions = [at_least("x"), SECOND]
    source = 'b = df¦.g().filter("x between 1 and 2 AND second >= 90")\n'
    assert case(source, conditions).text("split", G, out(SECOND)) == (
        'b = df.filter("score >= 90").g().filter("second >= 90")\n'
    )
    source = 'b = df¦.g().filter("case when p and q then 1 end = 1 AND second >= 90")\n'
    assert case(source, conditions).text("split", G, out(SECOND)) == (
        'b = df.filter("score >= 90").g().filter("second >= 90")\n'
    )


def test_partial_leaves_the_filter() -> None:
    made = case(code('b = df¦.g().filter(F.col("second") >= 90)\n'), [SECOND])
    rewrite = made.rewrite("partial", G, out(SECOND))
    assert apply_edits(made.source, rewrite.edits) == code(
        'b = df.filter(F.col("score") >= 90).g().filter(F.col("second") >= 90)\n'
    )
    assert rewrite.edits == rewrite.prefilter_edits


def test_renamed_columns_make_a_split_partial() -> None:
    made = case(code('b = df¦.g().filter(F.col("second") >= 90)\n'), [SECOND], renamed=True)
    assert made.rewrite("split", G, out(there("second"))).kind == "partial"


def test_stacked_filters_share_the_residual() -> None:
    source = code('b = df¦.g().filter(F.col("first") >= 90).filter(F.col("second") >= 90)\n')
    made = case(source, [SECOND], [at_least("first")])
    head = 'b = df.filter(F.col("score") >= 90).g()'
    assert made.text("split", G, out(SECOND)) == code(f'{head}.filter(F.col("second") >= 90)\n')
    assert made.text("exact", G) == code(f"{head}\n")
    assert made.rewrite("split", G, out(there("second"))).kind == "partial"


def test_parameters_go_by_their_name() -> None:
    condition = Compare(">=", Out("second"), Param("limit"), "sql")
    prefilter = Compare(">=", at_least("score").left, Param("limit"), "sql")  # type: ignore[union-attr]
    made = case(code('limit = 3\nb = df¦.g().filter(F.col("second") >= limit)\n'), [condition])
    assert 'df.filter(F.col("score") >= limit).g()' in made.text("exact", prefilter)


@pytest.mark.parametrize(
    "source",
    [
        'a = df¦.g()\nlimit = 3\nb = a.filter(F.col("second") >= limit)\n',
        'limit = 1\na = df¦.g()\nlimit = 3\nb = a.filter(F.col("second") >= limit)\n',
        'a = df¦.g()\n\ndef late(limit):\n    return a.filter(F.col("second") >= limit)\n',
        'def early(df):\n    global limit\n    limit = 2\n    return df¦.g().filter(F.col("second") >= limit)\n',
    ],
    ids=["bound later", "bound again", "another scope", "global"],
)
def test_a_parameter_without_its_value_refuses(source: str) -> None:
    prefilter = Compare(">=", at_least("score").left, Param("limit"), "sql")  # type: ignore[union-attr]
    with pytest.raises(CannotEdit, match="limit"):
        case(code(source), [SECOND]).text("exact", prefilter)


def test_function_arguments_are_fine_as_parameters() -> None:
    prefilter = Compare(">=", at_least("score").left, Param("limit"), "sql")  # type: ignore[union-attr]
    source = code('def f(df, limit):\n    a = df¦.g()\n    return a.filter(F.col("second") >= limit)\n')
    assert '    a = df.filter(F.col("score") >= limit).g()\n    return a\n' in case(source, [SECOND]).text(
        "exact", prefilter
    )


def test_import_is_added_where_there_is_none() -> None:
    source = '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n\nb = df¦.g().filter(df.second >= 90)\n'
    assert case(source, [SECOND]).text("exact", G) == (
        '"""Doc."""\nfrom __future__ import annotations\n\nimport os\nfrom pyspark.sql import functions as F\n\n'
        'b = df.filter(F.col("score") >= 90).g()\n'
    )


def test_import_avoids_taken_names_and_needs_no_import_block() -> None:
    source = "# a script\nF = 1\nb = df¦.g().filter(df.second >= 90)\n"
    assert case(source, [SECOND]).text("exact", G) == (
        '# a script\nfrom pyspark.sql import functions as sf\n\nF = 1\nb = df.filter(sf.col("score") >= 90).g()\n'
    )


def test_bare_col_is_used_where_the_filter_uses_it() -> None:
    source = "from pyspark.sql.functions import col\nb = df¦.g().where(col('second') >= 90)\n"
    made = case(source, [SECOND], spelling=Spelling(None, "col"))
    assert made.text("exact", G) == ("from pyspark.sql.functions import col\nb = df.where(col('score') >= 90).g()\n")


def test_conditions_in_variables_are_replaced_as_a_whole() -> None:
    source = code('c = (F.col("first") >= 90) & (F.col("second") >= 90)\nb = df¦.g().filter(c)\n')
    made = case(source, [at_least("first"), SECOND])
    assert made.text("split", G, out(SECOND)).endswith('.g().filter(F.col("second") >= 90)\n')


def test_a_disjunction_is_never_taken_apart() -> None:
    either = Or((at_least("first"), SECOND))
    source = code('b = df¦.g().filter((F.col("first") >= 90) | (F.col("second") >= 90))\n')
    text = case(source, [either]).text("split", G, out(SECOND))
    assert text.endswith('.filter(F.col("second") >= 90)\n')


def test_strings_and_lists_in_the_users_quotes() -> None:
    source = F + "b = df¦.g().filter(F.col('k') == 'x')\n"
    prefilter = In(at_least("k").left, (Lit("it's", STRING), Lit("b", STRING), Lit(2, INT)), "sql")  # type: ignore[union-attr]
    text = case(source, [SECOND]).text("exact", prefilter)
    assert """df.filter(F.col('k').isin("it's", 'b', 2)).g()""" in text


def test_true_residual_counts_as_nothing() -> None:
    made: Case = case(code('b = df¦.g().filter(F.col("second") >= 90)\n'), [SECOND])
    rewrite = made.rewrite("exact", G, TRUE)
    assert (rewrite.residual_text, rewrite.residual_sql) == (None, None)


LONG = [at_least(f"a_rather_long_column_name_{i}") for i in range(3)]


def test_long_conditions_take_a_line_per_operand() -> None:
    exact_long = case(code('best = df¦.groupBy("team").filter(F.col("second") >= 90)\n'), [SECOND])
    assert exact_long.text("exact", Or(tuple(LONG))) == code(
        """
        best = df.filter(
            (F.col("a_rather_long_column_name_0") >= 90)
            | (F.col("a_rather_long_column_name_1") >= 90)
            | (F.col("a_rather_long_column_name_2") >= 90)
        ).groupBy("team")
        """
    )


def test_long_sql_conditions_become_adjacent_literals() -> None:
    made = case(
        'def f(df):\n    return (\n        df¦\n        .g()\n        .filter("second >= 90")\n    )\n', [SECOND]
    )
    assert made.text("exact", And((*LONG, Or((IsNull(Out("x")), LONG[0]))))) == (
        "def f(df):\n    return (\n        df\n        .filter(\n"
        '            "a_rather_long_column_name_0 >= 90 AND "\n'
        '            "a_rather_long_column_name_1 >= 90 AND "\n'
        '            "a_rather_long_column_name_2 >= 90 AND "\n'
        '            "(x IS NULL OR a_rather_long_column_name_0 >= 90)"\n'
        "        )\n        .g()\n    )\n"
    )
