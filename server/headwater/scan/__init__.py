"""A list of files in, results out: on this machine or as a Spark job, and the reports made of them."""
