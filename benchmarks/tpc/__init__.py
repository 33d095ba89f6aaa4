"""TPC-H and TPC-DS as PySpark with Python functions, pandas, RDDs and caches, and their conditions written late."""
