"""Finding plain Python UDFs: ``udf(f, "int")``, ``F.udf(lambda …, T())``, ``@udf``, ``@F.udf("string")``,
``@udf(returnType=T())``."""

from __future__ import annotations

import ast

from headwater.pyspark.frames.schema import read_type
from headwater.pyspark.frames.tracked_values import Udf
from headwater.syntax.names.closures import made_function
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.spark_conf import ARROW_UDF
from headwater.syntax.names.spark_versions import ARROW_KEEPS_NULL
from headwater.syntax.names.statement_notes import registers
from headwater.syntax.refusal import Refusal
from headwater_ir.types import STRING, Type


def udf_of_call(call: ast.Call, names: Names) -> Udf | None:
    """The UDF that ``udf(function, type)`` or ``spark.udf.register(name, function, type)`` makes; None if the call is
    something else; Refusal if it has no model."""
    if registers(call):
        given = _arguments(call, ("name", "f", "returnType"))
    elif isinstance(call.func, ast.Attribute) and call.func.attr != "udf":
        return None  # a name behind a dot means nothing else
    elif names.function(call.func) == "udf":
        given = _arguments(call, ("f", "returnType", "useArrow"))
    else:
        return None
    function = given.get("f")
    if function is None:
        return None
    _check_arrow(given.get("useArrow"), names, call)
    return Udf(*_function(function, names), return_type(given.get("returnType"), names))


def registered_udf(name: str, names: Names) -> Udf | None:
    """The UDF that SQL text calls ``name``; None if the file registers none; Refusal if it may be several, or has no
    meaning here."""
    found = []
    for call in names.registered(name.lower()):
        said = _arguments(call, ("name", "f", "returnType")).get("name")
        if not (isinstance(said, ast.Constant) and isinstance(said.value, str)):
            raise Refusal("opaque", "a function is registered for SQL under a name that is not a literal", call)
        if said.value.lower() == name.lower():
            found.append(call)
    if len(found) > 1:
        raise Refusal("opaque", f"several functions are registered for SQL as `{name}`", found[1])
    return udf_of_call(found[0], names) if found else None


def udf_of_definition(definition: ast.FunctionDef, names: Names) -> Udf | None:
    """The UDF that a decorated function is; None if it has no UDF decorator."""
    marks = [d for d in definition.decorator_list if _is_udf(d, names)]
    if not marks:
        return None
    if len(definition.decorator_list) != 1:
        raise Refusal("opaque", f"`{definition.name}` has several decorators", definition)
    mark, declared = marks[0], None
    if isinstance(mark, ast.Call):
        given = _arguments(mark, ("returnType",))
        _check_arrow(given.get("useArrow"), names, definition)
        # `@udf("int")`: Spark takes a first argument that is a type for the return type.
        declared = given.get("returnType", given.get("f"))
    return Udf(definition, definition.name, return_type(declared, names))


def _check_arrow(use: ast.expr | None, names: Names, at: ast.AST) -> None:
    """Refuse a UDF that may run with Arrow on a version where a NULL among ints then arrives as NaN."""
    settings = names.settings
    if settings.targets.all_have(ARROW_KEEPS_NULL):
        return
    if use is not None and not (isinstance(use, ast.Constant) and not use.value):
        raise Refusal("opaque", "with `useArrow`, how NULL reaches the function depends on Spark's version", use)
    if use is None and settings.may_be(ARROW_UDF, "true"):
        raise Refusal("opaque", f"with `{ARROW_UDF}`, how NULL reaches the function depends on Spark's version", at)


def _is_udf(decorator: ast.expr, names: Names) -> bool:
    return names.function(decorator.func if isinstance(decorator, ast.Call) else decorator) == "udf"


def _arguments(call: ast.Call, order: tuple[str, ...]) -> dict[str, ast.expr]:
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "a UDF made with unpacked arguments", call)
    return dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}


def return_type(node: ast.expr | None, names: Names) -> Type:
    """The declared return type of a UDF, perhaps through a module-level constant; a string where there is none."""
    if node is None:
        return STRING
    if isinstance(node, ast.Name) and names.resolve(node) is None:
        constant = names.ctx.constant(node.id)
        if constant is None:
            raise Refusal("opaque", f"the return type `{node.id}` is not known", node)
        node = constant
    return read_type(node, names.resolve)


def _function(node: ast.expr, names: Names) -> tuple[ast.FunctionDef | ast.Lambda, str]:
    if isinstance(node, ast.Lambda):
        return node, "lambda"
    return plain_function(node, names), getattr(node, "id", "function")


def plain_function(node: ast.expr, names: Names) -> ast.FunctionDef:
    """The undecorated function that a name stands for, if one definition in the whole file binds it; or one that is
    made of it (``closures``)."""
    made = made_function(node, names)
    if made is not None:
        return made
    found = names.ctx.function(node.id) if isinstance(node, ast.Name) else None
    if found is None or (isinstance(node, ast.Name) and node.id in names.imported):
        raise Refusal("opaque", f"`{names.ctx.text(node)}` is not one function of this file", node)
    if found.decorator_list:
        raise Refusal("opaque", f"`{found.name}` is decorated", node)
    return found
