"""Functions over pandas frames and series."""
