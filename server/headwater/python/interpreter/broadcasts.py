"""Constants that a function reads from a broadcast: ``b.value``, where ``b = spark.sparkContext.broadcast({"a": 1})``.

Law: a broadcast is written down when it is made, and each worker reads what was written. So its value is what it was
made of, whatever becomes of that on the driver; a function that changes it changes it for the rows that its worker sees
later. Behind ``destroy`` the function raises, and behind ``unpersist`` it reads the value again: neither changes it.
Condition: the name is bound once in the file, to a broadcast of a constant by a Spark context (``effects.sessions``).
What it holds is only read in the whole file, if it can be changed; and so is what it was made of, if that has a name.
Reference: PySpark's ``Broadcast``; tests/mdtest/bodies/broadcasts.md.
"""

from __future__ import annotations

import ast

from headwater.python.effects.scoped_program import ScopedProgram
from headwater.python.effects.sessions import kind_of
from headwater.python.values.scope import Env, Scope, Value

from . import constants


def value_of_broadcast(scope: Scope, node: ast.Attribute, env: Env) -> Value | None:
    """The constant that ``node`` reads; None if it reads no broadcast. Refusal if the constant may be changed."""
    owner = node.value
    if node.attr != "value" or not isinstance(owner, ast.Name) or owner.id in env or owner.id in scope.local_names:
        return None
    program = ScopedProgram(scope)
    match program.constant(owner.id):
        case ast.Call(func=ast.Attribute(value=context, attr="broadcast"), args=[given], keywords=[]):
            if program.is_replaced("broadcast") or kind_of(program, context) != "context":
                return None
            if isinstance(given, ast.Name):
                return constants.kept(scope, owner, constants.module_constant(scope, given))
            of = constants.constant_of(scope, given)
            return constants.kept(scope, owner, of)
    return None
