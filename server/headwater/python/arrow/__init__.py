"""Functions over pyarrow tables."""
