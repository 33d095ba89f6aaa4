"""Grouping, and Spark's own aggregates."""
