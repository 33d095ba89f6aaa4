"""Loops over sequences of rows, and the fold that they make."""
