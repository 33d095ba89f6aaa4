"""``match`` as the ``if`` that it is, for a subject that is a scalar or a tuple literal.

Law: the subject is evaluated once; the cases are tried in order; a literal is compared with ``==``, ``None`` with
``is``, ``_`` and a name fit anything, and a name is bound before the guard is asked. Reference: the Python language
reference, section 8.6.
"""

from __future__ import annotations

import ast

from headwater.syntax.refusal import Refusal


def as_ifs(node: ast.stmt) -> list[ast.stmt] | None:
    """Statements that do what a ``match`` does; None if ``node`` is none, Refusal for patterns without a model."""
    if not isinstance(node, ast.Match):
        return None
    if isinstance(node.subject, ast.Tuple):
        parts = node.subject.elts
        subjects: list[str] = [f"<subject {i} of line {node.lineno}>" for i in range(len(parts))]
    else:
        parts, subjects = [node.subject], [f"<subject of line {node.lineno}>"]
    if any(isinstance(p, ast.Starred) for p in parts):
        raise Refusal("opaque", "a `match` of unpacked values", node)
    rest: list[ast.stmt] = []
    for case in reversed(node.cases):
        rest = _case(case, subjects, isinstance(node.subject, ast.Tuple), rest)
    given: list[ast.stmt] = [_assigned(name, part, part) for name, part in zip(subjects, parts, strict=True)]
    return [*given, *rest]


def _case(case: ast.match_case, subjects: list[str], tuple_: bool, rest: list[ast.stmt]) -> list[ast.stmt]:
    """One case before ``rest``."""
    tests: list[ast.expr] = []
    bound: list[ast.stmt] = []
    if tuple_:
        _tuple(case.pattern, subjects, tests, bound)
    else:
        _pattern(case.pattern, subjects[0], tests, bound)
    guard = [] if case.guard is None else [case.guard]
    if bound and guard and tests:
        raise Refusal("opaque", "a case that binds a name, has a guard and does not fit everything", case.pattern)
    if bound and guard:
        return [*bound, _if(guard, case.body, rest, case.pattern)]
    if not tests and not guard:
        return [*bound, *case.body]
    return [_if([*tests, *guard], [*bound, *case.body], rest, case.pattern)]


def _tuple(pattern: ast.pattern, subjects: list[str], tests: list[ast.expr], bound: list[ast.stmt]) -> None:
    if isinstance(pattern, ast.MatchAs) and pattern.name is None:
        return
    inner = pattern.patterns if isinstance(pattern, ast.MatchSequence) else []
    if len(inner) != len(subjects) or any(isinstance(p, ast.MatchStar) for p in inner):
        raise Refusal("opaque", "a pattern without a model", pattern)
    for p, name in zip(inner, subjects, strict=True):
        _pattern(p, name, tests, bound)


def _pattern(pattern: ast.pattern, subject: str, tests: list[ast.expr], bound: list[ast.stmt]) -> None:
    """Add what must be true of ``subject``, and what is bound then."""
    read = ast.copy_location(ast.Name(subject, ast.Load()), pattern)
    match pattern:
        case ast.MatchValue(value=value):
            tests.append(ast.copy_location(ast.Compare(read, [ast.Eq()], [value]), pattern))
        case ast.MatchSingleton(value=None):
            none = ast.copy_location(ast.Constant(None), pattern)
            tests.append(ast.copy_location(ast.Compare(read, [ast.Is()], [none]), pattern))
        case ast.MatchOr(patterns=patterns):
            tests.append(_any(patterns, subject, pattern))
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                _pattern(inner, subject, tests, bound)
            if name is not None:
                bound.append(_assigned(name, read, pattern))
        case _:
            raise Refusal("opaque", "a pattern without a model", pattern)


def _any(patterns: list[ast.pattern], subject: str, node: ast.pattern) -> ast.expr:
    options: list[ast.expr] = []
    for p in patterns:
        tests: list[ast.expr] = []
        bound: list[ast.stmt] = []
        _pattern(p, subject, tests, bound)
        if bound or len(tests) != 1:
            raise Refusal("opaque", "alternatives that bind names, or fit everything", node)
        options += tests
    return ast.copy_location(ast.BoolOp(ast.Or(), options), node)


def _if(tests: list[ast.expr], body: list[ast.stmt], rest: list[ast.stmt], node: ast.AST) -> ast.stmt:
    test = tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), node)
    return ast.copy_location(ast.If(test, body, rest), node)


def _assigned(name: str, value: ast.expr, node: ast.AST) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), node)
    return ast.copy_location(ast.Assign([target], value), node)
