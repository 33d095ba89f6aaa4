"""The codes: one file each, with its words, its page and its policy."""
