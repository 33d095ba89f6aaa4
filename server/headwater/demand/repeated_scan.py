"""HW404: several numbers of one frame, each a job of its own, that one pass gives.

Law: the number of rows that a filter keeps is that of the rows for which its condition is TRUE, and the aggregates of
one ``agg`` are those of several. A frame that is computed twice may give different rows where its source has changed
or its functions are random; computed once, it gives what it may have given both times.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import NamedTuple

from headwater.pyspark.rdd.effects_below import if_pure
from headwater.rewrite.edit import Edit, joined
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias
from headwater.rewrite.python_text import prevailing_quote
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.tokens import CannotEdit, indent_of, line_start, newline_of
from headwater.syntax.names.lookups import Lookups
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.notebook import cells
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Claim, Job
from headwater_ir.module import Module
from headwater_ir.plan import Opaque
from headwater_ir.span import Span

from .layout import in_one_line, statement, whole_lines, with_parentheses
from .measured import ONE_ROW, conditions_of, if_never_changed, is_value, kinds_in, measure_of, with_conditions
from .needs import asks_for_any, looks_for_none
from .nodes_around import nodes_around
from .one_row import Writer, is_loose, missing_columns, never_fails
from .protocol import NotWorth, OnePassProposal
from .worth import (
    is_by_columns,
    is_cached,
    is_of_database,
    may_skip_at_the_source,
    one_pass_is_no_gain,
    reads_what_is_hidden,
)
from .writing import free_name, import_of_functions, imports, names_in

MOST_CONDITIONS = 8
"""A claim with more of them is not checked."""
LEAST = 3
"""One pass for assertions saves at least one job of so many."""
MOST_TEXT = 300
"""A longer condition is not written a second time."""
_EACH_FILTERED = "each job is filtered, and may skip files that one pass over all rows reads"
_TIMED = re.compile(r"^(?:# MAGIC )?\s*%%?time", re.MULTILINE)
_SLOW = "Spark answers each job from little of the files, and one pass reads columns of all rows"
_DROPPED = re.compile(r"_+\s*=\s*\(?\s*")
_ASKS_FOR_NULL = re.compile(r"\.isNull\(\)$|^functions\.isnull\([^()]*\)$")


def repeated_scans(module: Module, text: Text, source: str) -> list[OnePassProposal | NotWorth]:
    """One answer for each frame that several jobs are asked of. ``text``: what is read of ``source``."""
    groups = _together(module, source)
    taken = set[str]().union(*map(names_in, text.bindings.context.tree.body)) if groups else set[str]()
    walls = {w.call: w for w in reversed(module.walls)}
    asked = {j.call for jobs in groups for j in jobs}
    stays = [NotWorth(j.stays, j.call) for j in module.jobs if j.stays and j.call not in asked]
    return [*(_answer(jobs, module, text, taken, walls) for jobs in groups), *stays]


def _together(module: Module, source: str) -> list[list[Job]]:
    """The jobs that may be done in one pass, as far as the code around them tells: in a notebook, those of a cell."""
    every = cells(source)
    starts, timed = [c.start for c in every], cache(partial(_is_timed, every, source))
    found: dict[tuple[str, Span, int, Span | None], list[Job]] = {}
    for job in module.jobs:
        if job.run is None or job.statement is None or not is_value(job):
            continue
        cell = bisect_right(starts, job.statement.start)
        if cell and timed(cell - 1):
            continue
        found.setdefault((job.frame, job.run, cell, job.call if job.turns else None), []).append(job)
    groups = _with_filtered([*found.values()])
    rows_alone = (all(j.columns_for is not None for j in jobs) for jobs in groups)  # what loops have become
    many = [g for g, alone in zip(groups, rows_alone, strict=True) if g[0].turns or (len(g) > 1 and not alone)]
    placed = _in_place(module, many)
    calls = {j.call for g in placed for j in g}
    many = [*(g for g in many if not {j.call for j in g} <= calls), *placed]
    return [jobs for jobs in many if any(j.certain or j.frame_if is not None for j in jobs)]


def _in_place(module: Module, others: Sequence[list[Job]]) -> list[list[Job]]:
    """The jobs that may be given the number of one inside a statement, if none of them is together with ``others`` that
    ask for more."""
    found: dict[Span | None, list[Job]] = {}
    for job in (j.in_place for j in module.jobs if is_value(j)):
        if job is not None:
            found.setdefault(job.run, []).append(job)
    together = [{j.call for j in jobs} for jobs in others]
    groups = [jobs for first, jobs in found.items() if len(jobs) > 1 and jobs[0].call == first]
    return [g for g in groups if all(t <= (own := {j.call for j in g}) or not t & own for t in together)]


def _with_filtered(groups: list[list[Job]]) -> list[list[Job]]:
    """``groups``, where jobs that are alone of their frame are with those of what it is made of by filters."""
    wider: dict[tuple[str, Span], list[Job]] = {}
    group_of = {j.call: jobs for jobs in groups for j in jobs}
    for job in (j for jobs in groups for j in jobs if j.turns is None and not j.again):
        of = job.wider
        if (
            of is not None
            and of.run is not None
            and is_value(of)
            and (of.frame == job.frame or len(group_of[job.call]) == 1)
        ):
            wider.setdefault((of.frame, of.run), []).append(job)
    for (frame, _), jobs in wider.items():
        if len(jobs) < 2 or all(j.frame == frame for j in jobs):
            continue
        taken = {j.call for j in jobs}
        gone = [g for g in groups if any(j.call in taken for j in g)]
        if any(j.call not in taken for g in gone for j in g):
            continue
        together = [j.wider for j in sorted(jobs, key=lambda j: j.call.start) if j.wider is not None]
        groups = [*(g for g in groups if g not in gone), together]
    return groups


def _is_timed(every: Sequence[Span], source: str, number: int) -> bool:
    return _TIMED.search(source, every[number].start, every[number].end) is not None


def _answer(
    jobs: list[Job], module: Module, text: Text, taken: set[str], walls: Mapping[Span, ir.Wall]
) -> OnePassProposal | NotWorth:
    held = [j for j in jobs if j.reading == ONE_ROW]
    jobs = held or jobs
    known = next((j for j in jobs if j.certain), None) or next(j for j in jobs if j.frame_if is not None)
    where = known.call
    others = list[Opaque]()
    why = one_pass_is_no_gain(known.plan, others) or ("the row is kept" if held and known.kept else None)
    if why is not None:
        return NotWorth(why, where)
    usable = [u for j in jobs if (u := _usable(j, known, text.source)) is not None]
    asked = {j.reading for j in usable if not j.again}
    usable = [j for j in usable if not j.again or j.reading in asked]
    if not usable or (known.turns is None and len(usable) < 2) or all(_only_asks_for_any(j, walls) for j in usable):
        return NotWorth("fewer than two jobs may be put together", where)
    try:
        answer = _asked_once(usable, text, taken) if held else _written(usable, module, text, taken)
    except CannotEdit as error:
        return NotWorth(str(error), where)
    if isinstance(answer, NotWorth):
        return answer
    shown = () if known.certain or known.frame_if is None else (known.frame_if,)
    shown = (*shown, *if_pure(others, text.source), *if_never_changed(answer.jobs))
    needed = tuple(dict.fromkeys((*shown, *(a for j in answer.jobs for a in j.assumed), *answer.assumptions)))
    kept = any(j.kept for j in jobs) or is_cached(known.plan)
    little = not kept and is_by_columns(known.plan) and _reads_little(answer.jobs)
    slow = _SLOW if little else answer.slow_if_large
    measures = {measure_of(j) for j in answer.jobs}
    if kept and any(map(kinds_in, measures)):
        slow = "the rows are kept, and different values beside other numbers cost more than a second job"
    if kept and known.turns is None and len(measures - {ir.Counted()}) < 2:
        slow = "the rows are kept, and of such Spark knows how many there are"
    checks = known.turns is None and any(j.behind == "assert" for j in answer.jobs)
    if checks and LEAST * (len(answer.jobs) - 1) < len(jobs):
        slow = "most of the assertions about the frame stay a job each"
    return replace(answer, first=replace(answer.first, kept=kept), slow_if_large=slow, assumptions=needed)


def _usable(job: Job, known: Job, source: str) -> Job | None:
    """``job``, with what has to be true for it to be run where the first one is; None if it has to stay."""
    if not _is_usable(job, known, source):
        return None
    missing = missing_columns(job, source) if job.behind in ("assert", "raise", "seen", "leave") else {}
    if missing is None or (missing and job.behind not in ("assert", "raise")):
        return None
    # where a column is not there, an assertion that holds is not missed
    assumed = (_if_there(n, job.frame, numbers=numbers) for n, numbers in missing.items() if job.behind == "raise")
    return replace(job, assumed=(*job.assumed, *assumed))


def _if_there(name: str, frame: str, *, numbers: bool) -> Assumption:
    return Assumption("keys", f"`{name}` is a column {'of numbers ' if numbers else ''}of `{frame}`")


def _is_usable(job: Job, known: Job, source: str) -> bool:
    """Whether ``job`` can be written, and may be run where the first one is if it raises no error."""
    if job.statement == job.call or _DROPPED.fullmatch(_in_front(job, source)):
        return False  # a number that nobody reads: the job may be there to fill a cache
    if job.behind == "leave" and (job.parts or job.columns):
        return False  # what it reads more than the first one may raise an error where the program has ended well
    of = () if job.function is None else (job.function.argument.span,)
    if len({*_conditions_of(job)}) > MOST_CONDITIONS:
        return False
    if any(not _is_expression(s.text(source)) for s in (job.call, *(p.span for p in (*job.parts, *job.columns)), *of)):
        return False  # places inside an f-string are not always right
    return not job.parts or _reads_what_is_listed(job) or not reads_what_is_hidden(job, known.plan)


def _in_front(job: Job, source: str) -> str:
    """What stands in the statement of ``job`` in front of it."""
    return "" if job.statement is None else source[job.statement.start : job.call.start]


def _each_is_filtered(jobs: Sequence[Job]) -> bool:
    """Whether each of ``jobs`` may skip files that one pass over all rows reads, and they together read no more."""
    if any(j.turns is not None and j.turns.found for j in jobs):
        return False
    if not all(isinstance(j.reading[0], ir.Where) for j in jobs) or _are_opposite(jobs):
        return False
    hands_over = is_of_database(jobs[0].plan)  # it filters by itself, and would hand over all rows for one pass
    return (hands_over or not any(map(_is_of_other_columns, jobs))) and may_skip_at_the_source(jobs[0].plan)


def _are_opposite(jobs: Sequence[Job]) -> bool:
    """Whether two of ``jobs`` together look at every row but those with NULL: their conditions are ``a == b`` and
    ``a != b``."""
    found = {c for j in jobs if len(c := conditions_of(j.reading)) == 1}
    return any((text.replace("==", "!="),) in found for (text,) in found if text.count("==") == 1)


def _conditions_of(job: Job) -> list[str]:
    found = [c for s in job.reading if isinstance(s, ir.Where) for c in s.conditions]
    return found + [c for s in job.reading if isinstance(s, ir.Measured) for m in s.measures for c in m.conditions]


@lru_cache(maxsize=4096)
def _is_expression(text: str) -> bool:
    try:
        ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_of_other_columns(job: Job) -> bool:
    """Whether each turn of a loop looks at a column of its own alone, which one pass reads as well."""
    if job.turns is None:
        return False
    key, frame = rf"{re.escape(job.turns.variable)}(?:\.name)?", re.escape(job.frame)
    own = rf"\bfunctions\.(?:col|isnull|isnan)\({key}\)|\b{frame}\[{key}\]"
    found = [re.subn(own, "", _with_bound(c, job.turns)) for c in conditions_of(job.reading)]
    return all(n and not re.search(rf"\b{frame}\b|functions\.(?!isnan\b|isnull\b|trim\b)|['\"]\w", c) for c, n in found)


def _with_bound(condition: str, turns: ir.Turns) -> str:
    """``condition`` with what a turn binds first in the place of its variables."""
    for clause in reversed(turns.clauses):
        if clause.target.isidentifier() and clause.shape == "[{}]":
            value = f"({clause.text[1:-1]})".replace("\\", r"\\")
            condition = re.sub(rf"\b{clause.target}\b", value, condition)
    return condition


def _reads_little(jobs: Sequence[Job]) -> bool:
    """Whether jobs right above files that keep columns and their statistics read less than one pass does: a count of
    all rows reads no column, nor does the search for NULL where there is none, and a filter skips what it can."""
    asked = {measure_of(j) for j in jobs}
    filtered = [m for m in asked if isinstance(m, ir.Counted) and len(m.conditions) == 1]
    if asked - {*filtered, ir.Counted()}:
        return False
    return (
        len(filtered) == 1 if jobs[0].turns is None else all(_ASKS_FOR_NULL.search(m.conditions[0]) for m in filtered)
    )


def _reads_what_is_listed(job: Job) -> bool:
    """Whether the columns that ``job`` reads are surely those of its frame, which lists them."""
    return job.turns is not None and job.turns.over == f"{job.frame}.columns" and _is_of_other_columns(job)


def _only_asks_for_any(job: Job, walls: Mapping[Span, ir.Wall]) -> bool:
    wall = walls.get(job.call)
    if wall is None or not all(asks_for_any((*wall.steps, *r.reading)) for r in wall.readers):
        return False
    return not looks_for_none(wall)


def _written(jobs: list[Job], module: Module, text: Text, taken: set[str]) -> OnePassProposal | NotWorth:
    source, bindings = text.source, text.bindings
    alias = module.spelling.functions or free_alias(bindings)
    if "restartPython" in source:
        jobs = [j for j in jobs if _is_imported(j, module, text, alias)]
        if not jobs:
            raise CannotEdit("Python is started again in the file, and what is imported at its head is gone")
    speller = ColumnSpeller(module.spelling, prevailing_quote(source), alias=alias)
    writer = Writer(source, speller)
    slots: dict[ir.Measure, str] = {}
    kept, kinds = list[Job](), 0
    for job in jobs:
        written, measure = writer.measure(job), measure_of(job)
        if written is not None and (measure in slots or not kinds_in(measure) or kinds_in(measure) + kinds < 2):
            kinds += 0 if measure in slots else kinds_in(measure)
            slots.setdefault(measure, written)
            kept.append(job)
    if len(kept) < (1 if jobs[0].turns else 2):
        if any(kinds_in(measure_of(j)) for j in jobs):
            return NotWorth("several counts of different values in one pass cost more than a pass each", jobs[0].call)
        return NotWorth("what one of them asks for cannot be written in one aggregate", jobs[0].call)
    first = kept[0]
    if len(slots) == 1 and first.turns is None:
        return _asked_once(kept, text, taken)
    at = _in_front_of(first, source)
    assert first.statement is not None
    moved = sorted({s for j in kept for s in j.moved if first.statement < s})
    lines = [whole_lines(s, source) for s in moved]
    imported = imports(speller, text, at)
    filtered = _of_any(kept, writer) if _each_is_filtered(kept) else None
    numbers = all(isinstance(m, (ir.Counted, ir.Kinds)) for m in slots)
    name = free_name("counts" if numbers else "measures", first.frame, taken, shared=bindings.shares_names(at))
    if Lookups.of(bindings.context).may_tell(name, at):
        raise CannotEdit("the file goes through its variables, of which there would be one more")
    places, turns = {m: i for i, m in enumerate(slots)}, first.turns
    if filtered is not None and {(conditions_of(j.reading),) for j in kept} == {filtered.step.alternatives}:
        shared = len(conditions_of(first.reading))  # one filter for all, which leaves nothing to ask of a row
        own = {measure_of(j): writer.of_rows(j) for j in reversed(kept)}
        slots = {with_conditions(m, m.conditions[shared:]): own[m] for m in slots}
    every = tuple(slots)
    texts = list(slots.values()) if turns is None else [_for_each(slots[every[0]], turns, source)]
    frame, rows = (
        (first.frame, ()) if filtered is None else (f"{first.frame}.filter({filtered.text})", (filtered.step,))
    )
    in_order = turns is not None and not turns.name
    if in_order and any(Names.of(bindings.context).resolve(ast.Name(n)) != f"builtins.{n}" for n in ("iter", "next")):
        raise CannotEdit("`iter` and `next` may be other functions than Python's")
    head, end = (f"{name} = iter({frame}", ")") if in_order else (f"{name} = {frame}", "")
    line = statement(head, texts, indent_of(source, at), end + newline_of(source, at))
    edits = [Edit(Span(at, at), "".join(s.text(source) for s in lines) + line), *(Edit(s, "") for s in lines)]
    for job in kept:
        taken_by = f"next({name})" if in_order else f"{name}[{turns.name if turns else places[measure_of(job)]}]"
        edits.append(Edit(with_parentheses(job.call, source), taken_by))
    edits += imported
    taken.add(name)
    claims = [
        Claim(j.reading, (*rows, ir.Measured(every), ir.Item(0), ir.ColumnAt(places[measure_of(j)]))) for j in kept
    ]
    said = f"{head}.agg({', '.join(' '.join(t.split()) for t in texts)}).first(){end}"
    return OnePassProposal(
        "HW404", first, tuple(kept), said, joined(edits), tuple(claims),
        len(kept), tuple(source.count("\n", 0, j.call.start) + 1 for j in kept), _assumed(first), moved=tuple(moved),
    )  # fmt: skip


def _in_front_of(first: Job, source: str) -> int:
    """Where the line of the statement of ``first`` begins."""
    assert first.statement is not None
    assert first.run is not None
    at = line_start(source, first.statement.start)
    if source[at : first.statement.start].strip() or source.startswith("elif", first.statement.start):
        raise CannotEdit("the statement does not begin its line")
    if indent_of(source, first.run.start) != indent_of(source, at):
        raise CannotEdit("the first of them that one pass may do stands in a branch")
    return at


def _is_imported(job: Job, module: Module, text: Text, alias: str) -> bool:
    """Whether what ``job`` asks for can be written with what is imported in front of it since Python was started again,
    or can be there."""
    speller = ColumnSpeller(module.spelling, alias=alias)
    if Writer(text.source, speller).measure(job) is None:
        return False
    if speller.needs_import:
        try:
            import_of_functions(text, alias, job.call.start)
        except CannotEdit:
            return False
    return True


class Filtered(NamedTuple):
    """The condition of the rows that some job looks at. ``text``: as it is written, ``step``: what it does."""

    text: str
    step: ir.AnyOf


def _of_any(jobs: Sequence[Job], writer: Writer) -> Filtered:
    """The rows that some of ``jobs`` looks at: where ``&`` of its conditions may raise an error, those for which the
    first, which each row is asked for anyway, is TRUE. ``CannotEdit`` if there is no short condition for them."""
    if jobs[0].turns is not None:
        raise CannotEdit(_EACH_FILTERED)
    found: dict[tuple[str, ...], str] = {}
    for job in jobs:
        text, conditions = writer.wider(job), conditions_of(job.reading)
        if text is None:
            raise CannotEdit(_EACH_FILTERED)
        found.setdefault(conditions if text.whole else conditions[:1], in_one_line(text.text))
    kept = {c: t for c, t in found.items() if not any({*o} < {*c} for o in found)}
    joined = " | ".join(f"({t})" if len(kept) > 1 and is_loose(t) else t for t in kept.values())
    if len({c for a in kept for c in a}) > MOST_CONDITIONS or len(joined) > MOST_TEXT or "\n" in joined:
        raise CannotEdit(_EACH_FILTERED)
    return Filtered(writer.for_filter(joined), ir.AnyOf(tuple(kept)))


def _asked_once(jobs: list[Job], text: Text, taken: set[str]) -> OnePassProposal:
    """The same number or row, asked for several times: once, as it is, in a variable."""
    first, source = jobs[0], text.source
    inside = first.run == first.call
    at = first.call.start if inside else _in_front_of(first, source)
    if Names.of(text.bindings.context).reflective:
        raise CannotEdit("the file goes through its variables, and two would hold one number")
    changed = Names.of(text.bindings.context).mutated
    if not isinstance(first.reading[-1], ir.Size) and changed & _bound_by(jobs, text):
        raise CannotEdit("what is asked for may be a list, which is changed in place")
    kind = "count" if isinstance(first.reading[-1], ir.Size) else "row" if first.reading == ONE_ROW else "measure"
    name = free_name(kind, first.frame, taken | {kind}, shared=text.bindings.shares_names(at))
    if Lookups.of(text.bindings.context).may_tell(name, at):
        raise CannotEdit("the file goes through its variables, of which there would be one more")
    taken.add(name)
    call = in_one_line(first.call.text(source))
    if "\n" in call:
        call = f"({first.call.text(source)})"
    line = f"{indent_of(source, at)}{name} = {call}{newline_of(source, at)}"
    edits = [] if inside else [Edit(Span(at, at), line)]
    for job in jobs:
        value = f"({name} := {call})" if inside and job is first else name
        edits.append(Edit(with_parentheses(job.call, source), value))
    said = f"{name} {':' if inside else ''}= {' '.join(call.split())}"
    return OnePassProposal(
        "HW404", first, tuple(jobs), said, joined(edits),
        tuple(Claim(j.reading, first.reading) for j in jobs), len(jobs),
        tuple(source.count("\n", 0, j.call.start) + 1 for j in jobs),
    )  # fmt: skip


def _bound_by(jobs: list[Job], text: Text) -> set[str]:
    """The variables that the statements of ``jobs`` assign."""
    ctx, own = text.bindings.context, {j.statement for j in jobs if j.statement is not None}
    statements = (s for span in own for s in nodes_around(ctx, span) if isinstance(s, ast.stmt) and ctx.span(s) == span)
    return {n.id for s in statements for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _for_each(measure: str, turns: ir.Turns, source: str) -> str:
    """``measure`` in each of ``turns``, under its name."""
    clauses = " ".join(c.spelled(source) for c in turns.clauses)
    named = f".alias({turns.name})" if turns.name else ""
    return f"*[{measure}{named} {clauses}]"


def _assumed(job: Job) -> tuple[Assumption, ...]:
    """What has to be true for an aggregate to have a column, and for the errors that are raised."""
    found = list[Assumption]()
    if job.turns is not None:
        known = f"`{job.frame}` has a column" if job.schema.fields else None
        found += [a for a in job.turns.assumed if a.text != known]
    if job.behind == "error" and not never_fails(job):
        found.append(Assumption("program", "which of the errors in the loop ends it does not matter"))
    return tuple(found)
