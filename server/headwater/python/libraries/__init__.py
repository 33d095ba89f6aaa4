"""Models of functions and methods, one file for each family. What has no entry is not understood."""
