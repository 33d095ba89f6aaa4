"""Names: which ones a library binds, and what they are."""
