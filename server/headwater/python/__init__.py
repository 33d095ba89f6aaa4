"""What Python code means: models of functions and methods, and what running them does."""
