"""Python's own functions, methods and operators on values, one file for each family."""
