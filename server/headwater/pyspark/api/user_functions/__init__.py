"""Methods and columns that run the user's Python functions."""
