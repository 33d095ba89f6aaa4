"""The pure core: a source text in, a report out. No files, no processes, no clock of its own."""
