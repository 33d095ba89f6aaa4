"""Column expressions and SQL text, as typed terms."""
