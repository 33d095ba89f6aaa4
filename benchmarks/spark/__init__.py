"""What the rewrites buy: pipelines of the suite and the examples, before and after, on millions of rows, on Spark."""
