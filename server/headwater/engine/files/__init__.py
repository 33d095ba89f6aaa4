"""Source files, notebooks and settings on disk: found, read, analysed once, written back."""
