"""Models of library functions: what they take, whether they are pure, and what they yield."""
