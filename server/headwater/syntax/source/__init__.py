"""The text of a module: cells, lines, statements, comments, and what can be seen in the tree alone."""
