"""Measuring: a pipeline before and after its rewrite, on generated data, on Spark.

The one place of Headwater that runs the code that it looks at: only for ``headwater bench``, in a process of its own.
"""
