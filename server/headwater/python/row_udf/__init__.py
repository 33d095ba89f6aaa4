"""Functions of the values of one row."""
