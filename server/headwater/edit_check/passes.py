"""Whether an edited text computes in one job what the text before it computed in several.

Law: in front of the statement of the first job stands ``name = frame.agg(…).first()`` with a name that the text before
does not have, of the frame in the same variable, perhaps with a filter in front; as the front end reads it, it
measures what the claims say. In front of it may stand statements from behind it, if a job reads what they bind and the
front end says that they may. Each job has become ``name[i]``, ``i`` being the place that its claim says, and nothing
else reads the name. The columns of the row may be for the turns of a loop: then the job has become ``name[turn]``. Or
one number stands there, and each job has become ``name``; or the first job has become ``(name := job)``, if what its
statement does before it has to be done before it. All other jobs are as they were, and are asked for where
they were.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headwater.syntax.names.lookups import Lookups
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.unreadable_code import reads_what_is_hidden
from headwater_ir.change import OnePass
from headwater_ir.demand import SQL, AnyOf, Claim, ColumnAt, InTurns, Item, Job, Measured, Reading
from headwater_ir.module import Module

from .equality import Different
from .syntax import Found


def check(
    asked: Sequence[OnePass], found: Found, before: Module, after: Module, old: Context, new: Context, *, alone: bool
) -> None:
    """``Different`` unless the jobs of ``after`` are those of ``before`` with the changes ``asked``. ``alone``: there
    are no others, of which it is theirs to say what they make of a job."""
    became = {old.span(a): b for a, b in found.replaced}
    in_front = [c for c in asked if c.statement != c.call]
    if {*found.added} != {c.statement for c in in_front} or len(found.added) != len(in_front):
        raise Different("other statements have been added than were asked for")
    made, gone = list[Job](), set[Job]()
    for change in asked:
        statement = _named(became.get(change.call)) if change not in in_front else found.added[change.statement]
        mine = [j for span in change.replaced for j in before.jobs if j.call == span]
        row = _row(change, _as_proved(mine, change), statement, after, old, new)
        each = row.columns_for if any(j.turns for j in mine) else None
        claims = zip(change.replaced, change.claims, strict=True)
        taken = [(c, became.get(s)) for s, c in claims if s != change.statement]
        _values_taken(taken, statement, row, each, new)
        made.append(row)
        gone |= {*mine}
    kept = [_shape(j) for j in before.jobs if j not in gone]
    if alone and kept != [_shape(j) for j in after.jobs if j not in made]:
        raise Different("another job has become one of its own, or other rows are counted")


def _named(node: ast.expr | None) -> ast.stmt:
    """The assignment that ``node`` makes inside an expression."""
    if not isinstance(node, ast.NamedExpr):
        raise Different("the first job is given no name")
    return ast.copy_location(ast.Assign([node.target], node.value), node)


def _as_proved(jobs: list[Job], change: OnePass) -> list[Job]:
    """``jobs`` as what is proved has them: of their own frames, or of the one that these are made of by filters."""
    if change.statement == change.call:
        return [j.in_place for j in jobs if j.in_place is not None]
    own = [j.reading == c.before for j, c in zip(jobs, change.claims, strict=False)]
    if all(own) and len({(j.frame, j.run) for j in jobs}) == 1:
        return jobs
    return [j.wider for j in jobs if j.wider is not None]


def _row(change: OnePass, mine: list[Job], statement: ast.stmt, after: Module, old: Context, new: Context) -> Job:
    """The job of the new text that stands for ``mine``."""
    turns = {j.turns for j in mine}
    in_order = any(t is not None and not t.name for t in turns)
    few = len(mine) < (2 if turns == {None} else 1)
    if len(mine) != len(change.replaced) or len(mine) != len(change.claims) or few:
        raise Different("a job is not there")
    if any(j.reading != c.before for j, c in zip(mine, change.claims, strict=True)):
        raise Different("what is proved is not what was computed")
    runs, frames = {j.run for j in mine}, {j.frame for j in mine}
    if None in runs or len(runs) > 1 or len(frames) > 1 or len(turns) > 1:
        raise Different("the jobs are of several frames, or something is done between them")
    sure = {j.reading for j in mine if not j.again}
    if any(j.again and j.reading not in sure for j in mine):
        raise Different("a job that does not always run has come to be run always")
    first = change.call if runs == {change.call} else None
    if change.statement != (first or min(j.statement for j in mine if j.statement is not None and not j.again)):
        raise Different("the first job is in another statement")
    if {*change.moved} != {s for j in mine for s in j.moved if change.statement < s}:
        raise Different("other statements have moved than a job needs")
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="iter"), args=[value])) if (
            in_order and Names.of(new).resolve(ast.Name("iter")) == "builtins.iter"
        ):
            pass
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not in_order:
            pass
        case _:
            raise Different("what is added is no assignment")
    if any(name in (getattr(n, f, None) for f in ("id", "arg", "name", "asname")) for n in ast.walk(old.tree)):
        raise Different(f"`{name}` has a meaning in the file already")
    if name in {n for node in ast.walk(old.tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for n in node.names}:
        raise Different(f"`{name}` has a meaning in the file already")
    texts = {n.value for n in ast.walk(old.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    if name in texts or Lookups.of(old).may_tell(name, change.statement.start):
        raise Different(f"the file may look up `{name}`")
    row = next((j for j in after.jobs if j.call == new.span(value)), None)
    many = row is not None and [type(s) for s in row.reading if not isinstance(s, AnyOf)] == [Measured, Item]
    once = row is not None and all(_same(c.after, row.reading) for c in change.claims)
    if row is None or row.frame not in frames or not (many or once):
        raise Different(f"`{new.text(statement)}` computes something else")
    if once and Names.of(old).reflective:
        raise Different(f"the file goes through its variables, of which `{name}` holds what another one does")
    if turns != {None} and (row.columns_for is None or {row.columns_for.turns} != turns):
        raise Different(f"`{new.text(statement)}` goes through something else")
    return row


def _values_taken(
    taken: Sequence[tuple[Claim, ast.expr | None]], statement: ast.stmt, row: Job, each: InTurns | None, new: Context
) -> None:  # fmt: skip
    """``Different`` unless each expression in ``taken`` takes from ``row`` what its claim says, and nothing else does.
    ``each``: what the columns of the row are for, if they are for turns."""
    assert isinstance(statement, ast.Assign)
    (target,) = statement.targets
    assert isinstance(target, ast.Name)
    name, last = target.id, row.reading[-1]
    values = tuple(replace(s, names=None) if isinstance(s, Measured) else s for s in row.reading)
    for claim, node in taken:
        match node:
            case ast.Name(id=of) if of == name and each is None:
                nameless = last == Item(0) and row.reading == values and len(values) > 1
                if not _same(claim.after, row.reading) or nameless:
                    raise Different(f"`{new.text(node)}` is not what is proved")
            case ast.Subscript(value=ast.Name(id=of)) | ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=of)]) if (
                of == name and each is not None
            ):
                one = (*values[:-2], Measured((each.measure,)), Item(0), ColumnAt(0))
                if not _same(claim.after, one) or not _is_of_turn(node, each, new):
                    raise Different(f"`{new.text(node)}` is not what is proved")
            case ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=int() as place)) if of == name:
                if not _same(claim.after, (*values, ColumnAt(place))):
                    raise Different(f"`{new.text(node)}` is not what is proved")
            case _:
                raise Different("a job has become something else")
    hidden = [n for n in ast.walk(new.tree) if isinstance(n, ast.Call) and reads_what_is_hidden(n)]
    by_hidden = {id(n) for call in hidden for n in call.args}  # a name that is new, it cannot mean
    uses = [n for n in ast.walk(new.tree) if isinstance(n, ast.Name) and n.id == name and id(n) not in by_hidden]
    if len(uses) != len(taken) + 1:
        raise Different(f"`{name}` is used elsewhere")


def _is_of_turn(node: ast.expr, each: InTurns, new: Context) -> bool:
    """Whether ``node`` takes what a row has for the turn that ``node`` is evaluated in: by the name of the turn, or as
    the next one, where the turns are told apart by their order."""
    if isinstance(node, ast.Subscript):
        return each.turns.name != "" and ast.unparse(node.slice) == each.turns.name
    return each.turns.name == "" and Names.of(new).resolve(ast.Name("next")) == "builtins.next"


def _same(proved: Reading, read: Reading) -> bool:
    """Whether both readings are the same. How the operands of ``|`` are grouped is no difference: ``a | (b | c)`` is
    TRUE where one of the three is, and the front end reads three alternatives where a claim has ``a`` and ``b | c``."""
    return _by_operand(proved) == _by_operand(read)


def _by_operand(reading: Reading) -> list[object]:
    return [[*map(set, _alternatives(s))] if isinstance(s, AnyOf) else s for s in reading]


def _alternatives(step: AnyOf) -> Iterator[tuple[str, ...]]:
    """The alternatives of ``step``, with the operands of an alternative that is one ``|`` in place of it."""
    for alternative in step.alternatives:
        match alternative:
            case [condition] if not condition.startswith(SQL):
                for operand in _operands(ast.parse(condition, mode="eval").body, ast.BitOr):
                    yield tuple(_text(o) for o in _operands(operand, ast.BitAnd))
            case _:
                yield alternative


def _operands(node: ast.expr, operator: type[ast.operator]) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=a, op=op, right=b) if isinstance(op, operator):
            yield from _operands(a, operator)
            yield from _operands(b, operator)
        case _:
            yield node


def _text(condition: ast.expr) -> str:
    match condition:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="functions"), attr="expr"), args=[ast.Constant(value=str() as sql)]
        ):
            return f"{SQL}{sql}"
    return ast.unparse(condition)


def _shape(job: Job) -> object:
    return job.frame, job.reading
