"""HW404: several numbers of one frame, each a job of its own, that one pass gives.

Law: the number of rows that a filter keeps is that of the rows for which its condition is TRUE, and the aggregates of
one ``agg`` are those of several. A frame that is computed twice may give different rows where its source has changed
or its functions are random; computed once, it gives what it may have given both times.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from itertools import count

from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias, import_functions
from headwater.rewrite.python_text import prevailing_quote
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.tokens import CannotEdit, indent_of, line_start, newline_of
from headwater.syntax.source.notebook import cells
from headwater_ir import demand as ir
from headwater_ir.demand import Claim, Job
from headwater_ir.module import Module
from headwater_ir.span import Span

from .needs import asks_for_any
from .one_row import Writer, never_fails
from .protocol import NotWorth, OnePassProposal
from .worth import may_skip_at_the_source, one_pass_is_no_gain, reads_what_is_hidden

LINE_LENGTH = 120
_TIMED = re.compile(r"^(?:# MAGIC )?\s*%%?time", re.MULTILINE)
_DISTINCT = re.compile(r"functions\.(count_distinct|countDistinct|sum_distinct|sumDistinct)\(")


def repeated_scans(module: Module, text: Text, source: str) -> list[OnePassProposal | NotWorth]:
    """One answer for each frame that several jobs are asked of. ``text``: what is read of ``source``."""
    return [_answer(jobs, module, text) for jobs in _together(module, source)]


def _together(module: Module, source: str) -> list[list[Job]]:
    """The jobs that may be done in one pass, as far as the code around them tells: in a notebook, those of a cell."""
    every = cells(source)
    starts = [c.start for c in every]
    found: dict[tuple[str, Span, int], list[Job]] = {}
    for job in module.jobs:
        if job.run is None or job.statement is None or not isinstance(job.reading[-1], (ir.Size, ir.ColumnAt)):
            continue
        cell = sum(s <= job.statement.start for s in starts)
        if cell and _TIMED.search(source, every[cell - 1].start, every[cell - 1].end):
            continue
        found.setdefault((job.frame, job.run, cell), []).append(job)
    return [jobs for jobs in found.values() if len(jobs) > 1 and any(j.certain for j in jobs)]


def _answer(jobs: list[Job], module: Module, text: Text) -> OnePassProposal | NotWorth:
    known = next(j for j in jobs if j.certain)
    where = known.call
    why = one_pass_is_no_gain(known.plan)
    if why is not None:
        return NotWorth(why, where)
    usable = [j for j in jobs if _is_usable(j, known, text.source)]
    if len(usable) < 2 or all(_only_asks_for_any(j, module) for j in usable):
        return NotWorth("fewer than two jobs may be put together", where)
    if all(isinstance(j.reading[0], ir.Where) for j in usable) and may_skip_at_the_source(known.plan):
        return NotWorth("each job is filtered, and may skip files that one pass over all rows reads", where)
    try:
        return _written(usable, module, text)
    except CannotEdit as error:
        return NotWorth(str(error), where)


def _is_usable(job: Job, known: Job, source: str) -> bool:
    """Whether ``job`` may be run where the first one is."""
    if job.behind == "raise" and (isinstance(job.reading[0], ir.Measured) or not never_fails(job)):
        return False
    if any(not _is_expression(s.text(source)) for s in (job.call, *(p.span for p in job.parts))):
        return False  # places inside an f-string are not always right
    return not job.parts or not reads_what_is_hidden(job, known.plan)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _only_asks_for_any(job: Job, module: Module) -> bool:
    wall = next((w for w in module.walls if w.call == job.call), None)
    return wall is not None and all(asks_for_any((*wall.steps, *r.reading)) for r in wall.readers)


def _written(jobs: list[Job], module: Module, text: Text) -> OnePassProposal | NotWorth:
    source, bindings = text.source, text.bindings
    alias = module.spelling.functions or free_alias(bindings)
    speller = ColumnSpeller(module.spelling, prevailing_quote(source), alias=alias)
    writer = Writer(source, speller)
    slots: dict[ir.Measure, str] = {}
    kept: list[Job] = []
    for job in jobs:
        written = writer.measure(job)
        if written is not None:
            slots.setdefault(_measure(job), written)
            kept.append(job)
    if len(kept) < 2:
        return NotWorth("what one of them asks for cannot be written in one aggregate", jobs[0].call)
    if sum(bool(_DISTINCT.search(m.text)) for m in slots if isinstance(m, ir.Folded)) > 1:
        return NotWorth("several counts of different values in one pass cost more than a pass each", jobs[0].call)
    first = kept[0]
    assert first.statement is not None
    at = line_start(source, first.statement.start)
    if source[at : first.statement.start].strip() or source.startswith("elif", first.statement.start):
        raise CannotEdit("the statement does not begin its line")
    for name in sorted(speller.names):
        if not (speller.needs_import and name == alias) and not bindings.bound_at(name, at):
            raise CannotEdit(f"`{name}` is not imported yet in front of the first of them")
    name = _free_name("counts" if all(isinstance(m, ir.Counted) for m in slots) else "measures", bindings.context.tree)
    line = _statement(f"{name} = {first.frame}", list(slots.values()), indent_of(source, at), newline_of(source, at))
    every = tuple(slots)
    edits = [Edit(Span(at, at), line)]
    edits += [Edit(j.call, f"{name}[{every.index(_measure(j))}]") for j in kept]
    if speller.needs_import:
        if not bindings.free(alias):
            raise CannotEdit("no free name for pyspark.sql.functions")
        edits.append(import_functions(source, alias))
    claims = [Claim(j.reading, (ir.Measured(every), ir.Item(0), ir.ColumnAt(every.index(_measure(j))))) for j in kept]
    said = f"{name} = {first.frame}.agg({', '.join(' '.join(t.split()) for t in slots.values())}).first()"
    return OnePassProposal(
        "HW404", first, tuple(kept), said, tuple(sorted(edits, key=lambda e: e.span)), tuple(claims),
        len(kept), tuple(source.count("\n", 0, j.call.start) + 1 for j in kept),
    )  # fmt: skip


def _measure(job: Job) -> ir.Measure:
    """What ``job`` asks for."""
    head = job.reading[0]
    if isinstance(head, ir.Measured):
        last = job.reading[-1]
        assert isinstance(last, ir.ColumnAt)
        return head.measures[last.index]
    return ir.Counted(_conditions(job.reading))


def _conditions(reading: Sequence[ir.Step]) -> tuple[str, ...]:
    return tuple(c for s in reading if isinstance(s, ir.Where) for c in s.conditions)


def _statement(head: str, measures: Iterable[str], indent: str, newline: str) -> str:
    """The statement as lines of their own, one measure a line if it is too long for one."""
    texts = list(measures)
    one = f"{indent}{head}.agg({', '.join(texts)}).first()"
    if len(one) <= LINE_LENGTH and "\n" not in one and "#" not in one:
        return one + newline
    parts = "".join(f"{indent}    {t},{newline}" for t in texts)
    return f"{indent}{head}.agg({newline}{parts}{indent}).first(){newline}"


def _free_name(wanted: str, tree: ast.AST) -> str:
    """A name that nothing in the file is called by."""
    taken = {getattr(n, f, None) for n in ast.walk(tree) for f in ("id", "arg", "name", "asname", "attr")}
    taken |= {name for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
    free = (name for i in count(1) if (name := wanted if i == 1 else f"{wanted}_{i}") not in taken)
    return next(free)
