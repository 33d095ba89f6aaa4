"""Translation validation of the functions that other tests read: each with how Spark calls it."""

from __future__ import annotations

from headwater.syntax.names.module_scope import Context
from headwater.validation.compare import Validation, validate
from headwater.validation.program import Program
from headwater_ir.expr import Col
from headwater_ir.plan import UserCode, user_code
from headwater_ir.problem import Fold
from tests.python.arrow.arrow_cases import ArrowCase
from tests.python.functions import GroupMap, RowCase, Series, function_of
from tests.python.harness import Case, schema
from tests.python.udtf.udtf_cases import UdtfCase


def code_of(case: Case) -> tuple[UserCode, ...]:
    """How Spark calls the function of a case."""
    ctx, given = Context.of(case.text), case.given
    columns = tuple(Col(f.name) for f in schema(case.columns).fields)
    if isinstance(case, UdtfCase):
        node = ctx.class_definition("T")
        assert node is not None
        return user_code("udtf", ctx.span(node), given)
    function = function_of(ctx)
    if isinstance(case, RowCase):
        return user_code("udf", ctx.span(function), given, arguments=columns, outputs=("out",))
    if isinstance(case, Series):
        return user_code("series", ctx.span(function), given, arguments=columns[1:], outputs=("o",), keys=(case.key,))
    assert isinstance(case, (GroupMap, ArrowCase))
    how = "applyInArrow" if isinstance(case, ArrowCase) else "applyInPandas"
    required = tuple(f.name for f in schema(case.output).fields if not f.nullable)
    return user_code(how, ctx.span(function), given, ordered=case.known, keys=(case.key,), required=required)


def validated(case: Case, fold: Fold | None = None) -> Validation:
    """What validation says of the fold of a case, or of another in its place."""
    types = {f.name: f.type for f in schema(case.columns).fields}  # what the types of unknown columns turn out to be
    return validate(Program(case.text), code_of(case), fold or case.fold(), types)
