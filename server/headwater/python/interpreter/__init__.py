"""Symbolic execution of the statements of a function body."""
