"""Classes of table functions."""
