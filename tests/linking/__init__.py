"""Files that import functions from other files of their project."""
