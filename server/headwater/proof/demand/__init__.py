"""The proof that a smaller part of a frame is all that a program looks at."""
