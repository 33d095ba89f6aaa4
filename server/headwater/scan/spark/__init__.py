"""The scan as a PySpark job, for code bases that are larger than a machine: docs/scanning-on-spark.md."""
