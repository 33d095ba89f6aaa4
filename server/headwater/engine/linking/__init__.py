"""A file together with the definitions of other files of its project that it imports, as one text."""
