"""Driver code in PySpark, read into plans."""
