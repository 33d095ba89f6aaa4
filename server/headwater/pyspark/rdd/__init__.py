"""RDDs as driver code makes them, and their methods."""
