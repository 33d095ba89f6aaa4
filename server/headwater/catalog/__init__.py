"""Schemas and row counts of tables, from what a catalog has exported."""
