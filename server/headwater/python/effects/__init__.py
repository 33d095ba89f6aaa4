"""Whether Python code does nothing but compute a value: a closed analysis of every operation on every receiver."""
