"""A Spark of one process that really runs a program's Python functions, on the values that PySpark would hand them.

It knows the API that the generator writes and that the tool rewrites to. What it takes Spark to do is
docs/semantics.md; that it is right is checked by running samples of the same programs on Spark itself.
"""

from .run import Inputs, result_of, run

__all__ = ["Inputs", "result_of", "run"]
