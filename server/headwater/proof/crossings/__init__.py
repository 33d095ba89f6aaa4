"""The proof that a predicate passes what lies between its filter and a boundary, one operator at a time."""
