"""What must be right for "proved" to be true: a class for each file of the product, with what guards it (issue 20).

``python -m tests.trust`` writes ``docs/trust.md``. The table is a closed world: a file that no line names
fails the test.
"""
