"""TPC-H as PySpark with Python functions, pandas, RDDs and caches, and its conditions written late."""
