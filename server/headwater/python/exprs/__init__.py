"""Terms over the values of Python: simplification, types, nullability, intervals."""
