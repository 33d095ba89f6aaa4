"""Whether every row that a function returns still holds the key of its group."""
