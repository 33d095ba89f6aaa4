"""Functions over the elements of RDDs."""
