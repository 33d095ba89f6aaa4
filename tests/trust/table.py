"""The class of each file of the product. Of two lines that name a file, the longer path counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Class = Literal["core", "re-checked", "trusted", "check", "none"]
"""``core``: states and decides the conditions of a proof. ``re-checked``: independent code looks at its result whenever
there is one. ``trusted``: nothing does. ``check``: looks at the results of others, so that its own fault does harm only
together with another. ``none``: no fault of it makes a wrong "proved" or a wrong edit."""
Checker = Literal["proof", "crossings", "validation", "edits", "demand", "ranges"]
CHECKERS: dict[Checker, tuple[str, str]] = {
    "proof": ("headwater.proof.checker", "tests.proof.test_wrong_certificates"),
    "crossings": ("headwater.proof.crossings.whole", "tests.proof.crossings.planted"),
    "validation": ("headwater.validation.compare", "tests.validation.planted"),
    "edits": ("headwater.edit_check.confirm", "tests.edit_check.planted"),
    "demand": ("headwater.proof.demand.checker", "tests.proof.demand.planted"),
    "ranges": ("headwater.proof.ranges.checker", "tests.proof.ranges.test_checker"),
}
"""What re-checks, and the module that plants the faults which it must see."""


@dataclass(frozen=True)
class Line:
    """``path``: a file, or a folder with all files in it. ``fault``: what could come of one. ``by``: what re-checks it.
    ``beside``: tests that run it beside the real thing (Spark, CPython, pandas, or both solvers)."""

    path: str
    of: Class
    fault: str = ""
    by: Checker | None = None
    beside: tuple[str, ...] = ()


SPECS, EDITOR = "tests.mdtest.test_mdtest", "tests.lsp.test_actions_replayed"
SQL, COLUMNS = "tests.conformance.test_sql", "tests.conformance.test_columns"
_SYNTAX = ("tests.syntax.test_names", SPECS)
TABLE: tuple[Line, ...] = (
    # --- the proof
    Line("semantics", "core", "an expression means something else than in Spark or Python",
         beside=(COLUMNS, "tests.conformance.test_python", "tests.semantics.test_symbolic_agrees")),
    Line("proof", "core", "a condition is missing, or too weak", beside=("tests.proof.test_checker",)),
    Line("proof/crossings/laws.py", "check"),
    Line("proof/demand", "core", "two ways of reading a frame are taken to be one",
         beside=("tests.proof.demand.test_demand", SPECS)),
    Line("proof/ranges", "core", "a range of a column is taken for a condition that it is not",
         beside=("tests.proof.ranges.test_checker", SPECS)),
    Line("source/hidden.py", "re-checked", "a range that drops too much", by="ranges"),
    Line("source/parts.py", "re-checked", "a range that drops too much", by="ranges"),
    Line("source/cuts.py", "re-checked", "a range that drops too much", by="ranges"),
    Line("demand", "re-checked", "too small a part of a frame is asked for", by="demand"),
    Line("headwater_ir", "core", "what is proved is not what was read",
         beside=(COLUMNS, "tests.semantics.test_interpreter")),
    Line("headwater_ir/chain.py", "trusted", "rounds that do not follow each other are taken for one proof"),
    Line("headwater_ir/change.py", "trusted", "an edit is compared with something else than what was proved"),
    Line("headwater_ir/ranges.py", "trusted", "a column of a frame is taken for one of its source", beside=(SPECS,)),
    Line("headwater_ir/codec.py", "trusted", "a certificate or a stored verdict is read as another"),
    Line("headwater_ir/plan.py", "trusted", "an operator stands for another one", beside=(SPECS,)),
    Line("headwater_ir/walks.py", "trusted", "something below a filter is passed over", beside=(SPECS,)),
    Line("headwater_ir/module.py", "trusted", "a filter is passed over", beside=(SPECS,)),
    Line("synthesis", "re-checked", "a pre-filter that drops too much", by="proof"),
    # --- reading the user's functions
    Line("python", "re-checked", "a function is taken to compute something else", by="validation"),
    Line("syntax/core", "re-checked", "a function body is lowered to another one", by="validation"),
    Line("python/effects", "trusted", "a side effect is not seen", beside=("tests.tables.test_effects", SPECS)),
    Line("python/key_flow", "trusted", "a returned row is taken to hold the key of its group",
         beside=("tests.python.test_kept_rows",)),
    Line("libraries", "trusted", "a function of a library is taken to be pure, or to have other parameters",
         beside=("tests.tables.test_effects", "tests.tables.test_library_models", SPECS)),
    # --- reading the driver's code
    Line("pyspark/api", "trusted", "a method is taken for another operator", beside=(SPECS,)),
    Line("pyspark/columns", "trusted", "a condition is taken for another", beside=(SQL, SPECS)),
    Line("pyspark/driver", "trusted", "a variable is taken to hold another frame", beside=(SPECS,)),
    Line("pyspark/frames", "trusted", "a frame is taken to have another schema, or fewer consumers", beside=(SPECS,)),
    Line("pyspark/walls", "trusted", "a value that the driver looks at is passed over", beside=(SPECS,)),
    Line("pyspark/driver/unlisted.py", "none"),  # words of a refusal
    Line("pyspark/rdd", "trusted", "a method of an RDD is taken for another", beside=(SPECS,)),
    Line("pyspark/reading", "trusted", "a filter, or a second reader of a frame, is passed over",
         beside=(SPECS, "tests.pyspark.test_incremental")),
    Line("pyspark/sql_text", "trusted", "a query is taken for another",
         beside=("tests.conformance.test_sql_text", SPECS)),
    Line("pyspark/__init__.py", "none"),
    Line("syntax", "trusted", "a name is taken to mean something else", beside=_SYNTAX),
    # --- moving
    Line("operators", "trusted", "an operator is described as another, its columns or their types as others",
         beside=("tests.operators.test_move", SPECS)),
    Line("operators/implied.py", "re-checked", "a filter is taken past an operator that it does not commute with",
         by="crossings"),
    Line("operators/null_extended.py", "re-checked", "a filter is taken to drop what an outer join makes up",
         by="crossings"),
    # --- writing
    Line("rewrite", "re-checked", "an edit does something else than what was proved", by="edits"),
    Line("rewrite/branch", "trusted", "an expression is evaluated once more where somebody can tell",
         beside=("tests.tables.test_branch_world", "tests.tables.test_builders", SPECS)),
    Line("rewrite/branch/making.py", "re-checked", "the copy is another expression", by="edits"),
    Line("rewrite/branch/text.py", "re-checked", "the copy is another text", by="edits"),
    # --- data sources
    Line("data_sources", "trusted", "a data source is said to drop or return other rows than it does",
         beside=("tests.data_sources.test_sources", "tests.data_sources.test_sqlite",
                 "tests.data_sources.test_pushed", "tests.data_sources.test_arrow")),
    # --- checks
    Line("validation", "check"),
    Line("edit_check", "check"),
    # --- putting it together
    Line("engine/__init__.py", "none"),
    Line("engine/analysis", "trusted", "a verdict is given to another filter, or an assumption left out",
         beside=(SPECS,)),
    Line("engine/analysis/data/__init__.py", "none"),
    Line("engine/analysis/data/removed.py", "none"),  # says what a finding is worth, not whether it is right
    Line("engine/analysis/data/together.py", "none"),  # chooses among findings that are whole by themselves
    Line("engine/analysis/messages.py", "none"),
    Line("engine/analysis/options.py", "none"),
    Line("engine/analysis/reporting_policy.py", "none"),
    Line("engine/analysis/suppression_comment.py", "none"),
    Line("engine/analysis/suppressions.py", "none"),
    Line("engine/documents", "trusted", "an edit is made in a text that is not the one that was proved",
         beside=(EDITOR,)),
    Line("engine/files", "trusted", "an edit is written into another text, or a stored report given for another"),
    Line("engine/linking", "trusted", "a name means another thing than in the file that defines it",
         beside=("tests.linking.test_linked", "tests.linking.test_modules", "tests.linking.test_split")),
    Line("engine/files/data.py", "none"),  # what rests on it names it among its assumptions
    Line("engine/files/printed.py", "none"),  # so does this
    Line("engine/files/table_ddl.py", "none"),  # and this
    Line("engine/files/discovery.py", "none"),
    Line("engine/files/gitignore.py", "none"),
    Line("engine/files/regular_file.py", "none"),
    Line("engine/files/unreadable.py", "none"),
    Line("engine/report/own_part.py", "trusted", "an edit of another file is offered as one of this",
         beside=("tests.linking.test_linked", "tests.linking.test_meaning")),
    Line("engine/report/positions.py", "trusted", "an edit is made at another place",
         beside=(EDITOR,)),
    Line("engine/report/__init__.py", "none"),
    Line("engine/report/printable.py", "none"),
    Line("engine/report/report.py", "none"),
    Line("engine/report/version.py", "none"),
    Line("engine/workers", "none"),
    Line("lsp/code_actions.py", "trusted", "another edit is applied than the one asked for",
         beside=(EDITOR,)),
    Line("lsp/documents.py", "trusted", "an edit is made in another cell", beside=(EDITOR,)),
    Line("lsp/fix.py", "trusted", "another edit is applied than the one asked for"),
    Line("lsp/places.py", "trusted", "an edit is made at another place", beside=(EDITOR,)),
    Line("lsp/protocol.py", "trusted", "an edit is made at another place", beside=(EDITOR,)),
    Line("lsp/sync.py", "trusted", "the text is not the one in the editor", beside=(EDITOR,)),
    Line("lsp", "none"),
    Line("cli/fix.py", "trusted", "another text is written"),
    Line("cli/verify.py", "trusted", "a certificate is called proved that is not"),
    Line("cli/common.py", "trusted", "the settings are others than the user's"),
    Line("cli", "none"),
    Line("scan", "none"),
    Line("bench", "none"),
    Line("cost", "none"),
    Line("data_facts", "none"),  # what rests on it names it among its assumptions
    Line("event_log", "none"),
    Line("catalog", "none"),  # the schemas that it writes are the user's, and named among the assumptions
    Line("source", "none"),
    Line("rules", "none"),
    Line("__init__.py", "none"),
    Line("__main__.py", "none"),
)  # fmt: skip
