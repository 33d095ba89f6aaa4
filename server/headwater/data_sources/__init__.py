"""Python data sources: whether the filters that a reader keeps hold of the rows that it returns."""
