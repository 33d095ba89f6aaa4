"""SQL text that the program gives to Spark, as plans."""
