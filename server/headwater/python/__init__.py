"""What Python code means: models of functions and methods, and what running them does."""

from headwater.python.pandas import methods  # noqa: F401 - declares the models that every reader of calls looks up
