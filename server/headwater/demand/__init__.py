"""Smaller demand: what driver code looks at of a frame, asked of Spark instead of all of it."""
