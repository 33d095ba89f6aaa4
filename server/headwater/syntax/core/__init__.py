"""The core language: the subset of Python's own syntax that the readers of function bodies have to know."""
